"""Passages: a document cut at several sizes, each smaller one inside its parent."""

from __future__ import annotations

from itertools import pairwise
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from coditect.schemas.record import DocumentItem, Record

__all__ = ["MOST_LEVELS", "BoundaryMethod", "ChunkType", "Passage", "PassageSettings"]

BoundaryMethod = Literal["semantic", "sentence", "fixed"]
ChunkType = Literal["content", "definition", "requirement", "table", "list", "heading"]

MOST_LEVELS = 6
"""Levels of passages, at most."""


class PassageSettings(Record):
    """How documents are cut into passages. The names are those of Story 20-C3, without its prefix."""

    chunk_levels: tuple[int, ...] = Field(
        default=(256, 512, 1024, 2048),
        min_length=1,
        max_length=MOST_LEVELS,
        description="Tokens of a passage at each level, at most; strictly increasing, 16 to 32768.",
    )
    overlap_ratio: float = Field(
        default=0.0, ge=0.0, le=0.5, description="Share of a passage that the next one of its level repeats."
    )
    boundaries: BoundaryMethod = Field(
        default="sentence",
        description="Where passages end: where neighbouring sentences differ in meaning, at sentence ends, or after a fixed number "
        "of tokens; always at structural borders first, except for 'fixed'.",
    )
    min_propositions: int = Field(default=1, ge=0, le=100, description="A smallest passage with fewer lists none.")
    max_propositions: int = Field(
        default=10, ge=1, le=100, description="Propositions listed by a smallest passage, at most."
    )

    @model_validator(mode="after")
    def _ordered(self) -> PassageSettings:
        levels = self.chunk_levels
        if any(not 16 <= size <= 32_768 for size in levels):
            raise ValueError("chunk levels lie between 16 and 32768 tokens")
        if any(after <= before for before, after in pairwise(levels)):
            raise ValueError("chunk levels must be strictly increasing, e.g. 256,512,1024,2048")
        if self.min_propositions > self.max_propositions:
            raise ValueError("min_propositions is greater than max_propositions")
        return self


class Passage(DocumentItem):
    """A stretch of a document for retrieval. Its text is the document's at its offsets; it is not stored again."""

    record_kind: ClassVar[str] = "passage"
    id_field: ClassVar[str] = "passage_id"

    passage_id: str
    version_id: str
    derivation_id: str
    level: int = Field(ge=0, description="0 is the smallest.")
    level_tokens: int = Field(ge=1, description="The size of its level, in tokens.")
    ordinal: int = Field(ge=0, description="Its number in its level, in document order.")
    parent_id: str = Field(default="", description="The passage of the next level that holds it; empty at the top.")
    first_child: int = Field(default=0, ge=0, description="Ordinal of its first child in the level below.")
    child_count: int = Field(default=0, ge=0, description="Children in the level below; 0 at level 0.")
    section_id: str = Field(description="The smallest section that holds the whole passage.")
    heading: str = ""
    parent_chain: tuple[str, ...] = Field(default=(), description="Printed headings above, outermost first.")
    chunk_type: ChunkType = "content"
    char_offset_start: int = Field(ge=0, description="Code points into the canonical text, half-open.")
    char_offset_end: int = Field(ge=1)
    token_count: int = Field(ge=1, description="Tokens of its text, by the tokenizer that the derivation names.")
    context: str = Field(
        default="",
        description="Words that situate the passage in its document, for indexing. Synthetic: never quoted, never cited.",
    )
    context_by: str | None = Field(
        default=None, description="The role and model that wrote the context; absent: it is the headings above."
    )
    proposition_ids: tuple[str, ...] = Field(
        default=(), description="At level 0: the Tier 1 statements inside it that stand for it, in document order."
    )
