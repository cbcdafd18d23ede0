"""Where a document defines term after term: below a line that says so, in the rows of a table, and beside each other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from coditect.language.definitions.columns import TermColumns, has_cells, typed_columns
from coditect.language.definitions.entries import (
    entry_number,
    find_entry,
    find_meaning_below,
    is_row_of_entries,
    term_alone,
)
from coditect.language.definitions.glossary import heads_glossary, leads_in, run_in_term, title_of_glossary
from coditect.language.definitions.interpretation import find_held, find_item, find_more, term_above_items
from coditect.language.definitions.prose import find_definition_beside, names_in
from coditect.language.definitions.rows import find_glossary_row, head_of, row_defines
from coditect.language.marks import Mark, begins_line

__all__ = ["GlossaryLines"]

# "In this Part—", "For the purposes of this Act, unless the context otherwise requires:".
_OPENS_TERMS = re.compile(
    r"[\W\d]*(?:In|For\s+(?:the\s+)?purposes?\s+of)\s+th(?:is|ese)\s+\w+(?:\s\w+){0,3}(?:,\s+unless\s[^.;:]{1,80})?,?\s?[—–:-]+\Z"
)
_ITEM = re.compile(r"\(\w{1,4}\)\s")
_MOST_TITLE_WORDS = 8
_LEAST_MEANING = 3
_STOPS = ".;:,"
_OPENS_ITEMS = ("—", "–", "-", ":")
_FAR = 200
"""Code points before a line in which the blank line above it stands."""
_PARAGRAPH = 2
"""Line ends behind a definition from which on "the term" is no longer its term."""


class GlossaryLines:
    """Reads the sentences of a document from front to back, and says where terms are defined one after the other.

    Args:
        text: the text as it is read.
        entries: the terms that are headings of their own, by where these begin.
    """

    def __init__(self, text: str, entries: Mapping[int, str] | None = None) -> None:
        self._text = text
        self._entries = entries or {}
        self._is_titled = False
        self._columns: TermColumns | None = None  # of the table of terms that is open
        self._beside = False
        self._number = ""  # of the section of terms, and of no other
        self._terms: list[str] = []  # on the lines just above
        self._terms_end = -1
        self._awaits_term = False
        self._row_end = -1  # of the last meaning below a term
        self._is_tight = False  # whether each of these meanings stands right below its term
        self._above_items = ""  # the term above items that say each what it means
        self._defined: set[str] = set()  # names with a capital, up to here
        self._last: tuple[Mark, ...] = ()  # what the paragraph defines, as far as it was read

    def pass_title(self, start: int, end: int, *, is_heading: bool) -> None:
        """Take in a span that may be a title on a line of its own, or a row: each opens or ends a glossary."""
        if self._text.endswith(_OPENS_ITEMS, start, end) and self._begins_line(start):
            self._above_items = term_above_items(self._text, start, end)
        if self._pass_row(start, end):
            return
        words = self._text[start : min(end, start + 200)]
        if self._pass_term(start, end, words, is_heading=is_heading) or (self._are_above(start) and not is_heading):
            return  # a term, or what the term above means
        if is_heading:
            self._is_titled = False
            self._beside = _OPENS_TERMS.match(self._text, start, end) is not None
        if not self._is_line(start, end):
            return
        opens = heads_glossary(self._text, start, end) if is_heading else leads_in(self._text, start, end)
        if opens or title_of_glossary(words):
            self._is_titled = True
        elif len(words.split()) <= _MOST_TITLE_WORDS and not words.endswith(tuple(_STOPS)):
            self._is_titled = False

    def _pass_row(self, start: int, end: int) -> bool:
        """Take in what may be a row, or the head of a table; whether it is."""
        if not self._begins_line(start):
            return has_cells(self._text, start, end)  # what follows in a row ends no table
        goes_on = self._columns is not None and not _is_apart(self._text, start)
        if has_cells(self._text, start, end):
            self._columns = head_of(self._text, start, end) or (self._columns if goes_on else None)
            return True
        if goes_on and self._columns is not None and (self._columns.typed or self._is_line(start, end)):
            return self._columns.typed  # a letter of the alphabet over the whole table
        self._columns = typed_columns(self._text[start:end].partition("\n")[0])
        return self._columns is not None

    def _pass_term(self, start: int, end: int, words: str, *, is_heading: bool) -> bool:
        """Take in a line that may be the number of an entry, or its term, or both; whether it is a term."""
        if start in self._entries:
            self._terms, self._terms_end = [self._entries[start]], end
            return True
        is_line = self._begins_line(start) and (is_heading or self._is_line(start, end))
        titled = title_of_glossary(words) if is_line else None
        if titled is not None and titled["number"]:
            self._number = titled["number"].rstrip(".")
            return False
        head = entry_number(self._text, start, end) if is_line and self._number else None
        if head is not None:
            number, term = head
            if not number.startswith(f"{self._number}."):
                self._number = ""
            self._awaits_term = bool(self._number) and not term
            self._take_term(term if self._number and term_alone(term) else "", start, end)
        elif self.is_open(start) and (term := run_in_term(self._text, start, end)):
            self._take_term(term, start, end)
        elif (
            is_line
            and term_alone(words)
            and (
                self._awaits_term
                or self._is_other_name(start, words)
                or self._is_row(start, end, is_heading=is_heading)
            )
        ):
            self._awaits_term = False
            self._take_term(words, start, end)
        return bool(self._terms) and self._terms_end == end

    def _is_row(self, start: int, end: int, *, is_heading: bool) -> bool:
        """Whether a line below the title of a glossary begins, or goes on in, a row of terms with their meanings below."""
        if not self._is_titled or is_heading or self._are_above(start):
            return False
        goes_on = self._row_end >= 0 and not self._text[self._row_end : start].strip()
        if not goes_on:
            found = is_row_of_entries(self._text, start)
            self._is_tight = found and not _is_far(self._text, end)
            return found
        # Where each meaning stands right below its term, what stands further above a line is a title.
        return not (self._is_tight and _is_far(self._text, end))

    def _take_term(self, term: str, start: int, end: int) -> None:
        above = self._terms if self._are_above(start) else []
        self._terms, self._terms_end = [*above, term] if term else [], end

    def _is_other_name(self, start: int, words: str) -> bool:
        """Whether a line right below a term is another name for it, too short to be what it means."""
        return self._are_above(start) and len(words.split()) < _LEAST_MEANING

    def _are_above(self, start: int) -> bool:
        """Whether terms stand on the line above."""
        return bool(self._terms) and not self._text[self._terms_end : start].strip()

    def is_open(self, start: int) -> bool:
        """Whether a line that begins here names its term, by a title on a line of its own above it."""
        return self._is_titled and self._begins_line(start)

    def find(self, start: int, end: int, *, in_glossary: bool, binds: bool = False) -> Sequence[Mark]:
        """What the place of a sentence makes it define: as a row of terms, as a line behind one that defines, of a term above it.

        Args:
            start: the sentence's first code point.
            end: one past its last.
            in_glossary: whether a heading or title above says that definitions follow.
            binds: whether it is read as a norm, too: then only a head or number above makes it define.
        """
        if not binds and self._last and (more := list(find_more(self._text, start, end, self._last))):
            return more
        found = self._find_entry(start, end)
        if found is None and not binds:
            found = self._find_line(start, end, in_glossary=in_glossary)
        if found is None and not binds:
            found = find_held(self._text, start, end, self._defined)
        return () if found is None else (found,)

    def _find_entry(self, start: int, end: int) -> Mark | None:
        """What a sentence defines by its term above, its number or the head of its table, whatever its own words are."""
        if self._are_above(start):
            terms, self._terms, self._row_end = self._terms, [], end
            return find_meaning_below(self._text, start, end, terms)
        if self._number and (entry := find_entry(self._text, start, end, self._number)) is not None:
            return entry
        if self._columns is not None and self._begins_line(start):
            return find_glossary_row(self._text, start, end, self._columns)
        return None

    def _find_line(self, start: int, end: int, *, in_glossary: bool) -> Mark | None:
        if has_cells(self._text, start, end):
            is_row = self._columns is None and (in_glossary or row_defines(self._text, start, end))
            return find_glossary_row(self._text, start, end) if is_row else None
        if not self._begins_line(start):
            return None
        if self._above_items and self._text.startswith("(", start):
            item = find_item(self._text, start, end, self._above_items)
            if item is not None:
                return item
            self._above_items = ""
        return find_definition_beside(self._text, start, end) if self._beside or in_glossary else None

    def see(self, start: int, end: int, definitions: Sequence[Mark]) -> None:
        """Take in what a sentence was found to define."""
        self._defined.update(name for mark in definitions for name in names_in(mark) if name[:1].isupper())
        whole = tuple(mark for mark in definitions if mark.start == start and mark.end == end)
        if whole or (self._last and self._text.count("\n", self._last[-1].end, start) >= _PARAGRAPH):
            self._last = whole
        if self._begins_line(start) and _ITEM.match(self._text, start, end) is None:
            # The items of what a term means stand between it and the next one.
            opens = _OPENS_TERMS.match(self._text, start, end) is not None
            self._beside = bool(whole or self._above_items) or opens

    def _begins_line(self, start: int) -> bool:
        return begins_line(self._text, start)

    def _is_line(self, start: int, end: int) -> bool:
        return self._begins_line(start) and (end == len(self._text) or self._text[end] == "\n")


def _is_apart(text: str, start: int) -> bool:
    """Whether a blank line stands above the line that begins here."""
    return text[max(0, start - _FAR) : start].rstrip(" \t\xa0").endswith("\n\n")


def _is_far(text: str, end: int) -> bool:
    """Whether a blank line stands below the line that ends here."""
    below = text[end : end + _FAR].lstrip(" \t\xa0")
    return below[:1] == "\n" and below[1:].lstrip(" \t\xa0").startswith("\n")
