"""Dates: which forms are read, how sure each is, and where a number is no day or month."""

from __future__ import annotations

import pytest

from coditect.language.quantities.dates import find_dates


def _read(text: str) -> list[tuple[str, float]]:
    return [(str(each.data["iso"]), each.confidence) for each in find_dates(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "iso", "confidence"),
    [
        ("due on 1 March 2025", "2025-03-01", 0.95),
        ("due on March 31, 2025", "2025-03-31", 0.95),
        ("due on 2025-03-31", "2025-03-31", 0.95),
        ("due in March 2025", "2025-03", 0.9),
        ("due on March 31 of each year", "--03-31", 0.75),
        ("due on 31/12/2024", "2024-12-31", 0.95),
        ("due on 13/1/2024", "2024-01-13", 0.95),
        ("due on 12/31/2024", "2024-12-31", 0.95),
        ("due on 1/13/2024", "2024-01-13", 0.95),
        ("due on 5/5/2024", "2024-05-05", 0.95),
        ("due on 12/12/2024", "2024-12-12", 0.95),
        ("due on 1/1/2024", "2024-01-01", 0.95),
        ("due on 4/5/2024", "2024", 0.7),
        ("due on 12/11/2024", "2024", 0.7),
        ("due on 1/12/2024", "2024", 0.7),
    ],
)
def test_date_has_its_day_month_and_certainty(text: str, iso: str, confidence: float) -> None:
    """What may be the day or the month leaves the year alone, and less sure; all else is one day."""
    assert _read(text) == [(iso, confidence)]


@pytest.mark.parametrize(
    "text",
    [
        "due on 32 March 2025",
        "due on 0 March 2025",
        "due on March 32, 2025",
        "due on 32/12/2024",
        "due on 12/32/2024",
        "due on 0/13/2024",
        "due on 13/0/2024",
        "due on 31/13/2024",
        "due on 13/13/2024",
    ],
)
def test_day_or_month_that_cannot_be_makes_no_date(text: str) -> None:
    """There is no 32nd day, no 13th month, and nothing before the first of either."""
    assert all("-" not in iso for iso, _ in _read(text))


@pytest.mark.parametrize(
    ("text", "comparator"),
    [
        ("pay by 1 March 2025", "before"),
        ("pay after 1 March 2025", "after"),
        ("pay on 1 March 2025", ""),
        ("by then all was paid on 1 March 2025", ""),
    ],
)
def test_date_is_compared_by_the_word_before_it(text: str, comparator: str) -> None:
    """Only the word just before the date says on which side of it something is to be done."""
    (found,) = find_dates(text, 0, len(text))
    assert (found.data.get("comparator") or "") == comparator
    assert text[found.start : found.end] == "1 March 2025"


def test_date_is_read_only_where_one_was_asked_for() -> None:
    """Offsets count in the whole text, and what stands outside of the stretch is not read."""
    text = "Paid on 1 May 2024. Due on 2 June 2025. Void on 3 July 2026."
    (found,) = find_dates(text, 20, 39)
    assert text[found.start : found.end] == "2 June 2025"
