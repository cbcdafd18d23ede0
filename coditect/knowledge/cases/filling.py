"""Files in, generations out: ingest, build, publish, and what a build would cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from coditect.knowledge.cases.base import KnowledgeBase
from coditect.knowledge.labour.handed import ReadItems, forgetting, published_as
from coditect.knowledge.progress import Progress, Stopwatch, silent
from coditect.knowledge.query.opened import Opened
from coditect.schemas.day import require_day
from coditect.store.intake.erasures import erased_since
from coditect.store.view import View

if TYPE_CHECKING:
    from coditect.knowledge.building.gathered.corpus import Gathered
    from coditect.knowledge.building.publication import Validator
    from coditect.knowledge.derivation.report import BuildReport
    from coditect.knowledge.ingest.intake import IngestReport
    from coditect.retrieve.prepared import Prepared
    from coditect.schemas import (
        BuildSettings,
    )

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["FillingCases"]


class FillingCases(KnowledgeBase):
    """How a corpus gets its documents and its tiers."""

    def ingest(
        self,
        corpus_id: str,
        paths: Sequence[Path],
        *,
        name: str = "",
        sync: bool = False,
        follow_links: bool = False,
        manifest: Path | None = None,
        progress: Progress = silent,
    ) -> IngestReport:
        """Take files into a corpus, which is made if it is not there.

        Args:
            corpus_id: the corpus; 1 to 200 printable characters.
            paths: files and folders.
            name: what people call the corpus; only used when it is made.
            sync: withdraw documents of the corpus that are no longer below ``paths``.
            follow_links: also read what symbolic links name outside of the folder that was given.
            manifest: what each document is, whom it binds and since when; None: the ``corpus.yaml`` at the root of a folder.
            progress: told as files are read.
        Returns:
            What became of each file; one that cannot be read, or for which the tenant's quota has no room, does not stop others.
        Raises:
            UsageError: not a corpus id, or a path that is not there.
            Unavailable: a process that reads files cannot be started.
        """
        from coditect.knowledge.ingest.intake import ingest

        self._act()
        self._finish_erasures(corpus_id, progress)
        report = ingest(
            self.store,
            corpus_id,
            paths,
            name=name,
            sync=sync,
            clock=self.clock,
            progress=progress,
            jobs=self.jobs,
            budget=self.read_budget,
            follow_links=follow_links,
            manifest=manifest,
            quota=self.quota,
        )
        self.checkpoint()
        return report

    def build(self, corpus_id: str, settings: BuildSettings, *, progress: Progress = silent) -> BuildReport:
        """Bring a corpus' hierarchy and its search replica up to date. Readers see the old generation until the new one is whole.

        Args:
            corpus_id: the corpus.
            settings: the user's choices; part of the identity of what is built.
            progress: told as documents and sections are done.
        Raises:
            NotFound: no such corpus.
            UsageError: nothing was ingested; or there is no day as "today".
            Unsupported: no claim was supported, or the validator failed; the generation did not change.
            Conflict: another build of the corpus finished first.
            OverQuota: as many builds are under way as the tenant was granted.
        """
        from coditect.knowledge.building.gathered.corpus import Gathered
        from coditect.knowledge.building.pipeline import build
        from coditect.knowledge.ingest.quotas.usage import registrar_for

        self._act()
        self._finish_erasures(corpus_id, progress)
        if self.models.embedder is not None:
            self.models.embedder()  # a folder that holds no model is said now, and not of a generation that is published
        self.store.corpus(corpus_id)  # no folder is made for one that is not there
        gathered = None
        if self.folders is not None:
            gathered = Gathered(self.folders, self.store, corpus_id)
            self._remember(gathered, corpus_id)
        with (
            self.open_executor() as executor,
            self.open_agency(self.store, corpus_id) as agency,
            self.searcher.preparing(corpus_id) as prepared,
        ):
            report = build(
                self.store,
                corpus_id,
                self._completed(settings),
                clock=self.clock,
                progress=progress,
                jobs=self.jobs,
                document_extractions=self.document_extractions,
                models=self.models,
                executor=executor,
                agency=agency,
                registrar=registrar_for(self.quota),
                gathered=gathered,
                prepared=prepared,
            )
            return self._searchable(report, progress, gathered, prepared)

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
        from coditect.verify.support.meaning import meaning_from

        self._act()
        self._finish_erasures(corpus_id, progress)
        with self.open_agency(self.store, corpus_id) as agency:
            report = publish(
                self.store,
                corpus_id,
                section_ids,
                validator,
                self.clock,
                progress=progress,
                agency=agency,
                meaning=meaning_from(self.models),
            )
        return self._searchable(report, progress)

    def _searchable(
        self,
        report: BuildReport,
        progress: Progress,
        gathered: Gathered | None = None,
        prepared: Prepared | None = None,
    ) -> BuildReport:
        """Bring the search replica, and what is gathered of shares, to the generation that a build published."""
        with Stopwatch(report.seconds).stage("search replica"):
            view = self._published(report, gathered)
            try:
                self.searcher.refresh(view, progress, prepared)
                if gathered is not None:
                    gathered.put(view)
            finally:
                forgetting(view)
        with Stopwatch(report.seconds).stage("log"):
            self.checkpoint()
        return report

    def _remember(self, gathered: Gathered, corpus_id: str) -> None:
        """Hand a build the current generation, if it is open here, and what the last build of this process read of it.

        Of a corpus that gathers for the first time everything is read, and not kept.
        """
        key = (corpus_id, self.store.corpus(corpus_id).generation, gathered.erased)
        opened = self._views.kept(key)
        gathered.handed.former = None if opened is None else opened.view
        if gathered.is_found:
            gathered.handed.memory = ReadItems(self._read_items.kept(key) or {})
        planned = None if opened is None else self._planned.kept(key)
        if planned is not None:
            gathered.handed.planned, heads = planned
            gathered.begin_with(heads)

    def _published(self, report: BuildReport, gathered: Gathered | None) -> View:
        """The generation that a build published, opened with what was read of it, unless somebody erased from it meanwhile."""
        corpus_id = report.corpus_id
        handed = None if gathered is None else gathered.handed
        if gathered is None or handed is None or handed.draft is None:
            return self.view(corpus_id)
        key = (corpus_id, report.generation, gathered.erased)
        if erased_since(self.store, corpus_id) == gathered.erased and self._views.kept(key) is None:
            view = published_as(self.store, handed.draft, report.generation, handed.sections)
            self._views.get(key, lambda: Opened(view))
            if handed.memory is not None:
                memory = handed.memory
                self._read_items.get(key, lambda: memory.now)
            planned = handed.planned, gathered.heads(view)
            self._planned.get(key, lambda: planned)
        return self.view(corpus_id)

    def forecast(self, corpus_id: str, settings: BuildSettings, *, progress: Progress = silent) -> BuildReport:
        """What a build would derive, ask and cost; nothing is stored, and no model is asked.

        Input is estimated on this machine, and nothing is sent, unless the settings let the service count it.

        Args:
            corpus_id: the corpus.
            settings: as for :meth:`build`.
            progress: told as documents and sections are done.
        Raises:
            UsageError: no language model is configured, so that a build costs nothing; or there is no day as "today".
        """
        from coditect.knowledge.building.forecast import forecast

        return forecast(
            self.store,
            corpus_id,
            self._completed(settings),
            self.open_agency,
            clock=self.clock,
            progress=progress,
            jobs=self.jobs,
            document_extractions=self.document_extractions,
            models=self.models,
        )

    def _completed(self, settings: BuildSettings) -> BuildSettings:
        require_day("today", settings.today)
        """Settings that say how documents are cut."""
        if "passages" in settings.model_fields_set:
            return settings
        return settings.model_copy(update={"passages": self.passages})
