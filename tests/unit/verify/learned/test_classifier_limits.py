"""The classifier's weights at the limits of what they may be, and what they give there."""

from __future__ import annotations

import json
import math

import pytest

from coditect.errors import SchemaError
from coditect.verify.learned.classifier import ReadingClassifier
from tests.unit.verify.learned.test_classifier import SMALL

WEIGHTS = {"held": {"mean": 0.5, "scale": 0.25, "weight": 1.0}, "strange": {"mean": 0, "scale": 1, "weight": -2}}


def _parsed(**changed: object) -> ReadingClassifier:
    return ReadingClassifier.parse(json.dumps(SMALL | changed).encode())


def _probability(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds))


@pytest.mark.parametrize(
    ("held", "strange", "odds"),
    [
        (0.5, 0.0, 0.5),
        (0.75, 0.0, 1.5),
        (0.25, 0.5, 0.5 - 1.0 - 1.0),
        (1.5, 0.0, 4.5),
        (1.51, 0.0, 4.5),
        (-0.5, 0.0, -3.5),
        (-9.0, 0.0, -3.5),
        (0.5, 4.0, -7.5),
        (0.5, 5.0, -7.5),
        (0.5, -5.0, 8.5),
    ],
)
def test_measures_count_by_their_distance_within_four_scales(held: float, strange: float, odds: float) -> None:
    """On either side of the mean."""
    assert _parsed().probability({"held": held, "strange": strange}) == pytest.approx(_probability(odds))


@pytest.mark.parametrize(("intercept", "odds"), [(59.0, 59.0), (100.0, 60.0), (-59.0, -59.0), (-100.0, -60.0)])
def test_log_odds_are_held_within_sixty(intercept: float, odds: float) -> None:
    """However sure the weights are, the probability stays a number above 0."""
    found = _parsed(intercept=intercept).probability({"held": 0.5, "strange": 0.0})
    assert found == pytest.approx(_probability(odds), rel=1e-9)
    assert found > 0.0


@pytest.mark.parametrize(
    "changed",
    [
        {"supports_from": 0.2},
        {"supports_from": 1.01},
        {"refuses_to": -0.01},
        {"refuses_to": float("inf")},
        {"weights": {"held": {"mean": 0, "scale": -1, "weight": 1}}},
        {"weights": WEIGHTS | {"strange": {"mean": float("nan"), "scale": 1, "weight": 1}}},
        {"weights": WEIGHTS | {"strange": {"mean": 0, "scale": 1, "weight": float("inf")}}},
        {"weights": WEIGHTS | {"strange": {"mean": 0, "scale": 0, "weight": 1}}},
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


def test_measures_against_a_claim_are_the_strongest_first() -> None:
    """Those that count nothing, or for it, are left out; equal ones are in the order of their names."""
    classifier = _parsed()
    assert classifier.against({"held": 0.25, "strange": 2.0}) == ["strange", "held"]
    assert classifier.against({"held": 0.25, "strange": 0.5}) == ["held", "strange"]
    assert classifier.against({"held": 0.5, "strange": 0.1}) == ["strange"]
    assert classifier.against({"held": 0.5, "strange": 0.0}) == []
    assert classifier.against({"held": 0.6, "strange": -1.0}) == []


def test_missing_measure_is_named() -> None:
    """So that it can be found which one is not measured."""
    with pytest.raises(SchemaError) as failed:
        _parsed().probability({"held": 0.5})
    assert failed.value.context["feature"] == "strange"
