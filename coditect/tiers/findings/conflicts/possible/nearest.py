"""The nearest pairs of sentences of different documents: for a person those that fix different things, each sentence in few pairs.

For a model that reads them (ADR 113) also the others, and each sentence in more. A sentence that stands in a pair counts as further
from all others, so that no sentence fills a list, and none is taken from its own match by one that is nearer by its words.

How near two sentences are is their cosine, counted twice, less how near each of them is to its own nearest sentences elsewhere: a
sentence that is near to many says little by being near to one (cross-domain similarity local scaling, Conneau et al. 2018). No
weight here was fitted; a ranking learnt on 112 planted pairs was no better on companies that it had not seen (ADR 110).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace

import numpy as np
import numpy.typing as npt

from coditect.tiers.findings.conflicts.possible.facts import FactDifference, SentenceFacts, differences

__all__ = ["NEIGHBOURS", "Pair", "nearest_pairs", "pairs_to_read"]

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

NEIGHBOURS = 5
"""Nearest sentences elsewhere whose mean says how near a sentence is to others as a rule."""

FIGURES_COUNT = 0.25
"""Added to how near two sentences are where they fix different figures, days, places or persons."""

WORDS_COUNT = 0.1
"""Added where they differ in words that say when, or in a negation, and a model reads them."""

SHOWN_EACH = 3
"""Pairs of one sentence that a person is shown, at most."""

AGAIN = 0.25
"""Taken off a pair for each nearer one that one of its sentences stands in."""

READ_EACH = 8
"""Pairs of one sentence that a model reads, at most."""

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
        nearness: in steps of a thousandth; above 0 they are nearer to each other than to what is nearest to them as a rule. For a
            person, less a part for each nearer pair that one of them stands in.
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
    found: list[_Near] = []
    for at, near in _nearness(embedded, documents, comparable, progress) if most > 0 else ():
        for value, one, other, told in _differing(near, at, facts):
            if told:
                added = FIGURES_COUNT if any(each.exact for each in told) else 0.0
                found.append((round(value + added, 3), one, other, told))
    found.sort(key=_nearest_first)
    return list(_few_each(found, most))


def pairs_to_read(
    embedded: Sequence[Floats],
    documents: npt.NDArray[np.int64],
    comparable: Flags,
    facts: Sequence[SentenceFacts],
    words: Sequence[str],
    most: int,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> list[Pair]:
    """The nearest pairs for a reader that tells what is at odds by itself: also those in which no difference is seen here.

    Each sentence is in eight pairs at most, and pairs of the same words are left out.

    Args:
        embedded: as for :func:`nearest_pairs`, and likewise the next three.
        documents: the number of each sentence's document.
        comparable: whether two documents bind the same people.
        facts: of each sentence.
        words: of each sentence, by which it is told whether two are the same.
        most: pairs, at most.
        progress: told how many of how many blocks are done.
    """
    found: dict[tuple[int, int], _Near] = {}
    for at, near in _nearness(embedded, documents, comparable, progress) if most > 0 else ():
        for value, one, other, told in _differing(near, at, facts):
            if words[one] != words[other]:
                exact = any(each.exact for each in told)
                added = FIGURES_COUNT if exact else WORDS_COUNT if told else 0.0
                found[one, other] = (round(value + added, 3), one, other, told)
    taken: Counter[int] = Counter()
    chosen: list[Pair] = []
    for nearness, one, other, told in sorted(found.values(), key=_nearest_first):
        if len(chosen) < most and max(taken[one], taken[other]) < READ_EACH:
            taken.update((one, other))
            chosen.append(Pair(one, other, nearness, told))
    return chosen


_Near = tuple[float, int, int, tuple[FactDifference, ...]]
"""(nearness, first, second, differences)."""


def _nearest_first(each: _Near) -> tuple[float, int, int]:
    return -each[0], each[1], each[2]


def _nearness(
    embedded: Sequence[Floats],
    documents: npt.NDArray[np.int64],
    comparable: Flags,
    progress: Callable[[int, int], None],
) -> Iterator[tuple[int, Floats]]:
    """(first of its sentences, how near each of them is to all) of each block; nothing of fewer than two sentences."""
    count = len(documents)
    if count < 2:
        return
    starts = range(0, count, _BLOCK)
    scaled = []
    for vectors in embedded:
        unit = _centred(vectors)
        scaled.append((unit, np.concatenate([_usual(_cosines(unit, documents, comparable, at)) for at in starts])))
    for done, at in enumerate(starts, 1):
        near = np.zeros((min(_BLOCK, count - at), count), dtype=np.float32)
        for unit, usual in scaled:
            near += 2.0 * _cosines(unit, documents, comparable, at)
            near -= usual[None, :] + usual[at : at + _BLOCK, None]
        yield at, near / np.float32(len(scaled))
        progress(done, len(starts))


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


def _differing(near: Floats, at: int, facts: Sequence[SentenceFacts]) -> Iterator[_Near]:
    """(nearness, first, second, differences) of a block's pairs, of the nearest to each sentence; of some none is seen."""
    count = min(_TRIED, near.shape[1])
    for row, columns in enumerate(np.argpartition(-near, count - 1, axis=1)[:, :count]):
        first = at + row
        for second in sorted(map(int, columns)):
            value = float(near[row, second])
            if value <= _APART:
                continue
            one, other = min(first, second), max(first, second)
            yield value, one, other, differences(facts[one], facts[other])


def _few_each(found: Sequence[_Near], most: int) -> Iterator[Pair]:
    """The nearest pairs, each sentence in few: what one of them stands in already is taken off."""
    taken: Counter[int] = Counter()
    nearest: dict[tuple[int, int], _Near] = {}
    for each in found:
        nearest.setdefault(each[1:3], each)
    waiting = [(*_nearest_first(each), each[3]) for each in nearest.values()]
    heapify(waiting)
    times = dict.fromkeys(nearest, 0)
    left = most
    while waiting and left:
        less, one, other, told = waiting[0]
        if less >= 0:
            return
        now = max(taken[one], taken[other])
        if now >= SHOWN_EACH:
            heappop(waiting)
        elif now > times[one, other]:
            further = round(less + AGAIN * (now - times[one, other]), 3)
            times[one, other] = now
            heapreplace(waiting, (further, one, other, told))
        else:
            heappop(waiting)
            taken.update((one, other))
            left -= 1
            yield Pair(one, other, -less, told)
