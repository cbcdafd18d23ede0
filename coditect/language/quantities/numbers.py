"""Numbers as contracts write them: digits, words, and both ("thirty (30)", "one and one-half", "$1.5 million")."""

from __future__ import annotations

import re
from functools import lru_cache

from coditect.language.tables import read_table

__all__ = ["DIGITS", "NUMBER", "WORDS", "fraction", "parse_number"]


def fraction(text: str) -> float:
    """The value of a figure as tables of words write it: "0.25" or "1/3".

    Raises:
        ValueError: it is neither.
    """
    numerator, _, denominator = text.partition("/")
    return float(numerator) / float(denominator or 1)


_NUMBERS = read_table("numbers")

_UNITS = {word: int(value) for word, value in _NUMBERS.mapping("units").items()}
_TENS = {word: int(value) for word, value in _NUMBERS.mapping("tens").items()}
_SCALES = {word: int(value) for word, value in _NUMBERS.mapping("scales").items()}
_FRACTIONS = {word: fraction(value) for word, value in _NUMBERS.mapping("fractions").items()}
_GLYPHS = {sign: fraction(value) for sign, value in _NUMBERS.mapping("signs").items()}

_ATOM = "|".join(sorted({*_UNITS, *_TENS, *_SCALES}, key=lambda word: (-len(word), word)))
_FRACTION = "|".join(sorted(_FRACTIONS, key=lambda word: (-len(word), word)))

# Digits with separators come first, so that "1,000" is not read as 1. Thin and no-break spaces group as well.
DIGITS = (
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?:,\d{1,2})?|\d{1,9}\s\d/\d{1,2}"
    r"|\d{1,12}(?:\.\d{1,6})?[½¼¾⅓⅔⅛]?|\.\d{1,6}|[½¼¾⅓⅔⅛])"
)
WORDS = rf"(?:(?:{_ATOM})(?:(?:\s+and\s+|[\s-]+)(?:a\s+)?(?:{_ATOM}|{_FRACTION})(?![a-z])){{0,9}}|(?:a|one)[\s-]half)"
# "thirty (30)", "30 (thirty)", "thirty days" and "30" alike.
NUMBER = rf"(?:{DIGITS}|{WORDS})(?:\s*\(\s*(?:{DIGITS}|{WORDS})\s*\))?"

_TOKEN = re.compile(r"[a-z]+")
_PAREN = re.compile(r"\(\s*([^()]*?)\s*\)")
_MIXED = re.compile(r"(\d+)\s(\d)/(\d{1,2})")


@lru_cache(maxsize=1 << 12)
def parse_number(text: str) -> float | None:
    """The value of a number in digits or English words, 0 to 999,999,999,999.

    Where both are given ("thirty (30)") the digits count, because they are what a parser can get wrong least.

    Args:
        text: digits with separators, or number words; case does not matter.

    Returns:
        The value, or None when it is not a number.
    """
    text = text.strip().lower()
    inner = _PAREN.search(text)
    if inner:
        outer = text[: inner.start()].strip()
        digits = outer if any(c.isdigit() for c in outer) else inner.group(1)
        return parse_number(digits) if digits else None
    if any(c.isdigit() or c in _GLYPHS for c in text):
        return _parse_digits(text)
    return _parse_words(_TOKEN.findall(text))


def _parse_digits(text: str) -> float | None:
    """Digits with group separators, a mixed fraction or a fraction glyph."""
    mixed = _MIXED.fullmatch(text)
    if mixed:
        denominator = int(mixed[3])
        return int(mixed[1]) + int(mixed[2]) / denominator if denominator else None
    extra = _GLYPHS.get(text[-1], 0.0)
    if extra:
        text = text[:-1]
    if re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}(?:,\d{1,2})?", text):  # 20.000.000 as much of Europe writes it
        text = text.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d{1,3}(?:\s\d{3})+,\d{1,2}", text):
        text = text.replace(",", ".")
    text = re.sub(r"[,\s]", "", text)
    if not text:
        return extra
    try:
        return float(text) + extra
    except ValueError:
        return None


def _parse_words(words: list[str]) -> float | None:
    """Number words, most significant first; "and" and "a" are glue."""
    total, group, fraction, seen = 0.0, 0.0, 0.0, False
    for position, word in enumerate(words):
        if word in ("and", "a", "an"):
            continue
        seen = True
        if word in _UNITS:
            group += _UNITS[word]
        elif word in _TENS:
            group += _TENS[word]
        elif word == "hundred":
            group = (group or 1) * 100
        elif word in _SCALES:
            total, group = total + (group or 1) * _SCALES[word], 0.0
        elif word in _FRACTIONS:
            # "one-half" and "two thirds": the unit just before is the numerator, not a whole number.
            before = words[position - 1] if position else ""
            numerator = _UNITS.get(before, 0)
            group -= numerator
            fraction += (numerator or 1) * _FRACTIONS[word]
        else:
            return None
    return total + group + fraction if seen else None
