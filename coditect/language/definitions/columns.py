"""Columns of a table of terms: which of them holds the terms, which what they mean, which their short forms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = ["TermColumns", "cells_of", "has_cells", "read_columns", "typed_cells", "typed_columns"]

_DEFINITIONS = read_table("definitions")
_BORDER = deferred(r"[ \xa0]?\|(?:[ \xa0]|$)|\t")
_CELLS = deferred(r"[^|\t\n]{0,120}?[ \xa0]*(?:[ \xa0]\|[ \xa0]|(?<![^\n])\|[ \xa0]|\t)")
_GAP = deferred(r"(?<=\S)[ \xa0]{2,}(?=\S)")
_HEAD_GAP = deferred(r"(?<=\S)[ \xa0]{3,}(?=\S)")
_NAME = _DEFINITIONS.pattern("columns_of_terms")
_SHORT = _DEFINITIONS.pattern("columns_of_short_forms")
_ALSO = rf"(?:\s*(?:/|,|&|\bor\b|\band\b)\s*(?:{_NAME}|{_SHORT}))*"
_TERMS = deferred(rf"(?:{_DEFINITIONS.pattern('kinds_of_terms')})?\s*(?:{_NAME}){_ALSO}", re.IGNORECASE)
_SHORTS = deferred(rf"(?:{_SHORT}){_ALSO}", re.IGNORECASE)
_MEANINGS = deferred(
    rf"(?:{_DEFINITIONS.pattern('columns_of_meanings')})(?:\s*(?:/|,|&|\bor\b|\band\b)\s*(?:{_DEFINITIONS.pattern('columns_of_meanings')}|\w+))?"
    r"|what\s(?:\w+\s){1,3}means?(?:\s(?:by|when)\s[\w\s]{1,20})?",
    re.IGNORECASE,
)
_FULL = deferred(_DEFINITIONS.pattern("columns_of_full_forms"), re.IGNORECASE)
_PLAIN = deferred(r"definitions?|meanings?", re.IGNORECASE)
_COUNT = deferred(r"#|(?:no|nr|id|ref|item|number|reference|s/?n|sl)\b\.?.{0,6}|\W*", re.IGNORECASE)
_LABEL = deferred(r"[A-Za-z]{3}")  # and no number of a provision: "4.4.1", tab, "Definition"
_SIGNS = " *_\"“”'‘’:"
_MOST_COLUMNS = 8
_MOST_LABEL_WORDS = 5


@dataclass(frozen=True, slots=True)
class TermColumns:
    """The columns of a table of terms, by the head that names them.

    Attributes:
        labels: the cells of the head.
        term: index of the column of terms.
        meaning: index of the column of what they mean.
        short: index of the column of their short forms; -1 where there is none.
        full: whether the meanings are the words that short forms stand for.
        typed: whether blanks alone set the cells apart, as in a table that is typed.
    """

    labels: tuple[str, ...]
    term: int
    meaning: int
    short: int = -1
    full: bool = False
    typed: bool = False

    def pick(self, cells: Sequence[str]) -> tuple[str, str, str]:
        """Term, meaning and short form of a row, each "" where the row has no such cell.

        Rows whose cells name their columns ("Term: keeper") have none for what is empty. A row that is short of cells stands
        beside a cell from above, which is in front of its term, or is short of its last ones.
        """
        named = [
            next((cell[len(label) + 1 :].strip() for cell in cells if label and cell.startswith(f"{label}: ")), "")
            for label in self.labels
        ]
        if named[self.term] or named[self.meaning]:
            placed = named
        else:
            lacking = len(self.labels) - len(cells)
            placed = [*[""] * lacking, *cells] if self.term > 0 else [*cells, *[""] * lacking]
        width = len(placed)
        return tuple(placed[at] if 0 <= at < width else "" for at in (self.term, self.meaning, self.short))  # type: ignore[return-value]


def has_cells(text: str, start: int, end: int) -> bool:
    """Whether a span is a row of cells: a bar between spaces, or a tab, stands in it."""
    if text.find("|", start, end) < 0 and text.find("\t", start, end) < 0:
        return False
    return _CELLS.match(text, start, end) is not None


def cells_of(text: str, start: int, end: int) -> list[str]:
    """The cells of a row: what stands between bars that blanks set apart, or tabs; one where there are none."""
    return [cell.strip() for cell in _BORDER.split(text[start:end])]


def typed_cells(text: str, start: int, end: int, columns: TermColumns) -> list[str]:
    """The cells of a row of a typed table, whose last cell may go on below itself."""
    return [cell.strip() for cell in _GAP.split(text[start:end], len(columns.labels) - 1)]


def typed_columns(line: str) -> TermColumns | None:
    """The columns that a line names whose words wide gaps set apart, if it is the head of a table of terms; else None."""
    labels = _HEAD_GAP.split(line.strip())
    columns = read_columns(labels) if len(labels) > 1 else None
    return None if columns is None else replace(columns, typed=True)


def read_columns(cells: Sequence[str]) -> TermColumns | None:
    """The columns that a row of cells names, if it is the head of a table of terms; else None.

    "Term | Meaning", "No. | Term | Definition", "Abbreviation | Term | Definition", "Acronym | Full form", "Level | Definition".
    """
    labels = [cell.strip(_SIGNS) for cell in cells]
    if not 1 < len(labels) <= _MOST_COLUMNS or any(len(label.split()) > _MOST_LABEL_WORDS for label in labels):
        return None
    terms = [n for n, label in enumerate(labels) if _TERMS.fullmatch(label)]
    shorts = [n for n, label in enumerate(labels) if _SHORTS.fullmatch(label) and n not in terms]
    meanings = [n for n, label in enumerate(labels) if _MEANINGS.fullmatch(label) and n not in terms]
    full = [n for n, label in enumerate(labels) if _FULL.fullmatch(label)]
    kept = tuple(cells)
    if terms and (behind := [n for n in meanings if n > terms[0]]):
        return TermColumns(kept, terms[0], behind[0], shorts[0] if shorts else -1)
    if shorts and (behind := [n for n in (*full, *meanings, *terms) if n != shorts[0]]):
        return TermColumns(kept, shorts[0], behind[0], full=behind[0] in full or behind[0] in terms)
    # "Level | Definition": whatever the first column holds is said to be defined.
    plain = [n for n, label in enumerate(labels) if _PLAIN.fullmatch(label)]
    first = next((n for n, label in enumerate(labels) if _LABEL.match(label) and not _COUNT.fullmatch(label)), -1)
    return TermColumns(kept, first, plain[0]) if plain and 0 <= first < plain[0] else None
