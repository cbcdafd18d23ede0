"""What the rules found, as the second reader counts it."""

from __future__ import annotations

import pytest

from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.contradictions.kinds import Contradiction, Kind
from coditect.verify.learned.measures import SIGNS, measure_claim, worse_of
from coditect.verify.support.assessment import support
from coditect.verify.support.features import measure_contradictions

TEXT = "The clerk opens a letter each morning."


def _found(*each: tuple[Kind, float]) -> list[Contradiction]:
    return [Contradiction(kind, severity, (0, 1), 0, (0, 1), "differs") for kind, severity in each]


def _measures(*each: tuple[Kind, float], foreign: bool = False) -> dict[str, float]:
    index = EvidenceIndex([TEXT])
    return measure_claim(TEXT, index, _found(*each), support(TEXT, index), foreign=foreign)


def test_contradictions_count_by_how_grave_they_are() -> None:
    """Below a half remarks, from there doubts, from seven tenths grave ones; from 1 on it is certain."""
    found = _measures(("role", 0.49), ("role", 0.5), ("role", 0.69), ("role", 0.7), ("role", 0.99))
    told = [found[f"rule_{name}"] for name in ("remarks", "doubts", "graves", "hard", "worst", "role")]
    assert told == [1.0, 2.0, 2.0, 0.0, 0.99, 0.99]
    assert _measures(("role", 1.0))["rule_hard"] == 1.0
    nothing = _measures()
    assert [nothing[f"rule_{name}"] for name in ("remarks", "doubts", "graves", "hard", "worst", "role")] == [0.0] * 6


def test_no_more_than_four_of_a_grade_count() -> None:
    """The fifth says nothing new."""
    for severity, name in ((0.4, "remarks"), (0.6, "doubts"), (0.8, "graves")):
        one: tuple[Kind, float] = ("negation", severity)
        assert _measures(*[one] * 4)[f"rule_{name}"] == 4.0
        assert _measures(*[one] * 5)[f"rule_{name}"] == 4.0
        assert _measures(*[one] * 3)[f"rule_{name}"] == 3.0


@pytest.mark.parametrize("kind", ["number", "unit", "date", "duration", "percentage", "currency"])
def test_quantities_of_every_sort_are_one_measure(kind: Kind) -> None:
    """And other kinds are one each."""
    found = _measures((kind, 0.8), ("condition", 0.3))
    assert (found["rule_quantity"], found["rule_condition"], found["rule_negation"]) == (0.8, 0.3, 0.0)


def test_foreign_subject_is_a_measure() -> None:
    """As the rule of subjects found it."""
    assert _measures(foreign=True)["rule_subject"] == 1.0
    assert _measures()["rule_subject"] == 0.0


def test_every_measure_has_its_sign_and_odds_end_at_a_thousand_to_one() -> None:
    """None is left out."""
    found = _measures()
    assert set(found) == set(SIGNS)
    assert abs(found["log_odds"]) <= 6.907


def test_worse_of_two_sentences_is_taken_by_each_measure() -> None:
    """The least of what speaks for a claim, the most of what speaks against it."""
    one = {"held": 0.2, "rule_worst": 0.1}
    other = {"held": 0.9, "rule_worst": 0.7}
    assert worse_of([one, other]) == worse_of([other, one]) == {"held": 0.2, "rule_worst": 0.7}
    assert worse_of([one]) == one


def test_contradictions_as_measures_of_support() -> None:
    """From a half on they are hard; another word in a place is not counted, since the weights do not know it."""
    found = measure_contradictions(_found(("number", 0.5), ("role", 0.49), ("substitution", 0.9)))
    assert found == {
        "contradiction_worst": 0.5,
        "contradiction_sum": pytest.approx(0.99),
        "contradictions_hard": 1.0,
    }
    assert measure_contradictions([]) == {
        "contradiction_worst": 0.0,
        "contradiction_sum": 0,
        "contradictions_hard": 0.0,
    }
