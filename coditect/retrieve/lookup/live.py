"""Look-ups through the secondary indexes, restricted to what is live in one generation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, TypeVar

from coditect.keyspace import Part
from coditect.keyspace.terms import topic_key
from coditect.schemas import DocumentVersion, Extraction, Profile, Section, canonical_json
from coditect.schemas.record import TAG_DIGITS
from coditect.store.indexes.definitions import mentioned
from coditect.store.rows import open_stored, payload_of
from coditect.store.view import View

if TYPE_CHECKING:
    from coditect.documents.profile.citations import OutwardReference

__all__ = ["LiveIndex", "Mentions"]


T = TypeVar("T")

KEPT_TERMS = 256
"""Terms, and entities, whose extractions are kept in memory."""


@dataclass(frozen=True, slots=True)
class Mentions:
    """The statements that mention an entity.

    Attributes:
        found: in document order.
        way: how they were found: both ways give the same.
    """

    found: tuple[Extraction, ...]
    way: Literal["index", "scan"]


class LiveIndex:
    """The term, topic and entity indexes, seen through a view: entries of other generations are passed over. Safe for threads.

    Args:
        view: the generation; its sections must be stored, its summary need not be.
        references: those of all documents that name another one, by document and place, where they were read already.
    """

    def __init__(self, view: View, references: Sequence[OutwardReference] | None = None) -> None:
        self.view = view
        self._references = references
        self._by_term = lru_cache(KEPT_TERMS)(self._read_term)
        self._of_term = lru_cache(KEPT_TERMS)(self._make_of_term)
        self._mentioning = lru_cache(KEPT_TERMS)(self._read_mentions)

    @property
    def documents(self) -> Mapping[str, DocumentVersion]:
        """The documents, by id."""
        return self.view.documents

    @property
    def profiles(self) -> Mapping[str, Profile]:
        """What is known of each document, by id."""
        return self.view.profiles

    @property
    def today(self) -> str:
        """The day against which the build held the documents' dates; "" where none mattered."""
        return self.view.manifest.settings.today or ""

    @cached_property
    def outward_references(self) -> tuple[OutwardReference, ...]:
        """The references of all documents that name another one, by document and place; read from Tier 1 once."""
        if self._references is not None:
            return tuple(self._references)
        from coditect.documents.profile.citations import outward_references  # no question needs it

        return tuple(
            each
            for document_id in self.view.entries
            for each in outward_references(self.view.each_extraction_of(document_id, ["cross_reference"]))
        )

    def by_term(self, term: str) -> Sequence[Extraction]:
        """The live extractions under a term, in document order."""
        return self._by_term(term)

    def kept_of_term(self, term: str, make: Callable[[str, Sequence[Extraction]], Sequence[T]]) -> Sequence[T]:
        """What a function makes of a term and the live extractions under it; kept beside them.

        Args:
            term: of the index.
            make: one that gives the same for the same.
        """
        made: Sequence[T] = self._of_term(term, make)
        return made

    def _make_of_term(self, term: str, make: Callable[[str, Sequence[Extraction]], Sequence[T]]) -> Sequence[T]:
        return make(term, self._by_term(term))

    def mentioning(self, name: str) -> Mentions:
        """The live extractions that mention an entity: by the index of entities where the store has it, else by reading them all.

        Args:
            name: normalised, as :func:`coditect.language.entities.names.entity_name` gives it.
        """
        return self._mentioning(name)

    def _read_mentions(self, name: str) -> Mentions:
        entries = self.view.store.scan_optional("entity", name, self.view.corpus_id)
        if entries is None:
            return Mentions(tuple(sorted(self._that_mention(name), key=_order)), "scan")
        return Mentions(self._live(entries), "index")

    def _that_mention(self, name: str) -> Iterator[Extraction]:
        """Read every extraction of the corpus, and parse those in whose bytes the name stands as that of an entity."""
        store, live = self.view.store, self.view.live_derivations
        begin, end = store.keys.bounds("extractions", self.view.corpus_id)
        try:
            named = b'"name":' + canonical_json(name)
        except TypeError:  # lone surrogates, from a command line that is not UTF-8: no record holds them
            return
        for page in store.pages(begin, end):
            for row in page:
                place = store.keys.parts("extractions", row[0])
                if named in payload_of(store.engine, store.keys, place, *row):
                    item = open_stored(store.engine, store.keys, row, Extraction)
                    if item.derivation_id in live and name in mentioned(item):
                        yield item

    def _read_term(self, term: str) -> tuple[Extraction, ...]:
        return self._live(self.view.store.scan_index("idx/term", term, self.view.corpus_id))

    def _live(self, entries: Iterable[tuple[tuple[Part, ...], str]]) -> tuple[Extraction, ...]:
        """The extractions of this generation among those of index entries, in document order."""
        live = self.view.live_derivations
        places = [(str(place[2]), str(place[3])) for place, derivation in entries if derivation in live]
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
