"""Common: how much of the weight of their words two entries have in common, of many pairs at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from coditect.tiers.shares.arrays import EntryArrays
from coditect.tiers.shares.codes import Codes
from coditect.tiers.shares.kept import Numbers

__all__ = ["in_common"]

_AT_ONCE = 100_000
"""Pairs of entries whose words are compared together."""

Floats = npt.NDArray[np.float64]


def in_common(
    arrays: EntryArrays, ours: Numbers, theirs: Numbers, weight_of: Callable[[Codes], Floats]
) -> tuple[Floats, Floats, Floats]:
    """(the weight of the words that both entries of each pair have, that of all words of the one, of the other).

    Args:
        arrays: the entries.
        ours: one entry of each pair.
        theirs: the other one.
        weight_of: gives the weights of words by their codes.
    """
    own = np.unique(np.concatenate([ours, theirs]))
    paired = np.zeros(len(arrays.flags), dtype=np.bool_)
    paired[own] = True
    codes, owners = arrays.words(paired)
    known, words = np.unique(codes, return_inverse=True)
    tellers = np.searchsorted(own, owners)
    weight = weight_of(known)
    total = np.bincount(tellers, weights=weight[words], minlength=len(own)).astype(np.float64)
    ends = np.searchsorted(tellers, np.arange(len(own)), side="right")
    rows = np.sort((tellers << 32) + words)
    common = np.zeros(len(ours))
    for begin in range(0, len(ours), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        a, b = np.searchsorted(own, ours[part]), np.searchsorted(own, theirs[part])
        lengths = ends[a] - np.where(a > 0, ends[a - 1], 0)
        pair = np.repeat(np.arange(len(a)), lengths)
        at = np.arange(len(pair)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        word = words[np.repeat(ends[a] - lengths, lengths) + at]
        wanted = (b[pair] << 32) + word
        shared = rows[np.minimum(np.searchsorted(rows, wanted), len(rows) - 1)] == wanted
        common[part] = np.bincount(pair[shared], weights=weight[word[shared]], minlength=len(a))
    return common, total[np.searchsorted(own, ours)], total[np.searchsorted(own, theirs)]
