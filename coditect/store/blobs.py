"""Bytes of any length, content-addressed and split over values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from coditect.engine.batches import batches
from coditect.engine.limits import TRANSACTION_BYTES, VALUE_BYTES
from coditect.engine.port import Engine, Transaction
from coditect.errors import Corrupt
from coditect.keyspace import ENVELOPE_BYTES, Keyspace, seal, seal_compressed, unseal
from coditect.schemas import sha256_hex

__all__ = ["BLOB_BYTES", "blob_rows", "get_blob", "has_blobs", "part_row", "put_blobs", "put_rows"]

Row = tuple[bytes, bytes]

BLOB_BYTES = VALUE_BYTES - ENVELOPE_BYTES - 1_000
"""Bytes of a blob in one value."""

PARTS_AT_ONCE = 32
"""Parts that are read in one snapshot: 3 MB."""


def blob_rows(keys: Keyspace, corpus_id: str | bytes, data: bytes) -> tuple[str, list[Row]]:
    """(SHA-256, rows) of a blob. Empty data has one empty row. The last part is written last (see :func:`put_blobs`)."""
    digest = sha256_hex(data)
    rows = []
    for n in range(_part_count(len(data))):
        rows.append(part_row(keys, corpus_id, digest, n, data[n * BLOB_BYTES : (n + 1) * BLOB_BYTES]))
    return digest, rows


def _part_count(size_bytes: int) -> int:
    """How many parts a blob has."""
    return max(1, -(-size_bytes // BLOB_BYTES))


def part_row(keys: Keyspace, corpus_id: str | bytes, digest: str, n: int, part: bytes) -> Row:
    """The row of one part of a blob."""
    key = keys.key("blobs", corpus_id, digest, n)
    sealed = seal if keys.format == 1 else seal_compressed
    return key, sealed(keys.relative(key), part)


def put_rows(engine: Engine, rows: Iterable[Row]) -> None:
    """Store rows that say the same however often they are written, in as few transactions as the budget allows.

    The transactions are under way at once: where one row refers to another, put that one before.
    """
    engine.run_many(_setting(batch) for batch in batches(rows, _size_bytes, TRANSACTION_BYTES * 9 // 10))


def _setting(batch: list[Row]) -> Callable[[Transaction], None]:
    def body(transaction: Transaction) -> None:
        for key, value in batch:
            transaction.set(key, value)

    return body


def put_blobs(engine: Engine, keys: Keyspace, rows: Sequence[Row]) -> None:
    """Store parts of blobs; the last part of each when all others are there, because that one promises them.

    Args:
        engine: where to.
        keys: the tenant's.
        rows: of :func:`blob_rows`; all parts of each blob, in order, or none.
    """
    last = {keys.parts("blobs", key)[:2]: (key, value) for key, value in rows}
    ends = {key for key, _ in last.values()}
    put_rows(engine, (row for row in rows if row[0] not in ends))
    put_rows(engine, last.values())


def has_blobs(engine: Engine, keys: Keyspace, wanted: Sequence[tuple[str | bytes, str, int]]) -> list[bool]:
    """Whether blobs are there: their last parts are, which are written last. Some are looked for in one snapshot.

    Args:
        engine: reads.
        keys: the tenant's.
        wanted: (corpus, SHA-256, length) of each.
    """
    last = [
        keys.key("blobs", corpus_id, digest, _part_count(size_bytes) - 1) for corpus_id, digest, size_bytes in wanted
    ]
    found: list[bool] = []
    for begin in range(0, len(last), PARTS_AT_ONCE):
        some = last[begin : begin + PARTS_AT_ONCE]
        found += [value is not None for value in engine.read(partial(_get_many, some))]
    return found


def get_blob(
    source: Engine | Transaction, keys: Keyspace, corpus_id: str | bytes, digest: str, size_bytes: int
) -> bytes:
    """The bytes whose SHA-256 is ``digest``.

    Args:
        source: an engine, which reads the parts in groups, each a snapshot of its own (they never change, and a long blob
            outlives a snapshot on FoundationDB); or the caller's transaction.
        keys: the tenant's.
        corpus_id: the corpus that the blob belongs to.
        digest: its name.
        size_bytes: its length.
    Raises:
        Corrupt: a part is missing or changed, or the whole does not have this hash.
    """
    count = _part_count(size_bytes)
    parts: list[bytes] = []
    for begin in range(0, count, PARTS_AT_ONCE):
        wanted = [keys.key("blobs", corpus_id, digest, n) for n in range(begin, min(begin + PARTS_AT_ONCE, count))]
        found = source.get_many(wanted) if hasattr(source, "get_many") else source.read(partial(_get_many, wanted))
        for key, value in zip(wanted, found, strict=True):
            if value is None:
                raise Corrupt("a part of a blob is missing", corpus=corpus_id, sha256=digest)
            parts.append(unseal(keys.relative(key), value)[1])
    data = b"".join(parts)
    if len(data) != size_bytes or sha256_hex(data) != digest:
        raise Corrupt("a blob does not have its hash", corpus=corpus_id, sha256=digest)
    return data


def _get_many(wanted: list[bytes], transaction: Transaction) -> list[bytes | None]:
    return transaction.get_many(wanted)


def _size_bytes(row: Row) -> int:
    return len(row[0]) + len(row[1])
