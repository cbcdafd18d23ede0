"""Calendar dates in the forms that contracts and laws use, as ISO 8601 as far as they are certain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.language.marks import JsonValue, Mark, sort_data
from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table

__all__ = ["find_dates"]

_TIME = read_table("time")
_MONTHS = {name: number for number, names in enumerate(_TIME.groups("months"), start=1) for name in names}
# Months are matched with a capital, so that the verb "may" is never a date.
_MONTH = f"(?:{_TIME.pattern('month_forms')}|{'|'.join(names[0].upper() for names in _TIME.groups('months'))})"
_DATE = quick(
    rf"\b(?P<m1>{_MONTH})\s+(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:\s*,\s*|\s+)(?P<y1>(?:19|20)\d\d)\b"
    rf"|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+day)?(?:\s+of)?\s+(?P<m2>{_MONTH}),?\s+(?P<y2>(?:19|20)\d\d)\b"
    rf"|\b(?P<m3>{_MONTH}),?\s+(?P<y3>(?:19|20)\d\d)\b"
    r"|(?<![\d-])(?P<y4>(?:19|20)\d\d)-(?P<m4>0[1-9]|1[0-2])-(?P<d4>0[1-9]|[12]\d|3[01])(?![\d-])"
    r"|(?<![\d/])(?P<a5>\d{1,2})/(?P<b5>\d{1,2})/(?P<y5>(?:19|20)\d\d)(?![\d/])"
    rf"|\b(?P<m6>{_MONTH})\s+(?P<d6>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\s*[,.]?\d)"
)
_DIGIT = re.compile(r"\d")
_HINT = quick(r"(?:19|20)\d\d|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|[JFMASOND][A-Z]{2,8})[a-z]*\.?\s+\d")
_PREFIX = re.compile(
    rf"\b(?:(?P<by>{_TIME.pattern('before_dates')})|(?P<from>{_TIME.pattern('after_dates')}))\s+$", re.IGNORECASE
)


def find_dates(text: str, start: int, end: int) -> Iterator[Mark]:
    """Dates in ``text[start:end]``.

    Numeric dates are read month first, as in the United States, unless the first number is over 12; where both orders
    are possible only the year is given as ``iso`` and the confidence is lower.

    Args:
        text: the canonical text.
        start: first code point to read.
        end: one past the last.

    Yields:
        Marks of kind "quantity" with quantity_kind "date" and ``iso`` ("2026-11-20", "2026-11", "--11-20" or "2026").
    """
    if _DIGIT.search(text, start, end) is None or _HINT.search(text, start, end) is None:
        return
    for match in _DATE.finditer(text, start, end):
        iso, confidence = _iso(match)
        if not iso:
            continue
        prefix = _PREFIX.search(text, max(start, match.start() - 24), match.start())
        comparator = "" if prefix is None else ("before" if prefix["by"] else "after")
        data: dict[str, JsonValue | None] = {
            "quantity_kind": "date",
            "text": match[0],
            "value": match[0],
            "unit": "date",
            "iso": iso,
            "comparator": comparator,
        }
        yield Mark("quantity", match.start(), match.end(), sort_data(data), confidence)


def _iso(match: re.Match[str]) -> tuple[str, float]:
    """The ISO form of a match and how sure it is; "" where the day or month cannot be."""
    if match["y5"]:
        first, second = int(match["a5"]), int(match["b5"])
        if first > 12:
            first, second = second, first
        elif second <= 12 and first != second:
            return match["y5"], 0.7
        return (
            (f"{match['y5']}-{first:02d}-{second:02d}", 0.95) if 1 <= first <= 12 and 1 <= second <= 31 else ("", 0.0)
        )
    if match["y4"]:
        return match[0], 0.95
    if match["y3"]:
        return f"{match['y3']}-{_month(match['m3']):02d}", 0.9
    day = int(match["d1"] or match["d2"] or match["d6"])
    if not 1 <= day <= 31:
        return "", 0.0
    if match["m6"]:
        return f"--{_month(match['m6']):02d}-{day:02d}", 0.75
    month = _month(match["m1"] or match["m2"])
    return f"{match['y1'] or match['y2']}-{month:02d}-{day:02d}", 0.95


def _month(name: str) -> int:
    """1..12 for an English month name or its abbreviation."""
    return _MONTHS[name.lower().rstrip(".")]
