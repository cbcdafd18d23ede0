"""Rows of a table of terms in a PDF: cells that stand close to each other, and cells of several lines, put together by the columns.

Only below a line that names such columns ("Term", "Definition"): anywhere else words that stand below each other may be anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from coditect.documents.readers.pdf.placing import Box, Placed
from coditect.documents.readers.pdf.printed import CELLS, Line
from coditect.language.definitions.columns import read_columns

__all__ = ["with_rows_of_terms"]

_GAP = 0.5  # of the line's height, between words of two cells; between words of one it is a quarter
_ASTRAY_PT = 2.0  # how far the left ends of one column's cells may be apart
_LEADING = 1.2  # of the line's height: lines of one cell are not further apart
_FAR = 4.0  # of the line's height: rows are not further apart
_LOOKED_AT = 24
_LEAST_ROWS = 2
_STOPS = (".", "!", "?", ";")

_Cell = tuple[str, Placed]


@dataclass(slots=True)
class _Row:
    """A row that is put together: the lines of each cell, and where its last line stands."""

    cells: list[list[_Cell]]
    low: float
    box: Box
    last: int  # the column that was written in last


def with_rows_of_terms(lines: Sequence[Line]) -> list[Line]:
    """The lines of a page, where a table of terms stands with a line for each of its rows.

    Args:
        lines: in reading order, with the places of their words; lines without stay as they are.
    """
    found: list[Line] = []
    at = 0
    while at < len(lines):
        found.append(lines[at])
        at += 1
        labels = [text for text, _ in _parts(lines[at - 1])]
        columns = read_columns(labels) if len(labels) > 1 else None
        edges = _edges(lines[at : at + _LOOKED_AT], len(labels)) if columns is not None else []
        if edges:
            found[-1] = _head(lines[at - 1])
            rows, at = _rows(lines, at, edges)
            found.extend(rows)
    return found


def _head(line: Line) -> Line:
    """The line that names the columns, with a border between them."""
    text, words, at = "", [], 0
    for part, _ in _parts(line):
        begins = line.text.index(part, at)
        at = begins + len(part)
        text += CELLS if text else ""
        moved = len(text) - begins
        words += [(start + moved, end + moved, box) for start, end, box in line.words if begins <= start < at]
        text += part
    return Line(text, line.box, tabular=True, item=False, words=tuple(words))


def _parts(line: Line) -> list[tuple[str, float]]:
    """The parts of a line that gaps set apart, with their left ends."""
    if not line.words or line.box is None:
        return []
    gap = _GAP * (line.box[3] - line.box[1])
    starts = [0, *(n for n, (one, other) in enumerate(pairwise(line.words), 1) if other[2][0] - one[2][2] >= gap)]
    parts = []
    for first, last in pairwise((*starts, len(line.words))):
        words = line.words[first:last]
        parts.append((line.text[words[0][0] : words[-1][1]], words[0][2][0]))
    return parts


def _edges(lines: Sequence[Line], count: int) -> list[float]:
    """The left ends of as many columns as there are labels: those below which most lines or parts of lines begin; [] of none."""
    starts = sorted(left for line in lines for _, left in _parts(line))
    groups: list[list[float]] = []
    for left in starts:
        if groups and left - groups[-1][0] <= _ASTRAY_PT:
            groups[-1].append(left)
        else:
            groups.append([left])
    groups = sorted((group for group in groups if len(group) >= _LEAST_ROWS), key=len, reverse=True)[:count]
    return sorted(group[0] for group in groups) if len(groups) == count else []


def _rows(lines: Sequence[Line], at: int, edges: Sequence[float]) -> tuple[list[Line], int]:
    """The rows from a line on, and where the table has ended."""
    rows: list[_Row] = []
    kept = at
    while at < len(lines):
        cells = _cells(lines[at], edges)
        box = lines[at].box
        if cells is None or box is None or (rows and rows[-1].low - box[1] > _FAR * (box[3] - box[1])):
            break
        if rows and _goes_on(rows[-1], cells, box):
            _take(rows[-1], cells, box)
        elif cells[0]:
            rows.append(_Row([[cell] if cell[0] else [] for cell in _filled(cells)], box[1], box, _last(cells)))
        else:
            break
        at += 1
        if sum(map(bool, rows[-1].cells)) > 1:
            kept = at
    while rows and sum(map(bool, rows[-1].cells)) < 2:
        rows.pop()  # a line in the first column alone is no row
    return [_line(row) for row in rows], kept


def _filled(cells: Sequence[_Cell | None]) -> list[_Cell]:
    return [cell or ("", ()) for cell in cells]


def _last(cells: Sequence[_Cell | None]) -> int:
    return max(n for n, cell in enumerate(cells) if cell)


def _cells(line: Line, edges: Sequence[float]) -> list[_Cell | None] | None:
    """The cells of a line by its columns; None where it stands outside of them, or across their borders."""
    if not line.words or line.box is None or line.words[0][2][0] < edges[0] - _ASTRAY_PT:
        return None
    found: list[list[tuple[int, int, Box]]] = [[] for _ in edges]
    for word in line.words:
        left, right = word[2][0], word[2][2]
        column = max(n for n, edge in enumerate(edges) if n == 0 or left >= edge - _ASTRAY_PT)
        if column + 1 < len(edges) and right > edges[column + 1] + _ASTRAY_PT:
            return None
        found[column].append(word)
    cells: list[_Cell | None] = []
    for n, words in enumerate(found):
        if not words:
            cells.append(None)
            continue
        if abs(words[0][2][0] - edges[n]) > _ASTRAY_PT:
            return None
        first = words[0][0]
        placed = tuple((start - first, end - first, box) for start, end, box in words)
        cells.append((line.text[first : words[-1][1]].replace(CELLS, " "), placed))
    return cells


def _goes_on(row: _Row, cells: Sequence[_Cell | None], box: Box) -> bool:
    """Whether a line belongs to the row above it, or beside it."""
    drop, height = row.low - box[1], box[3] - box[1]
    first = next(n for n, cell in enumerate(cells) if cell)
    if first > row.last:
        return True  # the next cell of the row, which begins as high as the first did, or lower
    if drop > _LEADING * height:
        return False
    if first > 0 or _last(cells) == 0 == row.last:
        return True  # a further line of the cell
    written = row.cells[-1][-1][0] if row.cells[-1] else ""
    cell = cells[-1]
    return cell is not None and bool(written) and not written.endswith(_STOPS) and cell[0][:1].islower()


def _take(row: _Row, cells: Sequence[_Cell | None], box: Box) -> None:
    for n, cell in enumerate(cells):
        if cell:
            row.cells[n].append(cell)
    row.last, row.low = _last(cells), box[1]
    row.box = (min(row.box[0], box[0]), min(row.box[1], box[1]), max(row.box[2], box[2]), max(row.box[3], box[3]))


def _line(row: _Row) -> Line:
    text = ""
    words: list[tuple[int, int, Box]] = []
    for n, cell in enumerate(row.cells):
        text += CELLS if n else ""
        for m, (said, placed) in enumerate(cell):
            text += " " if m and not re.search(r"\w-$", text) else ""
            words += [(len(text) + start, len(text) + end, box) for start, end, box in placed]
            text += said
    return Line(text.strip(), row.box, tabular=True, item=False, words=tuple(words))
