"""The container of a bundle: a zip of members as they are, with one time for all, so that equal content gives equal bytes."""

from __future__ import annotations

from types import TracebackType
from typing import BinaryIO, Self
from zipfile import ZIP_STORED, ZipFile, ZipInfo

__all__ = ["FORMAT", "BundleWriter"]

FORMAT = "bundle/1"

_TIME = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_READABLE = 0o644 << 16


class BundleWriter:
    """Writes members, each name once; a name that comes again is the same content, since names are ids and hashes.

    Args:
        file: open for writing bytes.
    """

    def __init__(self, file: BinaryIO) -> None:
        # Not compressed: what a compressor writes depends on its version, and whoever reads need not fear what a member grows to.
        self._zip = ZipFile(file, "w", ZIP_STORED)
        self._names: set[str] = set()

    def __contains__(self, name: str) -> bool:
        """Whether a member was written."""
        return name in self._names

    def __len__(self) -> int:
        """How many members were written."""
        return len(self._names)

    def add(self, name: str, data: bytes) -> None:
        """Write a member, unless it is there."""
        if name not in self._names:
            self._names.add(name)
            info = ZipInfo(name, _TIME)
            info.create_system, info.external_attr = _UNIX, _READABLE
            self._zip.writestr(info, data)

    def __enter__(self) -> Self:
        """The writer itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the container; whoever opened the file closes it."""
        self._zip.close()
