"""Contradictions in who does what to whom, and in names."""

from __future__ import annotations

from collections.abc import Iterator

from coditect.verify.contradictions_alignment import Pair
from coditect.verify.contradictions_kinds import Contradiction
from coditect.verify.contradictions_logic import governing
from coditect.verify.contradictions_reading import Reading, Token
from coditect.verify.contradictions_words import GENERIC_NAMES

__all__ = ["find_entities", "find_roles"]

_PREPOSITIONS = frozenset(
    ("of", "to", "for", "from", "with", "against", "between", "on", "in", "at", "under", "into", "than", "about", "per")
)
_GENERAL = frozenset(("parti", "party", "affili", "agent", "compani", "corpor"))


def find_roles(pair: Pair) -> Iterator[Contradiction]:
    """Actors that stand in each other's place.

    Args:
        pair: the claim beside its evidence.
    """
    flagged = False
    for modal, token in enumerate(pair.claim.tokens):
        if token.role != "modal" or flagged:
            continue
        verb = next(
            (
                n
                for n in range(modal + 1, min(len(pair.claim.tokens), modal + 6))
                if n in pair.forth and not pair.claim.tokens[n].actor
            ),
            None,
        )
        if verb is None:
            continue
        counter = governing(pair.evidence, pair.forth[verb])
        if counter is None:
            continue
        for found in _agents_differ(pair, modal, verb, counter, pair.forth[verb]):
            flagged = True
            yield found
    if not flagged:
        yield from _exchanged(pair)


def _agents(reading: Reading, modal: int, verb: int) -> tuple[set[str], set[str], int]:
    """Who acts and who is acted upon, as stems, and where the first of them stands."""
    tokens = reading.tokens
    before = _subject(reading, modal)
    passive = any(token.low in ("be", "been", "being") for token in tokens[modal + 1 : verb]) or _ends_in_be(
        tokens[modal]
    )
    at = before[0] if before else modal
    names = {tokens[n].key for n in before}
    if not passive:
        return names, set(), at
    by: set[str] = set()
    for n in range(verb + 1, min(len(tokens), verb + 12)):
        if tokens[n].role == "by":
            for m in range(n + 1, min(len(tokens), n + 6)):
                if tokens[m].actor or tokens[m].proper:
                    by.add(tokens[m].key)
                elif tokens[m].role not in ("function", "quantifier") or tokens[m].low in _PREPOSITIONS:
                    break
            break
        if tokens[n].role in ("modal", "condition") or tokens[n].clause != tokens[verb].clause:
            break
    return by, names, at


def _ends_in_be(token: Token) -> bool:
    return token.low.endswith(" be")


def _subject(reading: Reading, modal: int) -> list[int]:
    """The actors in the noun phrase before a modal expression, those behind a preposition left out."""
    tokens = reading.tokens
    found: list[int] = []
    for n in range(modal - 1, max(-1, modal - 12), -1):
        token = tokens[n]
        if token.role in ("modal", "condition", "order", "by") or token.clause != tokens[modal].clause:
            break
        if token.role == "function" and token.low in _PREPOSITIONS:
            found = []
            continue
        if token.role == "function" and token.low in ("which", "that", "who", "whom"):
            continue
        if token.actor:
            found.append(n)
        if token.comma and found:
            break
        if token.comma and modal - n > 1 and not found:
            continue
    return found[::-1]


def _agents_differ(pair: Pair, modal: int, verb: int, counter: int, other: int) -> Iterator[Contradiction]:
    mine, patient, at = _agents(pair.claim, modal, verb)
    theirs, acted, there = _agents(pair.evidence, counter, other)
    span, where = pair.claim_span(pair.claim.tokens[at]), pair.evidence_span(pair.evidence.tokens[there])
    if mine and theirs:
        if mine & theirs or (mine | theirs) & {"it", "they", "we", "you", "us"}:
            return
        known = {token.key for token in pair.evidence.tokens}
        swapped = bool(mine & known)
        severity = 0.9 if swapped else (0.5 if mine <= _GENERAL or theirs <= _GENERAL else 0.7)
        detail = f"in the claim “{_name(pair.claim, at)}” is to act, in the evidence “{_name(pair.evidence, there)}”"
        yield Contradiction("role", severity, span, pair.index, where, detail)
    elif patient and theirs and patient & theirs and not acted:
        detail = f"in the claim “{_name(pair.claim, at)}” is acted upon, in the evidence it acts"
        yield Contradiction("role", 0.8, span, pair.index, where, detail)
    elif mine and acted and mine & acted and not theirs:
        detail = f"in the claim “{_name(pair.claim, at)}” acts, in the evidence it is acted upon"
        yield Contradiction("role", 0.8, span, pair.index, where, detail)


def _name(reading: Reading, at: int) -> str:
    token = reading.tokens[at]
    return reading.text[token.start : token.end]


def _exchanged(pair: Pair) -> Iterator[Contradiction]:
    """An actor in a place that the evidence gives to another."""
    own, theirs = pair.claim.tokens, pair.evidence.tokens
    for n, token in enumerate(own):
        if not token.actor or token.role != "word":
            continue
        left, right = _neighbours(pair, n)
        if left is None or right is None or not 0 < right - left <= 6:
            continue
        inside = [other for other in theirs[left + 1 : right] if other.actor and other.role == "word"]
        if inside and all(other.key != token.key for other in inside):
            if token.key in _GENERAL or inside[0].key in _GENERAL:
                continue
            detail = f"where the claim says “{_name(pair.claim, n)}”, the evidence says “{inside[0].low}”"
            yield Contradiction("role", 0.9, pair.claim_span(token), pair.index, pair.evidence_span(inside[0]), detail)
            return


def _neighbours(pair: Pair, at: int) -> tuple[int | None, int | None]:
    """The counterparts of the nearest content words that are no actors, one on each side."""
    found: list[int | None] = []
    for step in (-1, 1):
        n, value = at + step, None
        while 0 <= n < len(pair.claim.tokens):
            token = pair.claim.tokens[n]
            if token.role in ("word", "number", "reference") and not token.actor:
                value = pair.forth.get(n)
                break
            n += step
        found.append(value)
    return found[0], found[1]


def find_entities(pair: Pair) -> Iterator[Contradiction]:
    """Names in the claim that no evidence has.

    Args:
        pair: the claim beside its evidence.
    """
    tokens = pair.claim.tokens
    n = 0
    while n < len(tokens):
        token = tokens[n]
        if token.role != "word" or not token.proper:
            n += 1
            continue
        stop = n
        while (
            stop + 1 < len(tokens)
            and tokens[stop + 1].proper
            and tokens[stop + 1].role == "word"
            and not tokens[stop + 1].comma
        ):
            stop += 1
        strange = [
            t
            for t in tokens[n : stop + 1]
            if t.key not in GENERIC_NAMES and t.key not in pair.others and t.key not in pair.evidence.keys
        ]
        if strange and not _in_capitals(pair.claim.text):
            name = pair.claim.text[tokens[n].start : tokens[stop].end]
            severity = 0.8 if len(strange) == stop + 1 - n or len(strange) > 1 else 0.6
            span = (pair.offset + tokens[n].start, pair.offset + tokens[stop].end)
            yield Contradiction("entity", severity, span, pair.index, (0, 0), f"“{name}” is not in the evidence")
        n = stop + 1


def _in_capitals(text: str) -> bool:
    """Whether capitals prove nothing here, because most letters are some."""
    letters = [c for c in text[:400] if c.isalpha()]
    return sum(c.isupper() for c in letters) > 0.5 * len(letters) if letters else False
