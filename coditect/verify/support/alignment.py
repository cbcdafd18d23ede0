"""Evidence as an index of its words, and for each word of a claim the evidence sentence that its neighbours point to."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from coditect.verify.support.lexicon import families, poles, synonyms
from coditect.verify.support.words import CONTENT, FUNCTION, NAME, NUMBER, Word, words

__all__ = ["Index", "Place", "locate"]

_NEIGHBOURS = 4
_KIND_WEIGHT = {FUNCTION: 0.0, CONTENT: 1.0, NAME: 1.3, NUMBER: 1.3}
_MORPH_PREFIX = 4
_MORPH_SHARE = 0.6
_MOST_OCCURRENCES = 24


@dataclass(slots=True)
class Index:
    """The words of evidence sentences by key. Built once a claim.

    Attributes:
        sentences: the words of each.
        at: key to flat positions, ascending; positions of different sentences are at least 50 apart.
        inside: key to the sentences that have it, ascending.
    """

    sentences: tuple[tuple[Word, ...], ...]
    at: dict[str, list[int]] = field(default_factory=dict)
    inside: dict[str, list[int]] = field(default_factory=dict)
    _prefixes: dict[str, set[str]] = field(default_factory=dict)
    _initials: str = ""
    _poles: dict[tuple[int, int], set[int]] = field(default_factory=dict)
    _sets: dict[int, set[int]] = field(default_factory=dict)

    @classmethod
    def of(cls, evidence: Sequence[str]) -> Index:
        """Index evidence sentences."""
        index = cls(tuple(words(each) for each in evidence))
        flat = 0
        initials = []
        for number, sentence in enumerate(index.sentences):
            for word in sentence:
                index.at.setdefault(word.key, []).append(flat)
                flat += 1
                where = index.inside.setdefault(word.key, [])
                if not where or where[-1] != number:
                    where.append(number)
            flat += 50
            initials.append("".join(word.text[0] for word in sentence).lower())
        index._initials = " ".join(initials)
        for key in index.at:
            if len(key) >= _MORPH_PREFIX and not key[0].isdigit():
                index._prefixes.setdefault(key[:_MORPH_PREFIX], set()).add(key)
        return index

    def weight(self, word: Word) -> float:
        """How much a word of the claim says: rare in the evidence, name or number; 0 for function words."""
        count = len(self.inside.get(word.key, ()))
        return _KIND_WEIGHT[word.kind] * math.log(2.0 + (len(self.sentences) + 1) / (count + 0.5))

    def related(self, word: Word) -> str:
        """A key of the evidence that is another form or a synonym of a word that it lacks; "" for none."""
        key = word.key
        if word.kind != NUMBER and len(key) >= _MORPH_PREFIX:
            for other in sorted(self._prefixes.get(key[:_MORPH_PREFIX], ())):
                if _common_prefix(key, other) >= _MORPH_SHARE * max(len(key), len(other)):
                    return other
        for number in synonyms().get(key, ()):
            for other in _members(number):
                if other in self.at:
                    return other
        for axis, sign in poles().get(key, ()):
            for other in _pole_members(axis, sign):
                if other in self.at:
                    return other
        return ""

    def abbreviates(self, word: Word) -> bool:
        """Whether a word in capitals is made of the first letters of words in the evidence."""
        return len(word.text) > 1 and word.text.isupper() and word.text.lower() in self._initials


@dataclass(frozen=True, slots=True)
class Place:
    """Where a content word of the claim belongs in the evidence.

    Attributes:
        at: its place among the claim's words.
        sentence: the evidence sentence that holds most of its neighbours; -1 where none does.
        strength: share of its neighbours' weight that is there, 0..1.
        near: the largest share of its neighbours within a few words of an occurrence of the word itself, 0..1; 0 if it is novel.
    """

    at: int
    sentence: int
    strength: float
    near: float


def locate(claim: Sequence[Word], index: Index) -> tuple[Place, ...]:
    """For each content word of the claim the sentence that its neighbours point to.

    Args:
        claim: words.
        index: of the evidence.
    """
    content = [at for at, word in enumerate(claim) if word.kind != FUNCTION]
    weights = {at: index.weight(claim[at]) for at in content}
    placed = []
    for order, at in enumerate(content):
        around = content[max(0, order - _NEIGHBOURS) : order] + content[order + 1 : order + 1 + _NEIGHBOURS]
        total = sum(weights[other] for other in around)
        scores: dict[int, float] = {}
        own = claim[at].key
        for other in around:
            if claim[other].key != own:
                for sentence in index.inside.get(claim[other].key, ()):
                    scores[sentence] = scores.get(sentence, 0.0) + weights[other]
        for sentence in index.inside.get(own, ()):
            if sentence in scores:
                scores[sentence] += 0.3 * weights[at]
        best = max(scores, key=lambda each: (scores[each], -each), default=-1)
        strength = min(1.0, scores[best] / total) if best >= 0 and total else 0.0
        placed.append(Place(at, best, strength, _near(claim, at, around, index)))
    return tuple(placed)


def _near(claim: Sequence[Word], at: int, around: Sequence[int], index: Index) -> float:
    """The largest share of neighbours that stand about as near in the evidence as in the claim."""
    own = index.at.get(claim[at].key, ())
    if not own or not around:
        return 0.0
    best = 0
    for position in own[:_MOST_OCCURRENCES]:
        count = 0
        for other in around:
            reach = 4 + 2 * abs(other - at)
            positions = index.at.get(claim[other].key)
            if positions:
                place = bisect_left(positions, position - reach)
                count += place < len(positions) and positions[place] <= position + reach
        best = max(best, count)
    return best / len(around)


def _common_prefix(first: str, second: str) -> int:
    length = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        length += 1
    return length


_POLE_MEMBERS: dict[tuple[int, int], tuple[str, ...]] = {}
_SET_MEMBERS: dict[int, tuple[str, ...]] = {}
_FAMILY_MEMBERS: dict[int, tuple[str, ...]] = {}


def _pole_members(axis: int, sign: int) -> tuple[str, ...]:
    if not _POLE_MEMBERS:
        found: dict[tuple[int, int], list[str]] = {}
        for key, places in poles().items():
            for place in places:
                found.setdefault(place, []).append(key)
        _POLE_MEMBERS.update({place: tuple(keys) for place, keys in found.items()})
    return _POLE_MEMBERS.get((axis, sign), ())


def _members(number: int) -> tuple[str, ...]:
    if not _SET_MEMBERS:
        found: dict[int, list[str]] = {}
        for key, places in synonyms().items():
            for place in places:
                found.setdefault(place, []).append(key)
        _SET_MEMBERS.update({place: tuple(keys) for place, keys in found.items()})
    return _SET_MEMBERS.get(number, ())


def family_members(number: int) -> tuple[str, ...]:
    """The stems of a closed family."""
    if not _FAMILY_MEMBERS:
        found: dict[int, list[str]] = {}
        for key, places in families().items():
            for place in places:
                found.setdefault(place, []).append(key)
        _FAMILY_MEMBERS.update({place: tuple(keys) for place, keys in found.items()})
    return _FAMILY_MEMBERS.get(number, ())
