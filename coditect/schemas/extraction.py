"""Tier 1: verbatim extractions."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from coditect.schemas.record import DocumentItem, Record
from coditect.schemas.standalone import Standalone

__all__ = ["Entity", "Extraction", "ExtractionKind"]

ExtractionKind = Literal[
    "obligation", "prohibition", "permission", "definition", "cross_reference", "quantity", "proposition", "custom"
]


class Entity(Record):
    """A mention of an entity inside an extraction."""

    text: str = Field(description="Verbatim.")
    name: str = Field(description="Normalised: what the entity index is keyed by.")
    kind: str
    char_offset_start: int = Field(ge=0)
    char_offset_end: int = Field(ge=1)


class Extraction(DocumentItem):
    """What a document says, verbatim, with what was read from it. Immutable."""

    record_kind: ClassVar[str] = "extraction"
    id_field: ClassVar[str] = "extraction_id"

    extraction_id: str
    version_id: str
    derivation_id: str = Field(description="The run of the extractor that made it.")
    extraction_kind: ExtractionKind
    tier1_data: dict[str, Any] = Field(description="Schema data: actor, modality, action, deadline, term, form, …")
    source_text: str = Field(min_length=1, description="Equal to the document's text at the offsets.")
    char_offset_start: int = Field(ge=0, description="Code points into the canonical text, half-open.")
    char_offset_end: int = Field(ge=1)
    section_id: str = Field(description="The smallest section that holds it.")
    heading: str = Field(default="", description="That section's printed label and heading.")
    entities: tuple[Entity, ...] = ()
    confidence: float = Field(ge=0.0, le=1.0)
    standalone: Standalone | None = Field(
        default=None,
        description="How the statement reads on its own, where it does not already. Synthetic: never cited.",
    )
