"""Tiers 1 and 2 and the passages of one document, as rows ready to be stored: what a worker process does for a build."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from coditect.errors import CoditectError
from coditect.keyspace import Keyspace
from coditect.knowledge.ingest import failure_of
from coditect.knowledge.workers import SLIPS
from coditect.models.port import Embedder, Tokenizer
from coditect.schemas import (
    Chunk,
    Derivation,
    DocumentVersion,
    Extraction,
    ExtractionMethod,
    Failure,
    Passage,
    PassageSettings,
    Stage,
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
from coditect.tiers.passages import PASSAGES_VERSION, passage_records

__all__ = ["DeriveTask", "Derived", "PassagePlan", "chunks_id", "derive", "extractions_id"]


@dataclass(frozen=True, slots=True)
class PassagePlan:
    """How passages are cut in this build; sent to worker processes.

    Attributes:
        settings: the user's choices.
        tokenizer_id: counts their tokens.
        embedder_id: finds their borders; "" unless they are semantic.
        tokenizer: opens it.
        embedder: opens it.
    """

    settings: PassageSettings
    tokenizer_id: str
    tokenizer: Callable[[], Tokenizer]
    embedder_id: str = ""
    embedder: Callable[[], Embedder | None] | None = None

    @property
    def parameters(self) -> dict[str, object]:
        """What a passage depends on, beside the document."""
        return {
            **self.settings.model_dump(mode="json"),
            "tokenizer": self.tokenizer_id,
            **({"embedder": self.embedder_id} if self.embedder_id else {}),
        }

    def id_for(self, version: DocumentVersion) -> str:
        """The id that the passages of a document version have."""
        return derivation_id_for(
            version.corpus_id,
            "passages",
            (extractions_id(version),),
            self.settings.boundaries,
            self.parameters,
            PASSAGES_VERSION,
        )


@dataclass(frozen=True, slots=True)
class DeriveTask:
    """A document whose tiers 1 and 2, and passages, are wanted.

    Attributes:
        tenant: whose keys are made.
        version: the document version.
        text: its canonical text.
        layout: its stored layout.
        method: of Tier 2.
        known: stages that are stored already.
        passages: how they are cut; None: they are not.
    """

    tenant: str
    version: DocumentVersion
    text: str
    layout: bytes
    method: ExtractionMethod
    known: frozenset[Stage]
    passages: PassagePlan | None


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
    try:
        items, derivations = _derive(task)
    except CoditectError as error:
        return _failed(version, error)
    except SLIPS as error:  # one document that the rules do not know how to read costs one document
        slip = CoditectError(
            "the document cannot be derived",
            reason=f"{type(error).__name__}: {str(error)[:200]}",
            hint="Report what it holds; the other documents are not affected.",
        )
        return _failed(version, slip)
    return Derived(version.document_id, tuple(items), tuple(derivations))


def _derive(task: DeriveTask) -> tuple[list[ItemRows], list[Derivation]]:
    version = task.version
    first, second = extractions_id(version), chunks_id(version, task.method)
    source = decode_layout(
        task.text, task.layout, media_type=version.media_type, title=version.title, reader=version.reader
    )
    reading = read_document(source)
    extractions = extraction_records(version, reading, first)
    records: list[Extraction | Chunk | Passage] = []
    derivations = []
    if "extractions" not in task.known:
        records += extractions
        ids = [e.extraction_id for e in extractions]
        derivations.append(
            _derivation(version, first, "extractions", (version.version_id,), "rules", EXTRACTIONS_VERSION, ids)
        )
    if "chunks" not in task.known:
        chunks = chunk_records(version, reading, second, extractions, task.method)
        records += chunks
        ids = [c.chunk_id for c in chunks]
        derivations.append(_derivation(version, second, "chunks", (first,), task.method, CHUNKS_VERSION, ids))
    if task.passages is not None and "passages" not in task.known:
        plan, third = task.passages, task.passages.id_for(version)
        embedder = plan.embedder() if plan.embedder_id and plan.embedder is not None else None
        passages = passage_records(version, reading, third, extractions, plan.settings, plan.tokenizer(), embedder)
        records += passages
        ids = [p.passage_id for p in passages]
        step = _derivation(version, third, "passages", (first,), plan.settings.boundaries, PASSAGES_VERSION, ids)
        derivations.append(step.model_copy(update={"parameters": plan.parameters}))
    del reading, extractions
    return _rows(Keyspace(task.tenant), records), derivations


def _rows(keys: Keyspace, records: list[Extraction | Chunk | Passage]) -> list[ItemRows]:
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
    stage: Stage,
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
