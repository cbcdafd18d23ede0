"""The part of JSON Schema that fields may use: checked when it is read, and applied to what a model answers.

Types, enumerations, bounds and nesting, without references, alternatives or patterns: that keeps a schema finite, lets the
service enforce its shape, and leaves nothing that a hostile pattern could slow down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from coditect.errors import SchemaError

__all__ = ["Path", "SchemaPlaces", "check_fields", "count_optional", "misfits", "plain_schema"]

Path = tuple[str | int, ...]
"""Where in a file or value something stands: keys and indexes from the outside in."""

MOST_DEPTH = 4
MOST_ENUM = 200
MOST_LENGTH = 10_000
MOST_ITEMS = 200
MOST_INTEGER = 2**53
"""Integers up to here are the same in every JSON library."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_ANY = ("type", "description", "title", "enum", "const", "x-verbatim")
_KEYWORDS: dict[str, tuple[str, ...]] = {
    "string": (*_ANY, "minLength", "maxLength"),
    "integer": (*_ANY, "minimum", "maximum"),
    "number": (*_ANY, "minimum", "maximum"),
    "boolean": _ANY[:-1],
    "array": ("type", "description", "title", "items", "minItems", "maxItems", "x-verbatim"),
    "object": ("type", "description", "title", "properties", "required", "additionalProperties"),
}
_BOUNDS = ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum")
_REFERENCES = frozenset(("$ref", "$defs", "$dynamicRef", "$anchor", "definitions"))


@dataclass(frozen=True, slots=True)
class SchemaPlaces:
    """Where in a file its parts stand.

    Attributes:
        file: its name, for errors.
        lines: 1-based line by path; a path without one has its parent's.
    """

    file: str
    lines: Mapping[Path, int] = field(default_factory=dict)

    def error(self, path: Path, message: str, /, *, hint: str | None = None, **context: Any) -> SchemaError:  # noqa: ANN401 - as in errors
        """The error to raise for what stands at ``path``."""
        at = path
        while at and at not in self.lines:
            at = at[:-1]
        where = ".".join(map(str, path)) or "top"
        return SchemaError(message, hint=hint, file=self.file, line=self.lines.get(at, 1), where=where, **context)

    def mapping(self, raw: object, path: Path) -> Mapping[str, Any]:
        """``raw``, which must be a mapping."""
        if not isinstance(raw, Mapping):
            raise self.error(path, "a mapping from names is expected here")
        return raw

    def known(self, raw: Mapping[str, Any], path: Path, keys: tuple[str, ...]) -> None:
        """Refuse keys that are none of these."""
        for key in raw:
            if key in _REFERENCES:
                raise self.error(
                    (*path, key),
                    "references are not read",
                    hint="write the fields out where they are used",
                    keyword=key,
                )
            if key not in keys:
                raise self.error(
                    (*path, str(key)),
                    "an unknown keyword",
                    hint="known here: " + ", ".join(keys),
                    keyword=str(key)[:80],
                )

    def text(self, raw: object, path: Path, most: int) -> str:
        """``raw``, which must be a text of at most so many characters."""
        if not isinstance(raw, str):
            raise self.error(path, "a text is expected here", hint="put it in quotation marks")
        if not _is("string", raw):
            raise self.error(path, "a character that no text file has")
        if len(raw) > most:
            raise self.error(path, "a text is too long", most=most, found=len(raw))
        return raw.strip()


def check_fields(
    raw: Mapping[str, object], places: SchemaPlaces, path: Path, key: str = "properties"
) -> dict[str, Any]:
    """A checked copy of the JSON Schema of an object.

    Args:
        raw: the schema.
        places: for errors.
        path: of the schema.
        key: what its properties are called in the file.

    Raises:
        SchemaError: it uses what is not read here, or is over a limit.
    """
    return _object(raw, places, path, key, 1)


def count_optional(schema: Mapping[str, Any]) -> int:
    """Properties that need not be there, nested ones included."""
    if schema.get("type") == "array":
        return count_optional(schema["items"])
    properties = schema.get("properties", {})
    missing = sum(name not in schema.get("required", ()) for name in properties)
    return missing + sum(count_optional(each) for each in properties.values())


def plain_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema in what the service enforces: without bounds (checked here), descriptions (in the prompt) and our own keywords."""
    kept = {name: schema[name] for name in ("type", "enum", "const", "required") if name in schema}
    if "enum" in kept or "const" in kept:
        kept.pop("type", None)
    if "properties" in schema:
        kept["properties"] = {name: plain_schema(each) for name, each in schema["properties"].items()}
        kept["additionalProperties"] = False
    if "items" in schema:
        kept["items"] = plain_schema(schema["items"])
    return kept


def misfits(value: object, schema: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Where a JSON value does not fit a checked schema, and why.

    Args:
        value: from an answer.
        schema: from :func:`check_fields`.
        path: of the value.
    """
    if not _is(schema["type"], value):
        yield path, f"not of type {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield path, "none of the enumerated values"
    if "const" in schema and value != schema["const"]:
        yield path, "not the constant"
    if isinstance(value, str):
        yield from _bounded(len(value), schema, "minLength", "maxLength", path, most=MOST_LENGTH)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from _bounded(value, schema, "minimum", "maximum", path, most=None)
    elif isinstance(value, list):
        yield from _bounded(len(value), schema, "minItems", "maxItems", path, most=MOST_ITEMS)
        for at, each in enumerate(value[:MOST_ITEMS]):
            yield from misfits(each, schema["items"], (*path, at))
    elif isinstance(value, Mapping):
        properties = schema["properties"]
        yield from (((*path, name), "missing") for name in schema.get("required", ()) if name not in value)
        for name, each in value.items():
            if name in properties:
                yield from misfits(each, properties[name], (*path, name))
            else:
                yield (*path, name), "not a field"


def _bounded(
    size: float, schema: Mapping[str, Any], low: str, high: str, path: Path, *, most: int | None
) -> Iterator[tuple[Path, str]]:
    if size < schema.get(low, size):
        yield path, f"less than {low}"
    if size > schema.get(high, size) or (most is not None and size > most):
        yield path, f"more than {high}"


def _is(kind: str, value: object) -> bool:
    match kind:
        case "string":
            # Half a surrogate pair cannot be stored.
            return isinstance(value, str) and not _SURROGATE.search(value)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_INTEGER
        case "number":
            number = isinstance(value, int | float) and not isinstance(value, bool)
            return number and (abs(value) <= MOST_INTEGER if isinstance(value, int) else isfinite(value))  # type: ignore[arg-type]
        case "array":
            return isinstance(value, list)
    return isinstance(value, Mapping)


def _object(raw: Mapping[str, object], places: SchemaPlaces, path: Path, key: str, depth: int) -> dict[str, Any]:
    places.known(raw, path, _KEYWORDS["object"])
    if depth > MOST_DEPTH:
        raise places.error(path, "fields are nested too deep", most=MOST_DEPTH)
    if raw.get("additionalProperties", False) is not False:
        raise places.error(
            (*path, "additionalProperties"), "every field must be named", hint="leave it out, or say false"
        )
    properties = places.mapping(raw.get("properties"), (*path, key))
    checked = {name: _field(each, places, (*path, key, name), depth) for name, each in properties.items()}
    required = raw.get("required", [])
    if not isinstance(required, list) or any(not isinstance(name, str) or name not in checked for name in required):
        raise places.error((*path, "required"), "'required' is a list of the fields' names")
    found: dict[str, Any] = {"type": "object", "properties": checked, "required": list(dict.fromkeys(required))}
    return found


def _field(raw: object, places: SchemaPlaces, path: Path, depth: int) -> dict[str, Any]:
    found = dict(places.mapping(raw, path))
    kind = found.get("type")
    if kind is None and isinstance(found.get("enum"), list):
        kind = found["type"] = "string"
    if not isinstance(kind, str) or kind not in _KEYWORDS:
        places.known(found, path, tuple(dict.fromkeys(word for words in _KEYWORDS.values() for word in words)))
        raise places.error((*path, "type"), "a field needs one type", hint="one of " + ", ".join(_KEYWORDS))
    places.known(found, path, _KEYWORDS[kind])
    checked: dict[str, Any] = {"type": kind}
    if found.get("description"):
        checked["description"] = places.text(found["description"], (*path, "description"), 2_000)
    for name in _BOUNDS:
        if name in found:
            checked[name] = _bound(found[name], places, (*path, name))
    for low, high in (("minLength", "maxLength"), ("minItems", "maxItems"), ("minimum", "maximum")):
        if low in checked and high in checked and checked[low] > checked[high]:
            raise places.error((*path, high), "bounds that nothing fits", low=checked[low], high=checked[high])
    if "x-verbatim" in found:
        if not isinstance(found["x-verbatim"], bool) or (found["x-verbatim"] and kind not in ("string", "array")):
            raise places.error((*path, "x-verbatim"), "'x-verbatim' is true or false, for texts and lists of texts")
        checked["x-verbatim"] = found["x-verbatim"]
    if kind == "object":
        return {**_object(found, places, path, "properties", depth + 1), **checked}
    if kind == "array":
        checked["items"] = _field(found.get("items"), places, (*path, "items"), depth + 1)
        if depth + 1 > MOST_DEPTH:
            raise places.error(path, "fields are nested too deep", most=MOST_DEPTH)
        if checked.get("x-verbatim"):
            if checked["items"]["type"] != "string":
                raise places.error((*path, "x-verbatim"), "'x-verbatim' is true or false, for texts and lists of texts")
            checked["items"]["x-verbatim"] = True
        return checked
    _values(found, checked, places, path)
    return checked


def _values(found: Mapping[str, Any], checked: dict[str, Any], places: SchemaPlaces, path: Path) -> None:
    """Enumerations and constants, of the field's own type."""
    if "enum" in found:
        values = found["enum"]
        if not isinstance(values, list) or not 0 < len(values) <= MOST_ENUM:
            raise places.error((*path, "enum"), "'enum' is a list of values", most=MOST_ENUM)
        checked["enum"] = values
    if "const" in found:
        checked["const"] = found["const"]
    for value in (*checked.get("enum", ()), *([checked["const"]] if "const" in checked else ())):
        if not _is(checked["type"], value) or (isinstance(value, str) and len(value) > MOST_LENGTH):
            raise places.error(
                (*path, "enum" if "enum" in found else "const"),
                "a value is not of the field's type",
                hint="in YAML, put words such as yes, no and dates in quotation marks",
                value=str(value)[:80],
            )


def _bound(value: object, places: SchemaPlaces, path: Path) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is("number", value):
        raise places.error(path, "a bound is a number")
    if path[-1] not in ("minimum", "maximum") and not (isinstance(value, int) and 0 <= value <= MOST_LENGTH):
        raise places.error(path, "a length is a whole number", most=MOST_LENGTH)
    return value
