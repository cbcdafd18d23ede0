"""Which of the coordinated predicates of a statement a claim speaks of: "shall inform …, and shall not answer … unless authorised".

What one predicate denies, limits or makes depend on something is no matter of a claim about another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from coditect.language.reading.conditions import find_conditions
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.tables import read_table
from coditect.verify.alignment.matching import weight_of
from coditect.verify.alignment.pairs import AlignedPair

__all__ = ["Predicate", "places_spoken_of", "predicates_of", "shares_of", "speaks_of"]

_CLAUSES = read_table("predicates")
_COORDINATORS = frozenset(_CLAUSES.words("coordinators"))
_RELATIVES = frozenset(_CLAUSES.words("relatives"))
_FINITE = frozenset(_CLAUSES.words("finite"))
_LONGEST_SUBJECT = 8
"""Tokens between a coordinator and the verb of its predicate, at most."""
_LEAST = 1.5
"""Weight of what a claim must take from a predicate, beside what it takes from better ones, to speak of it as well."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate of a sentence, with the subject that it has or takes over.

    Attributes:
        start: index of its first token.
        stop: one past its last token.
        subject: token indexes of a subject that stands in an earlier predicate; none where it has its own.
    """

    start: int
    stop: int
    subject: tuple[int, ...] = ()


@lru_cache(maxsize=512)
def predicates_of(reading: SentenceReading) -> tuple[Predicate, ...]:
    """The predicates of a sentence, in order, without gaps; the last 512 sentences are remembered."""
    tokens = reading.tokens
    starts = [0, *_starts(reading), len(tokens)]
    found: list[Predicate] = []
    subject: tuple[int, ...] = ()
    for start, stop in pairwise(starts):
        verb = next((n for n in range(start, stop) if _is_finite(tokens[n])), stop)
        own = tuple(n for n in range(start, verb) if tokens[n].has_substance)
        inherits = bool(found) and not own
        found.append(Predicate(start, stop, subject if inherits else ()))
        subject = subject if inherits else own
    return tuple(found)


def _starts(reading: SentenceReading) -> Iterator[int]:
    """Where a predicate begins behind another."""
    tokens = reading.tokens
    inside = {n for each in find_conditions(reading) for n in range(each.at + 1, each.stop)}
    has_verb = False
    for n, token in enumerate(tokens):
        is_new = bool(n) and token.clause != tokens[n - 1].clause
        if is_new or (has_verb and n not in inside and _opens(tokens, n)):
            yield n
            has_verb = False
        has_verb = has_verb or _is_finite(token)


def _opens(tokens: Sequence[Token], n: int) -> bool:
    """Whether a coordinator or a relative behind a comma leads to a verb of its own."""
    token = tokens[n]
    if token.low not in _COORDINATORS and not (token.comma and token.low in _RELATIVES):
        return False
    for other in tokens[n + 1 : n + 1 + _LONGEST_SUBJECT]:
        if _is_finite(other):
            return True
        if other.comma or other.role == "condition" or other.low in _COORDINATORS or other.clause != token.clause:
            return False
    return False


def _is_finite(token: Token) -> bool:
    return token.role == "modal" or token.low in _FINITE


def speaks_of(pair: AlignedPair, at: int) -> bool:
    """Whether the claim speaks of the predicate of the evidence in which a token stands.

    Args:
        pair: the claim beside its evidence.
        at: a token index of the evidence.
    """
    return len(predicates_of(pair.evidence)) == 1 or at in places_spoken_of(pair)


def places_spoken_of(pair: AlignedPair) -> frozenset[int]:
    """The tokens of the evidence that stand in predicates that the claim speaks of.

    Args:
        pair: the claim beside its evidence.
    """
    predicates = predicates_of(pair.evidence)
    return frozenset(n for k, _ in shares_of(pair) for n in range(predicates[k].start, predicates[k].stop))


def shares_of(pair: AlignedPair) -> list[tuple[int, frozenset[int]]]:
    """The predicates of the evidence that a claim speaks of, each with the claim's words that it takes from no better one.

    The one that has most of the claim's words by weight comes first, then the one that has most of the rest.

    Args:
        pair: the claim beside its evidence.

    Returns:
        Indexes of predicates with token indexes of the claim; none where the claim has no word of the evidence.
    """
    holds = [_held(pair, each) for each in predicates_of(pair.evidence)]
    left = frozenset().union(*holds)
    found: list[tuple[int, frozenset[int]]] = []
    while left:
        gains = [(_weight(pair, each & left), -k) for k, each in enumerate(holds)]
        gain, place = max(gains)
        if found and gain < _LEAST:
            break
        found.append((-place, holds[-place] & left))
        left -= holds[-place]
    return found


def _held(pair: AlignedPair, predicate: Predicate) -> frozenset[int]:
    """The words of a claim that a predicate has, in their places or elsewhere in it."""
    tokens = pair.evidence.tokens
    places = {*range(predicate.start, predicate.stop), *predicate.subject}
    keys = {tokens[k].key for k in places if tokens[k].has_substance}
    return frozenset(n for n in pair.claim.content if pair.forth.get(n) in places or pair.claim.tokens[n].key in keys)


def _weight(pair: AlignedPair, at: frozenset[int]) -> float:
    return sum(weight_of(pair.claim.tokens[n]) for n in at)
