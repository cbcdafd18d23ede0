"""Days that lie a length of time apart, as contracts count them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.knowledge.report.registers.calendar_days import back, last_day, renewed_until

DAYS = st.dates(date(1990, 1, 1), date(2060, 12, 31)).map(date.isoformat)
UNITS = st.sampled_from(("day", "week", "month", "quarter", "year"))


@pytest.mark.parametrize(
    ("begins", "value", "unit", "ends"),
    [
        ("2024-01-01", 3, "year", "2026-12-31"),
        ("2024-02-29", 1, "year", "2025-02-27"),
        ("2023-08-31", 6, "month", "2024-02-28"),
        ("2024-01-01", 30, "day", "2024-01-30"),
        ("2024-01-01", 1.5, "year", "2025-06-30"),
        ("2024-01-01", 2, "week", "2024-01-14"),
    ],
)
def test_the_last_day_of_a_term(begins: str, value: float, unit: str, ends: str) -> None:
    assert last_day(begins, value, unit) == ends


def test_a_day_before_another() -> None:
    assert back("2026-12-31", 60, "day") == "2026-11-01"
    assert back("2024-03-31", 1, "month") == "2024-02-29"


def test_days_beyond_the_calendar_are_its_ends() -> None:
    assert last_day("2024-01-01", 9_999, "year") == "9999-12-30"
    assert back("2024-01-01", 9_999, "year") == "0001-01-01"


@given(DAYS, st.integers(1, 40), UNITS, DAYS)
def test_the_term_that_runs_on_a_day_holds_it(ends: str, value: int, unit: str, today: str) -> None:
    """It ends on the day or later, and one renewal fewer would not; nothing is renewed before its time."""
    found, times = renewed_until(ends, value, unit, today, None)
    if times < 1_000:
        assert found >= today or times == 0
    if times == 0:
        assert found == ends
    else:
        assert renewed_until(ends, value, unit, today, times - 1)[0] < today


@given(DAYS, st.integers(1, 40), UNITS, DAYS, st.integers(0, 5))
def test_no_more_renewals_are_counted_than_there_are(ends: str, value: int, unit: str, today: str, most: int) -> None:
    found, times = renewed_until(ends, value, unit, today, most)
    assert times <= most
    assert found >= ends
