"""One granularity of one generation as a matrix of vectors, searched exactly.

Large ones are first looked through in eight bits (:mod:`coditect.retrieve.local.meaning.coarse`), which changes the time, not the
answer. Everything lies in files that are mapped into memory (:mod:`coditect.retrieve.local.files`): opening one reads
next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from coditect.errors import UsageError
from coditect.models.port import FloatArray, IntArray
from coditect.retrieve.local.files import (
    NUMBERS,
    ORDER,
    ROWS,
    SORTED,
    DenseWriter,
    DocumentIds,
    ItemIds,
    mapped,
)
from coditect.retrieve.local.meaning.coarse import COARSE_FROM, CoarseVectors
from coditect.store.vectors import VectorBlock

__all__ = ["DENSE", "DenseIndex"]

DENSE = "matrix/3"
"""Version of the layout; a replica of another one is made anew."""

_MANY = 8
"""Where at most one of so many rows may answer, they are compared in full at once."""

_SHARED_FROM = 200_000
"""Rows from which a product is shared among threads: starting them takes 0.2 ms."""

_THREADS = 4
"""Reading memory is what takes time, and more do not read faster."""


class DenseIndex:
    """Vectors in a folder. The matrix is mapped into memory: processes share it, and one query reads it once.

    Args:
        folder: made by :meth:`make`.
    Raises:
        ValueError, OSError: not such a folder, or a truncated one.
    """

    def __init__(self, folder: Path) -> None:
        self.rows: FloatArray = mapped(folder / ROWS)
        self.numbers: npt.NDArray[np.int64] = mapped(folder / NUMBERS)
        self._sorted: npt.NDArray[np.int64] = mapped(folder / SORTED)
        self._order: IntArray = mapped(folder / ORDER)
        self.item_ids = ItemIds(folder)
        self.document_ids = DocumentIds(folder, len(self.rows))
        parts = (self.item_ids, self.numbers, self._sorted, self._order)
        if self.rows.ndim != 2 or any(len(part) != len(self.rows) for part in parts):
            raise ValueError("the parts of the vector replica do not fit together")
        self._coarse = CoarseVectors.open(folder) if len(self.rows) >= COARSE_FROM else None

    @staticmethod
    def make(folder: Path, blocks: Iterable[tuple[str, VectorBlock]], dimension: int) -> None:
        """Fill a new folder.

        Args:
            folder: where.
            blocks: (document id or "", vectors), in order.
            dimension: of the vectors.
        """
        with DenseIndex.writer(folder, dimension) as writer:
            for document_id, block in blocks:
                writer.add(document_id, block)

    @staticmethod
    @contextmanager
    def writer(folder: Path, dimension: int) -> Iterator[DenseWriter]:
        """Fill a new folder block by block; it is whole at the end of the with statement."""
        with DenseWriter(folder, dimension) as writer:
            yield writer
        if len(writer) >= COARSE_FROM:
            CoarseVectors.make(folder, mapped(folder / ROWS))

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
        if not len(self._sorted):
            return np.full(len(numbers), -1, dtype=np.int64)
        at = np.searchsorted(self._sorted, numbers)
        at[at == len(self._sorted)] = 0
        return np.where(self._sorted[at] == numbers, self._order[at], -1)

    def documents_of(self, rows: IntArray) -> list[str]:
        """The document id of each row, or "", in order."""
        return self.document_ids.of(rows)

    def block_of(self, document_id: str) -> VectorBlock:
        """The vectors of a document, all of them as one block."""
        first, after = self.document_rows(document_id)
        return VectorBlock(tuple(self.item_ids[first:after]), self.rows[first:after])

    def document_rows(self, document_id: str) -> tuple[int, int]:
        """(first, after) of a document's rows, which stand side by side; (0, 0) if it has none."""
        return self.document_ids.rows.get(document_id, (0, 0))

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
