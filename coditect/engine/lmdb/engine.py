"""The embedded engine: one LMDB environment on this machine, shared by any number of threads and processes.

LMDB gives one writer at a time across all processes, and readers that never block and never see half a transaction.
What this module adds is the port's contract (:mod:`coditect.engine.port`), the shared limits
(:mod:`coditect.engine.budget`), a map that grows by itself, and one environment per process however often it is opened
(:mod:`coditect.engine.lmdb.environment`).

An appended key is its prefix, then 8 bytes commit sequence, 2 bytes zero and 2 bytes place within the transaction, all
big-endian. The commit sequence is LMDB's own transaction id, which grows with every commit of any process and survives
a cleared range; where a restored compact copy made that id start again, it is one more than the last in the prefix.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

import lmdb

from coditect.engine.budget import (
    COUNTER_BYTES,
    SEQUENCE_BYTES,
    Appended,
    bound,
    charge,
    charge_append,
    charge_range,
    page_bounds,
    wrapped_sum,
)
from coditect.engine.lmdb.environment import Environment, acquire, release
from coditect.engine.port import Page, Transaction
from coditect.engine.read_only import ReadOnly
from coditect.engine.sequential import SequentialEngine
from coditect.errors import Conflict, Corrupt, StoreError, TooLarge, Unavailable, Unwritable, UsageError

if TYPE_CHECKING:
    from lmdb import Transaction as RawTransaction

__all__ = ["LmdbEngine"]

T = TypeVar("T")

_LEAST_MAP_BYTES = 1 << 16
_LAST_SEQUENCE = (1 << 64) - 1


class LmdbEngine(SequentialEngine):
    """A store in a directory of this machine. See :class:`coditect.engine.port.Engine`.

    Args:
        path: the directory; made, with its parents, for this user alone (mode 0700).
        map_size_bytes: address space reserved at first, >= 65,536; doubled whenever it is full. Not disk space.
        retries: how often a transaction starts again because other processes grew the store or held all reader slots.
        durable: whether a commit waits for the disk. Without it, a power cut may corrupt the store.

    Raises:
        UsageError: an argument out of range, or the path is already open here with another ``durable``.
        Unavailable: there is no LMDB store at ``path`` and none can be made.

    A store whose files cannot be written is opened to be read; :meth:`run` then raises ``Unwritable``.
    """

    def __init__(self, path: Path, *, map_size_bytes: int = 1 << 30, retries: int = 5, durable: bool = True) -> None:
        if map_size_bytes < _LEAST_MAP_BYTES:
            raise UsageError("the map is too small", map_size_bytes=map_size_bytes, lowest=_LEAST_MAP_BYTES)
        if retries < 0:
            raise UsageError("retries cannot be negative", retries=retries)
        self._path = Path(path).absolute()
        self._retries = retries
        self._pid = os.getpid()
        self._closing = threading.Lock()
        self._environment: Environment | None = acquire(self._path, map_size_bytes, durable=durable)

    keeps_removed = True
    """Pages that were freed keep their words until they are used again."""

    @property
    def url(self) -> str:
        """What it was opened with: ``lmdb://`` and the absolute path."""
        return f"lmdb://{self._path}"

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` in the one write transaction, commit to disk.

        ``fn`` runs again when the map had to grow.

        Raises:
            UsageError: called from within another body on this store.
            Conflict: retries ran out.
            TooLarge: over a limit; nothing was written.
            Unwritable: the store can only be read.
            Unavailable: closed, forked, the disk is full or failing, or the store's files were removed or replaced.
            Corrupt: damaged pages.
        """
        environment = self._opened()
        environment.check_not_inside()
        if not environment.writable:
            raise Unwritable(
                "the store can be read and not be written",
                hint="use one with files that you may write to; questions, reports and exports need no more than to read",
                path=str(self._path),
            )
        # Threads queue here and not inside LMDB, so that whoever grows the map need not wait for those still waiting.
        with environment.writer:
            return self._retry(environment, fn, _commit)

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` on a snapshot. Raises as :meth:`run` does, and UsageError for a write."""
        return self._retry(self._opened(), fn, _look)

    def close(self) -> None:
        """Release the store, after the transactions of other threads have ended. Closing twice is fine.

        Raises:
            UsageError: called from within a body on this store.
        """
        with self._closing:
            environment = self._environment
            # In a forked child it is the parent's: closing it there would drop locks that the parent relies on.
            mine = os.getpid() == self._pid
            if environment is not None and mine:
                environment.check_not_inside()
            self._environment = None
        if environment is not None and mine:
            release(environment)

    def _opened(self) -> Environment:
        environment = self._environment
        if environment is None:
            raise Unavailable("the store is closed", hint="open it again", url=self.url)
        if os.getpid() != self._pid:
            raise Unavailable(
                "the store was opened before a fork",
                hint="start the process with spawn and open the store in it",
                url=self.url,
            )
        return environment

    def _retry(
        self,
        environment: Environment,
        fn: Callable[[Transaction], T],
        once: Callable[[Environment, Callable[[Transaction], T]], T],
    ) -> T:
        restarts = 0
        while True:
            try:
                return once(environment, fn)
            except lmdb.MapFullError:
                # Not counted: each time the map is twice as large, so this ends.
                environment.grow()
                continue
            except lmdb.MapResizedError:
                environment.adopt()
            except _OutrunError:
                pass  # seen on a newer snapshot, if it is quick enough
            except lmdb.ReadersFullError as error:
                if not environment.clear_stale_readers():
                    raise _translated(error, self._path) from error
            except lmdb.Error as error:
                raise _translated(error, self._path) from error
            restarts += 1
            if restarts > self._retries:
                raise Conflict("retries ran out", hint="try again", url=self.url, retries=self._retries)


class _OutrunError(Exception):
    """A reader without a lock was overtaken by a writer."""


def _commit(environment: Environment, fn: Callable[[Transaction], T]) -> T:
    environment.enter()
    try:
        environment.check_lock()
        # Readers that were killed hold pages that could be used again: without this, the file grows for as long as we write.
        environment.clear_stale_readers()
        raw = environment.raw.begin(write=True)
        body = _Writer(raw)
        try:
            result = fn(body)
            body.store_appended()
            raw.commit()
        finally:
            raw.abort()  # does nothing after a commit
            body.finish()
        environment.check_data()
        return result
    finally:
        environment.leave()


def _look(environment: Environment, fn: Callable[[Transaction], T]) -> T:
    environment.enter()
    try:
        raw = environment.raw.begin()
        body = _Snapshot(raw)
        try:
            result = fn(body)
        except Exception as error:
            # Whatever a body raises of pages that were used again beneath it; anything else goes on.
            if environment.is_outrun(raw.id()):
                raise _OutrunError from error
            raise
        else:
            if environment.is_outrun(raw.id()):
                raise _OutrunError
            return result
        finally:
            raw.abort()
            body.finish()
    finally:
        environment.leave()


class _Snapshot(ReadOnly):
    """What a body of ``read`` sees."""

    __slots__ = ("_cursor", "_get")

    def __init__(self, raw: RawTransaction[bytes]) -> None:
        super().__init__()
        self._get: Callable[[bytes], bytes | None] = raw.get
        self._cursor: Callable[[], lmdb.Cursor[bytes]] = raw.cursor

    def finish(self) -> None:
        """From now on every use is refused: a body that let its transaction escape would read freed pages."""
        self._get = _finished
        self._cursor = _finished

    def get(self, key: bytes) -> bytes | None:
        """The value of a key; None where there is none, and of the empty key."""
        return self._get(key) if key else None

    def get_many(self, keys: Sequence[bytes], *, snapshot: bool = False) -> list[bytes | None]:
        """The values of keys in their order, None where there is none; ``snapshot`` changes nothing here."""
        # One call each is faster than Cursor.getmulti, which leaves absent keys out and so needs a dictionary to order
        # its answer; sorting the keys first does not pay either (500,000 records, 10 to 1,000 keys at a time).
        get = self._get
        return [get(key) if key else None for key in keys]

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
        page = _backward if reverse else _forward
        return page(self._cursor(), begin, end, limit)


class _Writer(_Snapshot):
    """What a body of ``run`` sees. LMDB itself gives it its own writes back, except appends, which wait for the end."""

    __slots__ = ("_appended", "_delete", "_places", "_put", "_sequence", "_where")

    def __init__(self, raw: RawTransaction[bytes]) -> None:
        super().__init__(raw)
        self._put: Callable[..., bool] = raw.put
        self._delete: Callable[[bytes], bool] = raw.delete
        self._sequence: Callable[[], int] = raw.id
        self._appended: list[tuple[bytes, bytes]] = []
        self._places: dict[bytes, tuple[bytes, int]] = {}
        self._where = Appended()

    def finish(self) -> None:
        """As for a snapshot; nothing is written from now on, either."""
        super().finish()
        self._put = _finished
        self._delete = _finished
        self._sequence = _finished

    def set(self, key: bytes, value: bytes) -> None:
        """Write a value; TooLarge of a key, a value or a transaction beyond the limits."""
        self._size_bytes = charge(self._size_bytes, key, len(value))
        self._put(key, value)

    def clear(self, key: bytes) -> None:
        """Remove a key; one that is not there is no error."""
        self._size_bytes = charge(self._size_bytes, key, 0)
        self._where.clear(key, key + b"\x00")
        self._delete(key)

    def clear_range(self, begin: bytes, end: bytes) -> None:
        """Remove every key from ``begin`` up to, but not with, ``end``; an inverted range is empty."""
        begin, end = bound(begin), bound(end)
        self._size_bytes = charge_range(self._size_bytes, begin, end)
        self._where.clear(begin, end)
        cursor = self._cursor()
        if cursor.set_range(begin):
            # delete() steps to the next record; behind the last one the key is empty.
            while b"" < cursor.key() < end:
                cursor.delete()

    def add(self, key: bytes, delta: int) -> None:
        """Add to the counter of a key, little-endian, 8 bytes, which wraps around; 0 where there is none."""
        self._size_bytes = charge(self._size_bytes, key, COUNTER_BYTES)
        self._put(key, wrapped_sum(self._get(key), delta))

    def append(self, prefix: bytes, value: bytes) -> None:
        """Write a value behind all others with a prefix, in the order of commits; nothing of this transaction reads it back."""
        self._size_bytes = charge_append(self._size_bytes, prefix, len(value), len(self._appended))
        self._where.append(prefix)
        head, place = self._places.get(prefix) or (prefix + self._next_sequence(prefix), 0)
        self._places[prefix] = (head, place + 1)
        self._appended.append((head + place.to_bytes(4, "big"), value))

    def _next_sequence(self, prefix: bytes) -> bytes:
        cursor = self._cursor()
        found = cursor.prev() if cursor.set_range(prefix + b"\xff" * SEQUENCE_BYTES) else cursor.last()
        last = 0
        if found:
            key = cursor.key()
            if key.startswith(prefix) and len(key) == len(prefix) + SEQUENCE_BYTES:
                last = int.from_bytes(key[len(prefix) : len(prefix) + 8], "big")
        return min(max(self._sequence(), last + 1), _LAST_SEQUENCE).to_bytes(8, "big")

    def store_appended(self) -> None:
        """Write what was appended, at the end of the body, so that the body cannot read it."""
        for key, value in self._appended:
            if not self._put(key, value, overwrite=False):
                raise Corrupt("an appended key exists already", hint="use a prefix of its own", key=repr(key[:40]))


def _forward(cursor: lmdb.Cursor[bytes], begin: bytes, end: bytes, limit: int) -> Page:
    rows: list[tuple[bytes, bytes]] = []
    if cursor.set_range(begin):
        for row in cursor.iternext():
            if row[0] >= end:
                break
            if len(rows) == limit:
                return Page(tuple(rows), rows[-1][0])
            rows.append(row)
    return Page(tuple(rows), None)


def _backward(cursor: lmdb.Cursor[bytes], begin: bytes, end: bytes, limit: int) -> Page:
    rows: list[tuple[bytes, bytes]] = []
    if cursor.prev() if cursor.set_range(end) else cursor.last():
        for row in cursor.iterprev():
            if row[0] < begin:
                break
            if len(rows) == limit:
                return Page(tuple(rows), rows[-1][0])
            rows.append(row)
    return Page(tuple(rows), None)


def _finished(*_args: object, **_keywords: object) -> NoReturn:
    raise UsageError("a transaction was used after its end", hint="return what the body read, not a generator over it")


_CUT_SHORT = "Input/output error"
"""What LMDB says where the system wrote less than it was given: the disk is full, or it fails."""

_NO_ROOM = 1 << 20
"""Free bytes below which a disk is full: a transaction may take as much."""


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path).free < _NO_ROOM
    except OSError:
        return False


def _translated(error: lmdb.Error, path: Path) -> StoreError:
    """LMDB's error as the port's."""
    reason = str(error)
    if isinstance(error, lmdb.CorruptedError | lmdb.PageNotFoundError):
        return Corrupt("the store is damaged", hint="restore it from a backup", path=str(path), reason=reason)
    if isinstance(error, lmdb.TxnFullError):
        return TooLarge("a transaction changes too many pages", hint="clear in smaller ranges", path=str(path))
    if isinstance(error, lmdb.DiskError) or (_CUT_SHORT in reason and _is_full(path)):
        return Unavailable("the disk is full", hint="make room and try again", path=str(path))
    if isinstance(error, lmdb.ReadersFullError):
        return Unavailable("all reader slots are taken", hint="run fewer readers at once", path=str(path))
    return Unavailable(
        "the store does not answer",
        hint=f"check the disk and the rights on {path}, then open the store again",
        path=str(path),
        reason=reason,
    )
