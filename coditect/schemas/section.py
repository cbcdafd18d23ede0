"""Tier 3: topic sections, quotes joined by flagged transitions."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from coditect.schemas.record import CorpusItem, Record

__all__ = ["Citation", "Section", "SectionPart", "synthesis_ratio"]


class Citation(Record):
    """Where a quote stands: the chunk that selected it, the extractions inside it, and the characters."""

    chunk_id: str
    extraction_ids: tuple[str, ...]
    document_id: str
    version_id: str
    document_name: str
    char_start: int = Field(ge=0)
    char_end: int = Field(ge=1)


class SectionPart(Record):
    """A quote with its citation, or a synthetic transition without one."""

    type: Literal["extractive", "synthetic"]
    content: str = Field(min_length=1)
    citation: Citation | None = None


class Section(CorpusItem):
    """What a corpus says about one topic."""

    record_kind: ClassVar[str] = "section"
    id_field: ClassVar[str] = "section_id"

    section_id: str
    derivation_id: str
    section_kind: Literal["topic", "conflict", "measure", "missing", "open", "uncovered", "standing"] = Field(
        default="topic",
        description="A topic; statements on one subject that differ; a measure that documents fix (how often, how long); "
        "documents and sections referred to that are not there; open points, empty cells and dates that have passed; "
        "deadlines that no policy takes up; documents that are superseded, expired, not yet in force or past their review.",
    )
    topic: str
    topic_terms: tuple[str, ...] = Field(description="Stemmed terms that a chunk is matched by.")
    content: tuple[SectionPart, ...] = Field(min_length=1)
    source_chunks: tuple[str, ...] = Field(description="Every Tier 2 item that speaks to the topic.")
    document_count: int = Field(ge=1, description="Documents that speak to the topic.")
    quoted_document_count: int = Field(ge=1)
    synthesized_content_ratio: float = Field(ge=0.0, le=1.0, description="Synthetic characters by all characters.")
    max_synthesis_ratio: float = Field(ge=0.0, le=1.0, description="The gate that it passed.")


def synthesis_ratio(parts: tuple[SectionPart, ...]) -> float:
    """Synthetic characters divided by all characters, rounded to 6 digits; 0 for no parts."""
    total = sum(len(part.content) for part in parts)
    synthetic = sum(len(part.content) for part in parts if part.type == "synthetic")
    return round(synthetic / total, 6) if total else 0.0
