"""The plain words of an audit report: names of sections, extractions and media types, and the fields of Tier 1 data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = [
    "EXTRACTION_NAMES",
    "MEDIA_NAMES",
    "SECTION_NAMES",
    "counted",
    "readable_data",
    "readable_measure",
    "readable_value",
]

SECTION_NAMES = {
    "topic": "Topic",
    "measure": "Measure that documents fix",
    "conflict": "Statements on one subject that differ",
    "missing": "Documents and sections referred to that are not there",
    "open": "Open points",
    "standing": "Documents by what their dates say",
    "uncovered": "Deadlines of agreements that no policy takes up",
}
"""What a section is called, by its kind."""

EXTRACTION_NAMES = {
    "obligation": ("obligation", "obligations"),
    "prohibition": ("prohibition", "prohibitions"),
    "permission": ("permission", "permissions"),
    "definition": ("definition", "definitions"),
    "cross_reference": ("cross-reference", "cross-references"),
    "quantity": ("quantity", "quantities"),
    "proposition": ("other statement", "other statements"),
    "custom": ("custom item", "custom items"),
}

_OFFICE = "application/vnd.openxmlformats-officedocument."

MEDIA_NAMES = {
    f"{_OFFICE}wordprocessingml.document": "Word document",
    f"{_OFFICE}spreadsheetml.sheet": "Excel workbook",
    f"{_OFFICE}presentationml.presentation": "PowerPoint presentation",
    "application/pdf": "PDF",
    "application/json": "JSON",
    "application/xml": "XML",
    "message/rfc822": "E-mail",
    "text/csv": "CSV",
    "text/html": "HTML",
    "text/markdown": "Markdown",
    "text/plain": "Plain text",
}
"""Media types in words; others are shown as they are."""

_FIRST_FIELDS = (
    "actor", "modality", "action", "object", "condition", "exception", "deadline", "frequency", "duration", "term", "definition",
    "form", "label", "document", "target", "text", "value", "unit",
)  # fmt: skip
"""Fields of Tier 1 data that a reader looks for, in reading order; the others follow as they are stored."""

_NAMES = {"clause": "place of its clause in the text", "per_year": "times a year"}
"""Fields that are called otherwise by people."""

_OFFSETS = frozenset(("start", "end"))


def counted(number: int, one: str, many: str) -> str:
    """A number with its noun: "1 document", "1,340 documents"."""
    return f"{number:,} {one if number == 1 else many}"


def readable_data(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(field, value) pairs of any JSON object in plain words; nested objects become one line. Nothing is left out."""
    first = [name for name in _FIRST_FIELDS if name in data]
    ordered = [*first, *(name for name in data if name not in first)]
    return [(_NAMES.get(name) or str(name).replace("_", " "), readable_value(data[name])) for name in ordered]


def readable_measure(kind: str, value: Any) -> str:  # noqa: ANN401 - any JSON value
    """A normalised measure with its unit: ("frequency", 0.5) → "once in 2 years", ("duration", 2160.0) → "90 days"."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
        return readable_value(value)
    if kind == "frequency":
        if value < 1:
            return f"once in {1 / value:.3g} years"
        return "once a year" if value == 1 else f"{value:.4g} times a year"
    if kind not in ("deadline", "duration"):
        return f"{value:g}"
    for hours, unit in ((8766.0, "year"), (730.5, "month"), (24.0, "day")):
        amount = value / hours
        if amount >= (1 if unit != "day" else 4) and abs(amount - round(amount)) < 0.001:
            return counted(round(amount), unit, f"{unit}s")
    return f"{value:g} {'hour' if value == 1 else 'hours'}"


def readable_value(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """A JSON value in plain words, on one line."""
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:g}"
        case int():
            return str(value)
        case None:
            return "none"
        case dict():
            return _object(value)
        case list() | tuple():
            return "; ".join(readable_value(each) for each in value) or "none"
    return str(value)


def _object(value: Mapping[str, Any]) -> str:
    """An object on one line, its text first where it has one: "30 days (hours 720, characters 4637–4644)"."""
    rest = ", ".join(_rest(value))
    if "text" not in value:
        return rest or "none"
    return f"{value['text']} ({rest})" if rest else str(value["text"])


def _rest(value: Mapping[str, Any]) -> Iterator[str]:
    whole_span = value.keys() >= _OFFSETS
    for name, each in value.items():
        if name != "text" and not (whole_span and name in _OFFSETS):
            yield f"{str(name).replace('_', ' ')} {readable_value(each)}"
    if whole_span:
        yield f"characters {value['start']}–{value['end']}"
