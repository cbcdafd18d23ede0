"""Building a corpus: derive what is not there yet, compose the upper tiers, validate, and flip one pointer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import coditect
from coditect.documents.limits import MOST_EXTRACTIONS
from coditect.errors import Conflict, Unsupported, UsageError
from coditect.keyspace.terms import topic_key
from coditect.knowledge.building.gathered.corpus import Gathered
from coditect.knowledge.building.gathered.derived import DerivedBeside
from coditect.knowledge.building.identity import UPPER_VERSIONS
from coditect.knowledge.building.remarks import Unread
from coditect.knowledge.building.shares import KEPT_FROM
from coditect.knowledge.building.summary import UpperTiers, Validate, build_upper, find_upper
from coditect.knowledge.derivation.corpus import (
    clear_failures,
    derive_missing,
    draft_manifest,
    present_documents,
)
from coditect.knowledge.derivation.executors import LOCAL, Executor
from coditect.knowledge.derivation.plan import NOTHING_PLANNED, DocumentPlan, PlannedDocuments, passage_plan, plan_each
from coditect.knowledge.derivation.profiles import PROFILES_VERSION, held_today, profile_documents
from coditect.knowledge.derivation.published import Published
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.derivation.run import BuildRun, Handed
from coditect.knowledge.labour.garbage import uncollected
from coditect.knowledge.labour.handed import drafted, every_entry, remembering, versions_read, with_manifest
from coditect.knowledge.model_roles.missing.reported import NOTHING_TOLD, ToldOfAll
from coditect.knowledge.progress import Clock, Progress, Stopwatch, silent, utc_now
from coditect.knowledge.review.doubts import possible_counts
from coditect.knowledge.review.in_force import claim_reviews, day_of, extraction_reviews
from coditect.models.port import Embedder, ModelSources
from coditect.retrieve.prepared import Prepared
from coditect.schemas import BuildSettings, Corpus, Failure, Generation, Intake, Manifest, Section, commitment_to
from coditect.store.generations import flip
from coditect.store.rows import ReadRows
from coditect.store.store import Store
from coditect.store.view import View
from coditect.store.work import REGISTRAR, Registrar, registered
from coditect.telemetry import Logger
from coditect.tiers.chunks.summaries import CHUNKS_VERSION
from coditect.tiers.extractions.document import EXTRACTIONS_VERSION
from coditect.tiers.passages import PASSAGES_VERSION
from coditect.verify.support.meaning import FindMeaning, meaning_from, nothing_meant

if TYPE_CHECKING:
    from coditect.knowledge.model_roles.agency import Agency

__all__ = ["BuildReport", "build", "complete", "plan_documents"]

log = Logger(__name__)

NO_MODELS = ModelSources()
"""Rules alone."""


def build(
    store: Store,
    corpus_id: str,
    settings: BuildSettings,
    *,
    clock: Clock = utc_now,
    progress: Progress = silent,
    jobs: int | None = None,
    models: ModelSources = NO_MODELS,
    executor: Executor = LOCAL,
    agency: Agency | None = None,
    registrar: Registrar | None = REGISTRAR,
    document_extractions: int = MOST_EXTRACTIONS,
    gathered: Gathered | None = None,
    prepared: Prepared | None = None,
) -> BuildReport:
    """Bring a corpus' hierarchy up to date with its intake.

    Items that are there already, from an earlier build or one that was killed, are used. Readers see the old generation until
    the new one is whole and validated.

    Args:
        store: the tenant's store.
        corpus_id: the corpus that is built.
        settings: the user's choices; part of the identity of what is built.
        clock: gives the time of the generation record.
        progress: told as documents and sections are done.
        jobs: how many processes derive; None for one on each core where that pays.
        models: the tokenizer that passages are cut by (without it there are none), and the embedder for semantic borders.
        executor: who derives documents.
        agency: the roles that a language model plays; None: rules alone.
        registrar: registers the build, so that no sweep takes what it counts on; None where nobody else sees the store.
        document_extractions: extractions of one document, at most; one that holds more is a failure of the report.
        gathered: what was gathered at the last build; keeps what this one read. None: everything is read.
        prepared: takes what the searcher wants made of documents where they are derived; None: nothing is made.
    Raises:
        NotFound: no such corpus.
        UsageError: nothing was ingested.
        Unsupported: the validator failed; the generation did not change.
        Conflict: another build of the corpus finished first, or a sweep took this one for dead.
    """
    corpus = store.corpus(corpus_id)
    with registered(store, corpus_id, "build", registrar) as own:
        report = BuildReport(corpus_id)
        run = BuildRun(own.for_bulk("build"), report, progress, jobs, executor, document_extractions, clock())
        return _build(run, corpus, settings, clock, models, agency, gathered, prepared)


def _derived(run: BuildRun, documents: list[DocumentPlan]) -> list[DocumentPlan]:
    """The documents that did not fail; what is known of earlier failures of theirs is cleared."""
    failed = {failure.name for failure in run.report.failures}
    derived = [document for document in documents if document.version.name not in failed]
    clear_failures(run, derived)
    return derived


def _build(
    run: BuildRun,
    corpus: Corpus,
    settings: BuildSettings,
    clock: Clock,
    models: ModelSources,
    agency: Agency | None,
    gathered: Gathered | None,
    prepared: Prepared | None,
) -> BuildReport:
    store, report, corpus_id = run.store, run.report, corpus.corpus_id
    watch = Stopwatch(report.seconds)
    with watch.stage("plan"):
        today = settings.today or day_of(clock)
        handed = Handed() if gathered is None else gathered.handed
        former, before = handed.former, handed.planned if agency is None else NOTHING_PLANNED
        intake = ReadRows(before.intake)
        planned = (today, former, before.documents, intake)
        documents = plan_documents(store, corpus_id, settings, models, *planned)
        embedder = _reads_pairs(agency, models)
        settings = _effective(settings, documents, agency)
    if agency is not None:
        with watch.stage("agents read"):
            from coditect.knowledge.model_roles.steps import read_documents

            read_documents(agency, run, documents)
    elif prepared is not None:
        share = len(documents) >= KEPT_FROM
        run = replace(run, beside=DerivedBeside(store, corpus_id, prepared, share=share))
    published = Published(store, corpus, former) if agency is None else None
    with watch.stage("extract and select"):
        derive_missing(run, documents, published)
        documents = _derived(run, documents)
    if agency is not None:
        with watch.stage("agents situate"):
            from coditect.knowledge.model_roles.steps import situate_passages

            situate_passages(agency, run, documents)
    with watch.stage("manifest"):
        versions = {name: each for name, each in _VERSIONS.items() if name != "passages" or settings.passages}
        by_id = {document.version.document_id: document.version for document in documents}
        declared = {document.version.document_id: document.declared for document in documents}

        def draft(days: Sequence[str] = ()) -> View:
            unlisted = [document.entry for document in documents if document.listed is None]
            named = iter(profile_documents(store, corpus_id, unlisted, by_id, declared))
            entries = [next(named) if document.listed is None else document.listed for document in documents]
            found = draft_manifest(store, corpus_id, entries, settings, versions, published)
            made = drafted(store, *found, by_id, former)
            if handed.memory is not None:
                remembering(made, handed.memory)
            return held_today(made, clock, days)

        view = draft()
    if agency is None:
        handed.planned = PlannedDocuments({each.version.document_id: each for each in documents}, intake.now)
    told = NOTHING_TOLD
    if agency is not None and agency.reads_statements:
        with watch.stage("agents compare"):
            told, named = _compared(run, agency, view, embedder, documents)
            view = draft(told.days) if named or told.days else view
    return complete(
        view,
        corpus,
        report,
        clock=clock,
        progress=run.progress,
        agency=agency,
        today=today,
        meaning=meaning_from(models),
        gathered=gathered,
        told=told,
    )


def _compared(
    run: BuildRun, agency: Agency, view: View, embedder: Embedder | None, documents: list[DocumentPlan]
) -> tuple[ToldOfAll, bool]:
    """What the agency tells of all documents together, and whether sentences were named that the draft does not have."""
    from coditect.knowledge.model_roles.steps import name_sentences, told_of_all

    told = told_of_all(agency, view, embedder, run.progress)
    return told, bool(name_sentences(agency, run, view, documents, told.sides))


def _reads_pairs(agency: Agency | None, models: ModelSources) -> Embedder | None:
    """What finds the pairs of sentences that the reducer reads, told to the agency; None where it reads none."""
    if agency is None or "reducer" not in agency.roles or not agency.pairs:
        return None
    embedder = models.ranking()
    agency.pairs_by = "" if embedder is None else embedder.card.model_id
    return embedder


def complete(
    view: View,
    base: Corpus,
    report: BuildReport,
    *,
    clock: Clock,
    progress: Progress,
    agency: Agency | None = None,
    given: Sequence[Section] | None = None,
    validate: Validate | None = None,
    today: str = "",
    meaning: FindMeaning = nothing_meant,
    gathered: Gathered | None = None,
    told: ToldOfAll = NOTHING_TOLD,
) -> BuildReport:
    """Compose, check, settle and publish what a draft holds: the end of every build, whoever made its lower tiers.

    Args:
        view: the draft; its lower tiers are stored.
        base: the corpus record that the build began from.
        report: of the build so far; completed and returned.
        clock: gives the time of the generation record.
        progress: told as sections are done.
        agency: the roles that a language model plays; None: rules alone.
        given: Tier 3 that a program composed; None: sections are planned and composed here.
        validate: asked about every claim beside the checker; None: nobody is.
        today: the day by which decisions expire; unless given, that of the clock.
        meaning: opens the configured embedder with the checker's weights for it; asked where claims may be in words of their own.
        gathered: what was gathered at the last build; keeps what this one read.
        told: what the reducer tells of all statements.

    Raises:
        Unsupported: the validator failed; the generation did not change.
        Conflict: another build of the corpus finished first.
    """
    watch = Stopwatch(report.seconds)
    with watch.stage("sections and summary"):
        reading = _unread(view.store, report)
        reviews = claim_reviews(view.store, view.corpus_id, today or day_of(clock))
        # What rules compose is never weighed.
        weighing = meaning() if agency is not None or given is not None else None
        placed = told.placed(view)
        upper = find_upper(view, reading, given, reviews, weighing, placed) if validate is None else None
        with uncollected():
            own = (reading, agency, given, validate, reviews, weighing, gathered, placed)
            upper = upper or build_upper(view, progress, *own)
        if agency is not None:
            report.unanswered, report.agents = sorted(agency.unanswered), agency.ledger.report()
    with watch.stage("publish"):
        manifest = _publish(view.store, base, view.manifest, upper, report, clock)
        if gathered is not None:
            gathered.handed.draft, gathered.handed.sections = with_manifest(view, manifest), upper.sections
    log.info(
        "built",
        corpus_id=view.corpus_id,
        generation=report.generation,
        build_id=report.build_id,
        changed=report.changed,
        derived=report.derived,
        failures=len(report.failures),
        seconds=watch.seconds,
    )
    return report


def _effective(settings: BuildSettings, documents: Sequence[DocumentPlan], agency: Agency | None) -> BuildSettings:
    """The user's choices as they can be kept: what is cut, and who plays which role.

    Raises:
        UsageError: a model is to select sentences, and none plays that role.
    """
    if settings.extraction_method == "llm_extractive" and (agency is None or "selector" not in agency.roles):
        raise UsageError(
            "no model is there to select sentences",
            hint="Switch the selector on (--llm claude --agents selector,…), or use textrank.",
        )
    if not any(document.passages for document in documents):
        settings = settings.model_copy(update={"passages": None})
    if agency is None:
        return settings
    from coditect.knowledge.model_roles.steps import played

    return settings.model_copy(update={"agents": played(agency)})


_VERSIONS = {
    "extractions": EXTRACTIONS_VERSION,
    "chunks": CHUNKS_VERSION,
    "passages": PASSAGES_VERSION,
    "profiles": PROFILES_VERSION,
    **UPPER_VERSIONS,
}
"""Of the code that decides what comes out."""


def plan_documents(
    store: Store,
    corpus_id: str,
    settings: BuildSettings,
    models: ModelSources,
    today: str,
    former: View | None,
    planned: Mapping[str, DocumentPlan],
    intake: ReadRows[Intake],
) -> list[DocumentPlan]:
    """What the next generation's documents need, by rules alone and by what persons decided of them until today.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        settings: the user's choices.
        models: see :func:`build`.
        today: the day by which decisions expire.
        former: the generation that the build begins from, where it is open; its document versions are not read again.
        planned: documents of that generation as the last build of this process planned them, by id.
        intake: what that read of the intake; keeps what is read now.
    Raises:
        UsageError: nothing was ingested, or borders need an embedder that is not there.
    """
    present = present_documents(store, corpus_id, versions_read(former), intake)
    cut = passage_plan(settings, models)
    decided = extraction_reviews(store, corpus_id, today)
    listed = {} if former is None else every_entry(former)
    return plan_each(present, settings, cut, decided, planned, listed)


def _unread(store: Store, report: BuildReport) -> Unread:
    files = {failure.name for _, failure in store.scan("failures", Failure, report.corpus_id)}
    by_rules = {failure.name for failure in report.unread} - files
    return Unread(tuple(sorted(files)), tuple(sorted(by_rules)))


def _publish(
    store: Store, corpus: Corpus, draft: Manifest, upper: UpperTiers, report: BuildReport, clock: Clock
) -> Manifest:
    summary = upper.summary
    if not summary.claims and summary.filtered and not upper.sections:
        raise Unsupported("no claim was supported", corpus_id=corpus.corpus_id)
    fields = {name: getattr(draft, name) for name in ("corpus_id", "settings", "code_versions", "trees", "left_out")}
    steps = [*(section.derivation_id for section in upper.sections), summary.derivation_id]
    finished = store.derivations(corpus.corpus_id, steps)
    manifest = Manifest.create(
        **fields,
        sections=tuple((section.derivation_id, section.section_id) for section in upper.sections),
        summary_derivation=summary.derivation_id,
        summary_id=summary.summary_id,
        derivations_sha256=commitment_to(finished[each].commitment for each in steps),
        counts={
            **draft.counts,
            "sections": len(upper.sections),
            "claims": len(summary.claims),
            "filtered_claims": len(summary.filtered),
            **({"dismissed_claims": len(summary.dismissed)} if summary.dismissed else {}),
            **possible_counts(upper.possible),
            **({"trivial_claims": sum(summary.trivial.values())} if summary.trivial else {}),
        },
    )
    found = {topic_key(section.topic) for section in upper.sections}
    report.topics_without_section = [topic for topic in draft.settings.topics if topic_key(topic) not in found]
    for tier in ("sections", "claims"):
        report.derived[tier], report.reused[tier] = upper.derived[tier], upper.reused[tier]
    report.trivial, report.empty = summary.trivial or {}, summary.empty or {}
    report.findings, report.possible = upper.claims, upper.possible
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
    return manifest
