"""The best of an answer in a reranker's order; the same whoever found them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coditect.errors import UsageError
from coditect.models.port import Reranker
from coditect.retrieve.port import Found, Part

__all__ = ["RERANKED", "reranked"]

RERANKED = 50
"""Units that a reranker reads."""


def reranked(reranker: Reranker | None, query: str, found: Sequence[Found], texts: Sequence[str]) -> tuple[Found, ...]:
    """The best of an answer in the reranker's order, then the rest.

    Args:
        reranker: the configured one; None: there is none.
        query: the question.
        found: best first.
        texts: of the first of them, at most :data:`RERANKED`.
    Raises:
        UsageError: no reranker is configured.
        ModelError: the reranker failed.
    """
    if reranker is None:
        raise UsageError("there is no reranker", hint="Configure one: CODITECT_RERANKER=/path/to/a/model.")
    scores = reranker.scores(query, texts)
    order = sorted(range(len(texts)), key=lambda at: (-float(scores[at]), at))
    best = [
        replace(
            found[at],
            score=float(scores[at]),
            parts=(*found[at].parts, Part("rerank", rank, float(scores[at]), 1.0, float(scores[at]))),
        )
        for rank, at in enumerate(order, 1)
    ]
    return (*best, *found[len(texts) :])
