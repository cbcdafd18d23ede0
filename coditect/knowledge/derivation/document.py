"""Tiers 1 and 2 and the passages of one document, as rows ready to be stored: what a worker process does for a build."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from coditect.documents.layout import version_source
from coditect.errors import CoditectError
from coditect.keyspace import Keyspace
from coditect.knowledge.derivation.plan import ChunkPlan, PassagePlan, extractions_step
from coditect.knowledge.derivation.source import stored_text
from coditect.knowledge.failures import SLIPS, failure_of_version
from coditect.schemas import (
    Chunk,
    Derivation,
    DocumentVersion,
    Extraction,
    Failure,
    Passage,
    Stage,
)
from coditect.store.rows import ItemRows, item_rows
from coditect.store.store import Store
from coditect.tiers.chunks.summaries import Choice, choices, chunk_records
from coditect.tiers.extractions.document import extraction_records, read_document
from coditect.tiers.passages import passage_records

__all__ = [
    "DeriveTask",
    "Derived",
    "StoredTask",
    "derive",
    "derive_stored",
    "offer",
]


@dataclass(frozen=True, slots=True)
class DeriveTask:
    """A document whose tiers 1 and 2, and passages, are wanted.

    Attributes:
        tenant: the tenant for whom the keys of rows are made.
        version: the document version.
        text: its canonical text.
        layout: its stored layout.
        known: stages that are stored already.
        chunks: how Tier 2 is made.
        passages: how passages are cut; None: they are not.
    """

    tenant: str
    version: DocumentVersion
    text: str
    layout: bytes
    known: frozenset[Stage]
    chunks: ChunkPlan
    passages: PassagePlan | None


@dataclass(frozen=True, slots=True)
class Derived:
    """Rows of a document's new items and derivations, or the failure."""

    document_id: str
    items: tuple[ItemRows, ...] = ()
    derivations: tuple[Derivation, ...] = ()
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class StoredTask:
    """A document that is read from the shared store, and whose items are written to it, by whoever derives it.

    Attributes:
        open_store: opens the shared store.
        task: what is wanted, without text and layout.
    """

    open_store: Callable[[], Store]
    task: DeriveTask

    @property
    def version(self) -> DocumentVersion:
        """The document version."""
        return self.task.version


def derive(task: DeriveTask) -> Derived:
    """Derive one document; a failure is a result."""
    version = task.version
    try:
        items, derivations = _derive(task)
    except (CoditectError, *SLIPS) as error:  # one document that the rules do not know how to read costs one document
        return Derived(version.document_id, failure=failure_of_version(version, error))
    return Derived(version.document_id, tuple(items), tuple(derivations))


def derive_stored(stored: StoredTask) -> Derived:
    """Derive one document and store what comes out; its derivations, stored last, are the promise that it is there."""
    version = stored.version
    try:
        store = stored.open_store()
        text, layout = stored_text(store, version)
        result = derive(replace(stored.task, text=text, layout=layout))
        store.put_item_rows(result.items)
        store.put_derivations(result.derivations)
    except CoditectError as error:
        return Derived(version.document_id, failure=failure_of_version(version, error))
    return replace(result, items=())


def _derive(task: DeriveTask) -> tuple[list[ItemRows], list[Derivation]]:
    version, chunks, cut = task.version, task.chunks, task.passages
    first = extractions_step(version)
    reading = read_document(version_source(version, task.text, task.layout))
    extractions = extraction_records(version, reading, first.derivation_id)
    records: list[Extraction | Chunk | Passage] = []
    derivations: list[Derivation] = []

    def finish(step: Derivation, outputs: Sequence[Extraction | Chunk | Passage]) -> None:
        records.extend(outputs)
        ids = tuple(dict.fromkeys(record.item_id for record in outputs))
        derivations.append(step.model_copy(update={"outputs": ids}))

    if "extractions" not in task.known:
        finish(first, extractions)
    if "chunks" not in task.known:
        step, every = chunks.step_for(version), [*extractions, *chunks.mapped]
        finish(step, chunk_records(version, reading, step.derivation_id, every, chunks.method, chunks.selections))
        del every
    if cut is not None and "passages" not in task.known:
        step, tokenizer = cut.step_for(version), cut.tokenizer()
        embedder = cut.embedder() if cut.embedder_id and cut.embedder is not None else None
        own = (extractions, cut.settings, tokenizer, embedder)
        finish(step, passage_records(version, reading, step.derivation_id, *own))
        del own
    del reading, extractions
    return _rows(Keyspace(task.tenant), records), derivations


def offer(task: DeriveTask) -> tuple[Choice, ...]:
    """What a model may select of one document; runs in a worker, as :func:`derive` does.

    Nothing is offered of a document that cannot be read: its derivation fails, too, and says so.
    """
    version = task.version
    try:
        reading = read_document(version_source(version, task.text, task.layout))
        extractions = [
            *extraction_records(version, reading, extractions_step(version).derivation_id),
            *task.chunks.mapped,
        ]
        return tuple(choices(reading, extractions))
    except (CoditectError, *SLIPS):
        return ()


def _rows(keys: Keyspace, records: list[Extraction | Chunk | Passage]) -> list[ItemRows]:
    """The rows of records, which are let go one by one: a long document has hundreds of thousands."""
    records.reverse()
    made = []
    while records:
        made.append(item_rows(keys, records.pop()))
    return made
