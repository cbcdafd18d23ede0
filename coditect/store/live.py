"""Counting through the secondary indexes, restricted to what is live in one generation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from coditect.schemas import DocumentVersion, Extraction, Section
from coditect.schemas.record import TAG_DIGITS
from coditect.store.rows import topic_key
from coditect.store.view import View

__all__ = ["LiveIndex"]


KEPT_TERMS = 256
"""Terms whose extractions are kept in memory."""


class LiveIndex:
    """The term, topic and document indexes, seen through a view: entries of other generations are passed over.

    Args:
        view: the generation; its sections must be stored, its summary need not be.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self._terms: dict[str, list[Extraction]] = {}

    @property
    def documents(self) -> Mapping[str, DocumentVersion]:
        """The documents, by id."""
        return self.view.documents

    def by_term(self, term: str) -> list[Extraction]:
        """The live extractions under a term, in document order."""
        if term not in self._terms:
            if len(self._terms) >= KEPT_TERMS:
                self._terms.clear()
            self._terms[term] = self._load(self._places("idx/term", term))
        return self._terms[term]

    def by_entity(self, name: str) -> list[Extraction]:
        """The live extractions that mention an entity, in document order."""
        return self._load(self._places("idx/entity", name))

    def _load(self, places: list[tuple[str, str]]) -> list[Extraction]:
        found = self.view.items(Extraction, [item for _, item in places], [document for document, _ in places])
        return sorted(found, key=_order)

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

    def _places(self, table: str, key: str) -> list[tuple[str, str]]:
        live = self.view.live_derivations
        rows = self.view.store.scan_index(table, key, self.view.corpus_id)
        return [(str(place[2]), str(place[3])) for place, derivation in rows if derivation in live]

    @cached_property
    def _by_tag(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for document_id in self.view.entries:
            found.setdefault(document_id.partition("_")[2][:TAG_DIGITS], []).append(document_id)
        return found


def _order(extraction: Extraction) -> tuple[str, int, int, str]:
    return extraction.document_id, extraction.char_offset_start, extraction.char_offset_end, extraction.extraction_id
