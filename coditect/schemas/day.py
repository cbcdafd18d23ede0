"""Days and times as they are given: each is written in one form, and a day is one that the calendar has."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

from coditect.errors import UsageError

__all__ = ["Day", "DescribedDay", "is_day", "is_time", "require_day", "require_day_or_time", "require_time"]

DAY_HINT = "Write YYYY-MM-DD, as 2026-09-30."
TIME_HINT = "Write it in UTC, as 2026-09-30T08:00:00Z."
EITHER_HINT = "Write a day, as 2026-09-30, or a time in UTC, as 2026-09-30T08:00:00Z."

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def is_day(text: str) -> bool:
    """Whether it is a day of the calendar, written YYYY-MM-DD."""
    if not _DAY.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def is_time(text: str) -> bool:
    """Whether it is a time in UTC, written YYYY-MM-DDTHH:MM:SSZ, as records have it."""
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def require_day(name: str, text: str | None) -> None:
    """See to it that what was given as a day is one.

    Args:
        name: of the parameter, as the error names it.
        text: what was given; None: nothing was.

    Raises:
        UsageError: there is no such day, or it is not written YYYY-MM-DD.
    """
    if text is not None and not is_day(text):
        raise UsageError("there is no such day", hint=DAY_HINT, **{name: text})


def require_time(name: str, text: str | None) -> None:
    """See to it that what was given as a time is one.

    Args:
        name: of the parameter, as the error names it.
        text: what was given; None: nothing was.

    Raises:
        UsageError: there is no such time, or it is not written as records have it.
    """
    if text is not None and not is_time(text):
        raise UsageError("there is no such time", hint=TIME_HINT, **{name: text})


def require_day_or_time(name: str, text: str) -> None:
    """See to it that what was given as a day or a time is one of both.

    Args:
        name: of the parameter, as the error names it.
        text: what was given; "": nothing was.

    Raises:
        UsageError: it is neither, or not written as these are.
    """
    if text and not is_day(text) and not is_time(text):
        raise UsageError("neither a day nor a time", hint=EITHER_HINT, **{name: text})


def _day(text: str) -> str:
    if not _DAY.fullmatch(text):
        raise ValueError("a date is written YYYY-MM-DD, as 2026-03-18")
    if not is_day(text):
        raise ValueError("there is no such day; a date is written YYYY-MM-DD, as 2026-03-18")
    return text


Day = Annotated[str, AfterValidator(_day)]
"""A day of the calendar, YYYY-MM-DD, where a person or a program gives it. What is stored is read as it stands."""

DescribedDay = Annotated[Day, WithJsonSchema({"type": "string", "format": "date", "pattern": r"^\d{4}-\d{2}-\d{2}$"})]
"""The same, with its form in descriptions of the API."""
