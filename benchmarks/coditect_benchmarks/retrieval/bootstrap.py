"""Intervals for the difference of two systems on the same questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from coditect.errors import UsageError

__all__ = ["Interval", "difference"]

RESAMPLES = 1_000
SEED = 0


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean difference and where 95 % of its resamples lie.

    Attributes:
        mean: first minus second.
        low: 2.5th percentile.
        high: 97.5th percentile.
        n: questions.
    """

    mean: float
    low: float
    high: float
    n: int

    @property
    def verdict(self) -> str:
        """Better, worse, or the same within noise."""
        return "better" if self.low > 0 else "worse" if self.high < 0 else "same within noise"


def difference(
    first: npt.NDArray[np.float64], second: npt.NDArray[np.float64], resamples: int = RESAMPLES, seed: int = SEED
) -> Interval:
    """The paired bootstrap of the mean difference.

    Args:
        first: shape (queries,); NaN where a question was not asked or the measure is not defined.
        second: the same shape, the same questions.
        resamples: how many, >= 1.
        seed: of the generator.
    Returns:
        over the questions where both have a value; all zero with n = 0 where there is none.
    Raises:
        UsageError: the shapes differ.
    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13 (percentile interval).
    """
    if first.shape != second.shape or first.ndim != 1:
        raise UsageError("paired samples have different shapes", first=first.shape, second=second.shape)
    gaps = first - second
    gaps = gaps[~np.isnan(gaps)]
    if not len(gaps):
        return Interval(0.0, 0.0, 0.0, 0)
    generator = np.random.default_rng(seed)
    means = np.array([gaps[generator.integers(0, len(gaps), len(gaps))].mean() for _ in range(resamples)])
    low, high = np.percentile(means, [2.5, 97.5])
    return Interval(float(gaps.mean()), float(low), float(high), len(gaps))
