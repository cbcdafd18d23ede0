"""The reducer: which quotes on a topic repeat each other, and which conflict. It returns numbers.

A conflict is reported with all its sides, never settled; what it is "about" is the model's wording, synthetic, and stored as
such. Quotes that differ in a number or a modal word are never taken for duplicates, whatever the model says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coditect.agents.roles.answers import ConflictKind, ReducerAnswer, ReducerConflict, parsed
from coditect.agents.roles.fences import Fence, one_line
from coditect.agents.roles.role import Role
from coditect.language.terms import MODAL_TERMS, terms
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock
from coditect.schemas.record import canonical_json

__all__ = [
    "LONGEST_ABOUT",
    "MARKUP",
    "ConflictNote",
    "ReducerQuote",
    "Reduction",
    "conflicts_of",
    "read_reduction",
    "reducer_request",
]

LONGEST_ABOUT = 120
"""Code points of what a conflict is about."""

MOST_SIDES = 12

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
MARKUP = re.compile(r"<[^<>]{0,200}>|[*_`#]+")


@dataclass(frozen=True, slots=True)
class ReducerQuote:
    """A quote to be compared.

    Attributes:
        key: of the caller, unique among the quotes of all partial results, e.g. section id and part.
        document_name: the document that it stands in.
        text: its words, verbatim.
        fields: what the mapper read from it; may be empty.
    """

    key: str
    document_name: str
    text: str
    fields: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ConflictNote:
    """Quotes that cannot all be followed.

    Attributes:
        between: keys of two or more quotes, sorted.
        about: the subject in the model's words, at most 120 code points; never cited.
        kind: "value", "modality", "definition", "scope" or "other".
    """

    between: tuple[str, ...]
    about: str
    kind: ConflictKind


@dataclass(frozen=True, slots=True)
class Reduction:
    """What one answer says of its quotes.

    Attributes:
        duplicates: groups of two or more keys, disjoint, sorted, none with a conflict inside.
        conflicts: in the order of their keys; one for the same quotes, duplicates taken together, and kind.
        rejections: why parts of the answer were not taken, in its order.
    """

    duplicates: tuple[tuple[str, ...], ...]
    conflicts: tuple[ConflictNote, ...]
    rejections: tuple[str, ...] = ()


def reducer_request(role: Role, topic: str, quotes: Sequence[ReducerQuote]) -> LlmRequest:
    """Ask which of these quotes repeat each other and which conflict.

    Args:
        role: the reducer, with its model and limits.
        topic: that they are about.
        quotes: numbered from 1 in this order; at least two.
    """
    lines = "\n".join(_line(n, quote) for n, quote in enumerate(quotes, 1))
    fence = Fence.around((topic, lines))
    return role.request(TextBlock(fence.wrap("quotes", lines, topic=topic) + f"\n\nCompare the {len(quotes)} quotes."))


def read_reduction(answer: LlmAnswer, quotes: Sequence[ReducerQuote]) -> Reduction:
    """What an answer says, less what cannot be so.

    Args:
        answer: what came back to the request.
        quotes: of the request, in its order.

    Raises:
        Malformed: not of the asked-for shape.
    """
    found = parsed(answer, ReducerAnswer, "reducer")
    rejections: list[str] = []
    groups: list[frozenset[str]] = []
    bearings = [_bearing(quote.text) for quote in quotes]
    for numbers in found.duplicates:
        problem = _unfit(numbers, len(quotes)) or _unlike([bearings[n - 1] for n in numbers])
        if problem:
            rejections.append(f"duplicates: {problem}")
        else:
            groups = _joined(groups, frozenset(quotes[n - 1].key for n in numbers))
    notes: list[ConflictNote] = []
    for raw in found.conflicts:
        problem = _unfit(raw.between, len(quotes)) or _not_different(raw, quotes)
        about = one_line(MARKUP.sub(" ", raw.about), LONGEST_ABOUT)
        if problem or not about:
            rejections.append(f"conflict: {problem or 'about nothing'}")
        else:
            notes.append(ConflictNote(tuple(sorted(quotes[n - 1].key for n in raw.between)), about, raw.kind))
    # Where the model sees a conflict among what it takes for duplicates, the conflict is what counts.
    kept = [group for group in groups if not any(len(group.intersection(note.between)) > 1 for note in notes)]
    duplicates = tuple(sorted(tuple(sorted(group)) for group in kept))
    return Reduction(duplicates, _distinct(notes, duplicates), tuple(rejections))


def conflicts_of(partials: Iterable[Reduction | None]) -> list[ConflictNote]:
    """The conflicts of several answers about different quotes, in the order of their keys.

    Args:
        partials: None for an answer that is missing.
    """
    return sorted((note for partial in partials if partial for note in partial.conflicts), key=_order)


def _joined(groups: Sequence[frozenset[str]], keys: frozenset[str]) -> list[frozenset[str]]:
    """Disjoint groups with one more: duplicates of duplicates are duplicates."""
    apart = [group for group in groups if group.isdisjoint(keys)]
    return [*apart, keys.union(*(group for group in groups if not group.isdisjoint(keys)))]


def _distinct(notes: Iterable[ConflictNote], duplicates: Iterable[Sequence[str]]) -> tuple[ConflictNote, ...]:
    """Each conflict once, with all copies of its quotes; the wording is the first in alphabetical order."""
    copies = {key: min(group) for group in duplicates for key in group}
    distinct: dict[tuple[frozenset[str], ConflictKind], ConflictNote] = {}
    for note in notes:
        place = (frozenset(copies.get(key, key) for key in note.between), note.kind)
        known = distinct.setdefault(place, note)
        between = tuple(sorted({*known.between, *note.between}))
        distinct[place] = ConflictNote(between, min(known.about, note.about), note.kind)
    return tuple(sorted(distinct.values(), key=_order))


def _line(number: int, quote: ReducerQuote) -> str:
    """One line of JSON: no quote can forge the number of another."""
    body: dict[str, Any] = {"n": number, "document": quote.document_name, "text": quote.text}
    if quote.fields:
        body["fields"] = dict(quote.fields)
    return canonical_json(body).decode()


def _unfit(numbers: Sequence[int], count: int) -> str:
    if not 2 <= len(numbers) <= max(count, 2):
        return "fewer than two quotes, or more than there are"
    if len(set(numbers)) < len(numbers):
        return "one quote twice"
    if not all(1 <= number <= count for number in numbers):
        return "a number that no quote has"
    return ""


def _bearing(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Numbers and modal words of a quote."""
    return frozenset(_NUMBER.findall(text)), MODAL_TERMS.intersection(terms(text))


def _unlike(bearings: Sequence[tuple[frozenset[str], frozenset[str]]]) -> str:
    """Why quotes with these numbers and modal words cannot be duplicates, or ""."""
    if len({figures for figures, _ in bearings}) > 1:
        return "they differ in a number"
    return "they differ in a modal word" if len({modals for _, modals in bearings}) > 1 else ""


def _not_different(raw: ReducerConflict, quotes: Sequence[ReducerQuote]) -> str:
    if len(raw.between) > MOST_SIDES:
        return "too many sides"
    texts = {" ".join(quotes[number - 1].text.split()).casefold() for number in raw.between}
    return "" if len(texts) > 1 else "the same words on all sides"


def _order(note: ConflictNote) -> tuple[tuple[str, ...], str, str]:
    return note.between, note.kind, note.about
