"""A claim in the audit report: under which heading it stands, what its checks mean, how its figure was made, and its evidence.

The templates ``claims.html.j2`` and ``chains.html.j2`` show what is put together here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coditect.reports.model import AuditReport, ReportClaim, ReportPassage
from coditect.reports.wording import readable_data, readable_value

__all__ = [
    "CLAIM_GROUPS",
    "MOST_NAMES",
    "MOST_QUOTES",
    "Chain",
    "Figure",
    "Link",
    "chains_of",
    "check_meaning",
    "figure_of",
    "groups_of",
    "refusal_of",
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
    "worded": "The sentence is the one that its evidence gives, word for word",
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

MOST_QUOTES = 6
"""Quotes shown in the evidence chain of one claim; the JSON report has all."""

MOST_NAMES = 12
"""Names of documents that a figure spells out; the JSON has all."""


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
        (name.replace("_", " ").capitalize(), readable_value(value))
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


@dataclass(frozen=True, slots=True)
class Link:
    """A quote in a claim's chain of evidence.

    Attributes:
        section: number of the section.
        part: index of the quote in it.
        passage: what it leads to.
        first: whether the passage is shown here; else it is linked.
        shown_under: number of the claim under which the passage is shown.
    """

    section: int
    part: int
    passage: ReportPassage
    first: bool
    shown_under: int


@dataclass(frozen=True, slots=True)
class Chain:
    """The evidence of a claim.

    Attributes:
        claim: what rests on it.
        figure: how its number was counted, if it has one.
        links: the quotes that are shown.
        more: quotes that are cited but not shown.
    """

    claim: ReportClaim
    figure: Figure | None
    links: tuple[Link, ...]
    more: int


def groups_of(claims: Sequence[ReportClaim]) -> list[tuple[str, str, str, list[ReportClaim]]]:
    """(kind, heading, meaning, claims) of every kind that has claims."""
    grouped = [
        (kind, heading, meaning, [claim for claim in claims if claim.kind == kind])
        for kind, heading, meaning in CLAIM_GROUPS
    ]
    return [group for group in grouped if group[3]]


def chains_of(report: AuditReport, claims: Sequence[ReportClaim]) -> list[Chain]:
    """The evidence of some claims, each passage shown once, under the first of them that rests on it."""
    passages = {passage.number: passage for passage in report.passages}
    shown: dict[int, int] = {}
    chains = []
    for claim in claims:
        cited = [(each.section, each.part, each.passage) for each in claim.citations]
        leading = [
            (section, part, passage) for section, part, passage in cited if section is not None and passage is not None
        ]
        links = []
        for section, part, passage in leading[:MOST_QUOTES]:
            first = passage not in shown
            under = shown.setdefault(passage, claim.number)
            links.append(Link(section, part, passages[passage], first, under))
        chains.append(Chain(claim, figure_of(claim.recipe), tuple(links), len(leading) - len(links)))
    return chains


def refusal_of(claim: ReportClaim) -> str:
    """Why a claim was refused: what its failed checks found, else the reason as stored."""
    found = [signal.detail or check_meaning(signal.name) for signal in claim.signals if not signal.passed]
    return "; ".join(found) or claim.reason or "its support is below the minimum"
