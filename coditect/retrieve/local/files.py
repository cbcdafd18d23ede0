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

Where the rows of several such matrices make one, see :mod:`coditect.retrieve.local.joined`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Self, overload

import numpy as np
import numpy.typing as npt

from coditect.models.port import FloatArray, IntArray
from coditect.retrieve.port import unit_number
from coditect.store.embedded.vectors import VectorBlock

__all__ = [
    "DOCUMENTS",
    "NO_FIT",
    "ROWS",
    "STARTS",
    "DenseWriter",
    "ItemIds",
    "WrittenMatrix",
    "mapped",
    "write_documents",
]

ROWS = "rows.npy"
_NUMBERS, _SORTED, _ORDER = "numbers.npy", "sorted.npy", "order.npy"
_IDS, _ENDS = "ids.npy", "ends.npy"
STARTS, DOCUMENTS = "starts.npy", "documents.txt"
NO_FIT = "the parts of the vector replica do not fit together"


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
            _NUMBERS: numbers,
            _SORTED: numbers[order],
            _ORDER: order,
        }
        for name, array in arrays.items():
            np.save(self._folder / name, array)
        write_documents(self._folder, self._names, self._starts)


def write_documents(folder: Path, names: Sequence[str], starts: Sequence[int]) -> None:
    """Write the documents of runs of rows, and the first row of each run."""
    np.save(folder / STARTS, np.asarray(starts, np.int64))
    (folder / DOCUMENTS).write_text("".join(f"{each}\n" for each in names), "ascii")


class WrittenMatrix:
    """A matrix that was written at once, mapped into memory.

    Args:
        folder: made by :class:`DenseWriter`.
    Raises:
        ValueError, OSError: not such a folder, or a truncated one.
    """

    def __init__(self, folder: Path) -> None:
        self.rows: FloatArray = mapped(folder / ROWS)
        self.numbers: IntArray = mapped(folder / _NUMBERS)
        self._sorted: IntArray = mapped(folder / _SORTED)
        self._order: IntArray = mapped(folder / _ORDER)
        self.item_ids = ItemIds(folder)
        parts = (self.item_ids, self.numbers, self._sorted, self._order)
        if self.rows.ndim != 2 or any(len(part) != len(self.rows) for part in parts):
            raise ValueError(NO_FIT)

    def __len__(self) -> int:
        return len(self.item_ids)

    def rows_of(self, numbers: IntArray) -> IntArray:
        """Rows of units by number, in order; -1 for one that is not here."""
        if not len(self._sorted):
            return np.full(len(numbers), -1, dtype=np.int64)
        at = np.searchsorted(self._sorted, numbers)
        at[at == len(self._sorted)] = 0
        return np.where(self._sorted[at] == numbers, self._order[at], -1)


class ItemIds(Sequence[str]):
    """The item id of each row, each made a string when it is looked at: a million ids take time and memory as strings.

    Args:
        folder: made by :class:`DenseWriter`.
    """

    def __init__(self, folder: Path) -> None:
        self._data: npt.NDArray[np.uint8] = mapped(folder / _IDS)
        self._ends: IntArray = mapped(folder / _ENDS)
        if len(self._data) != (int(self._ends[-1]) if len(self._ends) else 0):
            raise ValueError(NO_FIT)

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

    def of(self, rows: IntArray) -> list[str]:
        """The ids of rows, in order."""
        begins = np.where(rows > 0, self._ends[rows - 1], 0).tolist()
        data = self._data
        return [data[a:b].tobytes().decode("ascii") for a, b in zip(begins, self._ends[rows].tolist(), strict=True)]

    def _run(self, first: int, after: int) -> list[str]:
        """The ids of rows side by side, read at once."""
        edges = [int(self._ends[first - 1]) if first else 0, *self._ends[first:after].tolist()]
        text = self._data[edges[0] : edges[-1]].tobytes().decode("ascii")
        return [text[a - edges[0] : b - edges[0]] for a, b in pairwise(edges)]
