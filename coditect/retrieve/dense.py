"""One granularity of one generation as a matrix of vectors, searched exactly.

Large ones are first looked through in eight bits (:mod:`coditect.retrieve.coarse`), which changes the time and not the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import overload

import numpy as np
import numpy.typing as npt

from coditect.errors import UsageError
from coditect.models.port import FloatArray, IntArray, Matrix
from coditect.retrieve.coarse import COARSE_FROM, CoarseVectors, available
from coditect.retrieve.port import unit_number
from coditect.store.vectors import VectorBlock

__all__ = ["DENSE", "DenseIndex"]

DENSE = "matrix/2"
"""Version of the layout; a replica of another one is made anew."""

_MANY = 8
"""Where at most one of so many rows may answer, they are compared in full at once."""

_SHARED_FROM = 200_000
"""Rows from which a product is shared among threads: starting them takes 0.2 ms."""

_THREADS = 4
"""Reading memory is what takes time, and more do not read faster."""

_NUMBER_DIGITS = 15
"""Hexadecimal digits of an id that make its number."""

_ROWS, _IDS, _DOCUMENTS = "rows.npy", "ids.txt", "documents.txt"


class DenseIndex:
    """Vectors in a folder. The matrix is mapped into memory: processes share it, and one query reads it once.

    Args:
        folder: made by :meth:`make`.
        matrix: brings many rows to where they are compared; None: eight bits on this machine, where their library is.
    Raises:
        ValueError, OSError: not such a folder, or a truncated one.
    """

    def __init__(self, folder: Path, matrix: Callable[[FloatArray], Matrix] | None = None) -> None:
        # Seen as a plain array: a memmap takes microseconds more for each row that is picked from it.
        self.rows: FloatArray = np.load(folder / _ROWS, mmap_mode="r", allow_pickle=False).view(np.ndarray)
        self.item_ids = _Lines((folder / _IDS).read_bytes())
        self.document_ids = _Lines((folder / _DOCUMENTS).read_bytes())
        if self.rows.ndim != 2 or not len(self.rows) == len(self.item_ids) == len(self.document_ids):
            raise ValueError("the parts of the vector replica do not fit together")
        # None where there are few rows, or where the library that compares eight bits is not installed.
        self._coarse: Matrix | None = None
        if len(self.rows) >= COARSE_FROM:
            self._coarse = matrix(self.rows) if matrix else CoarseVectors.open(folder) if available() else None
        self.numbers = self.item_ids.numbers()
        self._order = np.argsort(self.numbers, kind="stable")
        self._numbers = self.numbers[self._order]
        self._starts = self.document_ids.changes()
        self._names = [self.document_ids[first] for first in self._starts.tolist()]
        self._documents: dict[str, tuple[int, int]] = {}
        for name, (first, after) in zip(self._names, pairwise((*self._starts.tolist(), len(self.rows))), strict=True):
            self._documents[name] = (self._documents.get(name, (first, first))[0], after)

    @staticmethod
    def make(folder: Path, blocks: Iterable[tuple[str, VectorBlock]], dimension: int) -> None:
        """Fill a new folder.

        Args:
            folder: where.
            blocks: (document id or "", vectors), in order.
            dimension: of the vectors.
        """
        folder.mkdir(parents=True)
        item_ids: list[str] = []
        document_ids: list[str] = []
        parts: list[FloatArray] = []
        for document_id, block in blocks:
            item_ids += block.item_ids
            document_ids += [document_id] * len(block.item_ids)
            parts.append(block.rows)
        rows = np.concatenate(parts) if parts else np.zeros((0, dimension), np.float32)
        np.save(folder / _ROWS, rows)
        if len(rows) >= COARSE_FROM:
            CoarseVectors.make(folder, rows)
        (folder / _IDS).write_text("".join(f"{each}\n" for each in item_ids), "ascii")
        (folder / _DOCUMENTS).write_text("".join(f"{each}\n" for each in document_ids), "ascii")

    def __len__(self) -> int:
        return len(self.item_ids)

    def search(self, vector: FloatArray, limit: int, allowed: IntArray | None = None) -> list[tuple[int, float]]:
        """The nearest rows, nearest first; equal ones in the order of the rows.

        Args:
            vector: shape (dimension,), unit length.
            limit: how many.
            allowed: rows that may answer, increasing; None: all.
        Returns:
            (row, cosine) pairs.
        Raises:
            UsageError: a vector of another dimension.
        """
        self._require(vector)
        if limit < 1 or not len(self) or (allowed is not None and not len(allowed)):
            return []
        few = self._possible(vector, limit, allowed)
        cosines = _products(self.rows if few is None else self.rows[few], vector)
        best = _nearest(cosines, limit)
        return list(zip((best if few is None else few[best]).tolist(), cosines[best].tolist(), strict=True))

    def _possible(self, vector: FloatArray, limit: int, allowed: IntArray | None) -> IntArray | None:
        """Rows among which the nearest are, increasing; None: all."""
        if self._coarse is None or (allowed is not None and len(allowed) * _MANY <= len(self)):
            return allowed
        return self._coarse.possible(vector, limit, allowed)

    def cosines(self, vector: FloatArray, rows: IntArray) -> FloatArray:
        """Cosines of chosen rows, shape (len(rows),); each the same, to the last bit, as :meth:`search` gives it."""
        self._require(vector)
        return _products(self.rows[rows], vector)

    def rows_of(self, numbers: npt.NDArray[np.int64]) -> IntArray:
        """Rows of units by number (:func:`~coditect.retrieve.port.unit_number`), in order; -1 for one without a vector."""
        if not len(self._numbers):
            return np.full(len(numbers), -1, dtype=np.int64)
        at = np.searchsorted(self._numbers, numbers)
        at[at == len(self._numbers)] = 0
        return np.where(self._numbers[at] == numbers, self._order[at], -1)

    def documents_of(self, rows: IntArray) -> list[str]:
        """The document id of each row, or "", in order."""
        return [self._names[at] for at in (np.searchsorted(self._starts, rows, side="right") - 1).tolist()]

    def document_rows(self, document_id: str) -> tuple[int, int]:
        """(first, after) of a document's rows, which stand side by side; (0, 0) if it has none."""
        return self._documents.get(document_id, (0, 0))

    def _require(self, vector: FloatArray) -> None:
        if vector.shape != (self.rows.shape[1],):
            raise UsageError("a vector of another dimension", expected=self.rows.shape[1], found=vector.shape)


def _products(rows: FloatArray, vector: FloatArray) -> FloatArray:
    """Inner products of rows and a vector, shape (rows,).

    Row by row, and not as a matrix product: that one's last bits depend on the number of threads and on where a row stands, and its
    threads wait for one another in loops that take the other core from whoever needs it.
    """
    if len(rows) < _SHARED_FROM:
        return np.asarray(np.vecdot(rows, vector), dtype=np.float32)
    products = np.empty(len(rows), np.float32)
    edges = np.linspace(0, len(rows), _THREADS + 1).astype(np.int64).tolist()
    with ThreadPoolExecutor(_THREADS) as pool:
        shares = [pool.submit(np.vecdot, rows[a:b], vector, out=products[a:b]) for a, b in pairwise(edges)]
        for share in shares:
            share.result()
    return products


def _nearest(scores: FloatArray, limit: int) -> IntArray:
    """Positions of the highest scores, highest first, equal ones in order.

    Args:
        scores: shape (n,).
        limit: how many, >= 1.
    """
    if limit < len(scores):
        edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        candidates = np.flatnonzero(scores >= edge)
    else:
        candidates = np.arange(len(scores))
    return candidates[np.argsort(-scores[candidates], kind="stable")][:limit]


class _Lines(Sequence[str]):
    """The lines of a file, each made a string when it is looked at: a million ids take time and memory as strings.

    Args:
        data: ASCII lines, each ended by a line feed.
    """

    def __init__(self, data: bytes) -> None:
        self._data = np.frombuffer(data, np.uint8)
        self._ends = np.flatnonzero(self._data == ord("\n"))
        self._starts = np.concatenate((np.zeros(1, np.intp), self._ends[:-1] + 1)) if len(self._ends) else self._ends

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> list[str]: ...

    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        return self._data[self._starts[at] : self._ends[at]].tobytes().decode("ascii")

    def numbers(self) -> npt.NDArray[np.int64]:
        """The number of each id (:func:`~coditect.retrieve.port.unit_number`), shape (lines,)."""
        table = self._table()
        if table is None or table.shape[1] <= _NUMBER_DIGITS:
            return np.asarray([unit_number(each) for each in self], dtype=np.int64)
        digits = np.full((len(self), 16), ord("0"), np.uint8)
        digits[:, -_NUMBER_DIGITS:] = table[:, -1 - _NUMBER_DIGITS : -1]
        return np.frombuffer(bytes.fromhex(digits.tobytes().decode("ascii")), ">i8").astype(np.int64)

    def changes(self) -> IntArray:
        """Lines that differ from the one before, the first among them."""
        table = self._table()
        if table is None:
            lines = list(self)
            differ = np.asarray([after != before for before, after in pairwise(lines)], dtype=bool)
        else:
            differ = (table[1:] != table[:-1]).any(axis=1)
        return np.concatenate((np.zeros(min(len(self), 1), np.int64), np.flatnonzero(differ) + 1))

    def _table(self) -> npt.NDArray[np.uint8] | None:
        """The characters, a line in each row with its line feed; None where lines differ in length."""
        width = int(self._ends[0]) + 1 if len(self) else 1
        same = len(self._data) == width * len(self) and bool((self._ends - self._starts == width - 1).all())
        return self._data.reshape(-1, width) if same else None
