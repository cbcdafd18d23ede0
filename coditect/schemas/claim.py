"""Tier 4: claims, and their summary. The verdicts on them stand in :mod:`coditect.schemas.verdict`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from coditect.schemas.record import CorpusItem, Record, canonical_json, sha256_hex

__all__ = ["Claim", "ClaimKind", "ClaimSource", "CorpusSummary", "Restatement", "Severity", "finding_id_for"]

Severity = Literal["high", "medium", "low", "information"]
"""How much a finding asks of somebody, the most first; what each means stands in :mod:`coditect.tiers.claims.severity`."""

ClaimKind = Literal["requirement", "theme", "statistic", "conflict", "stricter", "grid", "gap", "standing", "synthesis"]


class ClaimSource(Record):
    """A Tier 3 quote that a claim rests on."""

    section_id: str
    part: int = Field(ge=0, description="Index of the quote in the section's content.")


class Claim(CorpusItem):
    """One sentence about the corpus, with what it rests on."""

    record_kind: ClassVar[str] = "claim"
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
        description="Of a claim of rules: what it is rendered by from its evidence, now and whenever it is checked, with the "
        "figures that were counted. Of a claim of a model: who made it.",
    )
    finding_id: str = Field(
        default="",
        description="What the claim is known by across generations, corpora and stores: a hash of what it tells and of the words "
        "that it rests on with their documents' names, and of no id. Empty in claims of release 0.1.0.",
    )
    rule: str = Field(default="", description="The class of rules that found it: 'conflict/deadline', 'gap/open'.")
    severity: Severity | None = Field(default=None, description="Absent in claims of release 0.1.0.")
    confidence: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="How often what this class of rules finds was right where people read it: (right + 1) / (read + 2).",
    )


def finding_id_for(kind: ClaimKind, told: Mapping[str, Any], quotes: Iterable[tuple[str, str]]) -> str:
    """The id of a finding: the same wherever the same is told of the same words.

    Args:
        kind: of the claim.
        told: which fact or figure it tells, without counted results; of a sentence of its own, the sentence.
        quotes: (name of the document, verbatim words) of each quote, in any order.
    """
    return f"finding_{sha256_hex(canonical_json([kind, dict(told), sorted(map(list, quotes))]))[:40]}"


class Restatement(Record):
    """A claim made again from its recipe and its evidence, for comparison; it is never stored."""

    text: str = Field(default="", description="The sentence that the evidence gives; empty where it gives none.")
    recipe: dict[str, Any] = Field(default_factory=dict, description="The recipe with its results, computed afresh.")
    refusal: str = Field(default="", description="Why the evidence does not bear the claim; empty where it does.")


class CorpusSummary(CorpusItem):
    """Tier 4 as a whole."""

    record_kind: ClassVar[str] = "summary"
    id_field: ClassVar[str] = "summary_id"

    summary_id: str
    derivation_id: str
    summary_text: str
    claims: tuple[str, ...] = Field(description="Published claims, in the order of the summary.")
    filtered: tuple[str, ...] = Field(description="Claims that were refused, kept for inspection.")
    verdicts: dict[str, str] = Field(description="Verdict id by claim id.")
    source_sections: tuple[str, ...]
    minimum_support: float = Field(ge=0.0, le=1.0)
    unread: tuple[str, ...] = Field(default=(), description="Files that could not be read, by name.")
    read_by_rules: tuple[str, ...] = Field(
        default=(), description="Documents, by name, that an agent failed on; what rules find of them is here."
    )
    dismissed: tuple[str, ...] | None = Field(
        default=None, description="Of the filtered claims, those that a person dismissed; absent where nobody did."
    )
    trivial: dict[str, int] | None = Field(
        default=None, description="How many claims were too trivial to be told, by why; absent where none was."
    )
    empty: dict[str, str] | None = Field(
        default=None, description="Why a tier holds nothing, by tier; absent where every tier holds something."
    )
