"""What each part contributed to a score that Qdrant fused: its formulas, for explanations. It does not tell itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["by_distribution", "by_rank"]

_ALL_ALIKE = 0.5
_DEVIATIONS = 3.0


def by_rank(count: int, k: float, weight: float) -> list[float]:
    """Contributions to reciprocal rank fusion, by place in the list.

    Args:
        count: of units in the list.
        k: damping constant, as Qdrant counts: the first place is k, not k + 1.
        weight: of the list, >= 0.
    Source: Qdrant 1.17, weighted RRF: 1 / (rank / weight + k - 1).
    """
    if weight <= 0:
        return [0.0] * count
    return [1.0 / ((place + 1) / weight + k - 1.0) for place in range(count)]


def by_distribution(scores: Sequence[float]) -> list[float]:
    """Contributions to distribution-based score fusion: where a score lies within three deviations around the mean.

    Args:
        scores: of one list.
    Returns:
        in order; 0 at three standard deviations below the mean, 1 at three above; 0.5 where all are alike.
    Source: Qdrant 1.11, DBSF.
    """
    values = np.asarray(scores, dtype=np.float64)
    deviation = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    if deviation == 0.0:
        return [_ALL_ALIKE] * len(values)
    spread = _DEVIATIONS * deviation
    normalised: list[float] = ((values - (float(values.mean()) - spread)) / (2 * spread)).tolist()
    return normalised
