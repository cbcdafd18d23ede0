"""The small words that decide, of a rewrite and of its source: numbers, force, negation, quantifiers, order, "and" and "or"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.language.norms.imperatives import find_imperative
from coditect.language.reading.conditions import find_conditions
from coditect.language.reading.stems import canonical_stem, canonical_stems
from coditect.language.tables import read_table
from coditect.verify.rewrites.lexicon import is_never
from coditect.verify.rewrites.matching import Match
from coditect.verify.rewrites.reading import Said

__all__ = ["NEGATIVE", "binds", "differences", "modal_of", "modals"]

NEGATIVE = frozenset(canonical_stems(read_table("interchangeable").words("negative")))
"""Stems of words that deny what they govern: "prohibit", "preclude"."""

_UNLIMITED = tuple(each for each in read_table("predicates").phrases("unlimited") if not each.startswith("any"))
_AFTER = frozenset(("upon", "once", "as soon as"))
_POSSIBLE = {
    "may": frozenset(canonical_stems(("possible", "optional", "permissible", "allowed", "permitted", "free", "choose"))),
    "recommended": frozenset(canonical_stems(("recommended", "advisable", "encouraged", "recommendation"))),
}
_CONNECTIVE = re.compile(r"\b(and|or|nor|as well as|together with|along with|in addition to|plus)\b", re.IGNORECASE)
_REACH = 5
_SHORT = 5
_PERIODS = {"annual": "f1", "year": "f1", "month": "f12", "quarter": "f4", "week": "f52.1", "daili": "f365", "hour": "f8.77e+03"}


def differences(pair: Match) -> Iterator[str]:
    """What of the small words of a claim its source does not bear out, each in a few words.

    Args:
        pair: a sentence of the claim beside a statement of the evidence.
    """
    yield from _numbers(pair)
    yield from _force(pair)
    yield from _negation(pair)
    yield from _quantifiers(pair)
    yield from _orders(pair)
    yield from _joined(pair)
    yield from opposites(pair)
    text, source = (f" {each.reading.text.casefold()} " for each in (pair.claim, pair.source))
    for phrase in _UNLIMITED:
        if f" {phrase} " in text.replace(",", " ").replace(".", " ") and phrase not in source:
            yield f"unlimited: {phrase}"


def _numbers(pair: Match) -> Iterator[str]:
    theirs = [(n, token) for n, token in enumerate(pair.source.tokens) if token.role in ("number", "reference")]
    for n, token in enumerate(pair.claim.tokens):
        if token.role not in ("number", "reference"):
            continue
        same = [k for k, other in theirs if other.role == token.role and other.key == token.key]
        if not same and any(_PERIODS.get(other.key) == token.key and other.low.endswith(("al", "ly")) for other in pair.source.tokens):
            continue
        if not same:
            yield f"number: {token.low}"
        elif token.role == "number" and not any(_bound(pair.source, k) == _bound(pair.claim, n) for k in same):
            yield f"bound: {token.low}"


def _bound(said: Said, at: int) -> str:
    """What bounds a number: the comparator right before it, or behind it."""
    for n in (at - 1, at - 2, at + 1, at - 3):
        if 0 <= n < len(said.tokens) and said.tokens[n].role == "comparator":
            return said.tokens[n].key
    return ""


def is_imperative(said: Said) -> bool:
    """Whether a sentence tells its reader to do something."""
    return find_imperative(said.reading.text, 0, len(said.reading.text)) is not None


def modal_of(said: Said, at: int) -> int | None:
    """The binding expression that governs a word: the nearest one before it in its clause, or else the first behind it."""
    clause = said.tokens[at].clause
    before = [n for n in modals(said) if n <= at and said.tokens[n].clause == clause]
    behind = [n for n in modals(said) if n > at and said.tokens[n].clause == clause]
    return before[-1] if before else behind[0] if behind else None


def modals(said: Said) -> list[int]:
    """Binding expressions outside of conditions."""
    inside = {n for each in find_conditions(said.reading) for n in range(each.at + 1, each.stop)}
    every = [n for n in range(len(said.tokens)) if binds(said, n)]
    return [n for n in every if n not in inside] or every


def binds(said: Said, at: int) -> bool:
    """Whether a token is a binding expression; "should" behind a subject is one, whatever commas stand between."""
    token = said.tokens[at]
    if token.role == "condition" and token.low == "should":
        return any(n < at and said.tokens[n].clause == token.clause for n in said.content)
    return token.role == "modal"


def _key(said: Said, at: int) -> str:
    token = said.tokens[at]
    return "recommended" if token.role == "condition" else token.key


def _chain(said: Said, at: int) -> str:
    """How a binding expression binds, with the one that it stands right behind: "may be required to"."""
    those = modals(said)
    place = those.index(at)
    if place and not any(those[place - 1] < n < at for n in said.content):
        return f"{_key(said, those[place - 1])} {_key(said, at)}"
    return _key(said, at)


def forces_at(said: Said, at: int) -> set[str]:
    """How the clause of a word may bind: "shall", "may", "recommended", "free", "shall not", or "" where it states.

    A verb behind a comma and a coordinator may be bound by the first binding expression of its clause as well.
    """
    found = modal_of(said, at)
    told = is_imperative(said)
    if found is None or (told and found > at):
        return {"shall"} if told else {""}
    forces = {_chain(said, found), *(("shall",) if told else ())}
    if any(said.tokens[n].comma and said.tokens[n].low in ("and", "or") for n in range(max(0, at - 2), at + 1)):
        first = next(n for n in modals(said) if said.tokens[n].clause == said.tokens[at].clause)
        forces.add(_chain(said, first))
    return forces


def _next(said: Said, at: int, most: int = 1) -> list[int]:
    return [n for n in said.content if n > at][:most]


def _affirmative(key: str) -> str:
    return {"shall not": "shall", "may not": "shall", "recommended not": "recommended"}.get(key, key)


def _force(pair: Match) -> Iterator[str]:
    seen = False
    own = modals(pair.claim)
    for place, n in enumerate(own):
        token = pair.claim.tokens[n]
        if place + 1 < len(own) and not any(n < i < own[place + 1] for i in pair.claim.content):
            continue
        behind = [i for i in _next(pair.claim, n, 2) if i in pair.forth]
        if not behind:
            continue
        seen = True
        forces = forces_at(pair.source, pair.forth[behind[0]][0])
        if not any(_binds_alike(_chain(pair.claim, n), force) for force in forces):
            yield f"force: {token.low} ({_chain(pair.claim, n)}) against {sorted(forces)}"
    for n in modals(pair.source):
        token = pair.source.tokens[n]
        key = _affirmative(_key(pair.source, n))
        if key == "shall" or seen or any(_key(pair.claim, m) == key for m in modals(pair.claim)):
            continue
        if _POSSIBLE.get(key, frozenset()) & {token.key for token in pair.claim.tokens}:
            continue
        if any(j in pair.back for j in _next(pair.source, n)) and not _says(pair.claim, token.low):
            yield f"force lost: {token.low}"


def _binds_alike(one: str, other: str) -> bool:
    if one == other:
        return True
    return _affirmative(one) == _affirmative(other) == "shall"


def _says(said: Said, modal: str) -> bool:
    """Whether a sentence has the words of a binding expression that states: "is important"."""
    keys = {token.low for token in said.tokens}
    return any(word in keys for word in modal.split() if len(word) > _SHORT)


def _negators(said: Said) -> list[int]:
    return [
        n for n, token in enumerate(said.tokens)
        if token.negates or (token.role == "word" and token.key in NEGATIVE)
    ]  # fmt: skip


def _negation(pair: Match) -> Iterator[str]:
    mine, theirs = _negators(pair.claim), _negators(pair.source)
    for n in mine:
        scope = [j for i in _next(pair.claim, n, 2) for j in pair.forth.get(i, ())[:1]]
        if n in pair.forth and any(j in theirs or pair.source.tokens[j].role != "word" for j in pair.forth[n]):
            continue
        if not any(_governs(pair.source, k, j) for k in theirs for j in scope):
            yield f"negated: {pair.claim.tokens[n].low}"
    for k in theirs:
        if k in pair.back:
            continue
        scope = [i for j in _next(pair.source, k) for i in pair.back.get(j, ())[:1]]
        if scope and not any(_governs(pair.claim, n, i) for n in mine for i in scope):
            yield f"affirmed: {pair.source.tokens[k].low}"


def _governs(said: Said, negator: int, at: int) -> bool:
    """Whether a negator stands close enough before a word to deny it."""
    if at == negator:
        return True
    between = [n for n in said.content if negator < n <= at]
    return negator < at and len(between) <= 3


def _quantifiers(pair: Match) -> Iterator[str]:
    for n, token in enumerate(pair.claim.tokens):
        if token.role != "quantifier":
            continue
        behind = _next(pair.claim, n)
        yield from _narrowed(pair, n)
        places = [j for i in behind for j in pair.forth.get(i, ())[:1]]
        around = {
            other.key
            for j in places
            for other in pair.source.tokens[max(0, j - _REACH) : j + 1]
            if other.role == "quantifier"
        }
        if token.key in ("all", "most", "only") and token.key not in around:
            yield f"quantifier: {token.low}"
        if token.key == "some" and around & {"all", "most", "only"}:
            yield f"quantifier: {token.low}"
    for n, token in enumerate(pair.source.tokens):
        if token.role != "quantifier" or token.key not in ("some", "most", "only"):
            continue
        for j in _next(pair.source, n):
            for i in pair.back.get(j, ())[:1]:
                near = pair.claim.tokens[max(0, i - _REACH) : i + 1]
                if not any(other.role == "quantifier" and other.key == token.key for other in near):
                    yield f"quantifier lost: {token.low}"


def _narrowed(pair: Match, at: int) -> Iterator[str]:
    """What narrows the noun that a quantifier of the claim is about, in the source alone."""
    if pair.claim.tokens[at].key != "all":
        return
    for i in _next(pair.claim, at):
        for j in pair.forth.get(i, ())[:1]:
            if j - 1 in pair.source.place and j - 1 not in pair.back and not pair.source.tokens[j].comma:
                yield f"narrower: {pair.source.tokens[j - 1].low}"


def opposites(pair: Match) -> Iterator[str]:
    """Words of the claim whose opposite stands in the source, and not they themselves."""
    theirs = {token.low if token.role != "word" else token.key for token in pair.source.tokens}
    for i, token in enumerate(pair.claim.tokens):
        own = canonical_stem(token.low)
        if token.role == "modal" or own in theirs or token.low in theirs or token.key in theirs or i in pair.forth:
            continue
        for other in theirs:
            if token.low not in ("and", "or") and is_never(own, canonical_stem(other)):
                yield f"opposite: {token.low} {other}"


def _order_keys(said: Said) -> list[tuple[int, str]]:
    found = []
    for n, token in enumerate(said.tokens):
        if token.role == "order":
            found.append((n, token.key))
        elif token.role == "condition" and token.low in _AFTER:
            found.append((n, "after"))
        elif token.role == "condition" and token.low == "until":
            found.append((n, "before"))
    return found


def _orders(pair: Match) -> Iterator[str]:
    mine, theirs = _order_keys(pair.claim), _order_keys(pair.source)
    keys = {key for _, key in theirs}
    timed = any(token.role == "condition" and token.key in ("when", "if") for token in pair.source.tokens)
    for n, key in mine:
        if key not in keys and not (key == "after" and (timed or "before" not in keys) and pair.claim.tokens[n].role == "condition"):
            yield f"order: {pair.claim.tokens[n].low}"
    for n, key in theirs:
        if pair.source.tokens[n].role == "condition" and not mine:
            continue
        behind = _next(pair.source, n)
        if behind and behind[0] in pair.back and key not in {each for _, each in mine}:
            if not any(token.role == "condition" for token in pair.claim.tokens) or any(each != key for _, each in mine):
                yield f"order lost: {pair.source.tokens[n].low}"


def _connective(said: Said, lo: int, hi: int) -> set[str]:
    """"and" or "or" of a list between two places; where none stands there, those behind the second."""
    text = said.tokens
    between = _CONNECTIVE.findall(said.reading.text, text[lo].end, text[hi].start)
    if between:
        return {"or" if between[-1].lower() in ("or", "nor") else "and"}
    found = set()
    for n in range(hi, min(hi + 40, len(text))):
        if text[n].role == "condition" or text[n].clause != text[hi].clause:
            break
        if text[n].low in ("and", "or", "nor"):
            found.add("or" if text[n].low in ("or", "nor") else "and")
    return found


def _joined(pair: Match) -> Iterator[str]:
    tokens = pair.claim.tokens
    for n, token in enumerate(tokens):
        if token.low not in ("and", "or", "nor", "either", "both"):
            continue
        if token.comma and any(binds(pair.claim, k) for k in range(n, min(n + 6, len(tokens)))):
            continue
        said = {"nor": "or", "either": "or", "both": "and"}.get(token.low, token.low)
        if token.low in ("either", "both"):
            places = [j for i in _next(pair.claim, n, 2) for j in pair.forth.get(i, ())[:1]]
            if len(places) < 2:
                continue
            lo, hi = sorted(places)[:2]
        else:
            before = [i for i in pair.claim.content if i < n][-1:]
            behind = _next(pair.claim, n)
            places = [j for i in (*before, *behind) for j in pair.forth.get(i, ())[:1]]
            if len(places) < 2:
                continue
            lo, hi = sorted(places)
        there = _connective(pair.source, lo, hi)
        slashed = "and/or" in pair.source.reading.text[pair.source.tokens[lo].start : pair.source.tokens[hi].end]
        if there and said not in there and not slashed:
            yield f"joined: {token.low}"
        if not there and said == "or" and "/" not in pair.source.reading.text:
            yield f"joined: {token.low}"
