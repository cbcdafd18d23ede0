"""Which files an ingest takes in, under which names, and what is wrong with those that it cannot."""

from __future__ import annotations

import errno
import os
import stat
from collections import deque
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
        hides: for a folder that cannot be looked into, how the names below it begin; else None.
    """

    name: str
    path: Path
    error: CoditectError | None = None
    hides: str | None = None


def find_files(
    paths: Sequence[Path], *, follow_links: bool = False, passed_over: list[str] | None = None
) -> list[FoundFile]:
    """The files below ``paths``, by name. Hidden ones (a leading dot) are passed over; a path given twice counts once.

    Args:
        paths: files and folders; one that is a symbolic link itself is followed, for it was named.
        follow_links: follow links inside of a folder that lead out of it, too. Else such a link has an error: whoever can write
            to the folder could make the corpus show any file of whoever runs the command.
        passed_over: takes the names of hidden files, and of hidden folders with a "/" behind them.
    Raises:
        UsageError: a path does not exist.
    """
    found: list[FoundFile] = []
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError("no such file or folder", path=str(path), hint="Give files or folders that exist.")
        hidden = [] if passed_over is None else passed_over
        found += _walk(path, follow_links, hidden) if os.path.isdir(path) else [_check(path, path.name)]  # noqa: PTH112 - Path.is_dir raises
    ordered = sorted(found, key=lambda file: (file.name, str(file.path)))
    return [file for n, file in enumerate(ordered) if not n or not _same(ordered[n - 1], file)]


def _same(first: FoundFile, second: FoundFile) -> bool:
    return first.name == second.name and os.path.realpath(first.path) == os.path.realpath(second.path)


def _walk(root: Path, follow_links: bool, passed_over: list[str]) -> Iterator[FoundFile]:
    """Files below a folder. Links to folders come after all real folders, so that names are those of the real ones."""
    real = deque([(root, "")])
    linked: deque[tuple[Path, str]] = deque()
    visited: set[tuple[int, int]] = set()
    inside = os.path.realpath(root)
    while real or linked:
        folder, prefix = real.popleft() if real else linked.popleft()
        try:
            status = folder.stat()
            entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
        except OSError as error:
            yield FoundFile(prefix.rstrip("/") or _printable(root.name), folder, _os_error(error), hides=prefix)
            continue
        if (status.st_dev, status.st_ino) in visited:
            again = ReadError(
                "a symbolic link leads to a folder that is read already",
                hint="Remove the link; what it leads to is taken in once.",
            )
            yield FoundFile(prefix.rstrip("/"), folder, again)
            continue
        visited.add((status.st_dev, status.st_ino))
        for entry in entries:
            name = prefix + _printable(entry.name)
            if entry.name.startswith("."):
                passed_over.append(f"{name}/" if os.path.isdir(entry) else name)  # noqa: PTH112 - as above
                continue
            if entry.is_symlink() and not follow_links and not _leads_inside(entry, inside):
                outside = ReadError(
                    "a symbolic link leads out of the folder that was given",
                    hint="Give what it leads to as a path of its own, or allow such links with --follow-links.",
                )
                yield FoundFile(name, entry, outside, hides=name + "/")
            elif os.path.isdir(entry) and name == prefix + entry.name:  # noqa: PTH112 - Path.is_dir raises
                (linked if entry.is_symlink() else real).append((entry, name + "/"))
            else:
                yield _check(entry, name)


def _leads_inside(link: Path, folder: str) -> bool:
    """Whether a link leads, in the end, to something in a folder; one that leads nowhere is told where it would lead."""
    target = os.path.realpath(link)
    return target == folder or target.startswith(folder.rstrip(os.sep) + os.sep)


def _printable(name: str) -> str:
    """A file's name as text; bytes of it that are not UTF-8 as escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _check(path: Path, name: str) -> FoundFile:
    if path.name != _printable(path.name):
        unnamed = ReadError(
            "the name is not valid UTF-8", hint="Rename it: a citation must be able to name its document."
        )
        return FoundFile(_printable(name), path, unnamed)
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
        case OSError(errno=errno.ELOOP):
            return ReadError("a symbolic link leads back to itself", hint="Remove the link.")
    if error.errno == errno.ENAMETOOLONG:
        return ReadError("the path is too long", hint="Ingest a folder further down, or shorten its folders' names.")
    return ReadError(
        "the file cannot be read", reason=error.strerror or str(error), hint="Check the disk and the path."
    )
