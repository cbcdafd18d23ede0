"""Contradictions in polarity: what one side denies, by a negation, a freedom from a duty or a prefix, and the other does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from coditect.language.reading.negation import PREFIXES, is_negator
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.contradictions.kinds import Contradiction, contradiction
from coditect.verify.contradictions.modality import Compared

__all__ = ["denies", "find_negation", "next_content"]

_DENYING = tuple(prefix for prefix in PREFIXES if prefix not in ("in", "im", "ir", "il", "mis"))
"""Prefixes of which a word that has one is rarely anything else."""
_REACH = 12
"""Tokens before and behind some words among which their negation stands."""
_MOST_DENIED = 8


def find_negation(pair: AlignedPair, compared: Compared) -> Iterator[Contradiction]:
    """Negations of one side that the other does not have around the same words.

    Args:
        pair: the claim beside its evidence.
        compared: those that the binding expressions have taken in.
    """
    for side, seen in (("claim", pair), ("evidence", pair.turned())):
        for n, token in enumerate(seen.claim.tokens):
            frees = (token.role, token.key) == ("modal", "free")
            if not (token.negates or frees) or (side, n) in compared:
                continue
            at = next_content(seen.claim, n)
            near = at is not None and at in seen.forth
            if near and at is not None and _negative_near(seen.evidence, seen.forth[at]):
                continue
            scope = _clause_of(seen.claim, n) if frees else _scope_of(seen.claim, n)
            shared = {m: there for m in scope if (there := _place_of(seen, m)) is not None}
            if not any(m in seen.forth for m in shared) or not (near or len(shared) * 2 >= max(len(scope), 2)):
                continue
            if _is_negative(seen.evidence, list(shared.values()), _matched_denials(seen) - {token.low}):
                continue
            at = at if near and at is not None else min(shared)
            other = seen.evidence.tokens[seen.forth.get(at, shared.get(at, 0))]
            before = f"“{token.low}” before “{seen.claim.tokens[at].low}”"
            if side == "claim":
                yield contradiction(pair, "negation", 0.9, token, other, f"the claim says {before}")
            else:
                yield contradiction(
                    pair, "negation", 0.9, other if frees else other.start, token, f"the claim leaves out {before}"
                )


def _place_of(seen: AlignedPair, at: int) -> int | None:
    """Where the other side has a word of substance: its counterpart, or else the first of the same key; None where it has none."""
    if at in seen.forth:
        return seen.forth[at]
    key = seen.claim.tokens[at].key
    return next((n for n in seen.evidence.content if seen.evidence.tokens[n].key == key), None)


def next_content(reading: SentenceReading, n: int) -> int | None:
    """The first word or quantity of substance among the four tokens behind one, or None."""
    tokens = reading.tokens
    return next((m for m in range(n + 1, min(len(tokens), n + 5)) if tokens[m].role in ("word", "number")), None)


def _negative_near(reading: SentenceReading, at: int) -> bool:
    """Whether a sentence negates a word, within six tokens before it or one behind."""
    return any(denies(token) for token in reading.tokens[max(0, at - 6) : at + 2])


def denies(token: Token) -> bool:
    """Whether a token denies what is around it: a negation, a freedom from a duty, an exception, a word with such a prefix."""
    if token.negates or (token.role, token.key) in (("modal", "free"), ("condition", "unless")):
        return True
    if token.role != "word":
        return False
    return is_negator(token.low, approximate=True, implicit=True) or any(
        token.low.startswith(prefix) and len(token.low) > len(prefix) + 4 for prefix in _DENYING
    )


def _scope_of(reading: SentenceReading, n: int) -> list[int]:
    """The words of substance behind a negation that it may deny: up to the next condition, or the end of its clause."""
    tokens = reading.tokens
    found: list[int] = []
    for m in range(n + 1, len(tokens)):
        token = tokens[m]
        if token.clause != tokens[n].clause or token.role in ("condition", "modal") or len(found) >= _MOST_DENIED:
            break
        if token.has_substance:
            found.append(m)
    return found


def _clause_of(reading: SentenceReading, n: int) -> list[int]:
    """The words of substance of a clause: what stands before a freedom from a duty is what need not be."""
    tokens = reading.tokens
    return [m for m, token in enumerate(tokens) if token.clause == tokens[n].clause and token.has_substance]


def _is_negative(reading: SentenceReading, at: Sequence[int], matched: frozenset[str]) -> bool:
    """Whether anything denies in the clauses of some words, from a few tokens before the first to a few behind the last.

    Args:
        reading: the sentence.
        at: the words.
        matched: what denies as often on both sides, and so makes up for nothing.
    """
    tokens = reading.tokens
    clauses = {tokens[n].clause for n in at}
    span = tokens[max(0, min(at) - _REACH) : max(at) + _REACH]
    return any(token.clause in clauses and token.low not in matched and denies(token) for token in span)


def _matched_denials(seen: AlignedPair) -> frozenset[str]:
    """Words that deny as often on both sides."""
    mine, theirs = (
        Counter(token.low for token in reading.tokens if denies(token)) for reading in (seen.claim, seen.evidence)
    )
    return frozenset(word for word, number in mine.items() if theirs[word] == number)
