"""In which language a question is asked, as far as its function words and its letters tell."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache

from coditect.language.tables import read_table
from coditect.language.terms import STOPWORDS

__all__ = ["foreign_language"]

_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = {
    "CYRILLIC": "in Cyrillic letters", "GREEK": "Greek", "ARABIC": "in Arabic letters", "HEBREW": "Hebrew",
    "CJK": "Chinese or Japanese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean",
    "DEVANAGARI": "in Devanagari letters", "THAI": "Thai",
}  # fmt: skip
_LANGUAGES = ("german", "french", "spanish", "italian", "portuguese", "dutch", "swedish", "polish")

KEPT_QUESTIONS = 64
"""Questions whose language is kept in memory: what is read of a question is asked as it was put, and as it is spelled here."""

_LEAST_SHARE = 0.25
"""Of the words of a question that have to be function words of another language."""


@lru_cache(KEPT_QUESTIONS)
def foreign_language(text: str) -> str:
    """Say in which other language than English a question is asked.

    Returns:
        "German", "Greek", or "in Cyrillic letters"; "" for English, and where too little tells.
    """
    words = [word.casefold() for word in _WORD.findall(text)]
    if not words:
        return ""
    if script := _script(words):
        return script
    english = sum(word in STOPWORDS for word in words)
    counts = {language: sum(word in own for word in words) for language, own in _languages().items()}
    best = max(sorted(counts), key=counts.__getitem__)
    enough = max(2, _LEAST_SHARE * len(words)) if len(words) > 2 else 1
    return best if counts[best] >= enough and counts[best] > english else ""


def _script(words: Sequence[str]) -> str:
    """What most letters of words are, as far as they are not Latin; "" otherwise."""
    other = [char for word in words if not word.isascii() for char in word]
    most = sum(map(len, words)) / 2
    if len(other) <= most:
        return ""
    names = [unicodedata.name(char, "") for char in other]
    return next((told for script, told in _SCRIPTS.items() if sum(n.startswith(script) for n in names) > most), "")


@cache
def _languages() -> dict[str, frozenset[str]]:
    table = read_table("foreign_questions")
    return {entry.title(): frozenset(table.words(entry)) - STOPWORDS for entry in _LANGUAGES}
