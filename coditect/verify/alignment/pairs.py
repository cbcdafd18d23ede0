"""Which word of a claim stands for which word of its evidence, whatever the order of the clauses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from coditect.language.reading.equivalents import can_stand_for, kinship
from coditect.language.reading.sentence import SentenceReading
from coditect.verify.alignment.evidence import EvidenceIndex, EvidenceSentence

__all__ = ["AlignedPair", "align", "pair_with"]

_REACH = 4
_WEIGHTS = {1: 1.0, 2: 0.6, 3: 0.4, 4: 0.25}
_MAX_CANDIDATES = 12
_MOST_LEFT = 120
"""Words of a sentence without a counterpart that are compared by what they mean; no real sentence has more."""


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A claim's sentence beside the evidence that it rests on.

    Attributes:
        claim: the sentence of the claim.
        evidence: the sentence of the evidence.
        forth: token index in the claim to token index in the evidence.
        back: the reverse.
        offset: where the sentence begins in the whole claim, code points.
        source: where the evidence's sentence stands.
        index: all of the evidence, indexed.
    """

    claim: SentenceReading
    evidence: SentenceReading
    forth: dict[int, int]
    back: dict[int, int]
    offset: int
    source: EvidenceSentence
    index: EvidenceIndex

    def turned(self) -> AlignedPair:
        """The same pair seen from the evidence; its offset and source stay those of the pair."""
        return replace(self, claim=self.evidence, evidence=self.claim, forth=self.back, back=self.forth)

    def closeness(self) -> float:
        """The share of the claim's content words that have a counterpart, those of conditions that it adds left out."""
        tokens = self.claim.tokens
        counted = held = 0
        added = False
        for n, token in enumerate(tokens):
            if token.role == "condition":
                added = True
            elif token.comma or token.role == "modal":
                added = False
            if token.has_substance:
                has = n in self.forth
                if has or not added:
                    counted += 1
                    held += has
        return held / counted if counted else 0.0

    def anchors(self, at: int, reach: int = 3) -> tuple[int | None, int | None]:
        """Where the nearest aligned content words before and after a claim's token stand in the evidence.

        Args:
            at: token index in the claim.
            reach: how many content words to look past.
        """
        return self._anchor(at, -1, reach), self._anchor(at, 1, reach)

    def _anchor(self, at: int, step: int, reach: int) -> int | None:
        tokens, n = self.claim.tokens, at + step
        while 0 <= n < len(tokens) and reach:
            if tokens[n].has_substance:
                if n in self.forth:
                    return self.forth[n]
                reach -= 1
            n += step
        return None

    def slot(self, at: int, radius: int = 3) -> range:
        """The evidence tokens among which the counterpart of a claim's token must be.

        Between its neighbours' counterparts where these stand near each other in the same order, else around them.
        """
        left, right = self.anchors(at)
        size = len(self.evidence.tokens)
        if left is not None and right is not None and 0 < right - left <= 14:
            return range(left + 1, right)
        if right is not None:
            return range(max(0, right - radius - 1), right)
        if left is not None:
            return range(left + 1, min(size, left + radius + 2))
        return range(0)


def pair_with(claim: SentenceReading, offset: int, index: EvidenceIndex, number: int) -> AlignedPair:
    """A claim's sentence beside a sentence of the evidence, aligned.

    Args:
        claim: the sentence.
        offset: where it begins in the whole claim.
        index: the evidence, indexed.
        number: which of its sentences.
    """
    source = index.sentences[number]
    forth, back = align(claim, source.reading)
    return AlignedPair(claim, source.reading, forth, back, offset, source, index)


def align(claim: SentenceReading, evidence: SentenceReading) -> tuple[dict[int, int], dict[int, int]]:
    """Pair content words of equal key, those with like neighbours first.

    Args:
        claim: one sentence.
        evidence: another.

    Returns:
        Token indexes of the claim to those of the evidence, and the reverse; one to one.
    """
    here, there = claim.content, evidence.content
    keys = [evidence.tokens[j].key for j in there]
    own = [claim.tokens[i].key for i in here]
    places: dict[str, list[int]] = {}
    for b, key in enumerate(keys):
        places.setdefault(key, []).append(b)
    scored: list[tuple[float, int, int]] = []
    for a, key in enumerate(own):
        found = places.get(key, ())
        for b in found[:_MAX_CANDIDATES]:
            alone = len(found) == 1 and own.count(key) == 1
            scored.append((-_score(own, keys, a, b) - (5.0 if alone else 0.0), a, b))
    scored.sort(key=lambda each: (each[0], abs(each[1] - each[2]), each[1], each[2]))
    forth: dict[int, int] = {}
    back: dict[int, int] = {}
    for _, a, b in scored:
        i, j = here[a], there[b]
        if i not in forth and j not in back:
            forth[i], back[j] = j, i
    _pair_equivalents(claim, evidence, forth, back)
    return forth, back


def _pair_equivalents(
    claim: SentenceReading, evidence: SentenceReading, forth: dict[int, int], back: dict[int, int]
) -> None:
    """Pair what is left with words that can stand for it: those near the counterparts of its neighbours first."""
    own = [i for i in claim.content if i not in forth and claim.tokens[i].role == "word"][:_MOST_LEFT]
    theirs = [j for j in evidence.content if j not in back and evidence.tokens[j].role == "word"][:_MOST_LEFT]
    marked = [(j, evidence.tokens[j].key, kinship(evidence.tokens[j].key)) for j in theirs]
    found = []
    for i in own:
        key = claim.tokens[i].key
        related = kinship(key)
        found += [(i, j) for j, other, marks in marked if not related.isdisjoint(marks) and can_stand_for(key, other)]
    aligned = sorted(forth)
    scored = sorted((_distance(aligned, forth, i, j), i, j) for i, j in found)
    for _, i, j in scored:
        if i not in forth and j not in back:
            forth[i], back[j] = j, i


def _distance(aligned: Sequence[int], forth: Mapping[int, int], i: int, j: int) -> int:
    """How far a word of the evidence stands from where the nearest counterparts of a word of the claim stand."""
    at = bisect_left(aligned, i)
    return min((abs(forth[n] + i - n - j) for n in aligned[max(0, at - 2) : at + 2]), default=0)


def _score(own: list[str], keys: list[str], a: int, b: int) -> float:
    """How alike the neighbourhoods of two places are; one word more or less in between does not matter."""
    total = 0.0
    size, other = len(own), len(keys)
    for step, weight in _WEIGHTS.items():
        for sign in (-step, step):
            x = a + sign
            if 0 <= x < size:
                key, y = own[x], b + sign
                if 0 <= y < other and keys[y] == key:
                    total += weight
                elif (0 <= y - 1 < other and y - 1 != b and keys[y - 1] == key) or (
                    0 <= y + 1 < other and y + 1 != b and keys[y + 1] == key
                ):
                    total += weight / 2
    return total
