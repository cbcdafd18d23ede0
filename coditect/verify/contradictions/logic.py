"""Contradictions in what a clause says of itself: scope, connectives, order, opposites."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.language.reading.binding import says_only
from coditect.language.reading.conditions import find_conditions
from coditect.language.reading.negation import PREFIXES
from coditect.language.reading.oppositions import opposite_kind
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table
from coditect.verify.alignment.focus import find_moved_focus, is_focus_kept
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, Kind, contradiction
from coditect.verify.contradictions.limits import is_limit_kept
from coditect.verify.contradictions.numbers import is_bound_kept
from coditect.verify.contradictions.polarity import denies, next_content

__all__ = ["find_connectives", "find_opposites", "find_orders", "find_quantifiers"]

_ORDERS = read_table("conditions").mapping("as_orders")
_TEMPORAL = re.compile("|".join(read_table("bounds").words("temporal")))
_VAGUE = frozenset(read_table("quantifiers").words("vague"))
_NEGATED_REACH = 8
"""Tokens before a bound of time among which a negation turns it."""
_ADJECTIVES = frozenset(read_table("bounds").words("adjectives"))
_REACH = 12
"""Tokens before two joined words among which a negation or permission over both stands."""
_CONNECTIVES = ("and", "or")
_MOST_JOINED = 6
_PART = 4
_NEAR = 0.7
_PARTS = frozenset(("half", "part", "portion", "third", "quarter", "quarters"))
_UPPER, _LOWER = ("at most", "less", "before"), ("at least", "more", "after")
_OPPOSABLE = ("word", "function", "comparator", "order", "condition")
_SCOPE: dict[frozenset[str], float] = {
    frozenset(("all", "some")): 1.0,
    frozenset(("all", "most")): 0.9,
    frozenset(("most", "some")): 0.6,
    frozenset(("both", "either")): 0.6,
    frozenset(("both", "some")): 0.7,
    frozenset(("all", "none")): 1.0,
    frozenset(("some", "none")): 1.0,
}


def find_quantifiers(pair: AlignedPair) -> Iterator[Contradiction]:
    """All against some, each against none, "only" added or dropped.

    Args:
        pair: the claim beside its evidence.
    """
    for seen, added in ((pair, True), (pair.turned(), False)):
        for n, token in enumerate(seen.claim.tokens):
            if token.role == "quantifier" and token.key == "only":
                yield from _only(pair, seen, n, added=added)
            elif token.role == "quantifier" and added:
                yield from _scope(pair, n)


def _scope(pair: AlignedPair, n: int) -> Iterator[Contradiction]:
    token = pair.claim.tokens[n]
    at = next_content(pair.claim, n)
    j = pair.forth.get(at) if at is not None else None
    if at is None or j is None:
        return
    tokens = pair.evidence.tokens
    meant = [
        (other, "none" if other.role == "negation" else other.key)
        for other in tokens[max(0, j - (at - n) - 2) : j]
        if (other.role == "quantifier" and other.key != "only") or other.low in ("no", "none", "neither")
    ]
    if not meant and token.key == "all":
        meant = [(other, "some") for other in tokens[max(0, j - _PART) : j] if other.low in _PARTS]
    if not meant and token.key == "all":
        meant = list(_limited_elsewhere(pair, j))
    if meant:
        other, key = meant[-1]
        severity = _SCOPE.get(frozenset((token.key, key)), 0.0)
        if token.key == "all" and key in ("some", "most") and n and pair.claim.tokens[n - 1].negates:
            return  # "cannot always" is "can for some"
        if severity and all(each.key != token.key for each, _ in meant):
            yield contradiction(pair, "quantifier", severity, token, other)
    elif token.key in ("some", "most") and token.low.split()[0] not in _VAGUE:
        detail = f"the claim limits “{pair.claim.tokens[at].low}” to “{token.low}”"
        yield contradiction(pair, "quantifier", 0.6, token, tokens[j], detail)


def _limited_elsewhere(pair: AlignedPair, at: int) -> Iterator[tuple[Token, str]]:
    """What limits a word of the evidence where it has it again: "a complaint", and later "most complaints"."""
    tokens = pair.evidence.tokens
    for n, token in enumerate(tokens):
        before = tokens[n - 1] if n else None
        if n != at and token.key == tokens[at].key and before and (before.role, before.key) == ("quantifier", "most"):
            yield before, before.key


def find_connectives(pair: AlignedPair) -> Iterator[Contradiction]:
    """What joins the same words otherwise, "and" for "or"; under a negation or a permission both come to the same.

    Args:
        pair: the claim beside its evidence.
    """
    tokens, theirs = pair.claim.tokens, pair.evidence.tokens
    for n, token in enumerate(tokens):
        if token.low not in _CONNECTIVES or _joins_slash(pair.claim, n):
            continue
        left, right = pair.anchors(n, 1)
        if left is None or right is None or not 0 < abs(right - left) <= _MOST_JOINED:
            continue
        between = range(min(left, right) + 1, max(left, right))
        joints = [k for k in between if theirs[k].low in _CONNECTIVES]
        if not joints or any(theirs[k].low == token.low or _joins_slash(pair.evidence, k) for k in joints):
            continue
        before = theirs[max(0, min(left, right) - _REACH) : min(left, right)]
        loose = any(denies(each) or (each.role, each.key) == ("modal", "may") for each in before)
        loose = loose or any(each.negates for each in tokens[max(0, n - _PART) : n])  # "no A or B" for "all A and B"
        other = theirs[joints[0]]
        yield contradiction(pair, "quantifier", 0.4 if loose else 0.8, token, other)


def _joins_slash(reading: SentenceReading, n: int) -> bool:
    """Whether a connective is part of "and/or"."""
    near = reading.text[max(0, reading.tokens[n].start - 4) : reading.tokens[n].end + 3].casefold()
    return "and/or" in near


def _only(pair: AlignedPair, seen: AlignedPair, n: int, *, added: bool) -> Iterator[Contradiction]:
    token = seen.claim.tokens[n]
    if is_focus_kept(seen, n):
        return
    if added and (moved := find_moved_focus(seen, n)) is not None:
        detail = f"the claim limits other words by “{token.low}” than the evidence"
        yield contradiction(pair, "quantifier", 0.7, token, moved, detail)
        return
    # "Only after it is reprocessed" is as good as "not, unless it is".
    limits = any(other.role == "condition" and other.key == "unless" for other in pair.evidence.tokens)
    limits = limits or (added and (_is_condition_there(pair, n) or _is_scalar(seen.claim, n)))
    left, right = seen.anchors(n, 1)
    if left is None or right is None or not 0 < right - left <= 8:
        if added and not any(says_only(other) for other in seen.evidence.tokens):
            severity = DOUBT if limits else 0.7
            yield contradiction(pair, "quantifier", severity, token, None, f"the claim adds “{token.low}”")
        return
    if any(says_only(other) for other in seen.evidence.tokens[max(0, left - 1) : right + 2]):
        return
    if added:
        yield contradiction(pair, "quantifier", DOUBT if limits else 0.8, token, None, f"the claim adds “{token.low}”")
    elif not is_bound_kept(pair, n):
        gap = pair.claim.tokens[left].end
        yield contradiction(pair, "quantifier", 0.7, gap, token, f"the claim leaves out “{token.low}”")


def _is_scalar(reading: SentenceReading, n: int) -> bool:
    """Whether "only" says that something is little, and excludes nobody: "only a small part"."""
    behind = reading.tokens[n + 1 : n + 2]
    return any(token.low in ("a", "an", *_PARTS, *_VAGUE) or token.role == "number" for token in behind)


def _is_condition_there(pair: AlignedPair, n: int) -> bool:
    """Whether what "only" picks out is what the evidence has as a condition: "passes upon payment", "passes only on payment"."""
    at = next_content(pair.claim, n)
    there = pair.forth.get(at) if at is not None else None
    return there is not None and any(each.at < there < each.stop for each in find_conditions(pair.evidence))


def find_orders(pair: AlignedPair) -> Iterator[Contradiction]:
    """Before against after, more than against less than, in the same place.

    Args:
        pair: the claim beside its evidence.
    """
    for n, token in enumerate(pair.claim.tokens):
        order = _order_at(pair.claim, n)
        if not order or (token.role == "comparator" and _bounds_number(pair.claim, n)):
            continue  # what bounds a quantity is compared with its quantity
        theirs = [
            (other, _order_at(pair.evidence, k)) for k in pair.slot(n, 3) if _ordered(other := pair.evidence.tokens[k])
        ]
        if any(there == order for _, there in theirs):
            continue
        beside = [
            _order_at(pair.claim, m) for m in range(max(0, n - 5), n + 4) if m != n and m < len(pair.claim.tokens)
        ]
        theirs = [(other, there) for other, there in theirs if there not in beside]
        same_form = (other for k, (other, there) in enumerate(theirs) if there == _ordered(other))
        opposed = next((other for other in same_form if _opposed(token, other) and _alike(pair, token, other)), None)
        if opposed is not None and not is_limit_kept(pair):  # "only after" is as good as "not before"
            yield contradiction(pair, "comparative", 1.0, token, opposed)


def _order_at(reading: SentenceReading, n: int) -> str:
    """How a token orders; what is not done within a time is done after it, if at all: "is not resolved within eight weeks"."""
    order = _ordered(reading.tokens[n])
    if order not in _UPPER:
        return order
    before = reading.tokens[max(0, n - _NEGATED_REACH) : n]
    is_denied = any(token.negates and token.clause == reading.tokens[n].clause for token in before)
    return "after" if is_denied else order


def _alike(pair: AlignedPair, token: Token, other: Token) -> bool:
    """Whether both order two events, or both qualify a noun: "prior written notice" says nothing of what comes after the notice."""
    return _qualifies(pair.claim, token) == _qualifies(pair.evidence, other)


def _qualifies(reading: SentenceReading, token: Token) -> bool:
    return token.low in _ADJECTIVES and "to" not in reading.text[token.end :].split()[:1]


def _bounds_number(reading: SentenceReading, n: int) -> bool:
    """Whether a comparator stands right before a quantity."""
    return any(token.role == "number" for token in reading.tokens[n + 1 : n + 3])


def _ordered(token: Token) -> str:
    """How a token orders or bounds: "before", "at least", …; "" where it does not."""
    if token.role in ("order", "comparator"):
        return token.key
    return _ORDERS.get(token.low, "") if token.role == "condition" else ""


def _opposed(one: Token, other: Token) -> bool:
    bounds = [each for each in (one, other) if each.role == "comparator"]
    if not bounds:
        return _ordered(one) != _ordered(other)
    if one.role != other.role and not any(_TEMPORAL.search(each.low) for each in bounds):
        return False
    return (one.key in _UPPER and other.key in _LOWER) or (one.key in _LOWER and other.key in _UPPER)


def find_opposites(pair: AlignedPair) -> Iterator[Contradiction]:
    """A word whose opposite stands in its place.

    Args:
        pair: the claim beside its evidence.
    """
    theirs = pair.evidence.tokens
    for n, token in enumerate(pair.claim.tokens):
        if token.role not in _OPPOSABLE or n in pair.forth:
            continue
        slot = pair.slot(n, 5)
        if any(theirs[k].low == token.low for k in slot):
            continue
        yield from _opposite_elsewhere(pair, n, slot)
        for k in slot:
            kind = None if k in pair.back else _exchanged(token, theirs[k])
            if kind is None:
                continue
            if kind != "negation" or _negated(pair.claim, n) == _negated(pair.evidence, k):
                yield contradiction(pair, kind, 1.0, token, theirs[k])
            break


def _opposite_elsewhere(pair: AlignedPair, n: int, slot: range) -> Iterator[Contradiction]:
    """The opposite of a word outside of its place, where no other word of the claim answers to it: a doubt."""
    token = pair.claim.tokens[n]
    if token.role != "word" or pair.closeness() < _NEAR or any(pair.claim.tokens[m].negates for m in range(n)):
        return
    for k in pair.evidence.content:
        other = pair.evidence.tokens[k]
        if k not in slot and k not in pair.back and other.role == "word" and _exchanged(token, other) is not None:
            yield contradiction(pair, "substitution", DOUBT, token, other)
            return


def _exchanged(one: Token, other: Token) -> Kind | None:
    """What differs where a token stands in the place of its opposite; None where it is none."""
    if other.role not in _OPPOSABLE or other.key == one.key:
        return None
    kind = opposite_kind(_opposable(one), _opposable(other))
    if kind is not None:
        return kind
    for word, condition in ((one, other), (other, one)):
        if word.role == "word" and word.key == "includ" and (condition.role, condition.key) == ("condition", "unless"):
            return "quantifier"
    return "negation" if one.role == other.role == "word" and _prefixed(one.low, other.low) else None


def _opposable(token: Token) -> str:
    """What stands for a token in the table of opposites."""
    if token.role == "word":
        return token.key
    return token.low if token.role in ("comparator", "order") else canonical_stem(token.low)


def _negated(reading: SentenceReading, at: int) -> bool:
    return any(token.negates for token in reading.tokens[max(0, at - 3) : at])


def _prefixed(one: str, other: str) -> bool:
    """Whether one word is the other with a negating prefix."""
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and any(long == prefix + short for prefix in PREFIXES)
