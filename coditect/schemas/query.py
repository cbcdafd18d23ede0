"""Questions and answers: hits at a granularity, each with the chain of evidence down to the character."""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

from pydantic import Field

from coditect.schemas.claim import Severity
from coditect.schemas.decision import ItemDecision
from coditect.schemas.record import Record
from coditect.schemas.tier1.data import ExtractionKind

__all__ = [
    "GRANULARITIES",
    "SEARCH_MODES",
    "TIER_NAMES",
    "Expansion",
    "Fusion",
    "Granularity",
    "Hit",
    "KnowledgeTier",
    "Modality",
    "PartScore",
    "QueryResult",
    "Reference",
    "Relevance",
    "SearchFilters",
    "SearchMode",
    "SearchOptions",
    "Source",
    "TierName",
]

TierName = Literal["corpus", "section", "chunk", "extraction"]
Granularity = Literal["corpus", "section", "chunk", "extraction", "passage", "proposition"]
GRANULARITIES: tuple[Granularity, ...] = ("corpus", "section", "chunk", "extraction", "passage", "proposition")

SearchMode = Literal["hybrid", "lexical", "dense", "exact"]
SEARCH_MODES: tuple[SearchMode, ...] = ("hybrid", "lexical", "dense", "exact")
Fusion = Literal["score", "rrf"]
Relevance = Literal["correct", "ambiguous", "incorrect"]
Expansion = Literal["passage", "section", "document"]
Modality = Literal["mandatory", "recommended", "optional", "prohibited"]


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
    tier: int = Field(ge=0, le=4, description="0 for passages and documents, which stand beside the tiers.")
    kind: str = Field(description="claim kind, section kind, 'chunk', extraction kind, 'passage' or 'document'.")
    text: str
    heading: str = ""
    locator: str = Field(default="", description="Of Tier 1: the whole path of numbers that a person would cite it by.")
    document_id: str = ""
    document_name: str = ""
    version_id: str = ""
    raw_sha256: str = ""
    char_offset_start: int | None = None
    char_offset_end: int | None = None
    page: int | None = Field(default=None, description="Physical page, where the format has pages.")
    severity: Severity | None = Field(default=None, description="Of a claim: how much it asks of somebody.")
    finding_id: str = Field(
        default="", description="Of a claim: what it is known by in every generation, corpus and store."
    )
    confidence: float | None = None
    support_score: float | None = None
    synthetic: tuple[str, ...] = Field(
        default=(), description="Lines of a section's text that the program wrote; every other line is a quote."
    )
    decided: ItemDecision | None = Field(
        default=None, description="What a person decided of it; of a correction, with what had been read before."
    )
    sources: tuple[Source, ...] = ()

    def span_of(self, part: Source | None) -> tuple[int, int]:
        """Where a part of it stands in its text, code points, half-open; (0, 0) where there is none, or it has no place."""
        if part is None or self.char_offset_start is None or part.char_offset_start is None:
            return 0, 0
        start = part.char_offset_start - self.char_offset_start
        return start, start + len(part.text)


class SearchFilters(Record):
    """What may answer at all; applied before anything is ranked. Empty: no restriction. Lists are alternatives, fields add up."""

    documents: tuple[str, ...] = Field(
        default=(), description="Document ids, names, or patterns of names: 'contracts/*.txt'."
    )
    topics: tuple[str, ...] = Field(default=(), description="Tier 3 topics: what their sections draw on.")
    entities: tuple[str, ...] = Field(default=(), description="Normalised names of entities that are mentioned.")
    kinds: tuple[ExtractionKind, ...] = Field(default=(), description="Kinds of statements that it is, or holds.")
    modalities: tuple[Modality, ...] = Field(default=(), description="Force of a statement that it is, or holds.")


class SearchOptions(Record):
    """How a question is answered. The defaults are what measured best."""

    mode: SearchMode = "hybrid"
    fusion: Fusion = Field(
        default="score", description="How BM25 and cosine are joined: by score, or by rank (k = 60)."
    )
    filters: SearchFilters = SearchFilters()
    gate: bool = Field(default=True, description="Leave out what is not relevant; an empty answer is an answer.")
    rerank: bool = Field(default=False, description="Let the configured reranker order the best hits.")
    focus: bool = Field(default=True, description="Say of each passage which of its sentences answer.")
    explain: bool = Field(default=False, description="Say what each part of the search contributed to each hit.")
    return_level: int | None = Field(
        default=None, ge=0, le=5, description="Passages: match at the smallest level, return the ancestor at this one."
    )
    expand: Expansion | None = Field(default=None, description="Add what holds each hit, up to this.")
    follow: bool = Field(
        default=False, description="Add what the cross-references inside a hit lead to, and the terms it uses."
    )


class PartScore(Record):
    """What one part of the search said of a hit."""

    part: str = Field(
        description="lexical, dense, exact (by index, or by scan), document, near, section, rerank, gate."
    )
    rank: int | None = Field(default=None, ge=1, description="Its place in that part's list; absent if not in it.")
    score: float = Field(description="In that part's own unit: BM25, cosine, probability.")
    weight: float = Field(default=1.0, description="What that part counts for.")
    contribution: float = Field(description="What it added to the hit's score.")


class Reference(Record):
    """Where a cross-reference or a defined term inside a hit leads."""

    kind: Literal["cross_reference", "definition"]
    text: str = Field(description="As printed.")
    resolved: bool
    reason: str = Field(default="", description="Why it is not resolved, or how it was.")
    target: Source | None = None


class Hit(Record):
    """An item that answers a question."""

    rank: int = Field(ge=1)
    score: float = Field(description="Higher is better; comparable within one result only.")
    matched_by: Literal["exact", "lexical", "dense", "hybrid"]
    item: Source = Field(description="The item; its sources are filled where they were asked for.")
    relevance: Relevance | None = Field(default=None, description="What the relevance gate says.")
    probability: float | None = Field(
        default=None, ge=0.0, le=1.0, description="Calibrated probability that it is relevant."
    )
    mark: str = Field(
        default="",
        description="Of an item that is no answer itself and is shown since passages answer: what it has to do with the passage "
        "that answers.",
    )
    answered_by: Source | None = Field(default=None, description="Where there is a mark: the passage that answers.")
    answered_focus: Source | None = Field(
        default=None,
        description="Where there is a mark: the run of that passage's sentences that answers, as in 'focus'.",
    )
    token_count: int | None = Field(default=None, ge=1, description="Passages: tokens of its text.")
    matched_at_level: int | None = Field(default=None, ge=0, description="Passages: the level that was searched.")
    returned_at_level: int | None = Field(default=None, ge=0, description="Passages: the level of the item.")
    matched_child_ids: tuple[str, ...] = Field(
        default=(), description="Passages below the item that matched, best first."
    )
    focus: Source | None = Field(
        default=None,
        description="Passages: the run of the item's sentences that answers, verbatim at its own offsets; it has the item's id. "
        "None where no word of the question stands in the item, and no smaller passage was matched.",
    )
    parts: tuple[PartScore, ...] = Field(default=(), description="With explain.")
    context: tuple[Source, ...] = Field(default=(), description="With expand: what holds the item, nearest first.")
    references: tuple[Reference, ...] = Field(default=(), description="With follow.")


class QueryResult(Record):
    """The answer to a question at one granularity of one generation. No hits is an answer."""

    corpus_id: str
    generation: int
    build_id: str
    query: str
    tier: Granularity
    mode: SearchMode = "hybrid"
    relevance: Relevance | None = Field(
        default=None, description="Of the answer as a whole; None where nothing was judged."
    )
    embedder: str = Field(default="", description="Model id of the vectors that took part; empty for none.")
    hits: tuple[Hit, ...]
    note: str = Field(
        default="",
        description="How the question was read, where not as it was put, why nothing answers it, or that what is shown is no "
        "answer of the tier's own; with explain, also which terms were looked for beside its everyday words.",
    )
    standing: dict[str, tuple[str, ...]] = Field(
        default_factory=dict,
        description="Where a day was asked for: by name of a document behind the answers, what its dates say on that day.",
    )

    @property
    def item_ids(self) -> tuple[str, ...]:
        """Ids of the hits, best first."""
        return tuple(hit.item.item_id for hit in self.hits)
