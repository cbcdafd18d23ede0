"""Tier 4: claims, and the verdicts on them."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from coditect.schemas.record import CorpusItem, Record

__all__ = ["Claim", "ClaimKind", "ClaimSource", "CorpusSummary", "Signal", "Verdict"]

ClaimKind = Literal["requirement", "theme", "statistic", "conflict", "gap"]


class ClaimSource(Record):
    """A Tier 3 quote that a claim rests on."""

    section_id: str
    part: int = Field(ge=0, description="Index of the quote in the section's content.")


class Claim(CorpusItem):
    """One sentence about the corpus, with what it rests on."""

    kind: ClassVar[str] = "claim"
    id_field: ClassVar[str] = "claim_id"

    claim_id: str
    derivation_id: str
    claim_kind: ClaimKind
    text: str = Field(min_length=1)
    topic: str = ""
    citations: tuple[ClaimSource, ...] = Field(description="Empty only for claims that are filtered for it.")
    extraction_ids: tuple[str, ...] = Field(
        default=(), description="Tier 1 evidence, for figures counted over extractions."
    )
    recipe: dict[str, Any] = Field(
        default_factory=dict,
        description="For figures: how the number is counted, so that it can be counted again from the indexes.",
    )


class Signal(Record):
    """One reason of a verdict."""

    name: str
    passed: bool
    detail: str = ""
    weight: float = Field(default=0.0, description="What it took off the support score.")


class Verdict(CorpusItem):
    """What a checker says of a claim, with its reasons; enough to say it again."""

    kind: ClassVar[str] = "verdict"
    id_field: ClassVar[str] = "verdict_id"

    verdict_id: str
    claim_id: str
    label: Literal["supported", "unsupported", "needs_review"]
    support_score: float = Field(ge=0.0, le=1.0, description="1 = every part of the claim is found in its evidence.")
    confidence: float = Field(
        ge=0.0, le=1.0, description="Support score times the confidence of the extractions under it."
    )
    published: bool
    filter_reason: str = ""
    signals: tuple[Signal, ...] = ()
    checker: str = Field(description="Name and version of the checker.")
    evidence: tuple[str, ...] = Field(description="Ids of the items that the checker was shown.")


class CorpusSummary(CorpusItem):
    """Tier 4 as a whole."""

    kind: ClassVar[str] = "summary"
    id_field: ClassVar[str] = "summary_id"

    summary_id: str
    derivation_id: str
    summary_text: str
    claims: tuple[str, ...] = Field(description="Published claims, in the order of the summary.")
    filtered: tuple[str, ...] = Field(description="Claims that were refused, kept for inspection.")
    verdicts: dict[str, str] = Field(description="Verdict id by claim id.")
    source_sections: tuple[str, ...]
    minimum_support: float = Field(ge=0.0, le=1.0)
