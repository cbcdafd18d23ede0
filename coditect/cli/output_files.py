"""Files that commands write: whole or not at all, and refused before the work is done where they cannot be written."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from coditect.errors import UsageError

__all__ = ["STDOUT", "opened_atomically", "require_folder", "write_atomically"]

STDOUT = "-"
"""Stands for the standard output where a command asks for a file."""


def require_folder(output: Path) -> None:
    """Refuse a place that cannot be written before the work is done, not after.

    Raises:
        UsageError: a folder, or in none.
    """
    if output.is_dir():
        raise UsageError("the output is a folder", output=str(output), hint="Name a file in it.")
    if not output.parent.is_dir():
        raise UsageError(
            "the folder of the output does not exist", folder=str(output.parent), hint="Make it, or name another."
        )


@contextmanager
def opened_atomically(path: Path, failure: str) -> Iterator[BinaryIO]:
    """A file to be written, which has its name only when the block has ended well and its bytes are on disk.

    Args:
        path: of the file; what is there is replaced.
        failure: what an error says, the same for every file.

    Raises:
        UsageError: it cannot be written there.
    """
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}")
    try:
        # Made with what the user's umask leaves, as any new file is.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with os.fdopen(descriptor, "wb", buffering=1 << 20) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(
            failure,
            output=str(path),
            reason=error.strerror or type(error).__name__,
            hint="Name a file in a folder where you may write and there is room, or '-' for the standard output.",
        ) from error


def write_atomically(path: Path, content: bytes) -> None:
    """Write a report whole or not at all: readers see the old content or the new one.

    Raises:
        UsageError: it cannot be written there.
    """
    with opened_atomically(path, "the report cannot be written") as file:
        file.write(content)
