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
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from coditect.models.port import IntArray, ReadTokens
from coditect.retrieve.local.files import mapped
from coditect.retrieve.local.meaning.units import LyingUnits, Scores
from coditect.store.embedded.tokens import CodedTokens, decoded

__all__ = ["READING", "ReadIndex", "ReadNearness", "ReadWriter"]

READING = "reading/1"
"""Version of the layout; a replica of another one is made anew."""

GROWTH = 0.05
"""What is taken off for the logarithm of the number of tokens: more tokens come nearer by chance (ADR 0082, 0089)."""

_READ, _CODES, _AFTER = "read.npy", "codes.npy", "read_after.npy"


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


class _Part:
    """The tokens of units that were written at once."""

    def __init__(self, folder: Path) -> None:
        self.ids: npt.NDArray[np.uint16] = mapped(folder / _READ)
        self.codes: npt.NDArray[np.uint8] = mapped(folder / _CODES)
        self.after: IntArray = mapped(folder / _AFTER)
        if not len(self.ids) == len(self.codes) == (int(self.after[-1]) if len(self.after) else 0):
            raise ValueError("the tokens of a replica do not fit together")

    def unit(self, row: int) -> CodedTokens:
        """The tokens of the unit in a row."""
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


class ReadIndex(LyingUnits[_Part]):
    """The tokens of units in a folder, mapped into memory.

    Args:
        folder: in which :class:`ReadWriter` wrote, or of a joined matrix in whose segments it did.
    Raises:
        ValueError, OSError: not such a folder, or a truncated one.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, _Part)

    def of(self, rows: Iterable[int]) -> list[CodedTokens]:
        """The tokens of units by row, in order."""
        return [part.unit(row) for part, row in self.lying(rows)]

    def rarity(self, tokens: IntArray) -> Scores:
        """What each of some tokens tells, in nats: the logarithm of how few units hold it, >= 0."""
        return np.maximum(super().rarity(tokens), 0.0)


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
