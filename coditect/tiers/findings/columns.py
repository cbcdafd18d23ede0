"""Tables of plain text: columns that only white space parts, below a line of labels.

    Holder   Certificate                    Expires     Remark
    Gannet   Pollution Prevention           2026-09-14  no survey booked

What is told of such a table are the dates below a label for when something is due or ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from coditect.language.quantities.dates import find_dates
from coditect.language.tables import read_table

__all__ = ["DatedColumn", "dated_column", "due_in", "due_lines"]

_DUE_LABEL = re.compile(rf"\b(?:{read_table('open_points').pattern('due_labels')})\b", re.IGNORECASE)
_FIELD = re.compile(r"\S+(?: \S+)*")
_ASIDE = 4
"""Characters by which a value may stand beside the beginning of its label."""

FEWEST_COLUMNS = 3
LONGEST_LINE = 240
_FULL_DATE = len("2026-01-01")


@dataclass(frozen=True, slots=True)
class DatedColumn:
    """The column of a table of plain text that says when something is due or ends.

    Attributes:
        label: as printed: "Expires".
        at: where it begins, in characters from the beginning of its line.
        first: the label of the first column.
    """

    label: str
    at: int
    first: str


def dated_column(line: str) -> DatedColumn | None:
    """The column of due dates that a line of labels announces; None for any other line.

    Args:
        line: a line of text, without what stands before its first label.
    """
    if len(line) > LONGEST_LINE or "|" in line or "  " not in line or _DUE_LABEL.search(line) is None:
        return None
    fields = list(_FIELD.finditer(line))
    if len(fields) < FEWEST_COLUMNS or any(c.isdigit() for c in line) or not all(f[0][0].isupper() for f in fields):
        return None
    named = next((field for field in fields if _DUE_LABEL.search(field[0])), None)
    return None if named is None else DatedColumn(named[0], named.start(), fields[0][0])


def due_in(line: str, column: DatedColumn) -> str:
    """The ISO date that a line has in a column; "" where it has none there."""
    if len(line) > LONGEST_LINE or not line[:1].strip():
        return ""
    for mark in find_dates(line, 0, len(line)):
        iso = str(mark.data.get("iso") or "")
        if abs(mark.start - column.at) <= _ASIDE and len(iso) == _FULL_DATE:
            return iso
    return ""


def due_lines(text: str) -> Iterator[tuple[int, str]]:
    """(first code point, due date) of each row of such tables in a text, and (first code point, "") of their labels.

    Args:
        text: the canonical text.
    """
    for match in _DUE_LABEL.finditer(text):
        start = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.end())
        column = dated_column(text[start : end if end >= 0 else len(text)])
        if column is None or end < 0:
            continue
        yield start, ""
        yield from _rows(text, end + 1, column)


def _rows(text: str, at: int, column: DatedColumn) -> Iterable[tuple[int, str]]:
    """The rows below a line of labels, up to an empty line that rows do not go on behind."""
    while at < len(text):
        end = text.find("\n", at)
        end = end if end >= 0 else len(text)
        line = text[at:end]
        if not line.strip():
            return
        due = due_in(line, column)
        if due:
            yield at, due
        at = end + 1
