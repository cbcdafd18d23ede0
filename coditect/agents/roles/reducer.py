"""The reducer: which quotes on a topic repeat each other, and which conflict. It returns numbers.

A conflict is reported with all its sides, never settled; what it is "about" is the model's wording, synthetic, and stored as
such. Quotes that differ in a number or a modal word are never taken for duplicates, whatever the model says.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from coditect.agents.roles.answers import ConflictKind, ReducerAnswer, ReducerConflict, parsed
from coditect.agents.roles.fences import Fence, one_line
from coditect.agents.roles.role import Role
from coditect.language.terms import MODAL_TERMS, terms
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock
from coditect.schemas.record import canonical_json

__all__ = [
    "LONGEST_ABOUT",
    "ConflictNote",
    "MergedReduction",
    "ReducerQuote",
    "Reduction",
    "merge_reductions",
    "read_reduction",
    "reducer_request",
]

LONGEST_ABOUT = 120
"""Code points of what a conflict is about."""

MOST_SIDES = 12

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_MARKUP = re.compile(r"<[^<>]{0,200}>|[*_`#]+")


@dataclass(frozen=True, slots=True)
class ReducerQuote:
    """A quote to be compared.

    Attributes:
        key: of the caller, unique among the quotes of all partial results, e.g. section id and part.
        document_name: where it stands.
        text: verbatim.
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
        about: the subject in the model's words, at most 120 code points.
        kind: "value", "modality", "definition", "scope" or "other".
        synthetic: always True: ``about`` is never cited.
    """

    between: tuple[str, ...]
    about: str
    kind: ConflictKind
    synthetic: Literal[True] = True


@dataclass(frozen=True, slots=True)
class Reduction:
    """What one answer says of its quotes.

    Attributes:
        duplicates: groups of two or more keys, disjoint, sorted.
        conflicts: in the order of their keys.
        rejections: why parts of the answer were not taken, in its order.
    """

    duplicates: tuple[tuple[str, ...], ...]
    conflicts: tuple[ConflictNote, ...]
    rejections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MergedReduction:
    """All partial results together.

    Attributes:
        duplicates: groups of two or more keys, disjoint, sorted.
        conflicts: no two about the same quotes and of the same kind; sorted.
        disputed: groups that one partial result takes for duplicates while another sees a conflict inside; they are not
            merged, the conflict stands.
        missing: partial results that there are none of.
        rejections: of all partial results.
    """

    duplicates: tuple[tuple[str, ...], ...]
    conflicts: tuple[ConflictNote, ...]
    disputed: tuple[tuple[str, ...], ...]
    missing: int
    rejections: tuple[str, ...]


def reducer_request(role: Role, topic: str, quotes: Sequence[ReducerQuote]) -> LlmRequest:
    """Ask which of these quotes repeat each other and which conflict.

    Args:
        role: the reducer.
        topic: that they are about.
        quotes: numbered from 1 in this order; at least two.
    """
    lines = "\n".join(_line(n, quote) for n, quote in enumerate(quotes, 1))
    fence = Fence.around((topic, lines))
    return role.request(TextBlock(fence.wrap("quotes", lines, topic=topic) + f"\n\nCompare the {len(quotes)} quotes."))


def read_reduction(answer: LlmAnswer, quotes: Sequence[ReducerQuote]) -> Reduction:
    """What an answer says, less what cannot be so.

    Args:
        answer: to the request.
        quotes: of the request, in its order.

    Raises:
        Malformed: not of the asked-for shape.
    """
    found = parsed(answer, ReducerAnswer, "reducer")
    rejections: list[str] = []
    union = _Union()
    bearings = [_bearing(quote.text) for quote in quotes]
    for numbers in found.duplicates:
        problem = _unfit(numbers, len(quotes)) or _unlike([bearings[n - 1] for n in numbers])
        if problem:
            rejections.append(f"duplicates: {problem}")
        else:
            union.join([quotes[n - 1].key for n in numbers])
    notes: dict[tuple[tuple[str, ...], str], ConflictNote] = {}
    for raw in found.conflicts:
        problem = _unfit(raw.between, len(quotes)) or _not_different(raw, quotes)
        about = one_line(_MARKUP.sub(" ", raw.about), LONGEST_ABOUT)
        if problem or not about:
            rejections.append(f"conflict: {problem or 'about nothing'}")
            continue
        note = ConflictNote(tuple(sorted(quotes[n - 1].key for n in raw.between)), about, raw.kind)
        notes.setdefault((note.between, note.kind), note)
    conflicts = tuple(sorted(notes.values(), key=_order))
    return Reduction(union.groups(), conflicts, tuple(rejections))


def merge_reductions(partials: Iterable[Reduction | None]) -> MergedReduction:
    """Put partial results together; their order does not matter.

    Duplicates of duplicates are duplicates. A conflict between two quotes of one such group dissolves the group: where
    partial results disagree, the disagreement is what is reported. Conflicts are counted once for the same quotes,
    duplicates taken together, and kind; their wording is the first in alphabetical order.

    Args:
        partials: None for one that is missing.
    """
    present: list[Reduction] = []
    missing = 0
    for partial in partials:
        if partial is None:
            missing += 1
        else:
            present.append(partial)
    union = _Union()
    for partial in present:
        for group in partial.duplicates:
            union.join(group)
    notes = sorted({note for partial in present for note in partial.conflicts}, key=_order)
    inside = {
        union.root(key)
        for note in notes
        for key in note.between
        if sum(union.root(other) == union.root(key) for other in note.between) > 1
    }
    groups = union.groups()
    kept = tuple(group for group in groups if union.root(group[0]) not in inside)
    merged = {key: group[0] for group in kept for key in group}
    distinct: dict[tuple[tuple[str, ...], str], ConflictNote] = {}
    for note in notes:
        place = (tuple(sorted({merged.get(key, key) for key in note.between})), note.kind)
        known = distinct.get(place)
        if known is None:
            distinct[place] = note
        else:
            # The same conflict through other duplicates: all its quotes stay with it.
            between = tuple(sorted({*known.between, *note.between}))
            distinct[place] = ConflictNote(between, min(known.about, note.about), note.kind)
    return MergedReduction(
        duplicates=kept,
        conflicts=tuple(sorted(distinct.values(), key=_order)),
        disputed=tuple(group for group in groups if union.root(group[0]) in inside),
        missing=missing,
        rejections=tuple(sorted(reason for partial in present for reason in partial.rejections)),
    )


class _Union:
    """Disjoint sets of keys; the root of each is its smallest key."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}

    def root(self, key: str) -> str:
        while (parent := self._parents.get(key, key)) != key:
            self._parents[key] = self._parents.get(parent, parent)
            key = parent
        return key

    def join(self, keys: Sequence[str]) -> None:
        for first, second in pairwise(keys):
            low, high = sorted((self.root(first), self.root(second)))
            self._parents[high] = low
            self._parents.setdefault(low, low)

    def groups(self) -> tuple[tuple[str, ...], ...]:
        members: dict[str, list[str]] = defaultdict(list)
        for key in self._parents:
            members[self.root(key)].append(key)
        return tuple(tuple(sorted(group)) for _, group in sorted(members.items()) if len(group) > 1)


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
