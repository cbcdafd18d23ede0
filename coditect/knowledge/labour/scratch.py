"""Folders of work that is under way, in the machine's temporary folder: gone with the work, or with the next one if it is killed.

Whoever works leases its folder (:mod:`coditect.engine.folders`), and a lease ends with the process, killed or not. What nobody
leases is removed before the next work begins, and when documents are erased: it may have their words. Where a file system knows no
locks, nothing is removed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from coditect.engine.folders import begun

__all__ = ["remove_abandoned", "scratch_folder"]

_PREFIX = "coditect-work-"
_FORMER = "coditect-build-"
"""Of folders up to 0.2.0's development: nobody holds them, at work or not, so they are told and left."""


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder for what is needed until the with statement ends; those that killed processes left go first."""
    remove_abandoned()
    with begun(Path(tempfile.gettempdir()), _PREFIX) as folder:
        yield folder


def remove_abandoned() -> list[Path]:
    """Remove this user's folders whose work was killed.

    Returns:
        Folders that stay, of whomever: somebody is at work in them, they cannot be removed, or an older release made them and
        they hold a file.
    """
    place = Path(tempfile.gettempdir())
    for folder in place.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # of others, held, or gone meanwhile
            _remove(folder)
    return sorted((*place.glob(f"{_PREFIX}*"), *filter(_may_hold, place.glob(f"{_FORMER}*"))))


def _may_hold(folder: Path) -> bool:
    """Whether a file is in a folder, or nobody can tell."""
    unread: list[OSError] = []
    files = any(files for _, _, files in os.walk(folder, onerror=unread.append))
    return files or any(not isinstance(each, FileNotFoundError) for each in unread)


def _remove(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(handle).st_uid == os.geteuid():
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder)
    finally:
        os.close(handle)
