"""When an exception was granted, since when it holds, for how long, and until when, as its sentence says it."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass

from coditect.documents.profile.agreements.facts import Length, lengths_in
from coditect.documents.profile.waivers.facts import NOUN, TABLE, whole
from coditect.language.quantities.dates import find_dates

__all__ = ["BLOT", "WaiverTimes", "day_of", "masked", "times_of"]

_I = re.IGNORECASE
BLOT = "¤"
"""What dates are written over with."""

_OPEN = whole("open_ended")
_DAY, _MONTH, _YEAR = len("2026-01-31"), len("2026-01"), len("2026")
_FILL = rf"(?:[\s,:]+(?:{TABLE.pattern('between_words')}))*[\s,:(]*$"
_UNTIL = re.compile(rf"\b(?:{TABLE.pattern('until_words')}){_FILL}", _I)
_FROM = re.compile(rf"\b(?:{TABLE.pattern('from_words')}){_FILL}", _I)
_ENDING_YEAR = re.compile(r"\bend\s+of\s+(?:the\s+)?(?:calendar\s+)?(?:year\s+)?(?P<year>(?:19|20)\d\d)\b", _I)
_QUARTER = re.compile(
    r"\bend\s+of\s+(?:Q(?P<q>[1-4])|the\s+(?P<w>first|second|third|fourth)\s+quarter\s+of)[\s,]+(?P<year>(?:19|20)\d\d)\b",
    _I,
)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_HELD_FOR = re.compile(
    r"(?:\bfor\s+(?:an?\s+|the\s+)?(?:(?:further|additional|initial|maximum|another)\s+)?(?:(?:period|term|duration)\s+(?:of\s+)?)?"
    r"(?:up\s+to\s+)?|\bvalid(?:ity)?\s+(?:for|of)\s+|\bafter\s+|\bwithin\s+|\blasts?\s+|\bduration\s*(?:of|:)\s*"
    r"|\b(?:until|an?|the|one)\s+(?:the\s+)?)$",
    _I,
)
_KIND_FOLLOWS = re.compile(rf"\W*(?:[\w-]+\s+){{0,2}}?{NOUN}\b", _I)
_LEADING = re.compile(r"^\W*(?:until|till|through)\b[^,;]*\Z", _I)
_BEFORE = 48


@dataclass(frozen=True, slots=True)
class WaiverTimes:
    """The times of an exception.

    Attributes:
        granted: when it was granted, ISO 8601; "" where that is not said.
        begins: from when it holds, likewise.
        until: its last day, likewise.
        is_open: whether it is said to have no end.
        length: how long it holds.
        start: where the first of them stands, in code points; the length of the text where there is none.
    """

    granted: str = ""
    begins: str = ""
    until: str = ""
    is_open: bool = False
    length: Length | None = None
    start: int = 0


def masked(text: str) -> str:
    """A sentence with its dates blotted out, so that the month of May is no verb; offsets stay."""
    for mark in find_dates(text, 0, len(text)):
        text = f"{text[: mark.start]}{BLOT * (mark.end - mark.start)}{text[mark.end :]}"
    return text


def day_of(iso: str, *, last: bool) -> str:
    """A whole day out of a date that may be a month or a year; "" for what is none.

    Args:
        iso: as the reader of dates gives it.
        last: whether the last day of it is meant, or the first.
    """
    if len(iso) == _DAY and not iso.startswith("-"):
        return iso
    if len(iso) == _MONTH and not iso.startswith("-"):
        year, month = int(iso[:4]), int(iso[5:])
        return f"{iso}-{monthrange(year, month)[1] if last else 1:02d}"
    return ""


def times_of(text: str, start: int = 0, end: int | None = None) -> WaiverTimes:
    """The times in a part of a sentence.

    Args:
        text: the sentence.
        start: first code point that is read.
        end: one past the last; None: to its end.
    """
    end = len(text) if end is None else end
    granted = begins = until = ""
    at = end
    for mark in find_dates(text, start, end):
        before = text[max(start, mark.start - _BEFORE) : mark.start]
        iso = str(mark.data.get("iso") or "")
        leading = _LEADING.match(text[start : mark.start]) is not None
        if leading or (_UNTIL.search(before) and not _FROM.search(before)):
            until, at = until or day_of(iso, last=True), min(at, mark.start)
        elif _FROM.search(before):
            begins, at = begins or day_of(iso, last=False), min(at, mark.start)
        elif len(iso) == _DAY:
            granted, at = granted or day_of(iso, last=False), min(at, mark.start)
    until = until or _end_of(text, start, end)
    open_ended = _OPEN.search(text, start, end)
    length = _length(text, start, end)
    at = min(at, open_ended.start() if open_ended else end, length.start if length else end)
    return WaiverTimes(granted, begins, until, open_ended is not None and not until, length, at)


def _end_of(text: str, start: int, end: int) -> str:
    """The last day of a year or a quarter that is named as one."""
    if year := _ENDING_YEAR.search(text, start, end):
        return f"{year['year']}-12-31"
    if quarter := _QUARTER.search(text, start, end):
        month = 3 * (int(quarter["q"]) if quarter["q"] else _QUARTERS[quarter["w"].casefold()])
        return f"{quarter['year']}-{month:02d}-{monthrange(int(quarter['year']), month)[1]}"
    return ""


def _length(text: str, start: int, end: int) -> Length | None:
    for length in lengths_in(text, start, end):
        if _HELD_FOR.search(text[max(0, length.start - _BEFORE) : length.start]) or _KIND_FOLLOWS.match(
            text, length.end
        ):
            return length
    return None
