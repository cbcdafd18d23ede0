"""The statements of the evidence that a sentence of a claim is about, by how much of what it says each holds."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import lru_cache

from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.reading.stems import canonical_stems
from coditect.language.tables import read_table
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.pairs import AlignedPair, pair_with

__all__ = ["NAMED", "find_pairs", "held_share", "joined_run", "weight_of"]

NAMED = 1.5
"""How much a name, a quantity or a place weighs beside a word."""

_MOST = 4
"""Statements that a sentence is aligned with."""

_LIGHT = frozenset(canonical_stems(read_table("plain_words").words("light")))
_GENERIC = frozenset(canonical_stems(read_table("actors").words("generic")))
_LITTLE = 0.25
_RUN = 2


@lru_cache(maxsize=64)
def find_pairs(claim: SentenceReading, offset: int, index: EvidenceIndex) -> tuple[AlignedPair, ...]:
    """A sentence of a claim beside the statements that hold most of it, best first; both stages ask for the same in a row.

    Args:
        claim: the sentence.
        offset: where it begins in the whole claim, code points.
        index: the evidence.

    Returns:
        None at all where no statement has any of its words. Of statements of which one is part of the other, and which hold as
        much, the smaller one alone.
    """
    ranked = index.rank(claim.words)[:_MOST]
    scored = [
        (held_share(pair), share, pair) for share, pair in ((s, pair_with(claim, offset, index, n)) for s, n in ranked)
    ]
    scored.sort(key=lambda each: (-round(each[0], 6), -round(each[1], 6), len(each[2].evidence.text)))
    return tuple(_without_wholes([pair for _, _, pair in scored]))


def _without_wholes(pairs: list[AlignedPair]) -> Iterator[AlignedPair]:
    """Pairs in order, without a list as a whole where one of its items, told with its lead-in, comes before it."""
    for number, pair in enumerate(pairs):
        own = _places(pair)
        if not any(
            own > _places(other) and pair.source.text_index == other.source.text_index for other in pairs[:number]
        ):
            yield pair


def _places(pair: AlignedPair) -> frozenset[int]:
    composed = pair.source.statement.composed
    return frozenset(start for start, _ in composed.places) if composed else frozenset()


def held_share(pair: AlignedPair) -> float:
    """The share of what a sentence says that has a counterpart in the evidence, by weight, 0..1; 1 where it says nothing."""
    weights = [(weight_of(token), n in pair.forth) for n, token in enumerate(pair.claim.tokens) if token.has_substance]
    total = sum(weight for weight, _ in weights)
    return sum(weight for weight, held in weights if held) / total if total else 1.0


def joined_run(pair: AlignedPair, held: Container[int]) -> list[int]:
    """The first run of words of a claim that a statement has, and another that holds most of the claim has not.

    Args:
        pair: the claim beside the statement.
        held: indexes of the claim's tokens that the other one has.

    Returns:
        Token indexes, at least two; none where there is no such run.
    """
    run: list[int] = []
    for n in pair.claim.content:
        if n in held:
            continue
        if n in pair.forth:
            run.append(n)
        elif len(run) >= _RUN:
            break
        else:
            run = []
    return run if len(run) >= _RUN else []


def weight_of(token: Token) -> float:
    """How much a token of substance says: names, quantities and places most, words such as "make" and "firm" little."""
    if token.role in ("number", "reference"):
        return NAMED
    if token.key in _LIGHT or (token.key in _GENERIC and not token.proper):
        return _LITTLE
    return NAMED if token.proper else 1.0
