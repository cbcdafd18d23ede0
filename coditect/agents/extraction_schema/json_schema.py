"""The part of JSON Schema that extraction schemas may use, checked by the jsonschema library.

A file is checked against ``meta_schema.json``, which lists what is allowed and says what to tell the user where something is
refused; what a model answers is checked against the fields. Types, enumerations, bounds and nesting are read, without references,
alternatives or patterns: that keeps a schema finite, lets the service enforce its shape, and leaves nothing that a hostile
pattern could slow down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import TYPE_CHECKING, Any

import orjson

from coditect.errors import SchemaError

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

__all__ = ["Path", "SchemaPlaces", "check_file", "closed_schema", "meta_schema", "misfits"]

Path = tuple[str | int, ...]
"""Where in a file or value something stands: keys and indexes from the outside in."""

MOST_LENGTH = 10_000
"""Code points of a text in an answer, where its field sets no smaller bound."""

MOST_ITEMS = 200
"""Elements of a list in an answer, where its field sets no smaller bound."""

MOST_INTEGER = 2**53
"""Integers up to here are the same in every JSON library."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_REFERENCES = ("$ref", "$defs", "$dynamicRef", "$anchor", "definitions")
_REFUSED: Mapping[str, tuple[str, ...]] = {
    "object": ("a mapping from names is expected here",),
    "array": ("a list is expected here",),
    "string": ("a text is expected here", "put it in quotation marks"),
    "maxLength": ("a text is too long",),
    "minProperties": ("nothing is named here",),
    "maxProperties": ("too many names",),
}
"""What to tell the user where the meta-schema itself does not say it: by expected type, or by keyword."""

_BOUNDS = ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum")
_MISFITS: Mapping[str, str] = {
    "enum": "none of the enumerated values",
    "const": "not the constant",
    "required": "missing",
    "additionalProperties": "not a field",
    **{bound: f"{'less' if bound.startswith('min') else 'more'} than {bound}" for bound in _BOUNDS},
}
"""Why a value does not fit, by the keyword that it does not fit; in the reports of builds."""


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


def check_file(raw: object, places: SchemaPlaces) -> None:
    """Check what a file holds against the meta-schema.

    Args:
        raw: a JSON value.
        places: where in the file its parts stand.

    Raises:
        SchemaError: it is not of either form; says what is wrong first, with file, line, place and the way out.
    """
    for error in _validator()(meta_schema()).iter_errors(raw):
        raise _refusal(error, places)


@cache
def meta_schema() -> Mapping[str, Any]:
    """The JSON Schema of extraction schemas."""
    raw = files("coditect.agents.extraction_schema").joinpath("meta_schema.json").read_bytes()
    found: dict[str, Any] = orjson.loads(raw)
    return found


def misfits(value: object, fields: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Where a JSON value does not fit the fields of a statement, and why; one reason for each place.

    Args:
        value: from an answer.
        fields: JSON Schema of an object, as an extraction schema has it.
    """
    told: set[Path] = set()
    for error in _validator()(closed_schema(fields, bounded=True)).iter_errors(value):
        keyword = str(error.validator)
        reason = _MISFITS[keyword] if keyword != "type" else f"not of type {error.validator_value}"
        for path in _paths(error):
            if path not in told:
                told.add(path)
                yield path, reason


def closed_schema(schema: Mapping[str, Any], *, bounded: bool) -> dict[str, Any]:
    """The schema of a field, without descriptions and keywords of ours, in which no object takes further properties.

    Args:
        schema: as an extraction schema has it.
        bounded: with bounds of lengths and numbers, as answers are checked; else as the service enforces it, which knows no
            bounds, and no type beside an enumeration.
    """
    kept = {name: schema[name] for name in ("type", "enum", "const", "required") if name in schema}
    if bounded:
        # What a field leaves open is bounded all the same: a statement has to fit into a record.
        longest = {"string": {"maxLength": MOST_LENGTH}, "array": {"maxItems": MOST_ITEMS}}.get(schema["type"], {})
        kept |= {name: schema[name] for name in _BOUNDS if name in schema}
        kept |= {name: min(most, schema.get(name, most)) for name, most in longest.items()}
    elif "enum" in kept or "const" in kept:
        del kept["type"]
    if "properties" in schema:
        properties = schema["properties"].items()
        kept["properties"] = {name: closed_schema(each, bounded=bounded) for name, each in properties}
        kept["additionalProperties"] = False
    if "items" in schema:
        kept["items"] = closed_schema(schema["items"], bounded=bounded)
    return kept


@cache
def _validator() -> type[Validator]:
    """The library's validator for values that every JSON library and every store keeps as they are."""
    from jsonschema import Draft202012Validator, validators

    types = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {
            "string": lambda _, value: _is_text(value),
            "integer": lambda _, value: _is_number(value) and isinstance(value, int),
            "number": lambda _, value: _is_number(value),
        }
    )
    extended: type[Validator] = validators.extend(Draft202012Validator, type_checker=types)
    return extended


def _is_text(value: object) -> bool:
    # Half a surrogate pair cannot be stored.
    return isinstance(value, str) and not _SURROGATE.search(value)


def _is_number(value: object) -> bool:
    if isinstance(value, float):
        return isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_INTEGER


def _refusal(error: ValidationError, places: SchemaPlaces) -> SchemaError:
    """What the library found in a file, in words that name the way out."""
    keyword, path = str(error.validator), _paths(error)[0]
    if keyword == "additionalProperties":
        if path[-1] in _REFERENCES:
            message, hint = "references are not read", "write the fields out where they are used"
        else:
            message, hint = "an unknown keyword", "known here: " + ", ".join(error.schema["properties"])
        return places.error(path, message, hint=hint, keyword=str(path[-1])[:80])
    if keyword == "type" and isinstance(error.instance, str) and "string" in error.validator_value:
        return places.error(path, "a character that no text file has")
    expected = error.validator_value
    told = error.schema.get("x-refused", {}).get(keyword)
    if told is None:
        told = _REFUSED[keyword if keyword != "type" else expected if isinstance(expected, str) else expected[0]]
    context = {"most": expected} if keyword.startswith("max") else {}
    if isinstance(error.instance, str | int | float):
        context["found"] = str(error.instance)[:80]
    return places.error(path, told[0], hint=told[1] if len(told) > 1 else None, **context)


def _paths(error: ValidationError) -> list[Path]:
    """The places that an error is about: of a property that is missing or unknown, where it stands or would stand."""
    path: Path = tuple(error.absolute_path)
    names: list[str] = []
    if error.validator == "required":
        names = [name for name in error.validator_value if name not in error.instance]
    elif error.validator == "additionalProperties":
        names = [name for name in error.instance if name not in error.schema["properties"]]
    elif "propertyNames" in error.absolute_schema_path:
        names = [error.instance]
    return [(*path, name) for name in names] or [path]
