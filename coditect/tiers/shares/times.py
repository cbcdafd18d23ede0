"""Times: how often the words of a corpus are there, and how much one says that two entries share, counted by their codes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from coditect.tiers.shares.codes import Codes, code_of
from coditect.tiers.shares.kept import Numbers

__all__ = ["SharedWeights", "Times"]


class Times:
    """How often each of some codes is there.

    Args:
        codes: in any order.
    """

    def __init__(self, codes: Codes) -> None:
        self._codes, self._times = np.unique(codes, return_counts=True)

    def of(self, code: int) -> int:
        """How often a code is there."""
        at = int(np.searchsorted(self._codes, np.uint64(code)))
        return int(self._times[at]) if at < len(self._codes) and int(self._codes[at]) == code else 0

    def of_each(self, codes: Codes) -> Numbers:
        """How often each of some codes is there."""
        if not len(self._codes):
            return np.zeros(len(codes), dtype=np.int64)
        at = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        return np.where(self._codes[at] == codes, self._times[at], 0)


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
