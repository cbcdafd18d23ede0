"""What a rewrite denies, and what its source does: each negation of one needs one of the other over the same words."""

from __future__ import annotations

from collections.abc import Iterator

from coditect.language.reading.stems import canonical_stems
from coditect.language.tables import read_table
from coditect.verify.rewrites.force import next_content
from coditect.verify.rewrites.matching import WordMatch, turned
from coditect.verify.rewrites.reading import ReadStatement

__all__ = ["NEGATIVE", "is_whole", "negation_differs", "negators"]

NEGATIVE = frozenset(canonical_stems(read_table("interchangeable").words("negative")))
"""Stems of words that deny what they govern: "prohibit", "preclude"."""

_WHOLE = ("prohibit", "forbid", "not allowed", "not permitted", "banned", "barred", "disallow", "not acceptable")
_NEAR = 3


def negators(said: ReadStatement) -> list[int]:
    """Tokens that deny: negations, binding expressions with one, and verbs such as "prohibit"; not the "or not" of a question."""
    return [
        n
        for n, token in enumerate(said.tokens)
        if (
            token.negates
            or (token.role == "modal" and token.key == "free")
            or (token.role == "word" and token.key in NEGATIVE)
        )
        and not (n and said.tokens[n - 1].low == "or" and token.low == "not")
    ]


def is_whole(said: ReadStatement, at: int) -> bool:
    """Whether a negator denies its clause from behind, or before it: "access is prohibited", "it is forbidden to"."""
    token = said.tokens[at]
    return token.role == "modal" and any(each in token.low for each in _WHOLE)


def _scope(said: ReadStatement, at: int, most: int) -> list[int]:
    if is_whole(said, at):
        clause = said.tokens[at].clause
        return [n for n in said.content if said.tokens[n].clause == clause]
    return next_content(said, at, most)


def _governs(said: ReadStatement, negator: int, at: int) -> bool:
    """Whether a negator stands close enough before a word to deny it."""
    if at == negator or is_whole(said, negator):
        return True
    if negator < at and said.tokens[negator].role == "modal" and said.tokens[negator].clause == said.tokens[at].clause:
        return not any(token.role == "modal" for token in said.tokens[negator + 1 : at])
    return negator < at and sum(negator < n <= at for n in said.content) <= _NEAR


def negation_differs(pair: WordMatch) -> Iterator[str]:
    """Negations of one side without one of the other, each in a few words.

    Args:
        pair: a sentence of the claim beside a statement of the evidence.
    """
    mine, left = negators(pair.claim), negators(pair.source)
    prefixed = {
        i for i, places in pair.forth.items() if turned(pair.claim.tokens[i].low, pair.source.tokens[places[0]].low)
    }
    for i in prefixed:
        by_not = [n for n in mine if n < i and sum(n < k <= i for k in pair.claim.content) == 1]
        of_not = [k for k in left for j in pair.forth[i] if k < j and sum(k < n <= j for n in pair.source.content) == 1]
        if by_not:
            mine.remove(by_not[-1])
        elif of_not:
            left.remove(of_not[-1])
        else:
            yield f"turned: {pair.claim.tokens[i].low}"
    spare = []
    for n in mine:
        own = [j for j in pair.forth.get(n, ()) if j in left]
        scope = [j for i in _scope(pair.claim, n, 2) for j in pair.forth.get(i, ())[:1]]
        keys = {pair.source.tokens[j].key for j in scope}
        scope += [j for j in pair.source.content if pair.source.tokens[j].key in keys and j not in scope]
        found = own or [k for k in left if any(_governs(pair.source, k, j) for j in scope)]
        if found:
            left.remove(found[0])
        elif not (pair.forth.get(n) and any(pair.source.tokens[j].role != "word" for j in pair.forth[n])):
            spare.append(n)
            yield f"negated: {pair.claim.tokens[n].low}"
    for k in left:
        if k in pair.back:
            continue
        scope = [i for j in _scope(pair.source, k, 1) for i in pair.back.get(j, ())[:1]]
        if scope:
            yield f"affirmed: {pair.source.tokens[k].low}"
