"""Files that commands write: whole or not at all, and refused before the work is done where they must not or cannot be written.

A regular file is replaced by a new one when that is whole and on disk; it keeps its mode. A symbolic link leads to the file that it
names. Devices, pipes and whatever else stands under the name are written to as they are, since replacing them would put a file in
their place.
"""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from coditect.errors import UsageError

__all__ = ["STDOUT", "opened_output", "require_output", "write_output"]

STDOUT = "-"
"""Stands for the standard output where a command asks for a file."""

_BUFFER_BYTES = 1 << 20


def require_output(output: Path, *, kept: Iterable[Path] = (), inputs: Iterable[Path] = ()) -> None:
    """Refuse a place that cannot or must not be written, before the work is done and not after.

    Args:
        output: where a command is to write; :data:`STDOUT` is fine.
        kept: files and folders that the program keeps, and no output may replace or lie in.
        inputs: files that the command reads.

    Raises:
        UsageError: a folder, or in none; one of the inputs; or among what the program keeps.
    """
    if str(output) == STDOUT:
        return
    if output.is_dir():
        raise UsageError("the output is a folder", output=str(output), hint="Name a file in it.")
    real = Path(os.path.realpath(output))
    if not real.parent.is_dir():
        raise UsageError(
            "the folder of the output does not exist", folder=str(real.parent), hint="Make it, or name another."
        )
    for place in map(os.path.realpath, kept):
        if real.is_relative_to(place):
            raise UsageError(
                "the output would lie in the store or its cache",
                output=str(output),
                kept=place,
                hint="Name a file elsewhere; nothing but the store itself may be written there.",
            )
    if any(real == Path(os.path.realpath(each)) for each in inputs):
        raise UsageError("the output is an input of this command", output=str(output), hint="Name another file.")


@contextmanager
def opened_output(path: Path, failure: str) -> Iterator[BinaryIO]:
    """A file to be written, which has its name only when the block has ended well and its bytes are on disk.

    Args:
        path: of the file; a regular file is replaced, anything else is written to.
        failure: what an error says, the same for every file.

    Raises:
        UsageError: it cannot be written there.
    """
    try:
        with _replaced(Path(os.path.realpath(path))) if _is_replaceable(path) else _written_through(path) as file:
            yield file
    except BrokenPipeError:
        raise  # the reader of a pipe went away, as the reader of the standard output may
    except OSError as error:
        raise UsageError(
            failure,
            output=str(path),
            reason=error.strerror or type(error).__name__,
            hint="Name a file in a folder where you may write and there is room, or '-' for the standard output.",
        ) from error


def write_output(path: Path, content: bytes) -> None:
    """Write a report whole or not at all: readers see the old content or the new one.

    Raises:
        UsageError: it cannot be written there.
    """
    with opened_output(path, "the report cannot be written") as file:
        file.write(content)


def _is_replaceable(path: Path) -> bool:
    """Whether a regular file stands at ``path``, or nothing; what /dev and /proc name belongs to somebody who has it open."""
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True
    return regular and Path(os.path.abspath(path)).parts[1:2] not in (("dev",), ("proc",))  # noqa: PTH100 - links stay


@contextmanager
def _replaced(target: Path) -> Iterator[BinaryIO]:
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}")
    before = target.stat() if target.exists() else None
    # A new file is made with what the user's umask leaves; one that replaces another is nobody's until it has that one's mode.
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if before is None else 0o600)
    try:
        with os.fdopen(descriptor, "wb", buffering=_BUFFER_BYTES) as file:
            if before is not None:
                with suppress(PermissionError):
                    os.fchown(descriptor, before.st_uid, before.st_gid)
                os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
            yield file
            file.flush()
            os.fsync(descriptor)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _written_through(path: Path) -> Iterator[BinaryIO]:
    there = path.stat()
    for stream in (sys.stdout, sys.stderr):
        # /dev/stdout and its kin: opened anew, a file would be written from its beginning, over what is printed.
        with suppress(OSError, ValueError, AttributeError):
            if os.path.samestat(os.fstat(stream.fileno()), there):
                stream.flush()
                descriptor = os.dup(stream.fileno())
                break
    else:
        descriptor = os.open(path, os.O_WRONLY)
    with os.fdopen(descriptor, "wb", buffering=_BUFFER_BYTES) as file:
        yield file
