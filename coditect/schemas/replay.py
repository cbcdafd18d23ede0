"""Stored verdicts given again: what is identical, and what drifted."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.record import Record
from coditect.schemas.text_report import TextLabel

__all__ = ["Drift", "DriftCause", "ReplayReport"]

DriftCause = Literal["weights", "checker", "evidence", "review", "answer", "no verdict"]


class Drift(Record):
    """A claim, or a sentence of a kept report, whose verdict is not the stored one when it is given again."""

    claim_id: str = Field(description="Of a sentence of a kept report: its file and characters.")
    verdict_id: str = Field(description="Of a sentence: the request that a language model was asked, or empty.")
    text: str
    cause: DriftCause = Field(
        description="weights: other statistical weights; checker: another version of it; evidence: the same checker says something "
        "else, so what is stored was changed; review: a review that it names is not stored or signs something else; answer: "
        "what a language model answered is not stored, or it would be asked something else today; no verdict: "
        "none is stored, or none can be given."
    )
    changed: bool = Field(
        description="Whether label, score or publication differ; else only the reasons or versions do."
    )
    old_label: TextLabel | None = None
    new_label: TextLabel | None = None
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
