"""Which entries of one kind are held against each other, and how alike two of them are by their words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Protocol

from coditect.tiers.findings.conflicts.assertions.definitions import DEFINITION
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.figures import NOTICE
from coditect.tiers.findings.conflicts.likeness.circles import circles_among
from coditect.tiers.findings.conflicts.likeness.watched import LIKENESS, MeasuredWords, noted
from coditect.tiers.findings.conflicts.lines import are_alike
from coditect.tiers.findings.conflicts.matters import least_needed, may_be_of_one_matter
from coditect.tiers.findings.said.statements import likeness
from coditect.tiers.findings.standing import Standings

__all__ = ["COMMON", "Rarity", "candidates", "document_of", "least_shared", "likeness_of", "may_be_linked", "posted"]

_BY_PAIRS = ("version",)
"""Kinds of which two are looked at only where they share a pair of words."""

_NAMED = ("count", "version")
"""Kinds of measures whose head is a unit or a name, and not an act that other verbs may stand for."""

LEAST_EXACT = 0.12
MOST_ALIKE_ADDS = 0.2
"""What two statements must share in the same words before other words for the same count, and what these add at most."""

COMMON = 60
"""Statements that share a pair of words, above which the pair tells nothing of their subject."""


class Rarity(Protocol):
    """How many entries of a whole corpus have something by which entries are found, where only some of them are at hand."""

    def of_entries(self, kind: str, by: str) -> int:
        """How many entries of a kind are found by it (:func:`posted`)."""
        ...

    def of_limits(self, kind: str, thing: str, word: str) -> int:
        """How many limits of one thing have a word."""
        ...


def candidates(kind: str, group: Sequence[Entry], standings: Standings, rarity: Rarity | None) -> list[tuple[int, int]]:
    """Pairs of comparable documents that share a pair of words, begin with the same one, or name the same version."""
    present = sorted({document_of(entry) for entry in group})
    comparable = circles_among(standings, present)
    if not any(comparable.values()):
        return []
    documents = [document_of(entry) for entry in group]
    # What cannot be held against anything counts, and is not looked at.
    postings: dict[str, list[int]] = defaultdict(list)
    counts = None if rarity is not None else Counter(word for entry in group for word in posted(kind, entry))
    for index, entry in enumerate(group):
        for word in posted(kind, entry) if comparable[documents[index]] else ():
            if counts is None or 1 < counts[word] <= COMMON:
                postings[word].append(index)
    if rarity is not None:
        postings = {
            word: own for word, own in postings.items() if len(own) > 1 and rarity.of_entries(kind, word) <= COMMON
        }
    pairs = set()
    for members in postings.values():
        for at, a in enumerate(members):
            own, near = documents[a], comparable[documents[a]]
            pairs |= {
                (a, b)
                for b in members[at + 1 :]
                if documents[b] in near
                and documents[b] != own
                and (kind not in _NAMED or group[a].head == group[b].head)
            }
    return sorted(pairs)


def may_be_linked(kind: str, one: str, other: str) -> bool:
    """Whether two entries of a kind that is no limit may be linked, as far as their heads tell it.

    Args:
        kind: of both.
        one: the head of one of them.
        other: that of the other one.
    """
    return one == other or (kind not in _NAMED and may_be_of_one_matter(kind, one, other))


def least_shared(entry: Entry) -> float:
    """How alike the words of an entry and of another one must be at least, for the two to be linked, whatever else they say."""
    needed = least_needed(entry)
    return min(needed, max(LEAST_EXACT, needed - MOST_ALIKE_ADDS))


def posted(kind: str, entry: Entry) -> list[str]:
    """What an entry is found by among the others of its kind."""
    found = [word for word in entry.words if " " in word or kind not in _BY_PAIRS]
    if kind in (DEFINITION, NOTICE):
        found.append(entry.head)
    if entry.lead and kind != "modality":
        found.append(f"first {entry.lead} {entry.head}")
    if kind == "version" or (kind == "count" and entry.verb == entry.head):
        found.append(f"{kind} {entry.head}")
    return found


def likeness_of(
    first: Entry, second: Entry, ours: float, theirs: float, weight: Mapping[str, float], needed: float
) -> float:
    """How alike two entries are by their words; where that is too little, a word that the other one says otherwise counts, too."""
    shared = first.words & second.words
    exact = _measured(shared, first, second, likeness(shared, ours, theirs, weight), weight)
    if exact >= needed or exact < LEAST_EXACT or exact + MOST_ALIKE_ADDS < needed:
        return exact
    others = [word for word in second.words - shared if " " not in word]
    alike = {}
    for word in sorted(first.words - shared):
        if " " not in word:
            match = next((other for other in sorted(others) if are_alike(word, other)), None)
            if match is not None:
                alike[word] = match
    pairs = {
        pair
        for pair in (first.words - shared if alike else ())
        if " " in pair and " ".join(alike.get(word, word) for word in pair.split(" ")) in second.words
    }
    together = shared | alike.keys() | pairs
    found = _measured(together, first, second, likeness(together, ours, theirs, weight), weight)
    return min(1.0, exact + MOST_ALIKE_ADDS, found)


def _measured(shared: frozenset[str], first: Entry, second: Entry, value: float, weight: Mapping[str, float]) -> float:
    return noted(weight, MeasuredWords(LIKENESS, shared, first.words, second.words, value))


def document_of(entry: Entry) -> str:
    """The id of the document that an entry stands in."""
    return entry.statement.chunk.document_id
