"""Contradictions in polarity: what one side denies, by a negation, a freedom from a duty or a prefix, and the other does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from coditect.language.reading.conditions import find_conditions
from coditect.language.reading.negation import PREFIXES, is_negator
from coditect.language.reading.sentence import SentenceReading, Token
from coditect.language.tables import read_table
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.alignment.predicates import speaks_of
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, contradiction
from coditect.verify.contradictions.modality import Compared

__all__ = ["denies", "find_negation", "is_polarity_kept", "is_polarity_sure", "next_content"]

_DENYING = tuple(prefix for prefix in PREFIXES if prefix not in ("in", "im", "ir", "il", "mis"))
"""Prefixes of which a word that has one is rarely anything else."""
_CHOICE = ("optional", "voluntary")
_NEXT = 2
_REACH = 12
"""Tokens before and behind some words among which their negation stands."""
_MOST_DENIED = 8
_OUTLAWING = frozenset(read_table("negation").words("outlawing"))
_LIMITING = frozenset(read_table("negation").words("limiting"))
_TAKING = _LIMITING | frozenset(read_table("negation").words("replacing"))


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
            if side == "evidence" and not speaks_of(pair, n):
                continue
            if frees and token.low.endswith(_CHOICE) and _only_allows(seen.evidence):
                continue
            at = next_content(seen.claim, n)
            near = at is not None and at in seen.forth
            if near and at is not None and _negative_near(seen.evidence, seen.forth[at]):
                continue
            scope = _clause_of(seen.claim, n) if frees else _scope_of(seen.claim, n)
            shared = {m: there for m in scope if (there := _place_of(seen, m)) is not None}
            size = min(len(scope), len(seen.evidence.content)) if token.low == "nothing" else len(scope)
            if not any(m in seen.forth for m in shared) or not (near or len(shared) * 2 >= max(size, 2)):
                continue
            places, matched = list(shared.values()), _matched_denials(seen) - {token.low}
            answered = _is_negative(seen.evidence, places, matched)
            if answered and (side == "evidence" or _is_negative(seen.evidence, places, matched, outright=True)):
                continue
            at = at if near and at is not None else min(shared)
            other = seen.evidence.tokens[seen.forth.get(at, shared.get(at, 0))]
            is_doubt = answered or _is_in_condition(seen.claim, n) or (side == "claim" and _outlaws(seen.evidence))
            is_doubt = is_doubt or _is_made_up_for(seen, n, side)
            severity = DOUBT if is_doubt else 0.9
            before = f"“{token.low}” before “{seen.claim.tokens[at].low}”"
            if side == "claim":
                yield contradiction(pair, "negation", severity, token, other, f"the claim says {before}")
            else:
                yield contradiction(
                    pair, "negation", severity, other if frees else other.start, token, f"the claim leaves out {before}"
                )


def _only_allows(reading: SentenceReading) -> bool:
    """Whether a sentence permits and demands nothing: what "may" be done is "optional"."""
    return {token.key for token in reading.tokens if token.role == "modal"} == {"may"}


def _is_made_up_for(seen: AlignedPair, n: int, side: str) -> bool:
    """Whether a second denial behind one makes up for it: "nothing limits a right", "no entry without a badge" for a demand."""
    own, theirs = seen.claim.tokens, seen.evidence.tokens
    behind = [m for m in range(n + 1, len(own)) if own[m].clause == own[n].clause]
    if side == "evidence":
        limits = any(own[m].low in _LIMITING and m not in seen.forth for m in behind)
        return limits and not any(denies(token) or token.low in _LIMITING for token in theirs)
    if own[n].low == "not" and any(own[m].low in _TAKING and m not in seen.forth for m in behind[:_NEXT]):
        return not any(token.negates or token.low in _TAKING for token in theirs)
    demands = any((token.role, token.key) == ("modal", "shall") for token in theirs)
    return demands and any((own[m].role, own[m].key) == ("condition", "unless") for m in behind)


def _outlaws(reading: SentenceReading) -> bool:
    """Whether a sentence forbids by what it calls an act, without a negation: "it is a violation to obtain a waiver"."""
    return any(token.low in _OUTLAWING for token in reading.tokens)


def _is_in_condition(reading: SentenceReading, n: int) -> bool:
    """Whether a negation stands inside of a condition: "if not" may be "unless" on the other side, or another case."""
    return any(each.at < n <= each.stop for each in find_conditions(reading))


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
    return is_negator(token.low, approximate=True, implicit=True, excluding=True) or any(
        token.low.startswith(prefix) and len(token.low) > len(prefix) + 4 for prefix in _DENYING
    )


def _scope_of(reading: SentenceReading, n: int) -> list[int]:
    """The words of substance behind a negation that it may deny: up to the next condition, or the end of its clause."""
    tokens = reading.tokens
    found: list[int] = []
    for m in range(n + 1, len(tokens)):
        token = tokens[m]
        denies_all = tokens[n].low == "nothing"  # and what it "shall be construed as"
        if token.clause != tokens[n].clause or token.role == "condition":
            break
        if not denies_all and (token.role == "modal" or len(found) >= _MOST_DENIED):
            break
        if token.has_substance:
            found.append(m)
    return found


def _clause_of(reading: SentenceReading, n: int) -> list[int]:
    """The words of substance of a clause: what stands before a freedom from a duty is what need not be."""
    tokens = reading.tokens
    return [m for m, token in enumerate(tokens) if token.clause == tokens[n].clause and token.has_substance]


def _is_negative(
    reading: SentenceReading, at: Sequence[int], matched: frozenset[str], *, outright: bool = False
) -> bool:
    """Whether anything denies in the clauses of some words, from a few tokens before the first to a few behind the last.

    Args:
        reading: the sentence.
        at: the words.
        matched: what denies as often on both sides, and so makes up for nothing.
        outright: whether what stands in a condition or exception counts for nothing, unless one of the words stands in it, too.
    """
    tokens = reading.tokens
    clauses = {tokens[n].clause for n in at}
    span = range(max(0, min(at) - _REACH), min(len(tokens), max(at) + _REACH))
    apart = (
        [each for each in find_conditions(reading) if not any(each.at < n < each.stop for n in at)] if outright else []
    )
    return any(
        tokens[n].clause in clauses
        and tokens[n].low not in matched
        and denies(tokens[n])
        and not any(each.at <= n < each.stop for each in apart)
        for n in span
    )


def _matched_denials(seen: AlignedPair) -> frozenset[str]:
    """Words that deny as often on both sides."""
    mine, theirs = (
        Counter(token.low for token in reading.tokens if denies(token)) for reading in (seen.claim, seen.evidence)
    )
    return frozenset(word for word, number in mine.items() if theirs[word] == number)


def is_polarity_kept(pair: AlignedPair, at: int) -> bool:
    """Whether both sides have as many negations, and as many exceptions, at least one of them: "no ... are", "... are not".

    Args:
        pair: the claim beside its evidence.
        at: a place in the claim's sentence, code points, in whose clause it is asked; nothing is kept of what binds twice.
    """
    mine, theirs = _clauses(pair, at)
    if any(sum(token.role == "modal" for token in side) > 1 for side in (mine, theirs)):
        return False
    negates, excepts = _more(mine, theirs, _negates), _more(pair.claim.tokens, pair.evidence.tokens, _excepts)
    return not negates and not excepts and any(_negates(token) or _excepts(token) for token in mine)


def is_polarity_sure(pair: AlignedPair, at: int) -> bool:
    """Whether the denials of both sides, those that answer to each other left out, are an odd number: then one side denies more.

    "May only if" is as good as "may not unless", and "cannot without" as "subject to": two denials make up for each other, or for
    an "only". Where a claim limits nothing, exceptions of the evidence count for nothing: what is outright allowed is not
    forbidden with exceptions.

    Args:
        pair: the claim beside its evidence.
        at: a place in the claim's sentence, code points, in whose clause negations are counted; exceptions are in the whole one.
    """
    mine, theirs = _clauses(pair, at)
    is_outright = not any(token.role == "condition" or token.key == "only" or _negates(token) for token in mine)
    exceptions = 0 if is_outright else _more(pair.claim.tokens, pair.evidence.tokens, _excepts)
    return (_more(mine, theirs, _negates) + exceptions) % 2 == 1


def _clauses(pair: AlignedPair, at: int) -> tuple[Sequence[Token], Sequence[Token]]:
    """The tokens of a clause of the claim, and those of the clauses of the evidence that have its words."""
    tokens, others = pair.claim.tokens, pair.evidence.tokens
    clause = next((token.clause for token in tokens if token.end > at), tokens[-1].clause)
    clauses = {others[k].clause for n, k in pair.forth.items() if tokens[n].clause == clause}
    return [each for each in tokens if each.clause == clause], [each for each in others if each.clause in clauses]


def _more(mine: Sequence[Token], theirs: Sequence[Token], test: Callable[[Token], bool]) -> int:
    """How many more tokens of one side pass a test than of the other."""
    return sum(map(test, mine)) - sum(map(test, theirs))


def _negates(token: Token) -> bool:
    if token.low == "nor":
        return False  # it goes on from "neither"
    frees = (token.role, token.key) == ("modal", "free")
    return (
        token.negates
        or frees
        or (token.role == "word" and is_negator(token.low, approximate=True, implicit=True, excluding=True))
    )


def _excepts(token: Token) -> bool:
    return (token.role, token.key) == ("condition", "unless")
