"""Which files an ingest takes in, under which names, and what is wrong with those that it cannot."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from coditect.errors import CoditectError, ReadError, UsageError

__all__ = ["FoundFile", "find_files", "read_bytes"]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to take in.

    Attributes:
        name: relative to the folder that was given, '/' between parts; the file's own name if a file was given.
        path: where it is.
        error: why it cannot be read, known from its directory entry alone; None if it may be.
    """

    name: str
    path: Path
    error: CoditectError | None = None


def find_files(paths: Sequence[Path]) -> list[FoundFile]:
    """The files below ``paths``, by name. Hidden ones (a leading dot) are passed over.

    Raises:
        UsageError: a path does not exist.
    """
    found: list[FoundFile] = []
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError("no such file or folder", path=str(path), hint="Give files or folders that exist.")
        if path.is_dir():
            found += _walk(path, "", (os.path.realpath(path),))
        else:
            found.append(_check(path, path.name))
    return sorted(found, key=lambda file: (file.name, str(file.path)))


def _walk(folder: Path, prefix: str, above: tuple[str, ...]) -> Iterator[FoundFile]:
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    except OSError as error:
        yield FoundFile(prefix.rstrip("/") or folder.name, folder, _os_error(error))
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        name = prefix + entry.name
        if not entry.is_dir():
            yield _check(entry, name)
        elif (real := os.path.realpath(entry)) in above:
            yield FoundFile(
                name,
                entry,
                ReadError(
                    "a symbolic link leads back to a folder that holds it",
                    hint="Remove the link; its target is read once already.",
                ),
            )
        else:
            yield from _walk(entry, name + "/", (*above, real))


def _check(path: Path, name: str) -> FoundFile:
    try:
        mode = path.stat().st_mode
    except OSError as error:
        return FoundFile(name, path, _os_error(error))
    if not stat.S_ISREG(mode):
        return FoundFile(
            name, path, ReadError("not a regular file", hint="Give regular files: no pipes, sockets or devices.")
        )
    return FoundFile(name, path)


def read_bytes(path: Path, most: int) -> bytes:
    """The bytes of a file.

    Raises:
        ReadError: it cannot be opened, or is longer than ``most``.
    """
    try:
        size = path.stat().st_size
        if size > most:
            raise ReadError("the file is too large", size_bytes=size, limit_bytes=most, hint="Split it into parts.")
        return path.read_bytes()
    except OSError as error:
        raise _os_error(error) from error


def _os_error(error: OSError) -> ReadError:
    match error:
        case PermissionError():
            return ReadError(
                "the file may not be read", hint="Grant read permission to the user who runs this command."
            )
        case FileNotFoundError():
            return ReadError(
                "a symbolic link leads nowhere, or the file was removed meanwhile", hint="Repair or remove it."
            )
        case OSError(errno=40 | 62):  # ELOOP on Linux and on macOS
            return ReadError("a symbolic link leads back to itself", hint="Remove the link.")
    return ReadError(
        "the file cannot be read", reason=error.strerror or str(error), hint="Check the disk and the path."
    )
