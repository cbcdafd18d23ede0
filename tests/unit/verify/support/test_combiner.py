"""The combiner and its weights."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.errors import SchemaError
from coditect.verify.support.combiner import Combiner, CombinerKind


def half(**changes: object) -> dict[str, Any]:
    """A half over two measures that gives log odds 0."""
    return {
        "mean": [0.0, 0.0],
        "scale": [1.0, 1.0],
        "coefficients": [0.0, 0.0],
        "intercept": 0.0,
        "trees": [],
        "tree_base": 0.0,
        "tree_share": 0.0,
        "depth": 0,
        "shift": 0.0,
    } | changes


def payload(**changes: object) -> bytes:
    """Weights over the measures a and b."""
    row = {
        "format": 2,
        "version": "test",
        "features": ["a", "b"],
        "covered": half(coefficients=[1.0, 0.0]),
        "kept": half(),
        "knots": [-2.0, 0.0],
        "values": [0.0, 1.0],
    }
    return json.dumps(row | changes).encode()


STUMP = {
    "feature": [1, 0, 0],
    "threshold": [0.5, 0.0, 0.0],
    "left": [1, 1, 2],
    "right": [2, 1, 2],
    "value": [0.0, -3.0, 3.0],
}


def test_combiner_score_is_the_log_probability_that_both_halves_hold() -> None:
    """The score is the sum of the logarithms of both halves' probabilities."""
    score = Combiner.parse(payload()).score({"a": 2.0, "b": 0.0})
    assert score == pytest.approx(math.log(1 / (1 + math.exp(-2.0))) + math.log(0.5))


def test_combiner_trees_go_left_at_the_threshold() -> None:
    """A measure at the threshold goes left, above it right."""
    combiner = Combiner.parse(payload(kept=half(trees=[STUMP], tree_share=1.0, depth=1)))
    low, high = (combiner.score({"a": 0.0, "b": b}) for b in (0.5, 0.500001))
    assert low == pytest.approx(math.log(0.5) - math.log(1 + math.exp(3.0)))
    assert high == pytest.approx(math.log(0.5) - math.log(1 + math.exp(-3.0)))


def test_combiner_measures_far_away_count_as_four_deviations() -> None:
    """A single extreme measure cannot decide alone."""
    combiner = Combiner.parse(payload())
    assert combiner.score({"a": 1e9, "b": 0.0}) == combiner.score({"a": 4.0, "b": 0.0})


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_combiner_probability_rises_with_its_score(first: float, second: float) -> None:
    """The calibration table is monotone and ends at its ends."""
    combiner = Combiner.parse(payload())
    low, high = sorted((first, second))
    left, right = (combiner.probability({"a": each, "b": 0.0}) for each in (low, high))
    assert 0.0 <= left <= right <= 1.0


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"[]",
        b"{}",
        b"\xff",
        payload(format=1),
        payload(knots=[0.0, 0.0]),
        payload(knots=[0.0]),
        payload(knots=[], values=[]),
        payload(values=[0.0, 1.5]),
        payload(values=[0.0, math.nan]),
        payload(features=["a"]),
        payload(covered=half(mean=[0.0])),
        payload(covered=half(scale=[1.0, 0.0])),
        payload(covered=half(coefficients=[math.inf, 0.0])),
        payload(kept=half(shift=math.nan)),
        payload(kept=half(trees=[STUMP | {"feature": [9, 0, 0]}], depth=1)),
        payload(kept=half(trees=[STUMP | {"left": [7, 1, 2]}], depth=1)),
        payload(kept={}),
    ],
)
def test_combiner_refuses_damaged_weights(damaged: bytes) -> None:
    """Weights that are not in the format are refused, never half read."""
    with pytest.raises(SchemaError):
        Combiner.parse(damaged)


@pytest.mark.parametrize("features", [{}, {"a": 1.0}, {"a": math.nan, "b": 0.0}, {"a": math.inf, "b": 0.0}])
def test_combiner_refuses_missing_and_infinite_measures(features: dict[str, float]) -> None:
    """A measure that is missing or no finite number is an error, not a guess."""
    with pytest.raises(SchemaError):
        Combiner.parse(payload()).probability(features)


@pytest.mark.parametrize("name", ["words", "vectors", "contexts"])
def test_shipped_weights_are_small_and_say_what_they_were_made_of(name: CombinerKind) -> None:
    """The weights are below 200 kB, name version, sets, scikit-learn and seed, and their table rises."""
    raw = (files("coditect.verify.support") / "weights" / f"{name}.json").read_bytes()
    row = json.loads(raw)
    assert len(raw) < 200_000
    assert row["version"].startswith(f"{name}/")
    assert sum(row["fitted_on"].values()) > 1_000
    assert row["scikit_learn"]
    assert row["seed"] == 0
    assert (np.diff(row["values"]) >= 0).all()
    assert Combiner.load(name).version == row["version"]


def test_shipped_weights_hold_no_text_of_the_training_sets() -> None:
    """The strings in the weights are names of measures and sets, nothing else."""
    for name in ("words", "vectors", "contexts"):
        row = json.loads((files("coditect.verify.support") / "weights" / f"{name}.json").read_bytes())
        strings = {value for value in row.values() if isinstance(value, str)}
        assert strings == {row["version"], row["scikit_learn"], row["embedder"]}
        assert all(each.replace("_", "").isalpha() for each in row["features"])
