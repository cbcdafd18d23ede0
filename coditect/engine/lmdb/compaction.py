"""What an LMDB store takes on disk, and a compact copy of it in its place.

LMDB uses the pages of removed rows again and never gives them back. A compact copy has none of them. It is made beside the store
and takes its place by one renaming, while nobody has the store open: whoever had would go on reading and writing the old file,
which has no name any more.

That nobody has it open is told by LMDB's own means. Every process that has an environment open holds a shared lock on the first
byte of ``lock.mdb``; whoever gets the exclusive one is alone, and whoever wants to open the store waits until it is given up.
What waits then goes on with the lock file as it finds it, which still tells of the transactions of the old file. So the lock file
is emptied before the renaming and made anew after it, both under the exclusive lock: a process that dies in between leaves a lock
file that LMDB refuses, or makes anew, and never one that speaks of another file.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import lmdb

from coditect.engine.batches import batches
from coditect.engine.lmdb.environment import READERS, acquire, closed_here, release
from coditect.errors import NotFound, Unavailable, UsageError

__all__ = ["Compaction", "FileSpace", "compact", "file_space"]

_DATA_FILE = "data.mdb"
_LOCK_FILE = "lock.mdb"
_COPY_PREFIX = "compact-"

_META_PAGES = 2
_APPENDED_BYTES = 16 << 20
"""Of rows that a transaction of a compaction writes: they are kept in memory until then."""

_MAP_BYTES = 1 << 30
"""Address space for a look at a store, of which LMDB takes the size of a larger one; and what a copy has beyond that."""


@dataclass(frozen=True, slots=True)
class FileSpace:
    """What a store takes on disk, all its tenants together.

    Attributes:
        file_bytes: length of the data file.
        free_bytes: pages of it that hold nothing and will be used again.
    """

    file_bytes: int
    free_bytes: int


@dataclass(frozen=True, slots=True)
class Compaction:
    """What a compaction did.

    Attributes:
        before_bytes: length of the data file before.
        after_bytes: and after.
    """

    before_bytes: int
    after_bytes: int


def file_space(path: Path) -> FileSpace:
    """What the store in a directory takes; takes no longer for a large one.

    Raises:
        Unavailable: it cannot be opened.
    """
    environment = acquire(path.absolute(), _MAP_BYTES, durable=True)
    try:
        pages = environment.raw.stat()
        used = _META_PAGES + sum(pages[kind] for kind in ("branch_pages", "leaf_pages", "overflow_pages"))
        file_bytes = (path / _DATA_FILE).stat().st_size
        return FileSpace(file_bytes, max(0, file_bytes - used * pages["psize"]))
    finally:
        release(environment)


def compact(path: Path) -> Compaction:
    """Put a compact copy of a store in its place. Until the last moment the store is as it was, also if this process dies.

    Needs room on the same disk for the copy: at most the length of the data file.

    Args:
        path: the store's directory.
    Raises:
        NotFound: there is no store.
        UsageError: this process has it open, or this system has no record locks.
        Unavailable: another process has it open, or the disk is full or failing; nothing was changed.
    """
    path = path.absolute()
    if not (path / _DATA_FILE).is_file():
        raise NotFound("no store here", path=str(path), hint="Check --store (CODITECT_STORE).")
    try:
        with closed_here(path), _alone(path) as lock:
            _clear_copies(path)  # of processes that died
            before_bytes = (path / _DATA_FILE).stat().st_size
            copy = Path(tempfile.mkdtemp(prefix=_COPY_PREFIX, dir=path))
            try:
                _copy(path, copy)
                _replace(path, copy, lock)
            finally:
                shutil.rmtree(copy, ignore_errors=True)
            return Compaction(before_bytes, (path / _DATA_FILE).stat().st_size)
    except (OSError, lmdb.Error) as error:
        raise Unavailable(
            "the store could not be compacted",
            hint="Make room on its disk, or look at the reason; the store is as it was.",
            path=str(path),
            reason=str(error),
        ) from error


@contextmanager
def _alone(path: Path) -> Iterator[int]:
    """The lock file, opened and locked, while no other process has the store open or can open it.

    Closing any handle on the lock file drops all locks that this process has on it, so it must not have the store open.

    Raises:
        Unavailable: another process has it open.
        UsageError: this system has no record locks.
    """
    try:
        import fcntl
    except ImportError as error:
        raise UsageError(
            "this system has no record locks, so nobody can tell whether the store is open",
            hint="Copy it with LMDB's own mdb_copy -c, and put the copy in its place, when no program uses it.",
        ) from error
    descriptor = os.open(path / _LOCK_FILE, os.O_RDWR | os.O_CREAT, stat.S_IRWXU)
    try:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0)
        except (BlockingIOError, PermissionError) as error:
            raise Unavailable(
                "another process has the store open",
                hint="End the programs that use it (on Linux 'fuser -v' with this lock file lists them), and run this again.",
                lock_file=str(path / _LOCK_FILE),
                processes=", ".join(map(str, _holders(descriptor))) or "unknown",
            ) from error
        yield descriptor
    finally:
        os.close(descriptor)


def _holders(descriptor: int) -> list[int]:
    """Ids of processes with a lock on an open file, where the system tells."""
    if not sys.platform.startswith("linux"):
        return []
    found = os.fstat(descriptor)
    name = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    processes: set[int] = set()
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            fields = line.split()
            if fields[5] == name:
                processes.add(int(fields[4]))
    return sorted(processes)


def _clear_copies(path: Path) -> None:
    for left in path.glob(f"{_COPY_PREFIX}*"):
        shutil.rmtree(left, ignore_errors=True)


def _copy(path: Path, copy: Path) -> None:
    """Write every row anew, in order, without LMDB's lock: it would give up ours for its own shared one.

    LMDB's own compact copy takes pages as they are, and what was removed from a page stands in its unused part until the page is
    written over: words that were erased would go on into the copy.
    """
    size_bytes = (path / _DATA_FILE).stat().st_size + _MAP_BYTES
    with (
        lmdb.open(str(path), readonly=True, lock=False) as raw,
        lmdb.open(str(copy), map_size=size_bytes, lock=False, sync=False) as fresh,
        raw.begin() as reading,
    ):
        for rows in batches(reading.cursor(), _size_bytes, _APPENDED_BYTES):
            with fresh.begin(write=True) as writing:
                for key, value in rows:
                    writing.put(key, value, append=True)
    _sync(copy / _DATA_FILE)


def _size_bytes(row: tuple[bytes, bytes]) -> int:
    return len(row[0]) + len(row[1])


def _replace(path: Path, copy: Path, lock: int) -> None:
    shutil.copymode(path / _DATA_FILE, copy / _DATA_FILE)
    os.ftruncate(lock, 0)
    (copy / _DATA_FILE).replace(path / _DATA_FILE)
    _sync(path)
    # Locks belong to the process, so LMDB gets the exclusive one here and makes its lock file anew, before others come in.
    lmdb.open(str(path), max_readers=READERS).close()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
