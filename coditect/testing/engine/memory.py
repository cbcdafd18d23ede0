"""A perfect engine in memory: the whole port, the shared limits, and nothing that can fail.

For tests of the layers above. With ``rerun=True`` it behaves like a cluster on its worst day: every body is committed
and then run and committed once more, as after FoundationDB's ``commit_unknown_result``; code that passes on it is
idempotent.
"""

from __future__ import annotations

import threading
from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from coditect.engine.budget import (
    COUNTER_BYTES,
    Appended,
    bound,
    charge,
    charge_append,
    charge_range,
    page_bounds,
    refuse_nesting,
    wrapped_sum,
)
from coditect.engine.port import Page, Transaction
from coditect.engine.read_only import ReadOnly
from coditect.engine.sequential import SequentialEngine
from coditect.errors import Unavailable, UsageError

__all__ = ["MemoryEngine", "MemoryStore"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _State:
    """What is stored after a commit. Never changed once it is an engine's state, so a reader's snapshot is free."""

    keys: list[bytes] = field(default_factory=list)
    values: dict[bytes, bytes] = field(default_factory=dict)
    commits: int = 0


class MemoryStore:
    """What engines in memory share, as engines on disk share a path.

    Attributes:
        state: what is committed.
        writer: held by whoever changes it.
        inside: the threads that are in a transaction.
    """

    def __init__(self) -> None:
        self.state = _State()
        self.writer = threading.Lock()
        self.inside: set[int] = set()


class MemoryEngine(SequentialEngine):
    """See :class:`coditect.engine.port.Engine`. A commit costs time in proportion to what is stored: for tests only.

    Args:
        store: open this one instead of a new one.
        rerun: commit every body of ``run`` twice.
    """

    def __init__(self, store: MemoryStore | None = None, *, rerun: bool = False) -> None:
        self._store = store or MemoryStore()
        self._rerun = rerun
        self._closed = False

    @property
    def url(self) -> str:
        """Always ``memory://``."""
        return "memory://"

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` alone and commit; with ``rerun``, do it again and return the second result."""
        self._check_usable()
        with self._store.writer:
            result = self._commit(fn)
            return self._commit(fn) if self._rerun else result

    def _commit(self, fn: Callable[[Transaction], T]) -> T:
        before = self._store.state
        after = _State(list(before.keys), dict(before.values), before.commits + 1)
        body = _Writer(after)

        def whole(transaction: Transaction) -> T:
            result = fn(transaction)
            body.store_appended()
            return result

        result = self._body(whole, body)
        self._store.state = after
        return result

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` on what is committed now."""
        self._check_usable()
        return self._body(fn, _Snapshot(self._store.state))

    def _body(self, fn: Callable[[Transaction], T], body: _Snapshot) -> T:
        me = threading.get_ident()
        self._store.inside.add(me)
        try:
            return fn(body)
        finally:
            self._store.inside.discard(me)
            body.finished = True

    def _check_usable(self) -> None:
        if self._closed:
            raise Unavailable("the store is closed", hint="open it again", url=self.url)
        if threading.get_ident() in self._store.inside:
            refuse_nesting()

    def close(self) -> None:
        """Release the store. It is gone with the last reference to it."""
        if threading.get_ident() in self._store.inside:
            refuse_nesting()
        self._closed = True


class _Snapshot(ReadOnly):
    """What a body of ``read`` sees."""

    def __init__(self, state: _State) -> None:
        super().__init__()
        self._stored = state
        self.finished = False

    @property
    def state(self) -> _State:
        """What it sees, while its body runs."""
        if self.finished:
            raise UsageError("a transaction was used after its end", hint="return what the body read")
        return self._stored

    def get(self, key: bytes) -> bytes | None:
        """The value of a key; None where there is none."""
        return self.state.values.get(key)

    def get_many(self, keys: Sequence[bytes], *, snapshot: bool = False) -> list[bytes | None]:
        """The values of keys in their order, None where there is none; ``snapshot`` changes nothing here."""
        values = self.state.values
        return [values.get(key) for key in keys]

    def range(
        self,
        begin: bytes,
        end: bytes,
        *,
        limit: int = 1000,
        reverse: bool = False,
        continuation: bytes | None = None,
    ) -> Page:
        """At most ``limit`` rows from ``begin`` to before ``end``; from the end if ``reverse``, or behind an earlier page."""
        begin, end = page_bounds(begin, end, limit, reverse=reverse, continuation=continuation)
        keys, values = self.state.keys, self.state.values
        chosen = keys[bisect_left(keys, begin) : bisect_left(keys, end)]
        if reverse:
            chosen.reverse()
        rows = tuple((key, values[key]) for key in chosen[:limit])
        return Page(rows, rows[-1][0] if len(chosen) > limit else None)


class _Writer(_Snapshot):
    """What a body of ``run`` sees: a copy of its own, which it changes."""

    def __init__(self, state: _State) -> None:
        super().__init__(state)
        self._appended: list[tuple[bytes, bytes]] = []
        self._where = Appended()

    def _put(self, key: bytes, value: bytes) -> None:
        if key not in self.state.values:
            insort(self.state.keys, key)
        self.state.values[key] = value

    def set(self, key: bytes, value: bytes) -> None:
        """Write a value; TooLarge of a key, a value or a transaction beyond the limits."""
        self._size_bytes = charge(self._size_bytes, key, len(value))
        self._put(key, value)

    def clear(self, key: bytes) -> None:
        """Remove a key; one that is not there is no error."""
        self._size_bytes = charge(self._size_bytes, key, 0)
        self._where.clear(key, key + b"\x00")
        if self.state.values.pop(key, None) is not None:
            del self.state.keys[bisect_left(self.state.keys, key)]

    def clear_range(self, begin: bytes, end: bytes) -> None:
        """Remove every key from ``begin`` up to, but not with, ``end``; an inverted range is empty."""
        begin, end = bound(begin), bound(end)
        self._size_bytes = charge_range(self._size_bytes, begin, end)
        self._where.clear(begin, end)
        keys = self.state.keys
        gone = slice(bisect_left(keys, begin), bisect_left(keys, end))
        for key in keys[gone]:
            del self.state.values[key]
        # An inverted range is an empty one; deleting the slice would be a no-op for it too.
        del keys[gone]

    def add(self, key: bytes, delta: int) -> None:
        """Add to the counter of a key, little-endian, 8 bytes, which wraps around; 0 where there is none."""
        self._size_bytes = charge(self._size_bytes, key, COUNTER_BYTES)
        self._put(key, wrapped_sum(self.state.values.get(key), delta))

    def append(self, prefix: bytes, value: bytes) -> None:
        """Write a value behind all others with a prefix, in the order of commits; nothing of this transaction reads it back."""
        self._size_bytes = charge_append(self._size_bytes, prefix, len(value), len(self._appended))
        self._where.append(prefix)
        sequence = self.state.commits.to_bytes(8, "big") + len(self._appended).to_bytes(4, "big")
        self._appended.append((prefix + sequence, value))

    def store_appended(self) -> None:
        """Write what was appended, at the end of the body, so that the body cannot read it."""
        for key, value in self._appended:
            self._put(key, value)
