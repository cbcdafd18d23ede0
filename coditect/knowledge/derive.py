"""Tiers 1 and 2 of one document, as rows ready to be stored: what a worker process does for a build."""

from __future__ import annotations

from dataclasses import dataclass

from coditect.errors import CoditectError
from coditect.keyspace import Keyspace
from coditect.knowledge.ingest import failure_of
from coditect.knowledge.workers import SLIPS
from coditect.schemas import (
    Chunk,
    Derivation,
    DocumentVersion,
    Extraction,
    ExtractionMethod,
    Failure,
    derivation_id_for,
)
from coditect.store.rows import ItemRows, item_rows
from coditect.text.layout import decode_layout
from coditect.tiers.document import (
    CHUNKS_VERSION,
    EXTRACTIONS_VERSION,
    chunk_records,
    extraction_records,
    read_document,
)

__all__ = ["DeriveTask", "Derived", "chunks_id", "derive", "extractions_id"]


@dataclass(frozen=True, slots=True)
class DeriveTask:
    """A document whose tiers 1 and 2 are wanted.

    Attributes:
        tenant: whose keys are made.
        version: the document version.
        text: its canonical text.
        layout: its stored layout.
        method: of Tier 2.
        extractions_known: Tier 1 is stored; only Tier 2 is missing.
    """

    tenant: str
    version: DocumentVersion
    text: str
    layout: bytes
    method: ExtractionMethod
    extractions_known: bool


@dataclass(frozen=True, slots=True)
class Derived:
    """Rows of a document's new items and derivations, or the failure."""

    document_id: str
    items: tuple[ItemRows, ...] = ()
    derivations: tuple[Derivation, ...] = ()
    failure: Failure | None = None


def extractions_id(version: DocumentVersion) -> str:
    """The id that Tier 1 of a document version has."""
    return derivation_id_for(version.corpus_id, "extractions", (version.version_id,), "rules", {}, EXTRACTIONS_VERSION)


def chunks_id(version: DocumentVersion, method: ExtractionMethod) -> str:
    """The id that Tier 2 of a document version has."""
    return derivation_id_for(version.corpus_id, "chunks", (extractions_id(version),), method, {}, CHUNKS_VERSION)


def derive(task: DeriveTask) -> Derived:
    """Derive one document; a failure is a result."""
    version = task.version
    keys = Keyspace(task.tenant)
    first, second = extractions_id(version), chunks_id(version, task.method)
    try:
        source = decode_layout(
            task.text, task.layout, media_type=version.media_type, title=version.title, reader=version.reader
        )
        reading = read_document(source)
        extractions = extraction_records(version, reading, first)
        chunks = chunk_records(version, reading, second, extractions, task.method)
        extraction_ids = [e.extraction_id for e in extractions]
        chunk_ids = [c.chunk_id for c in chunks]
        records: list[Extraction | Chunk] = [*chunks] if task.extractions_known else [*extractions, *chunks]
        del reading, extractions, chunks
        made = _rows(keys, records)
    except CoditectError as error:
        return _failed(version, error)
    except SLIPS as error:  # one document that the rules do not know how to read costs one document
        slip = CoditectError(
            "the document cannot be derived",
            reason=f"{type(error).__name__}: {str(error)[:200]}",
            hint="Report what it holds; the other documents are not affected.",
        )
        return _failed(version, slip)
    derivations = [_derivation(version, second, "chunks", (first,), task.method, CHUNKS_VERSION, chunk_ids)]
    if not task.extractions_known:
        step = _derivation(
            version, first, "extractions", (version.version_id,), "rules", EXTRACTIONS_VERSION, extraction_ids
        )
        derivations.insert(0, step)
    return Derived(version.document_id, tuple(made), tuple(derivations))


def _rows(keys: Keyspace, records: list[Extraction | Chunk]) -> list[ItemRows]:
    """The rows of records, which are let go one by one: a long document has hundreds of thousands."""
    records.reverse()
    made = []
    while records:
        made.append(item_rows(keys, records.pop()))
    return made


def _failed(version: DocumentVersion, error: CoditectError) -> Derived:
    failure = failure_of(version.corpus_id, version.name, error, version.raw_sha256)
    return Derived(version.document_id, failure=failure)


def _derivation(
    version: DocumentVersion,
    own_id: str,
    stage: str,
    inputs: tuple[str, ...],
    method: str,
    code: str,
    outputs: list[str],
) -> Derivation:
    return Derivation(
        derivation_id=own_id,
        corpus_id=version.corpus_id,
        stage=stage,
        inputs=inputs,
        method=method,
        parameters={},
        code_version=code,
        outputs=tuple(dict.fromkeys(outputs)),
    )
