"""Building a corpus: derive what is not there yet, compose the upper tiers, validate, and flip one pointer."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import structlog

import coditect
from coditect.errors import Conflict, Corrupt, Unsupported, UsageError
from coditect.knowledge.derive import Derived, DeriveTask, PassagePlan, chunks_id, derive, extractions_id
from coditect.knowledge.ingest import iter_present
from coditect.knowledge.progress import Clock, Progress, Stopwatch, silent, utc_now
from coditect.knowledge.upper import UPPER_VERSIONS, UpperTiers, build_upper, find_upper
from coditect.knowledge.workers import available_cores, run_ordered
from coditect.models.port import ModelSources
from coditect.schemas import (
    BuildSettings,
    Corpus,
    Derivation,
    DocumentVersion,
    ExtractionMethod,
    Failure,
    Generation,
    Manifest,
    Stage,
    Tree,
    TreeEntry,
)
from coditect.store.generations import flip
from coditect.store.rows import ItemRows, topic_key
from coditect.store.store import Store
from coditect.store.view import View
from coditect.tiers.document import CHUNKS_VERSION, EXTRACTIONS_VERSION
from coditect.tiers.passages import PASSAGES_VERSION

__all__ = ["BuildReport", "build"]

# Through the standard library: a program that configures no logging sees nothing of it.
log = structlog.wrap_logger(logging.getLogger(__name__))

PARALLEL_FROM_BYTES = 400_000
"""Text below this is derived in this process."""

FLUSH_ITEMS = 4_000
"""Derived items that wait to be written together."""

NO_MODELS = ModelSources()
"""Rules alone."""

TIERS = ("extractions", "chunks", "passages", "sections", "claims")


@dataclass(slots=True)
class BuildReport:
    """What a build did.

    Attributes:
        corpus_id: of what.
        generation: the current generation after it.
        build_id: its manifest.
        changed: False where the corpus was built in this state already.
        counts: items of the generation.
        derived: items made by this build, by tier.
        reused: items that were there already, by tier.
        failures: documents that could not be derived.
        topics_without_section: topics that the user gave and no chunk speaks to.
        seconds: by stage.
    """

    corpus_id: str
    generation: int = 0
    build_id: str = ""
    changed: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    derived: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TIERS, 0))
    reused: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TIERS, 0))
    failures: list[Failure] = field(default_factory=list)
    topics_without_section: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def partial(self) -> bool:
        """Whether a document was left out."""
        return bool(self.failures)


def build(
    store: Store,
    corpus_id: str,
    settings: BuildSettings,
    *,
    clock: Clock = utc_now,
    progress: Progress = silent,
    jobs: int | None = None,
    models: ModelSources = NO_MODELS,
) -> BuildReport:
    """Bring a corpus' hierarchy up to date with its intake.

    Items that are there already, from an earlier build or one that was killed, are used. Readers see the old generation until
    the new one is whole and validated.

    Args:
        store: where.
        corpus_id: what.
        settings: the user's choices; part of the identity of what is built.
        clock: for the generation record.
        progress: told as documents and sections are done.
        jobs: processes; None for one each core where that pays.
        models: the tokenizer that passages are cut by (without it there are none), and the embedder for semantic borders.
    Raises:
        NotFound: no such corpus.
        UsageError: nothing was ingested.
        Unsupported: the validator failed; the generation did not change.
        Conflict: another build of the corpus finished first.
    """
    corpus = store.corpus(corpus_id)
    watch = Stopwatch()
    report = BuildReport(corpus_id, seconds=watch.seconds)
    with watch.stage("plan"):
        versions = _versions(store, corpus_id)
        plan = _Plan(settings, _passages(settings, models))
        if plan.passages is None:
            settings = settings.model_copy(update={"passages": None})
        known = store.derivations(corpus_id, [each for v in versions for each in plan.steps(v).values()])
    with watch.stage("extract and select"):
        finished = _derive_missing(store, versions, plan, known, report, progress, jobs)
        _clear_failures(store, versions, report)
    with watch.stage("manifest"):
        failed = {failure.name for failure in report.failures}
        draft = _draft(store, corpus_id, [v for v in versions if v.name not in failed], finished, plan, settings)
        view = View(store, draft)
    with watch.stage("sections and summary"):
        upper = find_upper(view) or build_upper(view, progress)
    with watch.stage("publish"):
        _publish(store, corpus, draft, upper, report, clock)
    log.info(
        "built",
        corpus_id=corpus_id,
        generation=report.generation,
        build_id=report.build_id,
        changed=report.changed,
        derived=report.derived,
        failures=len(report.failures),
        seconds=watch.seconds,
    )
    return report


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which derivations a document needs."""

    settings: BuildSettings
    passages: PassagePlan | None

    @property
    def method(self) -> ExtractionMethod:
        return self.settings.extraction_method

    def steps(self, version: DocumentVersion) -> dict[Stage, str]:
        """Derivation id by stage."""
        steps: dict[Stage, str] = {"extractions": extractions_id(version), "chunks": chunks_id(version, self.method)}
        if self.passages is not None:
            steps["passages"] = self.passages.id_for(version)
        return steps


def _passages(settings: BuildSettings, models: ModelSources) -> PassagePlan | None:
    if settings.passages is None or models.tokenizer is None:
        return None
    tokenizer_id = models.tokenizer().tokenizer_id
    if settings.passages.boundaries != "semantic":
        return PassagePlan(settings.passages, tokenizer_id, models.tokenizer)
    embedder = models.embedder() if models.embedder is not None else None
    if embedder is None:
        raise UsageError(
            "semantic borders need an embedder", hint="Configure one (CODITECT_EMBEDDER), or cut at sentences."
        )
    return PassagePlan(settings.passages, tokenizer_id, models.tokenizer, embedder.card.model_id, models.embedder)


def _versions(store: Store, corpus_id: str) -> list[DocumentVersion]:
    present = list(iter_present(store, corpus_id))
    if not present:
        raise UsageError(
            "nothing to build",
            corpus_id=corpus_id,
            hint=f"Run 'coditect knowledge ingest --corpus-id {corpus_id} FOLDER' first; look at its failures with 'status'.",
        )
    places = [(corpus_id, record.document_id, record.version_id) for record in present]
    found = store.get_many("documents", DocumentVersion, places)
    lost = next((record.name for record, version in zip(present, found, strict=True) if version is None), None)
    if lost is not None:
        raise Corrupt(
            "the version of a document that the intake names is missing",
            corpus_id=corpus_id,
            name=lost,
            hint=f"Run 'coditect knowledge validate --corpus-id {corpus_id}'; ingest the document again.",
        )
    return [version for version in found if version is not None]


def _derive_missing(
    store: Store,
    versions: Sequence[DocumentVersion],
    plan: _Plan,
    known: dict[str, Derivation],
    report: BuildReport,
    progress: Progress,
    jobs: int | None,
) -> dict[str, Derivation]:
    missing = [v for v in versions if not known.keys() >= set(plan.steps(v).values())]
    # The longest first: no core is left alone with a long document at the end.
    missing.sort(key=lambda version: (-version.text_length, version.document_id))
    for derivation in known.values():
        report.reused[derivation.stage] += len(derivation.outputs)
    cores = available_cores() if sum(v.text_bytes for v in missing) > PARALLEL_FROM_BYTES else 1
    workers = min(jobs if jobs is not None else cores, len(missing) or 1)
    finished = dict(known)
    items: list[ItemRows] = []
    waiting: list[Derivation] = []
    results = run_ordered(derive, _tasks(store, missing, plan, known), jobs=workers, crashed=_crashed)
    for done, result in enumerate(results, 1):
        if result.failure is not None:
            report.failures.append(result.failure)
            store.put("failures", result.failure, report.corpus_id, result.failure.name)
        items += result.items
        waiting += result.derivations
        if len(items) > FLUSH_ITEMS or done == len(missing):
            store.put_item_rows(items)
            for derivation in waiting:  # only now: a derivation is the promise that its outputs are stored
                finished[derivation.derivation_id] = derivation
                report.derived[derivation.stage] += len(derivation.outputs)
            store.put_derivations(waiting)
            items, waiting = [], []
        progress("extracting", done, len(missing))
    return finished


def _clear_failures(store: Store, versions: Sequence[DocumentVersion], report: BuildReport) -> None:
    """Forget that an earlier build failed on documents that are derived now."""
    failed = {failure.name for failure in report.failures}
    done = {(version.name, version.raw_sha256) for version in versions if version.name not in failed}
    for _, failure in list(store.scan("failures", Failure, report.corpus_id)):
        if (failure.name, failure.raw_sha256) in done:
            store.remove("failures", report.corpus_id, failure.name)


def _tasks(
    store: Store, missing: Sequence[DocumentVersion], plan: _Plan, known: dict[str, Derivation]
) -> Iterator[DeriveTask]:
    for version in missing:
        yield DeriveTask(
            store.keys.tenant,
            version,
            store.get_blob(version.corpus_id, version.text_sha256, version.text_bytes).decode(),
            store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes),
            plan.method,
            frozenset(stage for stage, derivation in plan.steps(version).items() if derivation in known),
            plan.passages,
        )


def _crashed(task: DeriveTask) -> Derived:
    failure = Failure(
        corpus_id=task.version.corpus_id,
        name=task.version.name,
        error="CoditectError",
        message="the process that derived the document died",
        hint="Look for a document of unusual size or shape; the others are not affected.",
        raw_sha256=task.version.raw_sha256,
    )
    return Derived(task.version.document_id, failure=failure)


def _draft(
    store: Store,
    corpus_id: str,
    versions: Sequence[DocumentVersion],
    finished: dict[str, Derivation],
    plan: _Plan,
    settings: BuildSettings,
) -> Manifest:
    """The manifest of the lower tiers; its trees are stored, it is not."""
    shards: dict[str, list[TreeEntry]] = defaultdict(list)
    counts = {"documents": len(versions), "extractions": 0, "chunks": 0, "passages": 0}
    for version in versions:
        steps = plan.steps(version)
        for stage, derivation in steps.items():
            counts[stage] += len(finished[derivation].outputs)
        entry = TreeEntry(
            document_id=version.document_id,
            version_id=version.version_id,
            **{stage: (derivation,) for stage, derivation in steps.items()},
        )
        shards[version.document_id.partition("_")[2][:2]].append(entry)
    if not counts["chunks"]:
        raise UsageError(
            "the documents hold no sentence to extract", corpus_id=corpus_id, hint="Ingest documents with prose."
        )
    trees = [
        Tree.create(corpus_id=corpus_id, entries=tuple(sorted(shards[shard], key=lambda entry: entry.document_id)))
        for shard in sorted(shards)
    ]
    store.put_items(trees)
    return Manifest.create(
        corpus_id=corpus_id,
        settings=settings,
        code_versions={
            "extractions": EXTRACTIONS_VERSION,
            "chunks": CHUNKS_VERSION,
            **({"passages": PASSAGES_VERSION} if plan.passages is not None else {}),
            **UPPER_VERSIONS,
        },
        trees={shard: tree.tree_id for shard, tree in zip(sorted(shards), trees, strict=True)},
        sections=(),
        summary_derivation="",
        summary_id="",
        counts=counts,
    )


def _publish(
    store: Store, corpus: Corpus, draft: Manifest, upper: UpperTiers, report: BuildReport, clock: Clock
) -> None:
    summary = upper.summary
    if not summary.claims and summary.filtered and not upper.sections:
        raise Unsupported("no claim was supported", corpus_id=corpus.corpus_id)
    fields = {name: getattr(draft, name) for name in ("corpus_id", "settings", "code_versions", "trees")}
    manifest = Manifest.create(
        **fields,
        sections=tuple((section.derivation_id, section.section_id) for section in upper.sections),
        summary_derivation=summary.derivation_id,
        summary_id=summary.summary_id,
        counts={
            **draft.counts,
            "sections": len(upper.sections),
            "claims": len(summary.claims),
            "filtered_claims": len(summary.filtered),
        },
    )
    found = {topic_key(section.topic) for section in upper.sections}
    report.topics_without_section = [topic for topic in draft.settings.topics if topic_key(topic) not in found]
    for tier in ("sections", "claims"):
        report.derived[tier], report.reused[tier] = upper.derived[tier], upper.reused[tier]
    report.build_id, report.counts = manifest.build_id, dict(manifest.counts)
    report.changed = corpus.build_id != manifest.build_id
    if report.changed:
        store.put_items([manifest])
        generation = Generation(
            corpus_id=corpus.corpus_id,
            generation=corpus.generation + 1,
            build_id=manifest.build_id,
            parent_build_id=corpus.build_id,
            created_at=clock(),
            tool_version=coditect.__version__,
            derived=report.derived,
            reused=report.reused,
        )
        corpus = flip(store, manifest, corpus, generation)
    elif store.corpus(corpus.corpus_id).build_id != manifest.build_id:
        raise Conflict(
            "another build of this corpus finished first",
            corpus_id=corpus.corpus_id,
            hint="Run the build again: what is already derived is used.",
        )
    report.generation = corpus.generation
