"""Import: an archive becomes a corpus, all of it or nothing.

The archive is proven before a byte of it is written (:func:`coditect.knowledge.archive_format.open_archive`). Its rows are
then written, invisible, because nothing is seen of a corpus that has no record in the table ``corpus``; what was written is
read back and compared; and that record is written last, in one small transaction.

One import at a time may write a corpus. It holds a *claim*: an event of its own at the head of the corpus' feed, which
every transaction of the import looks at. Another import that begins replaces the claim, and the first one stops at its next
transaction. Publishing removes it. What a killed import left behind is cleared by the next one.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field

import structlog

from coditect.engine.limits import TRANSACTION_BYTES
from coditect.engine.port import Transaction
from coditect.errors import Conflict, Corrupt, UsageError
from coditect.keyspace import LAYOUT, seal
from coditect.knowledge.archive import corpus_digest
from coditect.knowledge.archive_format import Archive
from coditect.knowledge.archive_index import IndexSum, index_pages, locator_row
from coditect.knowledge.archive_lines import TABLES, BlobCheck, BlobPart, LongRecord, ShortRecord, parse_line
from coditect.knowledge.archive_rows import RestoredRow, require_blobs, restored_row, survey
from coditect.knowledge.progress import Progress, silent
from coditect.schemas import Corpus, DocumentVersion, FeedEvent
from coditect.store.blobs import Row, get_blob
from coditect.store.generations import valid_corpus_id
from coditect.store.store import Store

__all__ = ["ImportReport", "import_archive"]

log = structlog.get_logger(__name__)

BATCH_BYTES = TRANSACTION_BYTES * 8 // 10
"""Keys and values of one transaction."""

_PROGRESS_ROWS = 500
_NO_OTHER = "Let nothing else write this corpus, and run the import again."


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did.

    Attributes:
        corpus_id: whose.
        generation: the current one; 0 before the first build.
        build_id: of it.
        corpus_digest: as the archive states it, computed again from the store.
        rows: lines of the archive by table.
        index_entries: written from the records; 0 if the corpus was there.
        imported: False if the very same corpus was there already, and nothing was written.
    """

    corpus_id: str
    generation: int
    build_id: str
    corpus_digest: str
    rows: dict[str, int] = field(default_factory=dict)
    index_entries: int = 0
    imported: bool = True


def import_archive(store: Store, archive: Archive, *, progress: Progress = silent) -> ImportReport:
    """Make an archive a corpus of a tenant; the corpus appears whole or not at all. Runs again after a crash.

    Args:
        store: where to; of any engine, for any tenant.
        archive: proven by :func:`~coditect.knowledge.archive_format.open_archive`.
        progress: told as rows are written and read back.
    Raises:
        UsageError: another corpus stands under this id, or it is not a corpus id.
        Conflict: somebody else wrote this corpus meanwhile; nothing is visible.
        Corrupt: the archive's rows are not those of one corpus, or what was written cannot be read back; nothing is visible.
    """
    header = archive.header
    corpus_id = valid_corpus_id(header.corpus_id)
    if store.get("corpus", Corpus, corpus_id) is None:
        run = _Import(store, archive, progress)
        run.claim()
        run.clear_leftovers()
        run.write()
        run.prove()
        run.publish()
        entries = run.expected.count
        log.info("imported", corpus_id=corpus_id, generation=header.generation, corpus_digest=header.corpus_digest)
    else:
        _require_identical(store, archive, progress)
        entries = 0
    rows = {table: header.rows[table] for table in TABLES}
    return ImportReport(
        corpus_id, header.generation, header.build_id, header.corpus_digest, rows, entries, imported=entries > 0
    )


def _require_identical(store: Store, archive: Archive, progress: Progress) -> None:
    found = corpus_digest(store, archive.header.corpus_id, progress=progress)
    if found != archive.header.corpus_digest:
        raise UsageError(
            "another corpus stands under this id",
            corpus_id=archive.header.corpus_id,
            stored=found,
            archive=archive.header.corpus_digest,
            hint="Ids are hashes that cover the corpus id, so it cannot be renamed: "
            "import for another tenant (--tenant) or into another store (--store).",
        )


class _Import:
    """One import.

    Attributes:
        expected: the sum of the index entries that were written.
    """

    def __init__(self, store: Store, archive: Archive, progress: Progress) -> None:
        self.store = store
        self.keys = store.keys
        self.archive = archive
        self.corpus_id = archive.header.corpus_id
        self.progress = progress
        self.total = sum(archive.header.rows.values())
        self.feed = self.keys.key("feed", self.corpus_id)
        # Unlike everything that stays, the claim is new each time: it tells this import from any other.
        token = FeedEvent(corpus_id=self.corpus_id, event="ingested", build_id=f"import:{uuid.uuid4().hex}", at="")
        self.claimed = seal(self.keys.relative(self.feed), token.payload())
        self.expected = IndexSum()
        self.corpus: RestoredRow | None = None
        self.corpus_line = b""
        self.batch: list[Row] = []
        self.batch_bytes = 0
        self.events: list[bytes] = []
        self.last_event = b""
        self.last_key = b""
        self.last_index: tuple[Row, ...] = ()
        self.blob = BlobCheck("")
        self.versions: list[DocumentVersion] = []

    # transactions

    def claim(self) -> None:
        """Become the one import that may write this corpus."""

        def body(transaction: Transaction) -> None:
            self._require_absent(transaction)
            transaction.clear_range(*self.keys.bounds("feed", self.corpus_id))
            transaction.append(self.feed, self.claimed)

        self.store.update(body)
        self.last_event = self._last_event()

    def _require_absent(self, transaction: Transaction) -> None:
        if transaction.get(self.keys.key("corpus", self.corpus_id)) is not None:
            raise Conflict("the corpus was made while it was imported", corpus_id=self.corpus_id, hint=_NO_OTHER)

    def _require_claim(self, transaction: Transaction) -> bytes:
        """The claim's key."""
        self._require_absent(transaction)
        first = transaction.range(*self.keys.bounds("feed", self.corpus_id), limit=1).rows
        if not first or first[0][1] != self.claimed:
            raise Conflict("another import of this corpus began", corpus_id=self.corpus_id, hint=_NO_OTHER)
        return first[0][0]

    def _last_event(self) -> bytes:
        """Key of the last row of the feed."""
        bounds = self.keys.bounds("feed", self.corpus_id)
        rows = self.store.engine.read(lambda transaction: transaction.range(*bounds, limit=1, reverse=True).rows)
        return rows[0][0] if rows else b""

    def clear_leftovers(self) -> None:
        """Remove what a killed import left: index entries first, as long as the tables still tell that there are any."""
        tables = [name for name, table in LAYOUT.items() if table.corpus_field == 0 and name not in ("corpus", "feed")]
        bounds = [self.keys.bounds(table, self.corpus_id) for table in tables]

        def any_left(transaction: Transaction) -> bool:
            return any(transaction.range(begin, end, limit=1).rows for begin, end in bounds)

        if not self.store.engine.read(any_left):
            return
        for rows in index_pages(self.store, self.corpus_id):
            self._clear([key for key, _ in rows])

        def body(transaction: Transaction) -> None:
            self._require_claim(transaction)
            for begin, end in bounds:
                transaction.clear_range(begin, end)

        self.store.update(body)

    def _clear(self, keys: list[bytes]) -> None:
        """Remove a page of rows: at most a thousand keys, half a megabyte."""

        def body(transaction: Transaction) -> None:
            self._require_claim(transaction)
            for key in keys:
                transaction.clear(key)

        if keys:
            self.store.update(body)

    def _put(self, *rows: Row) -> None:
        for key, value in rows:
            cost = len(key) + len(value)
            if self.batch_bytes + cost > BATCH_BYTES:
                self._flush()
            self.batch.append((key, value))
            self.batch_bytes += cost

    def _flush(self) -> None:
        """Write what waits. Rows say the same however often they are written."""
        batch, self.batch, self.batch_bytes = self.batch, [], 0

        def body(transaction: Transaction) -> None:
            self._require_claim(transaction)
            for key, value in batch:
                transaction.set(key, value)

        if batch:
            self.store.update(body)

    def _flush_events(self) -> None:
        """Append what waits behind the last event that is known to be there; one that runs again begins there again."""
        events, self.events, self.batch_bytes = self.events, [], 0
        begin, (_, end) = self.last_event + b"\x00", self.keys.bounds("feed", self.corpus_id)

        def body(transaction: Transaction) -> None:
            self._require_claim(transaction)
            transaction.clear_range(begin, end)
            for value in events:
                transaction.append(self.feed, value)

        if events:
            self.store.update(body)
            self.last_event = self._last_event()

    # rows

    def write(self) -> None:
        """Every row but the corpus record, invisible."""
        reader = self.archive.reader()
        if reader.header != self.archive.header:
            raise Corrupt("the archive changed while it was read", hint="Copy it to where nobody writes to it.")
        current = ""
        for table, line in reader.rows():
            if table != current:
                self._end_table()
                current = table
            found = parse_line(table, line)
            if isinstance(found, BlobPart):
                self._blob_part(found)
            else:
                self._record(table, found, line)
            if reader.tally.total % _PROGRESS_ROWS == 0:
                self.progress("importing", reader.tally.total, self.total)
        self._end_table()
        self.progress("importing", self.total, self.total)
        if self.corpus is None:
            raise Corrupt("the archive holds no record of its corpus", corpus_id=self.corpus_id)

    def _end_table(self) -> None:
        """What follows may point to what was before, so that must be there; tables are ordered each by its keys."""
        self._end_blob()
        self._flush()
        self._flush_events()
        self._require_versions()
        self.last_key = b""

    def _blob_part(self, part: BlobPart) -> None:
        if part.sha256 != self.blob.sha256:
            self._end_blob()
            self.blob = BlobCheck(part.sha256)
        self.blob.add(part)
        key = self.keys.key("blobs", self.corpus_id, part.sha256, part.n)
        self._require_order("blobs", key)
        self._put((key, seal(self.keys.relative(key), part.data)))

    def _end_blob(self) -> None:
        if self.blob.sha256 and not self.blob.whole:
            raise Corrupt("a blob of the archive does not have its hash", sha256=self.blob.sha256)
        self.blob = BlobCheck("")

    def _record(self, table: str, found: ShortRecord | LongRecord, line: bytes) -> None:
        if isinstance(found, LongRecord):
            payload = get_blob(self.store.engine, self.keys, self.corpus_id, found.sha256, found.size_bytes)
        else:
            payload = found.payload
        restored = restored_row(self.keys, self.corpus_id, table, payload)
        key, value = restored.row
        if table == "feed":
            if self.batch_bytes + len(key) + len(value) > BATCH_BYTES:
                self._flush_events()
            self.events.append(value)
            self.batch_bytes += len(key) + len(value) + 2 * len(self.feed)
            return
        self._require_order(table, key)
        if isinstance(restored.record, Corpus):
            self._require_pointer(restored.record)
            self.corpus, self.corpus_line = restored, line
            return
        if isinstance(restored.record, DocumentVersion):
            self.versions.append(restored.record)
            if len(self.versions) >= _PROGRESS_ROWS:
                self._require_versions()
        # The versions of a document follow each other and share its locator, which is one entry.
        fresh = [row for row in restored.index if row not in self.last_index]
        self._put(restored.row, *fresh)
        for row in fresh:
            self.expected.add(*row)
        self.last_index = restored.index

    def _require_order(self, table: str, key: bytes) -> None:
        if key <= self.last_key:
            raise Corrupt("rows of the archive are out of order", table=table)
        self.last_key = key

    def _require_versions(self) -> None:
        versions, self.versions = self.versions, []
        if versions:
            require_blobs(self.store, self.corpus_id, versions)

    def _require_pointer(self, corpus: Corpus) -> None:
        header = self.archive.header
        if (corpus.generation, corpus.build_id) != (header.generation, header.build_id):
            raise Corrupt("the corpus record is not the one that the header names", corpus_id=self.corpus_id)

    # proof

    def prove(self) -> None:
        """Read back every row and every index entry, and compare them with what the archive holds."""

        def tell(done: int) -> None:
            self.progress("reading back", min(done, self.total), self.total)

        found = survey(self.store, self.corpus_id, without=self.claimed, tell=tell)
        found.tally.add("corpus", self.corpus_line)  # as it is going to be written
        if found.incomplete or found.tally.digest != self.archive.header.corpus_digest:
            raise self._unequal("rows", found.tally.digest, self.archive.header.corpus_digest)
        entries = IndexSum()
        for rows in index_pages(self.store, self.corpus_id):
            for row in rows:
                entries.add(*row)
        if not entries.equals(self.expected):
            raise self._unequal("index entries", str(entries.count), str(self.expected.count))

    def _unequal(self, what: str, found: str, wanted: str) -> Corrupt:
        return Corrupt(
            "what was written is not what the archive holds; the corpus stays invisible",
            corpus_id=self.corpus_id,
            what=what,
            found=found,
            wanted=wanted,
            hint="Let nothing else write this corpus, and run the import again; if it fails again, check the store's disk.",
        )

    def publish(self) -> None:
        """Write the corpus record and its locator, and give up the claim, in one transaction."""
        assert self.corpus is not None  # noqa: S101 - write() saw to it
        key, value = self.corpus.row
        locator = locator_row(self.keys, self.corpus_id)

        def body(transaction: Transaction) -> None:
            if transaction.get(key) == value:
                return  # this body runs again after it has committed
            transaction.clear(self._require_claim(transaction))
            transaction.set(*locator)
            transaction.set(key, value)

        self.store.update(body)
        self.expected.add(*locator)
