"""Who does it to whom: the subject of a verb on one side that is its object on the other, whatever nouns they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coditect.language.reading.actors import is_label, is_passive
from coditect.language.reading.binding import verb_of
from coditect.language.reading.conditions import find_conditions
from coditect.language.reading.sentence import SentenceReading
from coditect.language.tables import read_table
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.alignment.predicates import Predicate, predicates_of, shares_of
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, contradiction

__all__ = ["find_crossed", "find_exchanged_parties"]

_JOINING = frozenset(read_table("predicates").words("joining"))
_TWO = 2
_NEAREST = 5
"""Words of substance behind a verb among which its objects are looked for."""
_PREPOSITIONS = frozenset(read_table("predicates").words("prepositions"))


@dataclass(frozen=True, slots=True)
class _Sides:
    """The words around a verb that binds somebody.

    Attributes:
        before: token indexes of its subject.
        behind: token indexes of what stands right behind it.
        passive: whether it is a passive.
    """

    before: tuple[int, ...]
    behind: tuple[int, ...]
    passive: bool


def find_exchanged_parties(pair: AlignedPair) -> Contradiction | None:
    """The first verb of the claim whose subject is its object in the evidence, and the reverse.

    Args:
        pair: the claim beside its evidence.
    """
    for verb, sides in _bound(pair.claim):
        at = pair.forth.get(verb)
        same = next((other for there, other in _bound(pair.evidence) if there == at), None)
        if same is None or same.passive != sides.passive:
            continue
        claim, evidence = pair.claim, pair.evidence
        mine, theirs = _own(claim, sides.before, sides.behind), _own(evidence, same.before, same.behind)
        done, suffered = _own(claim, sides.behind, sides.before), _own(evidence, same.behind, same.before)
        if mine and mine <= suffered and theirs & done:
            token, other = claim.tokens[sides.before[0]], evidence.tokens[same.before[0]]
            detail = f"in the claim “{token.low}” has to act, in the evidence it is “{other.low}”"
            return contradiction(pair, "role", 0.9, token, other, detail)
    return None


def find_crossed(pair: AlignedPair) -> Iterator[Contradiction]:
    """A subject with the predicate of another one, of two that are coordinated: title that passes as the risk does. A doubt.

    Args:
        pair: the claim beside its evidence.
    """
    tokens = pair.claim.tokens
    predicates, shares = predicates_of(pair.evidence), shares_of(pair)
    if len(predicates) < _TWO or not shares or len(predicates_of(pair.claim)) > 1:
        return
    if pair.source.statement.composed is not None or any(token.low in _JOINING for token in tokens):
        return
    main, taken = shares[0]
    if _is_second_object(pair, predicates[main]):
        return
    front = [n for n in pair.claim.content if n in pair.forth and n < min(taken)]
    begins = min(taken) > pair.claim.content[0] and bool(front)
    rest = [n for n in pair.claim.content if n in pair.forth and n > min(taken)]
    apart = any(token.comma for token in tokens[front[0] + 1 : min(taken) + 1]) if front else True
    if begins and not apart and all(n in taken for n in rest):
        token, other = tokens[front[0]], pair.evidence.tokens[pair.forth[front[0]]]
        detail = f"the claim says of “{token.low}” what the evidence says of something else"
        start = pair.evidence.tokens[predicates[main].start]
        yield contradiction(pair, "role", DOUBT, token, other if other.start > start.start else start, detail)


def _is_second_object(pair: AlignedPair, predicate: Predicate) -> bool:
    """Whether a predicate is the second of two clauses with "that" of one verb, which the claim has: "ensure that … and that …"."""
    tokens = pair.evidence.tokens
    low = [token.low for token in tokens[predicate.start : predicate.start + _TWO]]
    if len(low) < _TWO or low[0] not in ("and", "or") or low[1] != "that":
        return False
    return any(tokens[n].low == "that" and n - 1 in pair.back for n in range(1, predicate.start))


def _own(reading: SentenceReading, at: tuple[int, ...], other: tuple[int, ...]) -> frozenset[str]:
    """The keys of some words that others have not."""
    return frozenset(reading.tokens[n].key for n in at) - frozenset(reading.tokens[n].key for n in other)


def _bound(reading: SentenceReading) -> list[tuple[int, _Sides]]:
    """The verbs behind binding expressions with the words around them."""
    tokens = reading.tokens
    found = []
    for predicate in predicates_of(reading):
        modal = next((n for n in range(predicate.start, predicate.stop) if tokens[n].role == "modal"), None)
        verb = verb_of(reading, modal) if modal is not None else None
        if modal is None or verb is None or verb >= predicate.stop:
            continue
        sides = _subject(reading, predicate, modal), _objects(reading, predicate, verb)
        found.append((verb, _Sides(*sides, is_passive(tokens, modal, verb))))
    return found


def _subject(reading: SentenceReading, predicate: Predicate, modal: int) -> tuple[int, ...]:
    """The head of what stands before a binding expression in its predicate, without a condition in front and what qualifies it."""
    if predicate.subject:
        return predicate.subject
    start = max([predicate.start, *(each.stop for each in find_conditions(reading) if each.stop <= modal)])
    own: list[int] = []
    for n in range(start, modal):
        token = reading.tokens[n]
        if own and (token.low in _PREPOSITIONS or token.role in ("condition", "order", "by")):
            break
        if token.role == "word" and not is_label(token):
            own.append(n)
    return tuple(own)


def _objects(reading: SentenceReading, predicate: Predicate, verb: int) -> tuple[int, ...]:
    """The words of substance right behind a verb, up to what qualifies it."""
    own: list[int] = []
    for n in range(verb + 1, predicate.stop):
        token = reading.tokens[n]
        if token.role in ("condition", "order", "modal") or len(own) >= _NEAREST:
            break
        if token.role == "word" and not is_label(token):
            own.append(n)
    return tuple(own)
