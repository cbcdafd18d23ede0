"""The use cases behind one synchronous door: what the command line, the async interface and programs call."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pydantic import JsonValue

from coditect.documents.limits import MOST_EXTRACTIONS
from coditect.documents.sandbox.budget import ReadBudget
from coditect.knowledge.progress import Clock, Progress, Stopwatch, silent, utc_now
from coditect.knowledge.query.drilldown import chain, drill_down
from coditect.knowledge.query.opened import Opened
from coditect.knowledge.query.search import run_query
from coditect.models.port import ModelSources
from coditect.retrieve.port import Searcher
from coditect.retrieve.recent import Recent
from coditect.schemas import (
    BuildSettings,
    CalibrationReport,
    CalibrationState,
    CalibrationSwitch,
    CorpusStatus,
    Decision,
    DecisionStatus,
    FeedEntry,
    Granularity,
    IndexStatus,
    LogHead,
    PassageSettings,
    PendingReview,
    QueryResult,
    RegisterRow,
    RelevanceMark,
    ReplayReport,
    Review,
    SearchFilters,
    SearchOptions,
    Source,
    SweepReport,
    TextReport,
    ValidationReport,
)
from coditect.store.intake.erasures import pending_erasures
from coditect.store.store import Store
from coditect.store.view import View, open_view

if TYPE_CHECKING:
    from coditect.knowledge.archive.export import ExportReport
    from coditect.knowledge.archive.importing import ImportReport
    from coditect.knowledge.building.publication import Validator
    from coditect.knowledge.building.recomputation import RecomputationForecast
    from coditect.knowledge.derivation.executors import Executor
    from coditect.knowledge.derivation.report import BuildReport
    from coditect.knowledge.erasure.desk import ErasureDesk
    from coditect.knowledge.ingest.intake import IngestReport
    from coditect.knowledge.model_roles.agency import Agency, OpenAgency
    from coditect.knowledge.report.registers.selection import RegisterFilters
    from coditect.reports.model import AuditReport
    from coditect.transparency.notes import Signer
    from coditect.transparency.sequencer import TransparencyLog

# Building and validating load numpy, scipy and the file readers: half a second that a question need not wait for. They are
# imported where they are used.

__all__ = ["Knowledge", "erasure_desk"]


def _local() -> AbstractContextManager[Executor]:
    from coditect.knowledge.derivation.executors import LOCAL

    return nullcontext(LOCAL)


def _no_agency(store: Store, corpus_id: str, *, forecast: bool = False) -> AbstractContextManager[Agency | None]:
    return nullcontext(None)


NO_MODELS = ModelSources()
"""Rules alone."""

READ_BUDGET = ReadBudget()
"""The usual."""

OPEN_VIEWS = 8
"""Generations that are kept open between questions."""


class Knowledge:
    """A tenant's knowledge, with every use case as a method. Made by :func:`coditect.open_knowledge`, not by its constructor.

    Safe for threads: any number of them may ask, ingest, build, review, validate, export and import at the same time. A question
    is answered from one generation from beginning to end, whatever is built meanwhile. Of two builds of one corpus that run at the
    same time one may end with ``Conflict``; run it again. Reports that are returned are the caller's own.

    Args:
        store: the tenant's store.
        searcher: finds items by text, from a replica that follows the store; safe for threads.
        clock: tells the time that is written into records.
        jobs: processes; None for one each core where that pays.
        read_budget: what the reading of one file may take.
        log_signer: signs the log's checkpoints; None: events are logged, and nothing is proven.
        document_extractions: extractions of one document, at most; one that holds more is left out of a build, by name.
        models: how the configured models are opened.
        passages: how documents are cut, for builds that do not say it; None: they are not.
        return_level: the level of passages that small-to-big retrieval returns.
        open_executor: who derives documents, for as long as a build takes.
        open_agency: the roles that a language model plays in a build of a store's corpus; None where rules play all.
        erasure_list: the list of erasures beside the backups; None: none is kept.
        searched_places: files and folders in which an erasure looks for words that are left, beside the store.
    """

    def __init__(
        self,
        store: Store,
        searcher: Searcher,
        *,
        clock: Clock = utc_now,
        jobs: int | None = None,
        read_budget: ReadBudget = READ_BUDGET,
        log_signer: Signer | None = None,
        document_extractions: int = MOST_EXTRACTIONS,
        models: ModelSources = NO_MODELS,
        passages: PassageSettings | None = None,
        return_level: int = 2,
        open_executor: Callable[[], AbstractContextManager[Executor]] = _local,
        open_agency: OpenAgency = _no_agency,
        erasure_list: Path | None = None,
        searched_places: tuple[Path, ...] = (),
    ) -> None:
        self.store = store
        self.searcher = searcher
        self.clock = clock
        self.jobs = jobs
        self.read_budget = read_budget
        self.log_signer = log_signer
        self.document_extractions = document_extractions
        self.models = models
        self.passages = passages
        self.return_level = return_level
        self.open_executor = open_executor
        self.open_agency = open_agency
        self.erasure_list = erasure_list
        self.searched_places = searched_places
        self._views: Recent[tuple[str, int], Opened] = Recent(OPEN_VIEWS)

    def _forget(self, corpus_id: str) -> Sequence[str]:
        """Let go of every copy of a corpus: generations that are open here, and search replicas."""
        self._views = Recent(OPEN_VIEWS)
        spools = Path(tempfile.gettempdir()).glob("coditect-build-*")
        return (*self.searcher.forget(corpus_id), *sorted(map(str, spools)))

    def _finish_erasures(self, corpus_id: str, progress: Progress) -> None:
        """Finish what was killed, or waited, before anything else is written."""
        if pending_erasures(self.store, corpus_id):
            erasure_desk(self).finish(corpus_id, progress=progress)

    def _log(self) -> TransparencyLog:
        from coditect.transparency.sequencer import TransparencyLog

        return TransparencyLog(self.store.engine, self.store.keys)

    def checkpoint(self) -> str | None:
        """Give the events that wait their index, and sign what the log is now. Every change ends with this.

        Returns:
            The signed checkpoint; None where no key is configured: then nothing is proven.

        Raises:
            InvalidProof: the log does not continue what was signed before; nothing is signed.
            UsageError: the log has another origin than the key signs for.
        """
        if self.log_signer is not None:
            return self._log().checkpoint(self.log_signer)
        self._log().sequence()
        return None

    def log_head(self) -> LogHead:
        """How long the log is, without events that wait for their index."""
        return self._log().head()

    def log_entries(self, first: int = 0, last: int | None = None) -> Iterator[tuple[int, bytes]]:
        """(index, entry) of entries of the log, from the first to before the last; None: to its end."""
        return self._log().entries(first, last)

    def log_proof(self, index: int) -> str:
        """The proof that an entry is in the log, by the newest signed checkpoint: C2SP tlog-proof.

        Raises:
            NotFound: no signed checkpoint holds such an entry.
        """
        return self._log().prove(index)

    def log_consistency(self, first: int, second: int) -> list[bytes]:
        """The proof that the log of one size is the beginning of that of another, as hashes. RFC 9162, 2.1.4.

        Raises:
            UsageError: sizes between which nothing can be proved.
        """
        return self._log().consistency(first, second)

    def log_files(self) -> Iterator[tuple[str, bytes]]:
        """(path, bytes) of the files that serve the log, C2SP tlog-tiles; the checkpoint is the last.

        Raises:
            NotFound: nothing was signed yet.
        """
        return self._log().files()

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
            What became of each file; a file that cannot be read does not stop the others.
        Raises:
            UsageError: not a corpus id, or a path that is not there.
            Unavailable: a process that reads files cannot be started.
        """
        from coditect.knowledge.ingest.intake import ingest

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
            UsageError: nothing was ingested.
            Unsupported: no claim was supported, or the validator failed; the generation did not change.
            Conflict: another build of the corpus finished first.
        """
        from coditect.knowledge.building.pipeline import build

        self._finish_erasures(corpus_id, progress)
        if self.models.embedder is not None:
            self.models.embedder()  # a folder that holds no model is said now, and not of a generation that is published
        with self.open_executor() as executor, self.open_agency(self.store, corpus_id) as agency:
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

        self._finish_erasures(corpus_id, progress)
        with self.open_agency(self.store, corpus_id) as agency:
            report = publish(
                self.store, corpus_id, section_ids, validator, self.clock, progress=progress, agency=agency
            )
        return self._searchable(report, progress)

    def _searchable(self, report: BuildReport, progress: Progress) -> BuildReport:
        """Bring the search replica to the generation that a build published."""
        with Stopwatch(report.seconds).stage("search replica"):
            self.searcher.refresh(self.view(report.corpus_id), progress)
        with Stopwatch(report.seconds).stage("log"):
            self.checkpoint()
        return report

    def forecast(self, corpus_id: str, settings: BuildSettings, *, progress: Progress = silent) -> BuildReport:
        """What a build would derive, ask and cost; nothing is stored, and no model is asked.

        Input is estimated on this machine, and nothing is sent, unless the settings let the service count it.

        Args:
            corpus_id: the corpus.
            settings: as for :meth:`build`.
            progress: told as documents and sections are done.
        Raises:
            UsageError: no language model is configured, so that a build costs nothing.
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
        """Settings that say how documents are cut."""
        if "passages" in settings.model_fields_set:
            return settings
        return settings.model_copy(update={"passages": self.passages})

    def view(self, corpus_id: str, generation: int | None = None) -> View:
        """A generation to be read, item by item.

        Args:
            corpus_id: the corpus.
            generation: its number; None is the current one.
        Raises:
            NotFound: no such corpus or generation, or it was never built.
        """
        return self._opened(corpus_id, generation).view

    def _opened(self, corpus_id: str, generation: int | None) -> Opened:
        """A generation never changes, so what was read of the last few is kept, the last used longest."""
        number = self.store.corpus(corpus_id).generation if generation is None else generation
        return self._views.get((corpus_id, number), lambda: Opened(open_view(self.store, corpus_id, number)))

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
        """Answer a question from one granularity of one generation. No hits is an answer.

        Args:
            corpus_id: the corpus.
            query: words; phrases in quotation marks must stand verbatim in an exact match.
            tier: which items answer: one of the four tiers, passages, or propositions.
            include_sources: fill in the chain of evidence of each hit, down to Tier 1.
            limit: hits, 1 to 1000.
            as_of: the generation that answers; None is the current one.
            options: mode, filters, gate and what else is wanted; None: the defaults.
        Raises:
            UsageError: an empty query, an unknown tier, a limit or level out of range, dense search without an embedder.
            NotFound: no such corpus or generation, or a filter names what is not there.
            Corrupt: the search replica does not fit the store.
        """
        return run_query(
            self._opened(corpus_id, as_of),
            self.searcher,
            query,
            tier=tier,
            include_sources=include_sources,
            limit=limit,
            options=options,
        )

    def register(
        self,
        corpus_id: str,
        filters: RegisterFilters | None = None,
        *,
        as_of: int | None = None,
        today: str | None = None,
    ) -> Iterator[RegisterRow]:
        """What the documents say, statement by statement, in the order of documents and texts; behind them the published claims.

        Args:
            corpus_id: of the corpus.
            filters: which rows; None: all.
            as_of: a generation; None is the current one.
            today: the day that documents' dates are held against, ISO 8601; None is that of the clock.
        Raises:
            NotFound: no such corpus, generation, document or topic.
        """
        from coditect.knowledge.report.registers.rows import register_rows
        from coditect.knowledge.report.registers.selection import RegisterFilters

        return register_rows(self.view(corpus_id, as_of), filters or RegisterFilters(), today or self.clock()[:10])

    def drill_down(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> list[Source]:
        """The items one tier below an item, by its id alone; none below Tier 1.

        Args:
            item_id: of a claim, section, chunk, extraction or passage; the corpus is found from it.
            corpus_id: look in this corpus only.
            as_of: a generation; None is the current one, or the newest that holds the item.
        Raises:
            UsageError: not an item id.
            NotFound: no such item.
        """
        return drill_down(self.store, item_id, corpus_id=corpus_id, as_of=as_of)

    def chain(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> Source:
        """An item with its whole chain of evidence, down to characters, page and file hash. As :meth:`drill_down` otherwise."""
        return chain(self.store, item_id, corpus_id=corpus_id, as_of=as_of)

    def validate(
        self,
        corpus_id: str,
        *,
        citations: bool = True,
        synthesis_ratios: bool = True,
        as_of: int | None = None,
        deep: bool = False,
        announce: Callable[[RecomputationForecast], None] | None = None,
        progress: Progress = silent,
    ) -> ValidationReport:
        """Re-read a corpus, all its generations, and check everything that it promises.

        Args:
            corpus_id: the corpus.
            citations: check citations, verdicts and figures.
            synthesis_ratios: check how much of every section the program wrote.
            as_of: the generation whose tiers are checked; None is the current one. Rows are checked of all generations.
            deep: compute again from the files' bytes what rules can, and compare; takes about as long as ingest and build did.
            announce: told what that is going to take, before it begins.
            progress: told as tables are read.
        Raises:
            NotFound: no such corpus or generation.
        """
        from coditect.integrity.validate import validate

        report = validate(
            self.store,
            corpus_id,
            citations=citations,
            synthesis_ratios=synthesis_ratios,
            as_of=as_of,
            progress=progress,
        )
        return self._recomputed(report, as_of, announce, progress) if deep else report

    def _recomputed(
        self,
        report: ValidationReport,
        as_of: int | None,
        announce: Callable[[RecomputationForecast], None] | None,
        progress: Progress,
    ) -> ValidationReport:
        """A report with what is found when the generation is computed again; not of one that cannot be read."""
        from coditect.knowledge.building.recomputation import recompute

        if not report.build_id or any(each.check in ("bytes", "newer") for each in report.findings):
            said = "Nothing: the generation cannot be read as it is stored."
            return report.model_copy(update={"not_recomputed": (said,)})
        begin = time.perf_counter()
        found = recompute(
            self.store,
            report.corpus_id,
            models=self.models,
            budget=self.read_budget,
            document_extractions=self.document_extractions,
            progress=progress,
            announce=announce or (lambda expected: None),
            as_of=as_of,
            jobs=self.jobs,
        )
        findings = (*report.findings, *found.findings)
        return report.model_copy(
            update={
                "clean": not findings,
                "findings": findings,
                "not_recomputed": tuple(found.skipped),
                "seconds": round(report.seconds + time.perf_counter() - begin, 3),
            }
        )

    def check_rows(self, *, progress: Progress = silent) -> list[ValidationReport]:
        """Read every row of every corpus, and check it for itself: what ``validate`` does before it looks at the documents' text.

        Args:
            progress: told as tables are read.
        """
        from coditect.integrity.validate import check_rows

        return [check_rows(self.store, corpus.corpus_id, progress=progress) for corpus in self.store.corpora()]

    def verify(
        self,
        corpus_id: str,
        text: str | bytes,
        name: str = "",
        *,
        minimum_support: float | None = None,
        as_of: int | None = None,
        progress: Progress = silent,
    ) -> TextReport:
        """Check somebody else's text against a generation, sentence by sentence.

        Args:
            corpus_id: the corpus; only what it says counts, not what is true.
            text: one claim or several as plain text, or a file's bytes in any format that documents may have.
            name: of the file, which tells its format; without one it is plain text.
            minimum_support: probability from which a sentence is supported, 0..1; None: as the generation was built with.
            as_of: the generation; None is the current one.
            progress: told as sentences are done.
        Raises:
            ReadError: the file cannot be read, or holds nothing.
            UsageError: more than 2,000 sentences.
            ModelError: the configured entailment model failed.
        """
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
            opened.view, find, text, name, minimum_support=minimum_support, entailment=judge, progress=progress
        )

    def replay(self, corpus_id: str, *, as_of: int | None = None, progress: Progress = silent) -> ReplayReport:
        """Give every stored verdict of a generation again, from the store alone, and say which come out differently.

        Args:
            corpus_id: the corpus.
            as_of: the generation; None is the current one.
            progress: told as claims are done.
        Raises:
            NotFound: no such corpus or generation.
            Corrupt: an item of the generation is missing or changed.
        """
        from coditect.knowledge.review.replay import replay

        return replay(self.view(corpus_id, as_of), progress=progress)

    def review(
        self,
        corpus_id: str,
        item_id: str,
        *,
        decision: Decision,
        by: str,
        meaning: str,
        changes: Mapping[str, JsonValue] | None = None,
        until: str | None = None,
    ) -> Review:
        """Decide of a claim or an extraction of the current generation; the next build heeds it.

        Args:
            corpus_id: the corpus.
            item_id: of a claim or extraction; to withdraw a decision, also that of its review.
            decision: "supported" or "unsupported" of a claim that needs review; "accept", "dismiss" or "accept_risk" of any claim
                that is not refused by all, and of any extraction; "correct" of an extraction; "withdraw" takes a decision back.
            by: the printed name of who signs.
            meaning: what the signature means, e.g. "reviewed against the policy": the reason.
            changes: of a correction: new values by field of the typed data, and ``kind``; None empties a field. Where a field holds
                the document's words, the value must be words of the document.
            until: of an accepted risk: the last day on which it is accepted, ``2026-12-31``; None: it has none.
        Returns:
            The review; the one in force where it says the same of the same by the same person.
        Raises:
            NotFound: no such item in this generation.
            UsageError: the decision cannot be made of this item, a correction does not hold, or a field is empty.
        """
        from coditect.knowledge.review.sign_off import sign

        view = self.view(corpus_id)
        review = sign(
            self.store,
            view,
            item_id,
            decision=decision,
            by=by,
            meaning=meaning,
            at=self.clock(),
            changes=changes,
            until=until,
        )
        self.checkpoint()
        return review

    def pending_reviews(self, corpus_id: str, *, as_of: int | None = None) -> list[PendingReview]:
        """What is left to a person in a generation; what is open comes first.

        That is: claims that need review, or had one; and decisions whose evidence is no longer what was decided on, or whose last
        day has passed.

        Args:
            corpus_id: the corpus.
            as_of: the generation; None is the current one.
        Raises:
            NotFound: no such corpus or generation.
        """
        from coditect.knowledge.review.decisions import pending

        return pending(self.store, self.view(corpus_id, as_of), self.clock()[:10])

    def decisions(self, corpus_id: str, *, as_of: int | None = None) -> list[DecisionStatus]:
        """Every decision that was ever signed, by time, and how it stands in a generation.

        Args:
            corpus_id: the corpus.
            as_of: the generation; None is the current one.
        Raises:
            NotFound: no such corpus or generation.
        """
        from coditect.knowledge.review.decisions import SignedDecisions

        return SignedDecisions(self.store, self.view(corpus_id, as_of), self.clock()[:10]).statuses()

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

    def report(
        self,
        corpus_id: str,
        *,
        as_of: int | None = None,
        validation: ValidationReport | None = None,
        today: str | None = None,
    ) -> AuditReport:
        """The audit report of a generation; :func:`coditect.render_html` makes a page of it.

        Args:
            corpus_id: the corpus.
            as_of: the generation; None is the current one.
            validation: what :meth:`validate` found of the same generation, to be printed in the report.
            today: the day against which the list of documents holds their dates, YYYY-MM-DD; None asks the clock.
        Raises:
            NotFound: no such corpus or generation.
            UsageError: the validation is of another build.
            QuoteNotFound: a quote is not the document's text at its offsets.
            Corrupt: a stored record or text is missing or changed.
        """
        from coditect.knowledge.report.collection import collect_report

        view = self.view(corpus_id, as_of)
        return collect_report(self.store, view, generated_at=self.clock(), validation=validation, today=today)

    def export(self, corpus_id: str, file: BinaryIO, *, progress: Progress = silent) -> ExportReport:
        """Write a corpus with all its generations as one archive; the same corpus gives the same bytes.

        Args:
            corpus_id: the corpus; nobody may write to it meanwhile.
            file: open for writing bytes; what is in it is an archive only if this returns.
            progress: told as rows are written.
        Raises:
            NotFound: no such corpus.
            Conflict: somebody wrote to the corpus meanwhile.
            Corrupt: a row is damaged; nothing that cannot be restored is exported.
        """
        from coditect.knowledge.archive.export import export_corpus

        return export_corpus(self.store, corpus_id, file, progress=progress)

    def import_archive(self, file: BinaryIO, *, progress: Progress = silent) -> ImportReport:
        """Read an archive into the store; the corpus appears whole or not at all.

        Args:
            file: a seekable file of bytes, at the beginning of what :meth:`export` wrote, from any engine and for any tenant.
            progress: told as rows are checked, written and read back.
        Raises:
            UsageError: not an archive, or another corpus stands under its id.
            Conflict: somebody else wrote this corpus meanwhile; nothing is visible.
            Corrupt: the archive is not what was written, or what was written to the store cannot be read back.
        """
        from coditect.knowledge.archive.format import open_archive
        from coditect.knowledge.archive.importing import import_archive

        archive = open_archive(file, lambda done, total: progress("checking the archive", done, total))
        report = import_archive(self.store, archive, progress=progress, erasures=erasure_desk(self).listed())
        self._finish_erasures(report.corpus_id, progress)
        self.checkpoint()
        return report

    def sweep(self, corpus_id: str | None = None, *, apply: bool = False, progress: Progress = silent) -> SweepReport:
        """Find what nothing refers to, and remove it. See :func:`coditect.integrity.sweeping.sweep.sweep`.

        Args:
            corpus_id: the corpus; None is all of them.
            apply: remove it; else it is only counted, and nothing is written.
            progress: told as pages are read.
        Returns:
            What was found and removed, by corpus; a corpus that somebody is at work on is left alone, and says so.
        Raises:
            NotFound: no such corpus.
        """
        from coditect.integrity.sweeping.sweep import sweep

        for each in self.store.corpora() if apply else ():
            if corpus_id in (None, each.corpus_id):
                self._finish_erasures(each.corpus_id, progress)
        return sweep(self.store, corpus_id, apply=apply, progress=progress)

    def indexes(self) -> list[IndexStatus]:
        """The indexes of the tenant's store and their states; those that every store has come first."""
        from coditect.integrity.indexing.statuses import index_statuses

        return index_statuses(self.store)

    def build_index(self, name: str, *, progress: Progress = silent) -> bool:
        """Add an optional index, or go on with a building that was killed. See :mod:`coditect.integrity.indexing.building`.

        Readers and writers go on meanwhile, and questions have the same answers with it and without.

        Args:
            name: of the index, e.g. "entity".
            progress: told as records are read.
        Returns:
            False if it was readable already, and nothing was done.
        Raises:
            UsageError: no such index, or one that every store has.
            Conflict: somebody dropped it meanwhile.
            Corrupt: a record cannot be read; the index stays write only.
            Unwritable: the store has a later version of it, or the format of a former release.
        """
        from coditect.integrity.indexing.building import build_index

        return build_index(self.store, name, self.clock, progress=progress)

    def drop_index(self, name: str, *, progress: Progress = silent) -> int:
        """Drop an optional index, also one that only a later release knows. Readers and writers go on meanwhile.

        Args:
            name: of the index.
            progress: told as rows are cleared.
        Returns:
            How many rows were cleared.
        Raises:
            UsageError: no such index, or one that every store has.
            Conflict: somebody added it again meanwhile.
        """
        from coditect.integrity.indexing.dropping import drop_index

        return drop_index(self.store, name, progress=progress)

    def feed(self, corpus_id: str, cursor: str = "") -> Iterator[FeedEntry]:
        """What happened to a corpus, oldest first.

        Args:
            corpus_id: the corpus.
            cursor: of the last entry that is known; empty: none is.
        Raises:
            NotFound: no such corpus.
            UsageError: not a cursor.
        """
        from coditect.store.events import entries_after

        self.store.corpus(corpus_id)
        return entries_after(self.store, corpus_id, cursor)

    def follow(self, corpus_id: str, cursor: str = "") -> Iterator[FeedEntry]:
        """What happened to a corpus, and then what happens, without end; an entry may come twice. As :meth:`feed`."""
        from coditect.store.events import follow

        return follow(self.store, corpus_id, cursor)

    def status(self, corpus_id: str | None = None) -> list[CorpusStatus]:
        """The state of one corpus, or of every corpus of the tenant, by id.

        Args:
            corpus_id: the corpus; None is all of them.
        Raises:
            NotFound: no such corpus.
        """
        from coditect.knowledge.report.status import corpus_status

        return corpus_status(self.store, corpus_id)


def erasure_desk(knowledge: Knowledge) -> ErasureDesk:
    """Erasures with certificates, legal holds and retention of a tenant's corpora."""
    from coditect.knowledge.erasure.desk import ErasureDesk
    from coditect.knowledge.erasure.execution import Surroundings

    around = Surroundings(knowledge.clock, os.urandom, knowledge._forget, knowledge.searched_places)
    return ErasureDesk(knowledge.store, around, knowledge.checkpoint, knowledge.erasure_list)
