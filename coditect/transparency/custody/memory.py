"""The memory beside a log's key: the last checkpoint that was signed with it, in a file that no restored store brings back.

A store can be put back as it was last month, with its log and its last checkpoint; then it agrees with itself. Who signs with the
key remembers what was signed last, and refuses to sign a log that does not continue it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from coditect.errors import InvalidProof, Unwritable, UsageError
from coditect.transparency.checkpoints import Checkpoint, open_checkpoint
from coditect.transparency.notes import VerifierKey

__all__ = ["CheckpointMemory", "FileMemory"]

SUFFIX = ".checkpoint"
"""What the name of the file has behind that of the key's."""


class CheckpointMemory(Protocol):
    """Where who signs remembers what was signed last."""

    def last(self, key: VerifierKey) -> Checkpoint | None:
        """The newest checkpoint that is remembered; None where none is.

        Args:
            key: that signed it.

        Raises:
            InvalidProof: what is remembered was changed.
        """
        ...

    def keep(self, note: str, key: VerifierKey) -> None:
        """Remember a signed checkpoint, where it is newer than the one that is remembered."""
        ...

    @property
    def place(self) -> str:
        """Where that is, for messages."""
        ...


class FileMemory:
    """A file beside the key's.

    Args:
        key_file: the file with the key.
    """

    def __init__(self, key_file: Path) -> None:
        self._file = key_file.with_name(key_file.name + SUFFIX)

    @property
    def place(self) -> str:
        """The file."""
        return str(self._file)

    def last(self, key: VerifierKey) -> Checkpoint | None:
        """The checkpoint in the file. See :meth:`CheckpointMemory.last`."""
        try:
            raw = self._file.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise UsageError(
                "the memory of the log's key cannot be read", file=self.place, reason=str(error)
            ) from error
        try:
            return open_checkpoint(raw, [key]).checkpoint
        except InvalidProof as error:
            raise InvalidProof(
                "what stands beside the log's key was not signed with it",
                file=self.place,
                reason=error.message,
                hint="Was the key replaced by another of the same name? Then move this file away, and keep it for your auditors.",
            ) from error

    def keep(self, note: str, key: VerifierKey) -> None:
        """Write the file anew, whole or not at all; of two processes, the newer checkpoint stays."""
        wanted = open_checkpoint(note.encode(), [key]).checkpoint
        try:
            with self._locked():
                before = self.last(key)
                if before is not None and before.size >= wanted.size:
                    return
                fresh = self._file.with_name(f"{self._file.name}.{os.getpid()}.new")
                with fresh.open("wb") as file:
                    file.write(note.encode())
                    file.flush()
                    os.fsync(file.fileno())
                fresh.replace(self._file)
        except OSError as error:
            raise Unwritable(
                "the memory of the log's key cannot be written", file=self.place, reason=str(error)
            ) from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        descriptor = os.open(self._file.with_name(self._file.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)
