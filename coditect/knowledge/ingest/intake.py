"""Taking files in: bytes kept, text read, a new version stored where something changed. One bad file costs one file."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from coditect.documents.readers import ReadLimits
from coditect.documents.sandbox.budget import ReadBudget
from coditect.errors import CoditectError, OverQuota, ReadError, SchemaError, UsageError
from coditect.integrity.signing.policies import set_policy
from coditect.knowledge.ingest.files import FoundFile, find_files, read_bytes
from coditect.knowledge.ingest.manifest import (
    MANIFEST_NAME,
    ManifestReading,
    declared_for,
    read_manifest,
    unmatched,
)
from coditect.knowledge.ingest.quotas.usage import Allowance, size_of
from coditect.knowledge.ingest.reading import FileRead, ReadTask, read_files
from coditect.knowledge.ingest.report import FileOutcome, FileStatus, IngestReport
from coditect.knowledge.labour.failures import failure_of
from coditect.knowledge.labour.workers import available_cores
from coditect.knowledge.progress import Clock, Progress, Stopwatch, silent, utc_now
from coditect.schemas import Erasure, Failure, FeedEvent, Intake, sha256_hex
from coditect.schemas.quota import NO_QUOTA, Quota
from coditect.store.generations import append_feed, create_corpus
from coditect.store.intake.documents import IntakeWriter, clear_failure, put_failure
from coditect.store.intake.erasures import erasure_of_file
from coditect.store.store import Store
from coditect.store.work import REGISTRAR, Registrar, registered
from coditect.telemetry import Logger

__all__ = ["FileOutcome", "FileStatus", "IngestReport", "ingest"]

log = Logger(__name__)

DEFAULT_BUDGET = ReadBudget()

PARALLEL_FROM_BYTES = 4_000_000
"""Files that are smaller than this together are read by one process, the light ones among them by this one."""


def ingest(
    store: Store,
    corpus_id: str,
    paths: Sequence[Path],
    *,
    name: str = "",
    sync: bool = False,
    clock: Clock = utc_now,
    progress: Progress = silent,
    jobs: int | None = None,
    registrar: Registrar = REGISTRAR,
    budget: ReadBudget = DEFAULT_BUDGET,
    follow_links: bool = False,
    manifest: Path | None = None,
    quota: Quota = NO_QUOTA,
) -> IngestReport:
    """Take files into a corpus; the next build makes them visible.

    Args:
        store: the tenant's store.
        corpus_id: the corpus, made if it is not there.
        paths: files and folders; a document's name is its path relative to the folder given.
        name: what people call a new corpus.
        sync: withdraw documents that are not among the files.
        clock: gives the time of the corpus record and of the feed's event.
        progress: told after each file.
        jobs: how many processes read; None for one on each core where that pays.
        registrar: registers the ingest, so that no sweep takes what it has written before the intake names it.
        budget: what the reading of one file may take; a file that needs more is a failure.
        follow_links: also read what symbolic links name outside of the folder that was given; else such a link is a failure.
        manifest: what each document is, whom it binds and since when; None: the ``corpus.yaml`` at the root of a folder given.
        quota: what the tenant was granted: a file that does not fit any more is a failure, and smaller ones behind it are taken in.
    Raises:
        UsageError: a path does not exist, or not a corpus id.
        Conflict: a sweep took this ingest for dead.
        Unavailable: a process that reads files cannot be started.
    """
    watch = Stopwatch()
    report = IngestReport(corpus_id, seconds=watch.seconds)
    manifests = _manifests(paths, manifest)
    files = find_files(paths, follow_links=follow_links, passed_over=report.passed_over)
    files = [file for file in files if os.path.realpath(file.path) not in manifests]
    at = clock()
    create_corpus(store, corpus_id, name, at)
    with registered(store, corpus_id, "ingest", registrar) as mine:
        own = mine.for_bulk("ingest")
        with watch.stage("scan"):
            state = _CorpusIntake(own, corpus_id, report, at, Allowance.of(own, quota))
            if sync:
                state.expect_withdrawals(files)
            tasks = [task for file in files if (task := state.sort_out(file)) is not None]
        with watch.stage("read and store"):
            _read(state, tasks, jobs, budget, progress)
            if sync:
                state.withdraw_others(files)
            readings = [read_manifest(Path(path), shown) for path, shown in manifests.items() if shown]
            state.describe(readings, files)
            for each in readings:
                if each.approvals is not None:
                    set_policy(own, corpus_id, each.approvals.persons, each.approvals.decisions, at)
            state.name_copies()
        if state.changed:
            _tell(own, report, at)
    report.outcomes.sort(key=lambda outcome: outcome.name)
    _log(report, watch.seconds)
    return report


def _read(
    state: _CorpusIntake, tasks: Sequence[ReadTask], jobs: int | None, budget: ReadBudget, progress: Progress
) -> None:
    """Read files, by more than one process where that pays, and store what was read."""
    size = sum(task.size_bytes for task in tasks)
    wanted = jobs if jobs is not None else (available_cores() if size > PARALLEL_FROM_BYTES else 1)
    for done, read in enumerate(read_files(tasks, jobs=min(wanted, len(tasks) or 1), budget=budget), 1):
        state.take(read)
        progress("reading", done, len(tasks))
    state.writer.flush()


def _tell(store: Store, report: IngestReport, at: str) -> None:
    """Write into the corpus' feed what was taken in and withdrawn."""
    counts = {status: report.count(status) for status in ("added", "updated", "withdrawn")}
    described = report.count("described")
    counts |= {"described": described} if described else {}
    event = FeedEvent(corpus_id=report.corpus_id, event="ingested", at=at, counts=counts)
    store.update(lambda transaction: append_feed(transaction, store, event))


def _log(report: IngestReport, seconds: dict[str, float]) -> None:
    """Log each file that failed, and what came of the whole."""
    corpus_id = report.corpus_id
    for outcome in report.outcomes:
        if outcome.status == "failed":
            log.info(
                "file failed", corpus_id=corpus_id, name=outcome.name, error=outcome.error, message=outcome.message
            )
    log.info("ingested", corpus_id=corpus_id, files=len(report.outcomes), partial=report.partial, seconds=seconds)


def _manifests(paths: Sequence[Path], given: Path | None) -> dict[str, str]:
    """What problems call each manifest, by where it lies; "" for one that is passed over, because another one was given.

    Raises:
        UsageError: the manifest that was given is not there.
    """
    if given is not None and not os.path.isfile(given):  # noqa: PTH113 - Path.is_file raises
        raise UsageError("no such manifest", path=str(given), hint="Give the YAML file that describes the documents.")
    found = [path / MANIFEST_NAME for path in paths if os.path.isfile(path / MANIFEST_NAME)]  # noqa: PTH113 - likewise
    if given is None:
        return {os.path.realpath(path): MANIFEST_NAME if len(found) == 1 else str(path) for path in found}
    return {**{os.path.realpath(path): "" for path in found}, os.path.realpath(given): str(given)}


def _is_gone(files: Sequence[FoundFile]) -> Callable[[str], bool]:
    """Whether a document is neither among files nor in a folder that could not be looked into."""
    names = {file.name for file in files}
    hidden = tuple(file.hides for file in files if file.hides is not None)
    return lambda name: name not in names and not name.startswith(hidden)


class _CorpusIntake:
    """The intake of a corpus while files are taken in.

    Every name has an intake of its own, also where several hold the same bytes: which of them the corpus shows is told from
    all of them together (:func:`coditect.store.intake.documents.iter_present`), so that it does not matter which came first, and
    none is lost when another changes.

    Attributes:
        changed: whether the next build may take in something else than the last.
    """

    def __init__(self, store: Store, corpus_id: str, report: IngestReport, at: str, allowance: Allowance) -> None:
        self.store = store
        self.at = at
        self.allowance = allowance
        self.corpus_id = corpus_id
        self.report = report
        self.changed = False
        self.intake = {record.name: record for _, record in store.scan("intake", Intake, corpus_id)}
        self.failures = {r.name: r.raw_sha256 for _, r in store.scan("failures", Failure, corpus_id)}
        self.seen: dict[str, Path] = {}
        self.clashing: set[str] = set()
        self.writer = IntakeWriter(store, corpus_id, at)
        self.erasures = [each for _, each in store.scan("erasures", Erasure, corpus_id)]

    def sort_out(self, file: FoundFile) -> ReadTask | None:
        """The task for a file that must be read; None for one that is unchanged or unreadable."""
        if file.error is not None:
            self.fail(file.name, file.error)
            return None
        if file.name in self.seen:
            self.clashing.add(file.name)
            clash = ReadError(
                "two files have the same name",
                first=str(self.seen[file.name]),
                second=str(file.path),
                hint="Ingest the folder that holds both, so that their names differ.",
            )
            self.fail(file.name, clash)
            return None
        self.seen[file.name] = file.path
        try:
            raw = read_bytes(file.path, ReadLimits().max_file_bytes)
        except ReadError as error:
            self.fail(file.name, error)
            return None
        digest = sha256_hex(raw)
        if (erasure := erasure_of_file(self.erasures, digest)) is not None:
            self.refuse(file.name, erasure)
            return None
        known = self.intake.get(file.name)
        if known is not None and known.status == "present" and known.raw_sha256 == digest:
            self.say(file.name, "unchanged", document_id=known.document_id)
            if self.failures.get(file.name) != digest:  # else a build failed on these very bytes
                self.clear_failure(file.name)
            return None
        try:
            self.allowance.require(len(raw), is_new=self._is_new(file.name))
        except OverQuota as error:  # told before a file is read that would not be kept
            self.fail(file.name, error)
            return None
        return ReadTask(file.name, file.path, self.corpus_id, len(raw))

    def _is_new(self, name: str) -> bool:
        known = self.intake.get(name)
        return known is None or known.status == "withdrawn"

    def take(self, read: FileRead) -> None:
        """Queue what was read for writing, or record its failure."""
        if read.failure is not None or read.version is None:
            unread = Failure(corpus_id=self.corpus_id, name=read.name, error="ReadError", message="not read")
            self.record_failure(read.failure or unread)
            return
        version, known = read.version, self.intake.get(read.name)
        try:
            self.allowance.take(size_of(version), is_new=self._is_new(read.name))
        except OverQuota as error:
            self.fail(read.name, error)
            return
        self.clear_failure(read.name)
        self.intake[read.name] = self.writer.put_version(
            version, read.raw, read.text, read.layout, known.declared if known else None
        )
        self.changed = True
        status: FileStatus = "added" if known is None or known.status == "withdrawn" else "updated"
        self.say(read.name, status, "; ".join(version.warnings), version.document_id)

    def put_intake(self, record: Intake) -> None:
        """Queue another state of an intake record."""
        self.intake[record.name] = record
        self.writer.put(record)

    def expect_withdrawals(self, files: Sequence[FoundFile]) -> None:
        """Make room for new documents in place of those that :meth:`withdraw_others` is going to withdraw."""
        is_gone = _is_gone(files)
        for record in self.intake.values():
            if record.status == "present" and is_gone(record.name):
                self.allowance.give_back()

    def withdraw_others(self, files: Sequence[FoundFile]) -> None:
        """Withdraw present documents that are not among the files, nor in a folder that could not be looked into."""
        is_gone = _is_gone(files)
        for record in list(self.intake.values()):
            if record.status == "present" and is_gone(record.name):
                self.put_intake(record.model_copy(update={"status": "withdrawn"}))
                self.changed = True
                self.say(record.name, "withdrawn", document_id=record.document_id)
        for name in sorted(filter(is_gone, self.failures)):
            clear_failure(self.store, self.corpus_id, name, self.at)
        self.writer.flush()

    def describe(self, manifests: Sequence[ManifestReading], files: Sequence[FoundFile]) -> None:
        """Take in what manifests state of documents; what is wrong with them is an outcome each, and stops nothing else.

        A manifest speaks of the files that it was given with, also where it says nothing of them any more, and of whatever else its
        names and patterns mean.

        Args:
            manifests: as they were read, in order.
            files: those that were given.
        """
        entries = [entry for manifest in manifests for entry in manifest.entries]
        given = (
            {file.name for file in files} if manifests and all(manifest.is_whole for manifest in manifests) else set()
        )
        present = {name for name, record in self.intake.items() if record.status == "present"}
        for name in sorted(present):
            record, declared = self.intake[name], declared_for(entries, name)
            if declared != record.declared and (declared is not None or name in given):
                self.put_intake(record.model_copy(update={"declared": declared}))
                self.changed = True
                self.report.outcomes = [outcome.as_described(name) for outcome in self.report.outcomes]
        self.writer.flush()
        problems = [problem for manifest in manifests for problem in manifest.problems]
        for problem in (*problems, *unmatched(entries, present | {file.name for file in files})):
            self.report.outcomes.append(
                FileOutcome(problem.place, "failed", problem.message, problem.hint, SchemaError.__name__)
            )

    def name_copies(self) -> None:
        """Say of each document under which other names the same bytes were given, and of those names that they are copies."""
        names: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self.intake):
            if self.intake[name].status == "present":
                names[self.intake[name].raw_sha256].append(name)
        first_of: dict[str, str] = {}
        for record in list(self.intake.values()):
            first, *others = names[record.raw_sha256] if record.status == "present" else [record.name]
            first_of[record.name] = first
            aliases = tuple(others) if record.name == first else ()
            if aliases != record.aliases:
                self.put_intake(record.model_copy(update={"aliases": aliases}))
        self.writer.flush()
        self.report.outcomes = [outcome.as_copy(first_of) for outcome in self.report.outcomes]

    def refuse(self, name: str, erasure: Erasure) -> None:
        """A file that was erased is not taken in again, and nothing is stored of it, not even that it was refused."""
        self.report.outcomes.append(
            FileOutcome(
                name,
                "failed",
                f"this very file was erased from the corpus, or is going to be, since {erasure.at} ({erasure.erasure_id})",
                "Keep it in a corpus of its own where it must be held after all, or take in a version without what was erased.",
                "Erased",
            )
        )

    def fail(self, name: str, error: CoditectError) -> None:
        """Record an error as the file's outcome."""
        self.record_failure(failure_of(self.corpus_id, name, error))

    def record_failure(self, failure: Failure) -> None:
        """Store a failure, for the report of the corpus; an earlier version of the document stays."""
        put_failure(self.store, failure, self.at)
        self.failures[failure.name] = failure.raw_sha256
        self.report.outcomes.append(FileOutcome(failure.name, "failed", failure.message, failure.hint, failure.error))

    def clear_failure(self, name: str) -> None:
        """A file that failed before is fine now."""
        if name in self.failures and name not in self.clashing:
            clear_failure(self.store, self.corpus_id, name, self.at)
            del self.failures[name]

    def say(self, name: str, status: FileStatus, message: str = "", document_id: str = "") -> None:
        """Note an outcome."""
        self.report.outcomes.append(FileOutcome(name, status, message, document_id=document_id))
