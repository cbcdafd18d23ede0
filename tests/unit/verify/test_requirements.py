"""What a sentence says of a part of a requirement."""

from __future__ import annotations

import pytest

from coditect.verify.requirements.bounds import bounds_of, compare_bounds
from coditect.verify.requirements.decision import Decision, Force, decide
from coditect.verify.requirements.wording import read_wording

REPORT = "The bank shall report every major incident to the regulator within 72 hours."


def _decided(part: str, sentence: str, force: Force = "binds") -> Decision:
    found = decide(read_wording(part), sentence, force)
    assert found is not None
    return found


def test_wording_leaves_out_label_and_open_parameters() -> None:
    """Nested brackets are one parameter; what is fixed is left, in order."""
    read = read_wording(
        "b. Review logs [Assignment: organization-defined frequency] and tell [Selection: x; [Assignment: roles]];"
    )
    assert read.text == "Review logs and tell"
    assert read.parameters == ("organization-defined frequency", "roles")
    assert read.asks_how_often
    assert not read.asks_how_long


def test_wording_of_an_unclosed_bracket_takes_the_rest() -> None:
    """A bracket that never closes is open to the end; nothing is read twice."""
    assert read_wording("Review [Assignment: organization-defined").text == "Review"


@pytest.mark.parametrize(
    ("asked", "given", "relation"),
    [
        ("within 72 hours", "within 24 hours", "stricter"),
        ("within 24 hours", "within three days", "looser"),
        ("reviewed annually", "reviewed quarterly", "stricter"),
        ("reviewed quarterly", "reviewed annually", "looser"),
        ("within 72 hours", "within three days", "same"),
    ],
)
def test_bounds_have_a_direction(asked: str, given: str, relation: str) -> None:
    """Sooner and more often is stricter."""
    found = compare_bounds(bounds_of(asked), bounds_of(given))
    assert found is not None
    assert found[0] == relation


def test_bounds_are_not_compared_where_one_side_has_two_or_none() -> None:
    """Of two deadlines it is not plain which one is meant."""
    assert compare_bounds(bounds_of("within 72 hours"), bounds_of("within 24 hours and within 10 days")) is None
    assert compare_bounds(bounds_of("within 72 hours"), bounds_of("at once, in writing")) is None


def test_same_words_meet() -> None:
    """A duty in the requirement's words meets it, with a probability."""
    found = _decided(REPORT, "The bank must report every major incident to the regulator within 72 hours.")
    assert found.label == "meets"
    assert found.probability is not None


def test_stricter_and_looser_deadlines_are_told_with_both_figures() -> None:
    """The reason names both bounds."""
    found = _decided(REPORT, "The bank must report every major incident to the regulator within five days.")
    assert found.label == "looser"
    assert "five days" in found.reason
    assert "72 hours" in found.reason
    sooner = _decided(REPORT, "The bank must report every major incident to the regulator within 24 hours.")
    assert (sooner.label, sooner.probability) == ("stricter", None)
    assert "24 hours" in sooner.reason


def test_a_prohibition_contradicts() -> None:
    """Who must not do what is required contradicts it."""
    part = "The operator shall keep copies of all customer records."
    found = _decided(part, "The operator must not keep copies of all customer records.", "prohibits")
    assert found.label == "contradicts"


def test_a_permission_only_mentions() -> None:
    """Who may do what is required need not do it."""
    found = _decided(REPORT, "The bank may report every major incident to the regulator within 72 hours.", "permits")
    assert found.label == "mentions"


def test_an_open_frequency_has_to_be_fixed() -> None:
    """A policy that fixes the value meets; one that does not is told what lacks."""
    part = "Review and update the access control policy [Assignment: organization-defined frequency]."
    meets = _decided(part, "The access control policy is reviewed and updated annually.", "states")
    assert (meets.label, "annually" in meets.reason) == ("meets", True)
    partly = _decided(part, "The access control policy is reviewed and updated.", "states")
    assert (partly.label, "how often" in partly.reason) == ("partly", True)


def test_other_matters_are_no_evidence() -> None:
    """A word in common is no matter."""
    assert decide(read_wording(REPORT), "Visitors wear a badge while they are in the building.", "binds") is None


def test_a_lead_in_alone_mentions() -> None:
    """An item of a list speaks of a requirement by its own words, not by those of its lead-in."""
    sentence = "The bank shall report every major incident to the regulator: by letter."
    found = decide(read_wording(REPORT), sentence, "binds", "by letter.")
    assert found is not None
    assert found.label == "mentions"
