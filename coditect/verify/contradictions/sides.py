"""Contradictions in which of two sides something stands on: of a comparison, of a day, of an exact figure, of an act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coditect.language.reading.binding import governing_modal
from coditect.language.reading.conditions import find_conditions
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.tables import read_table
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, contradiction

__all__ = ["find_approximate", "find_done", "find_ends", "find_swapped"]

_BOUNDS = read_table("bounds")
_STARTING = frozenset(_BOUNDS.words("starting"))
_ENDING = frozenset(_BOUNDS.words("ending"))
_APPROXIMATE = frozenset(_BOUNDS.words("approximating"))
_VERBS = frozenset((*read_table("verbs").words("primary_auxiliaries"), *read_table("binding").words("be")))
_PAST = "ed"
_NEAR = 3
"""Tokens before a figure among which a word that only nears it stands."""
_REACH = 6
"""Words of substance on either side of "than" that are compared, and tokens before "until" in which a negation turns it."""


def find_swapped(pair: AlignedPair) -> Iterator[Contradiction]:
    """What is compared has changed sides around "than": "higher for guests than for members".

    Args:
        pair: the claim beside its evidence.
    """
    mine, theirs = _than(pair.claim), _than(pair.evidence)
    if mine is None or theirs is None:
        return
    before, behind = _around(pair.claim, mine)
    crossed = [n for n in behind if pair.forth.get(n, theirs) < theirs]
    back = [n for n in before if pair.forth.get(n, theirs) > theirs]
    kept = [n for n in behind if pair.forth.get(n, theirs) > theirs]
    if crossed and back and not kept:
        token, other = pair.claim.tokens[crossed[0]], pair.evidence.tokens[pair.forth[crossed[0]]]
        detail = f"the claim compares the other way round: “than … {token.low}”"
        yield contradiction(pair, "comparative", 1.0, token, other, detail)


def _than(reading: SentenceReading) -> int | None:
    """The token with the only "than" of a sentence that bounds no figure; None where there is none, or more."""
    found = [n for n, token in enumerate(reading.tokens) if "than" in token.low.split()]
    if len(found) != 1 or any(token.role == "number" for token in reading.tokens[found[0] + 1 : found[0] + _NEAR]):
        return None
    return found[0]


def _around(reading: SentenceReading, at: int) -> tuple[list[int], list[int]]:
    """The words of substance before and behind a token, the nearest first, in its clause."""
    inside = [n for n in reading.content if reading.tokens[n].clause == reading.tokens[at].clause]
    return [n for n in reversed(inside) if n < at][:_REACH], [n for n in inside if n > at][:_REACH]


def find_ends(pair: AlignedPair) -> Iterator[Contradiction]:
    """A day from which something is so on one side, and until which on the other.

    Args:
        pair: the claim beside its evidence.
    """
    for n, at in pair.forth.items():
        if pair.claim.tokens[n].role != "number":
            continue
        mine, theirs = _end_at(pair.claim.tokens, n), _end_at(pair.evidence.tokens, at)
        if mine and theirs and mine != theirs:
            token, other = pair.claim.tokens[n - 1], pair.evidence.tokens[at - 1]
            yield contradiction(pair, "comparative", 0.9, token, other)


def _end_at(tokens: Sequence[Token], n: int) -> str:
    """Whether a figure is the "start" or the "end" of something; "" where no word tells, or a negation turns it."""
    word = tokens[n - 1].low if n else ""
    if any(token.negates for token in tokens[max(0, n - _REACH) : n]):
        return ""
    return "start" if word in _STARTING else "end" if word in _ENDING else ""


def find_approximate(pair: AlignedPair) -> Iterator[Contradiction]:
    """A figure that one side gives exactly and the other one nearly: "within about 14 days". A doubt.

    Args:
        pair: the claim beside its evidence.
    """
    for n, at in pair.forth.items():
        token, other = pair.claim.tokens[n], pair.evidence.tokens[at]
        if token.role != "number" or token.key != other.key:
            continue
        mine, theirs = _nearing(pair.claim.tokens, n), _nearing(pair.evidence.tokens, at)
        if bool(mine) != bool(theirs):
            said = f"the claim says “{mine}”" if mine else f"the claim leaves out “{theirs}”"
            yield contradiction(pair, "comparative", DOUBT, token, other, f"{said} of “{token.low}”")


def _nearing(tokens: Sequence[Token], n: int) -> str:
    """The word by which a figure is only neared; "" where there is none."""
    before = [*reversed(tokens[max(0, n - _NEAR) : n])]
    stop = next((k for k, token in enumerate(before) if token.has_substance and token.low not in _APPROXIMATE), _NEAR)
    inside = f" {tokens[n].low} "
    return next(
        (token.low for token in before[:stop] if token.low in _APPROXIMATE),
        next((word for word in sorted(_APPROXIMATE) if f" {word} " in inside), ""),
    )


def find_done(pair: AlignedPair) -> Iterator[Contradiction]:
    """What the claim tells as done, and the evidence demands or permits: "approved the budget", "shall approve". A doubt.

    Args:
        pair: the claim beside its evidence.
    """
    tokens = pair.claim.tokens
    if any(token.role == "modal" or token.low in _VERBS for token in tokens):
        return  # another word is the verb, or it is a passive
    inside = find_conditions(pair.claim)
    for n, token in enumerate(tokens[:-1]):
        at = pair.forth.get(n)
        if at is None or not token.low.endswith(_PAST) or pair.evidence.tokens[at].low.endswith(_PAST):
            continue
        modal = governing_modal(pair.evidence, at)
        if modal is None or modal + 2 < at or not n or tokens[n - 1].role != "word":
            continue
        if not any(each.at < n < each.stop for each in inside):
            other = pair.evidence.tokens[modal]
            detail = f"the claim says as done (“{token.low}”) what the evidence says with “{other.low}”"
            yield contradiction(pair, "modality", DOUBT, token, other, detail)
            return
