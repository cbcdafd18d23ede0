"""Tier 2: extractive summaries of structural chunks."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from coditect.schemas.record import DocumentItem, Record

__all__ = ["EXTRACTION_METHODS", "Chunk", "Duty", "ExtractionMethod", "Measure", "SelectedSentence"]

ExtractionMethod = Literal["textrank", "tfidf", "llm_extractive"]
EXTRACTION_METHODS: tuple[ExtractionMethod, ...] = ("textrank", "tfidf", "llm_extractive")


class Measure(Record):
    """What a statement fixes, comparable across documents."""

    kind: Literal["count", "deadline", "duration", "frequency", "version"]
    head: str = Field(
        description="What it is a measure of: the stem of the verb; of the unit for a count; a name for a version."
    )
    verb: str = Field(description="That as printed.")
    value: float = Field(
        gt=0.0, description="Frequency: times a year. Deadline, duration: hours. Version, count: the number."
    )
    text: str = Field(description="As printed.")
    strength: str = Field(
        default="mandatory", description="mandatory, recommended, optional, prohibited, or stated as a fact."
    )


class Duty(Record):
    """What a normative statement asks, for comparison across documents."""

    head: str = Field(description="Stem of its verb.")
    kind: Literal["obligation", "prohibition", "permission"]
    strength: str = Field(description="mandatory, recommended or optional.")


class SelectedSentence(Record):
    """A whole sentence of the document, chosen and not changed."""

    text: str = Field(min_length=1)
    char_start: int = Field(ge=0)
    char_end: int = Field(ge=1)
    score: float = Field(
        ge=0.0,
        le=1.0,
        description="Salience within the chunk; higher is better. 0 for a sentence beyond the summary's size that is kept for "
        "what it fixes: a deadline, a reference, an open point.",
    )
    rank: int = Field(ge=1, description="1 is the most salient.")
    extraction_ids: tuple[str, ...] = Field(description="Tier 1 items inside the sentence; never empty.")
    kinds: tuple[str, ...] = Field(default=(), description="Kinds of those items, sorted.")
    measures: tuple[Measure, ...] = Field(default=(), description="Measures that those items fix.")
    duties: tuple[Duty, ...] = Field(default=(), description="What those items ask.")
    documents: tuple[str, ...] = Field(default=(), description="Company documents that those items refer to, by name.")
    places: tuple[str, ...] = Field(
        default=(),
        description="Numbered places that it refers to: '9.4' in its own document, '9.4|Access Control Policy' in another.",
    )
    open_point: str = Field(
        default="", description="Words that say something is missing or undecided: 'TBD', 'overdue'."
    )
    empty: tuple[str, ...] = Field(
        default=(), description="Columns that this table row leaves empty and most rows of its table fill."
    )


class Chunk(DocumentItem):
    """The extractive summary of one structural chunk."""

    record_kind: ClassVar[str] = "chunk"
    id_field: ClassVar[str] = "chunk_id"

    chunk_id: str
    version_id: str
    derivation_id: str
    section_id: str = Field(description="The smallest section that holds the whole chunk.")
    section_ids: tuple[str, ...] = Field(description="Every section that begins in the chunk, and the one above.")
    heading: str = ""
    headings: tuple[str, ...] = Field(
        default=(), description="Printed headings of the sections that begin in the chunk."
    )
    parent_chain: tuple[str, ...] = Field(default=(), description="Printed headings above, outermost first.")
    char_offset_start: int = Field(ge=0, description="The chunk that is summarised, not the summary.")
    char_offset_end: int = Field(ge=1)
    extraction_method: ExtractionMethod
    sentence_count: int = Field(ge=1, description="Sentences that the chunk has in all.")
    selected_sentences: tuple[SelectedSentence, ...] = Field(min_length=1, description="In document order.")
    source_extractions: tuple[str, ...] = Field(description="Every Tier 1 item of the chunk, in document order.")
    entities: tuple[str, ...] = Field(default=(), description="Normalised entity names mentioned in the chunk.")
    key_terms: tuple[str, ...] = Field(default=(), description="Its most telling stemmed terms, most telling first.")
