"""Contradictions in quantities, dates and places: values, units, currencies, bounds, section and control ids."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from coditect.verify.contradictions.alignment import Pair
from coditect.verify.contradictions.kinds import Contradiction, Kind
from coditect.verify.contradictions.reading import NUMBERS, Token, read

__all__ = ["find_bounds", "find_number_contradictions", "find_reference_contradictions"]

_KINDS: dict[str, Kind] = {
    "t": "duration", "d": "date", "$": "currency", "%": "percentage", "f": "duration", "#": "number", "§": "reference",
}  # fmt: skip
_BOUNDS = {
    "within": "at most", "at_most": "at most", "at_least": "at least", "less_than": "less", "more_than": "more",
    "before": "at most", "exactly": "exactly",
}  # fmt: skip
_TIGHT, _TIGHTEST = 0.6, 0.8
"""Closeness from which a small count, and from which a quantity of another sentence, is more than a remark."""
_MOST = 120
"""Quantities of one sentence that are compared; no real sentence has more, and each is compared with each."""
_SIDE = {"at most": "upper", "less": "upper", "at least": "lower", "more": "lower"}


def find_number_contradictions(pair: Pair, sentences: Sequence[str]) -> Iterator[Contradiction]:
    """Quantities of the claim that the evidence has not, or has elsewhere.

    Args:
        pair: the claim beside its evidence.
        sentences: all sentences of the evidence.
    """
    close = pair.closeness()
    mine, theirs = _numbers(pair.claim.tokens), [token for _, token in _numbers(pair.evidence.tokens)]
    free = [token for token in theirs if not any(_equal(token, own) for _, own in mine)]
    for at, token in mine:
        if any(_equal(token, other) for other in theirs):
            yield from _moved(pair, at, token, theirs)
            continue
        rival = _rival(pair, at, token, free)
        if rival is not None:
            kind = _difference(token, rival)
            severity = 0.4 if close < _TIGHTEST and _elsewhere(token, sentences) else 1.0
            detail = f"the claim says “{_said(token)}”, the evidence “{_said(rival)}”"
            yield Contradiction(kind, severity, pair.claim_span(token), pair.index, pair.evidence_span(rival), detail)
        elif token.key[0] == "#" and any(_value(token) == _value(other) for other in theirs):
            continue
        else:
            severity = _unknown(token, tight=close >= _TIGHT)
            stands_in = close >= _TIGHTEST and any(_alike(other, token) for other in theirs)
            if not stands_in and _elsewhere(token, sentences):
                severity = 0.3
            detail = f"“{_said(token)}” is not in the evidence"
            yield Contradiction(_KINDS[token.key[0]], severity, pair.claim_span(token), pair.index, (0, 0), detail)


def _numbers(tokens: Sequence[Token]) -> list[tuple[int, Token]]:
    """The first quantities of a sentence, with their indexes."""
    return list(islice(((n, token) for n, token in enumerate(tokens) if token.role == "number"), _MOST))


def _elsewhere(token: Token, sentences: Sequence[str]) -> bool:
    """Whether any sentence of the evidence has the quantity."""
    return any(
        other.role == "number" and _equal(token, other)
        for sentence in sentences
        if NUMBERS.search(sentence)
        for other in read(sentence).tokens
    )


def _unknown(token: Token, *, tight: bool) -> float:
    """How much a quantity weighs that no evidence has; a small count in words may be counted from a list."""
    if token.key[0] != "#":
        return 0.9
    return 0.4 if not tight and token.low.isalpha() and _value(token) in range(1, 11) else 0.6


def _said(token: Token) -> str:
    return " ".join(token.low.split())


def _value(token: Token) -> object:
    return token.mark.data.get("value") if token.mark else None


def _equal(one: Token, other: Token) -> bool:
    """Whether two quantities are the same, in whatever unit."""
    if one.key == other.key:
        return True
    a, b = one.key[0], other.key[0]
    if a == b == "d":
        return one.key.startswith(other.key) or other.key.startswith(one.key)
    if a == b == "t":
        return one.key.rstrip("b") == other.key.rstrip("b") and not (one.key.endswith("b") and other.key.endswith("b"))
    if {a, b} == {"f", "t"} and _unit(one) == _unit(other):
        return _value(one) == _value(other)
    return (
        {a, b} <= {"#", "$", "t", "%"}
        and "#" in (a, b)
        and _value(one) == _value(other)
        and not (_unit(one) and _unit(other))
    )


def _unit(token: Token) -> str:
    return str(token.mark.data.get("unit", "")) if token.mark else ""


def _rival(pair: Pair, at: int, token: Token, free: list[Token]) -> Token | None:
    """The evidence's quantity that stands where the claim's does: of its family, unsaid in the claim."""
    tokens = pair.evidence.tokens
    inside = [tokens[n] for n in pair.slot(at, 5) if tokens[n] in free]
    alike = [other for other in inside if _alike(other, token)]
    if alike or (inside and pair.closeness() >= _TIGHT):
        return (alike or inside)[0]
    family = [other for other in free if _alike(other, token)]
    return family[0] if len(family) == 1 else None


def _alike(one: Token, other: Token) -> bool:
    """Whether two quantities are of a family, so that one can stand for the other; a year is no count."""
    return one.key[0] == other.key[0] and _is_year(one) == _is_year(other)


def _is_year(token: Token) -> bool:
    return token.key[0] == "#" and token.low.isdigit() and len(token.low) == 4 and token.low[:2] in ("18", "19", "20")


def _difference(one: Token, other: Token) -> Kind:
    a, b = one.key[0], other.key[0]
    if a == b and _value(one) == _value(other):
        return "currency" if a == "$" else "unit"
    if a != b and "#" not in (a, b):
        return "unit"
    return _KINDS[a]


def _moved(pair: Pair, at: int, token: Token, theirs: list[Token]) -> Iterator[Contradiction]:
    """A value that the evidence has, but in another place, where the claim's place holds another value there."""
    family = [other for other in theirs if other.key[0] == token.key[0] and not _equal(other, token)]
    if not family:
        return
    left, right = pair.anchors(at, 1)
    if left is None or right is None or not 0 < right - left <= 6:
        return
    inside = [other for other in pair.evidence.tokens[left + 1 : right] if other.role == "number"]
    if inside and not any(_equal(token, other) for other in inside) and inside[0] in family:
        detail = f"where the claim says “{_said(token)}”, the evidence says “{_said(inside[0])}”"
        kind = _difference(token, inside[0])
        yield Contradiction(kind, 0.9, pair.claim_span(token), pair.index, pair.evidence_span(inside[0]), detail)


def find_bounds(pair: Pair) -> Iterator[Contradiction]:
    """Quantities that both sides have but bound differently: "at least 30 days", "within 30 days".

    Args:
        pair: the claim beside its evidence.
    """
    own, theirs = pair.claim.tokens, pair.evidence.tokens
    numbers = _numbers(theirs)
    for i, token in _numbers(own):
        if token.key[0] == "d":
            continue
        equal = [j for j, other in numbers if _equal(token, other)]
        j = pair.forth.get(i, equal[0] if len(equal) == 1 else None)
        if j is None or (len(equal) > 1 and j not in equal):
            continue
        said, meant = _bound(own, i), _bound(theirs, j)
        yield from _bounds_differ(pair, token, theirs[j], said, meant)


def _bound(tokens: tuple[Token, ...], at: int) -> str:
    """How a quantity is bound: upper, lower or "" with the words, from the lexicon before it or its own mark."""
    for n in range(at - 1, max(-1, at - 4), -1):
        if tokens[n].role == "comparator":
            return tokens[n].key
        if tokens[n].role in ("number", "modal", "condition"):
            break
    if at + 1 < len(tokens) and tokens[at + 1].role == "comparator" and tokens[at + 1].low.startswith("or "):
        return tokens[at + 1].key
    mark = tokens[at].mark
    return _BOUNDS.get(str(mark.data.get("comparator", "")), "") if mark else ""


def _bounds_differ(pair: Pair, token: Token, other: Token, said: str, meant: str) -> Iterator[Contradiction]:
    if said == meant:
        return
    one, two = _SIDE.get(said, ""), _SIDE.get(meant, "")
    severity = 1.0 if one and two and one != two else (0.6 if {one, two} & {"lower"} else 0.3)
    if one == two:
        severity = 0.4
    says = f"{said or 'exactly'} {_said(token)}"
    detail = f"the claim says “{says}”, the evidence “{meant or 'exactly'} {_said(other)}”"
    yield Contradiction("comparative", severity, pair.claim_span(token), pair.index, pair.evidence_span(other), detail)


def find_reference_contradictions(pair: Pair, sentences: Sequence[str]) -> Iterator[Contradiction]:
    """Section, control and law ids in the claim that the evidence does not have.

    Args:
        pair: the claim beside its evidence.
        sentences: all sentences of the evidence.
    """
    close = pair.closeness()
    known = {token.key for token in pair.evidence.tokens if token.role == "reference"}
    for at, token in enumerate(pair.claim.tokens):
        if token.role != "reference" or token.key in known or _written(token, (pair.evidence.text,)):
            continue
        others = [
            other
            for other in pair.evidence.tokens
            if other.role == "reference" and not any(other.key == own.key for own in pair.claim.tokens)
        ]
        severity = 1.0 if others else (0.3 if _written(token, sentences) else 0.9)
        if close < _TIGHT and not any(c.isdigit() for c in token.key):
            severity = min(severity, 0.4)  # the name of a law, in a claim of other words
        rival = next(
            (o for o in (pair.evidence.tokens[n] for n in pair.slot(at, 5)) if o in others),
            others[0] if others else None,
        )
        detail = f"“{_said(token)}” is not in the evidence"
        if rival is not None:
            detail = f"the claim refers to “{_said(token)}”, the evidence to “{_said(rival)}”"
        span = pair.evidence_span(rival) if rival is not None else (0, 0)
        yield Contradiction("reference", severity, pair.claim_span(token), pair.index, span, detail)


def _written(token: Token, sentences: Sequence[str]) -> bool:
    """Whether a place's label stands in a text, white space left out; a bare letter or number with its word."""
    label = token.key[1:]
    if label.isalnum():
        said = " ".join(token.low.split())
        return any(said in " ".join(sentence.casefold().split()) for sentence in sentences)
    return any(label in "".join(sentence.casefold().split()) for sentence in sentences)
