"""Lines: a sentence as the recognisers of requirements read it, with things called by what they are, and what they give.

A USB stick is a removable medium, and MFA is multi-factor authentication.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from coditect.language.matched import as_matched
from coditect.language.patterns.beginnings import quick
from coditect.language.reading.equivalents import can_stand_for
from coditect.language.tables import read_table
from coditect.language.terms import stem

__all__ = ["LONGEST", "Assertion", "are_alike", "generalised", "is_information", "line_of"]

LONGEST = 400
"""Characters of a sentence above which it is not plain what belongs to what."""


@dataclass(frozen=True, slots=True)
class Assertion:
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


_MATTERS = read_table("matters")
_GENUS = {thing.casefold(): genus for thing, genus in _MATTERS.pairs("things")}
_THING = quick(
    rf"\b(?:{'|'.join(sorted((each.replace(' ', '[ -]') for each in _GENUS), key=len, reverse=True))})(?P<s>e?s)?\b",
    re.IGNORECASE,
)
_INFORMATION = frozenset(stem(word) for word in _MATTERS.words("information"))


def generalised(text: str) -> str:
    """A sentence with things called by what they are."""
    return _THING.sub(lambda match: _genus(match[0]), line_of(text))


def _genus(thing: str) -> str:
    name = thing.casefold().replace("-", " ")
    forms = (name, thing.casefold(), name.removesuffix("s"), name.removesuffix("es"))
    return next((_GENUS[each] for each in forms if each in _GENUS), thing)


def is_information(word: str) -> bool:
    """Whether a stem is a noun for what is known of somebody or something: data, records, files."""
    return word in _INFORMATION


def are_alike(one: str, other: str) -> bool:
    """Whether two stems can mean one thing: synonyms, words of one derivation, or both what is known of somebody."""
    return can_stand_for(one, other) or {one, other} <= _INFORMATION
