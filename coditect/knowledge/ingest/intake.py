"""Taking files in: bytes kept, text read, a new version stored where something changed. One bad file costs one file."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import structlog

from coditect.documents.layout import encode_layout
from coditect.documents.readers import ReadLimits, read_source
from coditect.engine.port import Transaction
from coditect.errors import CoditectError, ReadError
from coditect.knowledge.ingest.files import FoundFile, find_files, read_bytes
from coditect.knowledge.progress import Clock, Progress, Stopwatch, silent, utc_now
from coditect.knowledge.workers import SLIPS, available_cores, run_ordered
from coditect.schemas import DocumentVersion, Failure, FeedEvent, Intake, document_id_for, sha256_hex
from coditect.store.blobs import Row, blob_rows, put_rows
from coditect.store.generations import append_feed, create_corpus
from coditect.store.rows import ItemRows, item_rows, seal_record
from coditect.store.store import Store

__all__ = ["FileOutcome", "FileStatus", "IngestReport", "ingest"]

FileStatus = Literal["added", "updated", "unchanged", "duplicate", "failed", "withdrawn"]

# Through the standard library: a program that configures no logging sees nothing of it.
log = structlog.wrap_logger(logging.getLogger(__name__))

PARALLEL_FROM_BYTES = 4_000_000
"""Files that are smaller than this together are read in this process."""

FLUSH_BYTES = 8_000_000
"""Bytes of raw files and texts that wait to be written together."""


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of one file."""

    name: str
    status: FileStatus
    message: str = ""
    hint: str = ""
    error: str = ""
    document_id: str = ""


@dataclass(slots=True)
class IngestReport:
    """What became of all files of an ingest.

    Attributes:
        corpus_id: where they went.
        outcomes: by name.
        seconds: by stage.
    """

    corpus_id: str
    outcomes: list[FileOutcome] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def count(self, *statuses: FileStatus) -> int:
        """Files with one of these statuses."""
        return sum(outcome.status in statuses for outcome in self.outcomes)

    @property
    def partial(self) -> bool:
        """Whether a file was not taken in as a document of its own."""
        return self.count("failed", "duplicate") > 0


@dataclass(frozen=True, slots=True)
class _Task:
    name: str
    path: Path
    corpus_id: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class _Read:
    """A file that was read, or its failure."""

    name: str
    raw: bytes = b""
    version: DocumentVersion | None = None
    text: bytes = b""
    layout: bytes = b""
    failure: Failure | None = None


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
) -> IngestReport:
    """Take files into a corpus; the next build makes them visible.

    Args:
        store: where.
        corpus_id: made if it is not there.
        paths: files and folders; a document's name is its path relative to the folder given.
        name: of a new corpus, for people.
        sync: withdraw documents that are not among the files.
        clock: for the corpus record and the feed.
        progress: told after each file.
        jobs: processes; None for one each core where that pays.
    Raises:
        UsageError: a path does not exist, or not a corpus id.
    """
    watch = Stopwatch()
    report = IngestReport(corpus_id, seconds=watch.seconds)
    files = find_files(paths)
    at = clock()
    create_corpus(store, corpus_id, name, at)
    with watch.stage("scan"):
        state = _State(store, corpus_id, report)
        tasks = [task for file in files if (task := state.sort_out(file)) is not None]
    with watch.stage("read and store"):
        size = sum(task.size_bytes for task in tasks)
        wanted = jobs if jobs is not None else (available_cores() if size > PARALLEL_FROM_BYTES else 1)
        for done, read in enumerate(run_ordered(_read, tasks, jobs=min(wanted, len(tasks) or 1), crashed=_crashed), 1):
            state.take(read)
            progress("reading", done, len(tasks))
        state.flush()
        if sync:
            state.withdraw_others(files)
        state.name_copies()
    if state.changed:
        counts = {status: report.count(status) for status in ("added", "updated", "withdrawn")}
        event = FeedEvent(corpus_id=corpus_id, event="ingested", at=at, counts=counts)
        store.update(lambda transaction: _announce(transaction, store, event))
    report.outcomes.sort(key=lambda outcome: outcome.name)
    for outcome in report.outcomes:
        if outcome.status == "failed":
            log.info(
                "file failed", corpus_id=corpus_id, name=outcome.name, error=outcome.error, message=outcome.message
            )
    log.info("ingested", corpus_id=corpus_id, files=len(report.outcomes), partial=report.partial, seconds=watch.seconds)
    return report


def _announce(transaction: Transaction, store: Store, event: FeedEvent) -> None:
    append_feed(transaction, store, event)


class _State:
    """The intake of a corpus while files are taken in.

    Every name has an intake of its own, also where several hold the same bytes: which of them the corpus shows is told from
    all of them together (:func:`iter_present`), so that it does not matter which came first, and none is lost when another
    changes.

    Attributes:
        changed: whether the next build may take in something else than the last.
    """

    def __init__(self, store: Store, corpus_id: str, report: IngestReport) -> None:
        self.store = store
        self.corpus_id = corpus_id
        self.report = report
        self.changed = False
        self.intake = {record.name: record for _, record in store.scan("intake", Intake, corpus_id)}
        self.failures = {r.name: r.raw_sha256 for _, r in store.scan("failures", Failure, corpus_id)}
        self.seen: dict[str, Path] = {}
        self.clashing: set[str] = set()
        self.items: list[ItemRows] = []
        self.rows: list[Row] = []
        self.size = 0

    def sort_out(self, file: FoundFile) -> _Task | None:
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
        known = self.intake.get(file.name)
        if known is not None and known.status == "present" and known.raw_sha256 == digest:
            self.say(file.name, "unchanged", document_id=known.document_id)
            if self.failures.get(file.name) != digest:  # else a build failed on these very bytes
                self.clear_failure(file.name)
            return None
        return _Task(file.name, file.path, self.corpus_id, len(raw))

    def take(self, read: _Read) -> None:
        """Queue what was read for writing, or its failure."""
        if read.failure is not None or read.version is None:
            failure = read.failure or Failure(
                corpus_id=self.corpus_id, name=read.name, error="ReadError", message="not read"
            )
            self.record_failure(failure)
            return
        version, known = read.version, self.intake.get(read.name)
        self.clear_failure(read.name)
        blobs = [
            row
            for data in (read.raw, read.text, read.layout)
            for row in blob_rows(self.store.keys, self.corpus_id, data)[1]
        ]
        rows = item_rows(self.store.keys, version)
        self.items.append(ItemRows(rows.item_id, rows.record, rows.index, (*blobs, *rows.blobs)))
        intake = Intake(
            corpus_id=self.corpus_id,
            document_id=version.document_id,
            name=version.name,
            version_id=version.version_id,
            raw_sha256=version.raw_sha256,
        )
        self.put_intake(intake)
        self.changed = True
        self.size += len(read.raw) + len(read.text)
        if self.size > FLUSH_BYTES:
            self.flush()
        self.say(
            read.name,
            "added" if known is None or known.status == "withdrawn" else "updated",
            "; ".join(version.warnings),
            version.document_id,
        )

    def put_intake(self, record: Intake) -> None:
        """Queue an intake record behind the items that it points to."""
        self.intake[record.name] = record
        key = self.store.keys.key("intake", self.corpus_id, record.document_id)
        row, blobs = seal_record(self.store.keys, self.corpus_id, key, record.payload())
        self.rows += [*blobs, row]

    def flush(self) -> None:
        """Write what waits: blobs and items first, then the intake that points to them."""
        self.store.put_item_rows(self.items)
        put_rows(self.store.engine, self.rows)
        self.items, self.rows, self.size = [], [], 0

    def withdraw_others(self, files: Sequence[FoundFile]) -> None:
        """Withdraw present documents that are not among the files, nor in a folder that could not be looked into."""
        names = {file.name for file in files}
        hidden = tuple(file.hides for file in files if file.hides is not None)

        def is_gone(name: str) -> bool:
            return name not in names and not name.startswith(hidden)

        for record in list(self.intake.values()):
            if record.status == "present" and is_gone(record.name):
                self.put_intake(record.model_copy(update={"status": "withdrawn"}))
                self.changed = True
                self.say(record.name, "withdrawn", document_id=record.document_id)
        for name in sorted(filter(is_gone, self.failures)):
            self.store.remove("failures", self.corpus_id, name)
        self.flush()

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
        self.flush()
        self.report.outcomes = [_as_copy(outcome, first_of) for outcome in self.report.outcomes]

    def fail(self, name: str, error: CoditectError) -> None:
        """Record an error as the file's outcome."""
        self.record_failure(failure_of(self.corpus_id, name, error))

    def record_failure(self, failure: Failure) -> None:
        """Store a failure, for the report of the corpus; an earlier version of the document stays."""
        self.store.put("failures", failure, self.corpus_id, failure.name)
        self.failures[failure.name] = failure.raw_sha256
        self.report.outcomes.append(FileOutcome(failure.name, "failed", failure.message, failure.hint, failure.error))

    def clear_failure(self, name: str) -> None:
        """A file that failed before is fine now."""
        if name in self.failures and name not in self.clashing:
            self.store.remove("failures", self.corpus_id, name)
            del self.failures[name]

    def say(self, name: str, status: FileStatus, message: str = "", document_id: str = "") -> None:
        """Note an outcome."""
        self.report.outcomes.append(FileOutcome(name, status, message, document_id=document_id))


def _as_copy(outcome: FileOutcome, first_of: Mapping[str, str]) -> FileOutcome:
    """The outcome of a file that was taken in, or, where it is a copy of another, that it is one."""
    first = first_of.get(outcome.name, outcome.name)
    if outcome.status not in ("added", "updated", "unchanged") or first == outcome.name:
        return outcome
    return FileOutcome(
        outcome.name,
        "duplicate",
        f"the same bytes as {first!r}; kept as one document",
        "Remove one of the two, or leave it: answers cite the first name.",
    )


def failure_of(corpus_id: str, name: str, error: CoditectError, raw_sha256: str = "") -> Failure:
    """An error as a record; the name and path that every message would repeat are left out of its variables."""
    shown = {key: value for key, value in error.context.items() if key not in ("name", "path")}
    details = ", ".join(f"{key}={value!r}" for key, value in shown.items())
    message = f"{error.message} ({details})" if details else error.message
    return Failure(
        corpus_id=corpus_id,
        name=name,
        error=type(error).__name__,
        message=message,
        hint=error.hint or "",
        raw_sha256=raw_sha256,
    )


def _read(task: _Task) -> _Read:
    """Read one file; runs in a worker process."""
    digest = ""
    try:
        raw = read_bytes(task.path, ReadLimits().max_file_bytes)
        digest = sha256_hex(raw)
        source = read_source(raw, task.name)
        text, layout = source.text.encode(), encode_layout(source)
    except CoditectError as error:
        return _Read(task.name, failure=failure_of(task.corpus_id, task.name, error, digest))
    except SLIPS as error:  # one file that a reader does not know how to refuse costs one file
        slip = ReadError(
            "the reader failed on this file",
            reason=f"{type(error).__name__}: {str(error)[:200]}",
            hint="Convert it to plain text, and report what it held.",
        )
        return _Read(task.name, failure=failure_of(task.corpus_id, task.name, slip, digest))
    version = DocumentVersion.create(
        corpus_id=task.corpus_id,
        document_id=document_id_for(task.corpus_id, task.name),
        name=task.name,
        title=source.title,
        media_type=source.media_type,
        raw_sha256=digest,
        raw_bytes=len(raw),
        text_sha256=sha256_hex(text),
        text_bytes=len(text),
        text_length=len(source.text),
        layout_sha256=sha256_hex(layout),
        layout_bytes=len(layout),
        page_count=len(source.pages),
        reader=source.reader,
        warnings=source.warnings,
    )
    return _Read(task.name, raw, version, text, layout)


def _crashed(task: _Task) -> _Read:
    error = ReadError("the reader's process died on this file", hint="Repair the file, or convert it to plain text.")
    return _Read(task.name, failure=failure_of(task.corpus_id, task.name, error))


def iter_present(store: Store, corpus_id: str) -> Iterator[Intake]:
    """What the next build takes in, ordered by document id: of several names for the same bytes, the first by name."""
    first: dict[str, Intake] = {}
    for _, record in store.scan("intake", Intake, corpus_id):
        if record.status == "present":
            known = first.get(record.raw_sha256)
            first[record.raw_sha256] = record if known is None or record.name < known.name else known
    yield from sorted(first.values(), key=lambda record: record.document_id)
