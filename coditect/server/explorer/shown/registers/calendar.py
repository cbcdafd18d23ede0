"""The calendar of a corpus: what falls on a day, and what comes again and again."""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import cast

from coditect.knowledge.progress import Progress
from coditect.knowledge.report.registers.rows import dates_of_documents, register_rows
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.server.explorer.shown.registers.obligations import NORMS, DutyRow, documents_by_name, duty_row
from coditect.server.explorer.visit import Visit

__all__ = ["Agenda", "Calendar", "Day", "TimedDuties", "calendar_month", "timed_duties"]

MOST_RECURRING = 60
"""Recurring duties that the calendar lists; the list has all."""

FIRST_YEAR, LAST_YEAR = 1900, 2200


@dataclass(frozen=True, slots=True)
class Agenda:
    """Something that falls on a day: what, in which document, and its address."""

    what: str
    document: str
    href: str


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the month's grid; 0 for the empty cells before and behind."""

    number: int
    iso: str
    is_today: bool
    entries: tuple[Agenda, ...]


@dataclass(frozen=True, slots=True)
class Calendar:
    """A month.

    Attributes:
        title: "November 2026".
        month: "2026-11".
        weeks: of seven days.
        entries: how many fall into the month.
        previous: address of the month before.
        next: address of the month behind.
        dated: (month, entries, address) of every month that has any.
        recurring: duties that come again and again; no text says when they began.
        more_recurring: how many are not shown.
    """

    title: str
    month: str
    weeks: tuple[tuple[Day, ...], ...]
    entries: int
    previous: str
    next: str
    dated: tuple[tuple[str, int, str], ...]
    recurring: tuple[DutyRow, ...]
    more_recurring: int


@dataclass(frozen=True, slots=True)
class TimedDuties:
    """Everything of a generation that a calendar shows.

    Attributes:
        by_day: what falls on a day, by its date, ISO 8601.
        recurring: duties that come again and again.
    """

    by_day: Mapping[str, Sequence[Agenda]]
    recurring: Sequence[DutyRow]


def calendar_month(visit: Visit, timed: TimedDuties, month: str) -> Calendar:
    """A month of what falls on a day: duties with a date, and the dates of documents; beside it what recurs.

    Args:
        visit: who asks, and of what.
        timed: of the generation that is looked at.
        month: "2026-11"; what is none is the month of today.
    """
    year, number = _month(month) or cast("tuple[int, int]", _month(visit.today[:7]))
    this = f"{year:04}-{number:02}"
    weeks = tuple(
        tuple(_day(visit, timed, year, number, day) for day in week)
        for week in calendar.Calendar().monthdayscalendar(year, number)
    )
    counts: dict[str, int] = defaultdict(int)
    for day, entries in timed.by_day.items():
        counts[day[:7]] += len(entries)

    def link(other: str) -> str:
        return visit.links.to("obligations", "calendar", month=other)

    before = f"{year - (number == 1):04}-{12 if number == 1 else number - 1:02}"
    behind = f"{year + (number == 12):04}-{1 if number == 12 else number + 1:02}"
    return Calendar(
        title=f"{calendar.month_name[number]} {year}",
        month=this,
        weeks=weeks,
        entries=counts.get(this, 0),
        previous=link(before) if _month(before) else "",
        next=link(behind) if _month(behind) else "",
        dated=tuple((each, counts[each], link(each)) for each in sorted(counts)),
        recurring=tuple(timed.recurring[:MOST_RECURRING]),
        more_recurring=max(0, len(timed.recurring) - MOST_RECURRING),
    )


def timed_duties(visit: Visit, progress: Progress) -> TimedDuties:
    """Everything of the generation that a calendar shows; every document is read.

    Args:
        visit: who asks, and of what.
        progress: told of each document that duties were found in.
    """
    by_day: dict[str, list[Agenda]] = defaultdict(list)
    recurring: list[DutyRow] = []
    numbers = {visit.view.documents[each].name: n for n, each in enumerate(documents_by_name(visit), 1)}
    for row in register_rows(visit.view, RegisterFilters(kinds=NORMS, timed=True), visit.today):
        progress("read", numbers[row.document], len(numbers))
        if _is_day(row.due):
            made = duty_row(visit, row)
            by_day[row.due].append(Agenda(row.duty if row.action else row.text, row.document, made.href))
        elif row.frequency:
            recurring.append(duty_row(visit, row))
    versions = {v.name: v.version_id for v in visit.view.documents.values()}
    for what, name, day in dates_of_documents(visit.view, RegisterFilters()):
        if _is_day(day):
            by_day[day].append(Agenda(f"{name} {what}", name, visit.links.document(versions[name])))
    return TimedDuties(dict(by_day), recurring)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return len(text) == 10


def _month(text: str) -> tuple[int, int] | None:
    try:
        day = date.fromisoformat(f"{text}-01")
    except ValueError:
        return None
    return (day.year, day.month) if FIRST_YEAR <= day.year <= LAST_YEAR and len(text) == 7 else None


def _day(visit: Visit, timed: TimedDuties, year: int, month: int, day: int) -> Day:
    iso = f"{year:04}-{month:02}-{day:02}" if day else ""
    return Day(day, iso, iso == visit.today, tuple(timed.by_day.get(iso, ())))
