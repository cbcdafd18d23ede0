"""Units whose tokens lie in one folder or in the segments of a joined matrix: where each lies, and how rare a token is."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from coditect.models.port import IntArray
from coditect.retrieve.local.joined import DocumentIds, is_joined, segment_folders

__all__ = ["LyingUnits", "Scores", "WrittenTokens"]

Scores = npt.NDArray[np.float64]

_TOKENS = 1 << 16
"""Tokens that there can be."""

_FEW_CALLS = 4
"""So often the tokens that are asked for are counted alone; who goes on asking has all counted once."""


class WrittenTokens(Protocol):
    """The tokens of units that were written at once."""

    @property
    def after(self) -> IntArray:
        """Where those of each unit end, shape (n,)."""
        ...

    def each_once(self, first: int, after: int) -> npt.NDArray[np.uint16]:
        """The different tokens of each of some rows side by side."""
        ...


P = TypeVar("P", bound=WrittenTokens)


class LyingUnits(Generic[P]):
    """Units by row, whichever segment they lie in.

    Args:
        folder: in which they were written, or of a joined matrix in whose segments they were.
        opened: opens what was written at once in a folder.
    Raises:
        ValueError, OSError: not such a folder, or a truncated one.
    """

    def __init__(self, folder: Path, opened: Callable[[Path], P]) -> None:
        self._parts = [opened(each) for each in segment_folders(folder)]
        self._asked = 0
        self._firsts = [0, *accumulate(len(each.after) for each in self._parts)]
        # Of one that was written at once nobody asks for documents here.
        self._documents = DocumentIds(folder, self._firsts[-1]) if is_joined(folder) else None

    def __len__(self) -> int:
        return self._firsts[-1] if self._documents is None else len(self._documents)

    def lying(self, rows: Iterable[int]) -> list[tuple[P, int]]:
        """What holds each of some units, and its row there, in order."""
        wanted = np.fromiter(rows, np.int64)
        places = (wanted if self._documents is None else self._documents.places(wanted)).tolist()
        segments = [bisect_right(self._firsts, place) - 1 for place in places]
        return [(self._parts[at], place - self._firsts[at]) for place, at in zip(places, segments, strict=True)]

    def rarity(self, tokens: IntArray) -> Scores:
        """What each of some tokens tells, in nats: the logarithm of how few units hold it; below 0 where nearly all do."""
        self._asked += 1
        counts = self._counted(tokens) if self._asked <= _FEW_CALLS else self._held
        held = np.where(tokens < len(counts), counts[np.minimum(tokens, len(counts) - 1)], 0)
        return np.asarray(np.log((len(self) + 1) / (held + 0.5)), np.float64)

    @cached_property
    def _held(self) -> IntArray:
        """How many units hold each token; no unit holds what lies beyond the end."""
        return self._counted(None)

    def _counted(self, tokens: IntArray | None) -> IntArray:
        """The same, of some tokens alone: it takes a fifth of the time, which a process that asks once has. None: of all."""
        is_asked = np.zeros(_TOKENS, np.bool_)
        if tokens is not None:
            is_asked[tokens[tokens < _TOKENS]] = True
        counted = [np.zeros(1, np.int64)]
        for first, after in [(0, len(self))] if self._documents is None else self._documents.lying:
            for part, (begin, end) in zip(self._parts, pairwise(self._firsts), strict=True):
                if first < end and begin < after:
                    there = part.each_once(max(first, begin) - begin, min(after, end) - begin)
                    counted.append(np.bincount(there if tokens is None else there[is_asked[there]]))
        held = np.zeros(max(map(len, counted)), np.int64)
        for each in counted:
            held[: len(each)] += each
        return held
