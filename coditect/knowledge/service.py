"""The use cases behind one synchronous door: what the command line, the async interface and programs call."""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from copy import copy
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO

from pydantic import JsonValue

from coditect.documents.limits import MOST_EXTRACTIONS
from coditect.documents.sandbox.budget import ReadBudget
from coditect.errors import InvalidProof, NotFound, Unwritable, UsageError
from coditect.knowledge.pages.desk import WIDTH_PX, PageDesk
from coditect.knowledge.progress import Clock, Progress, Stopwatch, silent, utc_now
from coditect.knowledge.query.drilldown import chain, drill_down
from coditect.knowledge.query.opened import Opened
from coditect.knowledge.query.search import run_query
from coditect.models.port import ModelSources
from coditect.retrieve.port import Searcher
from coditect.retrieve.recent import Recent
from coditect.schemas import (
    AuditEntry,
    BuildSettings,
    CalibrationReport,
    CalibrationState,
    CalibrationSwitch,
    CorpusChanges,
    CorpusStatus,
    Decision,
    DecisionStatus,
    DocumentVersion,
    FeedEntry,
    Granularity,
    HoldRelease,
    IndexStatus,
    LegalHold,
    LogEventKind,
    LogHead,
    PageRectangles,
    PassageSettings,
    PendingReview,
    PersonSignature,
    QueryResult,
    RegisterRow,
    RelevanceMark,
    ReplayReport,
    Review,
    SearchFilters,
    SearchOptions,
    SignerKey,
    Source,
    SweepReport,
    TextReport,
    ValidationReport,
    sha256_hex,
)
from coditect.store.intake.erasures import pending_erasures
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.transparency.events import Acting
from coditect.transparency.salts import Salts, random_salt

if TYPE_CHECKING:
    from coditect.integrity.signing.registry import PersonSigner
    from coditect.knowledge.archive.export import ExportReport
    from coditect.knowledge.archive.importing import ImportReport
    from coditect.knowledge.building.publication import Validator
    from coditect.knowledge.building.recomputation import RecomputationForecast
    from coditect.knowledge.derivation.executors import Executor
    from coditect.knowledge.derivation.report import BuildReport
    from coditect.knowledge.erasure.desk import ErasureDesk, ErasureEntry
    from coditect.knowledge.erasure.execution import ErasureOutcome
    from coditect.knowledge.erasure.outlook import RemovalOutlook
    from coditect.knowledge.erasure.request import ErasureForecast
    from coditect.knowledge.erasure.retention import RetentionForecast
    from coditect.knowledge.ingest.intake import IngestReport
    from coditect.knowledge.model_roles.agency import Agency, OpenAgency
    from coditect.knowledge.report.audit.accesses import AccessLog
    from coditect.knowledge.report.audit.trail import AuditFilters
    from coditect.knowledge.report.bundles.collection import BundleReport, BundleSubject
    from coditect.knowledge.report.registers.selection import RegisterFilters
    from coditect.reports.model import AuditReport
    from coditect.transparency.custody.memory import CheckpointMemory
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
        log_memory: outside of the store, what that key signed last; None: an older copy of the store is not noticed here.
        principal: who runs this, for the audit trail, where it stands under a pseudonym; reads are logged only of a principal.
        answered_with: settings that answers depend on and no build covers, for the log of reads.
        salts: gives the salts of records whose words could be guessed from their hash in the log.
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
        log_memory: CheckpointMemory | None = None,
        principal: str = "",
        answered_with: Mapping[str, str] = MappingProxyType({}),
        salts: Salts = random_salt,
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
        self.log_memory = log_memory
        self.principal = " ".join(principal.split())
        self.salts = salts
        store.acting = Acting(salts=salts)
        self._answered_with = answered_with
        self._reads: AccessLog | None = None
        if self.principal:
            from coditect.knowledge.report.audit.accesses import AccessLog

            self._reads = AccessLog(store, clock, answered_with, self._act)
        self.document_extractions = document_extractions
        self.models = models
        self.passages = passages
        self.return_level = return_level
        self.open_executor = open_executor
        self.open_agency = open_agency
        self.erasure_list = erasure_list
        self.searched_places = searched_places
        self._views: Recent[tuple[str, int], Opened] = Recent(OPEN_VIEWS)
        self.page_desk = PageDesk(read_budget)

    def on_behalf_of(self, principal: str) -> Knowledge:
        """The same knowledge for somebody else: what it reads and changes stands under that name in the audit trail.

        Store, search replicas and open generations are shared; whoever is done with it calls :meth:`flush_reads`.

        Args:
            principal: the person or service; empty: nobody is named, and reads are not logged.
        """
        from coditect.knowledge.report.audit.accesses import AccessLog

        other = copy(self)
        other.store = copy(self.store)
        other.store.acting = Acting(salts=self.salts)
        other.principal = " ".join(principal.split())
        other._reads = None
        if other.principal:
            other._reads = AccessLog(other.store, other.clock, self._answered_with, other._act)
        return other

    def _forget(self, corpus_id: str) -> Sequence[str]:
        """Let go of every copy of a corpus: generations that are open here, and search replicas."""
        self._views = Recent(OPEN_VIEWS)
        self.page_desk.forget()
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
        self.flush_reads()
        log, signer = self._log(), self.log_signer
        if signer is None:
            log.sequence()
            return None
        if log.is_new_key(signer.key):
            from coditect.transparency.events import append_event, event_of

            event = event_of("log key", "", at=self.clock(), by=self.store.acting.by, key=str(signer.key))
            self.store.update(lambda transaction: append_event(transaction, self.store.keys, event))
        return log.checkpoint(signer, self.log_memory)

    def acting(self) -> None:
        """Learn under which pseudonym the log has who runs this; for callers that write records by themselves."""
        self._act()

    def _act(self) -> None:
        """Learn the pseudonym of who runs this, once; whatever changes something begins with this."""
        if self.principal and not self.store.acting.by:
            from coditect.transparency.events import principal_named

            fresh = self.salts()
            by = self.store.update(lambda t: principal_named(t, self.store.keys, self.principal, fresh))
            self.store.acting = Acting(by, self.salts)

    def _log_act(self, kind: LogEventKind, corpus_id: str, **details: JsonValue) -> None:
        """Log what no other record tells of, and end as every change does."""
        from coditect.schemas import LogAct
        from coditect.transparency.events import append_act

        self._act()
        act = LogAct(kind=kind, corpus_id=corpus_id, at=self.clock(), details=details, salt=self.salts())
        self.store.update(lambda transaction: append_act(transaction, self.store.keys, act, self.store.acting.by))
        self.checkpoint()

    def note_read(
        self, corpus_id: str, what: str, generation: int, items: Sequence[str] = (), words: str | None = None
    ) -> None:
        """Say that something was read: logged with others where a principal is configured, at the latest by :meth:`flush_reads`.

        Args:
            corpus_id: of the corpus.
            what: the use case: "query", "document".
            generation: that answered.
            items: ids of what was shown.
            words: the question, of which a salted hash is kept; None: there was none.
        """
        if self._reads is not None:
            self._reads.note(corpus_id, what, generation, items, words)

    def flush_reads(self) -> None:
        """Log the reads that are kept in memory; whoever is done with this calls it, as :func:`coditect.open_knowledge` does."""
        if self._reads is not None:
            self._reads.flush()

    def note_compaction(self, before_bytes: int, after_bytes: int) -> None:
        """Log that the file of the store was compacted.

        Args:
            before_bytes: its size before, all tenants together.
            after_bytes: its size after.
        """
        if self.store.header is not None:
            self._log_act("compaction", "", before={"size_bytes": before_bytes}, after={"size_bytes": after_bytes})

    def audit(
        self, filters: AuditFilters | None = None, *, first: int = 0, last: int | None = None
    ) -> Iterator[AuditEntry]:
        """The audit trail: who did what, when, what was before and is after, and why; of the log, with the records that are there.

        Args:
            filters: which entries; None: all.
            first: index of the first; the index of an entry and one more asks for what is behind it.
            last: index behind the last; None: to the end.
        """
        from coditect.knowledge.report.audit.trail import audit_trail

        self.flush_reads()
        self._log().sequence()
        return audit_trail(self.store, filters, first, last)

    def register_key(
        self, signer: Signer, *, person: str, role: str, replaces: str = "", former: Signer | None = None
    ) -> SignerKey:
        """Enter a person's key in the register. See :func:`coditect.integrity.signing.registry.register_key`."""
        from coditect.integrity.signing.registry import register_key

        self._act()
        made = register_key(
            self.store, signer, person=person, role=role, at=self.clock(), replaces=replaces, former=former
        )
        self.checkpoint()
        return made

    def revoke_key(self, key: str, *, reason: str, at: str | None = None) -> SignerKey:
        """Say that a person's key does not hold any more. See :func:`coditect.integrity.signing.registry.revoke_key`.

        Args:
            key: the public key, or its name.
            reason: why.
            at: from when on, RFC 3339, UTC; None: now.
        """
        from coditect.integrity.signing.registry import revoke_key

        self._act()
        revoked = revoke_key(self.store, key, reason=reason, at=at or self.clock())
        self.checkpoint()
        return revoked

    def registered_keys(self) -> list[SignerKey]:
        """Everything that became of the tenant's persons' keys, by time."""
        from coditect.integrity.signing.registry import registered_keys

        return registered_keys(self.store)

    def sign(
        self, corpus_id: str, item_id: str, signer: Signer, *, meaning: str, as_of: int | None = None
    ) -> PersonSignature:
        """Sign an item with its whole chain of evidence. See :func:`coditect.integrity.signing.items.sign_item`.

        Args:
            corpus_id: the corpus.
            item_id: of a claim, an extraction, a section, a chunk or a passage.
            signer: the key of who signs, registered.
            meaning: of the signature.
            as_of: the generation; None is the current one.
        """
        from coditect.integrity.signing.items import sign_item
        from coditect.integrity.signing.registry import person_signer

        self._act()
        at, view = self.clock(), self.view(corpus_id, as_of)
        evidence = self.chain(item_id, corpus_id=corpus_id, as_of=view.generation)
        signature = sign_item(self.store, view, evidence, person_signer(self.store, signer, at), meaning=meaning, at=at)
        self.checkpoint()
        return signature

    def sign_report(
        self, corpus_id: str, report: bytes, signer: Signer, *, meaning: str, as_of: int | None = None
    ) -> PersonSignature:
        """Sign a report's file and the build that it is of. See :func:`coditect.integrity.signing.items.sign_report`.

        Args:
            corpus_id: the corpus.
            report: the bytes of the file.
            signer: the key of who signs, registered.
            meaning: of the signature.
            as_of: the generation of the report; None is the current one.
        """
        from coditect.integrity.signing.items import sign_report
        from coditect.integrity.signing.registry import person_signer

        self._act()
        at, view = self.clock(), self.view(corpus_id, as_of)
        person = person_signer(self.store, signer, at)
        signature = sign_report(self.store, view, sha256_hex(report), person, meaning=meaning, at=at)
        self.checkpoint()
        return signature

    def signatures(self, corpus_id: str) -> list[tuple[PersonSignature, tuple[str, ...]]]:
        """Every signature of a corpus by time, with what is wrong with each; nothing is, where it is valid."""
        from coditect.integrity.signing.checking import SignatureCheck

        self.store.corpus(corpus_id)
        check = SignatureCheck(self.store, corpus_id)
        found = (each for _, each in self.store.scan("signatures", PersonSignature, corpus_id))
        by_time = sorted(found, key=lambda each: (each.at, each.signature_id))
        return [(each, tuple(check.signature(each))) for each in by_time]

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

    def log_witness(self, url: str, key: str, last_size: int = 0) -> str:
        """Have a witness cosign the newest checkpoint, and keep its cosignature with it: C2SP tlog-witness.

        Args:
            url: the witness' submission prefix.
            key: the witness' verifier key.
            last_size: of the last checkpoint that it cosigned, as far as is known; it says so where it is another.
        Returns:
            The checkpoint with all of its signatures.
        Raises:
            NotFound: nothing was signed yet.
            InvalidProof: the witness saw another history, or does not answer with its cosignature.
            UsageError: it does not know the log; or not a key or URL.
            Unreachable: it does not answer.
        """
        from coditect.transparency.checkpoints import Checkpoint
        from coditect.transparency.notes import VerifierKey
        from coditect.transparency.witness.client import cosigned

        log = self._log()
        note = cosigned(self._signed_checkpoint(), log.consistency, url, VerifierKey.parse(key), last_size=last_size)
        log.add_signatures(Checkpoint.parse(note.text).size, note)
        return self._signed_checkpoint()

    def log_timestamp(self, url: str, authority: bytes) -> str:
        """Have an authority stamp the newest checkpoint with the time, and keep that: RFC 3161.

        Args:
            url: of the authority.
            authority: its certificates in PEM: roots, and what stands between.
        Returns:
            The time, RFC 3339.
        Raises:
            NotFound: nothing was signed yet.
            InvalidProof: the answer is no time stamp on it.
            UsageError: the extra ``timestamp`` is not installed; or not a URL or certificates.
            Unreachable: it does not answer.
        """
        from coditect.transparency.checkpoints import Checkpoint
        from coditect.transparency.notes import Note
        from coditect.transparency.timestamps import request_timestamp

        text = Note.parse(self._signed_checkpoint().encode()).text
        token, time = request_timestamp(text.encode(), url, authority)
        self._log().add_timestamp(Checkpoint.parse(text).size, token)
        return time.isoformat()

    def _signed_checkpoint(self) -> str:
        """The newest checkpoint, of what the log is now where a key is configured."""
        note = self.checkpoint() or self._log().last_checkpoint()
        if note is None:
            raise NotFound("the log has no signed checkpoint", hint="Run 'coditect log checkpoint' with the log's key.")
        return note

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

        self._act()
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

        self._act()
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
        opened = self._opened(corpus_id, as_of)
        result = run_query(
            opened,
            self.searcher,
            query,
            tier=tier,
            include_sources=include_sources,
            limit=limit,
            options=options,
        )
        if self._reads is not None:
            self.note_read(corpus_id, "query", opened.view.generation, [hit.item.item_id for hit in result.hits], query)
        return result

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

        view = self.view(corpus_id, as_of)
        self.note_read(corpus_id, "register", view.generation)
        return register_rows(view, filters or RegisterFilters(), today or self.clock()[:10])

    def changes(
        self,
        corpus_id: str,
        *,
        before: int | str | None = None,
        after: int | str | None = None,
        documents: Sequence[str] = (),
        today: str | None = None,
    ) -> CorpusChanges:
        """What differs between two states of a corpus, provision by provision, and what rests on it.

        Args:
            corpus_id: of the corpus.
            before: a generation, or a day, ISO 8601: the generation that was current at its end; None: the one before ``after``.
            after: the same; None: the current one.
            documents: names, or patterns with ``*``, that restrict it.
            today: the day on which decisions are in force, ISO 8601; None is that of the clock.
        Raises:
            NotFound: no such corpus, generation or document, or none before that day.
            UsageError: neither a generation nor a day; or nothing lies between the two.
        """
        from coditect.knowledge.report.changes.report import corpus_changes
        from coditect.knowledge.report.changes.states import generation_of

        last = generation_of(self.store, corpus_id, after)
        first = generation_of(self.store, corpus_id, before if before is not None else last - 1)
        views = self.view(corpus_id, first), self.view(corpus_id, last)
        return corpus_changes(*views, documents=documents, today=today or self.clock()[:10])

    def changes_between(
        self, corpus_id: str, old: str, new: str, *, as_of: int | None = None, today: str | None = None
    ) -> CorpusChanges:
        """What differs between two documents of one generation, such as two editions of a framework, and what rests on it.

        Args:
            corpus_id: of the corpus.
            old: name of the earlier edition.
            new: name of the later one.
            as_of: the generation; None is the current one.
            today: the day on which decisions are in force, ISO 8601; None is that of the clock.
        Raises:
            NotFound: no such corpus, generation or document.
        """
        from coditect.knowledge.report.changes.report import changes_between_documents

        return changes_between_documents(self.view(corpus_id, as_of), old, new, today=today or self.clock()[:10])

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
        self._note_item(item_id, corpus_id, as_of)
        return drill_down(self.store, item_id, corpus_id=corpus_id, as_of=as_of)

    def _note_item(self, item_id: str, corpus_id: str | None, as_of: int | None) -> None:
        """Keep the read of an item, whose corpus its id tells."""
        if self._reads is not None:
            from coditect.store.view import locate

            found = corpus_id or next((corpus for corpus, _ in locate(self.store, item_id)), "")
            self.note_read(found, "drill down", as_of or 0, [item_id])

    def chain(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> Source:
        """An item with its whole chain of evidence, down to characters, page and file hash. As :meth:`drill_down` otherwise."""
        self._note_item(item_id, corpus_id, as_of)
        return chain(self.store, item_id, corpus_id=corpus_id, as_of=as_of)

    def rectangles(
        self, corpus_id: str, document: str, start: int, end: int, *, as_of: int | None = None
    ) -> list[PageRectangles]:
        """Where some words stand on the pages of a document, in points; whole words, a rectangle for each line or cell of a table.

        Args:
            corpus_id: the corpus.
            document: id of the document, or of its version.
            start: first code point of its canonical text.
            end: one past the last.
            as_of: a generation; None is the current one.
        Returns:
            A page after the other; [] where the format has no pages, or where its words were not placed when it was read and
            the file does not give the same text again.

        Raises:
            NotFound: no such corpus, generation or document.
            UsageError: its text has no such span.
        """
        return self.page_desk.rectangles(self.store, self._shown_document(corpus_id, document, as_of), start, end)

    def page_image(
        self, corpus_id: str, document: str, page: int, *, width_px: int = WIDTH_PX, as_of: int | None = None
    ) -> bytes:
        """A page of a PDF as it looks: PNG, the same bytes each time, drawn in a process of its own.

        Args:
            corpus_id: the corpus.
            document: id of the document, or of its version.
            page: 1-based physical page.
            width_px: of the picture, 200 to 2,400; a page of very odd proportions is drawn smaller.
            as_of: a generation; None is the current one.

        Raises:
            NotFound: no such corpus, generation, document or page.
            UsageError: the document is no PDF.
            ReadError: the page cannot be drawn within the budget of reading.
        """
        version = self._shown_document(corpus_id, document, as_of)
        return self.page_desk.picture(self.store, version, page, width_px)

    def _shown_document(self, corpus_id: str, document: str, as_of: int | None) -> DocumentVersion:
        """A document of a generation, and the note that it was read."""
        view = self.view(corpus_id, as_of)
        found = next((v for v in view.documents.values() if document in (v.document_id, v.version_id)), None)
        if found is None:
            raise NotFound("unknown document", document_id=document, corpus_id=corpus_id)
        self.note_read(corpus_id, "document", view.generation, [found.version_id])
        return found

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

        report = validate(
            self.store,
            corpus_id,
            citations=citations,
            synthesis_ratios=synthesis_ratios,
            as_of=as_of,
            progress=progress,
        )
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
        self.note_read(
            corpus_id, "verify", opened.view.generation, words=text if isinstance(text, str) else sha256_hex(text)
        )
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
        signer: Signer | None = None,
        shown_sha256: str | None = None,
    ) -> Review:
        """Decide of a claim or an extraction of the current generation; the next build heeds it.

        Where the corpus' manifest asks for signatures, it is in force only when as many persons have signed it.

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
            signer: the registered key of who decides; None: the decision is unsigned.
            shown_sha256: SHA-256 of the text that the person was shown (:meth:`shown`); None: not said.
        Returns:
            The review; the one in force where it says the same of the same by the same person.
        Raises:
            NotFound: no such item in this generation.
            UsageError: the decision cannot be made of this item, a correction does not hold, a field is empty, the key is not
                that of who decides, or what was shown is not what is signed.
        """
        from coditect.knowledge.review.sign_off import sign

        self._act()
        at = self.clock()
        person = None if signer is None else self._person(signer, by, at)
        review = sign(
            self.store,
            self.view(corpus_id),
            item_id,
            decision=decision,
            by=by or (person.life.person if person else ""),
            meaning=meaning,
            at=at,
            changes=changes,
            until=until,
            signer=person,
            shown_sha256=shown_sha256,
        )
        self.checkpoint()
        return review

    def _person(self, signer: Signer, by: str, at: str) -> PersonSigner:
        from coditect.errors import UsageError
        from coditect.integrity.signing.registry import person_signer

        person = person_signer(self.store, signer, at)
        if by and " ".join(by.split()) != person.life.person:
            raise UsageError("the key is another person's", by=by, person=person.life.person)
        return person

    def shown(
        self,
        corpus_id: str,
        item_id: str,
        *,
        decision: Decision,
        by: str,
        meaning: str,
        changes: Mapping[str, JsonValue] | None = None,
        until: str | None = None,
    ) -> str:
        """The text that a signature under such a decision would be bound to; nothing is stored. Arguments as :meth:`review`."""
        from coditect.knowledge.review.sign_off import drafted
        from coditect.transparency.persons.shown import shown_review

        said = {"decision": decision, "by": by, "meaning": meaning, "changes": changes, "until": until}
        review, _ = drafted(self.store, self.view(corpus_id), item_id, at=self.clock(), **said)  # type: ignore[arg-type]
        return shown_review(review)

    def shown_review(self, corpus_id: str, review_id: str) -> str:
        """The text that a signature under a stored decision is bound to.

        Raises:
            NotFound: no such decision.
        """
        from coditect.transparency.persons.shown import shown_review

        return shown_review(self._review(corpus_id, review_id))

    def waits_for(self, review: Review) -> str:
        """What a decision waits for before it can be in force, in words; empty where it waits for nobody."""
        from coditect.integrity.signing.approvals import Approvals

        approvals = Approvals(self.store, review.corpus_id)
        return approvals.said(review) if approvals.missing(review) else ""

    def _review(self, corpus_id: str, review_id: str) -> Review:
        from coditect.errors import NotFound

        review = self.store.get("reviews", Review, corpus_id, review_id)
        if review is None:
            raise NotFound("unknown review", review_id=review_id, corpus_id=corpus_id)
        return review

    def approve(
        self, corpus_id: str, review_id: str, signer: Signer, *, meaning: str, shown_sha256: str | None = None
    ) -> Review:
        """Sign another person's decision. See :func:`coditect.knowledge.review.sign_off.approve`.

        Args:
            corpus_id: the corpus.
            review_id: of the decision.
            signer: the registered key of who signs.
            meaning: of the signature.
            shown_sha256: SHA-256 of the text that the person was shown; None: not said.
        Raises:
            NotFound: no such decision.
            UsageError: the key does not hold, or what was shown is not what is signed.
        """
        from coditect.knowledge.review.sign_off import approve

        self._act()
        at, review = self.clock(), self._review(corpus_id, review_id)
        person = self._person(signer, "", at)
        approve(self.store, review, person, meaning=meaning, at=at, shown_sha256=shown_sha256)
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

        self._act()
        made = mark(self.store, self.view(corpus_id), query, item_id, relevant=relevant, by=by, at=self.clock())
        self.checkpoint()
        return made

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

        self._act()
        made = switch(self.store, corpus_id, calibration_id, by=by, meaning=meaning, at=self.clock())
        self.checkpoint()
        return made

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
        from coditect.knowledge.report.proof import report_proof

        view = self.view(corpus_id, as_of)
        self.note_read(corpus_id, "report", view.generation)
        report = collect_report(self.store, view, generated_at=self.clock(), validation=validation, today=today)
        key = None if self.log_signer is None else self.log_signer.key
        proven = report.model_copy(update={"proof": report_proof(view, self._log(), key)})
        with suppress(
            Unwritable, InvalidProof
        ):  # a store that is only read, or put back: a report is made of it all the same
            self._log_report(view, "report")
        return proven

    def prove(
        self,
        corpus_id: str,
        subject: BundleSubject,
        item: str,
        file: BinaryIO,
        *,
        as_of: int | None = None,
        sources: bool = True,
        kept: bytes | None = None,
    ) -> BundleReport:
        """Write an evidence bundle: what a third party needs to check something without this program, by ``coditect-verify``.

        Args:
            corpus_id: the corpus.
            subject: of what: a claim, a section, a document, or the report, which is all claims and sections.
            item: id of the claim or section, name or id of the document; of the report nothing.
            file: open for writing bytes.
            as_of: the generation; None is the current one.
            sources: put the bytes of the cited files in; their texts are there in any case.
            kept: a signed checkpoint that somebody keeps: the proof that the log continues it goes in.
        Returns:
            What went in.
        Raises:
            NotFound: no such item, or no signed checkpoint of the log holds the generation.
            UsageError: release 0.1.0 built the generation.
            InvalidProof: the log does not continue the checkpoint that was kept.
        """
        from coditect.knowledge.report.bundles.collection import write_bundle
        from coditect.knowledge.report.bundles.logged import SignedLog
        from coditect.transparency.checkpoints import Checkpoint
        from coditect.transparency.notes import Note

        view = self.view(corpus_id, as_of)
        self.checkpoint()
        known = None if kept is None else Checkpoint.parse(Note.parse(kept).text)
        written = write_bundle(view, SignedLog(self._log()), subject, item, file, sources=sources, kept=known)
        self._log_report(view, "evidence bundle")
        return written

    def _log_report(self, view: View, what: str) -> None:
        """Log that something was made that leaves the store and names a build: retention lets that build stay."""
        self._log_act("report", view.corpus_id, what=what, generation=view.generation, build_id=view.manifest.build_id)

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

        report = export_corpus(self.store, corpus_id, file, progress=progress)
        self._log_act(
            "export",
            corpus_id,
            generation=report.generation,
            build_id=report.build_id,
            corpus_digest=report.corpus_digest,
            size_bytes=report.size_bytes,
        )
        return report

    def import_archive(self, file: BinaryIO, *, proven: bool = False, progress: Progress = silent) -> ImportReport:
        """Read an archive into the store; the corpus appears whole or not at all.

        Args:
            file: a seekable file of bytes, at the beginning of what :meth:`export` wrote, from any engine and for any tenant.
            proven: the caller has read it to its end with ``open_archive``, and nobody has written to it since.
            progress: told as rows are checked, written and read back.
        Raises:
            UsageError: not an archive, or another corpus stands under its id.
            Conflict: somebody else wrote this corpus meanwhile; nothing is visible.
            Corrupt: the archive is not what was written, or what was written to the store cannot be read back.
        """
        from coditect.knowledge.archive.format import Archive, open_archive
        from coditect.knowledge.archive.importing import import_archive

        def told(done: int, total: int) -> None:
            progress("checking the archive", done, total)

        archive = Archive(file) if proven else open_archive(file, told)
        self._act()
        listed = erasure_desk(self).listed()
        report = import_archive(self.store, archive, at=self.clock(), progress=progress, erasures=listed)
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

        for corpus in self.store.corpora() if apply else ():
            if corpus_id in (None, corpus.corpus_id):
                self._finish_erasures(corpus.corpus_id, progress)
        report = sweep(self.store, corpus_id, apply=apply, progress=progress)
        for each in report.corpora:
            if each.removed:
                removed: dict[str, JsonValue] = {
                    table: count.model_dump(mode="json") for table, count in each.removed.items()
                }
                self._log_act("sweep", each.corpus_id, removed=removed)
        return report

    def forecast_erasure(self, corpus_id: str, documents: Sequence[str], *, reason: str, by: str) -> ErasureForecast:
        """What an erasure would take; nothing is written. Raises as :meth:`erase`."""
        return erasure_desk(self).forecast(corpus_id, documents, reason=reason, by=by)

    def erase(
        self, corpus_id: str, documents: Sequence[str], *, reason: str, by: str, progress: Progress = silent
    ) -> ErasureOutcome:
        """Erase documents, every version of each, and all that holds their words. See ADR 54.

        Args:
            corpus_id: the corpus.
            documents: by id or whole name.
            reason: why; it stands in the certificate.
            by: who asks.
            progress: told as rows are read.
        Returns:
            What became of it: done, with its certificate; or why it waits, and for whom.
        Raises:
            NotFound: no such corpus or document.
            UsageError: the same bytes stand under another name, too.
        """
        self._act()
        return erasure_desk(self).erase(corpus_id, documents, reason=reason, by=by, progress=progress)

    def finish_erasures(self, corpus_id: str | None = None, *, progress: Progress = silent) -> list[ErasureOutcome]:
        """Carry out what was asked to be erased and is not done: after a kill, say. Whatever writes to a corpus does so first.

        Args:
            corpus_id: the corpus; None is all of them.
            progress: told as rows are read.
        """
        self._act()
        return erasure_desk(self).finish(corpus_id, progress=progress)

    def erasures(self, corpus_id: str | None = None) -> list[ErasureEntry]:
        """Every erasure of one corpus, or of all, with its certificate where it is done; oldest first."""
        return erasure_desk(self).entries(corpus_id)

    def hold(self, corpus_id: str, documents: Sequence[str] = (), *, matter: str, reason: str, by: str) -> LegalHold:
        """Order that documents be kept until :meth:`release`; meanwhile the corpus is not swept, and erasures of them wait.

        Args:
            corpus_id: the corpus.
            documents: by id or whole name; none: all of the corpus.
            matter: the case that it serves.
            reason: why.
            by: who orders it.
        Raises:
            NotFound: no such corpus or document.
            Conflict: one of them is being erased.
        """
        self._act()
        return erasure_desk(self).hold(corpus_id, documents, matter=matter, reason=reason, by=by)

    def release(
        self, corpus_id: str, hold_id: str, *, reason: str, by: str, progress: Progress = silent
    ) -> tuple[HoldRelease, list[ErasureOutcome]]:
        """End a hold, and carry out the erasures that were asked for meanwhile.

        Args:
            corpus_id: the corpus.
            hold_id: of the hold.
            reason: why.
            by: who ends it.
            progress: told as rows are read.
        Raises:
            NotFound: no such hold is in force.
        """
        self._act()
        return erasure_desk(self).release(corpus_id, hold_id, reason=reason, by=by, progress=progress)

    def holds(self, corpus_id: str | None = None) -> list[LegalHold]:
        """The legal holds that are in force, of one corpus or of all."""
        return erasure_desk(self).holds(corpus_id)

    def forecast_retention(
        self, corpus_id: str, *, age: str | None = None, count: int | None = None
    ) -> RetentionForecast:
        """Which generations a policy would let go, and why others stay; nothing is written. Raises as :meth:`retain`."""
        return erasure_desk(self).retention(corpus_id, age=age, count=count)

    def removal_outlook(self, corpus_id: str) -> RemovalOutlook:
        """What goes next from a corpus, by erasures that wait and by the retention policy applied last, and what is on hold.

        Args:
            corpus_id: the corpus.
        Raises:
            NotFound: no such corpus.
        """
        from coditect.knowledge.erasure.outlook import removal_outlook

        return removal_outlook(self.store, corpus_id, now=self.clock())

    def retain(
        self, corpus_id: str, *, age: str | None = None, count: int | None = None, progress: Progress = silent
    ) -> tuple[int, SweepReport]:
        """Let old generations go, and remove what only they reached.

        Never the current generation goes, nor one that a person signed, that holds what a person signed, or of which a report or
        an evidence bundle was made; nor any while a hold is in force.

        Args:
            corpus_id: the corpus.
            age: keep what is not older: '90d', '12m', '7y'.
            count: keep the newest so many.
            progress: told as rows are read.
        Returns:
            (generations that went, what the sweep removed)
        Raises:
            NotFound: no such corpus.
            UsageError: no policy, or not an age.
        """
        self._act()
        return erasure_desk(self).retain(corpus_id, age=age, count=count, progress=progress)

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

        built = build_index(self.store, name, self.clock, progress=progress)
        if built:
            self._log_act("index", "", index=name, change="built")
        return built

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

        cleared = drop_index(self.store, name, progress=progress)
        self._log_act("index", "", index=name, change="dropped", rows=cleared)
        return cleared

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
