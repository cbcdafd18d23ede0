"""Where a document defines term after term: below a line that says so, in the rows of a table, and beside each other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.definitions.prose import find_definition_beside
from coditect.language.definitions.rows import find_glossary_row, has_cells, names_columns
from coditect.language.marks import Mark
from coditect.language.tables import read_table

__all__ = ["GlossaryLines"]

_TITLE = re.compile(rf"\W*(?:\d[\d.]*\s+)?(?:{read_table('definitions').pattern('titles_alone')})\W*", re.IGNORECASE)
_MOST_TITLE_WORDS = 8
_STOPS = ".;:,"


class GlossaryLines:
    """Reads the sentences of a document from front to back, and says where terms are defined one after the other.

    Args:
        text: the text as it is read.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._is_titled = False
        self._is_table = False
        self._beside = False

    def pass_title(self, start: int, end: int, *, is_heading: bool) -> None:
        """Take in a span that may be a title on a line of its own, or a row: each opens or ends a glossary."""
        if has_cells(self._text, start, end):
            goes_on = self._is_table and not self._text.startswith("\n\n", start - 2)
            self._is_table = goes_on or names_columns(self._text, start, end)
            return
        self._is_table = False
        words = self._text[start : min(end, start + 200)]
        if is_heading:
            self._is_titled = self._beside = False
        if not self._is_line(start, end):
            return
        if _TITLE.fullmatch(words):
            self._is_titled = True
        elif len(words.split()) <= _MOST_TITLE_WORDS and not words.endswith(tuple(_STOPS)):
            self._is_titled = False

    def is_open(self, start: int) -> bool:
        """Whether a line that begins here names its term, by a title on a line of its own above it."""
        return self._is_titled and self._begins_line(start)

    def find(self, start: int, end: int, *, in_glossary: bool) -> Mark | None:
        """The definition of a row of terms, or of a line behind one that defines; None where there is none.

        Args:
            start: the sentence's first code point.
            end: one past its last.
            in_glossary: whether a heading or title above says that definitions follow.
        """
        if (self._is_table or in_glossary) and has_cells(self._text, start, end):
            return find_glossary_row(self._text, start, end)
        if self._beside and self._begins_line(start):
            return find_definition_beside(self._text, start, end)
        return None

    def see(self, start: int, end: int, definitions: Sequence[Mark]) -> None:
        """Take in what a sentence was found to define."""
        if self._begins_line(start):
            self._beside = any(mark.start == start and mark.end == end for mark in definitions)

    def _begins_line(self, start: int) -> bool:
        return start == 0 or self._text[start - 1] == "\n"

    def _is_line(self, start: int, end: int) -> bool:
        return self._begins_line(start) and (end == len(self._text) or self._text[end] == "\n")
