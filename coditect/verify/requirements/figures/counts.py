"""Counts of a requirement or a sentence as bounds: how many characters, copies, attempts, exercises."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.language.quantities.comparators import comparator_before, or_more
from coditect.language.reading.sentence import Token, read_sentence
from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import worded
from coditect.verify.requirements.terms import listed_words

__all__ = ["Bound", "counts_of", "is_figure", "unit_of"]

_MOST_NAMED = 4
"""Words from a number to what it counts, at most: "five failed login attempts"."""

_upon = worded("acts", r"\b(?:«upon»)\s+(?:[\w-]+\s+){0,3}\Z")
_case = re.compile(r"\b(?:if|when|whenever|where|wherever|in\s+which|involving|affecting)\b[^,;:.]*\Z", re.IGNORECASE)
"""A case in which something is to be done: of how many on, so that fewer are stricter ("a breach affecting more than 500"); and
what is done below a figure is done the more often the higher it is."""

_told = worded("acts", r"\b(?:«told_from»)\b")
_of_size = re.compile(r"(?P<noun>[a-z]{3,})\s+(?:(?:with|at)\s+a\s+\w+\s+)?(?:of\s+|for\s+)?\Z", re.IGNORECASE)
"""What is to be told of from a size on, so that a lower figure is stricter: "releases of more than 50 kg are reported"."""
_no_nouns = frozenset(
    ("not", "never", "be", "is", "are", "have", "has", "must", "shall", "will", "should", "and", "or")
)

_negated = re.compile(r"\b(?:not|never)\s+(?:be\s+)?\Z", re.IGNORECASE)
"""In front of a comparator that it turns round: "shall not be more than"."""
_has_to = re.compile(r"\b(?:must|shall|should|will)\s+exceed\s+\Z", re.IGNORECASE)
_REVERSED = {"more_than": "at_most", "less_than": "at_least"}

_PLAIN = ("count", "plain", "percentage", "amount")

_former = worded("acts", r"\b(?:«former»)\s+\Z")


@dataclass(frozen=True, slots=True)
class Bound:
    """How often, by when, for how long, or how many.

    Attributes:
        kind: "frequency", "deadline", "duration", "notice" before an event, or "count".
        value: times a year, hours, or how many.
        text: as printed.
        is_limit: of a duration or a count whether it may be less: "for no more than a year", "after five attempts".
        unit: of a count the stem of what is counted; else "".
        is_open: of a count whether nothing says which way it binds: "passwords of 14 characters".
    """

    kind: str
    value: float
    text: str
    is_limit: bool = False
    unit: str = ""
    is_open: bool = False


def counts_of(text: str) -> Iterator[tuple[int, Bound]]:
    """The counts of a text, each with where it stands.

    Args:
        text: of a requirement or a sentence.
    """
    tokens = read_sentence(text).tokens
    for n, token in enumerate(tokens):
        unit, value = unit_of(tokens, n), _value(tokens, n)
        if not unit or value is None:
            continue
        comparator, front = _comparator(text, token)
        before = text[: token.start]
        more, less = comparator in ("at_least", "more_than"), comparator in ("at_most", "less_than", "within")
        in_case = (more or less) and (_case.search(text[:front]) is not None or (more and _is_told(text, front)))
        is_limit = more if in_case else less or (_upon().search(before) is not None and not _has_to.search(before))
        is_open = not (
            more or less or is_limit or _former().search(before) or _named(tokens, n) in listed_words("sizes")
        )
        shift = {"more_than": 1, "less_than": -1}.get(comparator, 0) if _is_whole(tokens, n, value) else 0
        end = tokens[n + 1].end if _is_measure(tokens, n + 1) else token.end
        yield token.start, Bound("count", value + shift, text[token.start : end], is_limit, unit, is_open)


def is_figure(tokens: Sequence[Token], at: int) -> bool:
    """Whether a token tells how many or how long."""
    mark = tokens[at].mark
    is_time = (
        tokens[at].role == "number" and mark is not None and mark.data.get("quantity_kind") in ("duration", "deadline")
    )
    return is_time or bool(unit_of(tokens, at))


def _comparator(text: str, token: Token) -> tuple[str, int]:
    """How a figure is bound, and where the words begin that say so: "not be more than" is at most."""
    comparator, front, _ = comparator_before(text, 0, token.start)
    if not comparator:
        return or_more(text, token.end, len(text))[0], token.start
    turned = _negated.search(text, 0, front)
    return (_REVERSED.get(comparator, comparator), turned.start()) if turned is not None else (comparator, front)


def _is_told(text: str, front: int) -> bool:
    """Whether a figure says from which size on a thing is to be told of, or approved, and not how large it has to be."""
    found = _of_size.search(text, 0, front)
    if found is None or found["noun"].casefold() in _no_nouns or _told().fullmatch(found["noun"]):
        return False
    return _told().search(text) is not None


def _is_whole(tokens: Sequence[Token], at: int, value: float) -> bool:
    """Whether a figure counts things, so that more than ten are eleven; of what is measured more than ten is ten and a little."""
    unit = _named(tokens, at)
    return value == int(value) and unit.isalpha() and unit not in listed_words("measures") and not _is_money(tokens[at])


def unit_of(tokens: Sequence[Token], at: int) -> str:
    """The stem of what a number counts: the first plural among the words behind it, or of one thing its word; "" for none."""
    return canonical_stem(_named(tokens, at))


def _kind(token: Token) -> str:
    """What a number tells: a count, a plain number, a percentage, an amount of money; "" for another quantity."""
    kind = token.mark.data.get("quantity_kind") if token.mark is not None else ""
    return str(kind) if kind in _PLAIN else ""


def _is_measure(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].low in listed_words("measures")


def _is_money(token: Token) -> bool:
    return _kind(token) == "amount"


def _value(tokens: Sequence[Token], at: int) -> float | None:
    """The value of a number without a unit of time; "one" is one only where it is bounded."""
    token = tokens[at]
    if token.role == "number" and token.mark is not None:
        value = token.mark.data.get("value")
        return float(value) if _kind(token) and isinstance(value, int | float) else None
    return 1.0 if token.low == "one" and at and tokens[at - 1].role == "comparator" else None


def _named(tokens: Sequence[Token], at: int) -> str:
    """What a number counts, as it is printed; of money its currency, "percent" of a share; "" for none."""
    value = _value(tokens, at)
    if value is None:
        return ""
    token = tokens[at]
    if token.mark is not None and _kind(token) == "amount":
        return str(token.mark.data.get("currency") or "").casefold()
    if _kind(token) == "percentage":
        return "percent"
    if _kind(token) == "count":
        return token.low.split()[-1]
    if _is_measure(tokens, at + 1):
        return tokens[at + 1].low
    run: list[str] = []
    for each in tokens[at + 1 : at + 1 + _MOST_NAMED]:
        if each.role != "word" or each.comma or each.proper:
            break
        run.append(each.low)
    plural = next((each for each in run if each.endswith("s") and not each.endswith("ss")), "")
    return plural or (run[0] if run and value == 1.0 else "")
