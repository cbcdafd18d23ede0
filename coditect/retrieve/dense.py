"""One granularity of one generation as a matrix of vectors, searched exactly."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from coditect.errors import UsageError
from coditect.models.port import FloatArray, IntArray
from coditect.retrieve.port import unit_number
from coditect.store.vectors import VectorBlock

__all__ = ["DENSE", "DenseIndex"]

DENSE = "matrix/1"
"""Version of the layout; a replica of another one is made anew."""

_ROWS, _IDS, _DOCUMENTS = "rows.npy", "ids.txt", "documents.txt"


class DenseIndex:
    """Vectors in a folder. The matrix is mapped into memory: processes share it, and one query reads it once.

    Args:
        folder: made by :meth:`make`.
    Raises:
        ValueError, OSError: not such a folder, or a truncated one.
    """

    def __init__(self, folder: Path) -> None:
        self.rows: FloatArray = np.load(folder / _ROWS, mmap_mode="r", allow_pickle=False)
        self.item_ids = (folder / _IDS).read_text("ascii").split("\n")[:-1]
        self.document_ids = (folder / _DOCUMENTS).read_text("ascii").split("\n")[:-1]
        if self.rows.ndim != 2 or not len(self.rows) == len(self.item_ids) == len(self.document_ids):
            raise ValueError("the parts of the vector replica do not fit together")
        numbers = np.asarray([unit_number(each) for each in self.item_ids], dtype=np.int64)
        self._order = np.argsort(numbers, kind="stable")
        self._numbers = numbers[self._order]
        self._documents: dict[str, tuple[int, int]] = {}
        for row, document_id in enumerate(self.document_ids):
            self._documents[document_id] = (self._documents.get(document_id, (row, row))[0], row + 1)

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
        cosines = self.rows @ vector if allowed is None else self.rows[allowed] @ vector
        best = _top(cosines, limit)
        rows = best if allowed is None else allowed[best]
        return [(int(row), float(cosines[at])) for row, at in zip(rows, best, strict=True)]

    def cosines(self, vector: FloatArray, rows: IntArray) -> FloatArray:
        """Cosines of chosen rows, shape (len(rows),)."""
        self._require(vector)
        return np.asarray(self.rows[rows] @ vector, dtype=np.float32)

    def rows_of(self, numbers: npt.NDArray[np.int64]) -> IntArray:
        """Rows of units by number (:func:`~coditect.retrieve.port.unit_number`), in order; -1 for one without a vector."""
        if not len(self._numbers):
            return np.full(len(numbers), -1, dtype=np.int64)
        at = np.searchsorted(self._numbers, numbers)
        at[at == len(self._numbers)] = 0
        return np.where(self._numbers[at] == numbers, self._order[at], -1)

    def document_rows(self, document_id: str) -> tuple[int, int]:
        """(first, after) of a document's rows, which stand side by side; (0, 0) if it has none."""
        return self._documents.get(document_id, (0, 0))

    def _require(self, vector: FloatArray) -> None:
        if vector.shape != (self.rows.shape[1],):
            raise UsageError("a vector of another dimension", expected=self.rows.shape[1], found=vector.shape)


def _top(scores: FloatArray, limit: int) -> IntArray:
    """Positions of the highest scores, highest first, equal ones in order."""
    if limit < len(scores):
        edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        candidates = np.flatnonzero(scores >= edge)
    else:
        candidates = np.arange(len(scores))
    return candidates[np.argsort(-scores[candidates], kind="stable")][:limit]
