"""The classifier's weights at the limits of what they may be, and what they give there."""

from __future__ import annotations

import json
import math

import pytest

from coditect.errors import SchemaError
from coditect.verify.learned.classifier import ReadingClassifier
from tests.unit.verify.learned.test_classifier import SMALL, TREE

FULL = TREE | {"value": [0.0, -1.0, 1.0, 2.0, -0.5]}


def _parsed(**changed: object) -> ReadingClassifier:
    return ReadingClassifier.parse(json.dumps(SMALL | changed).encode())


def _probability(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))


def test_root_may_be_a_leaf_and_children_stand_behind_parents() -> None:
    """Of a tree with one leaf every claim gets the same, and it asks nothing."""
    only = {"measure": [-1], "threshold": [0], "left": [0], "right": [0], "value": [0.75]}
    classifier = _parsed(base=0.0, trees=[only])
    assert classifier.probability({"held": 0.5, "strange": 4.0}) == pytest.approx(_probability(0.75))
    assert classifier.against({"held": 0.5, "strange": 4.0}) == []


@pytest.mark.parametrize(("base", "odds"), [(59.0, 59.0), (100.0, 60.0), (-59.0, -59.0), (-100.0, -60.0)])
def test_log_odds_are_held_within_sixty(base: float, odds: float) -> None:
    """However sure the weights are, the probability stays a number above 0."""
    found = _parsed(base=base, trees=[]).probability({"held": 0.5, "strange": 0.0})
    assert found == pytest.approx(_probability(odds), rel=1e-9)
    assert found > 0.0


@pytest.mark.parametrize(
    "changed",
    [
        {"supports_from": 0.2},
        {"supports_from": 1.01},
        {"refuses_to": -0.01},
        {"refuses_to": float("inf")},
        {"trees": [FULL | {"measure": []}]},
        {"trees": [FULL | {"measure": [0, -1, 2, -1, -1]}]},
        {"trees": [FULL | {"measure": [0, -1, -2, -1, -1]}]},
        {"trees": [FULL | {"left": [0, 0, 3, 0, 0]}]},
        {"trees": [FULL | {"left": [1, 0, 1, 0, 0]}]},
        {"trees": [FULL | {"right": [2, 0, 5, 0, 0]}]},
        {"trees": [FULL | {"threshold": [0.5, 0, float("nan"), 0, 0]}]},
        {"trees": [FULL | {"value": [0, 0, 0, 0, float("inf")]}]},
    ],
)
def test_single_damage_is_refused(changed: dict[str, object]) -> None:
    """One number out of its range, whatever else is right."""
    with pytest.raises(SchemaError):
        _parsed(**changed)


def test_thresholds_at_their_limits_are_read() -> None:
    """It may support nothing but what is certain, and refuse nothing."""
    found = _parsed(supports_from=1.0, refuses_to=0.0)
    assert (found.supports_from, found.refuses_to) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("probability", "scaled"),
    [(0.8, 0.7), (0.5, 7 / 19), (0.0, 0.0), (1.0, 1.0), (0.2, (7 / 3 / 16) / (1 + 7 / 3 / 16))],
)
def test_scale_moves_the_odds(probability: float, scaled: float) -> None:
    """By as much as takes the threshold to 0.7; nothing is certain afterwards that was not before."""
    assert _parsed().scaled(probability) == pytest.approx(scaled, abs=1e-6)


@pytest.mark.parametrize(("probability", "odds"), [(0.0, 1e-9), (1.0, 1e9), (1e-10, 1e-9), (1e-8, 1e-8)])
def test_scale_holds_certainty_within_a_billion(probability: float, odds: float) -> None:
    """Odds beyond a thousand million to one are as good as those."""
    found = _parsed(supports_from=0.7).scaled(probability)
    assert found / (1.0 - found) == pytest.approx(odds, rel=1e-3)


def test_missing_measure_is_named() -> None:
    """So that it can be found which one is not measured."""
    with pytest.raises(SchemaError) as failed:
        _parsed().probability({"held": 0.5})
    assert failed.value.context["feature"] == "strange"
