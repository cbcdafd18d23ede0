"""Words that say the opposite of each other, exclude each other, or can stand for each other, by their stems.

An *axis* has two poles ("rise" and "fall"): words of one pole are alike, words of opposite poles are not. A *family* is a closed
set whose members exclude each other (colours, months, units of time): where one is said, another is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import permutations
from typing import Literal

from coditect.language.reading.stems import canonical_stem, canonical_stems
from coditect.language.tables import read_table
from coditect.language.terms import know_listed_stems

__all__ = ["Opposition", "Places", "families", "opposite_kind", "poles", "synonyms"]

Opposition = Literal["negation", "quantifier", "comparative", "modality"]
"""What differs between two statements after a word was exchanged for its opposite."""

Places = Mapping[str, tuple[int, ...]]
"""Stem to the numbers of the sets that it belongs to."""

_STRICT: tuple[Opposition, ...] = ("quantifier", "comparative", "negation", "modality")


def opposite_kind(one: str, other: str) -> Opposition | None:
    """What the exchange of two words turns around, where they are strict opposites; None where they are none.

    Args:
        one: a stem.
        other: a stem.
    """
    return _strict().get(one, {}).get(other)


@cache
def _strict() -> Mapping[str, Mapping[str, Opposition]]:
    """Stem to the stems that say the opposite, each with the kind of contradiction; the first table that has a pair decides."""
    know_listed_stems()
    found: dict[str, dict[str, Opposition]] = {}
    for one, other, kind in _pairs():
        if one != other:
            found.setdefault(one, {}).setdefault(other, kind)
            found.setdefault(other, {}).setdefault(one, kind)
    return found


def _pairs() -> Iterator[tuple[str, str, Opposition]]:
    for kind in _STRICT:
        for first, second in read_table("oppositions").axes(kind):
            yield from ((canonical_stem(one), canonical_stem(other), kind) for one in first for other in second)
    for family in ("time_units", "frequencies"):
        for group in read_table("thesaurus").groups(family):
            yield from ((one, other, "comparative") for one, other in permutations(canonical_stems(group), 2))


@cache
def poles() -> Mapping[str, tuple[tuple[int, int], ...]]:
    """For each stem its places on the axes, broad ones and strict ones: (axis, +1 or -1)."""
    know_listed_stems()
    table = read_table("oppositions")
    axes = [axis for name in ("broad", *_STRICT) for axis in table.axes(name)]
    places: dict[str, dict[tuple[int, int], None]] = {}
    for number, axis in enumerate(axes):
        for sign, words in zip((1, -1), axis, strict=True):
            for stem in canonical_stems(words):
                places.setdefault(stem, {})[number, sign] = None
    return {stem: tuple(found) for stem, found in places.items()}


@cache
def families() -> Places:
    """For each stem the closed families that it belongs to."""
    table = read_table("thesaurus")
    return _places(group for name in ("time_units", "frequencies", "families") for group in table.groups(name))


@cache
def synonyms() -> Places:
    """For each stem the sets of words that can stand for it."""
    return _places(read_table("thesaurus").groups("synonyms"))


def _places(groups: Iterable[Sequence[str]]) -> Places:
    places: dict[str, list[int]] = {}
    for number, group in enumerate(groups):
        for stem in canonical_stems(group):
            places.setdefault(stem, []).append(number)
    return {stem: tuple(found) for stem, found in places.items()}
