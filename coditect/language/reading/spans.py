"""Stretches of a sentence that are one token each, whatever their words: quantities, places in documents, binding expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from coditect.language.marks import JsonValue, Mark
from coditect.language.norms.modality import find_cues
from coditect.language.patterns.deferred import deferred
from coditect.language.quantities.meaning import find_quantities
from coditect.language.quantities.numbers import NUMBER, WORDS, parse_number
from coditect.language.reading.phrases import Role
from coditect.language.references.mentions import find_references

__all__ = ["TokenSpan", "find_token_spans", "may_hold_number"]

_SURE_REFERENCE = 0.9
_HOURS = {"hour": 1.0, "day": 24.0, "month": 730.5, "year": 8766.0}
_HALF = deferred(
    r"(?<![\w-])(?P<each>(?:each|every|per|once (?:a|every)) )?half[- ](?:an? )?(?P<unit>hour|day|month|year)s?\b",
    re.IGNORECASE,
)
_MIXED = deferred(
    r"(?<![\d/.-])(?P<whole>\d{1,3})[- ](?P<upper>\d{1,2})/(?P<lower>\d{1,2})(?![\d/-])(?P<percent>\s*(?:%|percent\b|per cent\b))?"
)
_PART = deferred(r"(?<![\d/.-])(?<!\d )(?P<upper>[1-9])/(?P<lower>[2-9]|10)(?![\d/-]|\w)")
_LOOSE = deferred(rf"(?<![\w.,$€£¥§/-]){NUMBER}(?![\w])(?!/7\b)", re.IGNORECASE)
_NUMBER_HINT = deferred(rf"\d|\b{WORDS}\b", re.IGNORECASE)
_TRIVIAL = frozenset(("one", "a half", "half", "second", "and"))
_AGAIN = deferred(r"\s*\(\s*[$€£]?\s?[\d,.]+\s?%?\s*\)")
_PLACE_WORDS = deferred(r"\s|§|\bsect?(?:ions?)?\b\.?")
_INVERTED = deferred(r"(?:^|[,;(])\s*(?:(?:and|or|but|that)\s+)?$")
_CUE_KEYS = {
    "is not required to": "free", "is not required": "free", "does not apply": "free", "is not prevented from": "may",
    "is expected to": "recommended", "may": "may", "may only": "may", "should": "recommended", "should not": "recommended not",
    "can": "may",
}  # fmt: skip
_KIND_KEYS = {"obligation": "shall", "prohibition": "shall not", "permission": "may"}


class TokenSpan(NamedTuple):
    """A stretch of a sentence that is one token.

    Attributes:
        start: first code point.
        end: one past the last.
        role: "number", "reference", "modal" or "condition".
        key: what makes it equal to another: a value in its family's unit, a label, how it binds.
        mark: what the reader of quantities or references says of it.
    """

    start: int
    end: int
    role: Role
    key: str
    mark: Mark | None


def may_hold_number(text: str) -> bool:
    """Whether a text has a digit or a number word at all; cheap, and never wrong where it says no."""
    return _NUMBER_HINT.search(text) is not None


def find_token_spans(text: str) -> list[TokenSpan]:
    """Quantities, places and binding expressions of a sentence, in order, not overlapping; the first found of two stays.

    Args:
        text: one sentence, at most a few thousand code points.
    """
    found: list[TokenSpan] = []
    taken = bytearray(len(text))
    for span in (
        *_references(text),
        *_halves(text),
        *_mixed(text),
        *_parts(text),
        *_quantities(text),
        *_loose_numbers(text),
        *_modals(text),
    ):
        if not any(taken[span.start : span.end]):
            taken[span.start : span.end] = b"\1" * (span.end - span.start)
            found.append(span)
    return sorted(found, key=lambda span: span.start)


def _references(text: str) -> list[TokenSpan]:
    return [
        TokenSpan(mark.start, mark.end, "reference", "§" + _PLACE_WORDS.sub("", label.casefold()), mark)
        for mark in find_references(text, 0, len(text))
        if mark.confidence >= _SURE_REFERENCE and (label := str(mark.data.get("label") or ""))
    ]


def _quantities(text: str) -> list[TokenSpan]:
    """Quantities with the amount in brackets that repeats them."""
    found = []
    for mark in find_quantities(text, 0, len(text)):
        again = _AGAIN.match(text, mark.end)
        found.append(
            TokenSpan(mark.start, again.end() if again else mark.end, "number", _quantity_key(mark.data), mark)
        )
    return found


def _halves(text: str) -> Iterator[TokenSpan]:
    """Halves of a time: "half a year", "half an hour", "each half-year"."""
    for match in _HALF.finditer(text) if "half" in text.casefold() else ():
        hours, unit = _HOURS[match["unit"].casefold()] / 2, match["unit"].casefold()
        data: dict[str, JsonValue] = {
            "quantity_kind": "duration", "text": match[0], "value": 0.5, "unit": f"{unit}s", "hours": hours,
        }  # fmt: skip
        if match["each"]:
            data |= {"quantity_kind": "frequency", "per_year": _HOURS["year"] / hours}
        yield TokenSpan(
            match.start(),
            match.end(),
            "number",
            _quantity_key(data),
            Mark("quantity", match.start(), match.end(), data, 0.8),
        )


def _mixed(text: str) -> Iterator[TokenSpan]:
    """Mixed numbers, which the reader of quantities takes apart: "2-1/4 percent"."""
    for match in _MIXED.finditer(text) if "/" in text else ():
        if int(match["lower"]):
            value = int(match["whole"]) + int(match["upper"]) / int(match["lower"])
            kind = "percentage" if match["percent"] else "plain"
            data: dict[str, JsonValue] = {"quantity_kind": kind, "text": match[0], "value": value}
            mark = Mark("quantity", match.start(), match.end(), data, 0.8)
            yield TokenSpan(match.start(), match.end(), "number", _quantity_key(data), mark)


def _parts(text: str) -> Iterator[TokenSpan]:
    """Parts of a whole in figures: "by 2/3 vote"."""
    for match in _PART.finditer(text) if "/" in text else ():
        value = int(match["upper"]) / int(match["lower"])
        if value < 1.0:
            data: dict[str, JsonValue] = {"quantity_kind": "plain", "text": match[0], "value": value}
            mark = Mark("quantity", match.start(), match.end(), data, 0.8)
            yield TokenSpan(match.start(), match.end(), "number", _quantity_key(data), mark)


def _loose_numbers(text: str) -> list[TokenSpan]:
    """Numbers without a unit, but for "one" and the sentence's own label."""
    found = []
    for match in _LOOSE.finditer(text) if may_hold_number(text) else ():
        value = None if match[0].casefold() in _TRIVIAL or _is_label(text, match) else parse_number(match[0])
        if value is not None:
            data: dict[str, JsonValue] = {"quantity_kind": "plain", "text": match[0], "value": value}
            mark = Mark("quantity", match.start(), match.end(), data, 0.6)
            found.append(TokenSpan(match.start(), match.end(), "number", f"#{value:g}", mark))
    return found


def _is_label(text: str, match: re.Match[str]) -> bool:
    """Whether a number is the sentence's own label ("3. Fees", "(2)")."""
    before, after = text[: match.start()].strip(), text[match.end() : match.end() + 1]
    return (before in ("", "(") and after in (".", ")", "")) or (before.endswith("(") and after == ")")


def _modals(text: str) -> list[TokenSpan]:
    found = []
    for cue in find_cues(text, 0, len(text)):
        if text[cue.start : cue.end].casefold() == "should" and _INVERTED.search(text, 0, cue.start):
            # "Should the tenant fail to pay, …"
            found.append(TokenSpan(cue.start, cue.end, "condition", "if", None))
        else:
            only = cue.modality.endswith(" only") and cue.modality != "may only"
            key = "shall" if only else _CUE_KEYS.get(cue.modality, _KIND_KEYS[cue.kind])
            found.append(TokenSpan(cue.start, cue.end, "modal", key, None))
    return found


def _quantity_key(data: Mapping[str, JsonValue]) -> str:
    """What makes two quantities equal: their family and their value in one unit."""
    kind = data.get("quantity_kind")
    if kind in ("deadline", "duration"):
        return f"t{_float(data.get('hours')):g}{'b' if data.get('business_days') else ''}"
    if kind == "date":
        return f"d{data.get('iso')}"
    if kind == "amount":
        return f"${_float(data.get('value')):g}{data.get('currency')}"
    if kind == "percentage":
        return f"%{_float(data.get('value')):g}"
    if kind == "frequency":
        return f"f{_float(data.get('per_year')):.3g}"
    return f"#{_float(data.get('value')):g}"


def _float(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
