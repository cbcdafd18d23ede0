"""Table rows as the readers print them: "Label: value | Label: value" below a header "Label | Label".

Tables of plain text have columns that only white space parts, below a line of labels; of these only the dates are read below a
label for when something is due or ends::

    Holder   Certificate                    Expires     Remark
    Gannet   Pollution Prevention           2026-09-14  no survey booked
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from coditect.language.matched import as_matched
from coditect.language.patterns.beginnings import quick
from coditect.language.quantities.dates import find_dates
from coditect.language.tables import read_table

__all__ = [
    "DatedColumn",
    "cells",
    "columns",
    "dated_column",
    "dates_of",
    "due_at",
    "due_cell",
    "due_cells",
    "due_in",
    "due_lines",
    "empty_columns",
    "is_row",
    "labels",
    "printed_cells",
]

_BAR = " | "
_BARS = re.compile(r"(?:\A|(?<= ))\|(?= |\Z)")
"""What parts cells, with those that are empty: white space is printed once, "a | | c"."""

_LABELLED = re.compile(r"(?P<label>[A-Z][\w /()&'’-]{1,48}): (?P<value>\S.*)", re.DOTALL)
_DATE = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")

_DUE_LABEL = quick(rf"\b(?:{read_table('open_points').pattern('due_labels')})\b", re.IGNORECASE)
_FIELD = re.compile(r"\S+(?: \S+)*")
_DUE_COLUMN = re.compile(
    rf"(?:[\w/-]+ ){{0,3}}(?:{read_table('open_points').pattern('due_labels')})(?: (?:on|by|until))?", re.IGNORECASE
)
"""A label that says so at its end: "Next test due", "Certificate valid until"; "End users" and "conversion and end use" do not."""

_NO_BRACKETS = str.maketrans("()", "  ")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
"""What stands in brackets in a label: words of it, "valid (until)", or how it is written, "due date (UTC)"."""

_ASIDE = 4
"""Characters by which a value may stand beside the beginning of its label."""

FEWEST_COLUMNS = 3
LONGEST_LINE = 240
_FULL_DATE = len("2026-01-01")

MOST_ROWS_HAVE = 0.75
"""Share of a table's rows that fill a column before an empty cell in it is worth a note."""

FEW_ROWS = 4
"""Rows below which a table says nothing about what its rows usually fill."""


def is_row(text: str) -> bool:
    """Whether a sentence is a row of a table."""
    return _BAR in text


def cells(text: str) -> dict[str, str]:
    """Value by label of a row; for a row of two plain cells the first is the label. {} where there are no labels.

    Repeated labels keep their first value.
    """
    parts = [part.strip() for part in as_matched(text).split(_BAR)]
    if len(parts) < 2:
        return {}
    labelled = [_LABELLED.fullmatch(part) for part in parts]
    found: dict[str, str] = {}
    if all(labelled):
        for match in labelled:
            if match is not None:
                found.setdefault(match["label"], match["value"])
    elif len(parts) == 2 and parts[0] and parts[1]:
        found[parts[0]] = parts[1]
    return found


def columns(text: str) -> tuple[str, ...]:
    """The labels of a header row of at least three plain cells; () for any other text."""
    parts = tuple(part.strip() for part in as_matched(text).split(_BAR))
    return parts if len(parts) > 2 and not any(_LABELLED.fullmatch(part) for part in parts) else ()


def labels(text: str) -> tuple[str, ...]:
    """The label of each cell of a row, those that it prints as empty with them; "" for a cell without one."""
    found = (_LABELLED.fullmatch(part) for part in printed_cells(text))
    return tuple(match["label"] if match is not None else "" for match in found)


def printed_cells(text: str) -> tuple[str, ...]:
    """The cells of a row as printed, those that are empty with them."""
    return tuple(part.strip() for part in _BARS.split(as_matched(text)))


def dates_of(text: str) -> tuple[str, ...]:
    """ISO dates in a text, in order; as strings they sort by time."""
    return tuple(_DATE.findall(as_matched(text)))


def empty_columns(rows: Sequence[dict[str, str]]) -> list[tuple[str, ...]]:
    """For each row of one table, the labels that it leaves empty and most others fill.

    A column that decides whether another can be filled is not known here, so what is found is a note, not a verdict.

    Args:
        rows: labelled rows of one table, in order.
    """
    if len(rows) < FEW_ROWS:
        return [() for _ in rows]
    counts = Counter(label for row in rows for label in row)
    usual = [label for label, count in counts.items() if MOST_ROWS_HAVE * len(rows) <= count < len(rows)]
    return [tuple(label for label in usual if label not in row) for row in rows]


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
    named = next((field for field in fields if _says_due(field[0])), None)
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


def due_cell(header: str) -> tuple[int, str] | None:
    """Which cell of a table with bars says when something is due or ends, by its line of labels; None where none does.

    Args:
        header: a row.

    Returns:
        its number from 0, and its label.
    """
    labels = columns(header)
    if any(any(c.isdigit() for c in label) for label in labels):
        return None
    return next(((at, label) for at, label in enumerate(labels) if _says_due(label)), None)


def _says_due(label: str) -> bool:
    """Whether a column's label says that its dates are when something is due or ends."""
    forms = (label.translate(_NO_BRACKETS), _IN_BRACKETS.sub(" ", label))
    return any(_DUE_COLUMN.fullmatch(" ".join(each.split()).rstrip(":")) for each in forms)


def due_at(row: str, at: int, count: int) -> str:
    """The ISO date that is all of a cell of a row; "" where it is none, carries its label, or the row has another number of cells.

    Args:
        row: a row of a table with bars.
        at: number of the cell from 0.
        count: how many cells the line of labels has.
    """
    parts = [part.strip() for part in as_matched(row).split(_BAR)]
    if len(parts) != count:
        return ""
    value = parts[at]
    if _LABELLED.fullmatch(value):
        return ""  # a row that carries its labels needs no line of them
    for mark in find_dates(value, 0, len(value)):
        iso = str(mark.data.get("iso") or "")
        if len(iso) == _FULL_DATE and mark.end - mark.start >= len(value) - 1:
            return iso
    return ""


def due_cells(text: str) -> Iterator[str]:
    """The due dates of the rows of tables with bars in a text.

    Args:
        text: the canonical text; one row is one line.
    """
    column: tuple[int, int] | None = None
    for line in text.splitlines() if _due_labels(text) else ():
        if not is_row(line):
            continue
        if (named := due_cell(line)) is not None:
            column = named[0], len(columns(line))
        elif column is not None and (due := due_at(line, *column)):
            yield due


def due_lines(text: str) -> Iterator[tuple[int, str]]:
    """(first code point, due date) of each row of such tables in a text, and (first code point, "") of their labels.

    Args:
        text: the canonical text.
    """
    for first, last in _due_labels(text):
        start = text.rfind("\n", 0, first) + 1
        end = text.find("\n", last)
        column = dated_column(text[start : end if end >= 0 else len(text)])
        if column is None or end < 0:
            continue
        yield start, ""
        yield from _rows(text, end + 1, column)


@lru_cache(maxsize=1)  # whoever keeps sentences of a document asks, and whoever makes its profile
def _due_labels(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _DUE_LABEL.finditer(text))


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
