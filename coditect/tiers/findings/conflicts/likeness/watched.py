"""Watched weights: what is measured with the weights of words, so that it can be told whether others would give the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

__all__ = ["LIKENESS", "SHARE", "MeasuredWords", "Watched", "noted"]

LIKENESS, SHARE = 0, 1
"""What is measured: :func:`~coditect.tiers.findings.said.statements.likeness`, or the share of the lighter of two."""


@dataclass(frozen=True, slots=True)
class MeasuredWords:
    """A measure of what two sets of words have in common.

    Attributes:
        kind: :data:`LIKENESS` or :data:`SHARE`.
        shared: the words that count as common.
        first: the words of the one.
        second: those of the other.
        value: what came of it.
    """

    kind: int
    shared: frozenset[str]
    first: frozenset[str]
    second: frozenset[str]
    value: float


@dataclass(frozen=True, slots=True)
class Watched(Mapping[str, float]):
    """Weights of words that note what is measured with them.

    Attributes:
        weights: of words.
        measured: what was measured, in order.
    """

    weights: Mapping[str, float]
    measured: list[MeasuredWords] = field(default_factory=list)

    def __getitem__(self, word: str) -> float:
        return self.weights[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self.weights)

    def __len__(self) -> int:
        return len(self.weights)


def noted(weights: Mapping[str, float], measured: MeasuredWords) -> float:
    """The value of a measure, which is noted where the weights are watched."""
    if isinstance(weights, Watched):
        weights.measured.append(measured)
    return measured.value
