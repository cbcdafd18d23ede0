"""Reads extraction schemas from YAML and JSON files, with the line of whatever is wrong."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

from coditect.agents.extraction_schema.json_schema import Path as Place
from coditect.agents.extraction_schema.json_schema import SchemaPlaces
from coditect.agents.extraction_schema.schema import ExtractionSchema, build_extraction_schema
from coditect.errors import SchemaError, UsageError

__all__ = ["load_extraction_schema", "parse_extraction_schema"]

MOST_BYTES = 262_144
MOST_NESTING = 24

_TAG = "tag:yaml.org,2002:"
_JSON_TAGS = frozenset(_TAG + name for name in ("map", "seq", "str", "int", "float", "bool", "null"))


def load_extraction_schema(path: Path) -> ExtractionSchema:
    """The extraction schema in a file, ``.yaml``, ``.yml`` or ``.json``.

    Raises:
        UsageError: the file cannot be read.
        SchemaError: it is no extraction schema; ``context`` has file, line and place.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError("an extraction schema cannot be read", file=str(path), reason=error.strerror) from error
    if len(data) > MOST_BYTES:
        raise SchemaError("an extraction schema is too large", file=str(path), line=1, most_bytes=MOST_BYTES)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SchemaError("an extraction schema is not UTF-8", file=str(path), line=line) from error
    return parse_extraction_schema(text, str(path), name=path.stem)


def parse_extraction_schema(text: str, file: str, *, name: str = "custom") -> ExtractionSchema:
    """The extraction schema in a text.

    Args:
        text: YAML, or JSON where ``file`` ends in ".json".
        file: its name, for errors.
        name: of the schema where the text has none.

    Raises:
        SchemaError: as for :func:`load_extraction_schema`.
    """
    # JSON has no tabs inside strings; outside they are white space, which YAML would refuse.
    yaml = _yaml()
    is_json = file.lower().endswith(".json")
    try:
        node = _composed(text.replace("\t", " ") if is_json else text, file)
        lines: dict[Place, int] = {}
        _lines(node, (), lines, file)
        raw = json.loads(text) if is_json else yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else 1
        raise SchemaError("not well-formed", file=file, line=line, problem=error.problem or error.context) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise SchemaError("a character that no text file has", file=file, line=line) from error
    except json.JSONDecodeError as error:
        raise SchemaError("not well-formed", file=file, line=error.lineno, problem=error.msg) from error
    except ValueError as error:  # an integer of thousands of digits
        raise SchemaError(
            "a value cannot be read", file=file, line=1, problem=str(error), hint="put it in quotation marks"
        ) from error
    return build_extraction_schema(raw, SchemaPlaces(file, lines), name)


def _yaml() -> Any:  # noqa: ANN401 - an untyped library
    """PyYAML, loaded where a file is read: it has no types, and most runs do without."""
    return import_module("yaml")


def _composed(text: str, file: str) -> Any:  # noqa: ANN401 - a node of an untyped library
    """The document's tree, once it is known to be small, plain and without loops."""
    yaml = _yaml()
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise SchemaError("anchors and aliases are not read", file=file, line=line, hint="write the fields out")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MOST_NESTING:
                raise SchemaError("nested too deep", file=file, line=line, most=MOST_NESTING)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is None:
        raise SchemaError("an extraction schema is empty", file=file, line=1)
    return node


def _lines(node: Any, path: Place, lines: dict[Place, int], file: str) -> None:  # noqa: ANN401 - a node of an untyped library
    """Fill in the line of every key and element.

    Raises:
        SchemaError: a key is no text or stands twice, or a value is none of JSON's, such as a date.
    """
    yaml = _yaml()
    line = node.start_mark.line + 1
    lines.setdefault(path, line)
    if node.tag not in _JSON_TAGS:
        raise SchemaError("a value that JSON does not have", file=file, line=line, hint="put it in quotation marks")
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            place = (*path, str(key.value))
            line = key.start_mark.line + 1
            if key.tag != _TAG + "str":
                raise SchemaError("not a name", file=file, line=line, hint="put it in quotation marks")
            if place in lines:
                raise SchemaError("a name stands twice", file=file, line=line, name=key.value[:80])
            lines[place] = line
            _lines(value, place, lines, file)
    elif isinstance(node, yaml.SequenceNode):
        for at, value in enumerate(node.value):
            _lines(value, (*path, at), lines, file)
