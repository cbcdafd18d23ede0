"""Citations: for whatever stands in a document, where it stands, under an address that leads to the very words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from coditect.assistants.answers import CitedWords
from coditect.assistants.fencing import fenced
from coditect.assistants.places import document_uri
from coditect.schemas import (
    AgreementTerm,
    ChangedSide,
    CrosswalkEvidence,
    RegisterRow,
    Source,
    TextEvidence,
    WaiverRow,
)

__all__ = ["Citing", "is_quote", "shortened"]

MOST_SHOWN = 1500
"""Code points of one quote that are shown with an answer; its address has all."""


def shortened(text: str, answering: tuple[int, int] = (0, 0)) -> tuple[str, bool]:
    """(words of a document, fenced, as many as are shown; whether that is not all).

    Args:
        text: all of them.
        answering: where the sentences stand that answer: where they would be cut, what is shown begins with them.
    """
    begin = answering[0] if answering[1] > MOST_SHOWN else 0
    return fenced(text[begin : begin + MOST_SHOWN]), len(text) > MOST_SHOWN


def is_quote(source: Source) -> bool:
    """Whether an item's text stands in a document, word for word from its first offset to its last; a selection does not."""
    return source.char_offset_start is not None and bool(source.version_id) and source.kind != "chunk"


@dataclass(frozen=True, slots=True)
class Citing:
    """Makes citations of one generation of a corpus.

    Attributes:
        corpus_id: the corpus.
        generation: its number.
    """

    corpus_id: str
    generation: int

    def _uri(self, version_id: str, start: int, end: int) -> str:
        return document_uri(self.corpus_id, self.generation, version_id, start, end)

    def of_source(self, source: Source) -> CitedWords:
        """Of an item that stands in a document."""
        text, cut = shortened(source.text)
        return CitedWords(
            uri=self._uri(source.version_id, source.char_offset_start or 0, source.char_offset_end or 0),
            document=source.document_name,
            place=source.locator,
            heading=fenced(source.heading),
            page=source.page,
            item_id=source.item_id,
            text=text,
            cut=cut,
        )

    def of_leaves(self, sources: Iterable[Source], most: int) -> tuple[CitedWords, ...]:
        """Of what stands in documents, of items and all that they were derived from; each place once.

        Args:
            sources: the items.
            most: citations.
        """
        found: dict[str, CitedWords] = {}
        for leaf in _leaves(sources):
            made = self.of_source(leaf)
            found.setdefault(made.uri, made)
            if len(found) == most:
                break
        return tuple(found.values())

    def of_text_evidence(self, each: TextEvidence) -> CitedWords:
        """Of what a sentence was compared with."""
        text, cut = shortened(each.text)
        return CitedWords(
            uri=self._uri(each.version_id, each.char_start, each.char_end),
            document=each.document_name,
            place=each.locator,
            heading=fenced(each.heading),
            page=each.page,
            item_id=each.item_id,
            text=text,
            cut=cut,
        )

    def of_crosswalk(self, each: CrosswalkEvidence) -> CitedWords:
        """Of a sentence that speaks to a requirement."""
        text, cut = shortened(each.text)
        return CitedWords(
            uri=self._uri(each.version_id, each.char_start, each.char_end),
            document=each.document,
            place=each.locator,
            heading=fenced(each.heading),
            item_id=each.item_id,
            text=text,
            cut=cut,
        )

    def of_statement(
        self, version_id: str, row: RegisterRow | WaiverRow | AgreementTerm, document: str = ""
    ) -> CitedWords:
        """Of a row of a register.

        Args:
            version_id: of its document.
            row: the row.
            document: name of its document, where the row does not tell it.
        """
        text, cut = shortened(row.text)
        return CitedWords(
            uri=self._uri(version_id, row.char_start or 0, row.char_end or 0),
            document=document if isinstance(row, AgreementTerm) else row.document,
            place=row.locator,
            heading=fenced(row.heading),
            page=row.page,
            item_id=row.item_id,
            text=text,
            cut=cut,
        )

    def of_side(self, document: str, side: ChangedSide) -> CitedWords:
        """Of a provision in one of two states."""
        text, cut = shortened(side.text)
        return CitedWords(
            uri=self._uri(side.version_id, side.char_start, side.char_end),
            document=document,
            place=side.cited or side.place,
            heading=fenced(side.heading),
            page=side.page,
            item_id=side.extraction_ids[0] if side.extraction_ids else "",
            text=text,
            cut=cut,
        )


def _leaves(sources: Iterable[Source]) -> Iterator[Source]:
    """What stands in a document and rests on nothing else, in order; an item that stands there itself is its own."""
    for each in sources:
        if is_quote(each):
            yield each
        else:
            yield from _leaves(each.sources)
