"""Thresholds of least cost, weights of families, and folds, against a second statement of each rule."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from coditect_benchmarks.claims import training
from coditect_benchmarks.claims.measuring import NAMES, MeasuredClaims
from coditect_benchmarks.claims.training import (
    COSTS,
    EDITED,
    Weights,
    _counts,
    _out_of_fold,
    as_weights,
    hold_out,
    probabilities,
    settle,
    thresholds,
)


def _claims(count: int, seed: int = 0, families: tuple[str, ...] = ("a", "b")) -> MeasuredClaims:
    generator = np.random.default_rng(seed)
    return MeasuredClaims(
        generator.normal(size=(count, len(NAMES))),
        generator.integers(0, 2, count),
        np.array(families)[np.arange(count) % len(families)],
        generator.integers(-1, 2, count),
        generator.random(count),
    )


@pytest.mark.parametrize("seed", range(4))
def test_thresholds_are_those_of_least_cost(seed: int) -> None:
    """Ten for a false claim that is supported, five for a true one that is refused, one for a review; thrice where no rule was."""
    claims = _claims(60, seed)
    found = np.random.default_rng(seed + 9).random(60)

    def cost(low: float, high: float) -> float:
        total = 0.0
        for at in range(60):
            decided = (1 if found[at] >= high else 0, -1 if found[at] <= low else 0)
            said = decided[0 if claims.ruled[at] == 1 else 1]
            price = {1: 10.0 * (claims.labels[at] == 0), -1: 5.0 * (claims.labels[at] == 1), 0: 1.0}[said]
            total += price * (3.0 if claims.families[at] == "b" else 1.0)
        return total

    steps = sorted({float(each) for each in np.quantile(found, [n / 40 for n in range(41)])})
    best = min((cost(low, high), low, high) for low in steps for high in steps if high > low)
    assert thresholds(found, claims, ["b"]) == pytest.approx(best[1:])
    assert COSTS == (10.0, 5.0, 1.0)


def test_families_count_by_the_root_of_their_size_and_edits_a_fifth() -> None:
    """One on the average."""
    families = np.array(["a"] * 4 + ["b"] * 16 + [EDITED] * 4)
    found = _counts(families)
    assert found.mean() == pytest.approx(1.0)
    assert found[0] / found[4] == pytest.approx(2.0)
    assert found[0] / found[20] == pytest.approx(5.0)


@pytest.mark.parametrize(
    ("chance", "ruled", "said"),
    [(0.2, 0, -1), (0.21, 0, 0), (0.2, -1, -1), (0.9, -1, 0), (0.8, 1, 1), (0.79, 1, 0), (0.1, 1, 0)],
)
def test_rules_and_classifier_are_joined(chance: float, ruled: int, said: int) -> None:
    """What rules support the classifier cannot refuse, and what they refuse it cannot support, only hand to a person."""
    claims = _claims(1)
    claims.ruled[:] = ruled
    assert settle(np.array([chance]), claims, 0.2, 0.8).tolist() == [said]


def test_probability_is_that_of_the_leaves() -> None:
    """A measure that is at most the threshold goes left; every tree adds its leaf to the base."""
    claims = _claims(3)
    claims.values[:] = 0.0
    claims.values[:, 1] = [0.5, 0.51, -3.0]
    tree: dict[str, list[Any]] = {
        "measure": [1, -1, -1],
        "threshold": [0.5, 0, 0],
        "left": [1, 0, 0],
        "right": [2, 0, 0],
        "value": [0, -1, 2],
    }
    leaf: dict[str, list[Any]] = {"measure": [-1], "threshold": [0], "left": [0], "right": [0], "value": [0.5]}
    odds = np.array([-1.0, 2.0, -1.0]) + 0.25 + 0.5
    assert probabilities(Weights(0.25, (tree, leaf)), claims) == pytest.approx(1 / (1 + np.exp(-odds)))


def test_families_are_left_out_a_sixth_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was edited is trained on each time, and never judged."""
    families = ("a", "b", "c", "d", "e", "f", "g", EDITED)
    claims = _claims(16, families=families)
    fitted: list[set[str]] = []

    def noted(some: MeasuredClaims) -> Weights:
        fitted.append(set(some.families.tolist()))
        return Weights(float(len(fitted)), ())

    monkeypatch.setattr(training, "fit", noted)
    found = _out_of_fold(claims)
    left = [set(families) - each for each in fitted]
    assert left == [{"a", "g"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}]
    assert np.isnan(found[claims.families == EDITED]).all()
    chances = {str(family): float(found[claims.families == family][0]) for family in "abcdefg"}
    wanted = {"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 1}
    assert chances == {family: pytest.approx(1 / (1 + np.exp(-odds))) for family, odds in wanted.items()}


def test_families_are_held_out_one_by_one_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """By thresholds and weights of the others; what was edited is not judged."""
    claims = _claims(12, families=("a", "b", EDITED))
    asked: list[set[str]] = []

    def chosen(rest: MeasuredClaims, unseen: object) -> tuple[float, float]:
        asked.append(set(rest.families.tolist()))
        return 0.2, 0.8

    monkeypatch.setattr(training, "_chosen", chosen)
    monkeypatch.setattr(training, "fit", lambda rest: Weights(0.0, ()))
    found = hold_out(claims, ())
    assert asked == [{"b", EDITED}, {"a", EDITED}]
    assert np.isnan(found.probabilities[claims.families == EDITED]).all()
    assert (found.probabilities[claims.families != EDITED] == 0.5).all()
    assert (found.labels[claims.families == EDITED] == 0).all()
    asked.clear()
    hold_out(claims, (), [["a", "b"]])
    assert asked == [{EDITED}]


def test_weights_are_written_with_what_they_were_made_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thresholds to six digits; the trees as they were fitted."""
    leaf: dict[str, list[Any]] = {"measure": [-1], "threshold": [0.0], "left": [0], "right": [0], "value": [0.123457]}
    monkeypatch.setattr(training, "fit", lambda _: Weights(-0.142857, (leaf,)))
    monkeypatch.setattr(training, "_chosen", lambda *_: (1 / 6, 5 / 6))
    row = json.loads(as_weights(_claims(4), (), {"claims_sha256": "x"}))
    assert (row["trees"], row["measures"]) == ([leaf], list(NAMES))
    assert (row["base"], row["refuses_to"], row["supports_from"]) == (-0.142857, 0.166667, 0.833333)
    assert (row["trained_on"], row["costs"], row["claims_sha256"]) == ({"a": 2, "b": 2}, [10.0, 5.0, 1.0], "x")
