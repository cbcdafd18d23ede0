"""Conditions and exceptions of a rewrite and of its source: none may be added, and none that limits the source may be lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coditect.language.reading.conditions import Condition
from coditect.verify.rewrites.matching import WordMatch
from coditect.verify.rewrites.negation import negators
from coditect.verify.rewrites.reading import ReadStatement

__all__ = ["conditions_differ"]

_HELD = 0.5
_ALIKE = {"if": "if", "when": "if", "unless": "unless", "despite": "despite"}


def _body(said: ReadStatement, each: Condition) -> list[int]:
    content = set(said.content)
    return [n for n in range(each.at + 1, each.stop) if n in content]


def conditions_differ(pair: WordMatch) -> Iterator[str]:
    """The conditions that only one side has, each in a few words.

    Args:
        pair: a sentence of the claim beside a statement of the evidence.
    """
    mine, theirs = pair.claim.conditions, pair.source.conditions
    held_clauses = {pair.source.tokens[j].clause for j in pair.back}
    for each in theirs:
        token = pair.source.tokens[each.at]
        body = _body(pair.source, each)
        if (
            each.key == "despite"
            or not body
            or token.clause not in held_clauses
            or token.aside
            or _blurs(pair.source, each)
        ):
            continue
        fixed = _fixed(pair.source, each)
        held = float(_has(pair.claim, fixed)) if fixed else _held(pair, body)
        if held < _HELD:
            yield f"condition lost: {token.low} ({held:.2f})"
        elif each.key == "unless" and not any(other.key == "unless" for other in mine):
            turned = len(negators(pair.claim)) > len(negators(pair.source))
            if not turned and not any(t.key == "only" for t in pair.claim.tokens):
                yield f"exception lost: {token.low}"
    for own in mine:
        token = pair.claim.tokens[own.at]
        fixed = _fixed(pair.claim, own)
        if fixed:
            if not _has(pair.source, fixed):
                yield f"condition added: {token.low}"
            continue
        body = [i for i in _body(pair.claim, own) if i in pair.forth or not _stands_there(pair, i)]
        if len(body) == 1 and _stands_there(pair, body[0]):
            continue
        places = [j for i in body for j in pair.forth.get(i, ())[:1]]
        inside = [
            other for other in theirs
            if any(other.at <= j < other.stop for j in places) and _ALIKE[other.key] == _ALIKE[own.key]
        ]  # fmt: skip
        denied = token.low in _LACKING and any(
            k < j and sum(k < n <= j for n in pair.source.content) <= 4
            for k in negators(pair.source)
            for j in places[:1]
        )
        if body and not inside and own.key == "unless" and not denied:
            yield f"condition added: {token.low}"
        conceding = token.low in _CONCEDING and all(i in pair.forth for i in body)
        if own.key == "despite" and not inside and not conceding:
            yield f"condition added: {token.low}"
        if body and not inside and own.key in ("if", "when") and not _may_be_condition(pair, places):
            yield f"condition added: {token.low}"


_CONCEDING = ("even though", "although", "even if", "even where", "even when")
_LACKING = ("without", "absent", "in the absence of")
_FIXED = (
    frozenset(("possible", "feasible", "practicable", "practical")),
    frozenset(("applicable", "relevant")),
    frozenset(("appropriate", "suitable", "proper")),
    frozenset(("necessary", "needed", "required")),
    frozenset(("available",)),
)


def _blurs(said: ReadStatement, each: Condition) -> bool:
    """Whether "during" refers back: "during such period"."""
    behind = said.tokens[each.at + 1].low if each.at + 1 < len(said.tokens) else ""
    return said.tokens[each.at].low in ("during", "while") and behind in ("such", "the", "that")


def _stands_there(pair: WordMatch, i: int) -> bool:
    """Whether a word of the claim is one of a fixed turn of the source: "if applicable"."""
    return any(word.low == pair.claim.tokens[i].low for word in pair.source.reading.words)


def _fixed(said: ReadStatement, each: Condition) -> frozenset[str]:
    """The words of which one makes a turn of a condition: "where possible"; none where it has a clause of its own."""
    behind = said.tokens[each.at + 1].low if each.at + 1 < len(said.tokens) else ""
    return next((those for those in _FIXED if behind in those), frozenset())


def _has(said: ReadStatement, words: frozenset[str]) -> bool:
    return any(word.low in words for word in said.reading.words)


def _held(pair: WordMatch, body: Sequence[int]) -> float:
    """The share of a condition that the claim has; of alternatives, the greatest share of one. A noun may stand elsewhere in the
    claim, where a pronoun stands for it.
    """
    if not any(j in pair.back for j in body):
        return 0.0
    keys = {pair.source.tokens[j].key for j in pair.back}
    parts: list[list[int]] = [[]]
    for before, j in zip((body[0], *body), body, strict=False):
        if any(pair.source.tokens[n].low == "or" for n in range(before, j)):
            parts.append([])
        parts[-1].append(j)
    return max(sum(pair.source.tokens[j].key in keys for j in part) / len(part) for part in parts if part)


def _may_be_condition(pair: WordMatch, places: Sequence[int]) -> bool:
    """Whether words of the source stand behind what may say a condition otherwise: a preposition of time or case, a relative."""
    if not places:
        return False
    start = min(places)
    low = [token.low for token in pair.source.tokens[max(0, start - 4) : start]]
    return any(
        word
        in (
            "in",
            "of",
            "on",
            "upon",
            "for",
            "that",
            "which",
            "who",
            "whose",
            "with",
            "at",
            "after",
            "before",
            "prior to",
            "following",
            "subsequent",
        )
        for word in low
    )
