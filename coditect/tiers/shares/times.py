"""Times: how often the words of a corpus are there, and how much one says that two entries share, counted by their codes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from coditect.tiers.shares.codes import Codes, code_of
from coditect.tiers.shares.kept import Numbers

__all__ = ["CodeRun", "SharedWeights", "Times"]


@dataclass(frozen=True, eq=False, slots=True)
class CodeRun:
    """Some codes, and how often each is there, or how much more often than in the runs before it.

    Attributes:
        codes: increasing, each once.
        times: of each, never 0.
    """

    codes: Codes
    times: Numbers

    def of(self, code: int) -> int:
        """The times of a code; 0 where it is not here."""
        at = int(np.searchsorted(self.codes, np.uint64(code)))
        return int(self.times[at]) if at < len(self.codes) and int(self.codes[at]) == code else 0

    def of_each(self, codes: Codes) -> Numbers:
        """The times of some codes; 0 of those that are not here."""
        if not len(self.codes):
            return np.zeros(len(codes), dtype=np.int64)
        at = np.minimum(np.searchsorted(self.codes, codes), len(self.codes) - 1)
        return np.where(self.codes[at] == codes, self.times[at], 0)


class Times:
    """How often each of some codes is there, as the sum of a few runs.

    Args:
        runs: the first of them the largest.
    """

    def __init__(self, runs: Sequence[CodeRun]) -> None:
        self.runs = runs

    @classmethod
    def among(cls, codes: Codes) -> Self:
        """The times of codes that are given in any order."""
        return cls([CodeRun(*np.unique(codes, return_counts=True))])

    def of(self, code: int) -> int:
        """How often a code is there."""
        return sum(run.of(code) for run in self.runs)

    def of_each(self, codes: Codes) -> Numbers:
        """How often each of some codes is there."""
        found: Numbers = sum((run.of_each(codes) for run in self.runs), np.zeros(len(codes), dtype=np.int64))
        return found

    def changed(self, gone: Codes, new: Codes) -> tuple[Times, Codes]:
        """(these times where some codes are there no more and others are, the codes whose times differ).

        Args:
            gone: each as often as it is there no more.
            new: each as often as it has come.
        """
        signs = np.concatenate([np.full(len(gone), -1, dtype=np.int64), np.ones(len(new), dtype=np.int64)])
        change = _run(np.concatenate([gone, new]), signs)
        if not len(change.codes):
            return self, change.codes
        first, *others = self.runs
        both = _joined([*others, change])
        runs = [first, both] if len(both.codes) * LEAST_SHARE < len(first.codes) else [_joined([first, both])]
        return Times(runs), change.codes


LEAST_SHARE = 8
"""What changed is put to the first run, which is written anew then, as soon as it is so great a part of it: one in so many."""


def _joined(runs: Sequence[CodeRun]) -> CodeRun:
    return _run(np.concatenate([each.codes for each in runs]), np.concatenate([each.times for each in runs]))


def _run(codes: Codes, times: Numbers) -> CodeRun:
    """The sums of the times of codes that are given in any order."""
    known, inverse = np.unique(codes, return_inverse=True)
    sums = np.zeros(len(known), dtype=np.int64)
    np.add.at(sums, inverse, times)
    return CodeRun(known[sums != 0], sums[sums != 0])


class SharedWeights(Mapping[str, float]):
    """How much a word that two entries share says, as :func:`~coditect.tiers.findings.conflicts.entries.weights` tells.

    Args:
        times: in how many statements each word is.
        statements: how many statements there are.
    """

    def __init__(self, times: Times, statements: int) -> None:
        self._times = times
        self._statements = statements
        self._known: dict[str, float] = {}

    def __getitem__(self, word: str) -> float:
        if word not in self._known:
            times = self._times.of(code_of(word))
            if not times:
                raise KeyError(word)
            self._known[word] = math.log(1.0 + self._statements / times)
        return self._known[word]

    def of_each(self, codes: Codes) -> npt.NDArray[np.float64]:
        """The weights of words by their codes, as near as arrays give them; 0 for words that are not there."""
        times = self._times.of_each(codes)
        return np.where(times > 0, np.log1p(self._statements / np.maximum(times, 1)), 0.0)

    def __iter__(self) -> Iterator[str]:
        """The words that were asked for: what the others are, only their documents know."""
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
