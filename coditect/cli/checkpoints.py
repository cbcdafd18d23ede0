"""Checkpoints of the log that somebody kept in files."""

from __future__ import annotations

from pathlib import Path

from coditect.errors import InvalidProof, UsageError
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.notes import Note

__all__ = ["read_checkpoint"]


def read_checkpoint(path: Path) -> bytes:
    """The bytes of a checkpoint that somebody kept in a file.

    Raises:
        UsageError: it cannot be read, or is none.
    """
    try:
        data = path.read_bytes()
        Checkpoint.parse(Note.parse(data).text)
    except OSError as error:
        raise UsageError(
            "the checkpoint cannot be read", path=str(path), reason=error.strerror, hint="Name a file that may be read."
        ) from error
    except InvalidProof as error:
        raise UsageError(
            "the file holds no checkpoint",
            path=str(path),
            reason=error.message,
            hint="Name one that 'coditect log checkpoint' printed, with its signature.",
        ) from error
    return data
