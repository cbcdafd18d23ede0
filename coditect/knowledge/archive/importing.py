"""Import: an archive becomes a corpus, all of it or nothing.

The archive is proven before a byte of it is written (:func:`coditect.knowledge.archive.format.open_archive`). Its rows are
then written, invisible, because nothing is seen of a corpus that has no record in the table ``corpus``; what was written is
read back and compared; and that record is written last, in one small transaction.

One import at a time may write a corpus (:class:`~coditect.knowledge.archive.lease.Claim`). What a killed one left behind is
removed by the next (:func:`~coditect.knowledge.archive.leftovers.clear_leftovers`).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field

import structlog

from coditect.engine.limits import KEY_BYTES, TRANSACTION_BYTES
from coditect.errors import Corrupt, UsageError
from coditect.keyspace import seal
from coditect.knowledge.archive.export import corpus_digest
from coditect.knowledge.archive.format import Archive
from coditect.knowledge.archive.index import IndexSum, index_pages, locator_row
from coditect.knowledge.archive.lease import Claim
from coditect.knowledge.archive.leftovers import clear_leftovers
from coditect.knowledge.archive.lines import TABLES, BlobCheck, BlobPart, LongRecord, ShortRecord, parse_line
from coditect.knowledge.archive.rows import RestoredRow, require_blobs, restored_row, survey
from coditect.knowledge.progress import Progress, silent
from coditect.schemas import Corpus, DocumentVersion
from coditect.store.blobs import Row, get_blob
from coditect.store.generations import valid_corpus_id
from coditect.store.store import Store

__all__ = ["ImportReport", "import_archive"]

log = structlog.wrap_logger(logging.getLogger(__name__))

BATCH_BYTES = TRANSACTION_BYTES * 8 // 10
"""Keys and values of one transaction."""

EVENT_KEY_BYTES = KEY_BYTES
"""What the key of an event is counted as."""

_PROGRESS_ROWS = 500


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
        archive: proven by :func:`~coditect.knowledge.archive.format.open_archive`.
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
        run.claim.take()
        clear_leftovers(store, corpus_id, run.claim)
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
        self.claim = Claim(store, self.corpus_id)
        self.expected = IndexSum()
        self.corpus: RestoredRow | None = None
        self.corpus_line = b""
        self.batch: list[Row] = []
        self.batch_bytes = 0
        self.events: list[bytes] = []
        self.last_key = b""
        self.last_index: tuple[Row, ...] = ()
        self.blob = BlobCheck("")
        self.versions: list[DocumentVersion] = []

    def _put(self, *rows: Row) -> None:
        """Queue rows that must be written in one transaction."""
        cost = sum(len(key) + len(value) for key, value in rows)
        if self.batch_bytes + cost > BATCH_BYTES:
            self._flush()
        self.batch += rows
        self.batch_bytes += cost

    def _append(self, event: bytes) -> None:
        """Queue an event."""
        cost = EVENT_KEY_BYTES + len(event)
        if self.batch_bytes + cost > BATCH_BYTES:
            self._flush()
        self.events.append(event)
        self.batch_bytes += cost

    def _flush(self) -> None:
        self.claim.put(self.batch)
        self.claim.append(self.events)
        self.batch, self.events, self.batch_bytes = [], [], 0

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
            self._append(value)
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

        found = survey(self.store, self.corpus_id, without=self.claim.value, tell=tell)
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
        """Make the corpus visible."""
        assert self.corpus is not None  # noqa: S101 - write() saw to it
        locator = locator_row(self.keys, self.corpus_id)
        self.claim.publish(self.corpus.row, locator)
        self.expected.add(*locator)
