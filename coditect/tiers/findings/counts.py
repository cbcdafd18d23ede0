"""Figures of Tier 4: numbers that are counted from the indexes, when a claim is made and again whenever it is checked.

A recipe says what to count, in plain data; :func:`count` counts it from any :class:`FigureSource`. A claim with a figure
stores the recipe with its result, so that a checker who trusts neither the text nor the result can count again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from coditect.documents.profile.citations import OutwardReference
from coditect.errors import Unsupported
from coditect.keyspace.terms import definition_term, measure_term, reference_term
from coditect.schemas import Chunk, DocumentVersion, Extraction, Profile
from coditect.tiers.findings.absent import AbsentDocument, absent_documents
from coditect.tiers.findings.measures import SELF, comparable_measure
from coditect.tiers.findings.naming import KnownNames, beyond, known_names, numbers_of, resolves
from coditect.tiers.findings.required.coverage import answers
from coditect.tiers.findings.said.statements import measured
from coditect.tiers.findings.standing import Standings

__all__ = [
    "ChunkSource",
    "CountedTogether",
    "FigureSource",
    "absents",
    "count",
    "label_of",
    "section_numbers_of",
    "standings_of",
]

_YEAR_HOURS = 8766.0
_FREQUENCIES = {
    0.2: "every five years", 1 / 3: "every three years", 0.5: "every two years", 1.0: "annually", 2.0: "every six months",
    4.0: "quarterly", 6.0: "every two months", 12.0: "monthly", 24.0: "twice a month", 52.0: "weekly", 365.0: "daily",
}  # fmt: skip


class ChunkSource(Protocol):
    """A source that the Tier 2 records of a document can be read from."""

    def chunks(self, document_id: str) -> Sequence[Chunk]:
        """Tier 2 of a document, in document order."""
        ...


class FigureSource(Protocol):
    """What figures are counted from: one generation of a corpus, through its indexes."""

    @property
    def view(self) -> ChunkSource:
        """Tier 2 of the generation."""
        ...

    @property
    def documents(self) -> Mapping[str, DocumentVersion]:
        """The records of the documents of the generation, by document id."""
        ...

    @property
    def profiles(self) -> Mapping[str, Profile]:
        """What is known of each document, by document id."""
        ...

    @property
    def today(self) -> str:
        """The day against which the documents' dates are held, ISO 8601; "" for none."""
        ...

    def by_term(self, term: str) -> Sequence[Extraction]:
        """The live extractions under a term of the term index, in document order."""
        ...

    @property
    def outward_references(self) -> Sequence[OutwardReference]:
        """The references of all documents that name another one."""
        ...

    def documents_of_topic(self, topic: str) -> frozenset[str]:
        """Ids of the documents whose chunks the sections on a topic draw on, from the topic index."""
        ...


def standings_of(source: FigureSource) -> Standings:
    """Whom the documents of a generation bind, and when."""
    return Standings(source.documents, source.profiles, source.today)


class CountedTogether(Protocol):
    """What several figures of one generation are counted from, made once for all of them."""

    @property
    def standings(self) -> Standings:
        """Whom the documents bind, and when."""
        ...

    @property
    def absent(self) -> Mapping[str, AbsentDocument]:
        """The documents that are referred to and not there, by name."""
        ...

    @property
    def names(self) -> KnownNames:
        """What the documents are called."""
        ...

    def numbers(self, document_id: str) -> frozenset[str]:
        """The numbers of the sections of a document."""
        ...


@dataclass(frozen=True)
class _CountedAlone:
    """The same for a figure by itself.

    Attributes:
        source: the generation that it is counted from.
    """

    source: FigureSource

    @cached_property
    def standings(self) -> Standings:
        """Whom the documents bind, and when."""
        return standings_of(self.source)

    @cached_property
    def absent(self) -> Mapping[str, AbsentDocument]:
        """The documents that are referred to and not there, by name."""
        return absents(self.source)

    @cached_property
    def names(self) -> KnownNames:
        """What the documents are called."""
        return known_names(self.source.documents.values())

    def numbers(self, document_id: str) -> frozenset[str]:
        """The numbers of the sections of a document."""
        return section_numbers_of(self.source, document_id)


def section_numbers_of(source: FigureSource, document_id: str) -> frozenset[str]:
    """The numbers of the sections of a document, read from Tier 2.

    Args:
        source: the generation that it stands in.
        document_id: the document.
    """
    return numbers_of(source.view.chunks(document_id))


def count(recipe: Mapping[str, Any], source: FigureSource, together: CountedTogether | None = None) -> dict[str, Any]:
    """The result of a recipe.

    Args:
        recipe: what to count.
        source: the generation that it is counted from.
        together: what several figures of it are counted from; None: this one is counted alone.

    Raises:
        Unsupported: an unknown recipe.
    """
    known = _CountedAlone(source) if together is None else together
    match recipe.get("figure"):
        case "coverage":
            return _coverage(str(recipe["topic"]), source)
        case "measure":
            return _measure(str(recipe["kind"]), str(recipe["head"]), source, known.standings)
        case "missing_document":
            return _missing_document(str(recipe["name"]), source, known.names)
        case "absent_document":
            return _absent_document(str(recipe["name"]), source, known.absent)
        case "missing_place":
            return _missing_place(str(recipe["document"]), str(recipe["label"]), source, known)
        case "grid":
            return _grid(str(recipe["kind"]), str(recipe["head"]), source, known.standings)
        case "uncovered":
            own = str(recipe["document"]), str(recipe["head"]), str(recipe["says"])
            return _uncovered(*own, source, known.standings)
    raise Unsupported("unknown recipe of a figure", figure=recipe.get("figure"))


def _coverage(topic: str, source: FigureSource) -> dict[str, Any]:
    return {"documents": len(source.documents_of_topic(topic)), "of": len(source.documents)}


def _measure(kind: str, head: str, source: FigureSource, standings: Standings) -> dict[str, Any]:
    """How many documents fix the measure, and how many give each value.

    The base is the whole corpus; for what documents fix for themselves it is its policies, standards, procedures and guidelines
    (:meth:`~coditect.tiers.findings.standing.Standings.is_normative`), and those that fix nothing are named.
    """
    base = {d for d in source.documents if head != SELF or standings.is_normative(d)}
    values: dict[str, Counter[tuple[float, bool]]] = {}
    printed: dict[tuple[float, bool], Counter[str]] = {}
    for extraction in source.by_term(measure_term(kind, head)):
        for measure in extraction.measures:
            if (measure.kind, measure.head) == (kind, head) and extraction.document_id in base:
                said = measure.text.casefold()
                value = (measure.value, "business" in said)  # a business day is not 24 hours
                values.setdefault(extraction.document_id, Counter())[value] += 1
                printed.setdefault(value, Counter())[said] += 1
    labels: Counter[str] = Counter()
    for found in values.values():
        # What a document fixes for itself it fixes once; of anything else it may fix several, and each of them is counted.
        given = [min(found, key=lambda v: (-found[v], v))] if head == SELF else list(found)
        labels.update({label_of(kind, value[0], printed[value]) for value in given})
    first = {label_of(kind, value[0], printed[value]): value for value in sorted(printed, reverse=True)}
    ordered = sorted(labels.items(), key=lambda pair: (-pair[1], first[pair[0]], pair[0]))
    return {
        "documents": len(values),
        "of": len(base),
        "values": [[label, times] for label, times in ordered],
        "without": sorted(source.documents[each].name for each in base if each not in values) if head == SELF else [],
    }


def _grid(kind: str, head: str, source: FigureSource, standings: Standings) -> dict[str, Any]:
    """What each contract fixes for a measure, beside what most of them do.

    "rows" are [value in words, names of the contracts that give it], the usual value first; a contract that gives several is in
    the row of each. "usual" is "" where no value is given more often than the next.
    """
    base = standings.agreements
    found: dict[tuple[float, bool], set[str]] = {}
    printed: dict[tuple[float, bool], Counter[str]] = {}
    for extraction in source.by_term(measure_term(kind, head)):
        for measure in extraction.measures:
            if (measure.kind, measure.head) == (kind, head) and extraction.document_id in base:
                said = measure.text.casefold()
                value = (measure.value, "business" in said)
                found.setdefault(value, set()).add(source.documents[extraction.document_id].name)
                printed.setdefault(value, Counter())[said] += 1
    rows: dict[str, set[str]] = {}
    for value in sorted(found):
        rows.setdefault(label_of(kind, value[0], printed[value]), set()).update(found[value])
    ordered = sorted(rows.items(), key=lambda row: -len(row[1]))
    tops = [len(names) for _, names in ordered[:2]]
    return {
        "contracts": len(set().union(*rows.values())),
        "of": len(base),
        "usual": ordered[0][0] if tops and tops[0] > 1 and (len(tops) == 1 or tops[0] > tops[1]) else "",
        "rows": [[label, sorted(names)] for label, names in ordered],
    }


def _missing_document(name: str, source: FigureSource, known: KnownNames) -> dict[str, Any]:
    referring = {e.document_id for e in source.by_term(reference_term(name))}
    return {
        "documents": len(referring),
        "names": sorted(source.documents[each].name for each in referring),
        "resolves": resolves(name, known),
        "defined": any(source.by_term(definition_term(each)) for each in (name, name.removesuffix("s"), name + "s")),
    }


def _absent_document(name: str, source: FigureSource, absent: Mapping[str, AbsentDocument]) -> dict[str, Any]:
    """How often a document that is not there is referred to, by which documents, and which places of it.

    "sections" are [place, how often], the most cited first; the references to the whole document are the rest.
    """
    found = absent.get(name)
    if found is None:
        return {"references": 0, "documents": 0, "names": [], "sections": []}
    return {
        "references": len(found.references),
        "documents": len(found.documents),
        "names": [source.documents[each].name for each in found.documents],
        "sections": [[place, times] for place, times in found.sections],
    }


def absents(source: FigureSource) -> dict[str, AbsentDocument]:
    """The documents that are referred to and not there, by name, the most cited first."""
    return {
        each.name: each
        for each in absent_documents(source.outward_references, source.documents, source.profiles.values())
    }


def _missing_place(document: str, label: str, source: FigureSource, known: CountedTogether) -> dict[str, Any]:
    found = [document_id for document_id, version in source.documents.items() if version.name == document]
    numbers = known.numbers(found[0]) if found else frozenset[str]()
    return {"last": beyond(label, numbers), "exists": label in numbers}


def _uncovered(document: str, head: str, says: str, source: FigureSource, standings: Standings) -> dict[str, Any]:
    """The normative documents that fix a deadline for the same act about the same."""
    own, others = [], []
    for extraction in source.by_term(measure_term("deadline", head)):
        version = source.documents[extraction.document_id]
        for measure in extraction.measures:
            if (measure.kind, measure.head) == ("deadline", head):
                is_own = version.name == document and measure.text == says
                if not is_own and not standings.is_normative(extraction.document_id):
                    continue  # most are of other agreements, and their words are not asked for
                words, lead = measured(extraction.source_text, comparable_measure(measure))
                if is_own:
                    own.append((words, lead))
                else:
                    others.append((version.name, words, lead))
    names = {name for name, theirs, first in others for ours, lead in own if answers(ours, lead, theirs, first)}
    return {
        "documents": len(names),
        "names": sorted(names),
        "of": len({source.documents[each].name for each in standings.normative}),
    }


def label_of(kind: str, value: float, printed: Mapping[str, int] | None = None) -> str:
    """A normalised measure in words: ("frequency", 4.0) → "quarterly", ("deadline", 72.0) → "72 hours".

    Args:
        kind: the kind of the measure.
        value: its value, normalised as :class:`~coditect.schemas.chunk.Measure` says.
        printed: how often it is printed in which words; the most usual of them is taken but for frequencies.
    """
    if kind == "frequency":
        named = next((name for each, name in _FREQUENCIES.items() if abs(each - value) < 0.02 * each), None)
        if named:
            return named
    if printed:
        return min(printed, key=lambda text: (-printed[text], len(text), text))
    if kind in ("version", "count"):
        return f"{value:g}"
    if kind == "frequency":
        return f"{value:g} times a year" if value >= 1 else f"every {1 / value:.3g} years"
    for hours, unit in ((_YEAR_HOURS, "year"), (730.5, "month"), (24.0, "day"), (1.0, "hour")):
        amount = value / hours
        if amount >= 1 and abs(amount - round(amount)) < 0.02 and not (unit == "day" and round(amount) in (1, 2, 3)):
            return f"{round(amount)} {unit}{'' if round(amount) == 1 else 's'}"
    return f"{value:g} hours"
