"""The files of a matrix of vectors: written row by row, and read where they are looked at.

========== ======= =============== ==========================================================
file       type    shape           what
========== ======= =============== ==========================================================
rows       float32 (n, dimension)  the vectors
ids        uint8   (bytes,)        the item ids, one after the other
ends       int64   (n,)            where each of them ends
numbers    int64   (n,)            the number of each item
sorted     int64   (n,)            these numbers, increasing
order      int64   (n,)            the row of each of those
starts     int64   (runs,)         the first row of each run of rows that are of one document
documents  text    a line each run the document's id, or nothing
========== ======= =============== ==========================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from coditect.models.port import IntArray
from coditect.retrieve.port import unit_number
from coditect.store.vectors import VectorBlock

__all__ = ["NUMBERS", "ORDER", "ROWS", "SORTED", "DenseWriter", "DocumentIds", "ItemIds", "mapped"]

ROWS, NUMBERS, SORTED, ORDER = "rows.npy", "numbers.npy", "sorted.npy", "order.npy"
_IDS, _ENDS = "ids.npy", "ends.npy"
_STARTS, _DOCUMENTS = "starts.npy", "documents.txt"


def mapped(path: Path) -> npt.NDArray[Any]:
    """Map the array in a file into memory.

    Raises:
        ValueError, OSError: it is not there, not an array, or truncated.
    """
    # Seen as a plain array: a memmap takes microseconds more for each row that is picked from it.
    array: npt.NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False).view(np.ndarray)
    return array


class DenseWriter:
    """Fills a new folder, block by block; the files are whole when it is left.

    Args:
        folder: where; must not be there.
        dimension: of the vectors.
    """

    def __init__(self, folder: Path, dimension: int) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._dimension = dimension
        self._item_ids: list[str] = []
        self._names: list[str] = []
        self._starts: list[int] = []
        self._rows = (folder / ROWS).open("wb")
        self._write_header()

    def __enter__(self) -> Self:
        """Nothing to open."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Finish; after an error, only let go."""
        with self._rows:
            if kind is None:
                self._rows.seek(0)
                self._write_header()
        if kind is None:
            self._write_books()

    def __len__(self) -> int:
        return len(self._item_ids)

    def add(self, document_id: str, block: VectorBlock) -> None:
        """Write the next rows.

        Args:
            document_id: theirs, or "".
            block: of the dimension.
        """
        if not block.item_ids:
            return
        if not self._names or self._names[-1] != document_id:
            self._names.append(document_id)
            self._starts.append(len(self._item_ids))
        self._item_ids += block.item_ids
        self._rows.write(np.ascontiguousarray(block.rows, "<f4").data)

    def _write_header(self) -> None:
        # The format pads its header so that one with any number of rows is as long as this one with none.
        shape = (len(self._item_ids), self._dimension)
        np.lib.format.write_array_header_1_0(self._rows, {"descr": "<f4", "fortran_order": False, "shape": shape})

    def _write_books(self) -> None:
        lengths = np.fromiter(map(len, self._item_ids), np.int64, len(self._item_ids))
        numbers = np.fromiter(map(unit_number, self._item_ids), np.int64, len(self._item_ids))
        order = np.argsort(numbers, kind="stable").astype(np.int64)
        arrays: dict[str, npt.NDArray[Any]] = {
            _IDS: np.frombuffer("".join(self._item_ids).encode("ascii"), np.uint8),
            _ENDS: np.cumsum(lengths),
            NUMBERS: numbers,
            SORTED: numbers[order],
            ORDER: order,
            _STARTS: np.asarray(self._starts, np.int64),
        }
        for name, array in arrays.items():
            np.save(self._folder / name, array)
        (self._folder / _DOCUMENTS).write_text("".join(f"{each}\n" for each in self._names), "ascii")


class ItemIds(Sequence[str]):
    """The item id of each row, each made a string when it is looked at: a million ids take time and memory as strings.

    Args:
        folder: made by :class:`DenseWriter`.
    """

    def __init__(self, folder: Path) -> None:
        self._data: npt.NDArray[np.uint8] = mapped(folder / _IDS)
        self._ends: IntArray = mapped(folder / _ENDS)
        if len(self._data) != (int(self._ends[-1]) if len(self._ends) else 0):
            raise ValueError("the parts of the vector replica do not fit together")

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> list[str]: ...

    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            first, after, step = at.indices(len(self))
            return self._run(first, after) if step == 1 else [self[each] for each in range(first, after, step)]
        row = range(len(self))[at]
        return self._data[self._ends[row - 1] if row else 0 : self._ends[row]].tobytes().decode("ascii")

    def _run(self, first: int, after: int) -> list[str]:
        """The ids of rows side by side, read at once."""
        edges = [int(self._ends[first - 1]) if first else 0, *self._ends[first:after].tolist()]
        text = self._data[edges[0] : edges[-1]].tobytes().decode("ascii")
        return [text[a - edges[0] : b - edges[0]] for a, b in pairwise(edges)]


class DocumentIds(Sequence[str]):
    """The document id of each row, or "".

    Args:
        folder: made by :class:`DenseWriter`.
        count: of rows.
    """

    def __init__(self, folder: Path, count: int) -> None:
        self._starts: IntArray = mapped(folder / _STARTS)
        self._names = (folder / _DOCUMENTS).read_text("ascii").split("\n")[:-1]
        self._count = count
        if len(self._names) != len(self._starts) or bool(self._starts[-1:].size and self._starts[-1] >= count):
            raise ValueError("the parts of the vector replica do not fit together")

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> list[str]: ...

    def __getitem__(self, at: int | slice) -> str | list[str]:
        rows = range(self._count)[at]
        return self.of(np.asarray(rows, np.int64)) if isinstance(rows, range) else self.of(np.asarray([rows]))[0]

    def of(self, rows: IntArray) -> list[str]:
        """The document ids of rows, in order."""
        return [self._names[at] for at in (np.searchsorted(self._starts, rows, side="right") - 1).tolist()]

    @cached_property
    def rows(self) -> dict[str, tuple[int, int]]:
        """(first row, row after the last) of each document."""
        found: dict[str, tuple[int, int]] = {}
        for name, (first, after) in zip(self._names, pairwise((*self._starts.tolist(), self._count)), strict=True):
            found[name] = (found.get(name, (first, first))[0], after)
        return found
