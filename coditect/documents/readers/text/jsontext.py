"""JSON and JSON Lines: OSCAL catalogues by their own reader, everything else as "path: value" lines."""

from __future__ import annotations

import json
from collections.abc import Iterator

from coditect.documents.readers.canonical import decode
from coditect.documents.readers.failures import LIBRARY_FAILURES
from coditect.documents.readers.layout import LayoutWriter
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import SourceText
from coditect.errors import ReadError

__all__ = ["read"]

_LINES_SUFFIXES = (".jsonl", ".ndjson")
_CONSTANTS = {True: "true", False: "false", None: "null"}


def read(raw: bytes, name: str, limits: ReadLimits) -> SourceText:
    """Read JSON; numbers keep the digits that they are written with.

    Args:
        raw: the bytes of the file.
        name: its relative name; ``.jsonl`` and ``.ndjson`` hold one value per line.
        limits: the bounds on what is read.

    Raises:
        ReadError: not text, malformed, or without any value.
    """
    text, warnings = decode(raw, name)
    text = text.removeprefix("\ufeff")
    writer = LayoutWriter(name, limits)
    if name.lower().endswith(_LINES_SUFFIXES):
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                _write(writer, _parse(line, name, number), f"[{number}]")
        return writer.finish("application/x-ndjson", "json/1", warnings=warnings)
    value = _parse(text, name, 1)
    if isinstance(value, dict) and isinstance(value.get("catalog"), dict):
        from coditect.documents.readers.regulatory import oscal

        return oscal.read_catalog(value["catalog"], name, limits, "application/json", warnings)
    _write(writer, value, "")
    return writer.finish("application/json", "json/1", title=_title(value), warnings=warnings)


def _parse(text: str, name: str, line: int) -> object:
    try:
        return json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except json.JSONDecodeError as error:
        raise ReadError(
            "malformed JSON",
            hint="Correct the file at this place, or restore it from its source.",
            name=name,
            line=line + error.lineno - 1,
            column=error.colno,
            reason=error.msg,
        ) from error
    except LIBRARY_FAILURES as error:
        raise ReadError("the JSON is nested too deeply", hint="Flatten it, or save it as text.", name=name) from error


def _write(writer: LayoutWriter, value: object, path: str) -> None:
    for where, leaf in _leaves(value, path):
        writer.add(f"{where}: {leaf}" if where else leaf, "table_row")


def _leaves(value: object, path: str) -> Iterator[tuple[str, str]]:
    """Path and text of each leaf in document order; an explicit stack, as nesting may be deep."""
    stack = [(path, value)]
    while stack:
        where, node = stack.pop()
        if isinstance(node, dict):
            stack.extend((f"{where}.{key}" if where else key, child) for key, child in reversed(node.items()))
        elif isinstance(node, list):
            stack.extend((f"{where}[{n}]", node[n]) for n in range(len(node) - 1, -1, -1))
        elif isinstance(node, str):
            if node.strip():
                yield where, node
        elif node is None or isinstance(node, bool):
            yield where, _CONSTANTS[node]


def _title(value: object) -> str:
    """What the file calls itself: ``title``, or ``metadata.title`` one level down (OSCAL profiles)."""
    candidates = [value]
    if isinstance(value, dict):
        candidates += [child.get("metadata") for child in value.values() if isinstance(child, dict)]
    for candidate in candidates:
        if isinstance(candidate, dict) and isinstance(candidate.get("title"), str):
            return str(candidate["title"])
    return ""
