"""The tokens of units, and how near they come to those of a question, word for word.

========== ======= ============= ============================================================
file       type    shape         what
========== ======= ============= ============================================================
tokens     uint16  (tokens,)     the different tokens of each unit, increasing, unit by unit
after      int64   (n,)          where those of each unit end
========== ======= ============= ============================================================

Units stand in the order of the rows of their vectors, in whose folder, or whose segments' folders, the files lie.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

from coditect.language.matched import as_matched
from coditect.models.port import IntArray, TokenVectors
from coditect.retrieve.local.files import mapped
from coditect.retrieve.local.meaning.units import LyingUnits, Scores

__all__ = ["TOKENS", "Nearness", "TokenIndex", "TokenWriter", "inside_documents"]

TOKENS = "tokens/2"
"""Version of the layout and of what is read of a unit; a replica of another one is made anew."""

GROWTH = 0.09
"""What nearness grows by with the logarithm of the number of tokens, by chance alone: more tokens come nearer (ADR 76)."""

_TOKENS, _AFTER = "tokens.npy", "after.npy"
_TYPE = np.uint16


class TokenWriter:
    """Writes the tokens of units beside their vectors; the files are whole when it is left.

    Args:
        folder: of the vectors.
        vectors: takes texts apart.
    """

    def __init__(self, folder: Path, vectors: TokenVectors) -> None:
        self._folder = folder
        self._vectors = vectors
        self._tokens = array("H")
        self._after = array("q")

    def __enter__(self) -> Self:
        """Nothing to open."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        """Finish; after an error nothing is written."""
        if kind is None:
            np.save(self._folder / _TOKENS, np.frombuffer(self._tokens, _TYPE) if self._tokens else np.zeros(0, _TYPE))
            np.save(
                self._folder / _AFTER, np.frombuffer(self._after, np.int64) if self._after else np.zeros(0, np.int64)
            )

    def add(self, texts: Sequence[str]) -> None:
        """Write the next units by their own words."""
        self.copy(self._vectors.tokens([as_matched(text) for text in texts]))

    def copy(self, units: Iterable[IntArray]) -> None:
        """Write the next units by their tokens."""
        for tokens in units:
            self._tokens.frombytes(tokens.astype(_TYPE).tobytes())
            self._after.append(len(self._tokens))


@dataclass(frozen=True, slots=True)
class _Tokens:
    """The tokens of units that were written at once."""

    tokens: npt.NDArray[np.uint16]
    after: IntArray

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Those of a replica's folder, mapped; ValueError: its files do not fit together."""
        found = cls(mapped(folder / _TOKENS), mapped(folder / _AFTER))
        if len(found.tokens) != (int(found.after[-1]) if len(found.after) else 0):
            raise ValueError("the tokens of a replica do not fit together")
        return found

    def each_once(self, first: int, after: int) -> npt.NDArray[np.uint16]:
        """The different tokens of each of some rows side by side."""
        return self.tokens[(self.after[first - 1] if first else 0) : (self.after[after - 1] if after else 0)]


class TokenIndex(LyingUnits[_Tokens]):
    """The tokens of units in a folder, mapped into memory.

    Args:
        folder: in which :class:`TokenWriter` wrote, or of a joined matrix in whose segments it did.
    Raises:
        ValueError, OSError: not such a folder, or a truncated one.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, _Tokens.open)

    def of(self, rows: Iterable[int]) -> list[IntArray]:
        """The different tokens of units by row, in order, each increasing."""
        return [part.each_once(row, row + 1).astype(np.int64) for part, row in self.lying(rows)]


class Nearness:
    """How near the tokens of units come to a question.

    Args:
        index: tokens of the units.
        vectors: of tokens.
    """

    def __init__(self, index: TokenIndex, vectors: TokenVectors) -> None:
        self.index = index
        self._vectors = vectors

    def of(self, asked: Sequence[tuple[str, float]], rows: IntArray) -> Scores:
        """For each token of a question the best cosine of any token of a unit; the mean by what the tokens tell.

        A long unit comes nearer by chance. What is expected of its length is taken off, and the mean of all units, so that what is
        not read stands where it stood.

        Args:
            asked: texts with what their tokens count for, > 0; a token counts for what it does in the first text that has it.
            rows: of the units.
        Returns:
            shape (len(rows),), mean 0, dimensionless.
        """
        found = np.zeros(len(rows))
        worth = self._worth(asked)
        units = self.index.of(rows.tolist())
        lengths = np.asarray([len(each) for each in units], np.int64)
        with_words = np.flatnonzero(lengths)
        if not worth or not len(with_words):
            return found
        units, lengths = [units[at] for at in with_words.tolist()], lengths[with_words]
        weights = np.asarray(list(worth.values()))
        every = np.concatenate(units)
        ordered = np.sort(every)
        different = ordered[np.diff(ordered, prepend=-1) > 0]
        place = np.searchsorted(different, every)
        wanted = self._vectors.vectors(np.asarray(list(worth), np.int64))
        # Row by row, as in the matrix of units: a product of matrices has other last bits on other machines.
        cosines = np.vecdot(wanted[:, None, :], self._vectors.vectors(different)[None, :, :])
        begins = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        best = np.maximum.reduceat(cosines[:, place], begins, axis=1).astype(np.float64)
        near = (best * weights[:, None]).sum(axis=0) / weights.sum() - GROWTH * np.log(lengths + 1)
        found[with_words] = near - near.mean()
        return found

    def _worth(self, asked: Sequence[tuple[str, float]]) -> dict[int, float]:
        """What each token of a question counts for, > 0."""
        worth: dict[int, float] = {}
        for (_, weight), tokens in zip(
            asked, self._vectors.tokens([as_matched(text) for text, _ in asked]), strict=True
        ):
            for token, nats in zip(tokens.tolist(), self.index.rarity(tokens).tolist(), strict=True):
                if nats > 0:
                    worth.setdefault(token, weight * nats)
        return worth


def inside_documents(documents: int, units: int) -> float:
    """The share of finding a unit that is not finding its document, 0..1.

    To know the document is log(documents) of the log(units) by which one unit is found. Names of documents are believed by the
    square of that share (ADR 68); nearness of tokens counts for what is left.

    Args:
        documents: of the corpus.
        units: of the corpus at the granularity that is searched.
    """
    if documents < 1 or units < 2:
        return 0.0
    return 1 - min(1.0, math.log(documents) / math.log(units)) ** 2
