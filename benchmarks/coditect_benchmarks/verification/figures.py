"""Figures of scores against labels: AUROC, calibration error, and intervals from documents drawn again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Bin", "Estimate", "auroc", "bins", "bootstrap", "calibration_error"]

Floats = npt.NDArray[np.float64]
RESAMPLES = 500
SEED = 0
_BINS = 10


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and where 95 % of its resamples lie."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Claims with about the same probability.

    Attributes:
        count: of claims.
        said: their mean probability.
        found: the share that is supported.
    """

    count: int
    said: float
    found: float


def auroc(scores: Floats, labels: npt.NDArray[Any]) -> float:
    """The probability that a supported claim scores higher than an unsupported one, ties count half; NaN without one of both."""
    positive = int(labels.sum())
    negative = len(labels) - positive
    if not positive or not negative:
        return float("nan")
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(count)
    ranks = (ends - (count - 1) / 2.0)[place]
    return float((ranks[labels == 1].sum() - positive * (positive + 1) / 2.0) / (positive * negative))


def bins(probabilities: Floats, labels: npt.NDArray[Any], count: int = _BINS) -> list[Bin]:
    """Bins of equal width over 0..1, without the empty ones."""
    place = np.minimum((probabilities * count).astype(np.int64), count - 1)
    found = []
    for number in range(count):
        inside = place == number
        if inside.any():
            found.append(Bin(int(inside.sum()), float(probabilities[inside].mean()), float(labels[inside].mean())))
    return found


def calibration_error(probabilities: Floats, labels: npt.NDArray[Any]) -> float:
    """Expected calibration error over ten bins of equal width, 0..1.

    Source: Guo, Pleiss, Sun and Weinberger, ICML 2017.
    """
    return sum(each.count * abs(each.said - each.found) for each in bins(probabilities, labels)) / max(len(labels), 1)


def bootstrap(measure: Callable[[npt.NDArray[np.int64]], float], groups: npt.NDArray[Any]) -> Estimate:
    """A figure with the interval of its values when documents, not claims, are drawn again.

    Args:
        measure: of the cases at given places; NaN is left out.
        groups: the document of each case, shape (cases,).
    """
    generator = np.random.default_rng(SEED)
    _, place = np.unique(groups, return_inverse=True)
    members = np.split(np.argsort(place, kind="stable"), np.cumsum(np.bincount(place))[:-1])
    values = []
    for _ in range(RESAMPLES):
        drawn = generator.integers(0, len(members), len(members))
        values.append(measure(np.concatenate([members[each] for each in drawn])))
    kept = np.array([each for each in values if not np.isnan(each)] or [float("nan")])
    low, high = np.percentile(kept, [2.5, 97.5])
    return Estimate(measure(np.arange(len(groups))), float(low), float(high))
