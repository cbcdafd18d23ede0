"""The tokens of passages as an encoder read them in their sentences, and how near they come to those of a question.

============ ====== ======================= ==================================================================
file         type   shape                   what
============ ====== ======================= ==================================================================
read         uint16 (tokens,)               the tokens of each unit that tell something, not decreasing, unit by unit
codes        uint8  (tokens, dimension / 2) their vectors, as :func:`~coditect.store.embedded.tokens.decoded` reads them
read_after   int64  (n,)                    where those of each unit end
============ ====== ======================= ==================================================================

Units stand in the order of the rows of their vectors, in whose folder, or whose segments' folders, the files lie.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from contextlib import ExitStack
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from coditect.models.port import IntArray, ReadTokens
from coditect.retrieve.local.files import mapped
from coditect.retrieve.local.joined import DocumentIds, is_joined, segment_folders
from coditect.store.embedded.tokens import CodedTokens, decoded

__all__ = ["READING", "ReadIndex", "ReadNearness", "ReadWriter"]

READING = "reading/1"
"""Version of the layout; a replica of another one is made anew."""

GROWTH = 0.05
"""What is taken off for the logarithm of the number of tokens: more tokens come nearer by chance (ADR 0082, 0089)."""

_READ, _CODES, _AFTER = "read.npy", "codes.npy", "read_after.npy"

Scores = npt.NDArray[np.float64]


class ReadWriter:
    """Writes the tokens of units beside their vectors; the files are whole when it is left.

    Args:
        folder: of the vectors.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ids = array("H")
        self._after = array("q")
        self._width = 0
        self._opened = ExitStack()
        self._codes = self._opened.enter_context((folder / _CODES).open("wb"))

    def __enter__(self) -> Self:
        """Nothing to open."""
        self._write_header()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Finish; after an error, only let go."""
        with self._opened:
            if kind is None:
                self._codes.seek(0)
                self._write_header()
        if kind is None:
            np.save(self._folder / _READ, np.frombuffer(self._ids, np.uint16) if self._ids else np.zeros(0, np.uint16))
            np.save(
                self._folder / _AFTER, np.frombuffer(self._after, np.int64) if self._after else np.zeros(0, np.int64)
            )

    def add(self, units: Iterable[CodedTokens]) -> None:
        """Write the next units."""
        for each in units:
            if len(each.ids):
                self._width = each.codes.shape[1]
            self._ids.frombytes(each.ids.astype(np.uint16).tobytes())
            self._codes.write(np.ascontiguousarray(each.codes).data if len(each.ids) else b"")
            self._after.append(len(self._ids))

    def _write_header(self) -> None:
        # The format pads its header so that one with any number of rows is as long as this one with none.
        shape = (len(self._ids), self._width)
        np.lib.format.write_array_header_1_0(self._codes, {"descr": "|u1", "fortran_order": False, "shape": shape})


class ReadIndex:
    """The tokens of units in a folder, mapped into memory.

    Args:
        folder: in which :class:`ReadWriter` wrote, or of a joined matrix in whose segments it did.
    Raises:
        ValueError, OSError: not such a folder, or a truncated one.
    """

    def __init__(self, folder: Path) -> None:
        self._parts = [_Part(each) for each in segment_folders(folder)]
        self._firsts = [0, *accumulate(len(each.after) for each in self._parts)]
        # Of one that was written at once nobody asks for documents here.
        self._documents = DocumentIds(folder, self._firsts[-1]) if is_joined(folder) else None

    def __len__(self) -> int:
        return self._firsts[-1] if self._documents is None else len(self._documents)

    def of(self, rows: Iterable[int]) -> list[CodedTokens]:
        """The tokens of units by row, in order."""
        wanted = np.fromiter(rows, np.int64)
        places = (wanted if self._documents is None else self._documents.places(wanted)).tolist()
        segments = [bisect_right(self._firsts, place) - 1 for place in places]
        return [self._parts[at].unit(place - self._firsts[at]) for place, at in zip(places, segments, strict=True)]

    def rarity(self, tokens: IntArray) -> Scores:
        """What each of some tokens tells, in nats: the logarithm of how few units hold it, >= 0."""
        held = np.where(tokens < len(self._held), self._held[np.minimum(tokens, len(self._held) - 1)], 0)
        return np.maximum(np.log((len(self) + 1) / (held + 0.5)), 0.0).astype(np.float64)

    @cached_property
    def _held(self) -> IntArray:
        """How many units hold each token; no unit holds what lies beyond the end."""
        counted = [np.zeros(1, np.int64)]
        for first, after in [(0, len(self))] if self._documents is None else self._documents.lying:
            for part, (begin, end) in zip(self._parts, pairwise(self._firsts), strict=True):
                if first < end and begin < after:
                    counted.append(np.bincount(part.each_once(max(first, begin) - begin, min(after, end) - begin)))
        held = np.zeros(max(map(len, counted)), np.int64)
        for each in counted:
            held[: len(each)] += each
        return held


class _Part:
    """The tokens of units that were written at once."""

    def __init__(self, folder: Path) -> None:
        self.ids: npt.NDArray[np.uint16] = mapped(folder / _READ)
        self.codes: npt.NDArray[np.uint8] = mapped(folder / _CODES)
        self.after: IntArray = mapped(folder / _AFTER)
        if not len(self.ids) == len(self.codes) == (int(self.after[-1]) if len(self.after) else 0):
            raise ValueError("the tokens of a replica do not fit together")

    def unit(self, row: int) -> CodedTokens:
        first, after = (int(self.after[row - 1]) if row else 0), int(self.after[row])
        return CodedTokens(self.ids[first:after], self.codes[first:after])

    def each_once(self, first: int, after: int) -> npt.NDArray[np.uint16]:
        """The different tokens of each of some rows side by side."""
        begin, end = (int(self.after[row - 1]) if row else 0 for row in (first, after))
        ids = self.ids[begin:end]
        is_first = np.ones(len(ids) + 1, bool)
        is_first[1:-1] = ids[1:] != ids[:-1]
        is_first[self.after[first:after] - begin] = True
        return ids[is_first[:-1]]


class ReadNearness:
    """How near the tokens of units, as they were read, come to those of a question.

    Args:
        index: tokens of the units.
    """

    def __init__(self, index: ReadIndex) -> None:
        self.index = index

    def of(self, asked: ReadTokens, rows: IntArray) -> Scores:
        """For each token of a question the best cosine of any token of a unit; the mean by the root of what the tokens tell.

        A token that was read in its sentence tells something of the words around it, too, so that a common one counts for more
        than its rarity says.

        A long unit comes nearer by chance. What is expected of its length is taken off, and the mean of all units, so that what is
        not read stands where it stood.

        Args:
            asked: tokens of the question, of vectors as wide as those of the units.
            rows: of the units.
        Returns:
            shape (len(rows),), mean 0, dimensionless.
        """
        found = np.zeros(len(rows))
        weights = np.sqrt(self.index.rarity(asked.ids)) if len(asked.ids) else np.zeros(0)
        units = self.index.of(rows.tolist())
        lengths = np.asarray([len(each.ids) for each in units], np.int64)
        with_words = np.flatnonzero(lengths)
        if weights.sum() <= 0 or not len(with_words):
            return found
        lengths = lengths[with_words]
        vectors = decoded(np.concatenate([units[at].codes for at in with_words.tolist()]))
        begins = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        best = np.maximum.reduceat(asked.vectors @ vectors.T, begins, axis=1).astype(np.float64)
        near = (best * weights[:, None]).sum(axis=0) / weights.sum() - GROWTH * np.log(lengths)
        found[with_words] = near - near.mean()
        return found
