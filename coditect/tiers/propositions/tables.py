"""Rows of tables with the labels of their columns, and with the cells that stand beside several rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["Columns"]

_BAR = re.compile(r"(?:\A|(?<= ))\|(?= |\Z)")
_LABEL = re.compile(r"[A-Z][^|:.!?]{0,47}")
_LABELLED = re.compile(r"[A-Z][\w /()&'’-]{1,48}: \S")

Place = tuple[int, int]
Cells = tuple[Place, ...]


class Columns:
    """The header of the table at a place of a document; sentences are shown to it in order."""

    def __init__(self, text: str) -> None:
        """Start at the beginning of a document.

        Args:
            text: the canonical text.
        """
        self._text = text
        self._header: Cells = ()
        self._in_table = False
        self._above: dict[int, Place] = {}  # what a column says in the row above, or says there for the rows below it

    def see(self, start: int, end: int, *, row: bool, spanned: int = 0) -> list[tuple[Place, int]]:
        """Take in the next sentence of the document.

        Args:
            start: its first code point.
            end: one past its last.
            row: whether it is a row of a table.
            spanned: the columns whose cell goes on from the row above, as bits, the first column the lowest.

        Returns:
            The words that a row takes from its table, each with where it is put in front: cells of rows above that stand beside
            this one, too, and for a row without labels below a header of three columns or more the label of each cell.
        """
        if not row:
            self._in_table = False
            return []
        cells = self._cells(start, end)
        if not self._in_table:
            self._in_table = True
            self._header = cells if self._is_header(cells) else ()
            self._above = dict(enumerate(cells))
            return []
        if any(_LABELLED.match(self._text, *cell) for cell in cells):
            return self._spans(dict(self._labelled(cells)), spanned)
        placed = self._placed(cells, spanned)
        taken = self._spans(placed, spanned)
        if len(placed) == len(self._header):
            taken += [(self._header[column], cell[0]) for column, cell in placed.items() if cell[0] < cell[1]]
        return taken

    def _spans(self, placed: dict[int, Place], spanned: int) -> list[tuple[Place, int]]:
        """The cells that stand beside this row from above, in front of its first; and what it leaves to the row below."""
        first = min((cell[0] for cell in placed.values() if cell[0] < cell[1]), default=-1)
        found = []
        above: dict[int, Place] = {}
        for column in range(spanned.bit_length()):
            if spanned >> column & 1 and column in self._above:
                above[column] = self._above[column]
                found.append((self._above[column], first))
        own = {column: cell for column, cell in placed.items() if column not in above}
        self._above = {**above, **own}
        return [each for each in found if each[0][0] < each[0][1] and first >= 0]

    def _placed(self, cells: Cells, spanned: int) -> dict[int, Place]:
        """The cells by their column; what goes on from above stands empty in a row, or is left out of it."""
        columns = [column for column in range(spanned.bit_length()) if spanned >> column & 1]
        wide = len(cells) + len(columns)
        if not columns or max(columns) >= wide or any(cells[c : c + 1] and cells[c][0] == cells[c][1] for c in columns):
            return dict(enumerate(cells))
        free = (column for column in range(wide) if column not in columns)
        placed = dict(zip(free, cells, strict=True))
        return dict(sorted({**dict.fromkeys(columns, (cells[0][0], cells[0][0])), **placed}.items()))

    def _labelled(self, cells: Cells) -> Iterator[tuple[int, Place]]:
        """The cells of a row that names its columns, by the place of their label in the header."""
        labels = {self._text[a:b]: column for column, (a, b) in enumerate(self._header)}
        for cell in cells:
            column = labels.get(self._text[slice(*cell)].partition(": ")[0])
            if column is not None:
                yield column, cell

    def _cells(self, start: int, end: int) -> Cells:
        row = self._text[start:end]
        found, at = [], 0
        for stop in [*(bar.start() for bar in _BAR.finditer(row)), len(row)]:
            part = row[at:stop]
            lead = len(part) - len(part.lstrip())
            found.append((start + at + lead, start + at + lead + len(part.strip())))
            at = stop + 1
        return tuple(found)

    def _is_header(self, cells: Cells) -> bool:
        """Whether the first row of a table names its columns: three short labels or more, no two the same."""
        labels = [self._text[a:b] for a, b in cells]
        return len(labels) > 2 and len(set(labels)) == len(labels) and all(_LABEL.fullmatch(label) for label in labels)
