"""The use cases behind one synchronous door: what the command line, the async interface and programs call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from coditect.errors import UsageError
from coditect.knowledge.progress import Clock, Progress, Stopwatch, silent, utc_now
from coditect.knowledge.query.drilldown import chain, drill_down
from coditect.knowledge.query.opened import Opened
from coditect.knowledge.query.search import run_query
from coditect.knowledge.query.sources import SourceBuilder
from coditect.models.port import ModelSources
from coditect.retrieve.port import Searcher
from coditect.schemas import (
    BuildSettings,
    CalibrationReport,
    CalibrationState,
    CalibrationSwitch,
    CorpusStatus,
    Decision,
    Granularity,
    PassageSettings,
    PendingReview,
    QueryResult,
    RelevanceMark,
    ReplayReport,
    Review,
    SearchFilters,
    SearchOptions,
    Source,
    TextReport,
    ValidationReport,
)
from coditect.store.live import LiveIndex
from coditect.store.store import Store
from coditect.store.view import View, open_view

if TYPE_CHECKING:
    from coditect.knowledge.building.pipeline import BuildReport
    from coditect.knowledge.building.publication import Validator
    from coditect.knowledge.derivation.executors import Executor
    from coditect.knowledge.ingest.intake import IngestReport
    from coditect.knowledge.model_roles.agency import Agency

# Building and validating load numpy, scipy and the file readers: half a second that a question need not wait for. They are
# imported where they are used.

__all__ = ["Knowledge"]


def _local() -> AbstractContextManager[Executor]:
    from coditect.knowledge.derivation.executors import LOCAL

    return nullcontext(LOCAL)


class OpenAgency(Protocol):
    """Opens the roles that a language model plays in a build."""

    def __call__(
        self, store: Store, corpus_id: str, *, forecast: bool = False
    ) -> AbstractContextManager[Agency | None]:
        """For one build; with ``forecast`` nothing is asked."""
        ...


def _no_agency(store: Store, corpus_id: str, *, forecast: bool = False) -> AbstractContextManager[Agency | None]:
    return nullcontext(None)


NO_MODELS = ModelSources()
"""Rules alone."""

OPEN_VIEWS = 8
"""Generations that are kept open between questions."""


class Knowledge:
    """A tenant's knowledge.

    Args:
        store: the tenant's store.
        searcher: finds items by text, from a replica that follows the store.
        clock: now.
        jobs: processes; None for one each core where that pays.
        models: how the configured models are opened.
        passages: how documents are cut, for builds that do not say it; None: they are not.
        return_level: the level of passages that small-to-big retrieval returns.
        open_executor: who derives documents, for as long as a build takes.
        open_agency: the roles that a language model plays in a build of a store's corpus; None where rules play all.
    """

    def __init__(
        self,
        store: Store,
        searcher: Searcher,
        *,
        clock: Clock = utc_now,
        jobs: int | None = None,
        models: ModelSources = NO_MODELS,
        passages: PassageSettings | None = None,
        return_level: int = 2,
        open_executor: Callable[[], AbstractContextManager[Executor]] = _local,
        open_agency: OpenAgency = _no_agency,
    ) -> None:
        self.store = store
        self.searcher = searcher
        self.clock = clock
        self.jobs = jobs
        self.models = models
        self.passages = passages
        self.return_level = return_level
        self.open_executor = open_executor
        self.open_agency = open_agency
        self._views: dict[tuple[str, int], Opened] = {}

    def ingest(
        self, corpus_id: str, paths: Sequence[Path], *, name: str = "", sync: bool = False, progress: Progress = silent
    ) -> IngestReport:
        """Take files into a corpus. See :func:`coditect.knowledge.ingest.intake.ingest`."""
        from coditect.knowledge.ingest.intake import ingest

        return ingest(
            self.store, corpus_id, paths, name=name, sync=sync, clock=self.clock, progress=progress, jobs=self.jobs
        )

    def build(self, corpus_id: str, settings: BuildSettings, *, progress: Progress = silent) -> BuildReport:
        """Bring a corpus' hierarchy and its search replica up to date. See :func:`coditect.knowledge.building.pipeline.build`."""
        from coditect.knowledge.building.pipeline import build

        if self.models.embedder is not None:
            self.models.embedder()  # a folder that holds no model is said now, and not of a generation that is published
        if "passages" not in settings.model_fields_set:
            settings = settings.model_copy(update={"passages": self.passages})
        with self.open_executor() as executor, self.open_agency(self.store, corpus_id) as agency:
            report = build(
                self.store,
                corpus_id,
                settings,
                clock=self.clock,
                progress=progress,
                jobs=self.jobs,
                models=self.models,
                executor=executor,
                agency=agency,
            )
        return self._searchable(report, progress)

    def publish(
        self,
        corpus_id: str,
        section_ids: Sequence[str],
        validator: Validator | None = None,
        *,
        progress: Progress = silent,
    ) -> BuildReport:
        """Make sections that a program stored the next generation. See :func:`coditect.knowledge.building.publication.publish`."""
        from coditect.knowledge.building.publication import publish

        with self.open_agency(self.store, corpus_id) as agency:
            report = publish(
                self.store, corpus_id, section_ids, validator, self.clock, progress=progress, agency=agency
            )
        return self._searchable(report, progress)

    def _searchable(self, report: BuildReport, progress: Progress) -> BuildReport:
        """Bring the search replica to the generation that a build published."""
        with Stopwatch(report.seconds).stage("search replica"):
            self.searcher.refresh(self.view(report.corpus_id), progress)
        return report

    def forecast(self, corpus_id: str, settings: BuildSettings, *, progress: Progress = silent) -> BuildReport:
        """What a build would derive, ask and cost; nothing is stored, and no model is asked.

        Raises:
            UsageError: no language model is configured, so that a build costs nothing.
        """
        from coditect.knowledge.building.forecast import scratch_store
        from coditect.knowledge.building.pipeline import build

        if "passages" not in settings.model_fields_set:
            settings = settings.model_copy(update={"passages": self.passages})
        with scratch_store(self.store) as store, self.open_agency(store, corpus_id, forecast=True) as agency:
            if agency is None:
                raise UsageError(
                    "no language model is configured, so this build costs nothing",
                    hint="Add --llm claude to see what one would cost.",
                )
            report = build(
                store,
                corpus_id,
                settings,
                clock=self.clock,
                progress=progress,
                jobs=self.jobs,
                models=self.models,
                agency=agency,
            )
            report.agents["expected_seconds"] = round(agency.expected_seconds(), 1)
            return report

    def view(self, corpus_id: str, generation: int | None = None) -> View:
        """A generation to be read; None is the current one.

        A generation never changes, so a view of it is kept and used again.
        """
        return self._opened(corpus_id, generation).view

    def _opened(self, corpus_id: str, generation: int | None) -> Opened:
        corpus = self.store.corpus(corpus_id)
        key = (corpus_id, corpus.generation if generation is None else generation)
        if key not in self._views:
            view = open_view(self.store, corpus_id, key[1])
            while len(self._views) >= OPEN_VIEWS:
                del self._views[next(iter(self._views))]
            self._views[key] = Opened(view, SourceBuilder(view), LiveIndex(view))
        return self._views[key]

    def query(
        self,
        corpus_id: str,
        query: str,
        *,
        tier: Granularity = "section",
        include_sources: bool = False,
        limit: int = 10,
        as_of: int | None = None,
        options: SearchOptions | None = None,
    ) -> QueryResult:
        """Answer a question at a granularity. See :func:`coditect.knowledge.query.search.run_query`."""
        return run_query(
            self._opened(corpus_id, as_of),
            self.searcher,
            query,
            tier=tier,
            include_sources=include_sources,
            limit=limit,
            options=options,
        )

    def drill_down(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> list[Source]:
        """The items one tier below an item, by its id alone."""
        return drill_down(self.store, item_id, corpus_id=corpus_id, as_of=as_of)

    def chain(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> Source:
        """An item with its whole chain of evidence, down to characters, page and file hash."""
        return chain(self.store, item_id, corpus_id=corpus_id, as_of=as_of)

    def validate(
        self,
        corpus_id: str,
        *,
        citations: bool = True,
        synthesis_ratios: bool = True,
        as_of: int | None = None,
        progress: Progress = silent,
    ) -> ValidationReport:
        """Re-read a corpus and check everything that it promises. See :func:`coditect.integrity.validate.validate`."""
        from coditect.integrity.validate import validate

        return validate(
            self.store,
            corpus_id,
            citations=citations,
            synthesis_ratios=synthesis_ratios,
            as_of=as_of,
            progress=progress,
        )

    def check_text(
        self,
        corpus_id: str,
        content: bytes,
        name: str = "",
        *,
        minimum_support: float | None = None,
        as_of: int | None = None,
        progress: Progress = silent,
    ) -> TextReport:
        """Check somebody else's text, sentence by sentence. See :func:`coditect.knowledge.review.check_text.check_text`."""
        from coditect.knowledge.review.check_text import EVIDENCE, STATEMENTS, check_text

        opened = self._opened(corpus_id, as_of)
        options = SearchOptions(gate=False, filters=SearchFilters(kinds=STATEMENTS))

        def find(sentence: str) -> list[Source]:
            wanted = 3 * EVIDENCE
            hits = run_query(opened, self.searcher, sentence, tier="extraction", limit=wanted, options=options).hits
            # A number in a sentence names every section of that number: what only is named comes last.
            return [hit.item for hit in sorted(hits, key=lambda hit: hit.matched_by == "exact")]

        judge = self.models.entailment() if self.models.entailment else None
        return check_text(
            opened.view, find, content, name, minimum_support=minimum_support, entailment=judge, progress=progress
        )

    def replay(self, corpus_id: str, *, as_of: int | None = None, progress: Progress = silent) -> ReplayReport:
        """Give every stored verdict of a generation again. See :func:`coditect.knowledge.review.replay.replay`."""
        from coditect.knowledge.review.replay import replay

        return replay(self.view(corpus_id, as_of), progress=progress)

    def review(self, corpus_id: str, claim_id: str, *, decision: Decision, by: str, meaning: str) -> Review:
        """Settle a claim that needs review; the next build heeds it. See :func:`coditect.knowledge.review.sign_off.sign`."""
        from coditect.knowledge.review.sign_off import sign

        view = self.view(corpus_id)
        return sign(self.store, view, claim_id, decision=decision, by=by, meaning=meaning, at=self.clock())

    def pending_reviews(self, corpus_id: str, *, as_of: int | None = None) -> list[PendingReview]:
        """The claims of a generation that need review, or had one. See :func:`coditect.knowledge.review.sign_off.pending`."""
        from coditect.knowledge.review.sign_off import pending

        return pending(self.store, self.view(corpus_id, as_of))

    def mark(self, corpus_id: str, query: str, item_id: str, *, relevant: bool, by: str) -> RelevanceMark:
        """Say whether an item answers a question. See :func:`coditect.knowledge.calibration.marks.mark`."""
        from coditect.knowledge.calibration.marks import mark

        return mark(self.store, self.view(corpus_id), query, item_id, relevant=relevant, by=by, at=self.clock())

    def marks(self, corpus_id: str) -> list[RelevanceMark]:
        """The relevance marks of a corpus that no other follows, by question and item."""
        from coditect.knowledge.calibration.marks import marks_in_force

        self.store.corpus(corpus_id)
        return [made for each in marks_in_force(self.store, corpus_id).values() for made in each]

    def calibrate(self, corpus_id: str, *, seed: int = 0, progress: Progress = silent) -> CalibrationReport:
        """Fit on reviews and marks, and propose. See :func:`coditect.knowledge.calibration.proposal.calibrate`."""
        from coditect.knowledge.calibration.proposal import calibrate

        embedder = self.models.embedder() if self.models.embedder is not None else None
        card = None if embedder is None else embedder.card
        return calibrate(self._opened(corpus_id, None), self.searcher, card=card, seed=seed, progress=progress)

    def switch_calibration(self, corpus_id: str, calibration_id: str, *, by: str, meaning: str) -> CalibrationSwitch:
        """Put a calibration, or the shipped figures, in force. See :func:`coditect.knowledge.calibration.switching.switch`."""
        from coditect.knowledge.calibration.switching import switch

        return switch(self.store, corpus_id, calibration_id, by=by, meaning=meaning, at=self.clock())

    def calibrations(self, corpus_id: str) -> CalibrationState:
        """The proposals of a corpus, and who switched to which."""
        from coditect.knowledge.calibration.switching import calibration_state

        return calibration_state(self.store, corpus_id)

    def status(self, corpus_id: str | None = None) -> list[CorpusStatus]:
        """The state of one corpus, or of every corpus of the tenant."""
        from coditect.knowledge.status import corpus_status

        return corpus_status(self.store, corpus_id)
