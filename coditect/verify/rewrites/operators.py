"""The small words that decide, of a rewrite and of its source: numbers, quantifiers, order, "and" and "or"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table
from coditect.verify.rewrites.force import binds, next_content
from coditect.verify.rewrites.lexicon import is_never, sets_of
from coditect.verify.rewrites.matching import WordMatch
from coditect.verify.rewrites.reading import ReadStatement

__all__ = ["operators_differ"]

_UNLIMITED = tuple(each for each in read_table("predicates").phrases("unlimited") if not each.startswith("any"))
_BOUNDING = frozenset(read_table("interchangeable").words("bounding"))
_SIDES = {
    "beyond": frozenset(("beyond", "outside", "past", "exceeds", "exceeding", "exceed", "over", "above", "more than")),
    "above": frozenset(
        ("above", "over", "exceeds", "exceeding", "exceed", "more than", "higher than", "beyond", "greater than")
    ),
    "below": frozenset(("below", "under", "less than", "lower than", "beneath")),
    "outside": frozenset(("outside", "beyond", "out", "external")),
    "inside": frozenset(("inside", "within", "in")),
}
_ARTICLES = frozenset(("the", "a", "an", "its", "this", "their"))
_AFTER = frozenset(("upon", "once", "as soon as"))
_CONNECTIVE = re.compile(r"\b(and|or|nor|as well as|together with|along with|in addition to|plus)\b", re.IGNORECASE)
_REACH = 5
_AHEAD = 40
_NEAR_BY = 12
_RELATIVES = frozenset(("which", "that", "who", "whose"))
_EVERYBODY = frozenset(("anything", "everything", "everyone", "everybody"))
_PERIODS = {
    "annual": "f1", "year": "f1", "month": "f12", "quarter": "f4", "week": "f52.1", "daili": "f365", "hour": "f8.77e+03",
}  # fmt: skip
_DEFINITE = frozenset(("the", "its", "their", "this", "that", "such", "certain", "some", "his", "her", "your", "our"))


def operators_differ(pair: WordMatch) -> Iterator[str]:
    """What of the small words of a claim its source does not bear out, each in a few words.

    Args:
        pair: a sentence of the claim beside a statement of the evidence.
    """
    yield from _numbers(pair)
    yield from _quantifiers(pair)
    yield from _orders(pair)
    yield from _joined(pair)
    yield from _opposites(pair)
    text, source = (f" {each.reading.text.casefold()} " for each in (pair.claim, pair.source))
    for phrase in _UNLIMITED:
        if f" {phrase} " in text.replace(",", " ").replace(".", " ") and phrase not in source:
            yield f"unlimited: {phrase}"


def _numbers(pair: WordMatch) -> Iterator[str]:
    theirs = [(n, token) for n, token in enumerate(pair.source.tokens) if token.role in ("number", "reference")]
    adverbs = {_PERIODS.get(token.key) for token in pair.source.tokens if token.low.endswith(("al", "ly"))}
    for n, token in enumerate(pair.claim.tokens):
        if token.role not in ("number", "reference") or token.key in adverbs:
            continue
        same = [k for k, other in theirs if other.role == token.role and other.key == token.key]
        if not same:
            yield f"number: {token.low}"
        elif token.role == "number" and not any(_bound(pair.source, k) == _bound(pair.claim, n) for k in same):
            yield f"bound: {token.low}"


def _bound(said: ReadStatement, at: int) -> str:
    """What bounds a number: the comparator right before it, or behind it."""
    for n in (at - 1, at - 2, at + 1):
        if n == at - 2 and said.tokens[at - 1].role == "number":
            continue
        if 0 <= n < len(said.tokens) and said.tokens[n].role == "comparator":
            return said.tokens[n].key
    return ""


def _quantifiers(pair: WordMatch) -> Iterator[str]:
    for n, token in enumerate(pair.claim.tokens):
        if token.role != "quantifier":
            continue
        behind = next_content(pair.claim, n)
        yield from _narrowed(pair, n)
        if _same_quantifier(pair, n):
            continue
        places = [j for i in behind for j in pair.forth.get(i, ())[:1]]
        keys = {pair.source.tokens[j].key for j in places}
        every = [j for j, each in enumerate(pair.source.tokens) if each.key in keys]
        near = [each for j in every for each in pair.source.tokens[max(0, j - _REACH) : j + 1]]
        around = {each.key for each in near if each.role == "quantifier"}
        if token.low == "any" and places and not {"some", "most"} & around:
            right = [each.low for j in places for each in pair.source.tokens[max(0, j - 3) : j]]
            if not _DEFINITE.intersection(right):
                continue
        if token.key in ("all", "most", "only") and token.key not in around:
            yield f"quantifier: {token.low}"
        if token.key == "some" and around & {"all", "most", "only"}:
            yield f"quantifier: {token.low}"
    for n, token in enumerate(pair.source.tokens):
        if token.role != "quantifier" or token.key not in ("some", "most", "only"):
            continue
        for j in next_content(pair.source, n):
            for i in pair.back.get(j, ())[:1]:
                own = pair.claim.tokens[max(0, i - _REACH) : i + 1]
                kept = any(other.role == "quantifier" and other.key == token.key for other in own)
                if not kept and not any(
                    _about(pair, m) & _around(pair.source, n) for m in _of_key(pair.claim, token.key)
                ):
                    yield f"quantifier lost: {token.low}"
    if any(token.low in _EVERYBODY for token in pair.claim.tokens) and not _of_key(pair.source, "all"):
        yield "quantifier: everything"


def _of_key(said: ReadStatement, key: str) -> list[int]:
    return [n for n, token in enumerate(said.tokens) if token.role == "quantifier" and token.key == key]


def _around(said: ReadStatement, at: int) -> set[int]:
    """The words of content right before a token, and the two behind it."""
    return {*[n for n in said.content if n < at][-1:], *next_content(said, at, 2)}


def _about(pair: WordMatch, at: int) -> set[int]:
    """What stands in the source for the words around a token of the claim."""
    return {j for i in _around(pair.claim, at) for j in pair.forth.get(i, ())}


def _same_quantifier(pair: WordMatch, at: int) -> bool:
    """Whether the source has the quantifier among the same words: "will exclusively control", "controlled exclusively by"."""
    token = pair.claim.tokens[at]
    if token.key == "only" and any(
        _about(pair, at) & set(next_content(pair.source, k, 2))
        for k, each in enumerate(pair.source.tokens)
        if each.role == "modal" and "only" in each.low.split()
    ):
        return True
    return any(_about(pair, at) & _around(pair.source, k) for k in _of_key(pair.source, token.key))


def _narrowed(pair: WordMatch, at: int) -> Iterator[str]:
    """What narrows the noun that a quantifier of the claim is about, in the source alone."""
    if pair.claim.tokens[at].key != "all":
        return
    for i in next_content(pair.claim, at):
        for j in pair.forth.get(i, ())[:1]:
            if j - 1 in pair.source.place and j - 1 not in pair.back and not pair.source.tokens[j].comma:
                yield f"narrower: {pair.source.tokens[j - 1].low}"
            yield from _relative_lost(pair, j)


def _relative_lost(pair: WordMatch, at: int) -> Iterator[str]:
    """A relative clause behind a noun of the source that the claim speaks of all of, and nothing of which it has."""
    tokens = pair.source.tokens
    for n in range(at + 1, min(at + _NEAR_BY, len(tokens))):
        if tokens[n].clause != tokens[at].clause or tokens[n].role in ("modal", "condition"):
            return
        if tokens[n].low in _RELATIVES and tokens[n - 1].low not in ("in", "to", "of", "so", "such"):
            behind = [k for k in next_content(pair.source, n, 3) if tokens[k].clause == tokens[n].clause]
            if len(behind) > 1 and not any(k in pair.back for k in behind):
                yield f"relative lost: {tokens[n].low}"
            return


def _opposites(pair: WordMatch) -> Iterator[str]:
    """Words of the claim without a counterpart whose opposite stands in the source without one; bounds that one side lacks."""
    theirs = {
        canonical_stem(token.low)
        for j, token in enumerate(pair.source.tokens)
        if j not in pair.back and (token.role == "word" or token.low in _BOUNDING)
    }
    every = {canonical_stem(token.low) for token in pair.source.tokens}
    for i, token in enumerate(pair.claim.tokens):
        own = canonical_stem(token.low)
        if i in pair.forth or own in every or not (i in pair.claim.place or token.low in _BOUNDING):
            continue
        for other in sorted(theirs):
            if is_never(own, other):
                yield f"opposite: {token.low} {other}"
    lows = {token.low for token in pair.claim.tokens}
    for j, token in enumerate(pair.source.tokens):
        if (
            token.low in _SIDES
            and token.role in ("word", "function")
            and not lows & _SIDES[token.low]
            and j not in pair.back
        ):
            behind = pair.source.tokens[j + 1].low if j + 1 < len(pair.source.tokens) else ""
            if j - 1 in pair.back and (behind in _ARTICLES or j + 1 in pair.source.place):
                yield f"bounding: {token.low}"


def _order_keys(said: ReadStatement) -> list[tuple[int, str]]:
    found = []
    for n, token in enumerate(said.tokens):
        if token.role == "order":
            found.append((n, token.key))
        elif n not in said.conditional:
            continue
        elif token.role == "condition" and token.low in _AFTER:
            found.append((n, "after"))
        elif token.role == "condition" and token.low == "until":
            found.append((n, "before"))
    return found


def _orders(pair: WordMatch) -> Iterator[str]:
    mine, theirs = _order_keys(pair.claim), _order_keys(pair.source)
    keys, own = {key for _, key in theirs}, {key for _, key in mine}
    timed = any(token.role == "condition" and token.key in ("when", "if") for token in pair.source.tokens)
    timed = timed or any(
        token.role == "number" and pair.source.tokens[n + 1].low in ("of", "from")
        for n, token in enumerate(pair.source.tokens[:-1])
    )
    timed = timed or "as a result of" in pair.source.reading.text.casefold()
    for n, key in mine:
        if _in_turn(pair, n):
            continue
        if key not in keys and not (key == "after" and timed and "before" not in keys):
            yield f"order: {pair.claim.tokens[n].low}"
    for n, key in theirs:
        if (pair.source.tokens[n].role == "condition" and not mine) or key in own:
            continue
        behind = next_content(pair.source, n)
        conditions = any(token.role == "condition" for token in pair.claim.tokens)
        if behind and behind[0] in pair.back and (not conditions or own):
            yield f"order lost: {pair.source.tokens[n].low}"


def _in_turn(pair: WordMatch, n: int) -> bool:
    """Whether a word of order belongs to a turn of the claim that the source has: "defined in advance" for "predetermined"."""
    return any(
        n in bundle.tokens
        and any(bundle.sets & sets_of(pair.source.tokens[j].key) for i in bundle.tokens for j in pair.forth.get(i, ()))
        for bundle in pair.claim.bundles
    )


def _connective(said: ReadStatement, lo: int, hi: int) -> set[str]:
    """Of a list "and" or "or" between two places; where none stands there, those behind the second."""
    text = said.tokens
    between = _CONNECTIVE.findall(said.reading.text, text[lo].end, text[hi].start)
    if between:
        return {"or" if between[-1].lower() in ("or", "nor") else "and"}
    found = set()
    for n in range(hi, min(hi + _AHEAD, len(text))):
        if text[n].role == "condition" or text[n].clause != text[hi].clause:
            break
        if text[n].low in ("and", "or", "nor"):
            found.add("or" if text[n].low in ("or", "nor") else "and")
    return found


def _joined(pair: WordMatch) -> Iterator[str]:
    tokens = pair.claim.tokens
    for n, token in enumerate(tokens):
        if token.low not in ("and", "or", "nor", "either", "both"):
            continue
        if token.comma and any(binds(pair.claim, k) for k in range(n, min(n + 6, len(tokens)))):
            continue  # another clause
        said = {"nor": "or", "either": "or", "both": "and"}.get(token.low, token.low)
        alone = token.low in ("either", "both")
        before = [] if alone else [i for i in pair.claim.content if i < n][-1:]
        behind = next_content(pair.claim, n, 2 if alone else 1)
        places = [j for i in (*before, *behind) for j in pair.forth.get(i, ())[:1]]
        if len(places) < 2:
            continue
        lo, hi = sorted(places)[:2]
        there = _connective(pair.source, lo, hi)
        text = pair.source.reading.text
        slashed = "and/or" in text[pair.source.tokens[lo].start : pair.source.tokens[hi].end]
        if (there and said not in there and not slashed) or (not there and said == "or" and "/" not in text):
            yield f"joined: {token.low}"
