"""Cells of a table that stand beside several rows: which columns of a row go on from the row above (HTML Standard, 4.9.12)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from coditect.documents.source import MOST_SPANNED

__all__ = ["RowSpans"]

_MOST_ROWS = 65_534
_NUMBER = re.compile(r"\s*(\d{1,5})")


class RowSpans:
    """The columns of one table, row by row and cell by cell."""

    def __init__(self) -> None:
        self._left: dict[int, int] = {}  # rows below that a cell stands beside, by column
        self._begun: dict[int, int] = {}
        self._column = 0
        self._bits = 0

    def open_cell(self) -> None:
        """A cell begins in the next column that none from above stands in."""
        while self._left.get(self._column, 0) > 0:
            self._bits |= 1 << self._column
            self._column += 1

    def close_cell(self, attributes: Mapping[str, str | None]) -> None:
        """A cell ends: it may stand in several columns, and beside several rows."""
        rows, columns = _number(attributes.get("rowspan")), min(_number(attributes.get("colspan")), MOST_SPANNED)
        for column in range(self._column, min(self._column + columns, MOST_SPANNED)):
            if rows > 1:
                self._begun[column] = rows - 1
        self._column = min(self._column + columns, MOST_SPANNED)

    def close_row(self) -> int:
        """The columns of the row that ends whose cells go on from above, as bits."""
        bits = self._bits | sum(1 << column for column, left in self._left.items() if left > 0)
        self._left = {column: left - 1 for column, left in self._left.items() if left > 1} | self._begun
        self._begun, self._column, self._bits = {}, 0, 0
        return bits


def _number(told: str | None) -> int:
    """A span; one that is no number, or "all the rest", counts as what browsers make of it."""
    found = _NUMBER.match(told or "1")
    return 1 if found is None else int(found[1]) or _MOST_ROWS
