"""Conditions and exceptions of a sentence: what introduces them, what they say, and whether they lead their clause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.reading.stems import canonical_stems
from coditect.language.tables import read_table

__all__ = ["Condition", "find_conditions"]

_BODY = 18
_FAR = 60
_ASKING = frozenset(canonical_stems(read_table("conditions").words("asking")))
_UPON = frozenset(canonical_stems(read_table("conditions").words("upon")))


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition or exception in a sentence.

    Attributes:
        at: token index of the words that introduce it.
        key: if, when, unless or despite.
        body: token indexes of its words of substance, at most 18.
        leads: whether it stands before the clause that it governs.
        stop: one past the last token index of the body.
    """

    at: int
    key: str
    body: tuple[int, ...]
    leads: bool
    stop: int


def find_conditions(reading: SentenceReading) -> list[Condition]:
    """The conditions of a sentence, in order.

    Args:
        reading: the sentence.
    """
    tokens = reading.tokens
    found = []
    for n, token in enumerate(tokens):
        if token.role != "condition" or _leads_on(tokens, n):
            continue
        if token.low == "upon" and n and tokens[n - 1].key in _UPON:
            continue
        if token.low == "if" and n and tokens[n - 1].key in _ASKING:
            continue  # "determine if" is "determine whether"
        leads = n == 0 or (token.comma and _opens(tokens, n))
        body, stop = _body(tokens, n, leads)
        found.append(Condition(n, token.key, tuple(body), leads, stop))
    return found


def _leads_on(tokens: Sequence[Token], at: int) -> bool:
    """Whether another condition follows at once and decides: "provided that, if"."""
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    if behind is None or behind.role != "condition":
        return False
    return behind.key in ("if", "unless") or tokens[at].low.startswith("provided")


def _body(tokens: Sequence[Token], at: int, leads: bool) -> tuple[list[int], int]:
    """The words of substance behind what introduces a condition, and where they stop."""
    body: list[int] = []
    stop = at + 1
    for k in range(at + 1, len(tokens)):
        other = tokens[k]
        if other.clause != tokens[at].clause or len(body) >= _BODY:
            break
        if (other.role == "condition" and body) or (other.comma and len(body) >= (1 if leads else 2) and k > at + 1):
            break
        if leads and other.role == "modal" and body and not _comma_follows(tokens, k):
            break
        if other.has_substance:
            body.append(k)
        stop = k + 1
    return body, stop


def _opens(tokens: Sequence[Token], at: int) -> bool:
    """Whether the main clause stands behind: in its clause a binding expression follows and none goes before."""
    clause = tokens[at].clause
    before = any(token.role == "modal" and token.clause == clause for token in tokens[max(0, at - _FAR) : at])
    return not before and any(token.role == "modal" and token.clause == clause for token in tokens[at + 1 : at + _FAR])


def _comma_follows(tokens: Sequence[Token], at: int) -> bool:
    """Whether a comma ends the clause of a token before another binding expression: "if they cannot agree, …"."""
    for token in tokens[at + 1 : at + 16]:
        if token.comma:
            return token.clause == tokens[at].clause
        if token.role == "modal":
            return False
    return False
