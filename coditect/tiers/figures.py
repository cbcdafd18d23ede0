"""Figures of Tier 4: numbers that are counted from the indexes, when a claim is made and again whenever it is checked.

A recipe says what to count, in plain data; :func:`count` counts it from any :class:`FigureSource`. A claim with a figure
stores the recipe with its result, so that a checker who trusts neither the text nor the result can count again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from coditect.errors import Unsupported
from coditect.schemas import DocumentVersion, Extraction
from coditect.store.rows import document_term, measure_term
from coditect.tiers.registers import known_names, resolves

__all__ = ["FigureSource", "count", "label_of"]

_YEAR_HOURS = 8766.0
_FREQUENCIES = {
    0.2: "every five years", 1 / 3: "every three years", 0.5: "every two years", 1.0: "annually", 2.0: "twice a year",
    4.0: "quarterly", 6.0: "every two months", 12.0: "monthly", 24.0: "twice a month", 52.0: "weekly", 365.0: "daily",
}  # fmt: skip


class FigureSource(Protocol):
    """What figures are counted from: one generation of a corpus, through its indexes."""

    @property
    def documents(self) -> Mapping[str, DocumentVersion]:
        """The documents, by id."""
        ...

    def by_term(self, term: str) -> Sequence[Extraction]:
        """The live extractions under a term of the term index, in document order."""
        ...

    def documents_of_topic(self, topic: str) -> frozenset[str]:
        """Ids of the documents whose chunks the sections on a topic draw on, from the topic index."""
        ...


def count(recipe: Mapping[str, Any], source: FigureSource) -> dict[str, Any]:
    """The result of a recipe.

    Raises:
        Unsupported: an unknown recipe.
    """
    match recipe.get("figure"):
        case "coverage":
            return _coverage(str(recipe["topic"]), source)
        case "measure":
            return _measure(str(recipe["kind"]), str(recipe["head"]), source)
        case "missing_document":
            return _missing(str(recipe["name"]), source)
    raise Unsupported("unknown recipe of a figure", figure=recipe.get("figure"))


def _coverage(topic: str, source: FigureSource) -> dict[str, Any]:
    return {"documents": len(source.documents_of_topic(topic)), "of": len(source.documents)}


def _measure(kind: str, head: str, source: FigureSource) -> dict[str, Any]:
    """How many documents fix the measure, and how often each value is the one that a document gives most."""
    values: dict[str, Counter[float]] = {}
    for extraction in source.by_term(measure_term(kind, head)):
        for measure in extraction.tier1_data.get("measures", ()):
            if (measure["kind"], measure["head"]) == (kind, head):
                values.setdefault(extraction.document_id, Counter())[measure["value"]] += 1
    usual = Counter(min(found, key=lambda v: (-found[v], v)) for found in values.values())
    ordered = sorted(usual.items(), key=lambda pair: (-pair[1], pair[0]))
    return {
        "documents": len(values),
        "of": len(source.documents),
        "values": [[label_of(kind, value), times] for value, times in ordered],
        "without": sorted(source.documents[each].name for each in source.documents if each not in values),
    }


def _missing(name: str, source: FigureSource) -> dict[str, Any]:
    known = known_names(source.documents.values())
    referring = {e.document_id for e in source.by_term(document_term(name))}
    return {
        "documents": len(referring),
        "names": sorted(source.documents[each].name for each in referring),
        "resolves": resolves(name, known),
    }


def label_of(kind: str, value: float) -> str:
    """A normalised measure in words: ("frequency", 4.0) → "quarterly", ("deadline", 72.0) → "72 hours"."""
    if kind == "version":
        return f"{value:g}"
    if kind == "frequency":
        named = next((name for each, name in _FREQUENCIES.items() if abs(each - value) < 0.02 * each), None)
        if named:
            return named
        return f"{value:g} times a year" if value >= 1 else f"every {1 / value:.3g} years"
    for hours, unit in ((_YEAR_HOURS, "year"), (730.5, "month"), (24.0, "day"), (1.0, "hour")):
        amount = value / hours
        if amount >= 1 and abs(amount - round(amount)) < 0.02 and not (unit == "day" and round(amount) in (1, 2, 3)):
            return f"{round(amount)} {unit}{'' if round(amount) == 1 else 's'}"
    return f"{value:g} hours"
