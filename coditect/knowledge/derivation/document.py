"""Tiers 1 and 2 and the passages of one document, as rows ready to be stored: what a worker process does for a build."""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coditect.documents.layout import version_source
from coditect.documents.limits import MOST_EXTRACTIONS
from coditect.errors import CoditectError
from coditect.keyspace import Keyspace
from coditect.knowledge.derivation.beside import (
    LONGEST,
    BesidePlan,
    MadeBeside,
    SentBeside,
    made_beside,
)
from coditect.knowledge.derivation.plan import ChunkPlan, PassagePlan
from coditect.knowledge.derivation.profiles import Profiled, ProfileTask, profiled
from coditect.knowledge.derivation.spool import RowSpool, SpooledRows
from coditect.knowledge.labour.failures import SLIPS, failure_of_version
from coditect.knowledge.labour.garbage import uncollected
from coditect.retrieve.prepared import HeldDocument
from coditect.schemas import (
    Chunk,
    Derivation,
    DocumentVersion,
    Extraction,
    Failure,
    Passage,
    Stage,
    outputs_digest,
)
from coditect.store.rows import item_rows
from coditect.tiers.chunks.summaries import Choice, choices, chunk_records
from coditect.tiers.decisions.application import overruled
from coditect.tiers.extractions.document import DocumentReading, extraction_records, read_document
from coditect.tiers.extractions.rules import too_much
from coditect.tiers.passages import StatementPlace, is_statement, passage_records
from coditect.tiers.readings.merging import MergeCounts, Outcome

__all__ = [
    "DeriveTask",
    "Derived",
    "derive",
    "offer",
]

SENTENCES_PER_EXTRACTION = 2
"""A sentence in which nothing is found costs little, but it costs: so many of them count as one extraction."""

CHARACTERS_PER_EXTRACTION = 100
"""As for sentences; a text of which every other character is a word costs most."""

LONG_SENTENCE = 5_000
"""Characters from which on a sentence is none to the rules."""

LONG_WEIGHT = 4
"""How often a character counts that stands in such a sentence: all of its words are held at once, while passages are cut."""

NOTHING = SpooledRows()


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
        most: extractions of the document, at most; twice as many sentences.
        folder: where rows wait that are too many to be held; None: in a folder of the task's own.
        beside: what is made beside its tiers; None: nothing is.
        profile: its profile; None: that is there, or whoever publishes makes it.
    """

    tenant: str
    version: DocumentVersion
    text: str
    layout: bytes
    known: frozenset[Stage]
    chunks: ChunkPlan
    passages: PassagePlan | None
    most: int = MOST_EXTRACTIONS
    folder: Path | None = None
    beside: BesidePlan | None = None
    profile: ProfileTask | None = None

    @property
    def is_too_long(self) -> bool:
        """Whether the document has more characters than are taken in of one; its text need not be at hand to tell."""
        return self.version.text_length > CHARACTERS_PER_EXTRACTION * self.most


@dataclass(frozen=True, slots=True)
class Derived:
    """Rows of a document's new items and derivations, or the failure.

    Attributes:
        document_id: the document.
        items: its rows.
        derivations: what was finished of it.
        failure: why it was not derived.
        beside: what was made beside its tiers.
        is_stored: whoever derived it has stored all this.
        read: what a model's reading made of the rules'.
        profile: its profile, where that was wanted; not stored.
    """

    document_id: str
    items: SpooledRows = NOTHING
    derivations: tuple[Derivation, ...] = ()
    failure: Failure | None = None
    beside: MadeBeside | SentBeside | None = None
    is_stored: bool = False
    read: Mapping[Outcome, int] = field(default_factory=dict)
    profile: Profiled | None = None


def derive(task: DeriveTask) -> Derived:
    """Derive one document; a failure is a result."""
    version = task.version
    try:
        with uncollected(), RowSpool(task.folder or Path(tempfile.gettempdir())) as spool:
            held = _held(task)
            counts = MergeCounts()
            derivations = _derive(task, spool, counts, held)
            beside = (
                made_beside(task.beside, held, derivations) if task.beside is not None and held is not None else None
            )
            own = None if task.profile is None else _profiled(task, task.profile)
            return Derived(version.document_id, spool.close(), derivations, beside=beside, read=counts, profile=own)
    except (CoditectError, *SLIPS) as error:  # one document that the rules do not know how to read costs one document
        return Derived(version.document_id, failure=failure_of_version(version, error))


def _profiled(task: DeriveTask, wanted: ProfileTask) -> Profiled | None:
    """A document's profile; None where the rules do not know how to guess at it, which whoever publishes tells."""
    try:
        return profiled(task.version, task.text, wanted)
    except (CoditectError, *SLIPS):
        return None


def _held(task: DeriveTask) -> HeldDocument | None:
    """What takes the records of a document in; None where some are there already, they would be too many, or nobody asks."""
    if task.beside is None or task.known or task.chunks.mapped_id or task.version.text_length > LONGEST:
        return None
    return HeldDocument(task.version, task.text)


def _derive(
    task: DeriveTask, spool: RowSpool, counts: MergeCounts, held: HeldDocument | None = None
) -> tuple[Derivation, ...]:
    """Make the records of a document in the order of its text and let each go as rows; what stays are ids and places.

    Args:
        task: what is wanted.
        spool: takes the rows.
        counts: takes what became of the rules' reading where a model has read.
        held: takes the records, where more is made of them.
    """
    version, chunks, cut = task.version, task.chunks, task.passages
    keys = Keyspace(task.tenant)
    reading = _read(task)
    outputs: dict[Stage, dict[str, bytes]] = {}
    places: list[StatementPlace] = []

    def finish(stage: Stage, record: Extraction | Chunk | Passage) -> None:
        if stage not in task.known:
            rows = item_rows(keys, record)
            outputs.setdefault(stage, {})[record.item_id] = rows.sha256
            spool.add(rows)
            if held is not None:
                held.add(record)

    def extractions() -> Iterator[Extraction]:
        for record in _rule_extractions(task, reading, counts):
            finish("extractions", record)
            if cut is not None and "passages" not in task.known and is_statement(record):
                places.append(StatementPlace.of(record, reading))
            yield record

    first, chunks_step = chunks.tier1_step(version), chunks.step_for(version)
    steps: dict[Stage, Derivation] = {"extractions": first, "chunks": chunks_step}
    found = extractions()
    if "chunks" not in task.known:
        every = _in_order(found, chunks.mapped)
        own = (chunks_step.derivation_id, every, chunks.method, chunks.selections)
        for chunk in chunk_records(version, reading, *own):
            finish("chunks", chunk)
    for _ in found:  # those behind the last chunk
        pass
    if cut is not None and "passages" not in task.known:
        steps["passages"] = cut.step_for(version)
        embedder = cut.embedder() if cut.embedder_id and cut.embedder is not None else None
        about = (places, cut.settings, cut.tokenizer(), embedder)
        for passage in passage_records(version, reading, steps["passages"].derivation_id, *about):
            finish("passages", passage)
    return tuple(
        step.model_copy(update={"outputs": tuple(given), "outputs_sha256": outputs_digest(given)})
        for stage, step in steps.items()
        if stage not in task.known
        for given in (outputs.get(stage, {}),)
    )


def _read(task: DeriveTask) -> DocumentReading:
    """The reading of a document.

    Raises:
        ReadError: it has more characters or sentences than are taken in of one.
    """
    if task.is_too_long:
        raise too_much("the document is longer than is taken in of one", CHARACTERS_PER_EXTRACTION * task.most)
    reading = read_document(version_source(task.version, task.text, task.layout))
    long = sum(each.end - each.start for each in reading.sentences if each.end - each.start > LONG_SENTENCE)
    if task.version.text_length + (LONG_WEIGHT - 1) * long > CHARACTERS_PER_EXTRACTION * task.most:
        limit = CHARACTERS_PER_EXTRACTION * task.most // LONG_WEIGHT
        raise too_much("the document has more text without the end of a sentence than is taken in of one", limit)
    if len(reading.sentences) > SENTENCES_PER_EXTRACTION * task.most:
        raise too_much("the document has more sentences than are taken in of one", SENTENCES_PER_EXTRACTION * task.most)
    return reading


def _rule_extractions(
    task: DeriveTask, reading: DocumentReading, counts: MergeCounts | None = None
) -> Iterator[Extraction]:
    version, chunks, decisions = task.version, task.chunks, task.chunks.decisions
    derivation_id = chunks.tier1_step(version).derivation_id
    records = extraction_records(
        version,
        reading,
        derivation_id,
        task.most,
        told=chunks.told,
        counts=counts,
        stated_role=chunks.stated_role,
    )
    return overruled(records, version.name, reading, decisions) if decisions else records


def _in_order(found: Iterable[Extraction], mapped: Sequence[Extraction]) -> Iterable[Extraction]:
    """What rules and models found, in the order of the text."""
    ordered = sorted(mapped, key=lambda each: each.char_offset_start)
    return heapq.merge(found, ordered, key=lambda each: each.char_offset_start)


def offer(task: DeriveTask) -> tuple[Choice, ...]:
    """What a model may select of one document; runs in a worker, as :func:`derive` does.

    Nothing is offered of a document that cannot be read: its derivation fails, too, and says so.
    """
    try:
        reading = _read(task)
        return tuple(choices(reading, _in_order(_rule_extractions(task, reading), task.chunks.mapped)))
    except (CoditectError, *SLIPS):
        return ()
