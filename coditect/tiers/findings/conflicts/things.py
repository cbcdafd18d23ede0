"""Things by what they are: a USB stick is a removable medium, and MFA is multi-factor authentication."""

from __future__ import annotations

import re

from coditect.language.reading.equivalents import can_stand_for
from coditect.language.tables import read_table
from coditect.language.terms import stem
from coditect.tiers.findings.conflicts.lines import line_of

__all__ = ["are_alike", "generalised", "is_information"]

_MATTERS = read_table("matters")
_GENUS = {thing.casefold(): genus for thing, genus in _MATTERS.pairs("things")}
_THING = re.compile(
    rf"\b(?:{'|'.join(sorted((each.replace(' ', '[ -]') for each in _GENUS), key=len, reverse=True))})(?P<s>e?s)?\b", re.IGNORECASE
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
