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

__all__ = ["Bound", "counts_of", "unit_of"]

_MOST_NAMED = 4
"""Words from a number to what it counts, at most: "five failed login attempts"."""

_upon = worded("acts", r"\b(?:«upon»)\s+(?:[\w-]+\s+){0,3}\Z")
_case = re.compile(r"\b(?:if|when|whenever|where|wherever|in\s+which|involving|affecting)\b[^,;:.]*\Z", re.IGNORECASE)
"""A case in which something is to be done: of how many on, so that fewer are stricter ("a breach affecting more than 500")."""

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
        comparator = comparator_before(text, 0, token.start)[0] or or_more(text, token.end, len(text))[0]
        before = text[: token.start]
        more, less = comparator in ("at_least", "more_than"), comparator in ("at_most", "less_than", "within")
        is_limit = less or _upon().search(before) is not None or (more and _case.search(before) is not None)
        is_open = not (more or is_limit or _former().search(before) or _named(tokens, n) in listed_words("sizes"))
        shift = {"more_than": 1, "less_than": -1}.get(comparator, 0)
        yield token.start, Bound("count", value + shift, text[token.start : token.end], is_limit, unit, is_open)


def unit_of(tokens: Sequence[Token], at: int) -> str:
    """The stem of what a number counts: the first plural among the words behind it, or of one thing its word; "" for none."""
    return canonical_stem(_named(tokens, at))


def _value(tokens: Sequence[Token], at: int) -> float | None:
    """The value of a number without another unit; "one" is one only where it is bounded."""
    token = tokens[at]
    if token.role == "number" and token.mark is not None:
        value = token.mark.data.get("value")
        plain = token.mark.data.get("quantity_kind") in ("count", "plain") and isinstance(value, int | float)
        return float(value) if plain and isinstance(value, int | float) else None
    return 1.0 if token.low == "one" and at and tokens[at - 1].role == "comparator" else None


def _named(tokens: Sequence[Token], at: int) -> str:
    value = _value(tokens, at)
    if value is None:
        return ""
    token = tokens[at]
    if token.mark is not None and token.mark.data.get("quantity_kind") == "count":
        return token.low.split()[-1]
    run: list[str] = []
    for each in tokens[at + 1 : at + 1 + _MOST_NAMED]:
        if each.role != "word" or each.comma or each.proper:
            break
        run.append(each.low)
    plural = next((each for each in run if each.endswith("s") and not each.endswith("ss")), "")
    return plural or (run[0] if run and value == 1.0 else "")
