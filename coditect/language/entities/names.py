"""Names: how an index knows them, and which common words a document makes names of, by writing them with a capital everywhere."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from coditect.language.matched import as_matched

__all__ = ["capitalised_names", "entity_name"]

_ARTICLE = re.compile(r"(?:the|an?|each|any|such|this)\s+")
_NAME = re.compile(r"[A-Z](?<=[a-z,;] [A-Z])[a-z]{2,}\b")
_LOWER = re.compile(r"(?<![A-Za-z'’-])[a-z]{3,}\b")

_MOSTLY = 5
"""How many times as often a name has to stand with its capital as the same word without."""


def capitalised_names(text: str) -> frozenset[str]:
    """Words that a document writes with a capital inside of sentences, twice at least, and hardly ever without.

    Args:
        text: the whole document.
    """
    found = Counter(_NAME.findall(text))
    if not found:
        return frozenset()
    lower = set(_LOWER.findall(text))
    return frozenset(
        word
        for word, count in found.items()
        if count > 1 and (word.lower() not in lower or _MOSTLY * text.count(f" {word.lower()} ") < count)
    )


@lru_cache(maxsize=16_384)  # the same few names fill a contract; pure, so the cache changes nothing but the time
def entity_name(text: str) -> str:
    """The index key of a mention: case folded, one space between words, no leading article, at most 120 characters."""
    name = " ".join(as_matched(text).split()).casefold()
    name = _ARTICLE.sub("", name, count=1) if _ARTICLE.match(name) else name
    return name.strip(" ,;:.\"'“”’").removesuffix("'s").removesuffix("’s")[:120].rstrip()
