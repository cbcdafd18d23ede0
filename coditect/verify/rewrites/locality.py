"""Where the words of a rewrite come from: one predicate of the source for each of its own, each number beside its own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from coditect.verify.alignment.predicates import predicates_of
from coditect.verify.rewrites.matching import WordMatch
from coditect.verify.rewrites.reading import ReadStatement

__all__ = ["places_differ"]

_STOP = re.compile(r"[.;!?]")
_COORDINATORS = frozenset(("and", "but", "whereas", "while", "or", "yet"))
_PERFECT = frozenset(("has", "have", "had"))
_PAST = frozenset(("has", "have", "had", "was", "were", "been", "having"))


def places_differ(pair: WordMatch) -> Iterator[str]:
    """Words of one predicate that the source spreads over several, numbers that belong elsewhere, and what is done already there.

    Args:
        pair: a sentence of the claim beside a statement of the evidence.
    """
    yield from _scattered(pair)
    yield from _numbers(pair)
    yield from _perfect(pair)


def _scattered(pair: WordMatch) -> Iterator[str]:
    theirs = _statements(pair.source)
    if len(theirs) < 2:
        return
    for own in _statements(pair.claim):
        words = [i for i in own if i in pair.claim.place and i in pair.forth and i not in pair.claim.conditional]
        if words and not any(_holds(pair, each, words) for each in theirs):
            yield f"scattered: {' '.join(pair.claim.tokens[i].low for i in words)}"


def _statements(said: ReadStatement) -> list[frozenset[int]]:
    """The tokens of each statement of a sentence: predicates with one subject are one, and what follows a colon or a dash."""
    found: list[set[int]] = []
    for each in predicates_of(said.reading):
        own = set(range(each.start, each.stop))
        first, before = said.tokens[each.start], said.tokens[each.start - 1]
        parted = first.clause != before.clause and _STOP.search(said.reading.text, before.end, first.start)
        anew = first.low in _COORDINATORS and not each.subject
        if found and not parted and not anew:
            found[-1] |= own
        else:
            found.append(own | set(each.subject))
    return [frozenset(each) for each in found]


def _holds(pair: WordMatch, places: frozenset[int], words: list[int]) -> bool:
    """Whether a statement of the source has all the words."""
    keys = {pair.source.tokens[j].key for j in places}
    return all(any(j in places or pair.source.tokens[j].key in keys for j in pair.forth[i]) for i in words)


def _numbers(pair: WordMatch) -> Iterator[str]:
    """Two numbers that have changed places, while the words before them have not."""
    placed = []
    for n, token in enumerate(pair.claim.tokens):
        same = [
            k
            for k, each in enumerate(pair.source.tokens)
            if each.role == token.role == "number" and each.key == token.key
        ]
        before = [j for i in pair.claim.content if i < n for j in pair.forth.get(i, ())[:1]]
        if len(same) == 1 and before:
            placed.append((same[0], before[-1], token.low))
    for (k, j, low), (other, beside, _) in pairwise(placed):
        if k > other and j < beside:
            yield f"beside: {low}"


def _perfect(pair: WordMatch) -> Iterator[str]:
    """What the claim says has been done, where the source says nothing of what was."""
    low = {token.low for token in pair.source.tokens}
    for n, token in enumerate(pair.claim.tokens[:-1]):
        behind = pair.claim.tokens[n + 1]
        if n in pair.claim.conditional or (n and pair.claim.tokens[n - 1].low in ("that", "which", "who")):
            continue
        if token.low in _PERFECT and behind.low.endswith(("ed", "en", "been")) and not low & _PAST:
            yield f"done: {token.low} {behind.low}"
