"""What a checker, and the judges beside it, say of a claim."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Literal

from pydantic import Field

from coditect.schemas.decision import Decision
from coditect.schemas.record import CorpusItem, Record

__all__ = ["REWRITE", "EvidenceSpan", "Judge", "Opinion", "Signal", "Verdict", "VerdictLabel", "doubt_in", "hint_of"]

VerdictLabel = Literal["supported", "unsupported", "needs_review"]
Judge = Literal["model", "entailment", "review", "precision"]
"""Who has an opinion. Precision: how often findings of its kind were so where people read them; it may only doubt."""

REWRITE = "rewrite"
"""Name of the signal that tells which words of a claim stand for which of its evidence. It decides nothing."""


class EvidenceSpan(Record):
    """Words of the evidence that decide."""

    quote: int = Field(ge=0, description="Which of the cited quotes, in the claim's order, 0-based.")
    char_start: int = Field(ge=0, description="Code points into the quote, half-open.")
    char_end: int = Field(ge=0)


class Signal(Record):
    """One reason of a verdict."""

    name: str
    passed: bool
    detail: str = ""
    weight: float = Field(default=0.0, description="What it took off the support score.")
    claim_start: int | None = Field(
        default=None, description="The words of the claim that it is about: code points, half-open; absent: all of it."
    )
    claim_end: int | None = None
    evidence: tuple[EvidenceSpan, ...] = Field(default=(), description="What it was compared with.")


def hint_of(signals: Iterable[Signal]) -> str:
    """What the checker tells the person who decides, in words; "" where it tells nothing."""
    return next((each.detail for each in signals if each.name == REWRITE), "")


class Opinion(Record):
    """What somebody beside the checker says of a claim: a language model, an entailment model, or a reviewer."""

    judge: Judge
    who: str = Field(min_length=1, description="The model's or the role's name and version, or the reviewer's name.")
    version: str = Field(default="", description="Of the prompt and model, or the SHA-256 of the weights.")
    label: VerdictLabel
    reason: str = Field(
        default="", description="In the judge's words; of a review, its meaning. Synthetic: never cited."
    )
    quotes: tuple[EvidenceSpan, ...] = Field(default=(), description="What the judge goes by.")
    probability: float | None = Field(
        default=None, ge=0.0, le=1.0, description="Of support, where the judge gives one; in its own calibration."
    )
    review_id: str = Field(default="", description="Of a review: its record.")
    at: str = Field(default="", description="Of a review: when, RFC 3339, UTC.")
    decision: Decision | None = Field(
        default=None, description="Of a review that says more than whether the claim is supported: what was decided."
    )
    until: str | None = Field(default=None, description="Of an accepted risk: the last day on which it is accepted.")


def doubt_in(label: str, opinions: Iterable[Opinion]) -> str:
    """Why rules alone do not publish a finding that its evidence carries, so that it is only possible; "" for all others."""
    doubts = (each.reason for each in opinions if each.judge == "precision")
    return next(doubts, "") if label == "needs_review" else ""


class Verdict(CorpusItem):
    """What a checker says of a claim, with its reasons, and what judges say of it; enough to say it again.

    Where everybody agrees, that is the label. Where not, it is ``needs_review``, and only a review settles it.
    """

    record_kind: ClassVar[str] = "verdict"
    id_field: ClassVar[str] = "verdict_id"

    verdict_id: str
    claim_id: str
    label: VerdictLabel
    support_score: float = Field(
        ge=0.0,
        le=1.0,
        description="The calibrated probability that the evidence supports all of the claim, as the checker gives it. 1 where "
        "that was not estimated but established: the words stand in the evidence, or the figure was counted again. What "
        "contradicts the claim takes its weight off 1, and the score is not above the rest.",
    )
    confidence: float = Field(
        ge=0.0, le=1.0, description="Support score times the confidence of the extractions under it."
    )
    published: bool
    filter_reason: str = ""
    signals: tuple[Signal, ...] = ()
    checker: str = Field(description="Name and version of the checker.")
    weights_version: str = Field(default="", description="Of the statistical weights; empty where none were asked.")
    weights_sha256: str = Field(default="", description="Of the statistical weights; empty where none were asked.")
    evidence: tuple[str, ...] = Field(description="Ids of the items that the checker was shown.")
    checker_label: VerdictLabel | None = Field(
        default=None, description="What the checker alone says; absent where nobody else was heard."
    )
    opinions: tuple[Opinion, ...] = Field(
        default=(), description="What others say, in the order in which they were heard."
    )
