"""What the mapper is to extract: named kinds of statements, each with fields in a small part of JSON Schema.

A schema comes from a file (:func:`coditect.agents.extraction_schema.file.load_extraction_schema`) or is the default one. Its
version is a hash of all of it: another description is another extraction, because the model reads the descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coditect.agents.extraction_schema.fields import Path, SchemaPlaces, check_fields, count_optional, plain_schema
from coditect.agents.roles.answers import array, obj
from coditect.schemas.extraction import ExtractionKind
from coditect.schemas.record import canonical_json, sha256_hex

__all__ = ["MOST_OPTIONAL", "MOST_TYPES", "ExtractionSchema", "StatementType", "build_extraction_schema", "kind_of"]

MOST_TYPES = 40
MOST_FIELDS = 40
MOST_OPTIONAL = 24
"""Fields that need not be there, over all types: the service compiles the schema to a grammar and refuses more."""

MOST_DESCRIPTION = 2_000

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")
_KINDS: dict[str, ExtractionKind] = {
    "obligation": "obligation",
    "prohibition": "prohibition",
    "permission": "permission",
    "definition": "definition",
}
# These the rules find, with data that other parts of the house rely on.
_RESERVED_TYPES = frozenset(("cross_reference", "quantity", "proposition", "custom", "items", "suspicious"))
_RESERVED_FIELDS = frozenset(("type", "quote", "confidence", "before", "after", "clause", "measures", "schema"))


@dataclass(frozen=True, slots=True)
class StatementType:
    """One kind of statement.

    Attributes:
        name: lower-case letters, digits and underscores.
        description: for the model, what belongs here.
        fields: JSON Schema of an object; its properties may carry ``x-verbatim``.
    """

    name: str
    description: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ExtractionSchema:
    """What to extract.

    Attributes:
        name: of the schema.
        description: what it is for; "" for none.
        types: by name, in the order of the file.
    """

    name: str
    description: str
    types: Mapping[str, StatementType] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """Name and hash of everything in it, the order of its fields included; part of the id of what is extracted with it."""
        # Records are stored with sorted keys, so the order stands in the instructions alone.
        return f"{self.name}/{sha256_hex(canonical_json([self.content(), self.instructions()]))[:12]}"

    def content(self) -> dict[str, Any]:
        """All of it as plain JSON: name, description, and the types in order, each with the JSON Schema of its fields."""
        types = [
            {"name": each.name, "description": each.description, "fields": dict(each.fields)}
            for each in self.types.values()
        ]
        return {"name": self.name, "description": self.description, "types": types}

    def output_schema(self) -> dict[str, Any]:
        """JSON Schema of the mapper's answer, in the part of JSON Schema that the service enforces."""
        return obj(
            {
                "items": array({"anyOf": [_item(each) for each in self.types.values()]}),
                "suspicious": array({"type": "string"}),
            }
        )

    def instructions(self) -> str:
        """The kinds and their fields in words, for the prompt."""
        lines = [f"# Kinds of statements: {self.name}", *([self.description] if self.description else [])]
        for each in self.types.values():
            lines += ["", f"## {each.name}", *([each.description] if each.description else [])]
            lines += _described(each.fields)
        return "\n".join(lines)


def kind_of(type_name: str) -> ExtractionKind:
    """The kind under which a Tier 1 record of this type is stored: its own where the house has it, else "custom"."""
    return _KINDS.get(type_name, "custom")


def build_extraction_schema(raw: object, places: SchemaPlaces, name: str) -> ExtractionSchema:
    """Check a schema and make it.

    Two forms are read. The short one has ``name``, ``description`` and ``types``, each type with ``description``, ``fields``
    (name → JSON Schema) and ``required``. The other is a JSON Schema of an object whose properties are the types, each of them an
    object, or a list of objects.

    Args:
        raw: what the file holds.
        places: where in the file things stand, for errors.
        name: of the schema where ``raw`` has none.

    Raises:
        SchemaError: with file, line and place: not of either form, an unknown keyword, a reserved name, or over a limit.
    """
    top = places.mapping(raw, ())
    if "types" in top:
        places.known(top, (), ("name", "description", "types"))
        types = {
            key: _short_type(key, value, places, ("types", key))
            for key, value in _named(top["types"], places, ("types",), MOST_TYPES, _RESERVED_TYPES)
        }
        name = places.text(top.get("name", name), ("name",), 80)
    else:
        places.known(
            top,
            (),
            ("$schema", "$id", "title", "description", "type", "properties", "required", "additionalProperties"),
        )
        if top.get("type") != "object" or "properties" not in top:
            raise places.error(
                (), "an extraction schema has 'types', or is the JSON Schema of an object with 'properties'"
            )
        types = {
            key: _json_schema_type(key, value, places, ("properties", key))
            for key, value in _named(top["properties"], places, ("properties",), MOST_TYPES, _RESERVED_TYPES)
        }
        name = places.text(top.get("title", name), ("title",), 80)
    optional = sum(count_optional(each.fields) for each in types.values())
    if optional > MOST_OPTIONAL:
        raise places.error(
            (),
            "too many fields that need not be there",
            hint="make some of them 'required', or split the schema in two",
            optional=optional,
            most=MOST_OPTIONAL,
        )
    description = places.text(top.get("description", ""), ("description",), MOST_DESCRIPTION)
    return ExtractionSchema(name, description, types)


def _named(
    raw: object, places: SchemaPlaces, path: Path, most: int, reserved: frozenset[str]
) -> Sequence[tuple[str, object]]:
    """The entries of a mapping from names that may be chosen."""
    found = places.mapping(raw, path)
    if not found:
        raise places.error(path, "nothing is named here")
    if len(found) > most:
        raise places.error(path, "too many names", most=most, found=len(found))
    for key in found:
        if not isinstance(key, str) or not _NAME.match(key):
            raise places.error(
                (*path, str(key)),
                "not a name",
                hint="lower-case letters, digits and underscores, at most 40",
                name=str(key)[:80],
            )
        if key in reserved:
            raise places.error((*path, key), "a reserved name", hint="choose another", name=key)
    return list(found.items())


def _short_type(name: str, raw: object, places: SchemaPlaces, path: Path) -> StatementType:
    found = places.mapping(raw, path)
    places.known(found, path, ("description", "fields", "required"))
    fields: dict[str, object] = {"type": "object", "properties": found.get("fields", {})}
    if "required" in found:
        fields["required"] = found["required"]
    return _type(name, found.get("description", ""), fields, places, path, "fields")


def _json_schema_type(name: str, raw: object, places: SchemaPlaces, path: Path) -> StatementType:
    found = dict(places.mapping(raw, path))
    description = found.pop("description", "")
    if found.get("type") == "array":
        places.known(found, path, ("type", "items"))
        path = (*path, "items")
        found = dict(places.mapping(found.get("items"), path))
        description = description or found.pop("description", "")
        found.pop("description", None)
    if found.get("type") != "object":
        raise places.error(path, "a kind of statement is an object, or a list of objects")
    return _type(name, description, found, places, path, "properties")


def _type(
    name: str, description: object, fields: Mapping[str, object], places: SchemaPlaces, path: Path, key: str
) -> StatementType:
    named = _named(fields.get("properties"), places, (*path, key), MOST_FIELDS, _RESERVED_FIELDS)
    checked = check_fields({**fields, "properties": dict(named)}, places, path, key)
    return StatementType(name, places.text(description, (*path, "description"), MOST_DESCRIPTION), checked)


def _item(each: StatementType) -> dict[str, Any]:
    """JSON Schema of one item of the answer."""
    return obj(
        {
            "type": {"const": each.name},
            "quote": {"type": "string"},
            "before": {"type": "string"},
            "after": {"type": "string"},
            "fields": plain_schema(each.fields),
            "confidence": {"type": "number"},
        }
    )


def _described(fields: Mapping[str, Any], indent: str = "") -> list[str]:
    lines = []
    required = frozenset(fields.get("required", ()))
    for name, schema in fields["properties"].items():
        inner = schema["items"] if schema.get("type") == "array" else schema
        marks = ["required"] if name in required else ["optional"]
        if schema.get("x-verbatim") or inner.get("x-verbatim"):
            marks.append("verbatim")
        text = schema.get("description") or inner.get("description") or ""
        lines.append(f"{indent}- {name} ({', '.join(marks)})" + (f": {text}" if text else ""))
        if inner.get("type") == "object":
            lines += _described(inner, indent + "  ")
    return lines
