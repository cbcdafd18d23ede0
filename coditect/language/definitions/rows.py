"""Glossaries that stand as tables: a row has a term and, in the cell behind it, what it means."""

from __future__ import annotations

import re

from coditect.language.definitions.glossary import form_of_line, no_entry, short_form
from coditect.language.definitions.marks import definition_mark
from coditect.language.definitions.terms import is_no_term, is_phrase
from coditect.language.marks import Mark, trim
from coditect.language.tables import read_table

__all__ = ["find_glossary_row", "has_cells", "names_columns"]

_DEFINITIONS = read_table("definitions")
_CELLS = re.compile(r"[^|\t\n]{1,120}?[ \xa0]*(?:[ \xa0]\|[ \xa0]|\t)")
_ROW = re.compile(r"[\s|]*(?P<term>[^|\t\n]{2,80}?)[ \xa0]*(?:[ \xa0]\|[ \xa0]|\t)\s*(?P<meaning>[^|\t]{3,})")
_COLUMNS = re.compile(
    rf"[\s|*]*(?:{_DEFINITIONS.pattern('columns_of_terms')})[\s*]*(?:\||\t)[\s*]*(?:{_DEFINITIONS.pattern('columns_of_meanings')})\b",
    re.IGNORECASE,
)
# The number of a provision that a tab sets apart is no term: "Part 2.8.(2)", "12(b)".
_NUMBER = re.compile(r"\d\.\S|\(\w{1,4}\)\Z")
_VERB = re.compile(r"\Ameans\s+", re.IGNORECASE)
_MOST_WORDS = 8


def has_cells(text: str, start: int, end: int) -> bool:
    """Whether a span is a row of cells: a bar between spaces, or a tab, stands in it."""
    return _CELLS.match(text, start, end) is not None


def names_columns(text: str, start: int, end: int) -> bool:
    """Whether a row is the head of a table of terms: "Term | Meaning", "Abbreviation", tab, "Full form"."""
    return _COLUMNS.match(text, start, end) is not None


def find_glossary_row(text: str, start: int, end: int) -> Mark | None:
    """A row of a table of terms.

    Args:
        text: the canonical text.
        start: the row's first code point.
        end: one past its last.

    Returns:
        A mark of kind "definition" over the row (confidence 0.8), or None where the first cell is no term.
    """
    match = _ROW.match(text, start, end)
    if match is None or names_columns(text, start, end):
        return None
    term, short = short_form(match["term"].strip(" *_\"“”'‘’"))
    meaning = _VERB.sub("", text[slice(*trim(text, match.start("meaning"), match.end("meaning")))])
    is_term = (
        0 < len(term.split()) <= _MOST_WORDS and any(c.isalpha() for c in term) and not term.endswith((".", ":", ";"))
    )
    if not is_term or _NUMBER.search(term) or is_no_term(term) or is_phrase(term) or no_entry(term):
        return None
    return definition_mark(*trim(text, start, end), term, meaning, short, 0.8, form_of_line(term, meaning))
