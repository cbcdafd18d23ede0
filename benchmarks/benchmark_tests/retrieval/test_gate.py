"""Fitting the relevance gate, on made-up hits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from coditect_benchmarks.retrieval.gate import main, report
from coditect_benchmarks.retrieval.gate_evidence import EVERYDAY, Evidence
from coditect_benchmarks.retrieval.gate_fit import (
    LOST,
    PRECISION,
    SUPERSEDED,
    auroc,
    calibration_error,
    fit,
    fit_answers,
    left_out,
    lost,
    probabilities,
    thresholds,
)

from coditect.errors import UsageError
from coditect.models.port import GateParameters
from coditect.retrieve.gate.relevance import FEATURES

SETS = np.asarray(["a", "b", "c"])
UNTOLD = (0.0,) * (len(FEATURES) - 4)


def evidence_of(n: int = 3_000, seed: int = 0) -> Evidence:
    """Three sets of ten hits for each question, half of the questions asked of another set; relevance by a known regression."""
    generator = np.random.default_rng(seed)
    seen = generator.random((n, len(FEATURES)))
    foreign = np.repeat(generator.random(n // 10) < 0.5, 10)
    chance = 1 / (1 + np.exp(-(seen @ np.array([4.0, -3.0, 0.0, 6.0, *UNTOLD]) - 4.0)))
    relevant = (generator.random(n) < chance) & ~foreign
    seen[foreign] *= 0.4
    return Evidence(
        seen,
        np.minimum(seen + 0.1, 1.0),
        relevant,
        foreign,
        SETS[np.arange(n) // 10 % 3],
        SETS[(np.arange(n) // 10 + foreign) % 3],
        np.arange(n) // 10,
    )


def test_fit_finds_the_regression() -> None:
    """Weights that made the labels come back, but for noise."""
    generator = np.random.default_rng(3)
    true = np.array([2.0, -1.0, -3.0, 2.5, *UNTOLD])
    seen = generator.random((20_000, len(FEATURES)))
    relevant = generator.random(20_000) < 1 / (1 + np.exp(-(seen @ true - 0.5)))
    found = fit(seen, relevant, np.ones(20_000), ridge=1e-6)
    assert np.abs(found.weights - true).max() < 0.25
    assert abs(found.bias + 0.5) < 0.2


def test_fit_does_not_depend_on_the_unit_of_a_feature() -> None:
    """Nats or bits: the same probabilities, for the penalty is on features divided by their deviation."""
    evidence = evidence_of()
    unit = np.array([1.0, 1.0, 1.4427, 10.0, *(1.0 for _ in UNTOLD)])
    first = fit(evidence.seen, evidence.relevant, evidence.weights)
    second = fit(evidence.seen * unit, evidence.relevant, evidence.weights)
    assert np.allclose(first.probabilities(evidence.seen), second.probabilities(evidence.seen * unit))


def test_fit_leaves_out_what_would_count_against_a_hit() -> None:
    """A feature that works against its sign gets no weight, and no place in a card."""
    generator = np.random.default_rng(1)
    seen = np.zeros((2_000, len(FEATURES)))
    seen[:, :4] = generator.random((2_000, 4))
    relevant = seen[:, 0] - seen[:, 3] + seen[:, 1] + generator.normal(0, 0.3, 2_000) > 0.5
    found = fit(seen, relevant, np.ones(2_000))
    assert found.weights[0] > 0
    assert found.weights[3] == found.weights[1] == 0.0
    assert set(found.parameters(0.5, 0.1).weights) <= {"near", "missing"}


def test_fit_leaves_out_what_it_is_told_to() -> None:
    """A feature that another one takes the place of has no weight, however much it would tell; each name is a feature's."""
    evidence = evidence_of()
    assert fit(evidence.seen, evidence.relevant, evidence.weights).weights[3] > 0
    found = fit(evidence.seen, evidence.relevant, evidence.weights, without={"surplus"})
    assert found.weights[3] == 0.0 < found.weights[0]
    assert set(FEATURES) > SUPERSEDED


def test_fit_without_one_kind_is_refused() -> None:
    """Nothing can be learned from relevant hits alone."""
    with pytest.raises(UsageError, match="relevant hits and others"):
        fit(np.ones((3, len(FEATURES))), np.ones(3, np.bool_), np.ones(3))


def test_weights_count_sets_and_kinds_alike() -> None:
    """Each corpus as much, in it gold, foreign and everyday ones alike; other hits of own documents nothing."""
    evidence = evidence_of()
    everyday = np.where(evidence.foreign & (evidence.questions % 2 == 0), EVERYDAY, evidence.sets)
    evidence = replace(evidence, sets=everyday)
    for name in SETS:
        rows, odd = evidence.corpora == name, evidence.sets == EVERYDAY
        kinds = (evidence.relevant, evidence.foreign & ~odd, odd)
        for kind in kinds:
            assert evidence.weights[rows & kind].sum() == pytest.approx(len(evidence.sets) / 9)
    assert not evidence.weights[~evidence.relevant & ~evidence.foreign].any()


def test_answers_are_fitted_by_their_best_hits() -> None:
    """A fit on the hits that the weights call the best of their answers gives the same weights, whatever the others are."""
    evidence = evidence_of()
    found = fit_answers(evidence)
    order = np.lexsort((-found.probabilities(evidence.seen), evidence.questions))
    _, first = np.unique(evidence.questions[order], return_index=True)
    best = evidence.where(order[first])
    best = replace(best, relevant=~best.foreign)
    again = fit(best.seen, best.relevant, best.weights)
    hits = fit(evidence.seen, evidence.relevant, evidence.weights)
    length = np.linalg.norm
    assert found.weights / length(found.weights) == pytest.approx(again.weights / length(again.weights), abs=0.05)
    assert not np.allclose(found.weights / length(found.weights), hits.weights / length(hits.weights), atol=0.1)


def test_answers_are_told_as_probabilities_of_hits() -> None:
    """Over all hits the stated probabilities sum to what is on gold."""
    evidence = evidence_of()
    stated = fit_answers(evidence).probabilities(evidence.seen)
    assert (evidence.weights * stated).sum() == pytest.approx((evidence.weights * evidence.relevant).sum())


def test_left_out_judges_documents_by_the_others() -> None:
    """Neither the questions of a set nor its documents have a part in what judges its documents."""
    evidence = evidence_of()
    before, own = left_out(evidence), evidence.corpora == "a"
    flipped = np.where((evidence.sets == "a") | own, ~evidence.relevant & ~evidence.foreign, evidence.relevant)
    after = left_out(replace(evidence, relevant=flipped))
    assert np.array_equal(before[own], after[own])
    assert not np.array_equal(before[~own], after[~own])


def test_thresholds_keep_their_promises() -> None:
    """No set loses more than one in a hundred questions below the one; nine of ten hits are on gold above the other."""
    evidence = evidence_of()
    found = left_out(evidence)
    correct, incorrect = thresholds(found, evidence)
    assert 0 < incorrect <= correct <= 1
    own = [(evidence.sets == name) & ~evidence.foreign for name in SETS]
    assert max(lost(found, evidence, rows, incorrect, ~evidence.foreign) for rows in own) <= LOST
    above = (found >= correct) & (evidence.weights > 0)
    assert (evidence.weights * evidence.relevant)[above].sum() / evidence.weights[above].sum() >= PRECISION


def test_lost_counts_questions_not_hits() -> None:
    """One hit that stays is enough; a question without gold does not count."""
    evidence = evidence_of(40)
    gold = np.zeros(40, np.bool_)
    gold[[0, 1, 10]] = True
    own = Evidence(evidence.seen, evidence.held, gold, ~gold, evidence.sets, evidence.corpora, evidence.questions)
    found = np.zeros(40)
    found[0] = 0.9
    assert lost(found, own, np.ones(40, np.bool_), 0.5) == 0.5


def test_auroc_counts_pairs() -> None:
    """Ties are half."""
    found = np.array([0.9, 0.5, 0.5, 0.1])
    assert auroc(found, np.array([True, True, False, False])) == 0.875
    assert np.isnan(auroc(found, np.zeros(4, np.bool_)))


def test_calibration_error_is_the_distance_of_stated_and_true() -> None:
    """All stated at 0.8, of which half are relevant: 0.3."""
    relevant = np.arange(10) % 2 == 0
    assert calibration_error(np.full(10, 0.8), relevant, np.ones(10)) == pytest.approx(0.3)


def test_report_shows_each_set_and_the_parameters() -> None:
    """A line for each set and for all, and what goes into a card; the card's own gate on the same hits."""
    gate = GateParameters(-3.0, {"near": 4.0, "surplus": 6.0}, 0.5, 0.1)
    evidence = evidence_of()
    lines = list(report(evidence, gate))
    assert [line.split(" | ")[0] for line in lines if " | " in line] == ["set", "a", "b", "c", "all"] * 2
    assert any('"bias"' in line for line in lines)
    assert probabilities(gate, evidence.seen).max() <= 1.0


def test_command_refuses_one_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is left out of one."""
    (tmp_path / "documents.jsonl").write_text('{"id": "a", "title": "", "text": "Some text."}\n')
    (tmp_path / "queries.jsonl").write_text('{"query": "text", "gold": [{"document": "a"}]}\n')
    assert main(["--data", str(tmp_path)]) == 2
    assert "too few sets to leave one out" in capsys.readouterr().err
