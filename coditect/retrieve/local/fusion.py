"""Joining ranked lists: by rank, or by score."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from coditect.errors import UsageError

__all__ = ["reciprocal_rank_fusion", "score_fusion"]

Array = npt.NDArray[np.float64]


def reciprocal_rank_fusion(ranks: npt.NDArray[np.int64], weights: Array, k: float = 60.0) -> Array:
    """Fuse ranked lists by rank.

    Args:
        ranks: shape (n_lists, n_items), 1-based rank, 0 = not returned.
        weights: shape (n_lists,), >= 0.
        k: damping constant, dimensionless, > 0.
    Returns:
        shape (n_items,), higher is better, at most sum(weights) / (k + 1).
    Raises:
        UsageError: a rank or weight is negative, k is not positive, or the shapes differ.
    Source: Cormack, Clarke and Buettcher, SIGIR 2009.
    """
    if ranks.ndim != 2 or weights.shape != ranks.shape[:1] or k <= 0 or (ranks < 0).any() or (weights < 0).any():
        raise UsageError("ranks, weights or k out of range", shape=ranks.shape, weights=weights.tolist(), k=k)
    reciprocal = np.where(ranks > 0, 1.0 / (k + np.maximum(ranks, 1)), 0.0)
    return np.asarray(weights @ reciprocal, dtype=np.float64)


def score_fusion(bm25: Array, cosine: Array, weight: float) -> Array:
    """Fuse BM25 and cosine by score: BM25 by its maximum, plus the weighted cosine.

    Args:
        bm25: shape (n_items,), >= 0, 0 = no word in common.
        cosine: shape (n_items,), -1..1.
        weight: of the cosine, >= 0.
    Returns:
        shape (n_items,), higher is better.
    Raises:
        UsageError: a score or the weight is negative, or the shapes differ.
    """
    if bm25.shape != cosine.shape or weight < 0 or (bm25 < 0).any():
        raise UsageError("scores or weight out of range", bm25=bm25.shape, cosine=cosine.shape, weight=weight)
    highest = float(bm25.max()) if len(bm25) else 0.0
    return np.asarray((bm25 / highest if highest > 0 else bm25) + weight * cosine, dtype=np.float64)
