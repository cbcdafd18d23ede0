"""Taking files in: bytes kept, text read, a new version stored where something changed. One bad file costs one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from coditect.engine.port import Transaction
from coditect.errors import CoditectError, ReadError
from coditect.knowledge.files import FoundFile, find_files, read_bytes
from coditect.knowledge.progress import Clock, Progress, Stopwatch, silent, utc_now
from coditect.knowledge.workers import available_cores, run_ordered
from coditect.schemas import DocumentVersion, Failure, FeedEvent, Intake, document_id_for, sha256_hex
from coditect.store.blobs import Row, blob_rows, put_rows
from coditect.store.generations import append_feed, create_corpus
from coditect.store.rows import ItemRows, item_rows, seal_record
from coditect.store.store import Store
from coditect.text.layout import encode_layout
from coditect.text.readers import ReadLimits, read_source

__all__ = ["FileOutcome", "FileStatus", "IngestReport", "ingest"]

FileStatus = Literal["added", "updated", "unchanged", "duplicate", "failed", "withdrawn"]

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
        size = sum(task.path.stat().st_size for task in tasks)
        wanted = jobs if jobs is not None else (available_cores() if size > PARALLEL_FROM_BYTES else 1)
        for done, read in enumerate(run_ordered(_read, tasks, jobs=min(wanted, len(tasks) or 1), crashed=_crashed), 1):
            state.take(read)
            progress("reading", done, len(tasks))
        state.flush()
        if sync:
            state.withdraw_others({file.name for file in files})
    if report.count("added", "updated", "withdrawn"):
        counts = {status: report.count(status) for status in ("added", "updated", "withdrawn")}
        event = FeedEvent(corpus_id=corpus_id, event="ingested", at=at, counts=counts)
        store.update(lambda transaction: _announce(transaction, store, event))
    report.outcomes.sort(key=lambda outcome: outcome.name)
    return report


def _announce(transaction: Transaction, store: Store, event: FeedEvent) -> None:
    append_feed(transaction, store, event)


class _State:
    """The intake of a corpus while files are taken in."""

    def __init__(self, store: Store, corpus_id: str, report: IngestReport) -> None:
        self.store = store
        self.corpus_id = corpus_id
        self.report = report
        self.intake = {record.name: record for _, record in store.scan("intake", Intake, corpus_id)}
        self.failures = {record.name for _, record in store.scan("failures", Failure, corpus_id)}
        self.owner = {i.raw_sha256: i.name for i in self.intake.values() if i.status == "present"}
        self.seen: dict[str, Path] = {}
        self.items: list[ItemRows] = []
        self.rows: list[Row] = []
        self.size = 0

    def sort_out(self, file: FoundFile) -> _Task | None:
        """The task for a file that must be read; None for one that is unchanged, a copy, or unreadable."""
        if file.error is not None:
            self.fail(file.name, file.error)
            return None
        if file.name in self.seen:
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
            digest = sha256_hex(read_bytes(file.path, ReadLimits().max_file_bytes))
        except ReadError as error:
            self.fail(file.name, error)
            return None
        known = self.intake.get(file.name)
        if known is not None and known.status == "present" and known.raw_sha256 == digest:
            self.say(file.name, "unchanged", document_id=known.document_id)
            self.clear_failure(file.name)
            return None
        owner = self.owner.setdefault(digest, file.name)
        if owner != file.name:
            self.alias(file.name, owner)
            return None
        return _Task(file.name, file.path, self.corpus_id)

    def alias(self, name: str, owner: str) -> None:
        """Remember another name for bytes that are there already."""
        known = self.intake.get(owner)
        if known is not None and name not in known.aliases:
            self.put_intake(known.model_copy(update={"aliases": tuple(sorted({*known.aliases, name}))}))
        mine = self.intake.get(name)
        if mine is not None and mine.status == "present":
            self.put_intake(mine.model_copy(update={"status": "withdrawn"}))
        self.report.outcomes.append(
            FileOutcome(
                name,
                "duplicate",
                f"the same bytes as {owner!r}; kept as one document",
                "Remove one of the two, or leave it: answers cite the first name.",
            )
        )

    def take(self, read: _Read) -> None:
        """Queue what was read for writing, or its failure."""
        if read.failure is not None or read.version is None:
            failure = read.failure or Failure(
                corpus_id=self.corpus_id, name=read.name, error="ReadError", message="not read"
            )
            self.owner = {digest: name for digest, name in self.owner.items() if name != read.name}
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
        aliases = tuple(
            o.name for o in self.report.outcomes if o.status == "duplicate" and repr(read.name) in o.message
        )
        intake = Intake(
            corpus_id=self.corpus_id,
            document_id=version.document_id,
            name=version.name,
            version_id=version.version_id,
            raw_sha256=version.raw_sha256,
            aliases=tuple(sorted({*(known.aliases if known else ()), *aliases})),
        )
        self.put_intake(intake)
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
        self.rows.append(seal_record(self.store.keys, self.corpus_id, key, record.payload())[0])

    def flush(self) -> None:
        """Write what waits: blobs and items first, then the intake that points to them."""
        self.store.put_item_rows(self.items)
        put_rows(self.store.engine, self.rows)
        self.items, self.rows, self.size = [], [], 0

    def withdraw_others(self, names: set[str]) -> None:
        """Withdraw present documents that have none of these names."""
        for record in list(self.intake.values()):
            if record.status == "present" and not names.intersection((record.name, *record.aliases)):
                self.put_intake(record.model_copy(update={"status": "withdrawn"}))
                self.say(record.name, "withdrawn", document_id=record.document_id)
        for name in sorted(self.failures - names):
            self.store.remove("failures", self.corpus_id, name)
        self.flush()

    def fail(self, name: str, error: CoditectError) -> None:
        """Record an error as the file's outcome."""
        self.record_failure(failure_of(self.corpus_id, name, error))

    def record_failure(self, failure: Failure) -> None:
        """Store a failure, for the report of the corpus; an earlier version of the document stays."""
        self.store.put("failures", failure, self.corpus_id, failure.name)
        self.failures.add(failure.name)
        self.report.outcomes.append(FileOutcome(failure.name, "failed", failure.message, failure.hint, failure.error))

    def clear_failure(self, name: str) -> None:
        """A file that failed before is fine now."""
        if name in self.failures:
            self.store.remove("failures", self.corpus_id, name)
            self.failures.discard(name)

    def say(self, name: str, status: FileStatus, message: str = "", document_id: str = "") -> None:
        """Note an outcome."""
        self.report.outcomes.append(FileOutcome(name, status, message, document_id=document_id))


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
    """What the next build takes in."""
    return (record for _, record in store.scan("intake", Intake, corpus_id) if record.status == "present")
