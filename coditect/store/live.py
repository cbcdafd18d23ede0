"""Counting through the secondary indexes, restricted to what is live in one generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from coditect.keyspace.terms import topic_key
from coditect.schemas import DocumentVersion, Extraction, Section
from coditect.schemas.record import TAG_DIGITS
from coditect.store.view import View

__all__ = ["LiveIndex"]


KEPT_TERMS = 256
"""Terms whose extractions are kept in memory."""


class LiveIndex:
    """The term, topic and document indexes, seen through a view: entries of other generations are passed over. Safe for threads.

    Args:
        view: the generation; its sections must be stored, its summary need not be.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self._by_term = lru_cache(KEPT_TERMS)(self._read_term)

    @property
    def documents(self) -> Mapping[str, DocumentVersion]:
        """The documents, by id."""
        return self.view.documents

    def by_term(self, term: str) -> Sequence[Extraction]:
        """The live extractions under a term, in document order."""
        return self._by_term(term)

    def _read_term(self, term: str) -> tuple[Extraction, ...]:
        live = self.view.live_derivations
        rows = self.view.store.scan_index("idx/term", term, self.view.corpus_id)
        places = [(str(place[2]), str(place[3])) for place, derivation in rows if derivation in live]
        found = self.view.items(Extraction, [item for _, item in places], [document for document, _ in places])
        return tuple(sorted(found, key=_order))

    def extractions(self, document_id: str, ids: list[str]) -> list[Extraction]:
        """Extractions of one document by id, in the order given."""
        return self.view.items(Extraction, ids, [document_id] * len(ids))

    def documents_of_topic(self, topic: str) -> frozenset[str]:
        """Ids of the documents whose chunks the live sections on a topic draw on."""
        live = self.view.live_derivations
        rows = self.view.store.scan_index("idx/topic", topic_key(topic), self.view.corpus_id)
        ids = [str(section) for (_, _, section), derivation in rows if derivation in live]
        tags = {
            chunk.partition("_")[2][:TAG_DIGITS]
            for section in self.view.items(Section, ids)
            for chunk in section.source_chunks
        }
        return frozenset(document for tag in tags for document in self._by_tag.get(tag, ()))

    @cached_property
    def _by_tag(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for document_id in self.view.entries:
            found.setdefault(document_id.partition("_")[2][:TAG_DIGITS], []).append(document_id)
        return found


def _order(extraction: Extraction) -> tuple[str, int, int, str]:
    return extraction.document_id, extraction.char_offset_start, extraction.char_offset_end, extraction.extraction_id
