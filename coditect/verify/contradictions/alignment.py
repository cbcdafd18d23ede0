"""Which word of a claim stands for which word of its evidence, whatever the order of the clauses."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from coditect.verify.contradictions.reading import Reading, Token

__all__ = ["Pair", "align"]

_REACH = 4
_WEIGHTS = {1: 1.0, 2: 0.6, 3: 0.4, 4: 0.25}
_MAX_CANDIDATES = 12


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim's sentence beside the evidence that it rests on.

    Attributes:
        claim: the sentence of the claim.
        evidence: the sentence of the evidence.
        forth: token index in the claim to token index in the evidence.
        back: the reverse.
        offset: where the sentence begins in the whole claim, code points.
        index: which evidence text it is.
        shift: where the evidence's sentence begins in that text.
        others: keys of content words in all evidence texts.
    """

    claim: Reading
    evidence: Reading
    forth: dict[int, int]
    back: dict[int, int]
    offset: int
    index: int
    shift: int
    others: frozenset[str]

    def turned(self) -> Pair:
        """The same pair seen from the evidence."""
        return Pair(self.evidence, self.claim, self.back, self.forth, self.shift, self.index, self.offset, self.others)

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
            if token.role in ("word", "number", "reference"):
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
            if tokens[n].role in ("word", "number", "reference"):
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

    def near(self, at: int, roles: Collection[str], radius: int = 4) -> Iterator[Token]:
        """Evidence tokens of some roles around both neighbours of a claim's token."""
        left, right = self.anchors(at)
        size = len(self.evidence.tokens)
        seen: set[int] = set()
        for centre in (right, left):
            if centre is not None:
                seen.update(range(max(0, centre - radius), min(size, centre + radius + 1)))
        for n in sorted(seen):
            if self.evidence.tokens[n].role in roles:
                yield self.evidence.tokens[n]

    def claim_span(self, token: Token) -> tuple[int, int]:
        """A claim's token in the whole claim."""
        return self.offset + token.start, self.offset + token.end

    def evidence_span(self, token: Token) -> tuple[int, int]:
        """An evidence's token in its text."""
        return self.shift + token.start, self.shift + token.end


def align(claim: Reading, evidence: Reading) -> tuple[dict[int, int], dict[int, int]]:
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
    return forth, back


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
