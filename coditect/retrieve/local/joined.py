"""Matrices of vectors that are joined of others, so that what a change leaves alone is linked, and not written again.

A *joined* matrix holds the rows of others, its *segments*: folders ``0``, ``1``, …, each a matrix that was written at once
(:mod:`coditect.retrieve.local.files`). Their rows count one after the other. Beside ``starts`` and ``documents`` it has

========== ======= =============== ==========================================================
places     int64   (runs + 1,)     where among the rows of the segments each run begins; last how many rows there are in all
========== ======= =============== ==========================================================

so that a run of a segment that no longer counts is left where it is, and rows are in the order that they would have had.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import overload

import numpy as np
import numpy.typing as npt

from coditect.models.port import IntArray
from coditect.retrieve.local.files import DOCUMENTS, NO_FIT, STARTS, ItemIds, mapped, write_documents

__all__ = ["DocumentIds", "is_joined", "join", "link", "segment_folders"]

_PLACES = "places.npy"


def is_joined(folder: Path) -> bool:
    """Whether a matrix is joined of others."""
    return (folder / _PLACES).exists()


def segment_folders(folder: Path) -> list[Path]:
    """The folders of a matrix' segments, in order: of one that was written at once its own."""
    return _numbered(folder) if is_joined(folder) else [folder]


def _numbered(folder: Path) -> list[Path]:
    return sorted((each for each in folder.iterdir() if each.name.isdecimal()), key=lambda each: int(each.name))


def link(source: Path, target: Path) -> None:
    """Put the files of a matrix that was written at once into another folder, which is made, without copying them."""
    target.mkdir(parents=True)
    for file in source.iterdir():
        if file.is_file():
            os.link(file, target / file.name)


def join(folder: Path, segment_of: Mapping[str, int]) -> None:
    """Say which rows of the segments in a folder count; the matrix is whole from then on.

    Args:
        folder: of the joined matrix, with its segments in it.
        segment_of: the number of the segment in which each document's rows count, in the order of the rows to be; documents
            without rows may be among them.
    """
    segments = [DocumentIds(each, len(ItemIds(each))) for each in _numbered(folder)]
    begins = [0, *accumulate(map(len, segments))]
    runs = [(name, at, *segments[at].rows[name]) for name, at in segment_of.items() if name in segments[at].rows]
    starts = [0, *accumulate(after - first for _, _, first, after in runs)]
    places = [*(begins[at] + first for _, at, first, _ in runs), starts[-1]]
    write_documents(folder, [name for name, *_ in runs], starts[:-1])
    np.save(folder / _PLACES, np.asarray(places, np.int64))


class DocumentIds(Sequence[str]):
    """The document id of each row, or "", and where among those of the segments the rows lie.

    Args:
        folder: of the matrix.
        count: rows of all its segments.
    Raises:
        ValueError, OSError: its files are damaged.
    """

    def __init__(self, folder: Path, count: int) -> None:
        self._starts: IntArray = mapped(folder / STARTS)
        self._names = (folder / DOCUMENTS).read_text("ascii").split("\n")[:-1]
        self.is_joined = is_joined(folder)
        places = mapped(folder / _PLACES) if self.is_joined else np.append(self._starts, count)
        if not len(self._names) == len(self._starts) == len(places) - 1:
            raise ValueError(NO_FIT)
        self._places: IntArray = places[:-1]
        self._count = int(places[-1])
        if not self._lie_within(count):
            raise ValueError(NO_FIT)

    def _lie_within(self, count: int) -> bool:
        """Whether every run has rows, and lies among so many."""
        lengths = np.diff(self._starts, append=self._count)
        ends = self._places + lengths
        return bool((lengths > 0).all() and (self._places >= 0).all() and (ends <= count).all())

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
        return [self._names[at] for at in self._runs(rows).tolist()]

    def highest(self, rows: IntArray, scores: npt.NDArray[np.float64]) -> dict[str, float]:
        """The highest score of each document among rows.

        Args:
            rows: 0 to ``len - 1``, any order, shape (n,).
            scores: theirs, shape (n,).
        """
        runs = self._runs(rows)
        order = np.argsort(runs, kind="stable")
        at, firsts = np.unique(runs[order], return_index=True)
        highest = np.maximum.reduceat(scores[order], firsts) if len(firsts) else scores
        found: dict[str, float] = {}
        for run, score in zip(at.tolist(), highest.tolist(), strict=True):
            name = self._names[run]
            found[name] = max(found.get(name, score), score)
        return found

    def _runs(self, rows: IntArray) -> IntArray:
        """The run in which each row lies."""
        return np.searchsorted(self._starts, rows, side="right") - 1

    @cached_property
    def rows(self) -> dict[str, tuple[int, int]]:
        """(first row, row after the last) of each document."""
        found: dict[str, tuple[int, int]] = {}
        for name, (first, after) in zip(self._names, pairwise((*self._starts.tolist(), self._count)), strict=True):
            found[name] = (found.get(name, (first, first))[0], after)
        return found

    def places(self, rows: IntArray) -> IntArray:
        """Where rows lie among those of the segments one after the other."""
        if not self.is_joined:
            return rows
        run = self._runs(rows)
        return np.asarray(self._places[run] + rows - self._starts[run], np.int64)

    def rows_at(self, places: IntArray) -> IntArray:
        """The rows that lie at places among those of the segments; -1 where none does that counts, and for -1."""
        if not len(self._starts):
            return np.full(len(places), -1, np.int64)
        order, firsts, lengths = self._by_place
        run = np.maximum(np.searchsorted(firsts, places, side="right") - 1, 0)
        inside = places - firsts[run]
        return np.where((inside >= 0) & (inside < lengths[run]), self._starts[order[run]] + inside, -1)

    @cached_property
    def _by_place(self) -> tuple[IntArray, IntArray, IntArray]:
        """(runs by where they lie, where that is, their lengths)."""
        order = np.argsort(self._places, kind="stable")
        return order, self._places[order], np.diff(self._starts, append=self._count)[order]

    @property
    def lying(self) -> list[tuple[int, int]]:
        """(first, after) of the places at which rows lie that count, increasing; what lies side by side is one."""
        _, firsts, lengths = self._by_place
        found: list[tuple[int, int]] = []
        for first, after in zip(firsts.tolist(), (firsts + lengths).tolist(), strict=True):
            begin = found.pop()[0] if found and found[-1][1] == first else first
            found.append((begin, after))
        return found
