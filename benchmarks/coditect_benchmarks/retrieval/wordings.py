"""The same questions in other wordings: by their keywords, with slips of the finger, and without their content words."""

from __future__ import annotations

import hashlib
import random
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from coditect.language.tables import read_table
from coditect.language.terms import STOPWORDS
from coditect_benchmarks.retrieval.formats import Query, RetrievalSet

__all__ = ["WORDINGS", "in_wording", "keywords", "mistyped", "other_words"]

_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LEAST_LETTERS = 5
_ONE_OF = 4
"""A slip in every so many words that are long enough; at least one."""


def keywords(text: str) -> str:
    """What one types who knows search engines: the words that tell something, in order, without those that only ask."""
    asking = read_table("asking").words("asking")
    kept = [word for word in _WORD.findall(text) if word.lower() not in STOPWORDS and word.lower() not in asking]
    return " ".join(kept) or text


def mistyped(text: str) -> str:
    """The text with a slip of the finger in a quarter of its long words, always the same ones."""
    slips = random.Random(hashlib.sha256(text.encode()).digest())  # noqa: S311 - the same slips for the same text, not a secret
    words = [match.span() for match in _WORD.finditer(text) if match[0].isalpha() and len(match[0]) >= _LEAST_LETTERS]
    for start, end in sorted(slips.sample(words, max(1, len(words) // _ONE_OF)) if words else (), reverse=True):
        text = text[:start] + _slip(text[start:end], slips) + text[end:]
    return text


def _slip(word: str, slips: random.Random) -> str:
    at = slips.randrange(1, len(word) - 1)
    match slips.randrange(4):
        case 0:
            return word[:at] + word[at + 1 :]
        case 1:
            return word[:at] + word[at] + word[at:]
        case 2:
            return word[:at] + slips.choice(_LETTERS) + word[at + 1 :]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def other_words(query: Query) -> Query | None:
    """A question on a contract as one asks who does not know the clause's name; None for others."""
    other = _paraphrases().get(query.bare)
    if other is None:
        return None
    return replace(query, text=query.text.removesuffix(query.bare) + other, bare=other)


@cache
def _paraphrases() -> Mapping[str, str]:
    table: Mapping[str, str] = tomllib.loads((Path(__file__).parent / "paraphrases.toml").read_text("utf-8"))[
        "questions"
    ]
    return table


def _changed(change: Callable[[str], str]) -> Callable[[Query], Query | None]:
    """Only what is asked is changed; the words that name a document stay."""

    def of(query: Query) -> Query:
        asked = query.bare or query.text
        return replace(query, text=query.text.removesuffix(asked) + change(asked), bare=query.bare and change(asked))

    return of


WORDINGS: Mapping[str, Callable[[Query], Query | None]] = {
    "as written": lambda query: query,
    "keywords": _changed(keywords),
    "typos": _changed(mistyped),
    "other words": other_words,
}


def in_wording(data: RetrievalSet, wording: str) -> RetrievalSet | None:
    """A set with its questions in a wording; None where it has none in it."""
    change = WORDINGS[wording]
    queries = tuple(query for query in map(change, data.queries) if query is not None)
    return replace(data, queries=queries) if queries else None
