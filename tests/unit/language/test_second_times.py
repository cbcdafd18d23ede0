"""Times of a case that is left out, two periods of which one holds, upper durations, intervals; words of several trades."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.language.norms.binding import read_norms
from coditect.language.quantities.meaning import find_quantities


def _read(text: str, *, practice: bool = False) -> list[dict[str, Any]]:
    found = read_norms(text, 0, len(text), find_quantities(text, 0, len(text)), practice=practice)
    return [{"kind": each.mark.kind, **each.mark.data} for each in found]


@pytest.mark.parametrize(
    ("text", "case"),
    [
        (
            "The keeper must feed the seals within 2 hours, except in winter, when he must feed them within 5 hours.",
            "in winter",
        ),
        (
            "The usher shall open the doors within 1 hour, except on feast days, when the usher shall open them within 3 hours.",
            "on feast days",
        ),
        (
            "The ferry must sail within 20 minutes, unless fog is reported, in which case it must sail within 90 minutes.",
            "fog is reported",
        ),
    ],
)
def test_case_that_is_left_out_has_a_time_of_its_own(text: str, case: str) -> None:
    """What holds in the case that the first duty leaves out is a second duty, with that case as its condition."""
    first, second = _read(text)
    assert case in first["exception"]
    assert "condition" not in first
    assert second["condition"] == case
    assert first["deadline"]["text"] != second["deadline"]["text"]


def test_occasion_of_a_duty_stays_its_condition() -> None:
    """ "When" behind no exception begins an occasion."""
    (norm,) = _read("The keeper shall call the vet when the horse shall have been lame for a day.")
    assert norm["condition"].startswith("when the horse")


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        (
            "Seed samples shall be kept for 4 years from harvest or the date when they last were sown, whichever is later.",
            "for 4 years from harvest or the date when they last were sown, whichever is later",
        ),
        (
            "Drawings must be stored for 8 years or until the bridge is taken down, whichever is longer.",
            "for 8 years or until the bridge is taken down, whichever is longer",
        ),
        ("Drawings must be stored for 8 years.", "for 8 years"),
    ],
)
def test_two_periods_of_which_one_holds_are_one_duration(text: str, duration: str) -> None:
    """ "Whichever is later" belongs to how long."""
    norm, *_ = _read(text)
    assert norm["duration"] == duration
    assert "condition" not in norm


@pytest.mark.parametrize(
    ("text", "action", "duration"),
    [
        ("Fish may be held no longer than two days.", "be held", "no longer than two days"),
        (
            "The clerk shall keep lost property no longer than 6 weeks after the fair.",
            "keep lost property",
            "no longer than 6 weeks after the fair",
        ),
    ],
)
def test_upper_limit_of_a_state_is_how_long(text: str, action: str, duration: str) -> None:
    """ "No longer than" says how long, with "for" or without."""
    (norm,) = _read(text)
    assert (norm["action"], norm["duration"]) == (action, duration)


def test_length_that_is_all_that_is_said_stays_the_act() -> None:
    """ "Must be no longer than" has no other act."""
    (norm,) = _read("The speech must be no longer than 30 minutes.")
    assert norm["action"] == "be no longer than 30 minutes"


@pytest.mark.parametrize("interval", ["at intervals not exceeding 6 months", "at intervals of not more than 6 months"])
def test_interval_is_no_event(interval: str) -> None:
    """An interval says how often; nothing is counted from it."""
    (norm,) = _read(f"The sexton shall wind the clock {interval}.")
    assert norm["frequency"]["text"] == interval
    assert norm["frequency"]["per_year"] == 2.0
    assert "trigger" not in norm["frequency"]


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Lock the shed before the tools are handed out.", "before the tools are handed out"),
        (
            "Implement a procedure for rinsing of the vats before the vats are used again.",
            "before the vats are used again",
        ),
        ("Empty the boiler before it is moved.", "before it is moved"),
    ],
)
def test_request_is_read_in_front_of_an_event(text: str, due: str) -> None:
    """The verb of "before it is moved" is none of the main clause."""
    (norm,) = _read(text)
    assert (norm["modality"], norm["deadline"]["text"]) == ("imperative", due)


def test_noun_in_front_of_an_event_asks_for_nothing() -> None:
    """What a noun in the plural is told of stays a statement."""
    assert not _read("Test results before the change are archived.")


def test_citation_behind_an_act_is_none_of_it() -> None:
    """ "See section 4" tells where more stands; a second act behind it is one."""
    (norm,) = _read("The verger must ring the bell within 5 minutes of the alarm, see section 4.2 of the Fire Plan.")
    assert norm["action"] == "ring the bell"
    first, second = _read("The verger must ring the bell, see clause 4, and open the gates.")
    assert (first["action"], second["action"]) == ("ring the bell", "open the gates")


@pytest.mark.parametrize("closing", ['"', "'", "”", "’"])
def test_closing_quotation_mark_is_in_no_field(closing: str) -> None:
    """A clause that is quoted ends before its sign."""
    opening = {"”": "“", "’": "‘"}.get(closing, closing)
    text = f"Clause 3 is replaced by the following: {opening}3 The miller shall grind the corn within 4 days.{closing}"
    norm = _read(text)[-1]
    assert norm["deadline"]["text"] == "within 4 days"


def test_at_least_one_of_a_kind_acts() -> None:
    """How many says nothing of when; a period in front of a subject does."""
    (norm,) = _read("At least one trained swimmer must watch the pool.")
    assert norm["actor"] == "At least one trained swimmer"
    (norm,) = _read("At least one week before the race, the steward must mark the course.")
    assert norm["actor"] == "the steward"


@pytest.mark.parametrize(
    ("text", "subject", "field", "time"),
    [
        ("A fishing ticket is valid for 24 hours.", "A fishing ticket", "duration", "for 24 hours"),
        (
            "The weekly declaration goes to the harbour office within 36 hours.",
            "The weekly declaration",
            "deadline",
            "within 36 hours",
        ),
    ],
)
def test_limit_of_a_paper_is_told_in_the_present(text: str, subject: str, field: str, time: str) -> None:
    """In a house's paper what is valid for a time, and what goes to somebody by a limit; nobody is named who acts."""
    (norm,) = _read(text, practice=True)
    told = norm[field]
    assert (told if isinstance(told, str) else told["text"]) == time
    assert norm["subject"] == subject
    assert not _read(text)


@pytest.mark.parametrize(
    ("text", "modality", "actor"),
    [
        ("Only members may vote.", "only … may", "members"),
        ("Only the lamplighter opens the valve.", "only … present", "the lamplighter"),
        ("The crew may only leave with the captain's consent.", "may only", "The crew"),
    ],
)
def test_leave_to_some_alone_is_told(text: str, modality: str, actor: str) -> None:
    """ "Only" in front of who may act is kept in the words of force."""
    (norm,) = _read(text, practice=True)
    assert (norm["kind"], norm["modality"], norm["actor"]) == ("permission", modality, actor)


def test_only_in_front_of_when_names_nobody() -> None:
    """ "Only in winter may" limits when."""
    assert all("only …" not in str(norm["modality"]) for norm in _read("Only in winter may the fishers cut ice."))


def test_agent_of_a_passive_ends_before_whom_it_leaves_out() -> None:
    """ "Other than" says who may not; the agent stands before it."""
    (norm,) = _read("The scales shall be checked by a trained weigher other than the one who uses them.")
    assert norm["actor"] == "a trained weigher"
