"""Which duties a calendar holds, how often they come again, and on which day."""

from __future__ import annotations

import io
from typing import Any

import pytest

from coditect.reports.registers.calendar import write_calendar
from coditect.schemas import RegisterRow

icalendar = pytest.importorskip("icalendar")


def entries(*rows: RegisterRow) -> list[Any]:
    """The entries of a calendar of these rows, as another program reads them."""
    file = io.BytesIO()
    count = write_calendar(rows, [], file, first_day="2026-01-15", made_at="2026-01-10T09:00:00Z")
    events = icalendar.Calendar.from_ical(file.getvalue()).walk("VEVENT")
    assert count == len(events)
    return list(events)


def row(**fields: object) -> RegisterRow:
    """A duty."""
    return RegisterRow.model_validate(
        {"item_id": "extraction_1", "kind": "obligation", "document": "a.md", "text": "Review\n it.", **fields}
    )


@pytest.mark.parametrize(
    ("per_year", "rule"),
    [
        (0.2, ("YEARLY", 5)), (1 / 3, ("YEARLY", 3)), (0.5, ("YEARLY", 2)), (1.0, ("YEARLY", 1)), (2.0, ("MONTHLY", 6)),
        (3.0, ("MONTHLY", 4)), (4.0, ("MONTHLY", 3)), (6.0, ("MONTHLY", 2)), (12.0, ("MONTHLY", 1)), (26.09, ("WEEKLY", 2)),
        (52.1786, ("WEEKLY", 1)), (26.0, ("WEEKLY", 2)), (52.0, ("WEEKLY", 1)), (365.0, ("DAILY", 1)), (365.25, ("DAILY", 1)),
        (5.0, None), (0.3, None), (0.334, ("YEARLY", 3)), (0.336, None), (None, None),
    ],
)  # fmt: skip
def test_duty_comes_again_as_often_as_its_text_says(per_year: float | None, rule: tuple[str, int] | None) -> None:
    """By a rule of years, months, weeks or days, from the first day on; what no rule can say is left out."""
    events = entries(row(per_year=per_year, frequency="so often"))
    assert len(events) == (rule is not None)
    for event in events:
        assert rule is not None
        assert (event["rrule"]["freq"], event["rrule"]["interval"]) == ([rule[0]], [rule[1]])
        assert (event.decoded("dtstart").isoformat(), event.decoded("dtend").isoformat()) == (
            "2026-01-15",
            "2026-01-16",
        )
        assert str(event["description"]) == "Review\n it.\n\na.md\n\nRecurs so often; the text names no first day."


@pytest.mark.parametrize("due", ["2026-03-31", "2026-03", "2026", ""])
def test_duty_of_a_day_stands_on_that_day_alone(due: str) -> None:
    """Also if it recurs, as its day is known; a month or a year is no day."""
    whole = due == "2026-03-31"
    assert len(entries(row(due=due))) == whole
    (event,) = entries(row(due=due, per_year=1.0, frequency="yearly", locator="4.2"))
    assert ("rrule" in event) != whole
    assert event.decoded("dtstart").isoformat() == ("2026-03-31" if whole else "2026-01-15")
    assert ("Recurs yearly" in str(event["description"])) != whole
    assert str(event["description"]).startswith("Review\n it.\n\na.md 4.2")


@pytest.mark.parametrize("kind", ["prohibition", "permission"])
def test_what_nobody_has_to_do_is_no_entry(kind: str) -> None:
    """What is forbidden until a day, or allowed every two years, is no task."""
    assert not entries(row(kind=kind, due="2027-12-31"), row(kind=kind, per_year=0.5, frequency="every two years"))


def test_entry_is_headed_by_the_duty_or_else_by_the_words() -> None:
    """Who does what, as far as it was read; the words on one line."""
    duty, words = entries(
        row(due="2026-03-31", actor="The officer", action="review it"), row(due="2026-03-31", actor="The officer")
    )
    assert str(duty["summary"]) == "The officer: review it"
    assert str(words["summary"]) == "Review it."


def test_dates_of_documents_follow_and_are_counted() -> None:
    """What falls on a day, and of which document."""
    file = io.BytesIO()
    dates = [("to be reviewed", "a.md", "2026-12-01"), ("ends", "b.md", "2026-12-31")]
    assert write_calendar([], dates, file, first_day="2026-01-15", made_at="2026-01-10T09:00:00Z") == 2
    events = icalendar.Calendar.from_ical(file.getvalue()).walk("VEVENT")
    assert [(str(each["uid"]), str(each["summary"]), str(each["description"])) for each in events] == [
        ("to-be-reviewed:a.md@coditect", "a.md: to be reviewed", "to be reviewed"),
        ("ends:b.md@coditect", "b.md: ends", "ends"),
    ]


@pytest.mark.parametrize(
    ("frequency", "first", "interval", "days"),
    [
        ("every Monday", "2026-01-19", 1, ["MO"]),
        ("every Thursday", "2026-01-15", 1, ["TH"]),
        ("each other Friday", "2026-01-16", 2, ["FR"]),
        ("on Tuesdays and Fridays", "2026-01-16", 1, ["TU", "FR"]),
        ("every weekday at noon", "2026-01-15", 1, ["MO", "TU", "WE", "TH", "FR"]),
    ],
)
def test_duty_of_days_of_the_week_falls_on_them(frequency: str, first: str, interval: int, days: list[str]) -> None:
    """From the first of these days on, every week or every other."""
    (event,) = entries(row(frequency=frequency))
    assert event.decoded("dtstart").isoformat() == first
    assert (event["rrule"]["interval"], event["rrule"]["byday"]) == ([interval], days)


def test_days_of_the_week_in_a_part_of_the_year_are_no_rule() -> None:
    """A calendar that went on all year would be wrong, however often a year it is."""
    assert entries(row(frequency="each Monday in January", per_year=52.18)) == []


@pytest.mark.parametrize(
    ("trigger", "days", "per_year", "first", "interval"),
    [
        ("the end of each quarter", 15, 4.0, "2026-01-15", 3),
        ("the end of each quarter", 14, None, "2026-04-14", 3),
        ("the end of the month", 10, 12.0, "2026-02-10", 1),
        ("the end of each calendar year", 20, 1.0, "2026-01-20", 12),
        ("the end of each calendar year", 5, 1.0, "2027-01-05", 12),
    ],
)
def test_duty_counted_from_the_end_of_a_period_falls_on_its_day(
    trigger: str, days: int, per_year: float | None, first: str, interval: int
) -> None:
    """The 15th day after the end of each quarter is the 15th of January, April, July and October."""
    (event,) = entries(row(deadline="by then", deadline_hours=24.0 * days, trigger=trigger, per_year=per_year))
    assert (event.decoded("dtstart").isoformat(), event["rrule"]["interval"]) == (first, [interval])
    assert "periods of the calendar" in str(event["description"])


@pytest.mark.parametrize(
    "fields",
    [
        {"trigger": "the end of the month"},  # which one: not told to recur
        {"trigger": "the end of each quarter", "deadline": "within 15 business days after the end of each quarter"},
        {"trigger": "receipt of the claim"},
        {"trigger": "the end of each quarter", "deadline_hours": 24.0 * 45},
    ],
)
def test_limits_without_a_day_of_the_calendar_are_no_entries(fields: dict[str, object]) -> None:
    """Business days, events, and what lies beyond the next month's end have no day that a rule could name."""
    assert not entries(row(**{"deadline": "by then", "deadline_hours": 360.0, **fields}))
