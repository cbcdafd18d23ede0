"""Import: an archive becomes a corpus, all of it or nothing.

The archive is proven before a byte of it is written (:func:`~coditect.knowledge.archive.format.open_archive`). Then its rows are
*staged* (:mod:`coditect.store.intake.staging`): written where they belong, invisible, because nothing is seen of a corpus that has
no record in the table ``corpus``; one import at a time may. They are *validated*: read back, and compared with the archive. And the
corpus is *published*: its record is written, in one small transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from coditect.engine.limits import TRANSACTION_BYTES
from coditect.errors import Corrupt, UsageError
from coditect.integrity.validate import check_staged
from coditect.knowledge.archive.export import corpus_digest
from coditect.knowledge.archive.format import Archive
from coditect.knowledge.archive.lines import TABLES, BlobPart, LongRecord, ShortRecord, parse_line, row_line
from coditect.knowledge.archive.rows import RowSum, require_blobs, restore, survey
from coditect.knowledge.progress import Progress, silent
from coditect.schemas import Corpus, Derivation, DocumentVersion, Erasure
from coditect.store.blobs import Row, part_row
from coditect.store.former import former_rows, is_former
from coditect.store.generations import valid_corpus_id
from coditect.store.indexes.definitions import required_indexes
from coditect.store.intake.staging import ImportLease, corpus_pages
from coditect.store.rows import OptionalEntries, item_rows, optional_entries, optional_rows
from coditect.store.store import Store
from coditect.telemetry import Logger

__all__ = ["ImportReport", "import_archive"]

log = Logger(__name__)

BATCH_BYTES = TRANSACTION_BYTES * 8 // 10
"""Keys and values of one transaction."""

SEQUENCE_BYTES = 12
"""What the engine adds to the key of an event."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did.

    Attributes:
        corpus_id: the corpus.
        generation: its current generation; 0 before the first build.
        build_id: the build of that generation; empty before the first.
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


def import_archive(
    store: Store, archive: Archive, *, at: str = "", progress: Progress = silent, erasures: Sequence[Erasure] = ()
) -> ImportReport:
    """Make an archive a corpus of a tenant; the corpus appears whole or not at all. Runs again after a crash.

    Args:
        store: the store that the corpus is to be in; of any engine, for any tenant.
        archive: proven by :func:`~coditect.knowledge.archive.format.open_archive`.
        at: the time now, RFC 3339, for the log.
        progress: told as rows are written and read back.
        erasures: later ones than the archive, of any corpus: they stand in the corpus before anybody sees it, so that nobody is
            shown what they name.
    Raises:
        UsageError: another corpus stands under this id, or it is not a corpus id.
        Conflict: somebody else wrote this corpus meanwhile; nothing is visible.
        Corrupt: the archive's rows are not those of one corpus, or what was written cannot be read back; nothing is visible.
    """
    header = archive.header
    corpus_id = valid_corpus_id(header.corpus_id)
    store = store.for_bulk("import")
    entries = 0
    if store.get("corpus", Corpus, corpus_id) is None:
        lease = ImportLease(store, corpus_id)
        lease.take()
        staged = _Staging(store, archive, lease, progress)
        corpus = staged.write()
        staged.validate()
        staged.prove(corpus)
        staged.add([each for each in erasures if each.corpus_id == corpus_id])
        lease.publish(corpus, at, header.corpus_digest)
        entries = staged.entries.count + 1  # and the one that the corpus has as such
        log.info("imported", corpus_id=corpus_id, generation=header.generation, corpus_digest=header.corpus_digest)
    else:
        _require_identical(store, archive, progress)
    rows = {table: header.rows.get(table, 0) for table in TABLES}
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


@dataclass(frozen=True, slots=True)
class _Queued:
    """Rows that must be written in one transaction.

    Attributes:
        rows: of a record, and its index entries.
        own: how many of them are not entries of optional indexes.
        optional: what the record calls for in those.
    """

    rows: tuple[Row, ...]
    own: int
    optional: OptionalEntries


def _cost(rows: tuple[Row, ...]) -> int:
    return sum(len(key) + SEQUENCE_BYTES + len(value) for key, value in rows)


class _Staging:
    """The rows of an archive on their way into a store.

    Attributes:
        entries: the sum of the entries of required indexes that were written.
        queued: what is written next.
        maintained: the optional indexes whose entries must be written, as far as is known.
    """

    def __init__(self, store: Store, archive: Archive, lease: ImportLease, progress: Progress) -> None:
        self.store = store
        self.archive = archive
        self.corpus_id = archive.header.corpus_id
        self.lease = lease
        self.progress = progress
        self.total = sum(archive.header.rows.values())
        self.entries = RowSum()
        self.corpus = ShortRecord(b"")
        self.queued: list[_Queued] = []
        self.size_bytes = 0
        self.maintained: frozenset[str] = frozenset()
        self.last_index: tuple[Row, ...] = ()
        self.versions: list[DocumentVersion] = []
        self.former: list[Derivation] = []

    def write(self) -> bytes:
        """Stage every row but the corpus record, whose bytes are returned.

        Raises:
            Corrupt: a line is damaged, or there is no record of the corpus.
        """
        current = TABLES[0]
        rows = self.archive.rows(lambda done, total: self.progress("importing", done, total))
        for table, line in rows:
            if table != current:
                self._flush()  # what follows may point to what was before, so that must be there
                current = table
            content = parse_line(table, line)
            if isinstance(content, BlobPart):
                self._queue(part_row(self.store.keys, self.corpus_id, content.sha256, content.n, content.data))
            else:
                self._stage(table, content)
        for row in former_rows(self.store.keys, self.corpus_id, self.former):
            self._queue(row)
        self._flush()
        if not self.corpus.payload:
            raise Corrupt("the archive holds no record of its corpus", corpus_id=self.corpus_id)
        return self.corpus.payload

    def validate(self) -> None:
        """Read back every row and every index entry, and compare them with what the archive holds.

        Raises:
            Corrupt: they are not equal.
        """
        header = self.archive.header
        found = survey(
            self.store,
            self.corpus_id,
            without=self.lease.value,
            tell=lambda done: self.progress("reading back", min(done, self.total), self.total),
        )
        found.tally.add("corpus", row_line("corpus", self.corpus))  # as it is going to be written
        if found.incomplete or found.tally.digest != header.corpus_digest:
            raise self._unequal("rows", found.tally.digest, header.corpus_digest)
        entries = RowSum()
        for index in required_indexes().values():
            for page in corpus_pages(self.store, self.corpus_id, index.table):
                for row in page:
                    entries.add(*row)
        if not entries.equals(self.entries):
            raise self._unequal("index entries", str(entries.count), str(self.entries.count))

    def prove(self, payload: bytes) -> None:
        """Check every record and, of the current generation, every tier against the text, as ``validate`` does.

        Raises:
            Corrupt: something is wrong with what the archive holds, whose sums are right all the same.
        """
        corpus = Corpus.parse(payload)
        findings = check_staged(self.store, corpus, progress=self.progress)
        if findings:
            first = findings[0]
            raise Corrupt(
                "the archive holds what is not whole or not true; the corpus stays invisible",
                corpus_id=self.corpus_id,
                findings=len(findings),
                check=first.check,
                record=first.record,
                reason=first.message,
                hint="It was changed, and its sums were made anew: take another backup, and find out where this one comes from.",
            )

    def add(self, erasures: Sequence[Erasure]) -> None:
        """Stage erasures that the archive does not know; those that it knows are the same rows."""
        for each in erasures:
            self._queue(item_rows(self.store.keys, each).record)
        self._flush()

    def _unequal(self, what: str, found: str, wanted: str) -> Corrupt:
        return Corrupt(
            "what was written is not what the archive holds; the corpus stays invisible",
            corpus_id=self.corpus_id,
            what=what,
            found=found,
            wanted=wanted,
            hint="Its rows are not those of one corpus, in their order; or something else wrote this corpus: run the import "
            "again, and if it fails again, check where the archive comes from, and the store's disk.",
        )

    def _stage(self, table: str, content: ShortRecord | LongRecord) -> None:
        restored = restore(self.store, self.corpus_id, table, content)
        if isinstance(restored.record, Corpus) and isinstance(content, ShortRecord):
            self._require_pointer(restored.record)
            self.corpus = content
            return
        if isinstance(restored.record, DocumentVersion):
            self.versions.append(restored.record)
        if isinstance(restored.record, Derivation) and is_former(restored.record):
            self.former.append(restored.record.model_copy(update={"outputs": ()}))
        # The versions of a document follow each other and share its locator, which is one entry.
        fresh = [row for row in restored.index if row not in self.last_index]
        self._queue(restored.row, *fresh, optional=optional_entries(restored.record))
        for row in fresh:
            self.entries.add(*row)
        self.last_index = restored.index

    def _queue(self, *rows: Row, optional: OptionalEntries = ()) -> None:
        """Rows that are written in one transaction; the first is that of the record.

        Args:
            rows: a record's row, and its entries in required indexes.
            optional: what it calls for in optional ones.
        """
        made = self._prepared(rows, optional)
        cost = _cost(made.rows)
        if self.size_bytes + cost > BATCH_BYTES:
            self._flush()
        self.queued.append(made)
        self.size_bytes += cost

    def _prepared(self, rows: tuple[Row, ...], optional: OptionalEntries) -> _Queued:
        more = optional_rows(self.store.keys, rows[0][0], optional, self.maintained) if self.maintained else ()
        return _Queued((*rows, *more), len(rows), optional)

    def _flush(self) -> None:
        if self.versions:
            require_blobs(self.store, self.versions)
        while self.queued:
            batch: list[_Queued] = []
            cost = 0
            for each in self.queued:
                cost += _cost(each.rows)
                if batch and cost > BATCH_BYTES:
                    break
                batch.append(each)
            maintained = self.lease.write([row for each in batch for row in each.rows], self.maintained)
            if maintained == self.maintained:
                del self.queued[: len(batch)]
            else:  # an index was added or dropped since
                self.maintained = maintained
                self.queued = [self._prepared(each.rows[: each.own], each.optional) for each in self.queued]
        self.versions, self.size_bytes = [], 0

    def _require_pointer(self, corpus: Corpus) -> None:
        header = self.archive.header
        if (corpus.generation, corpus.build_id) != (header.generation, header.build_id):
            raise Corrupt("the corpus record is not the one that the header names", corpus_id=self.corpus_id)
