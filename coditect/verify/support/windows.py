"""Measures of a claim beside the best few sentences in a row of its evidence.

Long evidence holds most words of any claim somewhere. What supports a claim says it in one place: one, two and three sentences in a
row are read beside it, and the best such run counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from coditect.language.reading.words import Word, WordKind
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.support.context import related_keys
from coditect.verify.support.features import Measured

__all__ = [
    "MOST_SENTENCES",
    "RUNS",
    "WINDOWS",
    "SaidWords",
    "measure_runs",
    "measure_windows",
    "near_by_words",
    "said_words",
]

RUNS = ("one", "two", "three", "all", "three_low", "all_low", "part", "five")
"""What :func:`measure_runs` measures, in order."""

WINDOWS = tuple(f"row_{each}" for each in RUNS)
"""The same, where words are compared by their keys."""

MOST_SENTENCES = 2_000
_MOST_WORDS = 120
_RELATED = 0.7
"""What another form, a synonym or a neighbour on an axis is held for."""
_RUN, _STEP = 5, 2
_LOWEST = 4

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SaidWords:
    """The different words of substance of a claim, at most 120.

    Attributes:
        words: each where it stands first, in order.
        places: where each stands among all words of the claim, increasing.
        weights: what each tells, shape (words,), > 0.
    """

    words: tuple[Word, ...]
    places: tuple[int, ...]
    weights: _Floats

    def share(self, near: _Floats, chosen: slice = slice(None)) -> _Floats:
        """What is held of some of the words, by weight, shape of the second axis of ``near``, 0..1."""
        weights = self.weights[chosen, None]
        return np.asarray((weights * near[chosen]).sum(axis=0) / weights.sum())


def said_words(measured: Measured) -> SaidWords:
    """The words of a claim that runs of sentences are read for."""
    said: dict[str, tuple[int, Word]] = {}
    for place, word in enumerate(measured.words):
        if word.kind != WordKind.FUNCTION:
            said.setdefault(word.key, (place, word))
    chosen = list(said.values())[:_MOST_WORDS]
    weights = np.array([measured.index.weight(word) for _, word in chosen], np.float64)
    return SaidWords(tuple(word for _, word in chosen), tuple(place for place, _ in chosen), weights)


def measure_windows(measured: Measured) -> dict[str, float]:
    """How much of a claim runs of sentences hold, by the names of :data:`WINDOWS`; see :func:`measure_runs`.

    Args:
        measured: the claim and its evidence, measured by words.
    """
    said = said_words(measured)
    return dict(zip(WINDOWS, measure_runs(measured, said, near_by_words(said, measured.index)), strict=True))


def near_by_words(said: SaidWords, index: EvidenceIndex) -> _Floats:
    """How near each sentence comes to each word of a claim by the words that it has, shape (words, sentences).

    Args:
        said: the words.
        index: the evidence.

    Returns:
        1 for the word itself, .7 for another form, a synonym or a neighbour on an axis, else 0.
    """
    near = np.zeros((len(said.words), min(len(index.sentences), MOST_SENTENCES)))
    for row, word in enumerate(said.words):
        for key in related_keys(word, index):
            near[row, list(_inside(key, index))] = _RELATED
        near[row, list(_inside(word.key, index))] = 1.0
    return near


def _inside(key: str, index: EvidenceIndex) -> Iterator[int]:
    return (number for number in index.inside.get(key, ()) if number < MOST_SENTENCES)


def measure_runs(measured: Measured, said: SaidWords, near: _Floats) -> tuple[float, ...]:
    """The best runs of sentences for the words of a claim.

    Args:
        measured: the claim and its evidence.
        said: its words.
        near: how near each sentence comes to each word, shape (words, sentences), 0..1; 1 for the word itself.

    Returns:
        Shares of the claim by weight, 0..1, in the order of :data:`RUNS`: of the best of one, two and three sentences in a row, and
        of all sentences; of the best three and of all the mean of the quarter of the words that they come least near to; by two in
        a row, that of the worst sentence of the claim, and of its worst run of five words. All 0 where a side has no words.
    """
    if not near.size:
        return (0.0,) * len(RUNS)
    one, two, three = (_in_rows(near, size) for size in (1, 2, 3))
    everywhere = near.max(axis=1)
    shares = [said.share(rows) for rows in (one, two, three)]
    return (
        *(float(share.max()) for share in shares),
        float(said.share(everywhere[:, None])[0]),
        _low(three[:, int(shares[2].argmax())]),
        _low(everywhere),
        min((float(said.share(two, part).max()) for part in _parts(measured.parts, said.places)), default=0.0),
        min(
            float(said.share(two, slice(at, at + _RUN)).max())
            for at in range(0, max(1, len(said.places) - _RUN + 1), _STEP)
        ),
    )


def _in_rows(near: _Floats, size: int) -> _Floats:
    """How near so many sentences in a row come to each word, shape (words, rows)."""
    count = near.shape[1]
    if count <= size:
        return np.asarray(near.max(axis=1, keepdims=True))
    return np.asarray(np.maximum.reduce([near[:, at : count - size + 1 + at] for at in range(size)]))


def _parts(parts: Sequence[tuple[int, int]], places: Sequence[int]) -> Iterator[slice]:
    """The words of each sentence of a claim."""
    for begin, end in parts:
        inside = [at for at, place in enumerate(places) if begin <= place < end]
        if inside:
            yield slice(inside[0], inside[-1] + 1)


def _low(near: _Floats) -> float:
    """The mean of the lowest quarter."""
    return float(np.sort(near)[: max(1, len(near) // _LOWEST)].mean())
