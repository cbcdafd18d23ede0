"""Rows that wait on disk: what is derived of a long document takes more memory than a process should need to hand it over."""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from coditect.store.blobs import Row
from coditect.store.rows import ItemRows

__all__ = ["RowSpool", "SpooledRows"]

HELD_ITEMS = 2_000
"""Items that are handed over in memory; those of most documents are fewer."""

_COUNTS = struct.Struct("<II")
_LENGTH = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class SpooledRows:
    """The rows of a document's items, in memory or on disk; can be sent to another process of the same machine.

    Attributes:
        held: those in memory.
        path: the file that holds the others; None where there are none.
    """

    held: tuple[ItemRows, ...] = ()
    path: Path | None = None

    def take(self) -> Iterator[ItemRows]:
        """Give all rows, in order, each read as it is asked for; the file is gone when the last was given."""
        yield from self.held
        if self.path is not None:
            with self.path.open("rb") as file:
                while counts := file.read(_COUNTS.size):
                    yield _read_item(file, *_COUNTS.unpack(counts))
            self.path.unlink()


class RowSpool:
    """Takes rows in, and keeps no more than :data:`HELD_ITEMS` of them in memory.

    Args:
        folder: where the file is made, if one is needed; whoever made the folder removes it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: list[ItemRows] = []
        self._file: BinaryIO | None = None
        self._path: Path | None = None

    def add(self, item: ItemRows) -> None:
        """Take an item's rows."""
        if len(self._held) < HELD_ITEMS:
            self._held.append(item)
            return
        if self._file is None:
            descriptor, name = tempfile.mkstemp(dir=self._folder)
            self._file, self._path = open(descriptor, "wb"), Path(name)  # noqa: PTH123, SIM115 - a descriptor; closed below
        rows = (item.record, *item.index, *item.blobs)
        parts = [item.item_id.encode(), *(part for row in rows for part in row)]
        self._file.write(_COUNTS.pack(len(item.index), len(item.blobs)))
        self._file.writelines(framed for part in parts for framed in (_LENGTH.pack(len(part)), part))

    def close(self) -> SpooledRows:
        """All rows that were taken."""
        if self._file is not None:
            self._file.close()
        return SpooledRows(tuple(self._held), self._path)


def _read_item(file: BinaryIO, indexed: int, blobs: int) -> ItemRows:
    item_id = _read_part(file).decode()
    rows: list[Row] = [(_read_part(file), _read_part(file)) for _ in range(1 + indexed + blobs)]
    return ItemRows(item_id, rows[0], tuple(rows[1 : 1 + indexed]), tuple(rows[1 + indexed :]))


def _read_part(file: BinaryIO) -> bytes:
    return file.read(_LENGTH.unpack(file.read(_LENGTH.size))[0])
