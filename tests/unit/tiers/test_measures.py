"""What a statement fixes, and of what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.schemas import Measure
from coditect.tiers.findings.measures import EVERY, SELF, canonical, described, head_of
from tests.unit.tiers.corpora import chunks_of


def _measures(sentence: str) -> list[Measure]:
    found = chunks_of({"policy.md": f"# Some Policy\n\n1.1 {sentence}\n"})
    return [measure for chunk in found for each in chunk.selected_sentences for measure in each.measures]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Customers shall be informed within 3 days of the loss.",
            ("deadline", canonical("inform"), 72.0, "mandatory"),
        ),
        ("Access rights are reviewed at least quarterly.", ("frequency", "review", 4.0, "mandatory")),
        ("This policy shall be reviewed at least every two years.", ("frequency", SELF, 0.5, "mandatory")),
        ("Every policy shall be reviewed at least annually by its owner.", ("frequency", EVERY, 1.0, "mandatory")),
        ("Passwords shall have at least 14 characters.", ("count", "charact", 14.0, "mandatory")),
        ("Vendors may connect to our systems with TLS 1.2 or later.", ("version", "tls", 1.2, "optional")),
        ("Clerks keep visitor logs for two years.", ("duration", canonical("retain"), 17532.0, "mandatory")),
        (
            "The archive discards a file twelve months after its last use.",
            ("deadline", canonical("delet"), 8766.0, "stated"),
        ),
        ("Client services has five days to acknowledge a complaint.", ("deadline", "acknowledg", 120.0, "stated")),
        ("Client services closes the account at the end of the month.", ("deadline", "close", 730.5, "stated")),
        ("Client services copies the logs and tests the copies once a quarter.", ("frequency", "test", 4.0, "stated")),
        ("IT closes the account at the end of the month.", ("deadline", "close", 730.5, "mandatory")),
        ("TLS 1.2 must not be used on any connection.", ("version", "tls", 1.2, "prohibited")),
    ],
)
def test_measure_is_read_with_its_kind_head_value_and_strength(
    sentence: str, expected: tuple[str, str, float, str]
) -> None:
    """A deadline, interval, count or version is read with what it is a measure of and how binding it is."""
    assert expected in [(m.kind, m.head, m.value, m.strength) for m in _measures(sentence)]


@pytest.mark.parametrize(
    "sentence",
    [
        "An account that has not been used for 60 days shall be disabled.",
        "The team shall meet when the platform has been unavailable for 30 minutes.",
        "The accounts of leavers were disabled within 24 hours in all cases.",
    ],
)
def test_measure_in_a_subject_a_condition_or_a_report_is_none(sentence: str) -> None:
    """A time that says when a duty applies, or what happened once, is not what the sentence fixes."""
    assert not _measures(sentence)


def test_measure_belongs_to_the_clause_that_it_stands_in() -> None:
    """Of two duties in a sentence only the one beside the time has it."""
    found = _measures("It shall meet monthly, and it shall keep minutes with decisions.")
    assert [(m.head, m.text) for m in found] == [("meet", "monthly")]


def test_head_of_verbs_of_one_meaning_is_one() -> None:
    """Notify, inform and report are compared with each other; their head is told in words."""
    heads = {head_of(f"be {verb} at once")[0] for verb in ("notified", "informed", "told", "reported")}
    assert heads == {canonical("notifi")}
    assert described(heads.pop()) == "notify, inform or report"


def test_head_of_a_phrase_that_begins_with_a_number_is_none() -> None:
    """A number is not an act that can be compared."""
    assert head_of("have thirty (30) days to cure the breach") == ("", "")


@given(st.text(max_size=60))
def test_head_of_any_text_is_canonical(action: str) -> None:
    """A head stands for itself: taking the canonical form again changes nothing."""
    head, _ = head_of(action)
    assert canonical(head) == head
