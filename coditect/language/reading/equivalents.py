"""Words that can stand for each other in a statement: synonyms, plain words for formal ones, and words of one derivation.

Whether they do in a given place, the reader of two statements decides: they stand in the same place there, and nothing else
differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from coditect.language.reading.oppositions import families, opposite_kind, synonyms
from coditect.language.reading.stems import ACTORS, canonical_stems
from coditect.language.tables import read_table
from coditect.language.terms import know_listed_stems

__all__ = ["can_stand_for", "has_equivalent", "kinship"]

_AGENTS = ("or", "er", "ee", "ant", "ist", "eer")
_SHORTEST = 5
"""Letters that the stems of two words of one derivation have in common at their beginning, at least."""
_SHARE = 0.62
"""Their share of the longer stem, at least."""


@lru_cache(maxsize=100_000)
def can_stand_for(one: str, other: str) -> bool:
    """Whether a word can stand for another.

    Args:
        one: a stem.
        other: a stem.
    """
    if one == other:
        return True
    if opposite_kind(one, other) is not None:
        return False
    sets = _sets()
    if not sets.get(one, _NONE).isdisjoint(sets.get(other, _NONE)):
        return True
    if set(families().get(one, ())) & set(families().get(other, ())):
        return False
    return _is_derived(one, other)


_NONE: frozenset[int] = frozenset()


@lru_cache(maxsize=50_000)
def kinship(stem: str) -> frozenset[int | str]:
    """Marks of a word: two words of which one can stand for the other have a mark in common. The reverse does not hold.

    To look for a common mark first is many times faster than :func:`can_stand_for` with each of a sentence's words.
    """
    return frozenset((*_sets().get(stem, _NONE), stem[:_SHORTEST]))


@lru_cache(maxsize=100_000)
def has_equivalent(stem: str, others: frozenset[str]) -> bool:
    """Whether a word, or one that can stand for it, is among others.

    Args:
        stem: of the word.
        others: stems; the keys of a sentence.
    """
    if stem in others:
        return True
    own = kinship(stem)
    return any(not own.isdisjoint(kinship(each)) and can_stand_for(stem, each) for each in others)


def _is_derived(one: str, other: str) -> bool:
    """Whether two stems begin alike for so long that they are forms of one word; "employer" and "employee" are two."""
    if any(word in ACTORS and word.endswith(_AGENTS) for word in (one, other)):
        return False
    short, long = sorted((one, other), key=len)
    common = next((n for n, letter in enumerate(short) if letter != long[n]), len(short))
    return common >= _SHORTEST and common >= _SHARE * len(long)


@cache
def _sets() -> Mapping[str, frozenset[int]]:
    """Stem to the numbers of the sets whose words can stand for each other."""
    know_listed_stems()
    wordnet = read_table("wordnet")
    plain = read_table("plain_words")
    groups = [
        *plain.groups("synonyms"), *wordnet.groups("synonyms"), *wordnet.groups("derivations"), *plain.groups("nouns"),
    ]  # fmt: skip
    found: dict[str, set[int]] = {}
    for number, group in enumerate(groups):
        for stem in canonical_stems(group):
            found.setdefault(stem, set()).add(number)
    for stem, places in synonyms().items():
        found.setdefault(stem, set()).update(len(groups) + place for place in places)
    return {stem: frozenset(numbers) for stem, numbers in found.items()}
