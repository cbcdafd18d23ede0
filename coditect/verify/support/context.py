"""For each word of a claim the evidence sentence that its neighbours point to, and what stands for it there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from coditect.language.reading.oppositions import poles, synonyms
from coditect.language.reading.words import Word, WordKind
from coditect.verify.alignment.evidence import EvidenceIndex

__all__ = ["WordContext", "abbreviates", "locate", "related_key", "related_keys"]

_NEIGHBOURS = 4
_MORPH_PREFIX = 4
_MORPH_SHARE = 0.6
_MOST_OCCURRENCES = 24
_OWN_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class WordContext:
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


def locate(claim: Sequence[Word], index: EvidenceIndex) -> tuple[WordContext, ...]:
    """For each content word of the claim the sentence that its neighbours point to.

    Args:
        claim: the words of the claim.
        index: the evidence, indexed.
    """
    content = [at for at, word in enumerate(claim) if word.kind != WordKind.FUNCTION]
    weights = {at: index.weight(claim[at]) for at in content}
    found = []
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
                scores[sentence] += _OWN_SHARE * weights[at]
        best = max(scores, key=lambda each: (scores[each], -each), default=-1)
        strength = min(1.0, scores[best] / total) if best >= 0 and total else 0.0
        found.append(WordContext(at, best, strength, _near(claim, at, around, index)))
    return tuple(found)


def _near(claim: Sequence[Word], at: int, around: Sequence[int], index: EvidenceIndex) -> float:
    """The largest share of neighbours that stand about as near in the evidence as in the claim."""
    best = 0
    for position in index.positions.get(claim[at].key, ())[:_MOST_OCCURRENCES]:
        count = 0
        for other in around:
            reach = 4 + 2 * abs(other - at)
            positions = index.positions.get(claim[other].key)
            if positions:
                place = bisect_left(positions, position - reach)
                count += place < len(positions) and positions[place] <= position + reach
        best = max(best, count)
    return best / len(around) if around else 0.0


def related_key(word: Word, index: EvidenceIndex) -> str:
    """A key of the evidence that is another form, a synonym or a neighbour on an axis of a word that it lacks; "" for none."""
    return next(related_keys(word, index), "")


def related_keys(word: Word, index: EvidenceIndex) -> Iterator[str]:
    """All such keys of the evidence, other forms first; of a number none but from the tables."""
    key = word.key
    if word.kind != WordKind.NUMBER and len(key) >= _MORPH_PREFIX:
        for other in index.with_prefix(key[:_MORPH_PREFIX]):
            if _common_prefix(key, other) >= _MORPH_SHARE * max(len(key), len(other)):
                yield other
    yield from (other for other in _alike(key) if other in index.inside)


def _common_prefix(first: str, second: str) -> int:
    return next(
        (n for n, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


def abbreviates(word: Word, index: EvidenceIndex) -> bool:
    """Whether a word in capitals is made of the first letters of words in the evidence."""
    return len(word.text) > 1 and word.text.isupper() and word.low in index.initials


@cache
def _alike(key: str) -> tuple[str, ...]:
    """Stems of the tables that can stand for a stem: synonyms first, then words of the same pole."""
    return tuple(dict.fromkeys(other for other in _sharing(key) if other != key))


def _sharing(key: str) -> Iterator[str]:
    sets = synonyms().get(key, ())
    places = poles().get(key, ())
    for number in sets:
        yield from (other for other, found in synonyms().items() if number in found)
    for place in places:
        yield from (other for other, found in poles().items() if place in found)
