"""One granularity of one generation as a matrix of vectors, searched exactly.

Large ones are first looked through in eight bits (:mod:`coditect.retrieve.local.meaning.coarse`), which changes the time, not the
answer. Everything lies in files that are mapped into memory (:mod:`coditect.retrieve.local.files`): opening one reads
next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from coditect.errors import UsageError
from coditect.models.port import FloatArray, IntArray
from coditect.retrieve.local.files import NO_FIT, ROWS, DenseWriter, ItemIds, WrittenMatrix, mapped
from coditect.retrieve.local.joined import DocumentIds, segment_folders
from coditect.retrieve.local.meaning.coarse import COARSE_FROM, CoarseVectors, possible
from coditect.store.embedded.vectors import VectorBlock

__all__ = ["DENSE", "DenseIndex"]

DENSE = "matrix/4"
"""Version of the layout; a replica of another one is made anew."""

_MANY = 8
"""Where at most one of so many rows may answer, they are compared in full at once."""

KEPT_SAMPLE = 4_096
"""Rows, at most about, that stand for all where each of them is compared with a question."""

SAMPLED = 8_192
"""Rows, at most about, whose mean stands for that of all."""

_SHARED_FROM = 200_000
"""Rows from which a product is shared among threads: starting them takes 0.2 ms."""

_THREADS = 4
"""Reading memory is what takes time, and more do not read faster."""


NONE_NEAR = np.zeros(0, np.int64), np.zeros(0, np.float32)


class DenseIndex:
    """Vectors in a folder. The matrix is mapped into memory: processes share it, and one query reads it once.

    Args:
        folder: made by :meth:`make`.
    Raises:
        ValueError, OSError: not such a folder, or a truncated one.
    """

    def __init__(self, folder: Path) -> None:
        folders = segment_folders(folder)
        self._segments = [WrittenMatrix(each) for each in folders]
        self._firsts = [0, *accumulate(map(len, self._segments))]
        self.document_ids = DocumentIds(folder, self._firsts[-1])
        coarse = [CoarseVectors.open(each) for each in folders if CoarseVectors.is_in(each)]
        self._coarse = coarse if len(self) >= COARSE_FROM and len(coarse) == len(folders) else None
        if len({segment.rows.shape[1] for segment in self._segments}) != 1:
            raise ValueError(NO_FIT)

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
    def writer(folder: Path, dimension: int, *, rounded: bool = False) -> Iterator[DenseWriter]:
        """Fill a new folder block by block; it is whole at the end of the with statement.

        Args:
            folder: where.
            dimension: of the vectors.
            rounded: keep them in eight bits, too, however few they are: they are joined to others of which this is kept.
        """
        with DenseWriter(folder, dimension) as writer:
            yield writer
        if rounded or len(writer) >= COARSE_FROM:
            CoarseVectors.make(folder, mapped(folder / ROWS))

    def __len__(self) -> int:
        return len(self.document_ids)

    @property
    def dimension(self) -> int:
        """Of the vectors."""
        return int(self._segments[0].rows.shape[1])

    @property
    def rows(self) -> FloatArray:
        """The vectors, shape (n, dimension), in order; of a joined matrix a copy."""
        return self._picked(None)

    @cached_property
    def numbers(self) -> IntArray:
        """The number of each unit (:func:`~coditect.retrieve.port.unit_number`), in order; of a joined matrix a copy."""
        return self._ordered([segment.numbers for segment in self._segments])

    @cached_property
    def item_ids(self) -> ItemIds | JoinedIds:
        """The item id of each row, each made a string when it is looked at; ``of`` gives those of many rows at once."""
        if not self.document_ids.is_joined:
            return self._segments[0].item_ids
        return JoinedIds(self._segments, self._firsts, self.document_ids)

    def sample(self, step: int) -> FloatArray:
        """The vector of the first row and of each one so many rows behind it, shape (rows, dimension)."""
        return self._picked(np.arange(0, len(self), step, dtype=np.int64))

    @cached_property
    def sampled(self) -> FloatArray:
        """Some of the vectors, evenly drawn where there are many, shape (rows, dimension); of 256 dimensions 4 MB at most, kept."""
        return self.sample(max(1, -(-len(self) // KEPT_SAMPLE)))

    @cached_property
    def centre(self) -> FloatArray:
        """The mean of the vectors, of a sample where there are many, shape (dimension,); zeros where there are none."""
        if not len(self):
            return np.zeros(self.dimension, np.float32)
        return np.asarray(self.sample(-(-len(self) // SAMPLED)).mean(axis=0, dtype=np.float64), np.float32)

    @cached_property
    def _places(self) -> IntArray:
        """Where the rows lie among those of the segments one after the other."""
        return self.document_ids.places(np.arange(len(self), dtype=np.int64))

    def _ordered(self, of_segments: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
        """What each segment has for each of its rows, in the order of the rows that count."""
        if not self.document_ids.is_joined:
            return of_segments[0]
        return np.concatenate(of_segments)[self._places]

    def _picked(self, rows: IntArray | None) -> FloatArray:
        """Vectors of chosen rows; None: of all."""
        if not self.document_ids.is_joined:
            return self._segments[0].rows if rows is None else self._segments[0].rows[rows]
        places = self._places if rows is None else self.document_ids.places(rows)
        found = np.empty((len(places), self.dimension), np.float32)
        for segment, (first, after) in zip(self._segments, pairwise(self._firsts), strict=True):
            here = (places >= first) & (places < after)
            found[here] = segment.rows[places[here] - first]
        return found

    def _beside(self, first: int, after: int) -> FloatArray:
        """Vectors of rows side by side; of a matrix that was written at once they are not copied."""
        if self.document_ids.is_joined:
            return self._picked(np.arange(first, after, dtype=np.int64))
        return self._segments[0].rows[first:after]

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
        rows, cosines = self.nearest(vector, limit, allowed)
        return list(zip(rows.tolist(), cosines.tolist(), strict=True))

    def nearest(self, vector: FloatArray, limit: int, allowed: IntArray | None = None) -> tuple[IntArray, FloatArray]:
        """The same as arrays: rows and their cosines, shape (at most limit,) each."""
        self._require(vector)
        if limit < 1 or not len(self) or (allowed is not None and not len(allowed)):
            return NONE_NEAR
        few = self._possible(vector, limit, allowed)
        cosines = self._cosines(vector) if few is None else _products(self._picked(few), vector)
        best = _nearest(cosines, limit)
        return (best if few is None else few[best]), cosines[best]

    def nearest_of(self, document_id: str, vector: FloatArray, limit: int) -> tuple[IntArray, FloatArray]:
        """The nearest rows of one document, as :meth:`nearest` gives them."""
        first, after = self.document_rows(document_id)
        if limit < 1 or first == after:
            return NONE_NEAR
        if (after - first) * _MANY > len(self):
            return self.nearest(vector, limit, np.arange(first, after, dtype=np.int64))
        cosines = _products(self._beside(first, after), vector)
        best = _nearest(cosines, limit)
        return best + first, cosines[best]

    def _possible(self, vector: FloatArray, limit: int, allowed: IntArray | None) -> IntArray | None:
        """Rows among which the nearest are, increasing; None: all."""
        if self._coarse is None or (allowed is not None and len(allowed) * _MANY <= len(self)):
            return allowed
        near, doubt = map(self._ordered, zip(*(each.bounds(vector) for each in self._coarse), strict=True))
        return possible(near, doubt, limit, allowed)

    def _cosines(self, vector: FloatArray) -> FloatArray:
        """Of all rows."""
        return self._ordered([_products(segment.rows, vector) for segment in self._segments])

    def vectors(self, rows: IntArray) -> FloatArray:
        """Vectors of chosen rows, shape (len(rows), dimension)."""
        return self._picked(rows)

    def cosines(self, vector: FloatArray, rows: IntArray) -> FloatArray:
        """Cosines of chosen rows, shape (len(rows),); each the same, to the last bit, as :meth:`search` gives it."""
        self._require(vector)
        return _products(self._picked(rows), vector)

    def rows_of(self, numbers: IntArray) -> IntArray:
        """Rows of units by number (:func:`~coditect.retrieve.port.unit_number`), in order; -1 for one without a vector."""
        if not self.document_ids.is_joined:
            return self._segments[0].rows_of(numbers)
        found = np.full(len(numbers), -1, np.int64)
        for segment, first in zip(self._segments, self._firsts, strict=False):
            own = segment.rows_of(numbers)
            rows = self.document_ids.rows_at(np.where(own < 0, -1, own + first))
            found = np.where(rows < 0, found, rows)
        return found

    def documents_of(self, rows: IntArray) -> list[str]:
        """The document id of each row, or "", in order."""
        return self.document_ids.of(rows)

    def block_of(self, document_id: str) -> VectorBlock:
        """The vectors of a document, all of them as one block."""
        first, after = self.document_rows(document_id)
        return VectorBlock(tuple(self.item_ids[first:after]), self._picked(np.arange(first, after)))

    def document_rows(self, document_id: str) -> tuple[int, int]:
        """(first, after) of a document's rows, which stand side by side; (0, 0) if it has none."""
        return self.document_ids.rows.get(document_id, (0, 0))

    def _require(self, vector: FloatArray) -> None:
        if vector.shape != (self.dimension,):
            raise UsageError("a vector of another dimension", expected=self.dimension, found=vector.shape)


class JoinedIds(Sequence[str]):
    """The item id of each row of a joined matrix."""

    def __init__(self, segments: Sequence[WrittenMatrix], firsts: Sequence[int], documents: DocumentIds) -> None:
        self._segments = segments
        self._firsts = firsts
        self._documents = documents

    def __len__(self) -> int:
        return len(self._documents)

    @overload
    def __getitem__(self, at: int) -> str: ...

    @overload
    def __getitem__(self, at: slice) -> list[str]: ...

    def __getitem__(self, at: int | slice) -> str | list[str]:
        rows = range(len(self))[at]
        if isinstance(rows, int):
            return self.of(np.asarray([rows], np.int64))[0]
        return self.of(np.asarray(rows, np.int64))

    def of(self, rows: IntArray) -> list[str]:
        """The ids of rows, in order; see :meth:`~coditect.retrieve.local.files.ItemIds.of`."""
        places = self._documents.places(rows)
        found = [""] * len(places)
        for segment, (first, after) in zip(self._segments, pairwise(self._firsts), strict=True):
            here = np.flatnonzero((places >= first) & (places < after))
            for at, item_id in zip(here.tolist(), segment.item_ids.of(places[here] - first), strict=True):
                found[at] = item_id
        return found


def _products(rows: FloatArray, vector: FloatArray) -> FloatArray:
    """Inner products of rows and a vector, shape (rows,).

    Row by row, and not as a matrix product: that one's last bits depend on the number of threads and on where a row stands, and its
    threads wait for one another in loops that take the other core from whoever needs it.
    """
    if len(rows) < _SHARED_FROM:
        return np.asarray(np.vecdot(rows, vector), dtype=np.float32)
    from concurrent.futures import ThreadPoolExecutor  # only where there are many rows

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
