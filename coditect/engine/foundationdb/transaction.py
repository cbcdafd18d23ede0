"""What the bodies of the FoundationDB engine see: the port's transaction over the client's.

Nothing is translated here: an error of FoundationDB passes through the body to the engine's retry loop.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NoReturn

from coditect.engine.budget import (
    COUNTER_BYTES,
    Appended,
    bound,
    charge,
    charge_append,
    charge_range,
    page_bounds,
    storable,
    wrapped_sum,
)
from coditect.engine.foundationdb.client import NativeReader, NativeTransaction
from coditect.engine.port import Page
from coditect.engine.read_only import ReadOnly
from coditect.errors import UsageError

__all__ = ["Snapshot", "Writer"]

_STAMP = bytes(10)


class Snapshot(ReadOnly):
    """What a body of ``read`` sees.

    Args:
        reader: a transaction of the client, or its snapshot.
        exact: the client's number for "all rows in one answer".
        aside: the same reads without conflicts; None where ``reader`` makes none.
    """

    __slots__ = ("_aside", "_exact", "_reader")

    def __init__(self, reader: NativeReader, exact: int, aside: NativeReader | None = None) -> None:
        super().__init__()
        self._reader: NativeReader | None = reader
        self._aside = aside or reader
        self._exact = exact

    def finish(self) -> None:
        """From now on every use is refused: the transaction is being committed, reset or destroyed."""
        self._reader = None

    def _open(self, *, snapshot: bool = False) -> NativeReader:
        if self._reader is None:
            _refuse_finished()
        return self._aside if snapshot else self._reader

    def get(self, key: bytes) -> bytes | None:
        """See the port."""
        reader = self._open()
        return reader.get(key).value if storable(key) else None

    def get_many(self, keys: Sequence[bytes], *, snapshot: bool = False) -> list[bytes | None]:
        """See the port."""
        # All requests leave before the first answer is waited for; the client sends them together.
        get = self._open(snapshot=snapshot).get
        futures = [get(key) if storable(key) else None for key in keys]
        return [None if future is None else future.value for future in futures]

    def range(
        self,
        begin: bytes,
        end: bytes,
        *,
        limit: int = 1000,
        reverse: bool = False,
        continuation: bytes | None = None,
    ) -> Page:
        """See the port."""
        begin, end = page_bounds(begin, end, limit, reverse=reverse, continuation=continuation)
        reader = self._open()
        if begin >= end:
            return Page((), None)
        # One row more than asked for tells whether there is a next page. "exact" brings them in one answer.
        found = reader.get_range(begin, end, limit=limit + 1, reverse=reverse, streaming_mode=self._exact)
        rows = [(row.key, row.value) for row in found]
        if len(rows) > limit:
            rows.pop()
            return Page(tuple(rows), rows[-1][0])
        return Page(tuple(rows), None)


class Writer(Snapshot):
    """What a body of ``run`` sees. The client gives it its own writes back, except appends, which wait for the end.

    Args:
        raw: a transaction of the client.
        exact: as above.
    """

    __slots__ = ("_appended", "_raw", "_where")

    def __init__(self, raw: NativeTransaction, exact: int) -> None:
        super().__init__(raw, exact, raw.snapshot)
        self._raw: NativeTransaction | None = raw
        self._appended: list[tuple[bytes, bytes]] = []
        self._where = Appended()

    def finish(self) -> None:
        """See above."""
        super().finish()
        self._raw = None

    def _writable(self) -> NativeTransaction:
        if self._raw is None:
            _refuse_finished()
        return self._raw

    def set(self, key: bytes, value: bytes) -> None:
        """See the port."""
        raw = self._writable()
        self._size_bytes = charge(self._size_bytes, key, len(value))
        raw.set(key, value)

    def clear(self, key: bytes) -> None:
        """See the port."""
        raw = self._writable()
        self._size_bytes = charge(self._size_bytes, key, 0)
        self._where.clear(key, key + b"\x00")
        raw.clear(key)

    def clear_range(self, begin: bytes, end: bytes) -> None:
        """See the port."""
        raw = self._writable()
        begin, end = bound(begin), bound(end)
        self._size_bytes = charge_range(self._size_bytes, begin, end)
        self._where.clear(begin, end)
        if begin < end:  # the client calls an inverted range an error
            raw.clear_range(begin, end)

    def add(self, key: bytes, delta: int) -> None:
        """See the port."""
        raw = self._writable()
        self._size_bytes = charge(self._size_bytes, key, COUNTER_BYTES)
        raw.add(key, wrapped_sum(None, delta))

    def append(self, prefix: bytes, value: bytes) -> None:
        """See the port."""
        self._writable()
        self._size_bytes = charge_append(self._size_bytes, prefix, len(value), len(self._appended))
        self._where.append(prefix)
        self._appended.append((prefix, value))

    def store_appended(self) -> None:
        """Write what was appended, at the end of the body.

        FoundationDB makes the whole span of a possible versionstamp unreadable (1036) once one is pending there; the
        body may still read what was in its log before.
        """
        raw = self._writable()
        for place, (prefix, value) in enumerate(self._appended):
            key = prefix + _STAMP + place.to_bytes(2, "big") + struct.pack("<L", len(prefix))
            raw.set_versionstamped_key(key, value)


def _refuse_finished() -> NoReturn:
    raise UsageError("a transaction was used after its end", hint="return what the body read, not a generator over it")
