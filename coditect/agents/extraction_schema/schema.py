"""What the mapper is to extract: named kinds of statements, each with fields in a small part of JSON Schema.

A schema comes from a file (:func:`coditect.agents.extraction_schema.file.load_extraction_schema`) or is the default one. Its
version is a hash of all of it: another description is another extraction, because the model reads the descriptions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from coditect.agents.extraction_schema.json_schema import Path, SchemaPlaces, check_file
from coditect.schemas.record import canonical_json, sha256_hex
from coditect.schemas.tier1.data import ExtractionKind

__all__ = [
    "MOST_OPTIONAL",
    "ExtractionSchema",
    "StatementType",
    "build_extraction_schema",
    "kind_of",
    "read_extraction_schema",
]

MOST_OPTIONAL = 24
"""Fields that need not be there, over all types: the service compiles the schema to a grammar and refuses more."""

MOST_DEPTH = 4
"""Objects and lists inside each other, the fields of a statement included."""

_KEPT = ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "x-verbatim", "enum", "const")
_KINDS: Mapping[str, ExtractionKind] = {
    "obligation": "obligation",
    "prohibition": "prohibition",
    "permission": "permission",
    "definition": "definition",
}


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
        name: what the file calls the schema, or the file's own name.
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
        raw: what the file holds: a JSON value.
        places: where in the file things stand, for errors.
        name: of the schema where ``raw`` has none.

    Raises:
        SchemaError: with file, line and place: not of either form, an unknown keyword, a reserved name, or over a limit.
    """
    check_file(raw, places)
    return read_extraction_schema(cast("Mapping[str, Any]", raw), places, name)


def read_extraction_schema(raw: Mapping[str, Any], places: SchemaPlaces, name: str) -> ExtractionSchema:
    """As :func:`build_extraction_schema`, of what the meta-schema is known to allow.

    Raises:
        SchemaError: what the meta-schema cannot say: bounds that nothing fits, fields that are required and not there, fields
            that are nested too deep, too many optional ones.
    """
    is_short = "types" in raw
    key, title = ("types", "name") if is_short else ("properties", "title")
    types = {each: _type(each, body, places, (key, each)) for each, body in raw[key].items()}
    optional = sum(_count_optional(each.fields) for each in types.values())
    if optional > MOST_OPTIONAL:
        raise places.error(
            (),
            "too many fields that need not be there",
            hint="make some of them 'required', or split the schema in two",
            optional=optional,
            most=MOST_OPTIONAL,
        )
    return ExtractionSchema(raw.get(title, name).strip(), raw.get("description", "").strip(), types)


def _type(name: str, body: Mapping[str, Any], places: SchemaPlaces, path: Path) -> StatementType:
    description = body.get("description", "")
    if body.get("type") == "array":
        body, path = body["items"], (*path, "items")
        description = description or body.get("description", "")
    key = "fields" if "fields" in body else "properties"
    return StatementType(name, description.strip(), _object(body, places, path, 1, key))


def _object(
    raw: Mapping[str, Any], places: SchemaPlaces, path: Path, depth: int, key: str = "properties"
) -> dict[str, Any]:
    """The JSON Schema of an object as it is stored: in one form, whatever the file's."""
    fields = {name: _field(each, places, (*path, key, name), depth) for name, each in raw[key].items()}
    required = list(dict.fromkeys(raw.get("required", ())))
    if not fields.keys() >= set(required):
        raise places.error((*path, "required"), "'required' is a list of the fields' names", hint=", ".join(fields))
    return {"type": "object", "properties": fields, "required": required}


def _field(raw: Mapping[str, Any], places: SchemaPlaces, path: Path, depth: int) -> dict[str, Any]:
    kind = raw.get("type", "string")
    if depth + (kind in ("array", "object")) > MOST_DEPTH:
        raise places.error(path, "fields are nested too deep", most=MOST_DEPTH)
    for low, high in (("minLength", "maxLength"), ("minItems", "maxItems"), ("minimum", "maximum")):
        if low in raw and high in raw and raw[low] > raw[high]:
            raise places.error((*path, high), "bounds that nothing fits", low=raw[low], high=raw[high])
    found = {name: raw[name] for name in _KEPT if name in raw} | {"type": kind}
    if raw.get("description"):
        found["description"] = raw["description"].strip()
    if kind == "object":
        found |= _object(raw, places, path, depth + 1)
    if kind == "array":
        found["items"] = _field(raw["items"], places, (*path, "items"), depth + 1)
        if raw.get("x-verbatim"):
            found["items"]["x-verbatim"] = True
    return found


def _count_optional(schema: Mapping[str, Any]) -> int:
    """Properties that need not be there, nested ones included."""
    if schema["type"] == "array":
        return _count_optional(schema["items"])
    properties = schema.get("properties", {})
    missing = sum(name not in schema["required"] for name in properties)
    return missing + sum(_count_optional(each) for each in properties.values())


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
