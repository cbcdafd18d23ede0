"""How far a clause binds: shall, may, should, need not, must not, in whatever words, with the negations around them taken in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.tables import read_table

__all__ = ["Stance", "find_stance", "governing_modal", "is_apart", "leads_on", "opens_relative", "says_only", "verb_of"]

_BACK = 22
_WITH_OBJECT = 2
"""Words between a binding expression and an infinitive: a verb, and somebody else who is to act."""
_TABLE = read_table("binding")
_NEEDED = re.compile(rf"\b(?:{'|'.join(_TABLE.words('needed'))})\b")
_RIGHTS = frozenset(_TABLE.words("rights"))
_ONLY = re.compile(rf"\b(?:{'|'.join(read_table('quantifiers').words('exclusive'))})\b")
_SOLE = frozenset(read_table("quantifiers").words("sole"))
_BEFORE = frozenset((*_TABLE.phrases("adverbs"), *_TABLE.phrases("before")))
_BEHIND = frozenset((*_TABLE.phrases("adverbs"), *_TABLE.phrases("behind")))
_RELATIVES = frozenset((*read_table("predicates").words("relatives"), "that"))
_NEGATED = {
    "shall": "shall not", "may": "shall not", "recommended": "recommended not", "shall not": "shall",
    "recommended not": "recommended", "free": "shall",
}  # fmt: skip


class Stance(NamedTuple):
    """How a binding expression binds.

    Attributes:
        key: shall, shall not, may, free, recommended or recommended not.
        used: token indexes of the negations and outer expressions that were taken in.
    """

    key: str
    used: tuple[int, ...]


def governing_modal(reading: SentenceReading, at: int) -> int | None:
    """The binding expression that governs the verb at a token, or None.

    The last one before it in its clause, no more than 22 tokens away.

    Args:
        reading: the sentence.
        at: token index of the verb.
    """
    tokens = reading.tokens
    for n in range(at - 1, max(-1, at - _BACK), -1):
        if tokens[n].role == "modal":
            return n
        if tokens[n].clause != tokens[at].clause and at - n > 6:
            return None
    return None


def is_apart(reading: SentenceReading, modal: int, verb: int) -> bool:
    """Whether a verb stands in a condition or an infinitive of its own: "until he releases it", "shall permit him to inspect it".

    Args:
        reading: the sentence.
        modal: token index of a binding expression.
        verb: token index of a verb behind it.
    """
    between = reading.tokens[modal + 1 : verb]
    if any(token.role == "condition" for token in between):
        return not any(token.comma for token in reading.tokens[modal + 1 : verb + 1])
    named = sum(token.role == "word" for token in between)
    return named >= _WITH_OBJECT and between[-1].low == "to"  # "may elect to end it" binds to end it


def verb_of(reading: SentenceReading, modal: int) -> int | None:
    """The first word of substance behind a binding expression, adverbs passed over; None where another follows first."""
    for n, token in enumerate(reading.tokens[modal + 1 : modal + 7], modal + 1):
        if token.role == "word" and not token.low.endswith("ly"):
            return n
        if token.role == "modal":
            return None
    return None


def leads_on(reading: SentenceReading, modal: int) -> bool:
    """Whether another binding expression follows at once and has the say: "must" in "must have the right to"."""
    return modal + 1 < len(reading.tokens) and reading.tokens[modal + 1].role == "modal"


def says_only(token: Token) -> str:
    """The word of a token that excludes everything else ("only", "solely"); "" where it has none."""
    if token.role in ("condition", "modal"):
        found = _ONLY.search(token.low)
        return found[0] if found else ""
    return token.low if token.key == "only" or token.low in _SOLE else ""


def find_stance(reading: SentenceReading, modal: int) -> Stance:
    """How a binding expression binds, negated subjects ("no party may") and adverbs ("shall in no event") taken in.

    Args:
        reading: the sentence.
        modal: token index of the expression.
    """
    tokens = reading.tokens
    key, used = tokens[modal].key, []
    if modal and tokens[modal - 1].role == "modal":
        return Stance(_composed(tokens[modal - 1].key, tokens[modal]), (modal - 1,))
    if key == "shall" and _has_right(tokens, modal):
        key = "may"
    before = _negation_before(reading, modal)
    if before is not None:
        needless = key == "shall" and _NEEDED.search(tokens[modal].low)
        key, used = "free" if needless else _NEGATED.get(key, key), [before]
    for n, token in enumerate(tokens[modal + 1 : modal + 4], modal + 1):
        if token.role == "negation" and token.low in _BEHIND:
            key, used = _NEGATED.get(key, key), [*used, n]
            break
        if token.role == "word" and not token.low.endswith("ly"):
            break
    return Stance(key, tuple(used))


def _negation_before(reading: SentenceReading, modal: int) -> int | None:
    """A negation in the subject of a binding expression that turns it, or None.

    "No seller who will …, may": what is bound inside of a relative clause is not turned, and what stands behind it is.
    """
    tokens = reading.tokens
    if opens_relative(tokens, modal):
        return None
    passed = next((n for n in range(modal - 1, max(-1, modal - _BACK), -1) if tokens[n].role == "modal"), modal)
    start, reach = (passed, _BACK) if opens_relative(tokens, passed) else (modal, 9)
    for n in range(start - 1, max(-1, start - reach), -1):
        token = tokens[n]
        if token.role in ("modal", "condition") or token.clause != tokens[modal].clause:
            return None
        if token.comma and start - n > 6:
            return None
        if token.role == "negation" and token.low in _BEFORE:
            return None if _conditional(reading, n, modal) else n
    return None


def opens_relative(tokens: Sequence[Token], modal: int) -> bool:
    """Whether a binding expression stands right behind a relative that belongs to a denied subject: "no one who may".

    Args:
        tokens: of the sentence.
        modal: index of the expression.
    """
    if not modal or tokens[modal - 1].low not in _RELATIVES:
        return False
    before = (token for token in reversed(tokens[: modal - 1]) if token.role in ("modal", "condition") or token.negates)
    denied = next(before, None)
    return denied is not None and denied.low in _BEFORE


def _composed(outer: str, inner: Token) -> str:
    """How two binding expressions in a row bind: "should be required to", "shall not be restricted from"."""
    if outer.endswith("not"):
        if inner.key.endswith("not"):
            return "may"
        return "free" if _NEEDED.search(inner.low) else _NEGATED.get(inner.key, inner.key)
    return outer if inner.key == "shall" and outer in ("may", "recommended") else inner.key


def _has_right(tokens: Sequence[Token], modal: int) -> bool:
    """Whether "have the right" and the like follow: a permission, whatever the verb before it."""
    if modal + 1 >= len(tokens) or tokens[modal + 1].low not in ("have", "has", "retain", "reserve"):
        return False
    return any(token.low in _RIGHTS for token in tokens[modal + 2 : modal + 9])


def _conditional(reading: SentenceReading, negation: int, modal: int) -> bool:
    """Whether a negation belongs to a condition that a comma parts from what the binding expression governs."""
    tokens = reading.tokens
    if not any(tokens[n].comma for n in range(negation + 1, modal + 1)):
        return False
    for n in range(negation - 1, -1, -1):
        if tokens[n].role == "modal" or tokens[n].clause != tokens[modal].clause:
            return False
        if tokens[n].role == "condition":
            return True
    return False
