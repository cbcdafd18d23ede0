"""Figures that were fitted for an embedder, or for a corpus: how scores are joined, and the relevance gate."""

from __future__ import annotations

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["FusionFigures", "GateFigures"]


class FusionFigures(Record):
    """How the scores of an embedder are joined with BM25; see :class:`~coditect.models.port.FusionParameters`."""

    dense_weight: float = Field(default=1.0, ge=0.0)
    rrf_weights: tuple[float, float] = (1.0, 1.0)
    rrf_k: float = Field(default=60.0, gt=0.0)


class GateFigures(Record):
    """The relevance gate's logistic regression; see :class:`~coditect.models.port.GateParameters`."""

    bias: float
    weights: dict[str, float]
    correct: float = Field(default=0.5, ge=0.0, le=1.0)
    incorrect: float = Field(default=0.1, ge=0.0, le=1.0)
