"""Limits that are said from the other side: "may not, unless he consents", "may, with his consent", "requires his consent"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.language.reading.conditions import Condition, find_conditions
from coditect.language.reading.negation import is_negator
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.tables import read_table
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.alignment.predicates import places_spoken_of
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, contradiction
from coditect.verify.contradictions.numbers import is_equal, upper_limits

__all__ = ["find_unlimited", "is_limit_kept"]

_ALLOWED_TIMES = (("after", "before"), ("before", "after"))
"""How the side that asserts says when, and how the side that denies says of which times it does."""
_LATEST = re.compile(r"\b(?:later than|latest)\b")
_HELD = 0.6
"""Share of an exception's words that the other side must have to speak of the excepted case."""
_NEAR = 4
_EXCEPTIVE = ("unless", "despite")
_DEMANDS = ("require", "need")
_UNLIMITED = read_table("predicates").phrases("unlimited")


def is_limit_kept(pair: AlignedPair) -> bool:
    """Whether one side denies with an exception, and the other asserts of the excepted case alone or demands it, or one side denies
    more than a quantity and the other one bounds it by just that: they say the same.

    Args:
        pair: the claim beside its evidence.
    """
    return any(
        _asserts_exception(seen)
        or _demands_exception(seen)
        or _bounds_what_is_denied(seen)
        or _is_on_time_as_denied(seen)
        for seen in (pair, pair.turned())
    )


def _bounds_what_is_denied(seen: AlignedPair) -> bool:
    """Whether the first side of a pair bounds from above what the second one denies more of, and neither denies anything else."""
    denials = [sum(token.negates for token in reading.tokens) for reading in (seen.claim, seen.evidence)]
    if denials != [0, 1]:
        return False
    limits = upper_limits(seen.claim.tokens, denied=False)
    return any(is_equal(one, other) for one in limits for other in upper_limits(seen.evidence.tokens, denied=True))


def _is_on_time_as_denied(seen: AlignedPair) -> bool:
    """Whether the first side of a pair says when, and the second one denies it of every other time: "by May", "not after May"."""
    if sum(token.negates for token in seen.claim.tokens) or sum(token.negates for token in seen.evidence.tokens) != 1:
        return False
    binds = next((token.key for token in seen.claim.tokens if token.role == "modal"), "")
    for n, mine in _ordering(seen.claim):
        for k, theirs in _ordering(seen.evidence):
            if (mine, theirs) not in _ALLOWED_TIMES or (binds == "shall" and mine == "after"):
                continue
            event = _event_behind(seen.claim, n)
            held = [m for m in event if seen.forth.get(m, -1) > k]
            if event and len(held) >= _HELD * len(event):
                return True
    return False


def _ordering(reading: SentenceReading) -> Iterator[tuple[int, str]]:
    """The words of a sentence that set an event before or after another, or bound it by it: "no later than"."""
    for n, token in enumerate(reading.tokens):
        if token.role == "order" and token.key in ("before", "after"):
            yield n, token.key
        elif token.role == "comparator" and _LATEST.search(token.low):
            yield n, "before"
        elif token.role == "condition" and token.low in ("once", "upon"):
            yield n, "after"


def _event_behind(reading: SentenceReading, at: int) -> list[int]:
    """The words of substance behind a word of time, to the end of its clause; none where a figure follows it."""
    tokens = reading.tokens
    if any(token.role == "number" for token in tokens[at + 1 : at + 3]):
        return []
    return [n for n in reading.content if n > at and tokens[n].clause == tokens[at].clause]


def _asserts_exception(seen: AlignedPair) -> bool:
    """Whether what the first side of a pair asserts is what the second side takes out of what it denies."""
    if _denials(seen, seen.claim) % 2 == _denials(seen, seen.evidence) % 2:
        return False
    if next((token.key for token in seen.claim.tokens if token.role == "modal"), "") == "shall":
        return False  # what is not forbidden is no duty
    return any(_is_said_openly(seen, each) for each in find_conditions(seen.evidence) if each.key == "unless")


def _demands_exception(seen: AlignedPair) -> bool:
    """Whether the first side of a pair demands what the second one excepts: "needs consent", "not without consent"."""
    if _denials(seen, seen.claim) % 2 or not _denials(seen, seen.evidence) % 2:
        return False
    tokens = seen.claim.tokens
    demands = [
        n
        for n, token in enumerate(tokens)
        if (token.role, token.key) == ("modal", "shall") and token.low.startswith(_DEMANDS)
    ]
    for each in find_conditions(seen.evidence) if demands else ():
        own = [seen.back[n] for n in each.body if n in seen.back]
        if each.key == "unless" and own and len(own) >= _HELD * len(each.body) and demands[0] < min(own):
            return True
    return False


def _is_said_openly(seen: AlignedPair, exception: Condition) -> bool:
    """Whether the other side has the words of an exception, and neither excepts nor denies them."""
    own = [seen.back[n] for n in exception.body if n in seen.back]
    again = sum(n not in seen.back and seen.evidence.tokens[n].key in seen.claim.keys for n in exception.body)
    if not own or len(own) + again < _HELD * len(exception.body):
        return False
    tokens = seen.claim.tokens
    if any(_denies(token) for token in tokens[max(0, min(own) - _NEAR) : min(own)]):
        return False
    conditions = [each for each in find_conditions(seen.claim) if each.key in _EXCEPTIVE]
    return not any(each.at < n < each.stop for each in conditions for n in own)


def _denials(seen: AlignedPair, reading: SentenceReading) -> int:
    """How often a side of a pair denies what the other one speaks of, its conditions and exceptions left out."""
    inside = [(each.at, each.stop) for each in find_conditions(reading)]
    places = places_spoken_of(seen) if reading is seen.evidence else frozenset(range(len(reading.tokens)))
    return sum(
        token.negates and n in places and not any(at <= n < stop for at, stop in inside)
        for n, token in enumerate(reading.tokens)
    )


def _denies(token: Token) -> bool:
    """Whether a word denies by what it means; a prefix alone is too little here ("disclosed")."""
    is_implicit = token.role == "word" and is_negator(token.low, approximate=True, implicit=True, excluding=True)
    return token.negates or is_implicit or (token.role == "condition" and token.key in _EXCEPTIVE)


def find_unlimited(pair: AlignedPair) -> Iterator[Contradiction]:
    """What the claim says of every case ("under any circumstances"), and the evidence under a condition that the claim has not.

    Args:
        pair: the claim beside its evidence.
    """
    folded = f" {' '.join(pair.claim.text.casefold().split())} "
    said = next((each for each in _UNLIMITED if f" {each} " in folded.replace(".", " ").replace(",", " ")), "")
    if not said or said in pair.evidence.text.casefold():
        return
    for each in find_conditions(pair.evidence):
        lost = [n for n in each.body if n not in pair.back]
        if each.body and len(lost) > 0.5 * len(each.body) and each.key != "despite":
            token = _word(pair, said.split()[-1])
            other = pair.evidence.tokens[each.at]
            detail = f"the claim says it of every case (“{said}”), the evidence limits it by “{other.low}”"
            yield contradiction(pair, "condition", DOUBT, token, other, detail)
            return


def _word(pair: AlignedPair, word: str) -> Token | int:
    return next((token for token in pair.claim.tokens if word in token.low.split()), 0)
