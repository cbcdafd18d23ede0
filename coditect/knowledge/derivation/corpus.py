"""The lower half of a build: what each document still lacks is derived, and the generation's trees are drawn up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from coditect.errors import CoditectError, Corrupt, UsageError
from coditect.knowledge.derivation.beside import MadeBeside, SentBeside
from coditect.knowledge.derivation.document import Derived, DeriveTask, derive
from coditect.knowledge.derivation.elsewhere import StoredTask, derive_stored
from coditect.knowledge.derivation.plan import DocumentPlan
from coditect.knowledge.derivation.profiles import Profiled, ProfileTask, profile_tasks, put_profiles
from coditect.knowledge.derivation.published import NOTHING_KEPT, TIERS_OF_DOCUMENTS, Published, shard_of
from coditect.knowledge.derivation.run import BuildRun
from coditect.knowledge.derivation.source import stored_text
from coditect.knowledge.labour.failures import failure_of_version
from coditect.knowledge.labour.scratch import scratch_folder
from coditect.language.matched import MatchedText, as_matched
from coditect.schemas import (
    BuildSettings,
    Derivation,
    DocumentVersion,
    Failure,
    Intake,
    LeftOut,
    Manifest,
    Tree,
    TreeEntry,
    canonical_json,
    commitment_to,
    sha256_hex,
)
from coditect.store.intake.documents import clear_failure, iter_present, put_failure
from coditect.store.rows import ItemRows, ReadRows
from coditect.store.store import Store
from coditect.store.work import shared_work

__all__ = [
    "Draft",
    "clear_failures",
    "derive_missing",
    "draft_manifest",
    "present_documents",
    "present_versions",
    "task_of",
]

PARALLEL_FROM_BYTES = 400_000
"""Text below this is derived in this process."""

FLUSH_ITEMS = 4_000
"""Derived items that wait to be written together."""

NOTHING_KNOWN: Mapping[str, DocumentVersion] = MappingProxyType({})

FLUSH_DOCUMENTS = 100
"""Documents whose items are stored, and of whose making beside them is not told yet."""


def present_versions(store: Store, corpus_id: str) -> list[DocumentVersion]:
    """What a corpus' next generation is made of; see :func:`present_documents`."""
    return [version for _, version in present_documents(store, corpus_id)]


def present_documents(
    store: Store,
    corpus_id: str,
    known: Mapping[str, DocumentVersion] = NOTHING_KNOWN,
    read: ReadRows[Intake] | None = None,
) -> list[tuple[Intake, DocumentVersion]]:
    """What a corpus' next generation is made of, with what its intake says of each document.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        known: document versions that were read already, by document id.
        read: what an earlier call read of the intake; keeps what this one reads.
    Raises:
        UsageError: nothing was ingested.
        Corrupt: a version that the intake names is missing.
    """
    present = list(iter_present(store, corpus_id, read))
    if not present:
        raise UsageError(
            "nothing to build",
            corpus_id=corpus_id,
            hint=f"Run 'coditect knowledge ingest --corpus-id {corpus_id} FOLDER' first; look at its failures with 'status'.",
        )
    there = [own if (own := known.get(e.document_id)) and own.version_id == e.version_id else None for e in present]
    unread = [record for record, own in zip(present, there, strict=True) if own is None]
    places = [(corpus_id, record.document_id, record.version_id) for record in unread]
    others = iter(store.get_many("documents", DocumentVersion, places))
    found = [next(others) if own is None else own for own in there]
    lost = next((record.name for record, version in zip(present, found, strict=True) if version is None), None)
    if lost is not None:
        raise Corrupt(
            "the version of a document that the intake names is missing",
            corpus_id=corpus_id,
            name=lost,
            hint=f"Run 'coditect knowledge validate --corpus-id {corpus_id}'; ingest the document again.",
        )
    return [(record, version) for record, version in zip(present, found, strict=True) if version is not None]


def derive_missing(run: BuildRun, documents: Sequence[DocumentPlan], published: Published | None = None) -> None:
    """Derive what documents lack; a document that cannot be derived is a failure of the report.

    Args:
        run: the build.
        documents: what it plans.
        published: the generation that it begins from, where that was built by rules as this one is.
    """
    if published is not None:
        kept = published.kept([document.entry for document in documents], is_profiled=False)
        documents = [document for document in documents if document.version.document_id not in kept.entries]
        for tier, count in kept.counts.items():
            run.report.reused[tier] += count
    wanted = [each for document in documents for each in document.steps.values()]
    known = _usable(run.store, documents, run.store.derivations(run.report.corpus_id, wanted))
    for derivation in {step.derivation_id: step for step in known.values()}.values():
        run.report.reused[derivation.stage] += len(derivation.outputs)
    missing = [document for document in documents if not known.keys() >= set(document.steps.values())]
    # The longest first: no core is left alone with a long document at the end.
    missing.sort(key=lambda document: (-document.version.text_length, document.version.document_id))
    writer = _DerivedWriter(run)
    with scratch_folder() as folder:
        for done, result in enumerate(_results(run, missing, known, folder), 1):
            writer.take(result, last=done == len(missing))
            run.progress("extracting", done, len(missing))


def _usable(store: Store, documents: Sequence[DocumentPlan], known: Mapping[str, Derivation]) -> dict[str, Derivation]:
    """What is finished; a document whose steps a former release finished enters them under their former ids, all or none.

    What is made of a document today refers to the ids of today, and what was made before to those of then. A document in which
    0.1.0 read invisible characters, or the marks of notes, as part of words and numbers is derived again.
    """
    usable = dict(known)
    for document in documents:
        steps = document.steps
        former = {stage: known[own] for stage, own in steps.items() if own in known and known[own].derivation_id != own}
        if former and known.keys() >= set(steps.values()) and _is_read_as_before(store, document.version):
            document.former = {stage: step.derivation_id for stage, step in former.items()}
            usable |= {step.derivation_id: step for step in former.values()}
        else:
            for stage in former:
                usable.pop(steps[stage], None)
    return usable


def _is_read_as_before(store: Store, version: DocumentVersion) -> bool:
    """Whether a document's words are matched as they stand, as 0.1.0 did with all. A text in ASCII is told by its lengths alone."""
    if as_matched(version.title) != version.title:
        return False
    return version.text_bytes == version.text_length or MatchedText(stored_text(store, version)[0]).is_verbatim


def _results(
    run: BuildRun, missing: Sequence[DocumentPlan], known: Mapping[str, Derivation], folder: Path
) -> Iterator[Derived]:
    store, executor, shared = run.store, run.executor, run.executor.shared
    versions = ((document.version, document.declared) for document in missing)
    profiles = profile_tasks(store, run.report.corpus_id, versions)
    worthwhile = sum(document.version.text_bytes for document in missing) > PARALLEL_FROM_BYTES
    slots = executor.slots(run.jobs, len(missing), worthwhile=worthwhile)
    if shared is None:
        beside = None if run.beside is None else run.beside.plan
        tasks = (
            replace(task_of(run, document, known), folder=folder, beside=beside, profile=_profile(profiles, document))
            for document in missing
        )
        return executor.run(derive, tasks, jobs=slots, crashed=_crashed)
    opened, elsewhere = shared_work(store, shared), None if run.beside is None else run.beside.elsewhere
    stored = (
        StoredTask(opened, replace(_bare(run, document, known), profile=_profile(profiles, document)), elsewhere)
        for document in missing
    )
    return executor.run(derive_stored, stored, jobs=slots, crashed=_crashed)


def _profile(profiles: Mapping[str, ProfileTask], document: DocumentPlan) -> ProfileTask | None:
    return profiles.get(document.version.document_id)


def task_of(run: BuildRun, document: DocumentPlan, known: Mapping[str, Derivation]) -> DeriveTask:
    """A document's task, with its text, unless that is too long to be read."""
    task = _bare(run, document, known)
    if task.is_too_long:
        return task
    text, layout = stored_text(run.store, document.version)
    return replace(task, text=text, layout=layout)


def _bare(run: BuildRun, document: DocumentPlan, known: Mapping[str, Derivation]) -> DeriveTask:
    done = frozenset(stage for stage, derivation in document.steps.items() if derivation in known)
    planned = (document.chunks, document.passages, run.document_extractions)
    return DeriveTask(run.store.keys.tenant, document.version, "", b"", done, *planned)


class _DerivedWriter:
    """Stores what was derived, many items at a time, each derivation after its items."""

    def __init__(self, run: BuildRun) -> None:
        self.store = run.store
        self.at = run.at
        self.report = run.report
        self.beside = run.beside
        self.made: list[tuple[MadeBeside | SentBeside, tuple[Derivation, ...]]] = []
        self.items: list[ItemRows] = []
        self.waiting: list[Derivation] = []
        self.profiles: list[Profiled] = []

    def take(self, result: Derived, *, last: bool) -> None:
        """Take in one document's result."""
        if result.failure is not None:
            self.report.failures.append(result.failure)
            put_failure(self.store, result.failure, self.at)
        for outcome, count in result.read.items():
            self.report.read_by_model[outcome] = self.report.read_by_model.get(outcome, 0) + count
        self.items += result.items.held
        self.waiting += () if result.is_stored else result.derivations
        self.profiles += [] if result.profile is None else [result.profile]
        self.made += [] if result.beside is None else [(result.beside, result.derivations)]
        for derivation in result.derivations:
            self.report.derived[derivation.stage] += len(derivation.outputs)
        is_full = len(self.items) > FLUSH_ITEMS or len(self.made) >= FLUSH_DOCUMENTS or result.items.path is not None
        if not last and not is_full:
            return
        self.store.put_item_rows(chain(self.items, replace(result.items, held=()).take()))
        self.store.put_derivations(self.waiting)  # only now: a derivation is the promise that its outputs are stored
        if self.beside is not None:
            self.beside.keep(self.made)
        put_profiles(self.store, self.profiles)
        self.items, self.waiting, self.made, self.profiles = [], [], [], []


def clear_failures(run: BuildRun, documents: Sequence[DocumentPlan]) -> None:
    """Forget that an earlier build failed on documents that are derived now."""
    done = {(document.version.name, document.version.raw_sha256) for document in documents}
    for _, failure in list(run.store.scan("failures", Failure, run.report.corpus_id)):
        if (failure.name, failure.raw_sha256) in done:
            clear_failure(run.store, run.report.corpus_id, failure.name, run.at)


def _crashed(task: DeriveTask | StoredTask) -> Derived:
    died = CoditectError(
        "the process that derived the document died",
        hint="Look for a document of unusual size or shape; the others are not affected.",
    )
    return Derived(task.version.document_id, failure=failure_of_version(task.version, died))


class Draft(NamedTuple):
    """The lower tiers of a generation.

    Attributes:
        manifest: that names their trees.
        entries: what stands in these, by document id, in order.
    """

    manifest: Manifest
    entries: Mapping[str, TreeEntry]


def draft_manifest(
    store: Store,
    corpus_id: str,
    entries: Sequence[TreeEntry],
    settings: BuildSettings,
    versions: Mapping[str, str],
    published: Published | None = None,
) -> Draft:
    """The manifest of the lower tiers with what stands in its trees; these are stored, it is not.

    Args:
        store: the tenant's store.
        corpus_id: the corpus that is built.
        entries: the documents of the generation, all of whose derivations are finished.
        settings: the user's choices.
        versions: the code's versions, by part.
        published: the generation that the build begins from; None: nothing is taken from one.
    Raises:
        UsageError: no document holds a sentence.
    """
    kept = NOTHING_KEPT if published is None else published.kept(entries, is_profiled=True)
    fresh = [entry for entry in entries if entry.document_id not in kept.entries]
    finished = store.derivations(corpus_id, [each for entry in fresh for each in entry.steps])
    counts = {"documents": len(entries), **kept.counts}
    shards: dict[str, list[TreeEntry]] = defaultdict(list)
    for entry in kept.entries.values():
        shards[shard_of(entry.document_id)].append(entry)
    for entry in fresh:
        for tier in TIERS_OF_DOCUMENTS:
            counts[tier] += sum(len(finished[each].outputs) for each in getattr(entry, tier))
        given = commitment_to(finished[each].commitment for each in entry.steps)
        shards[shard_of(entry.document_id)].append(entry.model_copy(update={"derivations_sha256": given}))
    if not counts["chunks"]:
        raise UsageError(
            "the documents hold no sentence to extract", corpus_id=corpus_id, hint="Ingest documents with prose."
        )
    changed = {shard_of(entry.document_id) for entry in fresh}
    trees = {shard: tree for shard, tree in kept.trees.items() if shard not in changed}
    made = {
        shard: Tree.create(corpus_id=corpus_id, entries=tuple(sorted(own, key=lambda entry: entry.document_id)))
        for shard, own in sorted(shards.items())
        if shard not in trees
    }
    store.put_items(made.values())
    trees |= {shard: tree.tree_id for shard, tree in made.items()}
    manifest = Manifest.create(
        corpus_id=corpus_id,
        settings=settings,
        code_versions=dict(versions),
        trees=dict(sorted(trees.items())),
        sections=(),
        summary_derivation="",
        summary_id="",
        left_out=_left_out(store, corpus_id, entries),
        counts=counts,
    )
    ordered = (entry for _, own in sorted(shards.items()) for entry in sorted(own, key=lambda each: each.document_id))
    return Draft(manifest, {entry.document_id: entry for entry in ordered})


def _left_out(store: Store, corpus_id: str, entries: Sequence[TreeEntry]) -> LeftOut:
    """What the corpus has at this moment and the generation has not: named by a hash, so that nothing of it can change silently."""
    taken = [(corpus_id, entry.document_id) for entry in entries]
    failures = list(store.records("failures", Failure, corpus_id))
    failed = [["failed", each.name, each.raw_sha256, each.error] for each in failures]
    unread = {each.name for each in failures}
    repeated = [
        ["repeated", each.name, each.raw_sha256]
        for each in store.records("intake", Intake, corpus_id, but=taken)
        if each.status == "present" and each.name not in unread
    ]
    listed = canonical_json(sorted([*failed, *repeated]))
    return LeftOut(failed=len(failed), repeated=len(repeated), sha256=sha256_hex(listed))
