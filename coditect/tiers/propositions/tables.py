"""Rows of tables with the labels of their columns."""

from __future__ import annotations

import re

__all__ = ["Columns"]

_BAR = " | "
_LABEL = re.compile(r"[A-Z][^|:.!?]{0,47}")
_LABELLED = re.compile(r"[A-Z][\w /()&'’-]{1,48}: \S")

Cells = tuple[tuple[int, int], ...]


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

    def see(self, start: int, end: int, *, row: bool) -> list[tuple[tuple[int, int], int]]:
        """Take in the next sentence of the document.

        Args:
            start: its first code point.
            end: one past its last.
            row: whether it is a row of a table.

        Returns:
            For a row without labels below a header of three columns or more: the span of each label and where its cell begins.
        """
        if not row:
            self._in_table = False
            return []
        cells = self._cells(start, end)
        if not self._in_table:
            self._in_table = True
            self._header = cells if self._is_header(cells) else ()
            return []
        if len(cells) != len(self._header) or any(_LABELLED.match(self._text, *cell) for cell in cells):
            return []
        return [(label, cell[0]) for label, cell in zip(self._header, cells, strict=True) if cell[0] < cell[1]]

    def _cells(self, start: int, end: int) -> Cells:
        found, at = [], start
        for part in self._text[start:end].split(_BAR):
            lead = len(part) - len(part.lstrip())
            found.append((at + lead, at + lead + len(part.strip())))
            at += len(part) + len(_BAR)
        return tuple(found)

    def _is_header(self, cells: Cells) -> bool:
        """Whether the first row of a table names its columns: three short labels or more, no two the same."""
        labels = [self._text[a:b] for a, b in cells]
        return len(labels) > 2 and len(set(labels)) == len(labels) and all(_LABEL.fullmatch(label) for label in labels)
