"""When contracts and policies say that something is due: two-part limits, granted times, events, and what is no time of the act."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.language.clauses import only_clause, read_clauses


def _deadline(text: str) -> tuple[str, str | None]:
    """The first deadline of the only norm, and its trigger."""
    told: Any = only_clause(text)["deadline"]
    return told["text"], told.get("trigger")


@pytest.mark.parametrize(
    ("text", "limit", "trigger"),
    [
        (
            "The bank shall tell the agency as soon as practicable but in any event within 24 hours after discovery.",
            "as soon as practicable but in any event within 24 hours after discovery",
            "discovery",
        ),
        (
            "The club must report as soon as practicable, and in any event within 6 months, after the end of that year.",
            "as soon as practicable, and in any event within 6 months, after the end of that year",
            "the end of that year",
        ),
        (
            "The firm shall pay promptly (and in any event within 5 days) after receipt.",
            "promptly (and in any event within 5 days) after receipt",
            "receipt",
        ),
        (
            "The tax shall be credited within three years after filing, or within three years of the audit, whichever is later.",
            "within three years after filing, or within three years of the audit, whichever is later",
            "filing",
        ),
        (
            "The licensee shall promptly, following receipt of a notice, remove the mark.",
            "promptly, following receipt of a notice",
            "receipt of a notice",
        ),
    ],
)
def test_limits_of_two_parts_are_one(text: str, limit: str, trigger: str) -> None:
    """An outer limit belongs to the limit that it bounds, and so does an event behind both; the act holds neither."""
    assert _deadline(text) == (limit, trigger)
    assert "event" not in only_clause(text)["action"]


def test_two_parts_keep_their_number() -> None:
    """The number of the outer limit is kept."""
    told: Any = only_clause("The bank shall tell the agency promptly and in any event within 5 days.")["deadline"]
    assert told["days"] == 5.0


@pytest.mark.parametrize(
    ("text", "limit", "trigger"),
    [
        (
            "The buyer shall have thirty (30) days after receipt to object to the report.",
            "thirty (30) days after receipt",
            "receipt",
        ),
        ("The seller will then have [***] business days to accept the terms.", "[***] business days", None),
    ],
)
def test_granted_times_are_deadlines(text: str, limit: str, trigger: str | None) -> None:
    """The time that words of force give is the deadline of the right."""
    ((kind, data),) = read_clauses(text)
    assert (kind, data["deadline"]["text"], data["deadline"].get("trigger")) == ("permission", limit, trigger)


@pytest.mark.parametrize(
    ("text", "limit", "trigger"),
    [
        ("The seller shall deliver the deed at the Closing.", "at the Closing", "the Closing"),
        (
            "The seller shall deliver the deed concurrently with the payment.",
            "concurrently with the payment",
            "the payment",
        ),
        (
            "The board must table the report within 15 sitting days of its completion.",
            "within 15 sitting days of its completion",
            "its completion",
        ),
        ("The firm shall pay the fee within ____ days of receipt.", "within ____ days of receipt", "receipt"),
        (
            "The clerk shall send the list by the end of the next business day.",
            "by the end of the next business day",
            None,
        ),
        ("At the buyer's request, the seller shall promptly copy the file.", "promptly", "the buyer's request"),
        (
            "The seller shall, at the buyer's request and within ten days, copy the file.",
            "within ten days",
            "the buyer's request",
        ),
        ("In such a case, the goods shall be returned immediately.", "immediately", None),
    ],
)
def test_events_that_set_off_a_time(text: str, limit: str, trigger: str | None) -> None:
    """An event is what happens, not when the calendar says so, nor a case that was told before."""
    assert _deadline(text) == (limit, trigger)


@pytest.mark.parametrize(
    ("text", "often", "per_year"),
    [
        ("Every year, the chief clerk shall report to the board.", "Every year", 1.0),
        ("For each financial year, the club must report to the board.", "For each financial year", None),
        ("The tenant shall pay an annual fee of ten euro.", "annual", 1.0),
        ("The keeper shall inspect the site twice yearly.", "twice yearly", 2.0),
        ("The agent shall report once during each calendar quarter.", "once during each calendar quarter", 4.0),
        ("The fees shall be published once every calendar year in the Gazette.", "once every calendar year", 1.0),
    ],
)
def test_how_often_is_told_in_more_ways(text: str, often: str, per_year: float | None) -> None:
    """In front of the subject, in what is paid, by an adverb with a number; a place behind it is no part of it."""
    told: Any = only_clause(text)["frequency"]
    assert (told["text"], told.get("per_year")) == (often, per_year)


@pytest.mark.parametrize(
    "text",
    [
        "The licensee must keep the policies issued by the Authority from time to time.",
        "The firm must use the best terms available at the time of dealing.",
        "The fee must be set by the mean daily flow of the river.",
        "The member must have three years of full-time experience.",
    ],
)
def test_times_of_things_are_none_of_the_act(text: str) -> None:
    """What stands in a thing's description says nothing of when the act is due."""
    data = only_clause(text)
    assert data.get("deadline") is None
    assert data.get("frequency") is None


def test_rights_hold_what_limits_them_inside() -> None:
    """What stands between "the right" and its act limits the act."""
    ((kind, data),) = read_clauses("The lender shall have the right, on request, to see the books.")
    assert (kind, data["action"], data["condition"]) == ("permission", "see the books", "on request")


@pytest.mark.parametrize(
    "text",
    ["Ensure the form is signed.", "Make sure the door is shut.", "Check the site to ensure the page was added."],
)
def test_requests_to_see_to_something_need_no_that(text: str) -> None:
    """The clause that somebody is to see to has a verb of its own."""
    ((kind, data),) = read_clauses(text)
    assert (kind, data["modality"], data["action"]) == ("obligation", "imperative", text[:-1])


def test_what_will_have_to_be_done_is_asked() -> None:
    """ "will have to" is one modal expression."""
    data = only_clause("The loss will have to be reported to the clerk within two days.")
    assert (data["action"], data["deadline"]["text"]) == ("be reported to the clerk", "within two days")
