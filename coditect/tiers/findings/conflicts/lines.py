"""Lines: a sentence as the recognisers of requirements read it, and what they give."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from coditect.language.matched import as_matched

__all__ = ["LONGEST", "Told", "line_of"]

LONGEST = 400
"""Characters of a sentence above which it is not plain what belongs to what."""


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that a sentence fixes.

    Attributes:
        kind: what sort of thing: "approval", "role", "amount", …
        head: what it is of: the stem of the act, the dimension of a size, a term.
        says: as printed.
        value: by which two of a kind are held against each other.
        verb: how the act is printed; "" where none is.
        rest: the words that say for what it holds.
    """

    kind: str
    head: str
    says: str
    value: float | str
    verb: str
    rest: str


@lru_cache(maxsize=1 << 14)
def line_of(text: str) -> str:
    """A sentence on one line, as patterns read it."""
    return " ".join(as_matched(text).split())
