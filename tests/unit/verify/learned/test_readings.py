"""Measures of readings: what each side lacks, in which order words stand, and which small words differ."""

from __future__ import annotations

import math

import pytest

from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.learned.measures import FREE, SIGNS, worse_of
from coditect.verify.learned.readings import find_strange_words, measure_readings
from coditect.verify.staged.comparison import compare

EVIDENCE = (
    "The Processor shall notify the Controller of a breach within 72 hours, unless the Controller already knows of it."
)


def _measured(claim: str, evidence: str = EVIDENCE) -> dict[str, float]:
    return measure_readings(claim, EvidenceIndex([evidence]))


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        ("The Processor shall notify the Controller and the press of a breach.", "strange"),
        ("The Processor shall notify the Controller of a breach within 72 hours.", "conditions_lost"),
        ("The Processor shall not notify the Controller of a breach within 72 hours.", "negated"),
        ("The Processor may notify the Controller of a breach within 72 hours.", "force_other"),
        ("The Controller shall notify the Processor of a breach within 72 hours.", "crossed_same_voice"),
        ("The Processor shall notify the Controller only of a breach within 72 hours.", "only_added"),
        ("The Processor shall notify the Controller of a breach within 24 hours.", "strange_numbers"),
    ],
)
def test_measure_rises_where_its_difference_is(claim: str, name: str) -> None:
    """Each kind of difference leaves a trace in the measure that counts it, and none in the sentence itself."""
    assert _measured(claim)[name] > _measured(EVIDENCE)[name]


def test_measures_of_a_sentence_beside_itself_find_nothing() -> None:
    """What is said again in the same words lacks nothing, and stands in the same order."""
    same = _measured(EVIDENCE)
    assert (same["kept"], same["equal"], same["together"]) == (1.0, 1.0, 1.0)
    assert not any(same[name] for name in ("strange", "left", "crossed", "negated", "affirmed", "conditions_lost"))


@pytest.mark.parametrize("claim", ["", "   ", "Bananas ripen.", EVIDENCE, "word " * 500])
@pytest.mark.parametrize("evidence", ["", EVIDENCE, "?!"])
def test_measures_are_finite_and_always_the_same_names(claim: str, evidence: str) -> None:
    """Whatever stands on both sides, every measure has a finite value."""
    found = _measured(claim, evidence)
    assert set(found) == set(_measured(EVIDENCE))
    assert all(map(math.isfinite, found.values()))


def test_measures_of_a_claim_are_those_that_have_a_sign() -> None:
    """The names that the classifier may read are exactly those that are measured."""
    assert set(compare(EVIDENCE, [EVIDENCE]).measures) == set(SIGNS)
    assert set(SIGNS) >= FREE


def test_worse_of_takes_the_value_that_speaks_most_against() -> None:
    """Of what speaks for a claim the least, of what speaks against it the most."""
    one, other = ({"kept": 1.0, "strange": 0.0}, {"kept": 0.5, "strange": 2.0})
    assert worse_of([one, other]) == worse_of([other, one]) == other


def test_strange_words_are_those_without_a_counterpart() -> None:
    """Their places are code points of the whole claim."""
    claim = "The Processor shall notify the Controller. The Processor shall telephone the sponsor."
    words = [claim[a:b] for a, b in find_strange_words(claim, EvidenceIndex([EVIDENCE]))]
    assert "sponsor" in words
    assert "Controller" not in words
    assert find_strange_words("Bananas", EvidenceIndex(["Nothing of it."])) == [(0, 7)]
