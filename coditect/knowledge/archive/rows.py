"""The rows of one corpus in a store, as the lines of an archive, and back.

Index entries are functions of records, so an archive holds none: they are written again from the records, and compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import orjson

from coditect.engine.port import Transaction
from coditect.errors import Corrupt
from coditect.keyspace import POINTER, Keyspace, unseal
from coditect.knowledge.archive.format import Tally
from coditect.knowledge.archive.lines import (
    RECORDS,
    BlobCheck,
    BlobPart,
    LongRecord,
    ShortRecord,
    blob_line,
    long_line,
    record_line,
)
from coditect.schemas import (
    Corpus,
    Derivation,
    DocumentVersion,
    Failure,
    Generation,
    Intake,
    Item,
    ModelAnswer,
    Record,
    canonical_json,
)
from coditect.store.blobs import Row, has_blob
from coditect.store.rows import answer_row, item_rows, row_name, seal_record
from coditect.store.store import Store

__all__ = [
    "DAMAGED",
    "RestoredRow",
    "Survey",
    "require_blobs",
    "restored_row",
    "stored_line",
    "stored_row",
    "survey",
    "table_pages",
]

PAGE_ROWS = 250
"""Rows of one page: 25 MB where every record is as long as one can be, a quarter of a megabyte as a rule."""

PAGE_PARTS = 8
"""Parts of blobs in one page: 0.8 MB."""

DAMAGED = "Run 'coditect knowledge validate', which lists all that is damaged; import a backup into another store."


def table_pages(store: Store, corpus_id: str, table: str) -> Iterator[tuple[Row, ...]]:
    """The rows of a table in a corpus, in key order; each page is a snapshot of its own."""
    begin, end = store.keys.bounds(table, corpus_id)
    if table == "corpus":  # its whole key is the corpus
        begin = store.keys.key(table, corpus_id)
        end = begin + b"\x00"
    yield from store.pages(begin, end, limit=PAGE_PARTS if table == "blobs" else PAGE_ROWS)


def stored_line(keys: Keyspace, corpus_id: str, table: str, row: Row) -> bytes:
    """The line of a stored row.

    Raises:
        Corrupt: the row does not have its checksum.
    """
    match stored_row(keys, corpus_id, table, row):
        case BlobPart(sha256, n, data):
            return blob_line(sha256, n, data)
        case LongRecord(sha256, size_bytes):
            return long_line(table, sha256, size_bytes)
        case ShortRecord(payload):
            return record_line(table, payload)


def stored_row(keys: Keyspace, corpus_id: str, table: str, row: Row) -> BlobPart | LongRecord | ShortRecord:
    """What a stored row holds. Raises as :func:`stored_line`."""
    key, value = row
    try:
        # The engine assigns the keys of events, so their values are sealed over the feed's prefix.
        form, payload = unseal(keys.relative(keys.key("feed", corpus_id) if table == "feed" else key), value)
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
        record: what it says.
        row: as it must be stored; an event of the feed has the feed's prefix for a key.
        index: its index entries.
    """

    record: Record
    row: Row
    index: tuple[Row, ...]


def restored_row(keys: Keyspace, corpus_id: str, table: str, payload: bytes) -> RestoredRow:
    """The rows of a record's bytes.

    Raises:
        Corrupt: not a record of this table and corpus in canonical form, or its id is not the hash of its content.
    """
    record = RECORDS[table].parse(payload)
    if getattr(record, "corpus_id") != corpus_id:  # noqa: B009 - every record has one, Record does not declare it
        raise _unfit("a record is of another corpus", table, record)
    index: tuple[Row, ...] = ()
    if isinstance(record, Item):
        rows = item_rows(keys, record)
        key, index = rows.record[0], rows.index
        row, _ = seal_record(keys, corpus_id, key, payload)
        canonical = row == rows.record
        if record.computed_id() != record.item_id:
            raise _unfit("a record's id is not the hash of its content", table, record)
    else:
        if isinstance(record, Derivation) and record.computed_id() != record.derivation_id:
            raise _unfit("a derivation's id is not the hash of its inputs", table, record)
        if isinstance(record, ModelAnswer):
            index = (answer_row(keys, record),)
        row, _ = seal_record(keys, corpus_id, keys.key(table, *_place(record)), payload)
        canonical = canonical_json(orjson.loads(payload)) == payload
    if not canonical:
        raise _unfit("a record is not in canonical form", table, record)
    return RestoredRow(record, row, index)


def _place(record: Record) -> tuple[str | int, ...]:
    """The elements of the key of a record that is no item; of an event, those that are known."""
    match record:
        case Derivation():
            return record.corpus_id, record.derivation_id
        case ModelAnswer():
            return record.corpus_id, record.request_sha256
        case Intake():
            return record.corpus_id, record.document_id
        case Failure():
            return record.corpus_id, record.name
        case Generation():
            return record.corpus_id, record.generation
        case Corpus():
            return (record.corpus_id,)
    return (str(getattr(record, "corpus_id")),)  # noqa: B009 - as above


def _unfit(message: str, table: str, record: Record) -> Corrupt:
    name = record.item_id if isinstance(record, Item) else "/".join(map(str, _place(record)))
    return Corrupt(message, table=table, record=name, hint=DAMAGED)


def require_blobs(
    store: Store, corpus_id: str, versions: list[DocumentVersion], incomplete: frozenset[str] = frozenset()
) -> None:
    """File, text and layout of every version must be there, and none of them among the ``incomplete``.

    Raises:
        Corrupt: one is not.
    """
    wanted = [
        (digest, size)
        for each in versions
        for digest, size in (
            (each.raw_sha256, each.raw_bytes),
            (each.text_sha256, each.text_bytes),
            (each.layout_sha256, each.layout_bytes),
        )
    ]

    def body(transaction: Transaction) -> list[bool]:
        return [has_blob(transaction, store.keys, corpus_id, digest, size) for digest, size in wanted]

    for (digest, _), found in zip(wanted, store.engine.read(body), strict=True):
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
        store: where.
        corpus_id: what.
        without: an event of the feed, as it is stored, that is passed over.
        tell: told how many rows were read.
    Raises:
        Corrupt: a row does not have its checksum.
    """
    tally = Tally()
    incomplete = frozenset(_survey_blobs(store, corpus_id, tally, tell))
    for table in RECORDS:
        for page in table_pages(store, corpus_id, table):
            lines = [stored_line(store.keys, corpus_id, table, row) for row in page if row[1] != without]
            tally.add(table, b"".join(lines), len(lines))
            tell(tally.total)
    return Survey(tally, incomplete)


def _survey_blobs(store: Store, corpus_id: str, tally: Tally, tell: Callable[[int], None]) -> Iterator[str]:
    """Add the blobs that are whole; yields the names of the others."""
    check, before = BlobCheck(""), tally.copy()
    for page in table_pages(store, corpus_id, "blobs"):
        for row in page:
            part = stored_row(store.keys, corpus_id, "blobs", row)
            assert isinstance(part, BlobPart)  # noqa: S101 - what a row of this table holds
            if part.sha256 != check.sha256:
                yield from _left_out(check, tally, before)
                check, before = BlobCheck(part.sha256), tally.copy()
            check.add(part)
            tally.add("blobs", blob_line(part.sha256, part.n, part.data))
        tell(tally.total)
    yield from _left_out(check, tally, before)


def _left_out(check: BlobCheck, tally: Tally, before: Tally) -> Iterator[str]:
    if check.sha256 and not check.whole:
        tally.restore(before)
        yield check.sha256
