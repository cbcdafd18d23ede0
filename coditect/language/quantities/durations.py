"""Units of time, and how often something happens.

A month is 30.4375 days (365.25 / 12) and a year 365.25 days; a business day counts as one calendar day in ``hours``
and is flagged beside it, because weekends and holidays are the reader's law, not ours.
"""

from __future__ import annotations

import re

__all__ = ["ADVERB_FREQUENCY", "TIME_UNIT", "duration_hours", "normalise_unit", "period_per_year"]

_HOURS = {
    "second": 1 / 3600,
    "minute": 1 / 60,
    "hour": 1.0,
    "day": 24.0,
    "week": 168.0,
    "month": 730.5,
    "quarter": 2191.5,
    "year": 8766.0,
    "decade": 87660.0,
}
_ALIASES = {"hr": "hour", "hrs": "hour", "min": "minute", "mins": "minute", "yr": "year", "yrs": "year"}

TIME_UNIT = (
    r"(?:(?P<dayclass>business|working|banking|calendar|consecutive|full|fiscal|clear|trading)[\s-]+)?"
    r"(?P<unit>days?|hours?|months?|years?|weeks?|minutes?|seconds?|quarters?|decades?|hrs?|yrs?|mins?)\b(?:['’]|(?=\W|$))"
)

# Adverbs and adjectives of frequency, in times per year. "bi-" is left out where English is ambiguous.
ADVERB_FREQUENCY: dict[str, float] = {
    "annually": 1.0, "yearly": 1.0, "annual": 1.0,
    "semi-annually": 2.0, "semiannually": 2.0, "semi-annual": 2.0, "semiannual": 2.0, "half-yearly": 2.0,
    "biennially": 0.5, "biennial": 0.5, "triennially": 1 / 3,
    "quarterly": 4.0, "monthly": 12.0, "weekly": 52.18, "daily": 365.25, "hourly": 8766.0, "nightly": 365.25,
    "semi-monthly": 24.0, "fortnightly": 26.09,
}  # fmt: skip


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
        value: how many, >= 0.
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


# "annual fee" is no frequency of an act; only nouns that name a recurring act count after the adjective.
RECURRING_NOUN = re.compile(
    r"\s+(?:[\w-]+\s+){0,2}?(?:reviews?|audits?|assessments?|trainings?|reports?|reporting|tests?|testing|inspections?"
    r"|scans?|evaluations?|statements?|meetings?|backups?|certifications?|basis|exercises?|notices?|updates?)\b"
)
