"""Uploaded files on their way into a corpus: written piece by piece, under names that stay inside their folder."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from fastapi import UploadFile

from coditect.server.problems import Problem

__all__ = ["LONGEST_PATH", "MOST_FILES", "content_hash", "safe_path", "store_uploads"]

MOST_FILES = 1000
"""Files of one upload, at most."""

LONGEST_PATH = 400
"""Bytes of a name with its folders, at most."""

_PIECE = 1 << 20
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_RESERVED = re.compile(r"^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$", re.IGNORECASE)


def safe_path(name: str) -> PurePosixPath:
    """A name as a path below the corpus' folder.

    Raises:
        Problem: it leads elsewhere, or no file can have it.
    """
    path = PurePosixPath(unicodedata.normalize("NFC", name.replace("\\", "/")))
    parts = path.parts
    bad = (
        not parts
        or path.is_absolute()
        or ":" in parts[0]
        or any(each in (".", "..") or each.startswith(".") or len(each.encode()) > 255 for each in parts)
        or any(_RESERVED.match(each) for each in parts)
        or _CONTROL.search(name) is not None
        or len(name.encode("utf-8", "replace")) > LONGEST_PATH
    )
    if bad:
        raise Problem(422, "a file has a name that cannot be taken", "Use letters, and folders without '..'.")
    return path


def store_uploads(folder: Path, files: Sequence[UploadFile], names: Sequence[str]) -> None:
    """Write uploaded files into a folder; a file never has to fit into memory.

    Args:
        folder: an empty one of the job's own.
        files: the files.
        names: their paths in the corpus; none: the names that they came with.

    Raises:
        Problem: too many files, names that do not fit, or two of one name.
    """
    if not 1 <= len(files) <= MOST_FILES:
        raise Problem(422, "an upload has some files", f"From 1 to {MOST_FILES}.")
    if names and len(names) != len(files):
        raise Problem(422, "there are not as many names as files")
    paths = [safe_path(name) for name in (names or [each.filename or "" for each in files])]
    if len({str(each).casefold() for each in paths}) != len(paths):
        raise Problem(422, "two files have one name")
    for path, file in zip(paths, files, strict=True):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as out:
            while piece := file.file.read(_PIECE):
                out.write(piece)


def content_hash(files: Sequence[UploadFile], names: Sequence[str]) -> str:
    """SHA-256 of uploaded files and their names: whether a request is the same as one before."""
    whole = hashlib.sha256()
    for number, file in enumerate(files):
        name = names[number] if number < len(names) else file.filename or ""
        whole.update(f"{len(name)}:{name}".encode("utf-8", "replace"))
        inner = hashlib.sha256()
        file.file.seek(0)
        while piece := file.file.read(_PIECE):
            inner.update(piece)
        file.file.seek(0)
        whole.update(inner.digest())
    return whole.hexdigest()
