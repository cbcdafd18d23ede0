"""Fitting a combiner from measured cases: the weights are those that the combiner reads, and obey their signs."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from coditect_benchmarks.verification.fitting import Rows, fit, held_out, scores

from coditect.verify.support.combiner import Combiner

NAMES = ("covered", "novel_share", "claim_words", "negation_added")


def measured(seed: int = 0, count: int = 240) -> Rows:
    """Cases of two sets whose labels follow coverage, and of one whose claims were edited."""
    generator = np.random.default_rng(seed)
    values = generator.normal(size=(count, len(NAMES)))
    labels = (values[:, 0] - values[:, 1] + generator.normal(size=count) > 0).astype(np.int64)
    sets = np.asarray([("plain", "other", "edited")[at % 3] for at in range(count)])
    groups = np.asarray([f"d{at // 6}" for at in range(count)])
    return Rows(NAMES, values, labels, sets, sets, groups, sets, np.zeros(count, np.bool_))


@pytest.fixture(scope="module")
def fitted() -> dict[str, object]:
    """Weights of both halves."""
    return fit(measured(), frozenset(["edited"]))


def test_fit_gives_weights_that_the_combiner_reads(fitted: dict[str, object]) -> None:
    """What is fitted parses, and puts covered claims before novel ones."""
    combiner = Combiner.parse(json.dumps(fitted).encode())
    good, bad = ({"claim_words": 0.0, "negation_added": 0.0, "covered": c, "novel_share": -c} for c in (2.0, -2.0))
    assert combiner.score(good) > combiner.score(bad)
    assert fitted == fit(measured(), frozenset(["edited"]))


def test_fit_keeps_signs_and_reads_no_sizes(fitted: dict[str, object]) -> None:
    """Coverage never speaks against a claim, novelty never for it, and length says nothing."""
    half = fitted["covered"]
    assert isinstance(half, dict)
    covered, novel, size, negated = half["coefficients"]
    assert covered > 0.0 > novel
    assert negated <= 0.0
    assert size == 0.0


def test_fit_with_vectors_has_coefficients_for_two_lengths() -> None:
    """Of one sentence only cosines are read, of many runs of words, too."""
    rows = measured()
    names = ("covered", "v_best", "row_one", "evidence_sentences")
    values = np.column_stack([rows.values[:, 0], rows.values[:, 0], rows.values[:, 0], np.abs(rows.values[:, 3])])
    found = fit(replace(rows, names=names, values=values))
    short, long = np.array(found["covered"]["coefficients"])
    assert (found["format"], found["covered"]["lengths"]) == (3, [1.0, 8.0])
    assert short[1] > 0.0
    assert not short[[0, 2, 3]].any()
    assert (long[[1, 2]] > 0.0).all()
    few, many = (dict(zip(names, (0.0, 1.0, -1.0, math.log1p(count)), strict=True)) for count in (1, 8))
    combiner = Combiner.parse(json.dumps(found).encode())
    assert combiner.score(few) > combiner.score(many)


def test_fit_without_edited_sets_has_a_silent_half() -> None:
    """Where nobody edited claims on purpose, the second half says the same of all."""
    half = fit(measured())["kept"]
    assert not any(half["coefficients"])
    assert half["trees"] == []


def test_held_out_scores_rank_cases_whose_group_was_not_seen() -> None:
    """Scores of every case, from weights without its group, differ from those that saw it, and still put cases in order."""
    rows = measured()
    found = held_out(rows, frozenset(["edited"]))
    assert np.isfinite(found).all()
    assert found[rows.labels == 1].mean() > found[rows.labels == 0].mean()
    assert not np.allclose(found, scores(fit(rows, frozenset(["edited"])), rows))
