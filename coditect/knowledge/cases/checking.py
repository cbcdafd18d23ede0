"""Checks: of a corpus against its promises and its log, of verdicts, and of other people's texts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from coditect.errors import UsageError
from coditect.knowledge.cases.base import KnowledgeBase
from coditect.knowledge.progress import Progress, silent
from coditect.knowledge.query.search import run_query
from coditect.schemas import (
    SearchFilters,
    SearchOptions,
    sha256_hex,
)

if TYPE_CHECKING:
    from coditect.knowledge.building.recomputation import RecomputationForecast
    from coditect.knowledge.model_roles.on_request.examiner import Examiner
    from coditect.knowledge.query.opened import Opened
    from coditect.schemas import (
        ExaminerReads,
        ReplayReport,
        Source,
        TextReport,
        ValidationReport,
    )

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["CheckingCases"]


MOST_SEARCHED = 480
"""Statements that are looked at for a sentence, at most, where former editions of documents come before those in force."""


class CheckingCases(KnowledgeBase):
    """Whether a corpus, or a text, holds."""

    def validate(
        self,
        corpus_id: str,
        *,
        citations: bool = True,
        synthesis_ratios: bool = True,
        as_of: int | None = None,
        deep: bool = False,
        log: bool = False,
        kept: bytes | None = None,
        log_keys: Sequence[str] = (),
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
            log: hold the rows against the log, and the log against the newest checkpoint that the store itself has, or that the
                key that signs here remembers.
            kept: a signed checkpoint that somebody kept: the log is held against that, and the rows against the log.
            log_keys: verifier keys of the log; none: that of the key that signs here.
            announce: told what that is going to take, before it begins.
            progress: told as tables are read.
        Raises:
            NotFound: no such corpus or generation.
            UsageError: a checkpoint was kept, and no key of the log is known.
            InvalidProof: no known key signed the checkpoint.
        """
        from coditect.integrity.validate import validate
        from coditect.verify.support.meaning import meaning_from

        report = validate(
            self.store,
            corpus_id,
            citations=citations,
            synthesis_ratios=synthesis_ratios,
            as_of=as_of,
            meaning=meaning_from(self.models),
            progress=progress,
        )
        owed = self.owed_compactions()
        if owed:
            report = report.model_copy(update={"compaction_owed": owed})
        if log or kept is not None:
            report = self._against_log(report, kept, log_keys, progress)
        return self._recomputed(report, as_of, announce, progress) if deep else report

    def _against_log(
        self, report: ValidationReport, kept: bytes | None, log_keys: Sequence[str], progress: Progress
    ) -> ValidationReport:
        """A report with what is found when the corpus is held against its log."""
        from coditect.integrity.logged.check import check_logged
        from coditect.transparency.checkpoints import open_checkpoint
        from coditect.transparency.notes import VerifierKey

        keys = [VerifierKey.parse(each) for each in log_keys]
        if not keys and self.log_signer is not None:
            keys = [self.log_signer.key]
        if not keys:
            raise UsageError(
                "no key of the log is known",
                hint="Give --log-key with what 'coditect keys new' printed: a checkpoint that nobody signed proves nothing.",
            )
        begin, pages = time.perf_counter(), Counter[str]()

        def advance(table: str) -> None:
            pages[table] += 1
            progress(f"holding {table} against the log", pages[table], 0)

        own = self._log().last_checkpoint()
        note = own.encode() if kept is None and own is not None else kept
        checkpoint = None if note is None else open_checkpoint(note, keys).checkpoint
        if kept is None and self.log_signer is not None and self.log_memory is not None:
            # What the key remembers is outside of the store: an older copy of that is found by it.
            remembered = self.log_memory.last(self.log_signer.key)
            if remembered is not None and (checkpoint is None or remembered.size > checkpoint.size):
                checkpoint = remembered
        counts = Counter(report.checked)
        findings, untold = check_logged(self.store, report.corpus_id, checkpoint, counts, advance)
        return report.model_copy(
            update={
                "clean": report.clean and not findings,
                "checked": dict(sorted(counts.items())),
                "findings": (*report.findings, *findings),
                "not_logged": tuple(untold),
                "seconds": round(report.seconds + time.perf_counter() - begin, 3),
            }
        )

    def _recomputed(
        self,
        report: ValidationReport,
        as_of: int | None,
        announce: Callable[[RecomputationForecast], None] | None,
        progress: Progress,
    ) -> ValidationReport:
        """A report with what is found when the generation is computed again; not of one that cannot be read."""
        from coditect.knowledge.building.gathered.corpus import Gathered
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
            gathered=None if self.folders is None else Gathered(self.folders, self.store, report.corpus_id),
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

    def owed_compactions(self) -> tuple[str, ...]:
        """What the tenant's erasures still ask of the store's file, a sentence each; none where it was compacted after the last."""
        from coditect.store.intake.compactions import owed_compactions

        return tuple(
            f"{each.erasure_id} of corpus {each.corpus_id}, {each.at}: freed pages of the file may keep words that it erased "
            "until that is compacted"
            for each in owed_compactions(self.store)
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
        examiner: Examiner | None = None,
        progress: Progress = silent,
    ) -> TextReport:
        """Check somebody else's text against a generation, sentence by sentence.

        Args:
            corpus_id: the corpus; only what it says counts, not what is true.
            text: one claim or several as plain text, or a file's bytes in any format that documents may have.
            name: of the file, which tells its format; without one it is plain text.
            minimum_support: probability from which a sentence is supported, 0..1; None: as the generation was built with.
            as_of: the generation; None is the current one.
            examiner: a language model that reads what waits for a person (:meth:`examiner`); None: nobody does.
            progress: told as sentences are done.
        Raises:
            ReadError: the file cannot be read, or holds nothing.
            UsageError: more than 2,000 sentences.
            ModelError: the configured entailment model failed.
        """
        from coditect.knowledge.review.check_text import check_text
        from coditect.verify.support.meaning import meaning_from

        opened = self._opened(corpus_id, as_of)
        self.note_read(
            corpus_id, "verify", opened.view.generation, words=text if isinstance(text, str) else sha256_hex(text)
        )
        return check_text(
            opened.view,
            self._finder(opened),
            text,
            name,
            minimum_support=minimum_support,
            entailment=self.models.entailment() if self.models.entailment else None,
            meaning=meaning_from(self.models)(),
            examiner=examiner,
            progress=progress,
        )

    def _finder(self, opened: Opened) -> Callable[[str], list[Source]]:
        """Searches a generation for what speaks to a sentence."""
        from coditect.knowledge.report.standing import superseded_documents
        from coditect.knowledge.review.check_text import STATEMENTS
        from coditect.knowledge.review.grounds import EVIDENCE

        options = SearchOptions(gate=False, filters=SearchFilters(kinds=STATEMENTS))

        former = superseded_documents(opened.view)

        def find(sentence: str) -> list[Source]:
            wanted = 3 * EVIDENCE
            while True:
                hits = run_query(opened, self.searcher, sentence, tier="extraction", limit=wanted, options=options).hits
                in_force = sum(hit.item.document_id not in former for hit in hits)
                # Former editions say nearly the same: behind them stands what is in force.
                if in_force >= EVIDENCE or len(hits) < wanted or wanted >= MOST_SEARCHED or not former:
                    break
                wanted = min(4 * wanted, MOST_SEARCHED)
            # A number in a sentence names every section of that number: what only is named comes last.
            return [hit.item for hit in sorted(hits, key=lambda hit: hit.matched_by == "exact")]

        return find

    @contextmanager
    def examiner(
        self, corpus_id: str, *, reads: ExaminerReads = "waiting", forecast: bool = False
    ) -> Iterator[Examiner]:
        """A language model that reads what the checker leaves to a person, for as many texts as are verified inside the block.

        It is sent the sentence and passages of the corpus. What it answers is kept under the request: nothing is paid twice.

        Args:
            corpus_id: the corpus that the texts are checked against.
            reads: "waiting": sentences that wait for a person; "all": those that the checker settles as well, so that a person
                decides where the model disagrees.
            forecast: nothing is asked; :meth:`Examiner.account` tells what would be.
        Raises:
            UsageError: no language model is configured, or it has no key.
            NotFound: no such corpus.
        """
        from coditect.knowledge.cases.comparing import open_role
        from coditect.knowledge.model_roles.agency import EXAMINER
        from coditect.knowledge.model_roles.on_request.examiner import Examiner

        self.store.corpus(corpus_id)
        with open_role(self, corpus_id, EXAMINER, forecast=forecast) as agency:
            if not forecast:
                self._finish_erasures(corpus_id, silent)
            yield Examiner(agency, reads)

    def unweighed_model(self) -> str:
        """The id of the configured embedder where the checker has no weights for it, and compares words alone; "" elsewhere."""
        from coditect.verify.support.meaning import meaning_from

        embedder = self.models.ranking()
        return embedder.card.model_id if embedder is not None and meaning_from(self.models)() is None else ""

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
        from coditect.verify.support.meaning import meaning_from

        return replay(self.view(corpus_id, as_of), meaning=meaning_from(self.models), progress=progress)

    def replay_report(self, report: TextReport, *, progress: Progress = silent) -> ReplayReport:
        """Give every verdict of a kept report again, and say which come out differently.

        The checker is asked again; a language model is not: what it answered is looked up.

        Args:
            report: as :meth:`verify` gave it.
            progress: told as sentences are done.
        Raises:
            NotFound: the corpus or the generation is not here.
            UsageError: the report is of a generation that was built otherwise.
        """
        from coditect.knowledge.model_roles.given_again import replay_report
        from coditect.store.answers.requests import AnswerStore
        from coditect.verify.support.meaning import meaning_from

        opened = self._opened(report.corpus_id, report.generation)
        if opened.view.manifest.build_id != report.build_id:
            raise UsageError(
                "the report is of another build than the store has under this generation",
                generation=report.generation,
                build_id=report.build_id,
                hint="Replay it with the store that it was made with.",
            )
        self.note_read(report.corpus_id, "verify", report.generation, words=report.text)
        return replay_report(
            opened.view,
            report,
            self._finder(opened),
            AnswerStore(self.store, report.corpus_id).find,
            entailment=self.models.entailment() if self.models.entailment else None,
            meaning=meaning_from(self.models)(),
            progress=progress,
        )
