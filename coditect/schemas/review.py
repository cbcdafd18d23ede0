"""Sign-offs: what settles a claim that needs review."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from coditect.schemas.record import CorpusItem, Record
from coditect.schemas.verdict import VerdictLabel

__all__ = ["Decision", "PendingReview", "Review"]

Decision = Literal["supported", "unsupported"]


class Review(CorpusItem):
    """A reviewer's decision on a claim, stored once and never changed.

    It holds for every claim with these words and this evidence, in every later generation, until another review follows it.
    """

    record_kind: ClassVar[str] = "review"
    id_field: ClassVar[str] = "review_id"

    review_id: str
    fingerprint: str = Field(
        pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the claim's words and of the quotes and figures under them."
    )
    claim_text: str = Field(min_length=1, description="What was signed.")
    evidence: tuple[str, ...] = Field(description="The quotes that the reviewer was shown, verbatim.")
    decision: Decision
    # 21 CFR 11.50(a): the printed name of the signer, when, and the meaning of the signature.
    by: str = Field(min_length=1, max_length=200, description="Who decided.")
    at: str = Field(description="When, RFC 3339, UTC.")
    meaning: str = Field(
        min_length=1, max_length=2000, description="What the signature says, e.g. 'reviewed against the policy'."
    )
    follows: tuple[str, ...] = Field(
        default=(), description="Reviews of the same claim that this one replaces; they stay readable."
    )


class PendingReview(Record):
    """A claim that the checker and the judges leave to a person."""

    claim_id: str
    text: str
    label: VerdictLabel = Field(description="In this generation: needs_review, or what a review settled it as.")
    support_score: float = Field(ge=0.0, le=1.0)
    reason: str = Field(description="Why it was left open.")
    evidence: tuple[str, ...] = Field(description="The quotes that it cites, verbatim.")
    reviews: tuple[Review, ...] = Field(description="In force; they take effect in the next build.")
