"""The plain words of an audit report: headings of claims, meanings of checks, recipes of figures, fields of Tier 1 data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "CLAIM_GROUPS",
    "EXTRACTION_NAMES",
    "MEDIA_NAMES",
    "SECTION_NAMES",
    "Figure",
    "check_meaning",
    "counted",
    "figure_of",
    "readable_data",
]

CLAIM_GROUPS: tuple[tuple[str, str, str], ...] = (
    ("conflict", "Documents that disagree", "Documents of the corpus fix different things for the same matter."),
    ("gap", "Gaps", "Something is referred to, expected or announced, and is not there."),
    ("statistic", "Statistics", "Figures counted over all documents; each can be counted again."),
    ("theme", "Themes", "What the documents speak to, and how many of them do."),
    (
        "synthesis",
        "What a language model concludes",
        "In other words than the quotes; each passed every check and judge.",
    ),
    ("requirement", "Requirements", "What single documents ask, condensed from the statements that they cite."),
)
"""(claim kind, heading, what it means), in the order of the report."""

SECTION_NAMES = {
    "topic": "Topic",
    "measure": "Measure that documents fix",
    "modality": "Duty that another document only permits",
    "missing": "Documents referred to that are not in the corpus",
    "open": "Open points",
}

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
    "text/csv": "CSV",
    "text/html": "HTML",
    "text/markdown": "Markdown",
    "text/plain": "Plain text",
}
"""Media types in words; others are shown as they are."""

_CHECKS = {
    "cited": "Every citation leads to a quote",
    "recounted": "The figure, counted again from the indexes, is the same",
    "verbatim": "Words in quotation marks stand in a cited quote",
    "numbers": "Every number stands in the evidence",
    "attributed": "The claim names the document that it speaks of",
    "contained": "Every word of substance stands in the evidence",
    "qualified": "No condition or exception is left out",
    "negation": "No negation is dropped or added",
    "modality": "The claim is no stronger than its source",
    "differing": "The cited quotes fix or ask for different things",
    "worded": "The claim says what was counted or compared, and nothing else",
    "readable": "It can be checked",
    "support": "The evidence says it",
    "missing": "What is said to be missing, open or overdue is so in the evidence",
}

_DIFFERENCES = {
    "number": "numbers",
    "unit": "units",
    "date": "dates",
    "duration": "periods",
    "percentage": "percentages",
    "currency": "amounts",
    "reference": "references",
    "entity": "names",
    "negation": "negations",
    "modality": "binding words",
    "quantifier": "scope",
    "condition": "conditions and exceptions",
    "comparative": "comparisons",
    "role": "roles",
}

_MEASURES = {
    "deadline": "deadlines (within what time)",
    "duration": "durations (for how long)",
    "frequency": "frequencies (how often)",
    "version": "versions (which one)",
    "count": "numbers (how many)",
}

_FIRST_FIELDS = (
    "actor", "modality", "action", "object", "condition", "exception", "deadline", "frequency", "duration", "term", "definition",
    "form", "label", "document", "target", "text", "value", "unit",
)  # fmt: skip
"""Fields of Tier 1 data that a reader looks for, in reading order; the others follow as they are stored."""

_OFFSETS = frozenset(("start", "end"))

MOST_NAMES = 12
"""Names of documents that a figure spells out; the JSON has all."""


def counted(number: int, one: str, many: str) -> str:
    """A number with its noun: "1 document", "1,340 documents"."""
    return f"{number:,} {one if number == 1 else many}"


def check_meaning(name: str) -> str:
    """What a check of a verdict looked for, in plain words."""
    if name.startswith("contradiction_"):
        return f"Nothing contradicts it in its {_DIFFERENCES.get(name.removeprefix('contradiction_'), 'words')}"
    return _CHECKS.get(name, name.replace("_", " ").capitalize())


@dataclass(frozen=True, slots=True)
class Figure:
    """How a number or a comparison was made, for readers.

    Attributes:
        caption: what was counted or compared, and from what.
        columns: headings of the table.
        rows: its cells; the first cell of each is the row's heading.
        notes: what else was found, a sentence each.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def figure_of(recipe: Mapping[str, Any]) -> Figure | None:
    """The recipe of a claim as a table; None where the claim has none."""
    if not recipe:
        return None
    result = recipe.get("result", {})
    match recipe.get("figure"):
        case "coverage" if {"documents", "of"} <= result.keys():
            return Figure(
                f"Counted from the topic index: documents with a chunk that the section on “{recipe.get('topic', '')}” draws on.",
                ("Documents", "Number"),
                (("speak to the topic", f"{result['documents']:,}"), ("in the corpus", f"{result['of']:,}")),
            )
        case "measure" if {"documents", "of", "values"} <= result.keys():
            return _measure(recipe, result)
        case "missing_document" if {"documents", "names"} <= result.keys():
            return _missing(recipe, result)
        case "missing_place" if {"last", "exists"} <= result.keys():
            return _missing_place(recipe, result)
        case "uncovered" if {"documents", "of"} <= result.keys():
            return _uncovered(recipe, result)
    if "gap" in recipe:
        return _gap(recipe)
    return _comparison(recipe) if "conflict" in recipe else _plain(recipe)


def _measure(recipe: Mapping[str, Any], result: Mapping[str, Any]) -> Figure:
    what = _MEASURES.get(str(recipe.get("kind")), str(recipe.get("kind")))
    without = list(result.get("without", ()))
    notes = [f"{result['documents']:,} of {result['of']:,} documents give a value."]
    if without:
        notes.append(f"Without a value: {_names(without)}.")
    head = str(recipe.get("head", ""))
    about = "that a document fixes for itself" if " " in head else f"of statements about “{head}” (stem of the verb)"
    return Figure(
        f"Counted from the term index: {what} {about}; for each document the value that it gives most often.",
        ("Value", "Documents"),
        tuple((str(label), f"{times:,}") for label, times in result["values"]),
        tuple(notes),
    )


def _missing(recipe: Mapping[str, Any], result: Mapping[str, Any]) -> Figure:
    there = "Yes" if result.get("resolves") else "No"
    return Figure(
        f"Counted from the term index: documents that refer to “{recipe.get('name', '')}”. "
        "The name is compared with the names and titles of all documents.",
        ("Counted", "Result"),
        (
            ("Documents that refer to it", f"{result['documents']:,}"),
            ("Which", _names(list(result["names"]))),
            ("Is a document of the corpus", there),
        ),
    )


def _missing_place(recipe: Mapping[str, Any], result: Mapping[str, Any]) -> Figure:
    return Figure(
        "Compared with the sections of the document that is referred to.",
        ("Compared", "Result"),
        (
            ("Document", str(recipe.get("document", ""))),
            ("Section referred to", str(recipe.get("label", ""))),
            ("It is there", _value(result["exists"])),
            ("Last section of its kind", str(result["last"])),
        ),
    )


def _uncovered(recipe: Mapping[str, Any], result: Mapping[str, Any]) -> Figure:
    return Figure(
        "Counted from the term index: policies, standards, procedures and guidelines with a deadline for the same act.",
        ("Counted", "Result"),
        (
            ("The deadline", f"“{recipe.get('says', '')}” in {recipe.get('document', '')}"),
            ("Documents that answer to it", f"{result['documents']:,} of {result['of']:,}"),
            ("Which", _names(list(result.get("names", ()))) or "none"),
        ),
    )


_GAPS = {
    "open": "Words that leave a point open stand in the quote.",
    "empty": "The row leaves a column empty that most rows of its table fill.",
    "overdue": "A date that was due lies before the newest date that the documents themselves report.",
    "stale": "The last time lies longer ago than the interval, counted from the newest date that the documents themselves report.",
}


def _gap(recipe: Mapping[str, Any]) -> Figure:
    rest = {name: value for name, value in recipe.items() if name != "gap"}
    return Figure(_GAPS.get(str(recipe["gap"]), "How it was found."), ("Field", "Value"), tuple(readable_data(rest)))


def _comparison(recipe: Mapping[str, Any]) -> Figure:
    kind = str(recipe["conflict"])
    what = "what is asked (must, may, must not)" if kind == "modality" else _MEASURES.get(kind, kind)
    rows = [("Compared", what), ("Stem of the verb", str(recipe.get("head", "")))]
    rows += [
        (name.replace("_", " ").capitalize(), _value(value))
        for name, value in recipe.items()
        if name not in ("conflict", "head", "result")
    ]
    return Figure("How the statements were found to be about the same matter.", ("Step", "Result"), tuple(rows))


def _plain(recipe: Mapping[str, Any]) -> Figure:
    return Figure("How it was made.", ("Field", "Value"), tuple(readable_data(recipe)))


def _names(names: Sequence[Any]) -> str:
    shown = ", ".join(str(name) for name in names[:MOST_NAMES])
    more = len(names) - MOST_NAMES
    return f"{shown} and {more:,} more (all in the JSON report)" if more > 0 else shown


def readable_data(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(field, value) pairs of any JSON object in plain words; nested objects become one line. Nothing is left out."""
    first = [name for name in _FIRST_FIELDS if name in data]
    ordered = [*first, *(name for name in data if name not in first)]
    return [(str(name).replace("_", " "), _value(data[name])) for name in ordered]


def _value(value: Any) -> str:  # noqa: ANN401 - any JSON value
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
            return "; ".join(_value(each) for each in value) or "none"
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
            yield f"{str(name).replace('_', ' ')} {_value(each)}"
    if whole_span:
        yield f"characters {value['start']}–{value['end']}"
