"""Contradictions in quantities and dates: values, units, currencies, bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from coditect.language.reading.sentence import Token
from coditect.language.reading.spans import may_hold_number
from coditect.language.tables import read_table
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.contradictions.kinds import DOUBT, Contradiction, Kind, contradiction

__all__ = [
    "find_bounds",
    "find_number_contradictions",
    "find_single",
    "is_bound_kept",
    "is_equal",
    "upper_limits",
]

_KINDS: dict[str, Kind] = {
    "t": "duration", "d": "date", "$": "currency", "%": "percentage", "f": "duration", "#": "number", "§": "reference",
}  # fmt: skip
_BOUNDS = {
    "within": "at most", "at_most": "at most", "at_least": "at least", "less_than": "less", "more_than": "more",
    "before": "at most", "exactly": "exactly",
}  # fmt: skip
_REVERSE = {"at most": "at least", "at least": "at most", "less": "more", "more": "less"}
_INTERVALS = frozenset(read_table("bounds").words("intervals"))
_DENIED = {"at most": "more", "": "more", "more": "at most", "less": "at least"}
_NEGATED_REACH = 8
"""Tokens before a quantity among which a negation turns its bound."""
_LIMITED_REACH = 14
"""Tokens before a quantity among which a verb limits something to it."""
_TWO, _BOTH = "#2", "both"
_SINGLE = ("single", "sole", "lone")
_ENDS = ("from", "to")
"""Where a change begins and where it ends."""
_MONTHS_DIFFER = 1.035
_SIDE = {"at most": "upper", "less": "upper", "at least": "lower", "more": "lower"}
_LIMITING = frozenset(read_table("bounds").words("limiting"))
_LATEST = re.compile("later|latest|earlier")
_UNITS_OF = {"f1": "year", "f4": "quarter", "f12": "month", "f52": "week", "f365": "day"}
"""Of what there is one in each, by the key of a frequency."""
_TIGHT, _TIGHTEST = 0.6, 0.8
"""Closeness from which a small count, and from which a quantity of another sentence, is more than a remark."""
_BESIDE = 4
_BEHIND = 6
_MOST = 120
"""Quantities of one sentence that are compared; no real sentence has more, and each is compared with each."""
_MOST_READ = 400
"""Other sentences of the evidence that are read for a quantity."""


def find_number_contradictions(pair: AlignedPair) -> Iterator[Contradiction]:
    """Quantities of the claim that the evidence has not, or has elsewhere.

    Args:
        pair: the claim beside its evidence.
    """
    found = list(_find_numbers(pair))
    if found and not pair.index.holds(pair.claim.text):
        yield from found


def _find_numbers(pair: AlignedPair) -> Iterator[Contradiction]:
    close = pair.closeness()
    mine, theirs = _numbers(pair.claim.tokens), [token for _, token in _numbers(pair.evidence.tokens)]
    free = [token for token in theirs if not any(is_equal(token, own) for _, own in mine)]
    for at, token in mine:
        if any(is_equal(token, other) for other in theirs):
            yield from _moved(pair, at, token, theirs)
            continue
        if token.key == _TWO and any(other.key == _BOTH for other in pair.evidence.tokens):
            continue
        rival = _rival(pair, at, token, free)
        if rival is not None:
            severity = 0.4 if close < _TIGHTEST and _elsewhere(token, pair.index) else 1.0
            severity = min(severity, DOUBT) if _is_nearly(token, rival) else severity
            detail = f"the claim says “{_said(token)}”, the evidence “{_said(rival)}”"
            yield contradiction(pair, _difference(token, rival), severity, token, rival, detail)
        elif token.key[0] != "#" or all(_value(token) != _value(other) for other in theirs):
            severity = _unknown(token, tight=close >= _TIGHT)
            if token.key[0] == "f" and not at and token.low.split()[0] in ("every", "each"):
                continue  # "Every calendar day counts": not how often, but which
            if _is_per(token, pair.evidence.tokens) or _is_word_there(token, pair.evidence.text):
                continue
            if any(_is_nearly(token, other) for other in theirs):
                severity = min(severity, DOUBT)
            stands_in = close >= _TIGHTEST and any(_alike(other, token) for other in theirs)
            if not stands_in and _elsewhere(token, pair.index):
                severity = 0.3
            detail = f"“{_said(token)}” is not in the evidence"
            yield contradiction(pair, _KINDS[token.key[0]], severity, token, None, detail)


def _is_per(token: Token, theirs: Sequence[Token]) -> bool:
    """Whether an amount of the evidence is for each of what a frequency tells: "the monthly hour", "1 hour per month"."""
    unit = _UNITS_OF.get(token.key)
    return unit is not None and any(
        amount.role == "number" and per.low == "per" and each.low == unit
        for amount, per, each in zip(theirs, theirs[1:], theirs[2:], strict=False)
    )


def _is_word_there(token: Token, text: str) -> bool:
    """Whether a word of frequency stands in the evidence, which does not read it as one: "12 equal monthly installments"."""
    return token.key[0] == "f" and re.search(rf"(?<![\w-]){re.escape(_said(token))}(?![\w-])", text, re.I) is not None


def _numbers(tokens: Sequence[Token]) -> list[tuple[int, Token]]:
    """The first quantities of a sentence, with their indexes."""
    return list(islice(((n, token) for n, token in enumerate(tokens) if token.role == "number"), _MOST))


def _elsewhere(token: Token, index: EvidenceIndex) -> bool:
    """Whether any sentence of the evidence has the quantity."""
    return any(
        other.role == "number" and is_equal(token, other)
        for sentence in index.sentences[:_MOST_READ]
        if token.key[0] == "f" or may_hold_number(sentence.reading.text)
        for other in sentence.reading.tokens
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


def _unit(token: Token) -> str:
    return str(token.mark.data.get("unit", "")) if token.mark else ""


def is_equal(one: Token, other: Token) -> bool:
    """Whether two quantities are the same, in whatever unit.

    Args:
        one: a token of a quantity.
        other: another.
    """
    if one.key == other.key:
        return True
    families = {one.key[0], other.key[0]}
    if families == {"d"}:
        return one.key.startswith(other.key) or other.key.startswith(one.key)
    if families == {"#", "d"}:  # "by the end of 2018", "by 31 December 2018"
        year, day = sorted((one, other), key=lambda token: token.key[0])
        return _is_year(year) and day.key.startswith(f"d{year.low}")
    if families == {"t"}:  # the same hours, of business days on one side: another time
        return False
    if _value(one) != _value(other):
        return False
    if families == {"f", "t"}:
        return _unit(one) == _unit(other)
    return families <= {"#", "$", "t", "%"} and "#" in families and not (_unit(one) and _unit(other))


def _rival(pair: AlignedPair, at: int, token: Token, free: list[Token]) -> Token | None:
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
    return "unit" if a != b and "#" not in (a, b) else _KINDS[a]


def _is_nearly(one: Token, other: Token) -> bool:
    """Whether two times are the same but for how many days a month has: "two months", "60 days"."""
    if {one.key[0], other.key[0]} != {"t"} or "b" in one.key + other.key:
        return False
    short, long = sorted(float(token.key[1:]) for token in (one, other))
    return long <= _MONTHS_DIFFER * short


def _moved(pair: AlignedPair, at: int, token: Token, theirs: list[Token]) -> Iterator[Contradiction]:
    """A value that the evidence has, but in another place, where the claim's place holds another value there."""
    family = [other for other in theirs if other.key[0] == token.key[0] and not is_equal(other, token)]
    own = _end(pair.claim.tokens, at)
    ends = {_end(pair.evidence.tokens, n) for n, other in _numbers(pair.evidence.tokens) if is_equal(other, token)}
    if family and own and ends == {*_ENDS} - {own}:
        detail = f"in the claim something goes {own} “{_said(token)}”, in the evidence the other way"
        yield contradiction(pair, "comparative", 1.0, token, family[0], detail)
        return
    left, right = pair.anchors(at, 1) if family else (None, None)
    if left is not None and (right is None or right < left):
        right = min(len(pair.evidence.tokens), left + _BESIDE)  # another order of words; right behind the same one
    if left is None or right is None or not 0 < right - left <= 6:
        return
    inside = [other for other in pair.evidence.tokens[left + 1 : right] if other.role == "number"]
    ends = {own, _end(pair.evidence.tokens, pair.evidence.tokens.index(inside[0])) if inside else ""}
    if _is_behind(pair, token, pair.evidence.tokens[left].key):
        return
    if inside and not any(is_equal(token, other) for other in inside) and inside[0] in family and ends != {*_ENDS}:
        detail = f"where the claim says “{_said(token)}”, the evidence says “{_said(inside[0])}”"
        yield contradiction(pair, _difference(token, inside[0]), 0.9, token, inside[0], detail)


def _is_behind(pair: AlignedPair, token: Token, key: str) -> bool:
    """Whether a value of the evidence stands behind a word again that another value stands behind, too: "assets above" each."""
    tokens = pair.evidence.tokens
    for at, other in _numbers(tokens):
        if not is_equal(token, other):
            continue
        for before in reversed(tokens[max(0, at - _BEHIND) : at]):
            if before.role == "number":
                break
            if before.key == key:
                return True
    return False


def _end(tokens: Sequence[Token], at: int) -> str:
    """The word before a quantity that tells where a change begins, or where it ends; "" where there is none."""
    low = tokens[at - 1].low if at else ""
    return low if low in _ENDS else ""


def find_single(pair: AlignedPair) -> Iterator[Contradiction]:
    """What the claim says of a single one, and the evidence of several: "a single director", "any two directors".

    Args:
        pair: the claim beside its evidence.
    """
    theirs = pair.evidence.tokens
    for n, token in enumerate(pair.claim.tokens[:-1]):
        there = pair.forth.get(n + 1) if token.low in _SINGLE else None
        rival = theirs[there - 1] if there else None
        if rival is not None and rival.role == "number" and rival.key[0] == "#" and _value(rival) != 1:
            detail = f"the claim says “{token.low}”, the evidence “{_said(rival)}”"
            yield contradiction(pair, "number", 0.9, token, rival, detail)


def find_bounds(pair: AlignedPair) -> Iterator[Contradiction]:
    """Quantities that both sides have but bound differently: "at least 30 days", "within 30 days".

    Args:
        pair: the claim beside its evidence.
    """
    own, theirs = pair.claim.tokens, pair.evidence.tokens
    numbers = _numbers(theirs)
    for i, token in _numbers(own):
        equal = [j for j, other in numbers if is_equal(token, other)]
        j = pair.forth.get(i, equal[0] if len(equal) == 1 else None)
        if token.key[0] == "d" or j is None or (len(equal) > 1 and j not in equal):
            continue
        said, meant = _bound(own, i), _bound(theirs, j)
        if not {said, _unless_denied(own, i, said)} & {meant, _unless_denied(theirs, j, meant)}:
            detail = (
                f"the claim says “{said or 'exactly'} {_said(token)}”,"
                f" the evidence “{meant or 'exactly'} {_said(theirs[j])}”"
            )
            yield contradiction(pair, "comparative", _bound_severity(said, meant), token, theirs[j], detail)


def is_bound_kept(pair: AlignedPair, at: int) -> bool:
    """Whether both sides have the upper bound that a word of the evidence stands before: "may only receive at most $750".

    Args:
        pair: the claim beside its evidence.
        at: index of the evidence's token that says "only".
    """
    own, theirs = pair.claim.tokens, pair.evidence.tokens
    meant = [
        token for n, token in _numbers(theirs) if at < n <= at + _BEHIND and _SIDE.get(_bound(theirs, n)) == "upper"
    ]
    said = [token for n, token in _numbers(own) if _SIDE.get(_bound(own, n)) == "upper"]
    return any(is_equal(one, other) for one in said for other in meant)


def upper_limits(tokens: Sequence[Token], denied: bool) -> list[Token]:
    """The quantities that a sentence does not let be exceeded.

    Args:
        tokens: of the sentence.
        denied: those that it denies more than ("shall not emit more than 20"); else those that it bounds ("at most 20").
    """
    bounds = [(n, token, _bound(tokens, n)) for n, token in _numbers(tokens)]
    if denied:
        return [token for n, token, bound in bounds if bound == "more" and _unless_denied(tokens, n, bound) != bound]
    return [token for _, token, bound in bounds if _SIDE.get(bound) == "upper" and bound != "less"]


def _bound(tokens: Sequence[Token], at: int) -> str:
    """How a quantity is bound, by the words around it or its own mark; "" where it is not."""
    for n in range(at - 1, max(-1, at - 4), -1):
        if tokens[n].role == "comparator":
            key = _turned_before(tokens, at, n)
            is_interval = any(
                token.low in _INTERVALS for token in (*tokens[max(0, n - 3) : n], *tokens[at + 1 : at + 2])
            )
            return _REVERSE.get(key, key) if is_interval else key
        if tokens[n].role in ("number", "modal", "condition"):
            break
    if at + 1 < len(tokens) and tokens[at + 1].role == "comparator" and tokens[at + 1].low.startswith("or "):
        return tokens[at + 1].key
    mark = tokens[at].mark
    bound = _BOUNDS.get(str(mark.data.get("comparator", "")), "") if mark else ""
    return bound or ("at most" if _is_limit(tokens, at) else "")


def _is_limit(tokens: Sequence[Token], at: int) -> bool:
    """Whether a quantity is what something is limited to: "limits toluene to 20 mg"."""
    before = tokens[max(0, at - _LIMITED_REACH) : at]
    return bool(before) and before[-1].low in ("to", "at") and any(token.low in _LIMITING for token in before)


def _unless_denied(tokens: Sequence[Token], at: int, bound: str) -> str:
    """A bound as a negation before it turns it: what is not done within a time takes longer ("fails to pay within five days")."""
    before = tokens[max(0, at - _NEGATED_REACH * (2 if bound in ("more", "less") else 1)) : at]
    is_denied = any(token.negates and token.clause == tokens[at].clause for token in before)
    return _DENIED.get(bound, bound) if is_denied else bound


def _turned_before(tokens: Sequence[Token], at: int, bound: int) -> str:
    """A bound of time as it binds the length: "no later than 30 days before" an event is at least 30 days before it."""
    key = tokens[bound].key
    behind = tokens[at + 1 : at + 4]
    if any((token.role, token.key) == ("order", "before") for token in behind) and _LATEST.search(tokens[bound].low):
        return _REVERSE.get(key, key)
    return key


def _bound_severity(said: str, meant: str) -> float:
    one, two = _SIDE.get(said, ""), _SIDE.get(meant, "")
    if one == two:
        return 0.4
    if one and two:
        return 1.0
    return 0.6 if "lower" in (one, two) else 0.3
