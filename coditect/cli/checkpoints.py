"""Checkpoints of the log that somebody kept in files."""

from __future__ import annotations

from pathlib import Path

from coditect.errors import UsageError

__all__ = ["read_checkpoint"]


def read_checkpoint(path: Path) -> bytes:
    """The bytes of a checkpoint that somebody kept in a file.

    Raises:
        UsageError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError("the checkpoint cannot be read", path=str(path), reason=str(error)) from error
