"""Contradictions in conditions and exceptions: dropped, added, turned around."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from coditect.verify.contradictions_alignment import Pair
from coditect.verify.contradictions_kinds import Contradiction
from coditect.verify.contradictions_reading import Reading, Token

__all__ = ["Condition", "conditions", "find_conditions"]

_BODY = 14
_HOLDS = 0.5
_SIGNS = {"if": 1, "when": 1, "unless": -1, "despite": 0}
_TIMED = frozenset(("until", "during", "while", "once", "upon"))


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition or exception in a sentence.

    Attributes:
        at: token index of the words that introduce it.
        key: if, when, unless or despite.
        body: token indexes of its words of meaning, at most 14.
        leads: whether it stands before the clause that it governs.
        stop: one past the last token index of the body.
    """

    at: int
    key: str
    body: tuple[int, ...]
    leads: bool
    stop: int


def conditions(reading: Reading) -> list[Condition]:
    """The conditions of a sentence, in order.

    Args:
        reading: the sentence.
    """
    tokens = reading.tokens
    found = []
    for n, token in enumerate(tokens):
        if token.role != "condition":
            continue
        leads = n == 0 or (
            token.comma
            and not any(
                tokens[k].role == "modal" and tokens[k].clause == token.clause for k in range(max(0, n - 30), n)
            )
        )
        body: list[int] = []
        stop = n + 1
        for k in range(n + 1, len(tokens)):
            other = tokens[k]
            if other.clause != token.clause or len(body) >= _BODY:
                break
            if other.role == "condition" and k > n + 1 and body:
                break
            if other.comma and len(body) >= 2 and k > n + 1:
                break
            if leads and other.role == "modal" and body:
                break
            if other.role in ("word", "number", "reference"):
                body.append(k)
            stop = k + 1
        found.append(Condition(n, token.key, tuple(body), leads, stop))
    return found


def find_conditions(pair: Pair) -> Iterator[Contradiction]:
    """Conditions that the claim drops, adds or turns around.

    Args:
        pair: the claim beside its evidence.
    """
    mine, theirs = conditions(pair.claim), conditions(pair.evidence)
    matched: set[int] = set()
    for condition in theirs:
        yield from _missing(pair, condition, mine, matched)
    for condition in mine:
        if condition.at not in matched:
            yield from _added(pair, condition, theirs)


def _missing(pair: Pair, theirs: Condition, mine: list[Condition], matched: set[int]) -> Iterator[Contradiction]:
    token = pair.evidence.tokens[theirs.at]
    if not theirs.body:
        return
    share = _share(pair.evidence, theirs, pair.back)
    best = max(mine, key=lambda each: (_common(pair, each, theirs), -each.at), default=None)
    if best is not None and _common(pair, best, theirs) >= 0.34:
        matched.add(best.at)
        if _SIGNS[best.key] * _SIGNS[theirs.key] < 0 or (
            0 in (_SIGNS[best.key], _SIGNS[theirs.key]) and best.key != theirs.key
        ):
            said = pair.claim.tokens[best.at]
            if _balanced(pair, best, theirs):
                return
            detail = f"the claim says “{said.low}”, the evidence “{token.low}”"
            yield Contradiction("condition", 1.0, pair.claim_span(said), pair.index, pair.evidence_span(token), detail)
        return
    if not _governs(pair, theirs):
        return
    words = pair.evidence.text[token.start : pair.evidence.tokens[theirs.body[min(5, len(theirs.body) - 1)]].end]
    if share < _HOLDS:
        severity = 0.4 if token.low in _TIMED or theirs.key == "despite" else (0.6 if theirs.key == "when" else 0.9)
        detail = f"the claim leaves out “{' '.join(words.split())}”"
        yield Contradiction("condition", severity, _place(pair, theirs), pair.index, pair.evidence_span(token), detail)
    elif theirs.key in ("unless", "if"):
        severity = 0.8 if theirs.key == "unless" else 0.5
        detail = f"the claim has the words but not the “{token.low}” of “{' '.join(words.split())}”"
        yield Contradiction("condition", severity, _place(pair, theirs), pair.index, pair.evidence_span(token), detail)


def _balanced(pair: Pair, mine: Condition, theirs: Condition) -> bool:
    """Whether a negation in one body makes up for the other's introduction: "if not" is "unless"."""
    negative = [
        any(_negates(reading.tokens[n]) for n in range(each.at + 1, each.stop))
        for reading, each in ((pair.claim, mine), (pair.evidence, theirs))
    ]
    return negative[0] != negative[1]


def _negates(token: Token) -> bool:
    return token.role == "negation" or (token.role == "modal" and token.key.endswith("not"))


def _share(reading: Reading, condition: Condition, aligned: dict[int, int]) -> float:
    """How much of a condition's body the other side has; words that occur outside of it do not count where others do."""
    outside = {reading.tokens[n].key for n in reading.content if not condition.at < n < condition.stop}
    own = [n for n in condition.body if reading.tokens[n].key not in outside] or list(condition.body)
    return sum(n in aligned for n in own) / len(own)


def _common(pair: Pair, mine: Condition, theirs: Condition) -> float:
    """The share of two bodies' words that they have in common, of the smaller one."""
    if not mine.body or not theirs.body:
        return 0.0
    inside = set(theirs.body)
    keys = {pair.evidence.tokens[n].key for n in theirs.body}
    hits = sum(pair.forth.get(n, -1) in inside or pair.claim.tokens[n].key in keys for n in mine.body)
    return hits / min(len(mine.body), len(theirs.body))


def _governs(pair: Pair, condition: Condition) -> bool:
    """Whether the claim states what the condition governs: the clause behind it where it leads, else before it."""
    tokens = pair.evidence.tokens
    size = len(tokens)
    if condition.leads:
        span = range(condition.stop, min(size, condition.stop + 16))
    else:
        low = max(0, condition.at - 24)
        modals = [n for n in range(low, condition.at) if tokens[n].role == "modal"]
        span = range(modals[-1] if modals else max(low, condition.at - 14), condition.at)
    body = [n for n in span if tokens[n].role in ("word", "number", "reference")]
    hits = sum(n in pair.back for n in body)
    return bool(body) and hits >= min(2, len(body)) and hits / len(body) >= 0.34


def _place(pair: Pair, condition: Condition) -> tuple[int, int]:
    """The empty span in the claim where a dropped condition belongs."""
    before = [pair.back[n] for n in range(condition.at) if n in pair.back]
    at = pair.offset + (pair.claim.tokens[before[-1]].end if before else 0)
    return at, at


def _added(pair: Pair, mine: Condition, theirs: list[Condition]) -> Iterator[Contradiction]:
    token = pair.claim.tokens[mine.at]
    if not mine.body:
        return
    tokens = pair.claim.tokens
    foreign = [n for n in mine.body if n not in pair.forth and tokens[n].key not in pair.evidence.keys]
    unknown = [n for n in foreign if tokens[n].key not in pair.others]
    if len(foreign) / len(mine.body) > _HOLDS:
        severity = 0.8 if len(unknown) / len(mine.body) > 0.25 else 0.6
        if mine.key in ("when", "despite"):
            severity -= 0.2
        detail = f"the claim adds a condition: “{token.low} {tokens[mine.body[0]].low} …”"
        yield Contradiction("condition", severity, pair.claim_span(token), pair.index, (0, 0), detail)
    elif not theirs and mine.key in ("unless", "if") and not _introduced(pair, mine):
        detail = f"the claim makes a condition of it with “{token.low}”"
        yield Contradiction("condition", 0.6, pair.claim_span(token), pair.index, (0, 0), detail)


def _introduced(pair: Pair, mine: Condition) -> bool:
    """Whether the evidence introduces the same words by something of the kind."""
    first = next((pair.forth[n] for n in mine.body if n in pair.forth), None)
    if first is None:
        return True
    tokens = pair.evidence.tokens
    return any(tokens[n].role in ("condition", "order") or _negates(tokens[n]) for n in range(max(0, first - 5), first))
