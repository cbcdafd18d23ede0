"""Cells of a table in a PDF that stand close to each other: columns whose cells begin below each other, row by row.

Only where some rows are seen to be a table by their wide gaps: words of a text that begin below each other do so by chance.
"""

from __future__ import annotations

from collections.abc import Sequence

from coditect.documents.readers.pdf.printed import CELLS, Line, is_signed

__all__ = ["with_columns"]

_GAP = 0.5  # of the line's height, between words of two cells; between words of one it is a quarter
_ASTRAY_PT = 1.5  # how far the left ends of one column's cells may be apart
_FAR = 2.5  # of the line's height: rows are not further apart
_LEAST_ROWS = 3
_MOST_WORDS = 80  # of a row: time grows with their square
_LEAST_SEEN = 2
_MOST_LEFT_OUT = 0.25  # of the rows of a table, those that have no cell in a column


def with_columns(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page, where rows of a table are parted at every column that the rows have in common.

    Args:
        lines: in reading order, with the places of their words; lines without stay as they are.
    """
    found: list[Line] = []
    for rows in _tables(lines):
        columns = _columns(rows) if len(rows) >= _LEAST_ROWS else []
        found.extend(_parted(row, columns) for row in rows) if columns else found.extend(rows)
    return found


def _tables(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines in runs: those one below the other that may be rows of one table, and others one by one."""
    runs: list[list[Line]] = []
    for line in lines:
        if runs and _may_follow(runs[-1][-1], line):
            runs[-1].append(line)
        else:
            runs.append([line])
    return [part for run in runs for part in _around_seen(run)]


def _may_follow(before: Line, line: Line) -> bool:
    if (
        before.box is None
        or line.box is None
        or before.item
        or line.item
        or not 2 <= len(line.words) <= _MOST_WORDS
        or not 2 <= len(before.words) <= _MOST_WORDS
    ):
        return False
    height = before.box[3] - before.box[1]
    return 0.5 * height < before.box[1] - line.box[1] < _FAR * height and abs(before.box[0] - line.box[0]) <= _ASTRAY_PT


def _around_seen(run: list[Line]) -> list[list[Line]]:
    """A run as one table, if enough of its rows are seen to be rows; else line by line."""
    is_table = len(run) >= _LEAST_ROWS and sum(CELLS in each.text for each in run) >= max(_LEAST_SEEN, len(run) // 2)
    return [run] if is_table else [[each] for each in run]


def _columns(rows: Sequence[Line]) -> list[float]:
    """Where columns begin, from the second on: nothing of a row lies across, and nearly all rows have a cell there."""
    starts = sorted(left for row in rows for left in _starts(row))
    clusters: list[list[float]] = []
    for start in starts:
        if clusters and start - clusters[-1][0] <= _ASTRAY_PT:
            clusters[-1].append(start)
        else:
            clusters.append([start])
    least = max(_LEAST_ROWS, len(rows) * (1 - _MOST_LEFT_OUT))
    return [each[0] for each in clusters if len(each) >= least and not any(_lies_across(row, each[0]) for row in rows)]


def _starts(row: Line) -> list[float]:
    """The left ends of the words of a row that a gap stands before, which is none between a sign and its amount."""
    return [row.words[number][2][0] for number in range(1, len(row.words)) if _is_apart(row, number)]


def _is_apart(row: Line, number: int) -> bool:
    """Whether a gap stands before a word of a row."""
    (first, last, before), (start, end, box) = row.words[number - 1 : number + 1]
    return box[0] - before[2] >= _gap(row) and not is_signed(row.text[first:last], row.text[start:end])


def _gap(row: Line) -> float:
    return 0.0 if row.box is None else _GAP * (row.box[3] - row.box[1])


def _lies_across(row: Line, column: float) -> bool:
    return any(box[0] < column - _ASTRAY_PT and box[2] > column for _, _, box in row.words)


def _parted(row: Line, columns: Sequence[float]) -> Line:
    """A row with a border before each of its cells; borders that it had stay."""
    text, words, at = "", [], 0
    for number, (start, end, box) in enumerate(row.words):
        between = row.text[at:start]
        if number and between == " " and _is_apart(row, number):
            between = CELLS if any(0 <= box[0] - column <= _ASTRAY_PT for column in columns) else between
        text += between
        words.append((len(text), len(text) + end - start, box))
        text += row.text[start:end]
        at = end
    text += row.text[at:]
    return Line(text, row.box, tabular=row.tabular or CELLS in text, item=False, words=tuple(words))
