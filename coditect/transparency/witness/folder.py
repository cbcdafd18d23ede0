"""What a witness remembers, in a folder: one file for each log, replaced as a whole, and one that is locked meanwhile."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from coditect.errors import InvalidProof, UsageError
from coditect.transparency.checkpoints import Checkpoint

__all__ = ["FolderLastSeen"]


class FolderLastSeen:
    """See :class:`coditect.transparency.witness.judgement.LastSeen`. Safe for threads and for processes on one machine.

    Args:
        folder: made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    @contextmanager
    def held(self, origin: str) -> Iterator[Checkpoint | None]:
        """The newest checkpoint of a log, locked.

        Raises:
            UsageError: what is kept cannot be read: a witness that forgot would cosign a second history.
        """
        place = self._place(origin)
        with place.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            try:
                yield Checkpoint.parse(place.read_text("utf-8")) if place.exists() else None
            except InvalidProof as error:
                raise UsageError("what this witness remembers of a log cannot be read", path=str(place)) from error

    def keep(self, checkpoint: Checkpoint) -> None:
        """Replace what is kept of a log, on disk when this returns."""
        place = self._place(checkpoint.origin)
        fresh = place.with_suffix(".new")
        with fresh.open("w", encoding="utf-8") as file:
            file.write(checkpoint.text)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(place)
        descriptor = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _place(self, origin: str) -> Path:
        return self._folder / f"{hashlib.sha256(origin.encode()).hexdigest()[:32]}.checkpoint"
