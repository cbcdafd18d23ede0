"""The use cases behind one synchronous door: what the command line, the async interface and programs call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from coditect.knowledge.drilldown import chain, drill_down
from coditect.knowledge.executors import LOCAL, Executor
from coditect.knowledge.progress import Clock, Progress, Stopwatch, silent, utc_now
from coditect.knowledge.query import Opened, Searcher, run_query
from coditect.knowledge.sources import SourceBuilder
from coditect.models.port import ModelSources
from coditect.schemas import (
    BuildSettings,
    CorpusStatus,
    Granularity,
    PassageSettings,
    QueryResult,
    SearchOptions,
    Source,
    ValidationReport,
)
from coditect.store.live import LiveIndex
from coditect.store.store import Store
from coditect.store.view import View, open_view

if TYPE_CHECKING:
    from coditect.knowledge.build import BuildReport
    from coditect.knowledge.ingest import IngestReport

# Building and validating load numpy, scipy and the file readers: half a second that a question need not wait for. They are
# imported where they are used.

__all__ = ["Knowledge"]


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
        open_executor: Callable[[], AbstractContextManager[Executor]] = lambda: nullcontext(LOCAL),
    ) -> None:
        self.store = store
        self.searcher = searcher
        self.clock = clock
        self.jobs = jobs
        self.models = models
        self.passages = passages
        self.return_level = return_level
        self.open_executor = open_executor
        self._views: dict[tuple[str, int], Opened] = {}

    def ingest(
        self, corpus_id: str, paths: Sequence[Path], *, name: str = "", sync: bool = False, progress: Progress = silent
    ) -> IngestReport:
        """Take files into a corpus. See :func:`coditect.knowledge.ingest.ingest`."""
        from coditect.knowledge.ingest import ingest

        return ingest(
            self.store, corpus_id, paths, name=name, sync=sync, clock=self.clock, progress=progress, jobs=self.jobs
        )

    def build(self, corpus_id: str, settings: BuildSettings, *, progress: Progress = silent) -> BuildReport:
        """Bring a corpus' hierarchy and its search replica up to date. See :func:`coditect.knowledge.build.build`."""
        from coditect.knowledge.build import build

        if "passages" not in settings.model_fields_set:
            settings = settings.model_copy(update={"passages": self.passages})
        with self.open_executor() as executor:
            report = build(
                self.store,
                corpus_id,
                settings,
                clock=self.clock,
                progress=progress,
                jobs=self.jobs,
                models=self.models,
                executor=executor,
            )
        watch = Stopwatch(report.seconds)
        with watch.stage("search replica"):
            self.searcher.refresh(self.view(corpus_id), progress)
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
        """Answer a question at a granularity. See :func:`coditect.knowledge.query.run_query`."""
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

    def status(self, corpus_id: str | None = None) -> list[CorpusStatus]:
        """The state of one corpus, or of every corpus of the tenant."""
        from coditect.knowledge.status import corpus_status

        return corpus_status(self.store, corpus_id)
