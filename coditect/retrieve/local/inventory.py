"""What files a replica consists of, so that one that lost some, or holds others, is made again instead of answering wrongly.

A cleaner of caches takes single files, a full disk cuts them, a restored backup mixes them. So a replica names its files, with
their sizes and SHA-256 sums, and whose replica it is. Names and sizes are compared whenever it is opened (0.15 ms for 50 files).
Sums are compared of files that were touched since they were made or last compared, which their inode and time of change tell: for
a copied or restored cache that is once (0.3 s for 143 MB), and else never. What changes a file's bytes and hides that from the file
system is not noticed here.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

__all__ = ["check_inventory", "write_inventory"]

_NAME = "files.json"
_LOCK = ".lock"

Entry = tuple[int, str, int, int]
"""(size in bytes, SHA-256, time of the last change in ns, inode)."""


def write_inventory(folder: Path, owner: str) -> None:
    """List the files of a finished replica.

    What it links of replicas beside it is not read: these list it, and had it compared before it was linked.

    Args:
        folder: where it lies; below it everything but locks is listed.
        owner: whose replica it is: the name that the folder is to have.
    """
    known = _listed_beside(folder)
    entries = {}
    for name in _files(folder):
        found = os.stat(f"{folder}/{name}")  # noqa: PTH116 - as below
        linked = known.get((found.st_ino, found.st_mtime_ns, found.st_size)) if found.st_nlink > 1 else None
        entries[name] = linked or _entry(folder / name)
    _store(folder, owner, entries)


def _listed_beside(folder: Path) -> dict[tuple[int, int, int], Entry]:
    """Files that replicas beside one list, by inode, time of the last change and size."""
    found: dict[tuple[int, int, int], Entry] = {}
    for each in folder.parent.glob(f"*/{_NAME}"):
        with suppress(OSError, ValueError, TypeError, AttributeError):
            for size, digest, changed_ns, inode in json.loads(each.read_bytes())["files"].values():
                found[inode, changed_ns, size] = size, digest, changed_ns, inode
    return found


def check_inventory(folder: Path, owner: str) -> None:
    """Compare a replica with the list of its files.

    Args:
        folder: where it lies.
        owner: whose replica it is to be.

    Raises:
        ValueError: there is no list, it is another replica's, or a file has another size or other bytes.
        OSError: a file is missing or cannot be read.
    """
    listed = json.loads((folder / _NAME).read_bytes())
    files = listed.get("files") if isinstance(listed, dict) and listed.get("owner") == owner else None
    if not isinstance(files, dict) or not all(isinstance(each, list) for each in files.values()):
        raise ValueError("the list of a replica's files is not its own")
    touched: dict[str, Entry] = {}
    for name, (size, digest, changed_ns, inode) in files.items():
        found = os.stat(f"{folder}/{name}")  # noqa: PTH116 - some hundred files at every opening, and paths take twice as long
        if found.st_size != size:
            raise ValueError("a file of a replica has another size")
        if (found.st_mtime_ns, found.st_ino) != (changed_ns, inode):
            touched[name] = _entry(folder / name)
            if touched[name][1] != digest:
                raise ValueError("a file of a replica has other bytes")
    if touched:
        with suppress(OSError):  # where the list cannot be written, they are compared again next time
            _store(folder, owner, files | touched)


def _files(folder: Path) -> list[str]:
    """The files below a folder but for locks, as paths from there, ordered by their parts."""
    found: list[str] = []
    below = [""]
    while below:
        inside = below.pop()
        with os.scandir(f"{folder}/{inside}") as entries:
            for each in entries:
                if each.is_dir(follow_symlinks=False):
                    below.append(f"{inside}{each.name}/")
                elif each.is_file() and not each.name.endswith(_LOCK):
                    found.append(f"{inside}{each.name}")
    return sorted(found, key=lambda name: name.split("/"))


def _entry(file: Path) -> Entry:
    with file.open("rb") as opened:
        found = os.fstat(opened.fileno())
        return found.st_size, hashlib.file_digest(opened, "sha256").hexdigest(), found.st_mtime_ns, found.st_ino


def _store(folder: Path, owner: str, files: Mapping[str, Entry]) -> None:
    """Write the list whole, under a name of its own first: other processes may do the same."""
    with tempfile.NamedTemporaryFile("w", dir=folder, prefix=_NAME, suffix=_LOCK, delete=False) as part:
        json.dump({"owner": owner, "files": files}, part)
    Path(part.name).replace(folder / _NAME)
