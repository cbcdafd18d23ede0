"""Folders that threads and processes share: none is removed while somebody opens it.

A lease is the operating system's shared lock (``flock``) on the folder itself, so it ends with whoever holds it, killed or not.
Who removes a folder takes the exclusive lock, without waiting, and gives the folder another name first: who waited for a lease
then finds that nothing is there under the old one. Where a file system knows no locks, nothing is removed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["begun", "leased", "remove_abandoned", "remove_unused"]

_MAKING = ".making-"
_REMOVED = ".removed-"


@contextmanager
def leased(folder: Path) -> Iterator[bool]:
    """Keep a folder from being removed while the with statement lasts.

    Args:
        folder: it may be renamed meanwhile; the lease goes with it.
    Yields:
        whether it is there.
    """
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        yield False
        return
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_SH)
        yield _is_at(handle, folder)
    finally:
        os.close(handle)


@contextmanager
def begun(beside: Path, prefix: str = _MAKING) -> Iterator[Path]:
    """A new folder to be filled, leased; removed at the end unless it was renamed.

    Args:
        beside: where it lies; made if it is not there.
        prefix: what its name begins with.
    """
    beside.mkdir(parents=True, exist_ok=True)
    while True:
        work = Path(tempfile.mkdtemp(prefix=prefix, dir=beside))
        with leased(work) as there:
            if there:  # else it was taken for an abandoned one, in the moment before it was leased
                try:
                    yield work
                finally:
                    shutil.rmtree(work, ignore_errors=True)
                return


def remove_unused(folder: Path) -> bool:
    """Remove a folder that nobody leases.

    Returns:
        whether it is gone.
    """
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not _is_at(handle, folder):
            return True
        grave = Path(tempfile.mkdtemp(prefix=_REMOVED, dir=folder.parent))
        folder.rename(grave)
    except OSError:  # leased, or no such locks here
        return False
    finally:
        os.close(handle)
    shutil.rmtree(grave, ignore_errors=True)
    return True


def remove_abandoned(beside: Path) -> None:
    """Remove what killed processes left: folders that were never finished, and those that were on their way out."""
    for work in beside.glob(f"{_MAKING}*"):
        remove_unused(work)
    for grave in beside.glob(f"{_REMOVED}*"):
        shutil.rmtree(grave, ignore_errors=True)


def _is_at(handle: int, folder: Path) -> bool:
    """Whether an open folder is the one that a path names."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(handle), folder.stat())
    return False
