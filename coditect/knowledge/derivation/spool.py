"""Rows that wait on disk: what is derived of a long document takes more memory than a process should need to hand it over."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self, cast

from coditect.store.rows import ItemRows

__all__ = ["RowSpool", "SpooledRows"]

HELD_ITEMS = 2_000
"""Items that are handed over in memory; those of most documents are fewer."""


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
                # Pickled by a process of this build, as all that processes hand to each other; nobody else may write here.
                while file.peek(1):
                    yield cast(ItemRows, pickle.load(file))  # noqa: S301 - see above
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
        pickle.dump(item, self._file, pickle.HIGHEST_PROTOCOL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Close the file; after a failure it goes, since nobody will ask for what is in it."""
        if self._file is not None:
            self._file.close()
        if kind is not None and self._path is not None:
            self._path.unlink(missing_ok=True)

    def close(self) -> SpooledRows:
        """All rows that were taken."""
        if self._file is not None:
            self._file.close()
        return SpooledRows(tuple(self._held), self._path)
