"""The rows of one corpus in a store, as what an archive holds of them, and back.

Index entries are functions of records, so an archive holds none: they are written again from the records, and compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import orjson

from coditect.errors import Corrupt
from coditect.keyspace import POINTER, Keyspace, unseal
from coditect.knowledge.archive.format import PROGRESS_ROWS, Tally
from coditect.knowledge.archive.lines import (
    RECORDS,
    TABLES,
    BlobPart,
    Content,
    LongRecord,
    ShortRecord,
    row_line,
)
from coditect.schemas import DocumentVersion, Record, canonical_json
from coditect.store.acts.events import event_payload, seal_event_payload
from coditect.store.blobs import BLOB_BYTES, Row, get_blob, has_blobs
from coditect.store.intake.staging import corpus_pages
from coditect.store.rows import index_rows, place_of, row_name, seal_record
from coditect.store.store import Store

__all__ = [
    "DAMAGED",
    "BlobCheck",
    "RestoredRow",
    "RowSum",
    "Survey",
    "opened",
    "require_blobs",
    "restore",
    "stored_rows",
    "survey",
]

DAMAGED = "Run 'coditect knowledge validate', which lists all that is damaged; import a backup into another store."

_MODULUS = 1 << 256


def stored_rows(store: Store, corpus_id: str) -> Iterator[tuple[str, Row, Content]]:
    """(table, row, what it holds) of every row of a corpus but its index entries, in the order of an archive.

    Raises:
        Corrupt: a row does not have its checksum.
    """
    for table in TABLES:
        for page in corpus_pages(store, corpus_id, table):
            for row in page:
                yield table, row, _content(store.keys, corpus_id, table, row)


def _content(keys: Keyspace, corpus_id: str, table: str, row: Row) -> Content:
    key, value = row
    try:
        if table == "feed":
            return ShortRecord(event_payload(keys, corpus_id, value))
        form, payload = unseal(keys.relative(key), value)
        if table == "blobs":
            _, sha256, n = keys.parts(table, key)
            return BlobPart(str(sha256), int(n), payload)
        if form != POINTER:
            return ShortRecord(payload)
        digest, _, size = payload.decode().partition(":")
        return LongRecord(digest, int(size))
    except (Corrupt, ValueError) as error:
        raise Corrupt("a stored row is damaged", row=row_name(keys, key), hint=DAMAGED) from error


@dataclass(frozen=True, slots=True)
class RestoredRow:
    """A record that was checked.

    Attributes:
        record: the record itself.
        row: key and value that it must be stored as; an event of the feed has the feed's prefix for a key.
        index: the index entries that it calls for.
    """

    record: Record
    row: Row
    index: tuple[Row, ...]


def opened(store: Store, corpus_id: str, table: str, content: ShortRecord | LongRecord) -> tuple[Record, bytes]:
    """(record, its bytes) that a row or a line holds. A long one is read from the store's blobs.

    Raises:
        Corrupt: not a record of this table and corpus in canonical form, or its id is not the hash of its content.
        NewerRecord: a later release wrote it.
    """
    if isinstance(content, LongRecord):
        payload = get_blob(store.engine, store.keys, corpus_id, content.sha256, content.size_bytes)
    else:
        payload = content.payload
    if not _is_canonical(payload):
        raise Corrupt("a record is not in canonical form", table=table, hint=DAMAGED)
    record = RECORDS[table].parse(payload)
    if str(getattr(record, "corpus_id")) != corpus_id:  # noqa: B009 - every stored record has one, Record does not declare it
        raise Corrupt("a record is of another corpus", table=table, hint=DAMAGED)
    return record, payload


def restore(store: Store, corpus_id: str, table: str, content: ShortRecord | LongRecord) -> RestoredRow:
    """The record that a line holds, and all that it is stored as. Raises as :func:`opened`."""
    keys = store.keys
    record, payload = opened(store, corpus_id, table, content)
    if table == "feed":
        return RestoredRow(record, (keys.feed(corpus_id), seal_event_payload(keys, corpus_id, payload)), ())
    row, _ = seal_record(keys, table, place_of(table, record), payload)
    return RestoredRow(record, row, index_rows(keys, record))


def _is_canonical(payload: bytes) -> bool:
    with suppress(ValueError):  # a number without end
        return canonical_json(orjson.loads(payload)) == payload
    return False


class BlobCheck:
    """Whether the parts of a blob, one after the other, are the whole blob and cut where blobs are cut.

    Args:
        sha256: the blob's name.
    """

    def __init__(self, sha256: str = "") -> None:
        self.sha256 = sha256
        self._hasher = hashlib.sha256()
        self._count = 0
        self._last_bytes = BLOB_BYTES
        self._regular = True

    def add(self, part: BlobPart) -> None:
        """The next part."""
        follows = part.n == self._count and self._last_bytes == BLOB_BYTES
        fits = len(part.data) <= BLOB_BYTES and (bool(part.data) or part.n == 0)
        self._regular = self._regular and follows and fits
        self._count += 1
        self._last_bytes = len(part.data)
        self._hasher.update(part.data)

    @property
    def whole(self) -> bool:
        """Whether all parts were there."""
        return self._regular and self._hasher.hexdigest() == self.sha256


def require_blobs(store: Store, versions: list[DocumentVersion], incomplete: frozenset[str] = frozenset()) -> None:
    """File, text and layout of every version must be there, and none of them among the ``incomplete``.

    Raises:
        Corrupt: one is not.
    """
    wanted = [
        (each.corpus_id, getattr(each, f"{kind}_sha256"), getattr(each, f"{kind}_bytes"))
        for each in versions
        for kind in ("raw", "text", "layout")
    ]

    for (corpus_id, digest, _), found in zip(wanted, has_blobs(store.engine, store.keys, wanted), strict=True):
        if not found or digest in incomplete:
            raise Corrupt("the bytes of a document are not there", corpus_id=corpus_id, sha256=digest, hint=DAMAGED)


@dataclass(frozen=True, slots=True)
class Survey:
    """What a corpus holds.

    Attributes:
        tally: the sums of its lines.
        incomplete: blobs that a killed ingest left half written; they are no part of the corpus.
    """

    tally: Tally
    incomplete: frozenset[str]


def survey(
    store: Store, corpus_id: str, *, without: bytes = b"", tell: Callable[[int], None] = lambda done: None
) -> Survey:
    """Read every row of a corpus but its index entries, a page at a time.

    Args:
        store: the store that it is in.
        corpus_id: the corpus.
        without: an event of the feed, as it is stored, that is passed over.
        tell: told how many rows were read.
    Raises:
        Corrupt: a row does not have its checksum.
    """
    tally, before = Tally(), Tally()
    incomplete: set[str] = set()
    blob = BlobCheck()
    for table, (_, value), content in stored_rows(store, corpus_id):
        # Blobs are not the last rows: the corpus record follows, or the lease of an import.
        if blob.sha256 and not (isinstance(content, BlobPart) and content.sha256 == blob.sha256):
            if not blob.whole:
                incomplete.add(blob.sha256)
                tally = before
            blob = BlobCheck()
        if isinstance(content, BlobPart):
            if not blob.sha256:
                blob, before = BlobCheck(content.sha256), tally.copy()
            blob.add(content)
        if value != without:
            tally.add(table, row_line(table, content))
            if tally.total % PROGRESS_ROWS == 0:
                tell(tally.total)
    tell(tally.total)
    return Survey(tally, frozenset(incomplete))


class RowSum:
    """A sum of rows that does not depend on their order.

    The sum of the rows' SHA-256 modulo 2**256: it tells rows that are lost, changed or left over; an adversary who can
    choose millions of rows could forge it.

    Attributes:
        count: rows added.
    """

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0

    def add(self, key: bytes, value: bytes) -> None:
        """Add a row."""
        self.count += 1
        row = hashlib.sha256(len(key).to_bytes(4, "big") + key + value)
        self._sum = (self._sum + int.from_bytes(row.digest(), "big")) % _MODULUS

    def equals(self, other: RowSum) -> bool:
        """Whether the same rows were added to both, in whatever order."""
        return (self.count, self._sum) == (other.count, other._sum)
