"""Questions and answers: hits at a tier, each with the chain of evidence down to the character."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["TIER_NAMES", "Hit", "KnowledgeTier", "QueryResult", "Source", "TierName"]

TierName = Literal["corpus", "section", "chunk", "extraction"]


class KnowledgeTier(IntEnum):
    """The tiers, as ADR-029 numbers them."""

    RAW_EXTRACTION = 1
    CHUNK_SUMMARY = 2
    SECTION_SUMMARY = 3
    CORPUS_SUMMARY = 4


TIER_NAMES: dict[TierName, KnowledgeTier] = {
    "corpus": KnowledgeTier.CORPUS_SUMMARY,
    "section": KnowledgeTier.SECTION_SUMMARY,
    "chunk": KnowledgeTier.CHUNK_SUMMARY,
    "extraction": KnowledgeTier.RAW_EXTRACTION,
}


class Source(Record):
    """An item in a chain of evidence, with what it was derived from.

    A chain ends in Tier 1 items, which carry where they stand in the file: offsets, page, and the file's SHA-256.
    """

    item_id: str
    tier: int = Field(ge=1, le=4)
    kind: str = Field(description="claim kind, section kind, 'chunk', or extraction kind.")
    text: str
    heading: str = ""
    document_id: str = ""
    document_name: str = ""
    version_id: str = ""
    raw_sha256: str = ""
    char_offset_start: int | None = None
    char_offset_end: int | None = None
    page: int | None = Field(default=None, description="Physical page, where the format has pages.")
    confidence: float | None = None
    support_score: float | None = None
    synthetic: tuple[str, ...] = Field(
        default=(), description="Lines of a section's text that the program wrote; every other line is a quote."
    )
    sources: tuple[Source, ...] = ()


class Hit(Record):
    """An item that answers a question."""

    rank: int = Field(ge=1)
    score: float = Field(description="Higher is better; comparable within one result only.")
    matched_by: Literal["exact", "lexical"]
    item: Source = Field(description="The item; its sources are filled where they were asked for.")


class QueryResult(Record):
    """The answer to a question at one tier of one generation. No hits is an answer."""

    corpus_id: str
    generation: int
    build_id: str
    query: str
    tier: TierName
    hits: tuple[Hit, ...]

    @property
    def item_ids(self) -> tuple[str, ...]:
        """Ids of the hits, best first."""
        return tuple(hit.item.item_id for hit in self.hits)
