"""Records whose data are of the model that the record's own kind names, as one tagged union inside one class."""

from __future__ import annotations

from typing import Any, cast

from pydantic import GetCoreSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from pydantic_core.core_schema import literal_schema, tagged_union_schema, union_schema

from coditect.schemas.tier1.data import DATA_MODELS, CustomData, ExtractionKind

__all__ = ["published_schema", "schema_by_kind"]


def schema_by_kind(whole: CoreSchema, handler: GetCoreSchemaHandler) -> CoreSchema:
    """The schema of a record with an ``extraction_kind`` and its ``tier1_data``: one for each kind, told apart by the kind.

    This is a tagged union inside one class, which neither an annotation nor a validator of pydantic's can say: the tag stands
    beside the data, not in them. It is read in one pass, without a call into Python.

    Args:
        whole: the schema that pydantic makes of the record.
        handler: makes the schemas of the kinds' models.
    """
    own = handler.generate_schema(CustomData)

    def typed(schema: dict[str, Any], kind: ExtractionKind, data: CoreSchema) -> dict[str, Any]:
        """The schema with the two fields of a kind; what pydantic puts around the fields stays around them."""
        if schema["type"] != "model-fields":
            return {**schema, "schema": typed(schema["schema"], kind, data)}
        fields = schema["fields"]
        of_kind = {
            "extraction_kind": {**fields["extraction_kind"], "schema": literal_schema([kind])},
            "tier1_data": {**fields["tier1_data"], "schema": data},
        }
        return {**schema, "fields": {**fields, **of_kind}}

    record = {name: value for name, value in whole.items() if name != "ref"}
    choices = {}
    for kind, model in DATA_MODELS.items():
        data = own if model is CustomData else union_schema([handler.generate_schema(model), own], mode="left_to_right")
        choices[kind] = cast("CoreSchema", typed(record, kind, data))
    return tagged_union_schema(choices, discriminator="extraction_kind")


def published_schema(by_kind: JsonSchemaValue) -> JsonSchemaValue:
    """The JSON Schema of a record of many kinds: what all have once, and in ``oneOf`` by kind what its data are."""
    of_kind = ("extraction_kind", "tier1_data")
    typed = [{name: each["properties"][name] for name in of_kind} for each in by_kind["oneOf"]]
    first, *_ = by_kind["oneOf"]
    common = {**first["properties"], **{name: {} for name in of_kind}}
    return {**first, "properties": common, "oneOf": [{"properties": each} for each in typed]}
