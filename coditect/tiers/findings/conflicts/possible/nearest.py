"""The nearest pairs of sentences of different documents that fix different things, each sentence in one pair.

How near two sentences are is their cosine, counted twice, less how near each of them is to its own nearest sentences elsewhere: a
sentence that is near to many says little by being near to one (cross-domain similarity local scaling, Conneau et al. 2018). No
weight here was fitted; a ranking learnt on 112 planted pairs was no better on companies that it had not seen (ADR 110).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from coditect.tiers.findings.conflicts.possible.facts import FactDifference, SentenceFacts, differences

__all__ = ["NEIGHBOURS", "Pair", "nearest_pairs"]

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

NEIGHBOURS = 5
"""Nearest sentences elsewhere whose mean says how near a sentence is to others as a rule."""

FIGURES_COUNT = 0.25
"""Added to how near two sentences are where they fix different figures, days, places or persons."""

_BLOCK = 256
_TRIED = 40
"""Nearest sentences elsewhere that are looked at for each, at most."""
_APART = -9.0
"""As a cosine, and as a nearness: of what may not be compared."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences that may be at odds.

    Attributes:
        first: number of the sentence that stands earlier in the given order.
        second: number of the other.
        nearness: in steps of a thousandth; above 0 they are nearer to each other than to what is nearest to them as a rule.
        differences: in what they differ.
    """

    first: int
    second: int
    nearness: float
    differences: tuple[FactDifference, ...]


def nearest_pairs(
    embedded: Sequence[Floats],
    documents: npt.NDArray[np.int64],
    comparable: Flags,
    facts: Sequence[SentenceFacts],
    most: int,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> list[Pair]:
    """The nearest pairs that differ, nearest first, ties in the order of the sentences.

    Args:
        embedded: one or more times (sentences, dimensions), as an embedder gives them, of any length: of the sentences alone, and
            with what stands around them; how near two are is the mean. A zero vector is near to nothing.
        documents: (sentences,), the number of each one's document.
        comparable: (documents, documents), symmetric: whether two documents bind the same people; False on the diagonal.
        facts: of each sentence.
        most: pairs, at most.
        progress: told how many of how many blocks are done.
    """
    if len(facts) < 2 or most < 1:
        return []
    starts = range(0, len(facts), _BLOCK)
    scaled = []
    for vectors in embedded:
        unit = _centred(vectors)
        scaled.append((unit, np.concatenate([_usual(_cosines(unit, documents, comparable, at)) for at in starts])))
    found: list[tuple[float, int, int, tuple[FactDifference, ...]]] = []
    for count, at in enumerate(starts, 1):
        near = np.zeros((min(_BLOCK, len(facts) - at), len(facts)), dtype=np.float32)
        for unit, usual in scaled:
            near += 2.0 * _cosines(unit, documents, comparable, at)
            near -= usual[None, :] + usual[at : at + _BLOCK, None]
        found += _differing(near / np.float32(len(scaled)), at, facts)
        progress(count, len(starts))
    found.sort(key=lambda each: (-each[0], each[1], each[2]))
    return list(_one_each(found, most))


def _centred(vectors: Floats) -> Floats:
    """Unit vectors, less what all of them have in common."""
    moved = vectors - vectors.mean(axis=0)
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    unit: Floats = np.divide(moved, lengths, out=np.zeros_like(moved), where=lengths > 0).astype(np.float32)
    return unit


def _cosines(unit: Floats, documents: npt.NDArray[np.int64], comparable: Flags, at: int) -> Floats:
    """Cosines of a block of sentences with all; far below any where two may not be compared."""
    rows = slice(at, at + _BLOCK)
    cosines = unit[rows] @ unit.T
    found: Floats = np.where(comparable[documents[rows]][:, documents], cosines, np.float32(_APART))
    return found


def _usual(cosines: Floats) -> Floats:
    """How near each sentence of a block is to its nearest elsewhere, their mean; -1 for each that there is not."""
    count = min(NEIGHBOURS, cosines.shape[1])
    best = np.partition(cosines, cosines.shape[1] - count, axis=1)[:, -count:]
    mean: Floats = np.maximum(best, np.float32(-1.0)).mean(axis=1)
    return mean


def _differing(
    near: Floats, at: int, facts: Sequence[SentenceFacts]
) -> Iterator[tuple[float, int, int, tuple[FactDifference, ...]]]:
    """(nearness, first, second, differences) of a block's pairs that differ, of the nearest to each sentence."""
    count = min(_TRIED, near.shape[1])
    for row, columns in enumerate(np.argpartition(-near, count - 1, axis=1)[:, :count]):
        first = at + row
        for second in sorted(map(int, columns)):
            value = float(near[row, second])
            if value <= _APART:
                continue
            one, other = min(first, second), max(first, second)
            if told := differences(facts[one], facts[other]):
                added = FIGURES_COUNT if any(each.exact for each in told) else 0.0
                yield round(value + added, 3), one, other, told


def _one_each(found: Sequence[tuple[float, int, int, tuple[FactDifference, ...]]], most: int) -> Iterator[Pair]:
    """Each sentence in its nearest pair alone: in two, 13 and not 19 of 112 planted ones are among the first ten of a house."""
    taken: set[int] = set()
    left = most
    for nearness, first, second, told in found:
        if left and nearness > 0 and taken.isdisjoint((first, second)):
            taken |= {first, second}
            left -= 1
            yield Pair(first, second, nearness, told)
