"""The combiner's weights at the limits of what they may be, and what they give there."""

from __future__ import annotations

import math

import pytest

from coditect.errors import SchemaError
from coditect.verify.support.combiner import Combiner
from tests.unit.verify.support.test_combiner import STUMP, half, payload

NEITHER = {"a": 0.0, "b": 0.0}


def _log(odds: float) -> float:
    """The logarithm of the probability of some log odds."""
    return -math.log1p(math.exp(-odds))


@pytest.mark.parametrize(
    ("changes", "score"),
    [
        ({"covered": half(intercept=0.75)}, _log(0.75) + _log(0.0)),
        ({"covered": half(shift=-0.5)}, _log(-0.5) + _log(0.0)),
        ({"covered": half(intercept=0.75, tree_base=8.0)}, _log(0.75) + _log(0.0)),
        ({"covered": half(intercept=2.0, tree_base=1.0, tree_share=0.25)}, _log(0.75 * 2.0 + 0.25) + _log(0.0)),
        ({"covered": half(tree_base=1.0, tree_share=1.0, intercept=5.0)}, _log(1.0) + _log(0.0)),
        ({"covered": half(mean=[2.0, 0.0], scale=[4.0, 1.0], coefficients=[3.0, 0.0])}, _log(-1.5) + _log(0.0)),
        ({"covered": half(mean=[-9.0, 9.0], coefficients=[0.5, 0.25])}, _log(4.0 * 0.5 - 4.0 * 0.25) + _log(0.0)),
    ],
)
def test_half_weighs_its_measures_and_trees(changes: dict[str, object], score: float) -> None:
    """Distances from the mean over the scale, at most four; trees by their share, their base with them; the shift on both."""
    assert Combiner.parse(payload(**changes)).score(NEITHER) == pytest.approx(score)


LENGTHS = {
    "format": 3,
    "features": ["a", "evidence_sentences"],
    "covered": half(coefficients=[[1.0, 0.0], [3.0, 0.0]], lengths=[2.0, 8.0]),
}


@pytest.mark.parametrize(("sentences", "odds"), [(0, 1.0), (1, 1.0), (2, 1.0), (4, 2.0), (8, 3.0), (500, 3.0)])
def test_coefficients_follow_the_length_of_the_evidence(sentences: int, odds: float) -> None:
    """Half of the way between two lengths is where one doubling of two is done; outside of them those of the nearest count."""
    found = Combiner.parse(payload(**LENGTHS)).score({"a": 1.0, "evidence_sentences": math.log1p(sentences)})
    assert found == pytest.approx(_log(odds) + _log(0.0))


def test_trees_of_different_sizes_stand_side_by_side() -> None:
    """A tree of one leaf beside one of two levels; each path ends where its leaf is, and the values are added up."""
    leaf = {"feature": [0], "threshold": [0.0], "left": [0], "right": [0], "value": [0.5]}
    deep = {
        "feature": [0, 1, 0, 0, 0],
        "threshold": [1.0, 2.0, 0.0, 0.0, 0.0],
        "left": [1, 3, 2, 3, 4],
        "right": [2, 4, 2, 3, 4],
        "value": [0.0, 0.0, 10.0, 20.0, 40.0],
    }
    combiner = Combiner.parse(payload(kept=half(trees=[leaf, deep], tree_share=1.0, depth=2), covered=half()))
    found = [combiner.score({"a": a, "b": b}) - _log(0.0) for a, b in ((1.5, 0.0), (1.0, 2.0), (1.0, 2.5))]
    assert found == pytest.approx([_log(10.5), _log(20.5), _log(40.5)])


@pytest.mark.parametrize(
    "damage",
    [
        {"covered": half(scale=[1.0, -1.0])},
        {"covered": half(mean=[0.0, math.nan])},
        {"covered": half(mean=[0.0, 0.0, 0.0])},
        {"kept": half(intercept=math.inf)},
        {"kept": half(trees=[STUMP | {"feature": [2, 0, 0]}], depth=1)},
        {"kept": half(trees=[STUMP | {"feature": [-1, 0, 0]}], depth=1)},
        {"kept": half(trees=[STUMP | {"left": [3, 1, 2]}], depth=1)},
        {"kept": half(trees=[STUMP | {"right": [-1, 1, 2]}], depth=1)},
        LENGTHS | {"features": ["a", "b"]},
        LENGTHS | {"covered": half(coefficients=[[1.0, 0.0], [3.0, 0.0]])},
        LENGTHS | {"covered": half(coefficients=[[1.0, 0.0], [3.0, 0.0]], lengths=[8.0, 8.0])},
        LENGTHS | {"covered": half(coefficients=[[1.0, 0.0], [3.0, 0.0]], lengths=[0.0, 8.0])},
        LENGTHS | {"covered": half(coefficients=[[1.0, 0.0], [3.0, math.nan]], lengths=[2.0, 8.0])},
        {"knots": [-2.0, math.inf]},
        {"knots": [0.0, -2.0]},
        {"knots": [-2.0, -1.0, 0.0]},
        {"values": [-0.1, 1.0]},
    ],
)
def test_single_damage_is_refused(damage: dict[str, object]) -> None:
    """One number out of its range, whatever else is right."""
    with pytest.raises(SchemaError):
        Combiner.parse(payload(**damage))


@pytest.mark.parametrize(
    "limit",
    [
        {"values": [0.0, 1.0]},
        {"knots": [-1.0], "values": [0.25]},
        {"kept": half(trees=[STUMP | {"feature": [1, 1, 0], "left": [0, 1, 2], "right": [2, 2, 2]}], depth=1)},
        {"covered": half(scale=[1e-9, 1.0])},
    ],
)
def test_numbers_at_their_limits_are_read(limit: dict[str, object]) -> None:
    """Probabilities of 0 and 1, a table of one row, the first and the last measure and node, a small scale."""
    assert 0.0 <= Combiner.parse(payload(**limit)).probability(NEITHER) <= 1.0


def test_measures_are_read_in_the_order_of_the_weights() -> None:
    """By name, whatever else is given."""
    combiner = Combiner.parse(payload(features=["b", "a"]))
    assert combiner.score({"a": 1.0, "b": 3.0, "c": 9.0}) == pytest.approx(_log(3.0) + _log(0.0))
    assert combiner.features == ("b", "a")


def test_missing_and_infinite_measures_are_named() -> None:
    """So that it can be found which one is not measured."""
    with pytest.raises(SchemaError) as missing:
        Combiner.parse(payload()).score({"a": 1.0})
    with pytest.raises(SchemaError) as infinite:
        Combiner.parse(payload()).score({"a": 1.0, "b": -math.inf})
    assert missing.value.context["feature"] == "b"
    assert infinite.value.context["features"] == ["b"]


def test_probability_is_read_off_the_table_and_ends_at_its_ends() -> None:
    """Between two rows in proportion, outside of them that of the nearest."""
    combiner = Combiner.parse(payload(knots=[-3.0, -1.0], values=[0.2, 0.6]))
    assert combiner.probability(NEITHER) == pytest.approx(0.2 + 0.4 * (3.0 + 2 * _log(0.0)) / 2.0)
    assert combiner.probability({"a": -99.0, "b": 0.0}) == pytest.approx(0.2)
    assert combiner.probability({"a": 99.0, "b": 0.0}) == pytest.approx(0.6)
