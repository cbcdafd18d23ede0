"""How a clause binds, of a rewrite and of its source: must, may, should, free, or a plain statement."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from coditect.language.norms.imperatives import find_imperative
from coditect.language.reading.stems import canonical_stems
from coditect.language.tables import read_table
from coditect.verify.rewrites.matching import WordMatch
from coditect.verify.rewrites.reading import ReadStatement

__all__ = ["binds", "force_differs", "is_imperative", "keys_of", "modal_of", "modals", "next_content", "says_so"]

_NOBODY = frozenset(("no", "nobody", "no one", "none", "neither", "nor", "never"))
_PURPOSE = frozenset(("so that", "such that", "in order that", "to ensure that", "ensure", "so"))
_SHORT = 5
_TABLE = read_table("interchangeable")
_POSSIBLE = {
    "may": frozenset(canonical_stems(_TABLE.words("permitting"))),
    "recommended": frozenset(canonical_stems(_TABLE.words("recommending"))),
    "shall": frozenset(canonical_stems(_TABLE.words("requiring"))),
}


def next_content(said: ReadStatement, at: int, most: int = 1) -> list[int]:
    """The next words of content behind a token.

    Args:
        said: the sentence.
        at: the token.
        most: how many.
    """
    return [n for n in said.content if n > at][:most]


@lru_cache(maxsize=256)
def is_imperative(said: ReadStatement) -> bool:
    """Whether a sentence tells its reader to do something."""
    return find_imperative(said.reading.text, 0, len(said.reading.text)) is not None


@lru_cache(maxsize=256)
def modals(said: ReadStatement) -> tuple[int, ...]:
    """Binding expressions outside of conditions; where there are none, all."""
    inside = said.conditional
    every = tuple(n for n in range(len(said.tokens)) if binds(said, n))
    return tuple(n for n in every if n not in inside) or every


def modal_of(said: ReadStatement, at: int) -> int | None:
    """The binding expression that governs a word: the nearest one before it in its clause, or else the first behind it."""
    clause = said.tokens[at].clause
    before = [n for n in modals(said) if n <= at and said.tokens[n].clause == clause]
    behind = [n for n in modals(said) if n > at and said.tokens[n].clause == clause]
    return before[-1] if before else behind[0] if behind else None


def binds(said: ReadStatement, at: int) -> bool:
    """Whether a token is a binding expression; "should" behind a subject is one, whatever commas stand between."""
    token = said.tokens[at]
    if token.role == "condition" and token.low == "should":
        return said.is_late_modal(at)
    return token.role == "modal"


def _key(said: ReadStatement, at: int) -> str:
    """How a binding expression binds; "nobody may" forbids."""
    token = said.tokens[at]
    key = "recommended" if token.role == "condition" else token.key
    if key == "shall" and token.low.startswith("should"):
        return "recommended"  # "should only be"
    if key == "shall" and token.low.startswith(("may ", "can ")):
        return "may shall"  # "may be required by the servicer to"
    if key == "may" and any(
        each.low in _NOBODY
        and each.clause == token.clause
        and each.role in ("negation", "word", "function", "quantifier")
        for each in said.tokens[:at]
    ):
        return "shall not"
    return key


def keys_of(said: ReadStatement) -> frozenset[str]:
    """How the binding expressions of a sentence bind."""
    return frozenset(_key(said, n) for n in range(len(said.tokens)) if binds(said, n))


def _chain(said: ReadStatement, at: int) -> str:
    """How a binding expression binds, with the one that it stands right behind: "may be required to"."""
    those = modals(said)
    place = those.index(at)
    if (
        place
        and not any(those[place - 1] < n < at for n in said.content)
        and _key(said, those[place - 1]) != _key(said, at)
    ):
        return f"{_key(said, those[place - 1])} {_key(said, at)}"
    return _key(said, at)


def _forces_at(said: ReadStatement, at: int) -> set[str]:
    """How the clause of a word may bind; a verb behind a comma and a coordinator by the first expression of its clause as well."""
    found = modal_of(said, at)
    told = is_imperative(said)
    if found is None or (told and found > at):
        return {"shall"} if told else {""}
    forces = {_chain(said, found), *(("shall",) if told else ())}
    if any(said.tokens[n].comma and said.tokens[n].low in ("and", "or") for n in range(max(0, at - 2), at + 1)):
        first = next(n for n in modals(said) if said.tokens[n].clause == said.tokens[at].clause)
        forces.add(_chain(said, first))
    return forces


def _affirmative(key: str) -> str:
    return {"shall not": "shall", "may not": "shall", "recommended not": "recommended"}.get(key, key)


def _alike(one: str, other: str) -> bool:
    return one == other or _affirmative(one) == _affirmative(other)


def force_differs(pair: WordMatch) -> Iterator[str]:
    """Binding expressions that bind otherwise than in the source, each in a few words.

    Args:
        pair: a sentence of the claim beside a statement of the evidence.
    """
    seen = False
    own = modals(pair.claim)
    for place, n in enumerate(own):
        token = pair.claim.tokens[n]
        if place + 1 < len(own) and not any(n < i < own[place + 1] for i in pair.claim.content):
            continue
        if _of_purpose(pair.claim, n):
            continue
        behind = [i for i in next_content(pair.claim, n, 2) if i in pair.forth]
        behind = behind or [i for i in pair.claim.content if i < n and i in pair.forth][-1:]
        if not behind:
            continue
        seen = True
        forces = _forces_at(pair.source, pair.forth[behind[0]][0])
        if not any(_alike(_chain(pair.claim, n), force) for force in forces):
            yield f"force: {token.low} ({_chain(pair.claim, n)}) against {sorted(forces)}"
    if not seen:
        yield from _lost(pair)


def says_so(pair: WordMatch, i: int) -> bool:
    """Whether a word of the claim says what a binding expression of the source says: "acceptable" for "may be used"."""
    key = pair.claim.tokens[i].key
    return any(key in _POSSIBLE.get(_affirmative(_key(pair.source, n)), ()) for n in modals(pair.source))


def _of_purpose(said: ReadStatement, at: int) -> bool:
    """Whether "can" or "may" stands in a clause of purpose: "so that it can be monitored"."""
    before = [token.low for token in said.tokens[max(0, at - 8) : at]]
    return said.tokens[at].key == "may" and (
        any(word in before for word in _PURPOSE) or ("so", "that") in list(pairwise(before))
    )


def _lost(pair: WordMatch) -> Iterator[str]:
    """Binding expressions of the source, but of plain duties, whose verb a claim has and they themselves nowhere."""
    keys = {_affirmative(_key(pair.claim, m)) for m in modals(pair.claim)}
    for n in modals(pair.source):
        token = pair.source.tokens[n]
        key = _affirmative(_key(pair.source, n))
        if key == "shall" or key in keys or _POSSIBLE.get(key, frozenset()) & {each.key for each in pair.claim.tokens}:
            continue
        low = {each.low for each in pair.claim.tokens}
        said = any(word in low for word in token.low.split() if len(word) > _SHORT)  # "is important"
        if any(j in pair.back for j in next_content(pair.source, n)) and not said:
            yield f"force lost: {token.low}"
