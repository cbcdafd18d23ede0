"""What rules can compute again of a generation, computed again from the files' bytes and compared: `validate --deep`.

Who can write the store can change what it says, and every hash above it. The files are what they cannot change without changing
what they are. So each file is read again, and the generation is built again from what was read, in a store that forgets; what
comes out must be what is stored. What models or other programs made cannot be computed, and is said not to have been.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from coditect.documents.languages import NOT_ENGLISH
from coditect.documents.sandbox.budget import ReadBudget
from coditect.documents.sandbox.process import ReadingProcess
from coditect.engine.scratch import open_beside
from coditect.errors import CoditectError, Conflict, Unavailable
from coditect.keyspace import FORMAT
from coditect.knowledge.building.gathered.checking import check_gathered
from coditect.knowledge.building.gathered.corpus import Gathered
from coditect.knowledge.building.identity import UPPER_VERSIONS
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.building.shares import recompute_shares, shares_made_again
from coditect.knowledge.building.vectors import recompute_vectors
from coditect.knowledge.derivation.document import DeriveTask, derive
from coditect.knowledge.derivation.plan import ChunkPlan
from coditect.knowledge.ingest.reading import read_again
from coditect.knowledge.labour.scratch import scratch_folder
from coditect.knowledge.progress import Progress
from coditect.models.port import ModelSources
from coditect.schemas import CalibrationSwitch, Derivation, DocumentVersion, Failure, Finding
from coditect.store.blobs import put_rows
from coditect.store.generations import create_corpus, generation_at
from coditect.store.intake.documents import IntakeWriter, declared_of
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.tiers.chunks.summaries import CHUNKS_VERSION
from coditect.tiers.extractions.document import EXTRACTIONS_VERSION

__all__ = ["Recomputation", "RecomputationForecast", "recompute"]

NO_DAY = "0001-01-01"
"""A day on which no date of any document has passed: for builds that kept none."""

SHOWN = 3
"""Ids of a difference that a finding names."""

_OVERHEAD = 1.6
"""Reading, passages, sections and claims beside the derivation of Tiers 1 and 2, as measured on contracts and policies."""


@dataclass(frozen=True, slots=True)
class RecomputationForecast:
    """What a recomputation is going to take, told before it begins.

    Attributes:
        documents: that are read and built again.
        characters: of their texts.
        seconds: from the time that one of them took; 0 where none could be tried.
    """

    documents: int
    characters: int
    seconds: float


@dataclass(slots=True)
class Recomputation:
    """What came of it.

    Attributes:
        findings: what is stored and does not come out.
        skipped: what could not be computed again, and why, as sentences.
    """

    findings: list[Finding] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def say(self, record: str, message: str) -> None:
        """Note something that does not come out."""
        self.findings.append(Finding(check="recomputed", record=record, message=message))


def recompute(
    store: Store,
    corpus_id: str,
    *,
    models: ModelSources,
    budget: ReadBudget,
    document_extractions: int,
    progress: Progress,
    announce: Callable[[RecomputationForecast], None],
    as_of: int | None = None,
    jobs: int | None = None,
    gathered: Gathered | None = None,
) -> Recomputation:
    """Compute a generation again from its files, and compare.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        models: the tokenizer, and the embedder, for semantic borders and for the vectors that are stored.
        budget: what the reading of one file may take.
        document_extractions: extractions of one document, at most, as in the build.
        progress: told as documents are read and built.
        announce: told beforehand what it is going to take, embedding aside.
        as_of: the generation; None is the current one.
        jobs: processes that derive; None for one on each core where that pays.
        gathered: what was gathered at the last build, where it is kept.

    Raises:
        NotFound: no such corpus or generation.
    """
    run = Recomputation()
    view = open_view(store, corpus_id, as_of)
    announce(_expected(view))
    _build_again(view, run, models, budget, document_extractions, progress, jobs)
    if run.findings:
        run.skipped.append("Vectors: what they are made of does not come out.")
    else:
        recompute_shares(view, run.say, progress)
        if gathered is not None and gathered.is_found:
            check_gathered(gathered, view, shares_made_again(view), run.say)
        recompute_vectors(view, models.embedder, run.say, run.skipped.append, progress)
    return run


def _build_again(
    view: View,
    run: Recomputation,
    models: ModelSources,
    budget: ReadBudget,
    document_extractions: int,
    progress: Progress,
    jobs: int | None,
) -> None:
    """Read the files again, build them, and compare."""
    store, corpus_id = view.store, view.corpus_id
    with scratch_folder() as folder, _blank_store(folder, store) as scratch:
        reason = _reason_to_stop(view)
        _files(view, scratch, run, budget, progress)
        if reason:
            run.skipped.append(reason)
            return
        _preconditions(view, scratch)
        generation = generation_at(store, store.corpus(corpus_id), view.generation)
        settings = view.manifest.settings.model_copy(update={"today": view.manifest.settings.today or NO_DAY})
        try:
            build(
                scratch,
                corpus_id,
                settings,
                clock=lambda: generation.created_at,
                progress=progress,
                jobs=jobs,
                models=models,
                registrar=None,
                document_extractions=document_extractions,
            )
        except (Conflict, Unavailable):
            raise
        except CoditectError as error:
            run.say(_name(view), f"built again from its files, it comes to nothing: {error}")
            return
        _compare(view, open_view(scratch, corpus_id), run)


def _reason_to_stop(view: View) -> str:
    """Why the tiers of a generation cannot be computed by this program; empty if they can."""
    current = {"extractions": EXTRACTIONS_VERSION, "chunks": CHUNKS_VERSION, **UPPER_VERSIONS}
    other = [name for name, version in current.items() if view.manifest.code_versions.get(name) != version]
    if view.store.keys.format != FORMAT:
        return "The tiers: the store has the format of a former release. Run 'coditect store upgrade' first."
    if other:
        return f"The tiers: another release built them ({', '.join(sorted(other))}). Build again, or use that release."
    if view.manifest.settings.agents is not None:
        return "The tiers: language models had a part in them, whose answers cannot be computed."
    steps = [each for entry in view.entries.values() for each in (*entry.extractions, *entry.chunks)]
    found = view.store.derivations(view.corpus_id, steps)
    if any(step.method == "stored" for step in found.values()):
        return "The tiers: a program stored them step by step."
    return ""


def _expected(view: View) -> RecomputationForecast:
    """What it takes, from the time that the document of middle length takes."""
    versions = sorted((view.document(each) for each in view.entries), key=lambda each: each.text_length)
    characters = sum(each.text_length for each in versions)
    middle = versions[len(versions) // 2]
    begin = time.perf_counter()
    text = view.text_of(middle)
    layout = view.store.get_blob(view.corpus_id, middle.layout_sha256, middle.layout_bytes)
    derive(DeriveTask(view.store.keys.tenant, middle, text, layout, frozenset(), ChunkPlan("textrank"), None))
    took = time.perf_counter() - begin
    seconds = took * characters / max(1, middle.text_length) * _OVERHEAD
    return RecomputationForecast(len(versions), characters, round(seconds, 1))


@contextmanager
def _blank_store(folder: Path, store: Store) -> Iterator[Store]:
    """A store with nothing in it, on disk for as long as the block runs."""
    engine = open_beside(folder)
    try:
        yield Store(engine, store.keys.tenant)
    finally:
        engine.close()


def _files(view: View, scratch: Store, run: Recomputation, budget: ReadBudget, progress: Progress) -> None:
    """Every file read again: what is stored of it must be what was read, and is what the tiers are built of."""
    create_corpus(scratch, view.corpus_id, "", "")
    writer = IntakeWriter(scratch, view.corpus_id)
    declared = declared_of(view.store, view.corpus_id, view.entries.values())
    with ReadingProcess(budget) as process:
        for done, document_id in enumerate(view.entries, 1):
            stored = view.document(document_id)
            raw = view.store.get_blob(view.corpus_id, stored.raw_sha256, stored.raw_bytes)
            found = read_again(stored, raw, process)
            name = f"documents/{view.corpus_id}/{document_id}"
            if found.version is None:
                run.say(name, f"its file cannot be read: {found.failure.message if found.failure else ''}")
                continue
            version = _as_then(stored, found.version)
            _same_version(stored, version, name, run)
            writer.put_version(version, raw, found.text, found.layout, declared.get(document_id))
            progress("reading files again", done, len(view.entries))
    writer.flush()


def _as_then(stored: DocumentVersion, found: DocumentVersion) -> DocumentVersion:
    """What was read again, without what is told of its language since, where it was not told of the stored one."""
    told = tuple(each for each in found.warnings if not each.startswith(NOT_ENGLISH))
    if told == found.warnings or told != stored.warnings:
        return found
    fields = {each: getattr(found, each) for each in DocumentVersion.model_fields if each != DocumentVersion.id_field}
    return DocumentVersion.create(**{**fields, "warnings": told})


def _same_version(stored: DocumentVersion, found: DocumentVersion, name: str, run: Recomputation) -> None:
    if stored.says_the_same(found):
        return
    if stored.reader != found.reader:
        run.skipped.append(f"{stored.name}: it was read by {stored.reader}, and is read by {found.reader} now.")
        return
    fields = [each for each in DocumentVersion.model_fields if each != "version_id"]
    other = [each for each in fields if getattr(stored, each) != getattr(found, each)]
    run.say(name, f"read again, its file gives another {', '.join(other)}")


def _preconditions(view: View, scratch: Store) -> None:
    """What the build was told beside the files: decisions and the calibration in force, and what could not be read."""
    store, corpus_id = view.store, view.corpus_id
    steps = [each for entry in view.entries.values() for each in entry.steps]
    steps.append(view.manifest.summary_derivation)
    rows: set[tuple[str, str]] = set()
    for step in store.derivations(corpus_id, steps).values():
        rows |= {("reviews", str(each)) for each in step.parameters.get("reviews", ())}
        switch = step.parameters.get("calibration_switch")
        rows |= {("switches", each) for each in _switches_up_to(store, corpus_id, str(switch))} if switch else set()
    keys = {store.keys.key(table, corpus_id, each) for table, each in rows}
    if any(table == "switches" for table, _ in rows):
        keys |= {key for page in store.pages(*store.keys.bounds("calibrations", corpus_id)) for key, _ in page}
    for key in sorted(keys):
        value = store.engine.read(lambda transaction, key=key: transaction.get(key))  # type: ignore[misc]
        if value is not None:
            put_rows(scratch.engine, [(key, value)])
    for name in view.summary.unread:
        unread = Failure(corpus_id=corpus_id, name=name, error="", message="")
        scratch.put("failures", unread, corpus_id, name)


def _switches_up_to(store: Store, corpus_id: str, switch_id: str) -> Iterator[str]:
    """A switch of the calibration and those that came before it: who went back to the shipped figures had others before."""
    left = [switch_id]
    while left:
        yield left[0]
        found = store.get("switches", CalibrationSwitch, corpus_id, left.pop(0))
        left += found.follows if found is not None else ()


def _compare(view: View, again: View, run: Recomputation) -> None:
    """What is stored against what came out, from the documents up; what rests on a difference is not told as well."""
    stored_steps = _steps(view, [each for entry in view.entries.values() for each in entry.steps])
    found_steps = _steps(again, [each for entry in again.entries.values() for each in entry.steps])
    before = len(run.findings)
    for document_id, entry in view.entries.items():
        other = again.entries.get(document_id)
        if other is None or entry.steps != other.steps:
            run.say(f"documents/{view.corpus_id}/{document_id}", "built again, it is derived in other steps")
            continue
        for each in entry.steps:
            _same_outputs(view, stored_steps.get(each), found_steps[each], run)
    sections = dict(view.manifest.sections)
    made = dict(again.manifest.sections)
    if len(run.findings) == before:
        _same_ids(view, "sections", set(sections.values()), set(made.values()), run)
    if len(run.findings) == before:
        _same_ids(view, "claims", set(view.claims), set(again.claims), run)
        _same_ids(view, "verdicts", set(view.summary.verdicts.values()), set(again.summary.verdicts.values()), run)
    if len(run.findings) == before:
        fields = ("trees", "sections", "summary_id", "derivations_sha256", "counts")
        other_fields = [each for each in fields if getattr(view.manifest, each) != getattr(again.manifest, each)]
        if other_fields:
            run.say(_name(view), f"built again, the generation has another {', '.join(other_fields)}")


def _steps(view: View, ids: list[str]) -> dict[str, Derivation]:
    return view.store.derivations(view.corpus_id, ids)


def _same_outputs(view: View, stored: Derivation | None, found: Derivation, run: Recomputation) -> None:
    if stored is None or (stored.outputs, stored.outputs_sha256) == (found.outputs, found.outputs_sha256):
        return  # a missing one is said by who reads the rows
    name = f"derivations/{view.corpus_id}/{found.derivation_id}"
    gone, added = sorted(set(found.outputs) - set(stored.outputs)), sorted(set(stored.outputs) - set(found.outputs))
    run.say(name, f"made again, its {found.stage} are others: {_difference(gone, added)}")


def _same_ids(view: View, table: str, stored: set[str], found: set[str], run: Recomputation) -> None:
    gone, added = sorted(found - stored), sorted(stored - found)
    if gone or added:
        run.say(_name(view), f"built again, its {table} are others: {_difference(gone, added)}")


def _difference(gone: list[str], added: list[str]) -> str:
    parts = []
    if gone:
        parts.append(f"{len(gone)} that come out are not stored ({', '.join(gone[:SHOWN])})")
    if added:
        parts.append(f"{len(added)} that are stored do not come out ({', '.join(added[:SHOWN])})")
    return "; ".join(parts) or "they stand in another order"


def _name(view: View) -> str:
    return f"manifests/{view.corpus_id}/{view.manifest.build_id}"
