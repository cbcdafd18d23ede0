"""A store that keeps what is written to itself: for trying what a change would do, with all that is there, and forgetting it.

Reads see the store beneath where nothing was written; writes go to a store beside it. The one beneath is never changed.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import TypeVar

from coditect.engine.budget import COUNTER_BYTES, SEQUENCE_BYTES, Appended, bound, charge, page_bounds, wrapped_sum
from coditect.engine.port import Engine, Page, Transaction
from coditect.engine.sequential import SequentialEngine

__all__ = ["ScratchEngine", "open_beside"]

T = TypeVar("T")
Row = tuple[bytes, bytes]

_AFTER = b"\xfe"
_DIGITS = SEQUENCE_BYTES - len(_AFTER)


class ScratchEngine(SequentialEngine):
    """See :class:`coditect.engine.port.Engine`. One writer at a time; others may write beneath, and what they write is seen.

    Args:
        beneath: is only read.
        beside: takes the writes; belongs to this engine, and is closed with it. The one beneath is left open.
    """

    def __init__(self, beneath: Engine, beside: Engine) -> None:
        self._beneath = beneath
        self._beside = beside
        self._gone: frozenset[bytes] = frozenset()

    @property
    def url(self) -> str:
        """That of the store beneath."""
        return self._beneath.url

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` and keep what it writes aside."""

        def whole(beside: Transaction) -> tuple[T, frozenset[bytes]]:
            def on(beneath: Transaction) -> tuple[T, frozenset[bytes]]:
                both = _Both(beneath, beside, set(self._gone))
                return fn(both), frozenset(both.gone)

            return self._beneath.read(on)

        result, self._gone = self._beside.run(whole)
        return result

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` on what is beneath and beside."""
        return self._beside.read(
            lambda beside: self._beneath.read(lambda beneath: fn(_Both(beneath, beside, set(self._gone))))
        )

    def close(self) -> None:
        """Forget what was written."""
        self._beside.close()


class _Both:
    """A transaction beside, over a snapshot beneath.

    Attributes:
        gone: keys beneath that were cleared.
    """

    def __init__(self, beneath: Transaction, beside: Transaction, gone: set[bytes]) -> None:
        self._beneath = beneath
        self._beside = beside
        self.gone = gone
        self._where = Appended()

    def get(self, key: bytes) -> bytes | None:
        """The value beside, else beneath; None where there is none."""
        return self.get_many([key])[0]

    def get_many(self, keys: Sequence[bytes], *, snapshot: bool = False) -> list[bytes | None]:
        """The values of keys in their order: beside, else beneath where the key was not cleared; None where there is none."""
        own = self._beside.get_many(keys)
        missing = [key for key, value in zip(keys, own, strict=True) if value is None and key not in self.gone]
        found = dict(zip(missing, self._beneath.get_many(missing), strict=True)) if missing else {}
        return [value if value is not None else found.get(key) for key, value in zip(keys, own, strict=True)]

    def range(
        self,
        begin: bytes,
        end: bytes,
        *,
        limit: int = 1000,
        reverse: bool = False,
        continuation: bytes | None = None,
    ) -> Page:
        """At most ``limit`` rows of both, by key; of one key what is beside counts."""
        begin, end = page_bounds(begin, end, limit, reverse=reverse, continuation=continuation)
        found = self._rows(begin, end, reverse)
        rows = tuple(islice(found, limit))
        more = next(found, None) is not None
        return Page(rows, rows[-1][0] if more else None)

    def _rows(self, begin: bytes, end: bytes, reverse: bool) -> Iterator[Row]:
        own = _all(self._beside, begin, end, reverse=reverse)
        others = (row for row in _all(self._beneath, begin, end, reverse=reverse) if row[0] not in self.gone)
        last = None
        # Of equal keys the first source comes first.
        for key, value in heapq.merge(own, others, key=itemgetter(0), reverse=reverse):
            if key != last:
                yield key, value
            last = key

    def set(self, key: bytes, value: bytes) -> None:
        """Write a value beside."""
        self._beside.set(key, value)
        self.gone.discard(key)

    def clear(self, key: bytes) -> None:
        """Remove a key beside, and hide it beneath."""
        self._where.clear(key, key + b"\x00")
        self._beside.clear(key)
        self.gone.add(key)

    def clear_range(self, begin: bytes, end: bytes) -> None:
        """Remove every key from ``begin`` up to, but not with, ``end`` beside, and hide those beneath."""
        self._where.clear(begin, end)
        self._beside.clear_range(begin, end)
        self.gone.update(key for key, _ in _all(self._beneath, bound(begin), bound(end)))

    def add(self, key: bytes, delta: int) -> None:
        """Write beside the sum of a counter and ``delta``, which wraps around at 8 bytes."""
        charge(self._beside.size_bytes, key, COUNTER_BYTES)
        self.set(key, wrapped_sum(self.get(key), delta))

    def append(self, prefix: bytes, value: bytes) -> None:
        """Write a value beside, behind all others with a prefix that are beside or beneath."""
        self._where.append(prefix)
        # A sequence that the store beneath is far from: events written here come after its own.
        last = self._beside.range(prefix + _AFTER, prefix + b"\xff", limit=1, reverse=True).rows
        number = int.from_bytes(last[0][0][-_DIGITS:], "big") + 1 if last else 0
        self.set(prefix + _AFTER + number.to_bytes(_DIGITS, "big"), value)

    @property
    def size_bytes(self) -> int:
        """What was written beside, in bytes, as the limits count it."""
        return self._beside.size_bytes


def _all(transaction: Transaction, begin: bytes, end: bytes, *, reverse: bool = False) -> Iterator[Row]:
    continuation: bytes | None = None
    while True:
        page = transaction.range(begin, end, reverse=reverse, continuation=continuation)
        yield from page.rows
        continuation = page.continuation
        if continuation is None:
            return


def open_beside(folder: Path) -> Engine:
    """An empty store for what is written aside.

    Args:
        folder: where it may grow; the caller removes it.
    """
    from coditect.engine.lmdb.engine import LmdbEngine

    return LmdbEngine(folder / "scratch")
