"""TextRank: the stationary distribution of a reader who walks from sentence to similar sentence.

Mihalcea and Tarau, "TextRank: Bringing Order into Texts", EMNLP 2004, on a graph of TF-IDF cosines, with what PageRank
needs to have one well-defined answer: no self-loops, rows that sum to 1, a rule for sentences without neighbours, and
iteration until the scores stand still.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from coditect.tiers.chunks.tfidf import FloatArray

__all__ = ["Ranking", "rank"]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores, and how they came about.

    Attributes:
        scores: shape (n,), > 0, summing to 1.
        iterations: how many steps of the iteration were taken.
        residual: L1 distance between the last two score vectors.
        converged: the residual is within the tolerance.
    """

    scores: FloatArray
    iterations: int
    residual: float
    converged: bool


def rank(
    similarity: Any,  # noqa: ANN401 - a dense array or a scipy sparse one
    prior: FloatArray,
    *,
    damping: float = 0.85,
    tolerance: float = 1e-6,
    max_iterations: int = 200,
) -> Ranking:
    """Score sentences by power iteration.

    With probability ``damping`` the reader follows an edge in proportion to its weight (from a sentence without edges:
    to any sentence, uniformly), else starts afresh at a sentence drawn by its prior. So a sentence that nothing is
    similar to keeps its share of the fresh starts, and no more than its share of the stranded readers.

    Args:
        similarity: shape (n, n), symmetric, >= 0, diagonal 0; a dense array or a ``scipy.sparse.csr_array``.
        prior: shape (n,), > 0; only the proportions count.
        damping: 0..1, 1 excluded.
        tolerance: L1 distance at which to stop, > 0.
        max_iterations: when to give up, > 0.

    Returns:
        The scores; reported as not converged, never raised, when the iterations ran out.
    Source: Page, Brin, Motwani and Winograd 1999; personalisation after Haveliwala, WWW 2002.
    """
    n = len(prior)
    if n == 0:
        return Ranking(np.zeros(0), 0, 0.0, True)
    strength = np.asarray(similarity.sum(axis=1), dtype=np.float64).ravel()
    dangling = strength <= 0.0
    stranded = bool(dangling.any())
    # similarity is symmetric, so walking along its rows is a product with it from the left: scores are divided by the
    # row sums instead of the matrix, which leaves the n x n entries alone.
    outflow = damping / np.where(dangling, 1.0, strength)
    start = prior / prior.sum()
    fresh = (1.0 - damping) * start
    scores: FloatArray = start
    residual = 0.0
    for iteration in range(1, max_iterations + 1):
        walked: FloatArray = similarity @ (scores * outflow) + fresh
        if stranded:
            walked += damping * float(scores[dangling].sum()) / n
        residual = float(np.abs(walked - scores).sum())
        scores = walked
        if residual <= tolerance:
            return Ranking(scores / scores.sum(), iteration, residual, True)
    return Ranking(scores / scores.sum(), max_iterations, residual, False)
