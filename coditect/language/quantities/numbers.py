"""Numbers as contracts write them: digits, words, and both ("thirty (30)", "one and one-half", "$1.5 million")."""

from __future__ import annotations

import re

__all__ = ["DIGITS", "NUMBER", "WORDS", "parse_number"]

_UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_FRACTIONS = {
    "half": 0.5, "third": 1 / 3, "thirds": 1 / 3, "quarter": 0.25, "quarters": 0.25, "fourth": 0.25, "fourths": 0.25,
    "tenth": 0.1, "tenths": 0.1, "eighth": 0.125, "eighths": 0.125,
}  # fmt: skip
_GLYPHS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125}

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
