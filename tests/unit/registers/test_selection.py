"""Which rows a register holds."""

from __future__ import annotations

import pytest

from coditect.errors import UsageError
from coditect.knowledge.report.registers.selection import RegisterFilters, hours_of, is_in_working_days
from coditect.schemas import RegisterRow


def _row(**fields: object) -> RegisterRow:
    return RegisterRow.model_validate(
        {"item_id": "extraction_1", "kind": "obligation", "text": "Staff shall report.", **fields}
    )


@pytest.mark.parametrize(
    ("typed", "hours"),
    [
        ("72 hours", 72),
        ("72h", 72),
        (" 3 d ", 72),
        ("2 weeks", 336),
        ("1.5 days", 36),
        ("1 month", 730.5),
        ("1y", 8766),
    ],
)
def test_lengths_of_time_are_read_as_typed(typed: str, hours: float) -> None:
    """Numbers with a unit, written out or by its letter."""
    assert hours_of(typed) == hours


@pytest.mark.parametrize("typed", ["", "soon", "3", "3 parsecs", "-3 days", "3 days later"])
def test_what_is_no_length_of_time_is_refused(typed: str) -> None:
    """With the way to write one."""
    with pytest.raises(UsageError, match="length of time") as caught:
        hours_of(typed)
    assert "72 hours" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("locator", "path", "below"),
    [
        ("4.2", "4.2", True),
        ("4.2.1", "4.2", True),
        ("4.2(a)", "4.2", True),
        ("4.2 (a)", "4.2(a)", True),
        ("4.20", "4.2", False),
        ("14.2", "4.2", False),
        ("COBS 4.2.1", "cobs 4", True),
        ("A", "A4", False),
        ("§ 164.404(b)", "164.404", True),
        ("§ 164.404(b)", "§164.404(b)", True),
        ("§ 164.404(b)", "Section 164.404", True),
        ("§ 164.4041", "164.404", False),
        ("Article 5(1)", "Art. 5", True),
        ("Article 5(1)", "5", True),
        ("Article 5(1)", "Section 5", False),
        ("Part 5", "§ 5", False),
        ("", "4", False),
    ],
)
def test_locator_lets_through_what_stands_below_it(locator: str, path: str, below: bool) -> None:
    """A path and its parts, and no number that only begins alike."""
    assert RegisterFilters(locators=(path,)).take(_row(locator=locator)) is below


def test_filters_restrict_each_by_itself_and_all_together() -> None:
    """Any of the actors, all of the words, at most the time; a row must pass every filter that is set."""
    row = _row(actor="The Security Officer", force="mandatory", deadline="within 72 hours", deadline_hours=72.0)
    assert RegisterFilters().take(row)
    assert RegisterFilters(actors=("board", "security officer")).take(row)
    assert not RegisterFilters(actors=("board",)).take(row)
    assert RegisterFilters(words=("staff", "REPORT")).take(row)
    assert not RegisterFilters(words=("staff", "board")).take(row)
    assert RegisterFilters(due_within=72.0).take(row)
    assert not RegisterFilters(due_within=71.9).take(row)
    assert not RegisterFilters(due_within=72.0).take(_row())
    assert RegisterFilters(forces=frozenset({"mandatory", "prohibited"})).take(row)
    assert not RegisterFilters(forces=frozenset({"prohibited"})).take(row)
    assert not RegisterFilters(actors=("security",), forces=frozenset({"prohibited"})).take(row)
    assert not RegisterFilters(severities=frozenset({"high"})).take(_row(severity="low"))
    assert RegisterFilters(severities=frozenset({"low"})).take(_row(severity="low"))


@pytest.mark.parametrize(
    ("field", "value"), [("deadline", "promptly"), ("due", "2026-03-31"), ("frequency", "annually")]
)
def test_timed_rows_have_a_deadline_a_date_or_a_frequency(field: str, value: str) -> None:
    """Each of the three is enough."""
    assert RegisterFilters(timed=True).take(_row(**{field: value}))
    assert not RegisterFilters(timed=True).take(_row())


@pytest.mark.parametrize(
    ("fields", "duty"),
    [
        ({"actor": "The officer", "action": "review the log"}, "The officer: review the log"),
        ({"object": "The log", "action": "be reviewed", "actor": "the officer"}, "The log: be reviewed by the officer"),
        (
            {"object": "The log", "action": "be reviewed by the officer", "actor": "The officer"},
            "The log: be reviewed by the officer",
        ),
        ({"object": "The log", "action": "be reviewed\neach month"}, "The log: be reviewed each month"),
        ({"action": "review the log"}, "review the log"),
    ],
)
def test_duty_says_who_does_what(fields: dict[str, str], duty: str) -> None:
    """Of a passive, what is acted upon comes first, and who acts behind it, once."""
    assert _row(**fields).duty == duty


@pytest.mark.parametrize(
    ("asked", "days", "working", "taken"),
    [
        ("72 hours", 3, False, True),
        ("72 hours", 2, True, False),
        ("4 days", 2, True, True),
        ("9 days", 7, True, False),
        ("11 days", 7, True, True),
        ("3 business days", 3, True, True),
        ("3 working days", 3, False, True),
        ("3 working days", 4, True, False),
    ],
)
def test_working_days_may_span_a_weekend(asked: str, days: int, working: bool, taken: bool) -> None:
    """Two working days from a Friday on end on Tuesday, four days later; asked for in working days, they are counted as such."""
    row = _row(deadline=f"within {days} days", deadline_hours=24.0 * days, deadline_in_working_days=working)
    filters = RegisterFilters(due_within=hours_of(asked), in_working_days=is_in_working_days(asked))
    assert filters.take(row) is taken
