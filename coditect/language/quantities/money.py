"""Amounts of money in symbols, ISO codes and words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.language.marks import JsonValue, Mark, sort_data
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.quantities.comparators import comparator_before
from coditect.language.quantities.numbers import WORDS, parse_number
from coditect.language.tables import read_table

__all__ = ["find_money"]

_I = re.IGNORECASE
_MONEY = read_table("money")
_CODES = _MONEY.pattern("codes")
_SYMBOLS = _MONEY.mapping("signs")
_NAMES = _MONEY.mapping("names")
_ALIASES = _MONEY.mapping("aliases")
_SCALE = {word: float(value) for word, value in _MONEY.mapping("scales").items()}
_FIGURE = (
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3}){2,}(?:,\d\d)?|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)"
    r"|\d{1,15}(?:\.\d{1,8})?|\.\d{1,8})"
)
_SCALES = r"(?:[\s-]?(?P<scale{0}>thousand|million|billion|trillion|mm|MM|bn|[mkMK])\b)?"
_SYMBOL = (
    rf"(?P<sym>(?:\b(?:U\.S\.\s?|US\s?|HK|NZ|CDN|[CAS]))?\$|[€£¥₹]|\b(?:{_CODES})\b\s?\$?)\s?"
    rf"(?P<fig1>{_FIGURE}){_SCALES.format(1)}"
)
_SUFFIX = (
    rf"(?<![\w.,$€£])(?P<fig2>{_FIGURE}){_SCALES.format(2)}\s?(?P<code>(?:{_CODES})\b|€"
    rf"|(?:U\.?S\.?\s+|United\s+States\s+)?(?i:{_MONEY.pattern('name_forms')})\b)"
)
_SPELLED = quick(
    rf"\b(?P<words>{WORDS})\s+(?:and\s+(?:no|00|\d\d)/100\s+)?(?:U\.?S\.?\s+|United\s+States\s+)?"
    rf"(?P<name>{_MONEY.pattern('names_behind_words')})\b"
    r"(?:\s*\(\s*(?:US|U\.S\.)?\s?[$€£]\s?(?P<paren>[\d,]+(?:\.\d+)?)\s*\))?",
    _I,
)
_FIGURES = quick(rf"{_SYMBOL}|{_SUFFIX}")
# Literal beginnings only, so that the engine skips ahead.
_SIGN = deferred(rf"\$|€|£|¥|₹|{_CODES}")
_WORDS_OF_MONEY = ("ollar", "OLLAR", "uro", "terling", "yen", "francs", "enminbi", "yuan", "cents")
"""What each hint has: signs and codes, to which the engine skips, and words of small letters, which it would try everywhere."""
_HINT = deferred(rf"\$|€|£|¥|₹|{_CODES}|ollar|OLLAR|uros?\b|terling|yen\b|francs|enminbi|yuan|cents\b")


def find_money(text: str, start: int, end: int) -> Iterator[Mark]:
    """Amounts in ``text[start:end]``.

    A bare dollar sign is read as USD, "cents" as hundredths of it; both lower the confidence by nothing, because the
    documents that we read are mostly from the United States, but the verbatim ``text`` stays beside the ISO code.

    Args:
        text: the canonical text.
        start: first code point to read.
        end: one past the last.

    Yields:
        Marks of kind "quantity" with quantity_kind "amount"; may overlap each other.
    """
    words = (text.find(word, start, end) >= 0 for word in _WORDS_OF_MONEY)
    if (_SIGN.search(text, start, end) is None and not any(words)) or _HINT.search(text, start, end) is None:
        return
    for match in _FIGURES.finditer(text, start, end):
        figure = match["fig1"] or match["fig2"]
        value = parse_number(figure if "," in figure or "." in figure else re.sub(r"\s", "", figure))
        if value is None:
            continue
        scale = (match["scale1"] or match["scale2"] or "").lower()
        yield _amount(text, start, match, value * _SCALE.get(scale, 1.0), match["sym"] or match["code"])
    for match in _SPELLED.finditer(text, start, end):
        value = parse_number(match["paren"]) if match["paren"] else parse_number(match["words"])
        if value is not None:
            yield _amount(text, start, match, value, match["name"])


def _amount(text: str, lo: int, match: re.Match[str], value: float, unit: str) -> Mark:
    """The amount as a mark; its currency from a symbol, a code or a name."""
    key = " ".join(unit.lower().split())
    name = key.removeprefix("united states ").removeprefix("u.s. ").removeprefix("us ")
    if name == "cents":
        value /= 100
    currency = _SYMBOLS.get(key) or _NAMES.get(name) or _NAMES.get(name + "s") or key.strip(" $").upper()
    comparator, _, _ = comparator_before(text, lo, match.start())
    data: dict[str, JsonValue | None] = {
        "quantity_kind": "amount",
        "text": match[0],
        "value": round(value, 6),
        "unit": unit.strip(),
        "currency": _ALIASES.get(currency, currency),
        "comparator": comparator,
    }
    return Mark("quantity", match.start(), match.end(), sort_data(data), 0.95)
