"""Tier 1: verbatim extractions."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from coditect.schemas.decision import ItemDecision
from coditect.schemas.record import DocumentItem, Record
from coditect.schemas.standalone import Standalone
from coditect.schemas.tier1.by_kind import published_schema, schema_by_kind
from coditect.schemas.tier1.data import (
    DATA_MODELS,
    CustomData,
    D,
    ExtractionKind,
    NormData,
    PropositionData,
    StatedMeasure,
    Tier1Data,
    known_fields,
    nothing_known,
)

__all__ = ["Entity", "Extraction"]


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
    tier1_data: Tier1Data = Field(description="What was read from the quote; ``extraction_kind`` names its model.")
    source_text: str = Field(min_length=1, description="Equal to the document's text at the offsets.")
    char_offset_start: int = Field(ge=0, description="Code points into the canonical text, half-open.")
    char_offset_end: int = Field(ge=1)
    section_id: str = Field(description="The smallest section that holds it.")
    heading: str = Field(default="", description="That section's printed label and heading.")
    locator: str = Field(
        default="", description="The whole path of printed numbers that a person would cite it by: 4.5.1(1)(a)(ii)."
    )
    entities: tuple[Entity, ...] = ()
    confidence: float = Field(ge=0.0, le=1.0)
    standalone: Standalone | None = Field(
        default=None,
        description="How the statement reads on its own, where it does not already. Synthetic: never cited.",
    )
    decided: ItemDecision | None = Field(
        default=None,
        description="What a person decided of it. Of a correction, ``extraction_kind`` and ``tier1_data`` are as corrected.",
    )

    def read_as(self, model: type[D]) -> D:
        """What was read, as the data of a kind or of some kinds (:class:`~coditect.schemas.tier1.data.NormData`).

        Returns:
            The data; of data in a shape of their own the fields that fit; nothing known where the extraction is of another kind.
        """
        data = self.tier1_data
        if isinstance(data, model):
            return data
        is_of_kind = isinstance(data, CustomData) and issubclass(DATA_MODELS[self.extraction_kind], model)
        return known_fields(data.more, model) if is_of_kind else nothing_known(model)

    @property
    def measures(self) -> tuple[StatedMeasure, ...]:
        """What the statement fixes, comparable across documents."""
        return self.read_as(NormData).measures or self.read_as(PropositionData).measures or ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        """A schema for each kind, which differ in the model of ``tier1_data``."""
        return schema_by_kind(handler.resolve_ref_schema(handler(source)), handler)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The published schema, in which ``oneOf`` names the data of each kind."""
        found = handler(schema)
        return published_schema(found) if "oneOf" in found else found
