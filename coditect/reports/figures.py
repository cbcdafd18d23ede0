"""The figure of a claim in the audit report: how its number or its comparison was made, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coditect.reports.wording import readable_data, readable_measure, readable_value
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.measures import described

__all__ = ["MOST_NAMES", "Figure", "figure_of"]

_MEASURES = {
    "deadline": "deadlines (within what time)",
    "duration": "durations (for how long)",
    "frequency": "frequencies (how often)",
    "version": "versions (which one)",
    "count": "numbers (how many)",
}

MOST_NAMES = 12
"""Names of documents that a figure spells out; the JSON has all."""


@dataclass(frozen=True, slots=True)
class Figure:
    """How a number or a comparison was made, for readers.

    Attributes:
        caption: what was counted or compared, and from what.
        columns: the headings of the columns of the table.
        rows: its cells; the first cell of each is the row's heading.
        notes: what else was found, a sentence each.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def figure_of(recipe: Mapping[str, Any]) -> Figure | None:
    """The recipe of a claim as a table; None where it has none, or none that says more than the quote."""
    if not recipe or "requirement" in recipe:
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
        case "absent_document" if {"references", "documents", "names", "sections"} <= result.keys():
            return _absent(recipe, result)
        case "missing_place" if {"last", "exists"} <= result.keys():
            return _missing_place(recipe, result)
        case "grid" if {"contracts", "of", "rows", "usual"} <= result.keys():
            return _grid(recipe, result)
        case "uncovered" if {"documents", "of"} <= result.keys():
            return _uncovered(recipe, result)
    if "standing" in recipe:
        return Figure("Read from the profile of the document.", ("Field", "Value"), tuple(readable_data(recipe)))
    if recipe.get("gap") == "read":
        return _told_by_a_model(recipe, "A language model read the statements and found that something is missing.")
    if "gap" in recipe:
        return _gap(recipe)
    if recipe.get("conflict") in ("read", "reported"):
        return _told_by_a_model(recipe, "A language model read the statements and found them at odds.")
    return _comparison(recipe) if "conflict" in recipe else _plain(recipe)


def _measure(recipe: Mapping[str, Any], result: Mapping[str, Any]) -> Figure:
    what = _MEASURES.get(str(recipe.get("kind")), str(recipe.get("kind")))
    without = list(result.get("without", ()))
    notes = [f"{result['documents']:,} of {result['of']:,} documents give a value."]
    if without:
        notes.append(f"Without a value: {_names(without)}.")
    head = str(recipe.get("head", ""))
    about = "that a document fixes for itself" if " " in head else f"of statements with {_words(head)}"
    return Figure(
        f"Counted from the term index: {what} {about}; for each document the value that it gives most often.",
        ("Value", "Documents"),
        tuple((str(label), f"{times:,}") for label, times in result["values"]),
        tuple(notes),
    )


def _grid(recipe: Mapping[str, Any], result: Mapping[str, Any]) -> Figure:
    what = _MEASURES.get(str(recipe.get("kind")), str(recipe.get("kind")))
    usual = str(result["usual"])
    rows = tuple(
        (str(label), "usual" if label == usual else "deviates" if usual else "–", _names(list(names)))
        for label, names in result["rows"]
    )
    return Figure(
        f"Counted from the term index: {what} of statements with {_words(str(recipe.get('head', '')))}, by contract.",
        ("Value", "Beside the others", "Contracts"),
        rows,
        (
            f"{result['contracts']:,} of {result['of']:,} contracts fix it; one that fixes several values is in several rows.",
        ),
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


def _absent(recipe: Mapping[str, Any], result: Mapping[str, Any]) -> Figure:
    sections = [f"{place} ({times:,})" for place, times in result["sections"]]
    return Figure(
        f"Counted from Tier 1: references that name “{recipe.get('name', '')}”. "
        "The name is compared with the names, titles and codes of all documents.",
        ("Counted", "Result"),
        (
            ("References", f"{result['references']:,}"),
            ("Documents that refer to it", f"{result['documents']:,}"),
            ("Which", _names(list(result["names"]))),
            ("Places in it, and how often each is cited", _names(sections) or "none: the whole document is meant"),
        ),
    )


def _missing_place(recipe: Mapping[str, Any], result: Mapping[str, Any]) -> Figure:
    return Figure(
        "Compared with the sections of the document that is referred to.",
        ("Compared", "Result"),
        (
            ("Document", str(recipe.get("document", ""))),
            ("Section referred to", str(recipe.get("label", ""))),
            ("It is there", readable_value(result["exists"])),
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
    "overdue": "A date that was due has passed: by the day of the build, or else by the newest date that the documents report.",
    "section": "Below the heading stands nothing up to the next one, while sections beside it have text.",
    "stale": "The last time lies longer ago than the interval, counted from the newest date that the documents themselves report.",
}


def _gap(recipe: Mapping[str, Any]) -> Figure:
    rest = {name: value for name, value in recipe.items() if name != "gap"}
    return Figure(_GAPS.get(str(recipe["gap"]), "How it was found."), ("Field", "Value"), tuple(readable_data(rest)))


def _comparison(recipe: Mapping[str, Any]) -> Figure:
    kind = str(recipe["conflict"])
    what = "what is asked (must, may, must not)" if kind == "modality" else _MEASURES.get(kind, kind)
    rows = [("Compared", what), ("What they speak of", _about(str(recipe.get("head", ""))))]
    for name, value in recipe.items():
        if name == "similarity":
            rows.append(("How alike their words are, from 0 to 1", readable_value(value)))
        elif name == "values" and isinstance(value, Sequence):
            rows.append(("What they say", "; ".join(readable_measure(kind, each) for each in value)))
        elif name not in ("conflict", "head", "result"):
            rows.append((name.replace("_", " ").capitalize(), readable_value(value)))
    return Figure("How the statements were found to be about the same matter.", ("Step", "Result"), tuple(rows))


def _told_by_a_model(recipe: Mapping[str, Any], caption: str) -> Figure:
    """A conflict or a gap that a model found: what it says of it, which is no quote."""
    nature = "Nature of the gap" if "gap" in recipe else "Nature of the difference"
    told = (("Subject, in its words", "about"), (nature, "kind"), ("Found by", "by"))
    rows = tuple((shown, str(recipe[name])) for shown, name in told if name in recipe)
    return Figure(caption, ("Field", "Value"), rows)


def _about(head: str) -> str:
    """What measures are of: a document itself, or what a stem of words tells."""
    return {
        "this document": "the document itself",
        "every document": "every document of its kind",
        LIMIT: "a limit that words beside it tell of",
    }.get(head, _words(head))


def _words(head: str) -> str:
    """The words that a head stands for: all verbs of its act, which begin otherwise ("inform" with "notifi"), or its own forms."""
    verbs = described(head)
    return f"verbs that mean “{verbs}”" if verbs else f"words that begin with “{head}”"


def _plain(recipe: Mapping[str, Any]) -> Figure:
    return Figure("How it was made.", ("Field", "Value"), tuple(readable_data(recipe)))


def _names(names: Sequence[Any]) -> str:
    shown = ", ".join(str(name) for name in names[:MOST_NAMES])
    more = len(names) - MOST_NAMES
    return f"{shown} and {more:,} more (all in the JSON report)" if more > 0 else shown
