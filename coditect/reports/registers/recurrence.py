"""On which day a recurring duty falls first, and how it comes again: as the text tells days of the week and ends of periods."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from coditect.language.tables import read_table
from coditect.schemas import RegisterRow

__all__ = ["Recurrence", "recurrence_of"]

_RULES: Mapping[float, tuple[str, int]] = {
    0.2: ("YEARLY", 5),
    0.33: ("YEARLY", 3),
    0.5: ("YEARLY", 2),
    1.0: ("YEARLY", 1),
    2.0: ("MONTHLY", 6),
    3.0: ("MONTHLY", 4),
    4.0: ("MONTHLY", 3),
    6.0: ("MONTHLY", 2),
    12.0: ("MONTHLY", 1),
    26.0: ("WEEKLY", 2),
    26.09: ("WEEKLY", 2),
    52.0: ("WEEKLY", 1),
    52.18: ("WEEKLY", 1),
    365.0: ("DAILY", 1),
    365.25: ("DAILY", 1),
}
"""Frequency and interval of a recurrence rule, by times a year as Tier 1 has them."""

_CALENDAR = read_table("time")
_DAYS = _CALENDAR.words("days_of_the_week")
_ON_DAYS = re.compile(
    rf"(?:on\s+)?(?P<each>(?:every|each)\s+)?(?P<other>other\s+)?(?P<days>(?:{_CALENDAR.pattern('days_of_the_week')})s?"
    rf"(?:(?:,\s+|\s+and\s+)(?:{_CALENDAR.pattern('days_of_the_week')})s?)*|(?P<working>{_CALENDAR.pattern('working_days')}))\b",
    re.IGNORECASE,
)
_ONLY_THEN = re.compile(r"\s+(?:in|during|until|while|between)\b", re.IGNORECASE)
# A period that ends again and again, and by whose end days are counted: "by the 15th day after the end of each quarter".
_PERIOD_END = re.compile(
    r"(?:the\s+)?(?:end|close)\s+of\s+(?P<each>each|every|the|a)\s+(?:calendar\s+)?(?P<unit>month|quarter|year)\b",
    re.IGNORECASE,
)
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_LAST_DAY_OF_ALL_MONTHS = 28
_BUSINESS = re.compile(rf"\b(?:{'|'.join(_CALENDAR.words('business_days'))})\s+days?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recurrence:
    """How a duty comes again.

    Attributes:
        first: its first day.
        rule: of iCalendar (RFC 5545, 3.3.10): FREQ, INTERVAL and, for days of the week, BYDAY.
        told: for people: how the day was found.
    """

    first: date
    rule: Mapping[str, str | int | list[str]]
    told: str


def recurrence_of(row: RegisterRow, first_day: date) -> Recurrence | None:
    """How a duty comes again from a day on; None where its text tells no rule that a calendar can express.

    Args:
        row: a norm.
        first_day: on which it is shown first where the text names no day.
    """
    if (counted := _after_a_period(row, first_day)) is not None:
        return counted
    if (on_days := _ON_DAYS.match(row.frequency)) is not None:
        return _on_days_of_the_week(row.frequency, on_days, first_day)
    rule = None if row.per_year is None else _RULES.get(round(row.per_year, 2))
    if rule is None:
        return None
    return Recurrence(
        first_day,
        {"freq": rule[0], "interval": rule[1]},
        f"Recurs {row.frequency}; the text names no first day.",
    )


def _after_a_period(row: RegisterRow, first_day: date) -> Recurrence | None:
    """A limit that is counted in days from the end of each month, quarter or year of the calendar."""
    found = _PERIOD_END.fullmatch(row.trigger.strip(" .;,"))
    if found is None or row.deadline_hours is None or _BUSINESS.search(row.deadline):
        return None
    days, rest = divmod(row.deadline_hours, 24)
    months = _MONTHS[found["unit"].lower()]
    is_each = found["each"].lower() in ("each", "every") or (row.per_year is not None and row.per_year == 12 / months)
    if rest or not 1 <= days <= _LAST_DAY_OF_ALL_MONTHS or not is_each:
        return None
    # The 15th day after 31 March is the 15th of April.
    month = (first_day.month - 1) // months * months + 1
    first = date(first_day.year, month, int(days))
    if first < first_day:
        first = date(first_day.year + (month + months > 12), (month + months - 1) % 12 + 1, int(days))
    return Recurrence(
        first,
        {"freq": "MONTHLY", "interval": months},
        f"Due {row.deadline}: periods of the calendar are taken; a financial year of your own may end on another day.",
    )


def _on_days_of_the_week(frequency: str, found: re.Match[str], first_day: date) -> Recurrence | None:
    """What falls on days of the week: "every Monday", "on Tuesdays and Fridays"; None of "each Monday in January"."""
    if _ONLY_THEN.match(frequency, found.end()):
        return None
    named = frozenset(_DAYS[:5] if found["working"] else (d for d in _DAYS if d in found["days"].lower()))
    first = next(day for n in range(7) if _DAYS[(day := first_day + timedelta(n)).weekday()] in named)
    rule: dict[str, str | int | list[str]] = {
        "freq": "WEEKLY",
        "interval": 2 if found["other"] else 1,
        "byday": [day[:2].upper() for day in _DAYS if day in named],
    }
    return Recurrence(first, rule, f"Recurs {frequency}; the text names no first day.")
