"""Units of time, and how often something happens.

A month is 30.4375 days (365.25 / 12) and a year 365.25 days; a business day counts as one calendar day in ``hours``
and is flagged beside it, because weekends and holidays are the reader's law, not ours.
"""

from __future__ import annotations

import re
from math import ceil

from coditect.language.quantities.numbers import fraction
from coditect.language.tables import read_table

__all__ = ["ADVERB_FREQUENCY", "TIME_UNIT", "duration_hours", "normalise_unit", "period_per_year", "working_days_span"]

_TIME = read_table("time")

_HOURS = {unit: fraction(hours) for unit, hours in _TIME.mapping("hours").items()}
_DAY, _WEEKEND, _WORKING_WEEK = 24.0, 48.0, 5
_ALIASES = _TIME.mapping("abbreviations")

TIME_UNIT = (
    rf"(?:(?P<dayclass>{_TIME.pattern('kinds_of_days')})[\s-]+)?(?P<unit>{_TIME.pattern('units')})\b(?:['’]|(?=\W|$))"
)

ADVERB_FREQUENCY: dict[str, float] = {
    adverb: fraction(times) for adverb, times in _TIME.mapping("times_a_year").items()
}
"""Times a year, by adverb or adjective of frequency."""


def normalise_unit(unit: str) -> str:
    """The singular English name of a unit of time, or "" when it is none.

    Args:
        unit: "days", "Day", "hrs", ...
    """
    unit = unit.strip().lower().rstrip("'’")
    unit = _ALIASES.get(unit, unit)
    unit = unit[:-1] if unit.endswith("s") and unit[:-1] in _HOURS else unit
    return unit if unit in _HOURS else ""


def duration_hours(value: float, unit: str) -> float:
    """A length of time in hours.

    Args:
        value: how many of the unit, >= 0.
        unit: second, minute, hour, day, week, month, quarter, year or decade, plural or not.

    Returns:
        Hours, rounded to 4 decimals; month = 30.4375 d, year = 365.25 d.

    Raises:
        KeyError: not a unit of time.
    """
    return round(value * _HOURS[normalise_unit(unit)], 4)


def period_per_year(value: float, unit: str) -> float:
    """How often a year something happens that happens every ``value`` units.

    Args:
        value: length of the period, > 0.
        unit: a unit of time.

    Returns:
        Times per year, rounded to 2 decimals.
    """
    return round(8766.0 / duration_hours(value, unit), 2)


def working_days_span(hours: float) -> tuple[float, float]:
    """Between how many hours of the calendar a length of working days ends, by the weekends that it may hold.

    Five working days from a Sunday on end on Friday, and from a Friday on a week later; public holidays are not counted.

    Args:
        hours: of working days, each counted as 24, >= 0.

    Returns:
        (at least, at most) in hours of the calendar.
    """
    days = hours / _DAY
    weekends = max(0, ceil(days / _WORKING_WEEK) - 1), ceil(days / _WORKING_WEEK)
    return hours + weekends[0] * _WEEKEND, hours + weekends[1] * _WEEKEND


# "annual fee" is no frequency of an act; only nouns that name a recurring act count after the adjective.
RECURRING_NOUN = re.compile(rf"\s+(?:[\w-]+\s+){{0,2}}?(?:{_TIME.pattern('recurring_acts')})\b")
