"""Models whose instances are written exactly as they were read."""

from __future__ import annotations

from typing import Any, cast

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema
from pydantic_core.core_schema import simple_ser_schema

__all__ = ["ExactModel"]


def _without_defaults(schema: dict[str, Any]) -> None:
    """In the published schema a field that says nothing is absent: null is no default that a reader may put there."""
    for each in schema["properties"].values():
        each.pop("default", None)


def _exact(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a field that comes out as it went in: a null, and a text for a number, are refused rather than changed."""
    match schema["type"]:
        case "default":
            return {**schema, "schema": _exact(schema["schema"])}
        case "nullable":  # None stands for what is absent; a dump meets it before it is left out
            return {**_exact(schema["schema"]), "serialization": simple_ser_schema("any")}
        case "union":
            return {**schema, "choices": [_exact(each) for each in schema["choices"]]}
        case "int" | "float" | "bool":
            return {**schema, "strict": True}
    return schema


class ExactModel(BaseModel):
    """Something that was read; what it does not say is None here, and absent where records are written."""

    model_config = ConfigDict(frozen=True, defer_build=True, json_schema_extra=_without_defaults)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type[BaseModel], handler: GetCoreSchemaHandler) -> CoreSchema:
        """The schema of the model, in which no field changes what it reads."""
        schema = handler(source)
        inner = cast("dict[str, Any]", handler.resolve_ref_schema(schema))["schema"]
        inner["fields"] = {
            name: {**field, "schema": _exact(field["schema"])} for name, field in inner["fields"].items()
        }
        return schema
