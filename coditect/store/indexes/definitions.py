"""Every index that this release keeps: its table, the records that it covers, and the entries that each of them calls for.

Entries are functions of records that never change, so an entry is right for ever, or its item is gone. *Required* indexes are part
of the store's format: every store has them, whole. *Optional* ones are added and dropped by ``coditect store index``; whether a
tenant has one, and whether it is complete yet, is told by the store's header (:mod:`coditect.store.indexes.states`).

An optional index that a release gives up moves to :data:`FORMER_INDEXES`, and its table stays in the layout: stores may hold it.
Whoever changes what an optional index holds raises its version: stores that have the former version build it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coditect.keyspace import Keyspace, packed_id, seal
from coditect.keyspace.terms import (
    definition_term,
    document_term,
    measure_term,
    reference_term,
    section_term,
    topic_key,
)
from coditect.schemas import (
    Chunk,
    CrossReferenceData,
    DefinitionData,
    DocumentVersion,
    Extraction,
    ModelAnswer,
    Record,
    Section,
)
from coditect.store.blobs import Row

__all__ = [
    "FORMER_INDEXES",
    "INDEXES",
    "Index",
    "Place",
    "entry_rows",
    "mentioned",
    "named_documents",
    "optional_indexes",
    "required_indexes",
]

MOST_MENTIONED = 1000
"""Entities of one statement that are indexed: its entries must fit into a transaction beside it, whoever made it."""

Place = tuple[str, ...]
"""The elements of an entry's key."""


@dataclass(frozen=True, slots=True)
class Index:
    """An index.

    Attributes:
        name: what people call it.
        table: its table; number and fields are in the layout.
        covers: the classes of records that it has entries for.
        places: the keys of the entries that a record of these calls for. Of an optional index: a term, and the place of the item.
        version: of what it holds, from 1.
        required: part of the store's format.
    """

    name: str
    table: str
    covers: tuple[type[Record], ...]
    places: Callable[[Any], Sequence[Place]]
    version: int = 1
    required: bool = True


def entry_rows(keys: Keyspace, entries: Sequence[bytes], derivation: str) -> list[Row]:
    """Entries as rows; each says which derivation its item belongs to, and nothing where it belongs to none.

    Args:
        keys: of the tenant.
        entries: their keys.
        derivation: id of the item's derivation, or "".
    """
    if not entries:
        return []
    named = derivation.encode() if keys.format == 1 else packed_id(derivation) or derivation.encode()
    return [(key, seal(keys.relative(key), named)) for key in entries]


def named_documents(data: CrossReferenceData) -> tuple[str, ...]:
    """The company document that a cross-reference names ("Access Control Policy"), as a tuple of none or one."""
    name = data.document or data.target
    if data.target_kind not in ("document", "policy") or data.internal or not name:
        return ()
    return (" ".join(name.split()),)


def mentioned(item: Extraction) -> list[str]:
    """The entities under which a statement is found, by normalised name, in their order."""
    return sorted({entity.name for entity in item.entities})[:MOST_MENTIONED]


def _topics(item: Section) -> list[Place]:
    return [(topic_key(item.topic), item.corpus_id, item.section_id)]


def _entities(item: Extraction) -> list[Place]:
    return [(name, item.corpus_id, item.document_id, item.extraction_id) for name in mentioned(item)]


def _terms(item: Extraction | Chunk) -> list[Place]:
    if isinstance(item, Chunk):
        sections = [section_term(section_id) for section_id in sorted(set(item.section_ids))]
        return [(term, item.corpus_id, item.document_id, item.chunk_id) for term in sections]
    definition, reference = item.read_as(DefinitionData), item.read_as(CrossReferenceData)
    names = (definition.term, *(definition.aliases or ()))
    found = {measure_term(measure.kind, measure.head) for measure in item.measures}
    found |= {definition_term(name) for name in names if name and name.strip()}
    found |= {reference_term(name) for name in (reference.label, reference.document) if name and name.strip()}
    found |= {document_term(name) for name in named_documents(reference)}
    return [(term, item.corpus_id, item.document_id, item.extraction_id) for term in sorted(found)]


def _locators(item: DocumentVersion) -> list[Place]:
    return [(item.tag(), item.corpus_id, item.document_id)]


def _answers(answer: ModelAnswer) -> list[Place]:
    return [(answer.request_sha256, answer.corpus_id)]


INDEXES: dict[str, Index] = {
    index.name: index
    for index in (
        Index("topic", "idx/topic", (Section,), _topics),
        Index("term", "idx/term", (Extraction, Chunk), _terms),
        Index("locator", "idx/locator", (DocumentVersion,), _locators),
        Index("answer", "idx/answer", (ModelAnswer,), _answers),
        Index("entity", "idx/entity", (Extraction,), _entities, required=False),
    )
}
"""The indexes of this release, by name."""

FORMER_INDEXES: dict[str, str] = {}
"""Optional indexes that a former release kept, and their tables. Whoever writes items first disables them."""


def required_indexes() -> Mapping[str, Index]:
    """The indexes that every store has."""
    return {name: index for name, index in INDEXES.items() if index.required}


def optional_indexes() -> Mapping[str, Index]:
    """The indexes that a store may have."""
    return {name: index for name, index in INDEXES.items() if not index.required}
