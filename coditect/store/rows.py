"""Records as rows, and back: one row for the record, one for each index entry, written in one transaction.

Index entries name the derivation that their item belongs to. They are written with the item and never changed; whether
an item is part of a generation is told by the generation's manifest (ADR 0004).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeVar

from coditect.engine.limits import VALUE_BYTES
from coditect.engine.port import Transaction
from coditect.errors import CoditectError, Corrupt
from coditect.keyspace import ENVELOPE_BYTES, POINTER, WHOLE, Keyspace, part_text, seal, unseal
from coditect.keyspace.terms import (
    definition_term,
    document_term,
    measure_term,
    reference_term,
    section_term,
    topic_key,
)
from coditect.schemas import (
    Calibration,
    CalibrationSwitch,
    Chunk,
    Claim,
    Corpus,
    CorpusSummary,
    CrossReferenceData,
    DefinitionData,
    Derivation,
    DocumentVersion,
    Extraction,
    Failure,
    Generation,
    Intake,
    Item,
    Manifest,
    ModelAnswer,
    Passage,
    Record,
    RelevanceMark,
    Review,
    Section,
    Tree,
    Verdict,
)
from coditect.store.blobs import Row, blob_rows, get_blob

__all__ = [
    "RECORD_TABLES",
    "TABLE_OF",
    "ItemRows",
    "answer_row",
    "index_rows",
    "item_rows",
    "open_row",
    "row_name",
]

_POINTER = re.compile(rb"([0-9a-f]{64}):([0-9]{1,15})")

R = TypeVar("R", bound=Record)

RECORD_TABLES: dict[str, type[Record]] = {
    "documents": DocumentVersion,
    "extractions": Extraction,
    "chunks": Chunk,
    "passages": Passage,
    "sections": Section,
    "claims": Claim,
    "verdicts": Verdict,
    "reviews": Review,
    "marks": RelevanceMark,
    "calibrations": Calibration,
    "switches": CalibrationSwitch,
    "summaries": CorpusSummary,
    "answers": ModelAnswer,
    "derivations": Derivation,
    "intake": Intake,
    "failures": Failure,
    "trees": Tree,
    "manifests": Manifest,
    "generations": Generation,
    "corpus": Corpus,
}
"""The record of each table, each after those that it points to: the order in which they are validated and archived."""

TABLE_OF: dict[type[Item], str] = {cls: table for table, cls in RECORD_TABLES.items() if issubclass(cls, Item)}
"""Where items of a class stand."""


@dataclass(frozen=True, slots=True)
class ItemRows:
    """What storing an item writes.

    Attributes:
        item_id: for messages.
        record: the item's own row.
        index: its index entries, in the same transaction.
        blobs: written before, where the record is too long for one value.
    """

    item_id: str
    record: Row
    index: tuple[Row, ...]
    blobs: tuple[Row, ...] = ()

    @property
    def size_bytes(self) -> int:
        """Keys and values of record and index."""
        return sum(len(key) + len(value) for key, value in (self.record, *self.index))


def item_rows(keys: Keyspace, item: Item) -> ItemRows:
    """The rows of an item: record, index entries, and blobs where it is long."""
    corpus_id = str(getattr(item, "corpus_id"))  # noqa: B009 - every item has one, Item does not declare it
    record, blobs = seal_record(keys, corpus_id, record_key(keys, item), item.payload())
    return ItemRows(item.item_id, record, index_rows(keys, item), blobs)


def record_key(keys: Keyspace, item: Item) -> bytes:
    """The key under which an item stands."""
    table = TABLE_OF[type(item)]
    if isinstance(item, DocumentVersion | Extraction | Chunk | Passage):
        return keys.key(table, item.corpus_id, item.document_id, item.item_id)
    return keys.key(table, str(getattr(item, "corpus_id")), item.item_id)  # noqa: B009 - as above


def answer_row(keys: Keyspace, answer: ModelAnswer) -> Row:
    """The index entry by which other corpora of the tenant find an answer."""
    key = keys.key("idx/answer", answer.request_sha256, answer.corpus_id)
    return key, seal(keys.relative(key), b"")


def seal_record(keys: Keyspace, corpus_id: str, key: bytes, payload: bytes) -> tuple[Row, tuple[Row, ...]]:
    """(row, blob rows) of a record's bytes; long ones become a blob and a pointer to it."""
    relative = keys.relative(key)
    if len(payload) + ENVELOPE_BYTES <= VALUE_BYTES:
        return (key, seal(relative, payload, WHOLE)), ()
    digest, blobs = blob_rows(keys, corpus_id, payload)
    return (key, seal(relative, f"{digest}:{len(payload)}".encode(), POINTER)), tuple(blobs)


def open_row(
    transaction: Transaction, keys: Keyspace, corpus_id: str | bytes, key: bytes, value: bytes, cls: type[R]
) -> R:
    """The record in a stored value.

    Raises:
        Corrupt: changed bytes, or not a record of this class; names the record's key.
    """
    try:
        form, payload = unseal(keys.relative(key), value)
        if form == POINTER:
            payload = get_blob(transaction, keys, corpus_id, *_pointed(payload))
        return cls.parse(payload)
    except CoditectError as error:
        raise Corrupt(error.message, **{**error.context, "record": cls.__name__, "key": row_name(keys, key)}) from error


def _pointed(payload: bytes) -> tuple[str, int]:
    """(SHA-256, size) that a pointer names."""
    found = _POINTER.fullmatch(payload)
    if found is None:
        raise Corrupt("a pointer does not name a blob")
    return found[1].decode(), int(found[2])


def row_name(keys: Keyspace, key: bytes) -> str:
    """A row for people: its table and place, e.g. 'extractions/policies/document_…/extraction_…'."""
    table = keys.table_of(key)
    if table is None:
        return repr(key)
    try:
        return "/".join((table, *map(part_text, keys.parts(table, key))))
    except Corrupt:
        return f"{table}/{key!r}"


def index_rows(keys: Keyspace, record: Record) -> tuple[Row, ...]:
    """The index entries that a record calls for."""
    index_keys: list[bytes] = []
    derivation = ""
    match record:
        case ModelAnswer():
            return (answer_row(keys, record),)
        case Item():
            index_keys = _index_keys(keys, record)
            derivation = str(getattr(record, "derivation_id", ""))
    return tuple((key, seal(keys.relative(key), derivation.encode())) for key in index_keys)


def _index_keys(keys: Keyspace, item: Item) -> list[bytes]:
    index_keys: list[bytes] = []
    match item:
        case DocumentVersion():
            index_keys.append(keys.key("idx/document", item.corpus_id, item.document_id, 0, item.version_id))
            index_keys.append(keys.key("idx/locator", item.tag(), item.corpus_id, item.document_id))
        case Extraction():
            place = (item.corpus_id, item.document_id, item.extraction_id)
            index_keys.append(keys.key("idx/document", item.corpus_id, item.document_id, 1, item.extraction_id))
            index_keys += [keys.key("idx/entity", name, *place) for name in sorted({e.name for e in item.entities})]
            index_keys += [keys.key("idx/term", term, *place) for term in _terms(item)]
        case Chunk():
            index_keys.append(keys.key("idx/document", item.corpus_id, item.document_id, 2, item.chunk_id))
            index_keys += [
                keys.key("idx/term", section_term(section_id), item.corpus_id, item.document_id, item.chunk_id)
                for section_id in sorted(set(item.section_ids))
            ]
        case Section():
            index_keys.append(keys.key("idx/topic", topic_key(item.topic), item.corpus_id, item.section_id))
    return index_keys


def _terms(item: Extraction) -> list[str]:
    definition, reference = item.read_as(DefinitionData), item.read_as(CrossReferenceData)
    names = (definition.term, *(definition.aliases or ()))
    found = {measure_term(measure.kind, measure.head) for measure in item.measures}
    found |= {definition_term(name) for name in names if name and name.strip()}
    found |= {reference_term(name) for name in (reference.label, reference.document) if name and name.strip()}
    found |= {document_term(name) for name in named_documents(reference)}
    return sorted(found)


def named_documents(data: CrossReferenceData) -> tuple[str, ...]:
    """The company document that a cross-reference names ("Access Control Policy"), as a tuple of none or one."""
    name = data.document or data.target
    if data.target_kind not in ("document", "policy") or data.internal or not name:
        return ()
    return (" ".join(name.split()),)
