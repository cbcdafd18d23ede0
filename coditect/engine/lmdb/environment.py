"""LMDB environments of this process: opened once each, counted, grown while nobody is inside.

Why a process-wide table: LMDB forbids a process to open an environment twice. Its locks are POSIX record locks, which
belong to the pair of process and file, so closing one of two handles would drop the locks of the other, and another
process could then reset the lock file under a running transaction. (For the same reason nothing here ever opens
``lock.mdb`` itself.) Two engines on one path in one process are ordinary, so they share an environment.

Why a gate: LMDB may only resize its map while no transaction of this process is active.

Why files are looked at around every write: LMDB goes on with files that were removed or replaced beneath it. Commits to a data
file without a name are lost, and two lock files are two writers at a time.

A store that cannot be written (a read-only file system, somebody else's files) is opened to be read. Where its lock file cannot be
written either, a writer elsewhere does not know of readers here, and may use pages again that they look at. LMDB's writer frees
pages in one transaction and uses them in a later one, so what was read is whole if no transaction was committed meanwhile:
:meth:`Environment.is_outrun` tells.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import lmdb
from lmdb.verify import VerifyError, verify

from coditect.engine.budget import refuse_nesting
from coditect.errors import Unavailable, UsageError

__all__ = ["READERS", "Environment", "acquire", "closed_here", "release"]

READERS = 1024
_SPARE_TRANSACTIONS = 1  # a reader takes the last one's memory
_DATA_FILE = "data.mdb"
_LOCK_FILE = "lock.mdb"


class Environment:
    """An open LMDB environment, and who is inside.

    Attributes:
        raw: py-lmdb's handle.
        durable: whether commits wait for the disk.
        writable: whether it was opened to be written.
        engines: how many engines share it; guarded by the table's lock.
        closing: the last engine has left; guarded by the table's lock.
        writer: held by the thread of this process that writes, or is about to.
    """

    def __init__(self, path: Path, map_size_bytes: int, *, durable: bool) -> None:
        self.raw = _open(path, map_size_bytes, durable=durable)
        self.path = path
        self.durable = durable
        flags = self.raw.flags()
        self.writable = not flags["readonly"]
        self._locked = self.writable or bool(flags["lock"])
        self._data, self._lock = ((name, _identity(name)) for name in (str(path / _DATA_FILE), str(path / _LOCK_FILE)))
        self.engines = 0
        self.closing = False
        self.writer = threading.Lock()
        self._gate = threading.Condition(threading.Lock())
        self._inside: set[int] = set()
        self._shut = False
        self._closed = False

    def check_not_inside(self) -> None:
        """Refuse a thread that already has a transaction here: it would wait for itself.

        Raises:
            UsageError: it has one.
        """
        if threading.get_ident() in self._inside:
            refuse_nesting()

    def enter(self) -> None:
        """Begin a transaction; waits while the map is being resized.

        Raises:
            UsageError: this thread already has one.
            Unavailable: closed meanwhile.
        """
        me = threading.get_ident()
        with self._gate:
            if me in self._inside:
                refuse_nesting()
            while self._shut:
                self._gate.wait()
            if self._closed:
                raise Unavailable("the store is closed", hint="open it again", path=str(self.path))
            self._inside.add(me)

    def check_lock(self) -> None:
        """Notice before a write that the lock file is not the one that was opened.

        Raises:
            Unavailable: it was removed or replaced; whoever opened the store since may write at the same time.
        """
        if _identity(self._lock[0]) != self._lock[1]:
            raise Unavailable(
                "the store's lock file was removed or replaced while it was open",
                hint="two programs may have written at once: end all that use the store, then validate it",
                path=str(self.path),
            )

    def check_data(self) -> None:
        """Notice after a commit that it went to a file that has lost its place.

        Raises:
            Unavailable: the store was removed or replaced.
        """
        if _identity(self._data[0]) != self._data[1]:
            raise Unavailable(
                "the store was removed or replaced while it was open",
                hint="what was written since is lost: open the store again, or restore it, and repeat what was done",
                path=str(self.path),
            )

    def is_outrun(self, snapshot: int) -> bool:
        """Whether a reader without a lock may have looked at pages that a writer elsewhere used again.

        Args:
            snapshot: the id of the transaction that it read.
        """
        return not self._locked and self.raw.info()["last_txnid"] != snapshot

    def leave(self) -> None:
        """End a transaction."""
        with self._gate:
            self._inside.discard(threading.get_ident())
            if not self._inside:
                self._gate.notify_all()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """With nobody inside: new transactions wait, running ones are waited for."""
        with self._gate:
            while self._shut:
                self._gate.wait()
            self._shut = True
            while self._inside:
                self._gate.wait()
        try:
            yield
        finally:
            with self._gate:
                self._shut = False
                self._gate.notify_all()

    def grow(self) -> None:
        """Make the map larger: as large as another process made it, else twice as large.

        Raises:
            Unavailable: no address space left.
        """
        with self._alone():
            # Readers that were killed keep pages from being used again.
            self.raw.reader_check()
            before_bytes = self.raw.info()["map_size"]
            self._resize(0)
            if self.raw.info()["map_size"] <= before_bytes:
                self._resize(2 * before_bytes)

    def adopt(self) -> None:
        """Take over the size that another process gave to the map.

        Raises:
            Unavailable: no address space left.
        """
        with self._alone():
            self._resize(0)

    def _resize(self, map_size_bytes: int) -> None:
        try:
            self.raw.set_mapsize(map_size_bytes)
        except (OverflowError, lmdb.Error) as error:
            raise Unavailable(
                "the store's map cannot grow",
                hint="allow this process more address space and open the store again",
                path=str(self.path),
                map_size_bytes=map_size_bytes,
            ) from error

    def clear_stale_readers(self) -> int:
        """Free the reader slots of processes that no longer live.

        Returns:
            How many there were.
        """
        return self.raw.reader_check()

    def close(self) -> None:
        """Close the handle when the last transaction has ended."""
        with self._alone():
            self._closed = True
            self.raw.close()


_OPENINGS = 20
"""Tries to open a store that other processes outgrow between the look at its size and the first transaction."""


def _open(path: Path, map_size_bytes: int, *, durable: bool) -> lmdb.Environment:
    for _ in range(_OPENINGS - 1):
        with suppress(lmdb.MapResizedError):
            return _open_once(path, map_size_bytes, durable=durable)
    try:
        return _open_once(path, map_size_bytes, durable=durable)
    except lmdb.MapResizedError as error:
        raise Unavailable("the store grows while it is opened", hint="try again", path=str(path)) from error


def _open_once(path: Path, map_size_bytes: int, *, durable: bool) -> lmdb.Environment:
    raw: lmdb.Environment | None = None
    try:
        path.mkdir(mode=stat.S_IRWXU, parents=True, exist_ok=True)
        raw = _opened_files(path, map_size_bytes, durable=durable)
        raw.reader_check()
        _check_length(raw, path / _DATA_FILE)
    except lmdb.MapResizedError:
        if raw is not None:
            raw.close()
        raise
    except (OSError, ValueError, OverflowError, lmdb.Error, VerifyError) as error:
        if raw is not None:
            raw.close()
        raise Unavailable(
            "the store cannot be opened",
            hint=f"check that {path} is a directory with an LMDB store, or none yet, and that you may write to it; "
            "a process that uses it must not be forked, but spawned",
            path=str(path),
            reason=str(error),
        ) from error
    return raw


def _opened_files(path: Path, map_size_bytes: int, *, durable: bool) -> lmdb.Environment:
    """LMDB's environment of a folder; one that can only be read where the files there cannot be written.

    Raises:
        lmdb.Error: it cannot be opened.
    """
    try:
        return lmdb.open(
            str(path),
            map_size=map_size_bytes,
            mode=stat.S_IRWXU,
            sync=durable,
            metasync=durable,
            max_readers=READERS,
            max_spare_txns=_SPARE_TRANSACTIONS,
        )
    except lmdb.Error:
        data, lock = path / _DATA_FILE, path / _LOCK_FILE
        lockable = os.access(lock, os.W_OK)
        readable_only = os.access(data, os.R_OK) and not (os.access(data, os.W_OK) and lockable)
        if not readable_only:
            raise
    return lmdb.open(
        str(path), map_size=map_size_bytes, readonly=True, lock=lockable, max_spare_txns=_SPARE_TRANSACTIONS
    )


def _check_length(raw: lmdb.Environment, data: Path) -> None:
    """Refuse a data file that was cut short; reading beyond its end would end the process with SIGBUS.

    A sound file may be shorter than its count of pages says, because LMDB need not write a page that was freed again in
    the transaction that allocated it. So only a short file is looked through, and by a reader that never maps it.

    Raises:
        lmdb.Error: pages in use are missing.
        VerifyError: not even the first pages can be made out.
    """
    wanted_bytes = (raw.info()["last_pgno"] + 1) * raw.stat()["psize"]
    if data.stat().st_size < wanted_bytes:
        # Within a write transaction nobody makes the file longer meanwhile.
        with nullcontext() if raw.flags()["readonly"] else raw.begin(write=True):
            problems = verify(str(data))  # type: ignore[no-untyped-call]
        if problems:
            raise lmdb.Error(problems[0])


_table: dict[tuple[int, int, int], Environment] = {}
_table_lock = threading.Condition()


def _renew_lock() -> None:
    # A child of fork() may have inherited the lock from a thread that it did not inherit.
    global _table_lock  # noqa: PLW0603 - the table is the process's, see the module's docstring
    _table_lock = threading.Condition()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_renew_lock)


def _identity(name: str) -> tuple[int, int] | None:
    """Which file stands under a name; None: there is none. It is not opened, see the module's docstring."""
    try:
        found = os.stat(name)  # noqa: PTH116 - around every write, and paths take twice as long
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _key(path: Path) -> tuple[int, int, int] | None:
    """Which environment lies at ``path``: the file, not its name, so that links and deleted stores are told apart.

    The process is part of it: what a forked child inherits is its parent's and must be neither used nor closed.
    """
    found = _identity(str(path / _DATA_FILE))
    return None if found is None else (*found, os.getpid())


def acquire(path: Path, map_size_bytes: int, *, durable: bool) -> Environment:
    """The environment at ``path``, opened if this process does not have it open.

    Args:
        path: its directory, absolute.
        map_size_bytes: the map's size if it must be opened.
        durable: whether commits wait for the disk.

    Raises:
        UsageError: it is open with another ``durable``.
        Unavailable: it cannot be opened.
    """
    with _table_lock:
        key = _key(path)
        while key in _table and _table[key].closing:
            _table_lock.wait()
            key = _key(path)
        environment = _table.get(key) if key is not None else None
        if environment is None:
            environment = Environment(path, map_size_bytes, durable=durable)
            key = _key(path)
            if key is not None:
                _table[key] = environment
        elif environment.durable != durable:
            raise UsageError("a store is open both durable and not", hint="choose one", path=str(path))
        environment.engines += 1
        return environment


def release(environment: Environment) -> None:
    """One engine less; the last one closes the environment."""
    with _table_lock:
        environment.engines -= 1
        if environment.engines:
            return
        environment.closing = True
    # Outside the lock, because it waits for bodies, which may open other stores.
    environment.close()
    with _table_lock:
        for key in [key for key, other in _table.items() if other is environment]:
            del _table[key]
        _table_lock.notify_all()


@contextmanager
def closed_here(path: Path) -> Iterator[None]:
    """A block in which this process does not have the environment at ``path`` open, and opens none; other threads wait.

    Raises:
        UsageError: it has.
    """
    with _table_lock:
        if _key(path) in _table:
            raise UsageError("this process has the store open", path=str(path), hint="Close it first.")
        yield
