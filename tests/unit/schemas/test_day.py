"""Days and times as they are given: one form each, and only what the calendar has."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from coditect.errors import UsageError
from coditect.schemas.day import Day, is_day, is_time, require_day, require_day_or_time, require_time

NO_DAYS = (
    "2026-94-10", "2026-02-30", "2025-02-29", "0000-01-01", "2026-W40-3", "20260930", "2026-9-30", "26-09-30", "30.09.2026",
    "2026-09-30T08:00:00Z", " 2026-09-30", "2026-09-30\n", "٢٠٢٦-٠٩-٣٠", "today", "",
)  # fmt: skip
NO_TIMES = (
    "2026-94-10T08:00:00Z", "2026-09-30T24:00:01Z", "2026-09-30T08:60:00Z", "2026-09-30T8:0:0Z", "2026-09-30T08:00:00+02:00",
    "2026-09-30T08:00:00", "2026-09-30 08:00:00Z", "2026-09-30",
)  # fmt: skip


@pytest.mark.parametrize("text", NO_DAYS)
def test_what_is_no_day_is_refused_with_the_parameter_and_the_form(text: str) -> None:
    """By the use cases as by the models of requests."""
    assert not is_day(text)
    with pytest.raises(UsageError, match=r"there is no such day \(today=.*Write YYYY-MM-DD, as 2026-09-30"):
        require_day("today", text)
    with pytest.raises(ValidationError, match="YYYY-MM-DD"):
        TypeAdapter(Day).validate_python(text)


@pytest.mark.parametrize("text", NO_TIMES)
def test_what_is_no_time_is_refused_with_the_parameter_and_the_form(text: str) -> None:
    """Times are compared as they are written, so that they are written in one way."""
    assert not is_time(text)
    with pytest.raises(UsageError, match=r"there is no such time \(at=.*in UTC, as 2026-09-30T08:00:00Z"):
        require_time("at", text)


def test_days_and_times_of_the_calendar_pass() -> None:
    """The day of a leap year, too; and where nothing was given there is nothing to refuse."""
    for day in ("2024-02-29", "2026-09-30"):
        require_day("today", day)
        require_day_or_time("since", day)
        assert TypeAdapter(Day).validate_python(day) == day
    require_time("at", "2026-09-30T08:00:00Z")
    require_day_or_time("since", "2026-09-30T08:00:00Z")
    require_day("today", None)
    require_time("at", None)
    require_day_or_time("since", "")
    with pytest.raises(UsageError, match=r"neither a day nor a time \(until='2026-09'\)"):
        require_day_or_time("until", "2026-09")
