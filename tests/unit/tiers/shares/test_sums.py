"""Sums that a change adds to and takes from, and measures that come out as they did."""

from __future__ import annotations

import random

import numpy as np
import pytest

from coditect.tiers.findings.conflicts.likeness.watched import LIKENESS, SHARE, MeasuredWords, Watched, noted
from coditect.tiers.findings.said.statements import likeness, total
from coditect.tiers.shares import times
from coditect.tiers.shares.codes import Codes, codes_of
from coditect.tiers.shares.measures import Apart, Measures, measures_of, moved
from coditect.tiers.shares.times import SharedWeights, Times

WORDS = [f"w{number}" for number in range(40)]


def _codes(draw: random.Random, count: int) -> Codes:
    return codes_of([draw.choice(WORDS) for _ in range(count)])


@pytest.mark.parametrize("least", [1, 8, 10_000])
@pytest.mark.parametrize("seed", range(5))
def test_times_after_changes_are_those_of_what_is_there(seed: int, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a change is put to the first run or to one of its own; and the codes that are told are those that differ."""
    monkeypatch.setattr(times, "LEAST_SHARE", least)
    draw = random.Random(seed)  # noqa: S311 - drawn for a test
    parts = [_codes(draw, 60) for _ in range(6)]
    found, asked = Times.among(np.concatenate(parts)), codes_of([*WORDS, "never"])
    for _ in range(12):
        at, new = draw.randrange(len(parts)), _codes(draw, draw.randrange(80))
        before = found.of_each(asked)
        found, changed = found.changed(parts[at], new)
        parts[at] = new
        expected = Times.among(np.concatenate(parts)).of_each(asked)
        assert found.of_each(asked).tolist() == expected.tolist()
        assert [found.of(code) for code in asked.tolist()] == expected.tolist()
        assert set(changed.tolist()) == set(asked[before != expected].tolist())
        assert all((run.times != 0).all() for run in found.runs)


def _weights(rare: int, statements: int = 1_000) -> SharedWeights:
    own = [word for number, word in enumerate(WORDS) for _ in range(3 + number)]
    return SharedWeights(Times.among(codes_of(own + ["w0"] * rare)), statements)


def _measured(weights: SharedWeights) -> Measures:
    first, second = frozenset(WORDS[:6]), frozenset(WORDS[3:9])
    watched, shared = Watched(weights), first & second
    value = likeness(shared, total(first, watched), total(second, watched), watched)
    noted(watched, MeasuredWords(LIKENESS, shared, first, second, value))
    share = total(shared, watched) / min(total(each, watched) for each in (first, second))
    noted(watched, MeasuredWords(SHARE, shared, first, second, share))
    return measures_of(watched.measured, ())


def test_measures_come_out_as_they_did_until_the_weights_say_otherwise() -> None:
    """By the same weights, and by others that round to the same; not where a word is as frequent again."""
    own = _measured(_weights(0))
    assert moved([own, own], _weights(0)).tolist() == [False, False]
    assert moved([own, _measured(_weights(9))], _weights(9)).tolist() == [True, False]
    assert moved([own], _weights(0, statements=2_000)).tolist() == [True]
    assert moved([], _weights(0)).tolist() == []


def test_what_lay_below_its_bound_is_told_when_it_reaches_it() -> None:
    """Entries that had too little in common may have enough."""
    shared, first, second = (tuple(codes_of(words).tolist()) for words in (["w0"], ["w0", "w30"], ["w0", "w31"]))
    weights = _weights(0)
    both = [sum(weights[word] for word in words) for words in (("w0", "w30"), ("w0", "w31"))]
    exact = 0.5 * weights["w0"] / min(both) + weights["w0"] / sum(both)
    for bound, expected in ((exact + 0.001, False), (exact - 0.001, True)):
        assert moved([measures_of((), [Apart(shared, first, second, bound)])], weights).tolist() == [expected]
