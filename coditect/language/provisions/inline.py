"""Lists inside one sentence: "shall (a) keep the key; and (b) return it"."""

from __future__ import annotations

import re

from coditect.language.provisions.composed import Place
from coditect.language.tables import read_table

__all__ = ["find_inline", "inline_label"]

_MARKER = re.compile(
    r"(?<=[\s:;,(])\(?(?P<mark>[a-z]|[ivx]{1,4}|[A-Z]|\d{1,2})\)\s+(?!(?:of|and|or|above|below|hereof|through|to|in|is|are)\b|,)(?=[\w“\"\[{$])"
)
_IN_WORDS = re.compile(
    rf"\b(?:{'|'.join([*read_table('numbers').mapping('units'), *read_table('numbers').mapping('tens')])})\s+\Z",
    re.IGNORECASE,
)
"""A number in words, behind which the same number in parentheses is no marker: "two (2) members"."""
_LONGEST_NUMBER = max(len(word) for name in ("units", "tens") for word in read_table("numbers").mapping(name))
_FEWEST = 2
"""Markers of a series, at least."""
_ROMAN = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv"]
_JOINED = re.compile(r"\b(and/or|and|or)\s*\Z", re.IGNORECASE)


def find_inline(text: str, start: int, end: int) -> tuple[Place, list[Place], str] | None:
    """The list inside of a sentence.

    Args:
        text: the text.
        start: first code point of the sentence.
        end: one past its last.

    Returns:
        The lead-in, the items without markers, and what joins them ("and", "or", "none"); None where there is none: at least two
        markers of one series, from its first on.
    """
    found = _series(text, start, end)
    if found is None:
        return None
    stops = [*(m.start() for m in found[1:]), end]
    items = [(m.end(), stop) for m, stop in zip(found, stops, strict=True)]
    joined = {word[1].lower() for lo, hi in items[:-1] if (word := _JOINED.search(text[lo:hi].rstrip()))}
    connective = "none" if not joined else "or" if joined & {"or", "and/or"} else "and"
    return (start, found[0].start()), items, connective


def inline_label(text: str, start: int, end: int, at: int) -> str:
    """The marker of the item of a sentence's own list in which a place stands, as it is printed: "(ii)"; "" for none.

    Args:
        text: the text.
        start: first code point of the sentence.
        end: one past its last.
        at: the place.
    """
    before = [marker for marker in _series(text, start, end) or () if marker.start() <= at]
    return before[-1][0].strip() if before else ""


def _series(text: str, start: int, end: int) -> list[re.Match[str]] | None:
    """The markers of the first series in a sentence that has at least two, from its first on."""
    if text.count(")", start, end) < _FEWEST:
        return None
    markers = [each for each in _MARKER.finditer(text, start, end) if not _is_in_words(text, start, each.start())]
    for series in (_letters, _romans, _numbers):
        first = next((m for m in markers if series(m["mark"]) == 1), None)
        if first is None or first.start() - start < 8:
            continue
        chosen = [first]
        for marker in markers:
            if (
                marker.start() > chosen[-1].start()
                and series(marker["mark"]) == len(chosen) + 1
                and marker["mark"].isupper() == first["mark"].isupper()
            ):
                chosen.append(marker)
        if len(chosen) < _FEWEST:
            continue
        return chosen
    return None


def _is_in_words(text: str, start: int, at: int) -> bool:
    """Whether a number in words and a space end where a marker begins; only what is as long as such a number is looked at."""
    last = at
    while last > start and text[last - 1].isspace():
        last -= 1
    return last < at and _IN_WORDS.search(text, max(start, last - _LONGEST_NUMBER), at) is not None


def _letters(mark: str) -> int:
    return ord(mark.lower()) - 96 if len(mark) == 1 and mark.isalpha() else 0


def _romans(mark: str) -> int:
    return _ROMAN.index(mark) + 1 if mark in _ROMAN else 0


def _numbers(mark: str) -> int:
    return int(mark) if mark.isdigit() else 0
