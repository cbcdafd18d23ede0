"""Measures: what was measured with the weights of words while conflicts were looked for, and whether it comes out the same.

Weights depend on all documents, so that each change moves all of them a little. What a rule asks of them are figures in four digits
and whether one reaches a bound; where all of these come out as before, so do the conflicts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from coditect.tiers.findings.conflicts.likeness.detection import LEAST_SHARE, SHARE, UNIT_SHARE
from coditect.tiers.findings.conflicts.likeness.watched import LIKENESS, MeasuredWords
from coditect.tiers.shares.arrays import Flags
from coditect.tiers.shares.codes import Codes, code_of
from coditect.tiers.shares.kept import Numbers
from coditect.tiers.shares.times import SharedWeights

__all__ = ["BELOW", "Apart", "Measures", "measures_of", "moved"]

BELOW = 2
"""Beside the kinds of :mod:`~coditect.tiers.findings.conflicts.likeness.watched`: a likeness that lies below a bound."""

_NEAR = 1e-9
"""By how much sums of floating point may differ, and more."""

_BOUNDS = np.array(sorted({*SHARE.values(), LEAST_SHARE, UNIT_SHARE}))

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Apart:
    """Two entries that share too little to be in a conflict.

    Attributes:
        shared: the codes of the words that both have.
        first: those of the one.
        second: those of the other.
        bound: below which their likeness lies.
    """

    shared: tuple[int, ...]
    first: tuple[int, ...]
    second: tuple[int, ...]
    bound: float


@dataclass(frozen=True, slots=True)
class Measures:
    """Measures of sets of words, as arrays.

    Attributes:
        words: the codes of the words of all sets, one set behind the other.
        ends: the place behind the last word of each set.
        sets: shape (measures, 3): the numbers of the sets that are common, the one and the other.
        kinds: of each measure.
        values: what came of each; of :data:`BELOW` the bound.
    """

    words: Codes
    ends: Numbers
    sets: Numbers
    kinds: npt.NDArray[np.uint8]
    values: Floats


def measures_of(measured: Iterable[MeasuredWords], apart: Iterable[Apart]) -> Measures:
    """What was measured, each once, as arrays."""
    rows = {(each.kind, each.value, tuple(map(_codes, (each.shared, each.first, each.second)))) for each in measured}
    rows |= {(BELOW, each.bound, (each.shared, each.first, each.second)) for each in apart}
    numbers: dict[tuple[int, ...], int] = {}
    ordered = sorted(rows)
    sets = [[numbers.setdefault(own, len(numbers)) for own in row] for *_, row in ordered]
    return Measures(
        np.array([code for own in numbers for code in own], dtype=np.uint64),
        np.cumsum([len(own) for own in numbers], dtype=np.int64),
        np.array(sets, dtype=np.int64).reshape(-1, 3),
        np.array([kind for kind, *_ in ordered], dtype=np.uint8),
        np.array([value for _, value, _ in ordered], dtype=np.float64),
    )


def _codes(words: frozenset[str]) -> tuple[int, ...]:
    return tuple(sorted(map(code_of, words)))


def moved(several: Sequence[Measures], weights: SharedWeights) -> Flags:
    """Which of several lists of measures hold one that may come out otherwise by some weights than it did.

    Args:
        several: lists of measures.
        weights: of words.
    """
    if not several:
        return np.zeros(0, dtype=np.bool_)
    known, words = np.unique(np.concatenate([each.words for each in several]), return_inverse=True)
    counts = [len(each.ends) for each in several]
    before = np.cumsum([0, *counts])[:-1]
    lengths = np.concatenate([np.diff(each.ends, prepend=0) for each in several])
    owners = np.repeat(np.arange(len(lengths)), lengths)
    total = np.bincount(owners, weights=weights.of_each(known)[words], minlength=len(lengths))
    sets = np.concatenate([each.sets + first for each, first in zip(several, before.tolist(), strict=True)])
    kinds = np.concatenate([each.kinds for each in several])
    values = np.concatenate([each.values for each in several])
    found = _differ(kinds, values, *(total[column] for column in sets.T))
    lists = np.repeat(np.arange(len(several)), [len(each.kinds) for each in several])
    return np.bincount(lists[found], minlength=len(several)) > 0


def _differ(kinds: npt.NDArray[np.uint8], values: Floats, shared: Floats, first: Floats, second: Floats) -> Flags:
    """Which measures may come out otherwise, by the weights of their sets together."""
    least = np.maximum(np.minimum(first, second), 1e-300)
    share = shared / least
    likeness = np.where(shared > 0, 0.5 * share + shared / np.maximum(first + second, 1e-300), 0.0)
    found = np.zeros(len(kinds), dtype=np.bool_)
    own = kinds == BELOW
    found[own] = likeness[own] >= values[own] - _NEAR
    own = kinds == LIKENESS
    found[own] = ~_is_rounded_to(likeness[own], values[own])
    own = (kinds != BELOW) & (kinds != LIKENESS)
    found[own] = ~_is_rounded_to(share[own], np.round(values[own], 4))
    for bound in _BOUNDS:
        found[own] |= ((share[own] >= bound) != (values[own] >= bound)) | (np.abs(share[own] - bound) < _NEAR)
    return found


def _is_rounded_to(exact: Floats, rounded: Floats) -> Flags:
    """Which figures are certainly those that they were rounded to, in four digits."""
    return np.abs(exact - rounded) < 5e-5 - _NEAR
