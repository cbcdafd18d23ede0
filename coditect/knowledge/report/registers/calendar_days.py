"""Days that lie a length of time before or behind another one, as contracts count: a month is a month of the calendar."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

__all__ = ["back", "last_day", "renewed_until"]

_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
_DAYS = {"day": 1, "week": 7}
_MOST_RENEWALS = 1_000


def _moved(day: date, value: float, unit: str, sign: int) -> date:
    """A day so much later (sign 1) or earlier (-1); the last day of a month where it has no such day."""
    if unit in _MONTHS:
        months = day.month - 1 + sign * round(value * _MONTHS[unit])
        year, month = day.year + months // 12, months % 12 + 1
        if not date.min.year <= year <= date.max.year:
            return date.max if sign > 0 else date.min
        return date(year, month, min(day.day, monthrange(year, month)[1]))
    try:
        return day + sign * timedelta(days=round(value * _DAYS.get(unit, 1)))
    except OverflowError:
        return date.max if sign > 0 else date.min


def last_day(begins: str, value: float, unit: str) -> str:
    """The last day of a term that begins on a day: three years from 2024-01-01 end on 2026-12-31.

    Args:
        begins: ISO 8601.
        value: how long, in units.
        unit: day, week, month, quarter, year or decade.

    Returns:
        ISO 8601.
    """
    return (_moved(date.fromisoformat(begins), value, unit, 1) - timedelta(days=1)).isoformat()


def back(day: str, value: float, unit: str) -> str:
    """The day that lies a length of time before another one, ISO 8601: 60 days before 2026-12-31 are 2026-11-01."""
    return _moved(date.fromisoformat(day), value, unit, -1).isoformat()


def renewed_until(ends: str, value: float, unit: str, today: str, most: int | None) -> tuple[str, int]:
    """The last day of the term that runs on a day, where each term is followed by another one.

    Args:
        ends: the last day of the first term, ISO 8601.
        value: how long each further term is, in units.
        unit: of it.
        today: the day, ISO 8601.
        most: how many further terms there may be; None: any number.

    Returns:
        (the last day, how many further terms that counts); where the terms are used up the last day of the last one.
    """
    after, times = date.fromisoformat(ends) + timedelta(days=1), 0
    first, day = after, date.fromisoformat(today)
    while after <= day and times < (_MOST_RENEWALS if most is None else most):
        times += 1
        after = _moved(first, value * times, unit, 1)
        if after == date.max:
            break
    return (after - timedelta(days=1)).isoformat(), times
