"""What a person may decide of a claim or an extraction, and how the decision stands on what it was made of."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, JsonValue

from coditect.schemas.record import Record
from coditect.schemas.tier1.data import ExtractionKind

__all__ = ["Decision", "DecisionState", "ItemDecision"]

Decision = Literal["supported", "unsupported", "accept", "dismiss", "correct", "accept_risk", "withdraw"]
"""``supported`` and ``unsupported`` settle a claim that needs review, and nothing else; ``withdraw`` takes a decision back."""

DecisionState = Literal["in force", "next build", "reopened", "expired", "replaced", "withdrawn", "waiting"]
"""What became of a decision: it shaped this generation; it will shape the next; its evidence is no longer what was decided on; its
date has passed; a later one replaced it; it was taken back; it waits for the signatures that the corpus asks for.
"""


class ItemDecision(Record):
    """A decision that is in force, as it stands on the extraction or claim that it is about."""

    review_id: str = Field(description="The signed record.")
    decision: Decision
    by: str = Field(description="Who decided.")
    at: str = Field(description="When, RFC 3339, UTC.")
    meaning: str = Field(description="What the signature says.")
    until: str | None = Field(default=None, description="Of an accepted risk: the last day on which it is accepted.")
    original_kind: ExtractionKind | None = Field(
        default=None, description="Of a correction: the kind of extraction as which the quote was read."
    )
    original_data: dict[str, JsonValue] | None = Field(
        default=None, description="Of a correction: what was read from the quote, unchanged."
    )
