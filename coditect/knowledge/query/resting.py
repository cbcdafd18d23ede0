"""Which sections and claims of a generation rest on which places of its documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from coditect.schemas import Source
from coditect.store.view import View

__all__ = ["RestsOn", "Stretch"]

KEPT_DOCUMENTS = 256
"""Documents whose chunks' places are kept in memory."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters of a document, as offsets in its text, half-open."""

    document_id: str
    start: int
    end: int

    @classmethod
    def of(cls, source: Source) -> Stretch:
        """Where a node stands."""
        return cls(source.document_id, source.char_offset_start or 0, source.char_offset_end or 0)

    def meets(self, start: int, end: int) -> bool:
        """Whether it has characters in common with others of its document."""
        return start < self.end and self.start < end


class RestsOn:
    """Finds what rests on a place. Safe for threads: what is kept is the same whoever reads it.

    Args:
        view: the generation.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._chunks = lru_cache(KEPT_DOCUMENTS)(self._read_chunks)

    @cached_property
    def _quotes(self) -> dict[str, list[tuple[int, int, str, int]]]:
        """(start, end, section, part) of every quote, by document."""
        found: dict[str, list[tuple[int, int, str, int]]] = defaultdict(list)
        for section in self._view.sections:
            for number, part in enumerate(section.content):
                if (at := part.citation) is not None:
                    found[at.document_id].append((at.char_start, at.char_end, section.section_id, number))
        return found

    @cached_property
    def _drawing(self) -> dict[str, list[str]]:
        """Sections by the chunks that speak to their topic."""
        found: dict[str, list[str]] = defaultdict(list)
        for section in self._view.sections:
            for chunk_id in section.source_chunks:
                found[chunk_id].append(section.section_id)
        return found

    @cached_property
    def _claims(self) -> dict[tuple[str, int], list[str]]:
        """Published claims by the quotes that they rest on."""
        found: dict[tuple[str, int], list[str]] = defaultdict(list)
        for claim_id in self._view.summary.claims:
            for source in self._view.claims[claim_id].citations:
                found[source.section_id, source.part].append(claim_id)
        return found

    def _read_chunks(self, document_id: str) -> tuple[tuple[int, int, str], ...]:
        chunks = self._view.chunks(document_id)
        return tuple((each.char_offset_start, each.char_offset_end, each.chunk_id) for each in chunks)

    def quoting(self, place: Stretch) -> Iterator[str]:
        """Sections that quote words of a place, with repetitions."""
        return (each for start, end, each, _ in self._quotes.get(place.document_id, ()) if place.meets(start, end))

    def drawing(self, place: Stretch) -> Iterator[str]:
        """Sections to whose topic a chunk speaks that has words of a place, with repetitions."""
        for start, end, chunk_id in self._chunks(place.document_id):
            if place.meets(start, end):
                yield from self._drawing.get(chunk_id, ())

    def quoting_document(self, place: Stretch) -> Iterator[str]:
        """Sections that quote anything of a place's document, with repetitions."""
        return (each for _, _, each, _ in self._quotes.get(place.document_id, ()))

    def claiming(self, place: Stretch) -> Iterator[str]:
        """Published claims that rest on words of a place, with repetitions."""
        for start, end, section_id, part in self._quotes.get(place.document_id, ()):
            if place.meets(start, end):
                yield from self._claims.get((section_id, part), ())
