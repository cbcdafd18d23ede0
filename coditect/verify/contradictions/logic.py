"""Contradictions in what a clause says of itself: negation, scope, order, opposites."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.verify.contradictions.alignment import Pair
from coditect.verify.contradictions.kinds import Contradiction, Kind
from coditect.verify.contradictions.modality import says_only
from coditect.verify.contradictions.reading import Reading, Token
from coditect.verify.contradictions.words import OPPOSITES, PREFIXES, canonical_stem

__all__ = ["find_negation", "find_opposites", "find_orders", "find_quantifiers"]

_TIMES = {"upon": "after", "once": "after", "as soon as": "after", "until": "before"}
_TIMED = re.compile(r"within|later|earlier|sooner|latest")


def find_negation(pair: Pair, used: set[tuple[str, int]]) -> Iterator[Contradiction]:
    """Negations of one side that the other does not have around the same word.

    Args:
        pair: the claim beside its evidence.
        used: those that the modal expressions have taken in.
    """
    for side, seen in (("claim", pair), ("evidence", pair.turned())):
        for n, token in enumerate(seen.claim.tokens):
            negative = token.role == "negation" or (token.role == "modal" and token.key.endswith("not"))
            if not negative or (side, n) in used:
                continue
            at = _next_content(seen.claim, n)
            if at is None or at not in seen.forth or _negative_near(seen, seen.forth[at]):
                continue
            added = side == "claim"
            detail = f"the claim {'says' if added else 'leaves out'} “{token.low}” before “{seen.claim.tokens[at].low}”"
            mine = (pair.offset + token.start, pair.offset + token.end) if added else _gap(pair, seen.forth[at])
            span = pair.evidence_span(pair.evidence.tokens[seen.forth[at]] if added else token)
            yield Contradiction("negation", 0.9, mine, pair.index, span, detail)


def _gap(pair: Pair, at: int) -> tuple[int, int]:
    """The empty span before a claim's token."""
    start = pair.offset + pair.claim.tokens[at].start
    return start, start


def _next_content(reading: Reading, n: int) -> int | None:
    tokens = reading.tokens
    for m in range(n + 1, min(len(tokens), n + 5)):
        if tokens[m].role in ("word", "number"):
            return m
    return None


def _negative_near(pair: Pair, at: int) -> bool:
    """Whether the other side negates the counterpart of a word, within six tokens before it or one behind."""
    tokens = pair.evidence.tokens
    for n in range(max(0, at - 6), min(len(tokens), at + 2)):
        token = tokens[n]
        if (
            token.role == "negation"
            or (token.role == "modal" and token.key.endswith("not"))
            or (token.role == "modal" and token.key == "free")
        ):
            return True
        if token.role == "condition" and token.key == "unless":
            return True
    return False


_CONTENT = ("word", "function", "comparator", "order", "condition")
_SCOPE: dict[frozenset[str], float] = {
    frozenset(("all", "some")): 1.0,
    frozenset(("all", "most")): 0.9,
    frozenset(("most", "some")): 0.6,
    frozenset(("both", "either")): 0.6,
    frozenset(("both", "some")): 0.7,
    frozenset(("all", "none")): 1.0,
    frozenset(("some", "none")): 1.0,
}


def find_quantifiers(pair: Pair) -> Iterator[Contradiction]:
    """All against some, each against none, "only" added or dropped.

    Args:
        pair: the claim beside its evidence.
    """
    for seen, added in ((pair, True), (pair.turned(), False)):
        for n, token in enumerate(seen.claim.tokens):
            if token.role != "quantifier":
                continue
            if token.key == "only":
                yield from _only(pair, seen, n, token, added=added)
            elif added:
                yield from _scope(pair, n, token)


def _scope(pair: Pair, n: int, token: Token) -> Iterator[Contradiction]:
    at = _next_content(pair.claim, n)
    j = pair.forth.get(at) if at is not None else None
    if at is None or j is None:
        return
    tokens = pair.evidence.tokens
    window = range(max(0, j - (at - n) - 2), j)
    theirs = [
        tokens[k]
        for k in window
        if (tokens[k].role == "quantifier" and tokens[k].key != "only")
        or (tokens[k].role == "negation" and tokens[k].low in ("no", "none", "neither"))
    ]
    if not theirs:
        if token.key in ("some", "most") and token.low not in ("certain", "several", "certain of"):
            detail = f"the claim limits “{pair.claim.tokens[at].low}” to “{token.low}”"
            yield Contradiction(
                "quantifier", 0.6, pair.claim_span(token), pair.index, pair.evidence_span(tokens[j]), detail
            )
        return
    other = theirs[-1]
    meant = "none" if other.role == "negation" else other.key
    severity = _SCOPE.get(frozenset((token.key, meant)), 0.0)
    if severity and not any(each.key == token.key for each in theirs):
        detail = f"the claim says “{token.low}”, the evidence “{other.low}”"
        yield Contradiction(
            "quantifier", severity, pair.claim_span(token), pair.index, pair.evidence_span(other), detail
        )


def _only(pair: Pair, seen: Pair, n: int, token: Token, *, added: bool) -> Iterator[Contradiction]:
    left, right = seen.anchors(n, 1)
    if left is None or right is None or not 0 < right - left <= 8:
        return
    theirs = seen.evidence.tokens[max(0, left - 1) : right + 2]
    if any(says_only(other) for other in theirs):
        return
    if added:
        detail = f"the claim adds “{token.low}”"
        yield Contradiction("quantifier", 0.8, pair.claim_span(token), pair.index, (0, 0), detail)
    else:
        detail = f"the claim leaves out “{token.low}”"
        at = pair.offset + pair.claim.tokens[left].end
        yield Contradiction("quantifier", 0.7, (at, at), pair.index, pair.evidence_span(token), detail)


def find_orders(pair: Pair) -> Iterator[Contradiction]:
    """Before against after, more than against less than, in the same place.

    Args:
        pair: the claim beside its evidence.
    """
    for n, token in enumerate(pair.claim.tokens):
        if not _ordered(token):
            continue
        slot = [pair.evidence.tokens[k] for k in pair.slot(n, 3)]
        theirs = [other for other in slot if _ordered(other)]
        if not theirs or any(_ordered(other) == _ordered(token) for other in theirs):
            continue
        for other in theirs:
            if _opposed(token, other):
                detail = f"the claim says “{token.low}”, the evidence “{other.low}”"
                yield Contradiction(
                    "comparative", 1.0, pair.claim_span(token), pair.index, pair.evidence_span(other), detail
                )
                break


def _ordered(token: Token) -> str:
    """How a token orders or bounds: "before", "at least", …; "" where it does not."""
    if token.role in ("order", "comparator"):
        return token.key
    return _TIMES.get(token.low, "") if token.role == "condition" else ""


def _opposed(one: Token, other: Token) -> bool:
    upper, lower = {"at most", "less", "before"}, {"at least", "more", "after"}
    if "comparator" not in (one.role, other.role):
        return _ordered(one) != _ordered(other)
    if one.role != other.role and not any(
        _TIMED.search(each.low) for each in (one, other) if each.role == "comparator"
    ):
        return False
    return (one.key in upper and other.key in lower) or (one.key in lower and other.key in upper)


def find_opposites(pair: Pair) -> Iterator[Contradiction]:
    """A word whose opposite stands in its place.

    Args:
        pair: the claim beside its evidence.
    """
    own, theirs = pair.claim.tokens, pair.evidence.tokens
    for n, token in enumerate(own):
        if token.role not in _CONTENT or n in pair.forth:
            continue
        if token.role == "function" and canonical_stem(token.low) not in OPPOSITES:
            continue
        slot = pair.slot(n, 5)
        if any(theirs[k].low == token.low for k in slot):
            continue
        opposites = OPPOSITES.get(_opposable(token), {})
        for k in slot:
            other = theirs[k]
            if k in pair.back or other.role not in _CONTENT or other.key == token.key:
                continue
            kind: Kind | None = opposites.get(_opposable(other)) or _excluded(token, other)
            if kind is None and token.role == other.role == "word" and _prefixed(token.low, other.low):
                kind = "negation"
            if kind is not None:
                if kind == "negation" and _negated(pair.claim, n) != _negated(pair.evidence, k):
                    break
                detail = f"the claim says “{token.low}”, the evidence “{other.low}”"
                yield Contradiction(kind, 1.0, pair.claim_span(token), pair.index, pair.evidence_span(other), detail)
                break


def _opposable(token: Token) -> str:
    """What stands for a token in the table of opposites."""
    if token.role == "word":
        return token.key
    return token.low if token.role in ("comparator", "order") else canonical_stem(token.low)


def _excluded(one: Token, other: Token) -> Kind | None:
    """Whether one includes what the other excepts."""
    for word, condition in ((one, other), (other, one)):
        if word.role == "word" and word.key == "includ" and condition.role == "condition":
            return "quantifier" if condition.key == "unless" else None
    return None


def _negated(reading: Reading, at: int) -> bool:
    return any(
        reading.tokens[n].role == "negation"
        or (reading.tokens[n].role == "modal" and reading.tokens[n].key.endswith("not"))
        for n in range(max(0, at - 3), at)
    )


def _prefixed(one: str, other: str) -> bool:
    """Whether one word is the other with a negating prefix."""
    short, long = sorted((one, other), key=len)
    if len(short) < 4 or long == short:
        return False
    return any(long == prefix + short for prefix in PREFIXES)
