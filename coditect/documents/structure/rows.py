"""What a row of a table is cited by: the number of the requirement that it holds, "4.1.4 | Verify that", "req_id: V3.6.1 | …"."""

from __future__ import annotations

import re

__all__ = ["SEPARATOR", "is_row", "row_number"]

SEPARATOR = " | "
"""What stands between the cells of a row in the canonical text."""

# "V3.6.1", "4.1.4", "PR.AC-1", "A.5.1", "12(a)", "REQ-7", "(a)"; a figure has no letter and no point, or a sign behind it.
_NUMBER = re.compile(
    r"(?:[A-Z]{1,6}[.-]?(?:[A-Z]{2,4}[.-])?)?\d{1,4}(?:[.-][A-Za-z\d]{1,4}){0,5}(?:\([A-Za-z\d]{1,4}\))*\.?|\([a-z\d]{1,4}\)"
)
_NAMED = re.compile(r"(?P<name>[^:|]{1,40}):\s+(?P<value>[^\s].*)", re.DOTALL)
_FIGURE = re.compile(r"\d+\.?\d*|\d{4}.*")
_MOST_CELLS = 8
_SENTENCE_WORDS = 12
_LONGEST = 600


def is_row(text: str, start: int) -> bool:
    """Whether a row of a table begins here: a line of several cells.

    Args:
        text: the canonical text.
        start: a code point.
    """
    if start > 0 and text[start - 1] != "\n":
        return False
    return SEPARATOR in text[start : start + _LONGEST].partition("\n")[0]


def row_number(text: str, start: int) -> str:
    """The number by which a row is cited, or the empty text where it has none.

    It stands alone in the first cell, or in a cell of its own before the first one that has a sentence; of several that have a name
    ("section_id: V3.6 | req_id: V3.6.1") that with the most parts counts.

    Args:
        text: the canonical text.
        start: where the row begins.
    """
    numbers: list[str] = []
    for position, cell in enumerate(text[start : start + _LONGEST].partition("\n")[0].split(SEPARATOR)[:_MOST_CELLS]):
        named = _NAMED.fullmatch(cell)
        words = (named["value"] if named else cell).strip(" *")
        if _NUMBER.fullmatch(words):
            numbers += [words.rstrip(".")] if named or position == 0 else []
        elif len(words.split()) >= _SENTENCE_WORDS or (named is None and words):
            break
    counted = [each for each in numbers if not _is_figure(each)] or (numbers[:1] if _is_counted(numbers) else [])
    return max(counted, key=lambda each: len(re.findall(r"[A-Za-z\d]+", each)), default="")


def _is_figure(words: str) -> bool:
    return _FIGURE.fullmatch(words) is not None


def _is_counted(numbers: list[str]) -> bool:
    """Whether a bare number in the first cell may count rows: it is no year and no amount."""
    return bool(numbers) and len(numbers[0]) <= _MOST_DIGITS


_MOST_DIGITS = 3
