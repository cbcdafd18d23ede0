"""Words that deny: the one table that every room asks, instead of a pattern of its own.

A negator turns a statement around ("not", "never", "without", every contraction with "n't"), an approximate one nearly does
("hardly"), and an implicit one holds the negation in its meaning ("fails", "lack").
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from coditect.language.tables import read_table

__all__ = ["NEGATION", "PREFIXES", "is_negator"]

_TABLE = read_table("negation")
_ABSOLUTE = frozenset(_TABLE.words("negators"))
_APPROXIMATE = frozenset(_TABLE.words("approximate"))
_IMPLICIT = frozenset(_TABLE.words("implicit"))
_EXCLUDING = frozenset(_TABLE.words("excluding"))

PREFIXES: tuple[str, ...] = _TABLE.words("prefixes")
"""What turns a word into its opposite when it stands before it."""


def _any_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words))


NEGATION: re.Pattern[str] = re.compile(rf"\b(?:{_any_of(_ABSOLUTE)})\b|n['’]t\b", re.IGNORECASE)
"""Finds an absolute negator or a contraction with "n't", in either case."""


def is_negator(word: str, *, approximate: bool = False, implicit: bool = False, excluding: bool = False) -> bool:
    """Whether one word negates.

    Args:
        word: casefolded, with either apostrophe.
        approximate: "hardly" and the like count.
        implicit: words that hold a negation in their meaning count.
        excluding: verbs whose object is what is not count.
    """
    return (
        word in _ABSOLUTE
        or word.endswith(("n't", "n’t"))
        or (approximate and word in _APPROXIMATE)
        or (implicit and word in _IMPLICIT)
        or (excluding and word in _EXCLUDING)
    )
