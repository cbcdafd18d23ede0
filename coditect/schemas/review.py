"""Sign-offs: what a person decides of claims and extractions, and what waits for a decision."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, JsonValue

from coditect.schemas.crosswalk import CrosswalkLabel, ReviewedSentence
from coditect.schemas.decision import Decision, DecisionState
from coditect.schemas.record import CorpusItem, Record, canonical_json, sha256_hex
from coditect.schemas.signature import SALT, SALT_PATTERN, SignatureStatus
from coditect.schemas.tier1.data import ExtractionKind
from coditect.schemas.verdict import VerdictLabel

__all__ = [
    "LONGEST_MEANING",
    "LONGEST_NAME",
    "DecisionStatus",
    "PendingReview",
    "Review",
    "ReviewedExtraction",
    "ReviewedRow",
]

LONGEST_NAME = 200
"""Characters of a signer's name, at most."""

LONGEST_MEANING = 2000
"""Characters of what a signature means, at most."""


class ReviewedExtraction(Record):
    """An extraction as the reviewer saw it: with nothing in it that a rebuild changes while the sentence stands."""

    document: str = Field(description="The name of its document.")
    sentence: str = Field(min_length=1, description="The sentence, or sentences, in which the quote stands; verbatim.")
    quote: str = Field(min_length=1, description="Verbatim.")
    quote_start: int = Field(ge=0, description="First code point of the quote in the sentence.")
    kind: ExtractionKind
    data: dict[str, JsonValue] = Field(description="What was read from the quote, without places in the document.")

    @property
    def fingerprint(self) -> str:
        """What a review of it signs, 64 hex digits: all of its fields."""
        return sha256_hex(canonical_json(["extraction", self.model_dump(mode="json")]))


class ReviewedRow(Record):
    """A row of a crosswalk as the reviewer saw it: nothing in it changes with a rebuild while the words of both sides stand."""

    framework: str = Field(description="The corpus that holds the framework.")
    document: str = Field(description="The name of the framework's document.")
    requirement_id: str = Field(
        description="The id that the framework gives: ac-2; of a regulation its printed number."
    )
    part_id: str = Field(
        description="The part of the requirement, by the framework's id; of a regulation by that of the extraction, which is no "
        "part of what is signed, since it changes with how the document is read."
    )
    text: str = Field(min_length=1, description="What it says, verbatim.")
    label: CrosswalkLabel = Field(description="What the rules said of it then; no part of what is signed.")
    sentences: tuple[ReviewedSentence, ...] = Field(description="What was shown beside it, by document and words.")

    @property
    def fingerprint(self) -> str:
        """What a review of it signs, 64 hex digits: the words of both sides and where they stand, whatever rules said of them."""
        said = self.model_dump(mode="json", exclude={"label", "part_id"})
        return sha256_hex(canonical_json(["crosswalk", said, self.named_part]))

    @property
    def named_part(self) -> str:
        """The part by an id that the framework gives; "" where it gives none, and the requirement's words tell the part."""
        return "" if self.part_id.startswith("extraction_") else self.part_id


class Review(CorpusItem):
    """A reviewer's decision on a claim, an extraction or a row of a crosswalk, stored once and never changed.

    It holds for every claim with these words and this evidence, and for every extraction with this sentence and this reading in
    this document, in every later generation, until another review follows it.
    """

    record_kind: ClassVar[str] = "review"
    id_field: ClassVar[str] = "review_id"

    review_id: str
    fingerprint: str = Field(
        pattern=r"^[0-9a-f]{64}$",
        description="SHA-256 of the claim's words and of the quotes and figures under them; of an extraction, of what "
        "``extraction`` holds.",
    )
    claim_text: str = Field(min_length=1, description="What was signed: the claim, or the quote of the extraction.")
    evidence: tuple[str, ...] = Field(description="The quotes that the reviewer was shown, verbatim.")
    decision: Decision
    # 21 CFR 11.50(a): the printed name of the signer, when, and the meaning of the signature.
    by: str = Field(min_length=1, max_length=LONGEST_NAME, description="Who decided.")
    at: str = Field(description="When, RFC 3339, UTC.")
    meaning: str = Field(
        min_length=1,
        max_length=LONGEST_MEANING,
        description="What the signature says, e.g. 'reviewed against the policy'.",
    )
    follows: tuple[str, ...] = Field(default=(), description="Reviews that this one replaces; they stay readable.")
    signed_item: str | None = Field(
        default=None, description="The claim or extraction that was looked at; absent in reviews of release 0.1.0."
    )
    extraction: ReviewedExtraction | None = Field(default=None, description="Of an extraction: what was decided on.")
    row: ReviewedRow | None = Field(default=None, description="Of a row of a crosswalk: what was decided on.")
    changes: dict[str, JsonValue] | None = Field(
        default=None,
        description="Of a correction: new values by field; ``kind`` is the extraction's, null empties a field.",
    )
    until: str | None = Field(
        default=None,
        pattern=r"^\d{4}-\d{2}-\d{2}$",
        description="Of an accepted risk: the last day on which it is accepted.",
    )
    salt: str | None = Field(default=None, pattern=SALT_PATTERN, description=SALT)


class PendingReview(Record):
    """What is left to a person: a claim that the checker and the judges do not agree on, or a decision whose evidence changed."""

    item_id: str = Field(default="", description="The claim or extraction to decide on; empty where it is gone.")
    claim_id: str = Field(description="The same, of a claim; else empty.")
    text: str = Field(description="What it says now; empty where it is gone.")
    label: VerdictLabel = Field(description="In this generation: needs_review, or what a review settled it as.")
    support_score: float = Field(ge=0.0, le=1.0)
    reason: str = Field(description="Why it was left open, or opened again.")
    hint: str = Field(
        default="",
        description="What helps to decide: which words of it stand for which of the evidence. It decides nothing.",
    )
    evidence: tuple[str, ...] = Field(description="The quotes that it cites, verbatim.")
    reviews: tuple[Review, ...] = Field(description="In force; they take effect in the next build.")
    reopened: Review | None = Field(
        default=None,
        description="The decision whose evidence is no longer what was decided on, or whose date has passed.",
    )
    waiting: Review | None = Field(
        default=None, description="The decision that waits for the signature of another person."
    )


class DecisionStatus(Record):
    """A signed decision, and what became of it as of one generation."""

    review: Review
    state: DecisionState
    item_id: str = Field(default="", description="What it is about in this generation; empty where that is gone.")
    text: str = Field(default="", description="What that says now; empty where it is gone.")
    detail: str = Field(default="", description="Why it is not in force, in words.")
    signatures: tuple[SignatureStatus, ...] = Field(
        default=(), description="Under it, by time; none: it was decided by name alone, unsigned."
    )
