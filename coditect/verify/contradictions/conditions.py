"""Contradictions in conditions and exceptions: dropped, added, turned around."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.verify.contradictions.alignment import Pair
from coditect.verify.contradictions.kinds import Contradiction
from coditect.verify.contradictions.reading import Reading, Token

__all__ = ["Condition", "conditions", "find_conditions"]

_BODY = 14
_FAR = 60
_UPON = frozenset(("base", "agre", "reli", "insist", "depend", "impos", "bind", "confer", "call", "act", "incumb"))
"""Stems of words that "upon" belongs to; behind them it is no condition."""
_HOLDS = 0.5
_ALIKE = 0.34
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
        behind = tokens[n + 1 : n + 2]
        if (
            behind
            and behind[0].role == "condition"
            and (behind[0].key in ("if", "unless") or token.low[:8] == "provided")
        ):
            continue  # of "provided that, if", the second decides
        if token.low == "upon" and n and tokens[n - 1].key in _UPON:
            continue
        leads = n == 0 or (token.comma and _opens(tokens, n))
        body: list[int] = []
        stop = n + 1
        for k in range(n + 1, len(tokens)):
            other = tokens[k]
            if other.clause != token.clause or len(body) >= _BODY:
                break
            if other.role == "condition" and body:
                break
            if other.comma and len(body) >= 2 and k > n + 1:
                break
            if leads and other.role == "modal" and body and not _comma_follows(tokens, k):
                break
            if other.role in ("word", "number", "reference"):
                body.append(k)
            stop = k + 1
        found.append(Condition(n, token.key, tuple(body), leads, stop))
    return found


def _opens(tokens: Sequence[Token], at: int) -> bool:
    """Whether the main clause stands behind: in its clause a modal expression follows and none goes before."""
    clause = tokens[at].clause
    before = any(token.role == "modal" and token.clause == clause for token in tokens[max(0, at - _FAR) : at])
    return not before and any(token.role == "modal" and token.clause == clause for token in tokens[at + 1 : at + _FAR])


def _comma_follows(tokens: Sequence[Token], at: int) -> bool:
    """Whether a comma ends the clause of a token before another modal expression: "if they cannot agree, …"."""
    for token in tokens[at + 1 : at + 16]:
        if token.comma:
            return token.clause == tokens[at].clause
        if token.role == "modal":
            return False
    return False


def find_conditions(pair: Pair) -> Iterator[Contradiction]:
    """Conditions that the claim drops, adds or turns around.

    Args:
        pair: the claim beside its evidence.
    """
    mine, theirs = conditions(pair.claim), conditions(pair.evidence)
    matched = _matched(pair, mine, theirs)
    for n, condition in enumerate(theirs):
        if not condition.body:
            continue
        if n in matched:
            yield from _turned(pair, mine[matched[n]], condition)
        else:
            yield from _missing(pair, condition)
    used = set(matched.values())
    for n, condition in enumerate(mine):
        if n not in used:
            yield from _added(pair, condition, theirs)


def _matched(pair: Pair, mine: list[Condition], theirs: list[Condition]) -> dict[int, int]:
    """Which condition of the evidence is which of the claim, one to one, the most alike first."""
    scored = sorted(
        (-common, own.key != other.key, abs(m - n), n, m)
        for n, other in enumerate(theirs)
        for m, own in enumerate(mine)
        if (common := _common(pair, own, other)) >= _ALIKE
    )
    found: dict[int, int] = {}
    for _, _, _, n, m in scored:
        if n not in found and m not in found.values():
            found[n] = m
    return found


def _turned(pair: Pair, mine: Condition, theirs: Condition) -> Iterator[Contradiction]:
    said, token = pair.claim.tokens[mine.at], pair.evidence.tokens[theirs.at]
    only = [" only" in f" {each.low}" for each in (said, token)]
    if only[0] != only[1] and mine.key == theirs.key:
        detail = f"the claim says “{said.low}”, the evidence “{token.low}”"
        yield Contradiction("quantifier", 0.7, pair.claim_span(said), pair.index, pair.evidence_span(token), detail)
    one, two = _SIGNS[mine.key], _SIGNS[theirs.key]
    if one * two < 0 or (0 in (one, two) and mine.key != theirs.key):
        if _balanced(pair, mine, theirs):
            return
        detail = f"the claim says “{said.low}”, the evidence “{token.low}”"
        yield Contradiction("condition", 1.0, pair.claim_span(said), pair.index, pair.evidence_span(token), detail)


def _missing(pair: Pair, theirs: Condition) -> Iterator[Contradiction]:
    token = pair.evidence.tokens[theirs.at]
    share = _share(pair.evidence, theirs, pair.back)
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
    """How much of a condition's body the other side has; of words that occur elsewhere only if it has no other."""
    outside = {reading.tokens[n].key for n in reading.content if not condition.at < n < condition.stop}
    own = [n for n in condition.body if reading.tokens[n].key not in outside] or list(condition.body)
    return sum(n in aligned for n in own) / len(own)


def _common(pair: Pair, mine: Condition, theirs: Condition) -> float:
    """The share of two bodies' words that they have in common, of the smaller one."""
    if not mine.body or not theirs.body:
        return 0.0
    inside = set(theirs.body)
    keys = {pair.evidence.tokens[n].key for n in theirs.body}
    hits = sum(pair.forth[n] in inside if n in pair.forth else pair.claim.tokens[n].key in keys for n in mine.body)
    return hits / min(len(mine.body), len(theirs.body))


def _governs(pair: Pair, condition: Condition) -> bool:
    """Whether the claim states what the condition governs: the clause behind it where it leads, else before it."""
    tokens = pair.evidence.tokens
    size = len(tokens)
    if condition.leads:
        modal = next((n for n in range(condition.stop, size) if tokens[n].role == "modal"), condition.stop + 6)
        span = range(max(condition.stop, modal - 6), min(size, modal + 10))
    else:
        low = max(0, condition.at - 24)
        modals = [n for n in range(low, condition.at) if tokens[n].role == "modal"]
        span = range(max(low, modals[-1] - 6) if modals else max(low, condition.at - 14), condition.at)
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
    foreign = [n for n in mine.body if n not in pair.forth]
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
