"""Names that a document makes of common words: it writes them with a capital wherever they stand."""

from __future__ import annotations

import re
from collections import Counter

__all__ = ["capitalised_names"]

_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}\b")
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
