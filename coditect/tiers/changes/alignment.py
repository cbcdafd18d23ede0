"""Which provision of a new version is which of the old one: by words first, by place second.

A place alone tells little: where an item is inserted, each below it has the place of its neighbour. So what has the same words is
paired first, wherever it stands; then what shares the most of its rarer words, a place in common counting as evidence; and what
stands in the same place under the same provision with little in common was replaced.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coditect.tiers.changes.provisions import NO_PARENT, Provision

__all__ = ["Alignment", "align"]

SAME_PLACE = 0.34
"""Share of their words that two provisions in one place have in common, at least, to be one that was amended."""

REPLACED = 0.12
"""The same where the provisions around them are paired, too: what was replaced in its place."""

ELSEWHERE = 0.62
"""The same for provisions in different places."""

UNDER_THE_SAME = 0.5
"""The same for provisions in different places under one provision."""

TELLING = 3
"""Words that a text has, at least, to be recognised in another place."""

COMMON = 24
"""Provisions that share a word, above which it proposes no pairs."""

_PLACE_BONUS = 0.2
_PARENT_BONUS = 0.1


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two versions, provision by provision.

    Attributes:
        pairs: (index in the old version, index in the new one), in the order of the new one.
        removed: indices in the old version that are in no pair, in order.
        added: indices in the new version that are in no pair, in order.
    """

    pairs: tuple[tuple[int, int], ...]
    removed: tuple[int, ...]
    added: tuple[int, ...]


class _Pairing:
    """Pairs as they are found; no provision is in two."""

    def __init__(self, old: Sequence[Provision], new: Sequence[Provision]) -> None:
        self.old, self.new = old, new
        self.by_old: dict[int, int] = {}
        self.by_new: dict[int, int] = {}

    def is_free(self, a: int, b: int) -> bool:
        """Whether neither of two provisions, by their indexes, is in a pair."""
        return a not in self.by_old and b not in self.by_new

    def add(self, a: int, b: int) -> None:
        """Pair two provisions by their indexes; both must be free."""
        self.by_old[a], self.by_new[b] = b, a

    def has_paired_parents(self, a: int, b: int) -> bool:
        """Whether two provisions stand under provisions that are paired; both under none counts."""
        above, over = self.old[a].parent, self.new[b].parent
        if above == NO_PARENT or over == NO_PARENT:
            return above == over
        return self.by_old.get(above) == over

    def free(self) -> tuple[list[Provision], list[Provision]]:
        """(earlier, later) provisions that are in no pair, in order."""
        return [p for p in self.old if p.index not in self.by_old], [p for p in self.new if p.index not in self.by_new]


def align(old: Sequence[Provision], new: Sequence[Provision]) -> Alignment:
    """Pair the provisions of two versions of a document; time is about linear in their words.

    Args:
        old: of the earlier version, in order.
        new: of the later one.
    """
    pairing = _Pairing(old, new)
    _same_words_and_place(pairing)
    _same_words(pairing)
    _alike(pairing)
    _replaced(pairing)
    pairs = tuple(sorted(pairing.by_old.items(), key=lambda pair: pair[1]))
    removed, added = pairing.free()
    return Alignment(pairs, tuple(p.index for p in removed), tuple(p.index for p in added))


def _same_words_and_place(pairing: _Pairing) -> None:
    """What is where it was: in the order of the texts where words and place are there several times."""
    waiting: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for provision in reversed(pairing.old):
        waiting[provision.kind, provision.place, provision.wording].append(provision.index)
    for provision in pairing.new:
        same = waiting.get((provision.kind, provision.place, provision.wording))
        if same:
            pairing.add(same.pop(), provision.index)


def _same_words(pairing: _Pairing) -> None:
    """The same words in another place: first what is there once, then by what stands around, the nearest first."""
    before, after = (_by_wording(each) for each in pairing.free())
    candidates = []
    for wording, olds in before.items():
        news = after.get(wording, ())
        telling = len(pairing.old[olds[0]].words) >= TELLING
        for a in olds[:COMMON]:
            for b in news[:COMMON]:
                close = pairing.has_paired_parents(a, b)
                if close or (telling and len(olds) == len(news) == 1):
                    candidates.append((not close, abs(_relative(pairing, a, b)), b, a))
    for _, _, b, a in sorted(candidates):
        if pairing.is_free(a, b):
            pairing.add(a, b)
    # Parents may have been paired just now; what repeats itself ("Reserved.") is told apart by them, and by order at last.
    before, after = (_by_wording(each) for each in pairing.free())
    for wording, olds in before.items():
        if len(pairing.old[olds[0]].words) < TELLING:
            continue
        news = after.get(wording, ())
        ordered = sorted(
            (not pairing.has_paired_parents(a, b), abs(_relative(pairing, a, b)), b, a)
            for a in olds[:COMMON]
            for b in news[:COMMON]
        )
        for _, _, b, a in ordered:
            if pairing.is_free(a, b):
                pairing.add(a, b)


def _relative(pairing: _Pairing, a: int, b: int) -> float:
    """How far apart two provisions lie, as shares of their documents."""
    return a / max(len(pairing.old), 1) - b / max(len(pairing.new), 1)


def _by_wording(provisions: Iterable[Provision]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for provision in provisions:
        if provision.wording:
            found[provision.wording].append(provision.index)
    return found


def _alike(pairing: _Pairing) -> None:
    """What was amended: the closest first, until nothing is close enough."""
    weights = _weights(pairing.old, pairing.new)
    olds, news = pairing.free()
    counted = {("old", p.index): Counter(p.words) for p in olds} | {("new", p.index): Counter(p.words) for p in news}
    found = []
    for a, b in _proposed(olds, news):
        likeness = _likeness(counted["old", a], counted["new", b], weights)
        same_place = bool(pairing.old[a].place) and pairing.old[a].place == pairing.new[b].place
        close = pairing.has_paired_parents(a, b)
        needed = SAME_PLACE if same_place else UNDER_THE_SAME if close else ELSEWHERE
        short = min(len(pairing.old[a].words), len(pairing.new[b].words)) < TELLING
        if likeness >= needed and (same_place or not short):
            rank = likeness + _PLACE_BONUS * same_place + _PARENT_BONUS * close
            found.append((-rank, abs(_relative(pairing, a, b)), a, b))
    for _, _, a, b in sorted(found):
        if pairing.is_free(a, b) and (
            pairing.old[a].kind == pairing.new[b].kind or pairing.old[a].place == pairing.new[b].place
        ):
            pairing.add(a, b)


def _proposed(olds: Sequence[Provision], news: Sequence[Provision]) -> Iterable[tuple[int, int]]:
    """Pairs worth comparing: in one place, or with a rarer word in common."""
    places: dict[str, list[int]] = defaultdict(list)
    holding: dict[str, list[int]] = defaultdict(list)
    for provision in news:
        places[provision.place].append(provision.index)
        for word in set(provision.words):
            holding[word].append(provision.index)
    for provision in olds:
        near = set(places[provision.place][:COMMON]) if provision.place else set()
        rare = sorted((len(holding[word]), word) for word in set(provision.words) if word in holding)
        for count, word in rare:
            if count <= COMMON:
                near.update(holding[word])
        yield from ((provision.index, other) for other in sorted(near))


def _weights(old: Sequence[Provision], new: Sequence[Provision]) -> Mapping[str, float]:
    """How much a word says: the logarithm of how rare it is among the provisions of both versions."""
    counts = Counter(word for provision in (*old, *new) for word in set(provision.words))
    whole = len(old) + len(new)
    return {word: math.log(1.0 + whole / count) for word, count in counts.items()}


def _likeness(a: Counter[str], b: Counter[str], weights: Mapping[str, float]) -> float:
    """Twice the weight of the words in common over that of all: Dice's coefficient, 0..1 (Dice 1945)."""
    whole = sum(weights[word] * count for word, count in (*a.items(), *b.items()))
    if not whole:
        return 0.0
    return 2 * sum(weights[word] * count for word, count in (a & b).items()) / whole


def _replaced(pairing: _Pairing) -> None:
    """What stands in its place with other words, under provisions that are paired."""
    weights = _weights(pairing.old, pairing.new)
    olds, news = pairing.free()
    places = {(p.place, p.kind): p.index for p in reversed(olds) if p.place}
    for provision in news:
        a = places.get((provision.place, provision.kind))
        if a is None or not pairing.is_free(a, provision.index) or not pairing.has_paired_parents(a, provision.index):
            continue
        if _likeness(Counter(pairing.old[a].words), Counter(provision.words), weights) >= REPLACED:
            pairing.add(a, provision.index)
