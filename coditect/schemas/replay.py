"""Stored verdicts given again: what is identical, and what drifted."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.record import Record
from coditect.schemas.verdict import VerdictLabel

__all__ = ["Drift", "DriftCause", "ReplayReport"]

DriftCause = Literal["weights", "checker", "evidence", "review", "no verdict"]


class Drift(Record):
    """A claim whose verdict is not the stored one when it is given again."""

    claim_id: str
    verdict_id: str
    text: str
    cause: DriftCause = Field(
        description="weights: other statistical weights; checker: another version of it; evidence: the same checker says something "
        "else, so what is stored was changed; review: a review that it names is not stored or signs something else; no verdict: "
        "none is stored, or none can be given."
    )
    changed: bool = Field(
        description="Whether label, score or publication differ; else only the reasons or versions do."
    )
    old_label: VerdictLabel | None = None
    new_label: VerdictLabel | None = None
    old_score: float | None = None
    new_score: float | None = None
    detail: str = ""


class ReplayReport(Record):
    """Every verdict of a generation, given again."""

    corpus_id: str
    generation: int
    build_id: str
    checker: str
    weights_version: str = Field(description="Of the weights that the replay used.")
    weights_sha256: str
    replayed: int = Field(ge=0)
    identical: int = Field(ge=0, description="Equal to the last byte.")
    drift: tuple[Drift, ...]
    seconds: float
