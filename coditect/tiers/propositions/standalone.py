"""Statements that stand on their own: what they take from their context, put in from the document's own words.

By rules alone, and with more care for what is put in than for how much: where two readings are open, nothing is. The verbatim
statement is not touched; what comes out is synthetic, and each word that was put in has its place in the document.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from coditect.documents.source import SourceText
from coditect.documents.structure.lists import NOWHERE, Lists
from coditect.documents.structure.outline import OutlineSection, section_around
from coditect.errors import QuoteNotFound
from coditect.language.finite_verbs import has_finite_verb
from coditect.language.marks import SpanLike
from coditect.language.tables import read_table
from coditect.schemas.standalone import Resolution, ResolutionKind, Standalone
from coditect.tiers.propositions.anaphora import Anaphors
from coditect.tiers.propositions.lists import stemmed_item, wants_lead
from coditect.tiers.propositions.tables import Columns
from coditect.tiers.propositions.titles import Place, find_title, heading_place, is_document_noun, title_noun
from coditect.tiers.propositions.wording import worded

__all__ = ["STANDALONE", "StandaloneReader"]

STANDALONE = "standalone/4"
"""The name and version of these rules; part of the identity of what they write."""

MOST_STATEMENT = 3_000
"""Characters of a statement, at most; longer ones are left as they are."""

MOST_SUBJECT = 80
"""Characters before "of this policy" in a subject, at most."""

_UNIT = re.compile(r"his(?<=[Tt]his)\s(?P<unit>Section|Article|Clause|SECTION|ARTICLE)\b(?!\s*(?:\d|[IVX]+\b|\())")
_CALENDAR = read_table("time")
_UNITS = "minutes?|hours?|days?|weeks?|months?|years?"
_FRAGMENT = re.compile(
    rf"(?:\d{{1,4}}\s+(?:business\s+|calendar\s+|working\s+)?(?:{_UNITS}|per\s+cent|percent)\b|\d{{1,3}}\s?%"
    rf"|(?:{read_table('coreference').pattern('values')}|{_CALENDAR.pattern('days_of_the_week')}"
    rf"|{'|'.join(names[0] for names in _CALENDAR.groups('months'))})\b)",
    re.IGNORECASE,
)
_VERBLIKE = re.compile(r"\s(?!(?:minutes|hours|days|weeks|months|years|business|less)\b)[a-z]{3,}(?:ed|es|s)\b")


class StandaloneReader:
    """Reads a document from front to back, a sentence at a time: nothing is held of what it has given.

    Time is linear in the text.

    Args:
        source: the text with its layout.
        sections: the outline of the document.
        sentences: its sentences, in order; every one of them is to be shown.
        lists: its lists.
    """

    def __init__(
        self, source: SourceText, sections: Sequence[OutlineSection], sentences: Sequence[SpanLike], lists: Lists
    ) -> None:
        self._text = source.text
        self._reader = _Reader(source, sections, sentences, lists)

    def see(self, start: int, end: int, *, wanted: bool) -> Standalone | None:
        """What the next sentence says on its own; None where it does already, or where its context is not beyond doubt.

        Args:
            start: first code point of the sentence.
            end: one past its last.
            wanted: whether it is a statement; all others are read for what they are to those behind them.

        Raises:
            QuoteNotFound: words that were put in are not the text at their place.
        """
        resolutions = self._reader.see(start, end)
        if not resolutions or not wanted or end - start > MOST_STATEMENT:
            return None
        return _standalone(self._text, (start, end), resolutions)


def _standalone(text: str, place: Place, resolutions: list[Resolution]) -> Standalone:
    ordered = tuple(sorted(resolutions, key=lambda each: (each.char_offset_start, each.char_offset_end)))
    for each in ordered:
        if text[each.source_start : each.source_end] != each.text or not (
            place[0] <= each.char_offset_start <= each.char_offset_end <= place[1]
        ):
            raise QuoteNotFound("words put into a statement are not the text at their place", start=each.source_start)
    return Standalone(text=worded(text, *place, ordered), resolutions=ordered)


class _Reader:
    """A document read from front to back: each part remembers what its kind of context needs."""

    def __init__(
        self, source: SourceText, sections: Sequence[OutlineSection], sentences: Sequence[SpanLike], lists: Lists
    ) -> None:
        text = source.text
        self._text = text
        self._sections = sections
        self._starts = [section.start for section in sections]
        self._rows = {block.start: (block.end, block.level) for block in source.blocks if block.kind == "table_row"}
        self._row_end = 0
        self._headings = frozenset(block.start for block in source.blocks if block.kind == "heading")
        self._sentences, self._lists = sentences, lists
        self._index = NOWHERE
        self._columns = Columns(text)
        self._title = find_title(source, sections)
        self._documents = _in_subjects(text, self._title) if self._title else []
        self._mentions = Anaphors(text, self._title)
        self._before = 0
        self._headed = False

    def see(self, start: int, end: int) -> list[Resolution]:
        """What the next sentence takes from its context."""
        self._index += 1
        section = section_around(self._sections, self._starts, start, start + 1)
        if start in self._headings or self._is_heading(section, start, end):
            self._mentions.forget()
            self._columns.see(start, end, row=False)
            self._headed = True
            return []
        headed, self._headed = self._headed, False
        row = start in self._rows
        self._row_end, spanned = self._rows.get(start, (self._row_end, 0))
        in_row = not row and start < self._row_end  # a further sentence of a row
        labels = [] if in_row else self._columns.see(start, end, row=row, spanned=spanned)
        if row:
            self._mentions.forget()
            if labels:
                return [self._put("table_header", cell, cell, label, 0.95) for label, cell in labels]
            return self._under_heading(start, section, 0.85) if self._text.count(" | ", start, end) == 1 else []
        led = stemmed_item(self._text, self._sentences, self._lists, self._index)
        if led is not None and wants_lead(self._text, led, end):
            self._mentions.forget()
            first, *inner = led.leads
            return [
                self._put("list_lead", start, led.item, first, 0.95),
                *(self._put("list_lead", led.item, led.item, lead, 0.9) for lead in inner),
            ]
        found = self._named_units(start, end, section)
        siblings = self._sections[section].parent == self._sections[self._before].parent and section != self._before
        meant = self._mentions.see(start, end, section, siblings=siblings)
        self._before = section
        if meant is not None:
            phrase = (meant.phrase.start, meant.phrase.end)
            found.append(self._put(meant.kind, meant.start, meant.end, phrase, meant.confidence))
        else:
            found += self._named_document(start, end)
        if headed and not found and self._is_fragment(start, end):
            return self._under_heading(start, section, 0.85)
        return found

    def _is_heading(self, index: int, start: int, end: int) -> bool:
        section = self._sections[index]
        return bool(section.heading) and section.start <= start and end <= section.body_start

    def _put(self, kind: ResolutionKind, start: int, end: int, words: Place, confidence: float) -> Resolution:
        return Resolution(
            kind=kind,
            text=self._text[slice(*words)],
            replaces=self._text[start:end],
            char_offset_start=start,
            char_offset_end=end,
            source_start=words[0],
            source_end=words[1],
            confidence=confidence,
        )

    def _under_heading(self, start: int, index: int, confidence: float) -> list[Resolution]:
        """The nearest heading above a sentence, to be put in front of it."""
        while index > 0 and not self._sections[index].heading:
            index = self._sections[index].parent
        words = heading_place(self._text, self._sections[index]) if index > 0 else None
        return [self._put("heading", start, start, words, confidence)] if words else []

    def _is_fragment(self, start: int, end: int) -> bool:
        """Whether a sentence is a value and no more: "7 years.", "Wednesday 21 October, Dublin"."""
        return (
            end - start <= 120
            and _FRAGMENT.match(self._text, start, end) is not None
            and not has_finite_verb(self._text, start, end)
            and _VERBLIKE.search(self._text, start, end) is None
        )

    def _named_units(self, start: int, end: int, index: int) -> list[Resolution]:
        """The numbers of "this Section" and "this Article", where only one can be meant."""
        found = []
        for inside in _UNIT.finditer(self._text, start, end):
            unit = _UNIT.match(self._text, inside.start())  # a number may follow behind the sentence's end
            label = self._unit_label(unit["unit"].lower(), index) if unit else None
            if unit and label:
                found.append(self._put("section", unit.end(), unit.end(), label, 0.9))
        return found

    def _named_document(self, start: int, end: int) -> list[Resolution]:
        """The document's title for the first "of this policy", where it is part of the subject."""
        at = bisect_left(self._documents, (start, start))
        if at == len(self._documents) or self._title is None:
            return []
        first, last = self._documents[at]
        if last > end or first - start > MOST_SUBJECT or has_finite_verb(self._text, start, first):
            return []
        return [self._put("document", first, last, self._title, 0.9)]

    def _unit_label(self, unit: str, index: int) -> Place | None:
        """The printed number of the section around that calls itself so."""
        while index > 0:
            section = self._sections[index]
            printed = re.compile(rf"\s*{unit}\s+(?P<label>[\dIVX][\d.]*)", re.IGNORECASE).match(
                self._text, section.start, max(section.body_start, section.start + 30)
            )
            if printed:
                words = printed.span("label")
                return words[0], words[1] - (self._text[words[1] - 1] == ".")
            if unit == "section" and section.label[:1].isdigit():
                return None  # 4.2 within "Section 4": either may be meant
            index = section.parent
        return None


def _in_subjects(text: str, title: Place) -> list[Place]:
    """Where a document speaks of "… of this policy", with the noun of its own title, if that is one that documents have."""
    noun = title_noun(text, title)
    if not is_document_noun(noun):
        return []
    own = re.compile(rf"\b(?:of|from|to|under)\s+(?P<this>this\s+{re.escape(noun)})\b(?!['’-])", re.IGNORECASE)
    return [match.span("this") for match in own.finditer(text)]
