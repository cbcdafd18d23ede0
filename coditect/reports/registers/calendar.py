"""Recurring duties, dated deadlines and the dates of documents as an iCalendar (RFC 5545), by the library ``icalendar``."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import BinaryIO

from coditect.errors import UsageError
from coditect.reports.registers.recurrence import Recurrence, recurrence_of
from coditect.schemas import RegisterRow

__all__ = ["DatedDocument", "write_calendar"]

DatedDocument = tuple[str, str, str]
"""What falls on a day: what is to be said ("to be reviewed"), the document's name, the day (ISO 8601)."""

_SUMMARY = 90


def write_calendar(
    rows: Iterable[RegisterRow], documents: Iterable[DatedDocument], file: BinaryIO, *, first_day: str, made_at: str
) -> int:
    """Write what recurs and what falls on a day.

    Args:
        rows: norms; those without a date, and without a frequency that a calendar can express, are passed over, and so are
            permissions and prohibitions: nobody has to do what they speak of.
        documents: dates of documents: reviews, ends, beginnings.
        file: open for writing bytes.
        first_day: on which recurring duties are shown first whose text names no day; others on the first of their days from it on.
            ISO 8601.
        made_at: when the generation was built, RFC 3339: the stamp of every entry.

    Returns:
        How many entries there are.

    Raises:
        UsageError: ``icalendar`` is not installed.
    """
    try:
        from icalendar import Calendar, Event
    except ImportError as error:
        raise UsageError(
            "calendars need the library icalendar", hint="Install it: pip install 'coditect-knowledge[calendar]'"
        ) from error
    stamp, start = datetime.fromisoformat(made_at), date.fromisoformat(first_day)
    calendar = Calendar()
    calendar.add("prodid", "-//coditect knowledge//registers//EN")
    calendar.add("version", "2.0")

    def enter(uid: str, day: date, summary: str, description: str, again: Recurrence | None = None) -> None:
        event = Event()
        event.add("uid", uid)
        event.add("dtstamp", stamp)
        event.add("dtstart", day)
        event.add("dtend", day + timedelta(days=1))
        event.add("summary", summary)
        event.add("description", description)
        event.add("transp", "TRANSPARENT")
        if again is not None:
            event.add("rrule", dict(again.rule))
        calendar.add_component(event)

    count = 0
    for row in rows:
        if row.kind in ("permission", "prohibition"):
            continue
        day = _day(row.due)
        again = recurrence_of(row, start) if day is None else None
        if day is None and again is None:
            continue
        place = f"{row.document} {row.locator}".strip()
        head = row.duty if row.action else " ".join(row.text.split())
        when = "" if again is None else f"\n\n{again.told}"
        short = head if len(head) <= _SUMMARY else head[: _SUMMARY - 1].rsplit(" ", 1)[0] + "…"
        enter(
            f"{row.item_id}@coditect",
            day or (start if again is None else again.first),
            f"{short} (amended: read it)" if row.amended.startswith("replaced") else short,
            "\n\n".join(filter(None, (row.text, place, row.amended))) + when,
            again,
        )
        count += 1
    for what, name, day_text in documents:
        known = what.partition(" (")[0].replace(" ", "-")  # a mark behind it makes no other entry of it
        enter(f"{known}:{name}@coditect", date.fromisoformat(day_text), f"{name}: {what}", what)
        count += 1
    file.write(calendar.to_ical())
    return count


def _day(text: str) -> date | None:
    """A whole calendar date; None for a month, a year or nothing."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
