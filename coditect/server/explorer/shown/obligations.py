"""Obligations: the register of what documents ask, as a list and as a calendar."""

from __future__ import annotations

import calendar
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, cast

from coditect.knowledge.report.registers.rows import dates_of_documents, register_rows
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.reports.wording import EXTRACTION_NAMES
from coditect.schemas import RegisterKind, RegisterRow
from coditect.server.explorer.paging import ListPage, streamed
from coditect.server.explorer.shown.wording import kind_name
from coditect.server.explorer.visit import Visit

__all__ = ["Agenda", "Calendar", "Day", "DutyList", "DutyRow", "Wanted", "calendar_month", "duty_list"]

NORMS: frozenset[RegisterKind] = frozenset(("obligation", "prohibition", "permission"))

MOST_RECURRING = 60
"""Recurring duties that the calendar lists; the list has all."""

FIRST_YEAR, LAST_YEAR = 1900, 2200


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the list holds.

    Attributes:
        kind: of the statements; "" for obligations, prohibitions and permissions, "all" for statements of every kind.
        force: mandatory, recommended, optional, prohibited; "" for all.
        actor: words of who acts.
        document: a name, or a pattern of names.
        words: that the text holds.
        timed: only what has a deadline, a date or a frequency.
        in_force: leave out what stands in documents that do not bind today.
    """

    kind: str = ""
    force: str = ""
    actor: str = ""
    document: str = ""
    words: str = ""
    timed: bool = False
    in_force: bool = False

    @property
    def filters(self) -> RegisterFilters:
        """The same as the register takes it."""
        kinds = NORMS
        if self.kind == "all":
            kinds = cast("frozenset[RegisterKind]", frozenset(EXTRACTION_NAMES))
        elif self.kind in EXTRACTION_NAMES:
            kinds = frozenset((cast("RegisterKind", self.kind),))
        return RegisterFilters(
            kinds=kinds,
            forces=frozenset(filter(None, (self.force,))),
            actors=tuple(filter(None, (self.actor,))),
            documents=tuple(filter(None, (self.document,))),
            words=tuple(self.words.split()),
            timed=self.timed,
            in_force=self.in_force,
        )

    @property
    def query(self) -> dict[str, Any]:
        """As parameters of an address."""
        return {
            "kind": self.kind,
            "force": self.force,
            "actor": self.actor,
            "document": self.document,
            "q": self.words,
            "timed": self.timed,
            "in_force": self.in_force,
        }


@dataclass(frozen=True, slots=True)
class DutyRow:
    """A line of the register.

    Attributes:
        item_id: of the statement.
        kind: what it is, in words.
        force: mandatory, …
        actor: who acts.
        text: verbatim.
        when: deadline, date or frequency as printed; "" where there is none.
        terms: conditions and exceptions, as printed.
        where: document, number and page.
        standing: what the dates of the document say today.
        decided: what a person decided, and who.
        href: the words in the document.
        item_href: its own page.
    """

    item_id: str
    kind: str
    force: str
    actor: str
    text: str
    when: str
    terms: tuple[str, ...]
    where: str
    standing: str
    decided: str
    href: str
    item_href: str


@dataclass(frozen=True, slots=True)
class DutyList:
    """A page of the register."""

    page: ListPage[DutyRow]
    wanted: Wanted


def duty_list(visit: Visit, wanted: Wanted, cursor: str) -> DutyList:
    """A page of the register, read only as far as it is shown.

    Args:
        visit: who asks, and of what.
        wanted: what the list holds.
        cursor: "document number.rows to pass over.rows before"; what is none begins at the beginning.
    Raises:
        NotFound: no document is called so.
    """
    begin, skip, before = _cursor(cursor)
    ordered = visit.remember("documents by name", lambda: _by_name(visit))
    first = ordered[begin] if begin < len(ordered) else ""
    rows = register_rows(visit.view, wanted.filters, visit.today, first=first) if ordered else iter(())
    numbers = {visit.view.documents[d].name: n for n, d in enumerate(ordered)}

    def counted() -> Iterator[tuple[str, DutyRow]]:
        document, inside = begin, 0
        for count, row in enumerate(rows):
            number = numbers.get(row.document, document)
            document, inside = number, inside + 1 if number == document else 1
            if count >= skip:
                yield f"{document}.{inside}.{before + count - skip + 1}", _row(visit, row)

    def link(behind: str) -> str:
        return visit.links.to("obligations", **wanted.query, after=behind)

    back = visit.links.to("obligations", **wanted.query) if before else ""
    visit.note("register")
    return DutyList(streamed(counted(), link, first=before + 1, previous=back), wanted)


def _by_name(visit: Visit) -> list[str]:
    """Ids of the documents in the order of the register."""
    return sorted(visit.view.documents, key=lambda each: (visit.view.documents[each].name, each))


def _cursor(given: str) -> tuple[int, int, int]:
    parts = given.split(".")
    if len(parts) == 3 and all(p.isascii() and p.isdigit() and len(p) < 10 for p in parts):
        return int(parts[0]), int(parts[1]), int(parts[2])
    return 0, 0, 0


def _row(visit: Visit, row: RegisterRow) -> DutyRow:
    version = visit.remember("by name", lambda: {v.name: v.version_id for v in visit.view.documents.values()})
    links = visit.links
    place = links.item(row.item_id)
    if row.char_start is not None and row.char_end is not None and row.document in version:
        place = links.place(version[row.document], row.char_start, row.char_end, item=row.item_id)
    page = "" if row.page is None else f"page {row.page}"
    return DutyRow(
        item_id=row.item_id,
        kind=kind_name(row.kind),
        force=row.force,
        actor=row.actor,
        text=row.text,
        when=_when(row),
        terms=(*row.conditions, *row.exceptions),
        where=" · ".join(filter(None, (row.document, row.locator or row.heading, page))),
        standing=row.standing,
        decided="" if row.decision is None else f"{row.decision.replace('_', ' ')} by {row.decided_by}",
        href=place,
        item_href=links.item(row.item_id),
    )


def _when(row: RegisterRow) -> str:
    return "; ".join(
        filter(None, dict.fromkeys((row.deadline, row.due if row.due not in row.deadline else "", row.frequency)))
    )


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
class _Timed:
    """What the calendar keeps of a generation."""

    by_day: Mapping[str, Sequence[Agenda]]
    recurring: Sequence[DutyRow]


def calendar_month(visit: Visit, month: str) -> Calendar:
    """A month of what falls on a day: duties with a date, and the dates of documents; beside it what recurs.

    Args:
        visit: who asks, and of what.
        month: "2026-11"; what is none is the month of today.
    """
    timed = visit.remember(("timed", visit.today, visit.links), lambda: _timed(visit))
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


def _timed(visit: Visit) -> _Timed:
    """Everything of the generation that a calendar shows; read once, and kept."""
    by_day: dict[str, list[Agenda]] = defaultdict(list)
    recurring: list[DutyRow] = []
    for row in register_rows(visit.view, RegisterFilters(kinds=NORMS, timed=True), visit.today):
        if _is_day(row.due):
            made = _row(visit, row)
            by_day[row.due].append(Agenda(row.duty if row.action else row.text, row.document, made.href))
        elif row.frequency:
            recurring.append(_row(visit, row))
    versions = {v.name: v.version_id for v in visit.view.documents.values()}
    for what, name, day in dates_of_documents(visit.view, RegisterFilters()):
        if _is_day(day):
            by_day[day].append(Agenda(f"{name} {what}", name, visit.links.document(versions[name])))
    return _Timed(dict(by_day), recurring)


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


def _day(visit: Visit, timed: _Timed, year: int, month: int, day: int) -> Day:
    iso = f"{year:04}-{month:02}-{day:02}" if day else ""
    return Day(day, iso, iso == visit.today, tuple(timed.by_day.get(iso, ())))
