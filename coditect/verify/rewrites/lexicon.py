"""What can stand for what in a rule: the sets of the table ``interchangeable``, by stems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from coditect.language.reading.equivalents import can_stand_for, kinship
from coditect.language.reading.oppositions import families, opposite_kind
from coditect.language.reading.stems import ACTORS, canonical_stem
from coditect.language.tables import read_table

__all__ = [
    "CLOSE",
    "DERIVED",
    "LOOSE",
    "SAME",
    "Turn",
    "is_never",
    "is_quality",
    "marks",
    "sets_of",
    "standing",
    "turns_at",
]

SAME, DERIVED, CLOSE, LOOSE, NONE = 3.0, 2.6, 2.0, 1.0, 0.0
"""How surely a word stands for another: the same stem, a form of it, interchangeable, or by a general thesaurus alone."""

_KINDS = ("verbs", "nouns", "qualities", "turns")
_SHORTEST = 4
_AGENTS = ("or", "er", "ee", "ant", "ist", "eer")


class Turn(NamedTuple):
    """A phrase of the table.

    Attributes:
        stems: of its words, function words as well.
        sets: numbers of the sets that list it; none where it only relates others ("with regard to").
    """

    stems: tuple[str, ...]
    sets: frozenset[int]


@cache
def _listed() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """(kind, head and the phrases that can stand for it) of every line."""
    table = read_table("interchangeable")
    return tuple(
        (kind, (head, *(each.strip() for each in rest.split(";") if each.strip())))
        for kind in (*_KINDS, "relations")
        for head, rest in table.pairs(kind)
    )


def _stems(phrase: str) -> tuple[str, ...]:
    return tuple(canonical_stem(word) for word in phrase.replace("-", " ").split())


@cache
def _sets() -> Mapping[str, frozenset[int]]:
    """Stem of a single word to the lines that list it, those that it heads as negative numbers less one."""
    found: dict[str, set[int]] = {}
    for number, (kind, phrases) in enumerate(_listed()):
        for place, phrase in enumerate(phrases):
            stems = _stems(phrase)
            if kind != "relations" and len(stems) == 1:
                found.setdefault(stems[0], set()).update((number,) if place else (number, -number - 1))
    return {stem: frozenset(numbers) for stem, numbers in found.items()}


@cache
def _turns() -> Mapping[str, tuple[Turn, ...]]:
    """First stem to the phrases of two words and more, longest first."""
    sets: dict[tuple[str, ...], set[int]] = {}
    for number, (kind, phrases) in enumerate(_listed()):
        for phrase in phrases:
            stems = _stems(phrase)
            if len(stems) > 1:
                sets.setdefault(stems, set()).update(() if kind == "relations" else (number,))
    found: dict[str, list[Turn]] = {}
    for stems, numbers in sets.items():
        found.setdefault(stems[0], []).append(Turn(stems, frozenset(numbers)))
    return {first: tuple(sorted(those, key=lambda t: (-len(t.stems), t.stems))) for first, those in found.items()}


def turns_at(stems: Sequence[str], at: int) -> Iterator[Turn]:
    """The phrases that begin at a word, longest first.

    Args:
        stems: of all words of a sentence, function words as well.
        at: index of the first word.
    """
    for turn in _turns().get(stems[at], ()):
        if tuple(stems[at : at + len(turn.stems)]) == turn.stems:
            yield turn


def sets_of(stem: str) -> frozenset[int]:
    """Numbers of the sets that list a word."""
    return _sets().get(stem, frozenset())


@cache
def _never() -> frozenset[tuple[str, str]]:
    pairs = [tuple(map(_stems, pair)) for pair in read_table("interchangeable").pairs("never")]
    single = [(one[0], other[0]) for one, other in pairs if len(one) == len(other) == 1 and one != other]
    return frozenset((*single, *((other, one) for one, other in single)))


def is_never(one: str, other: str) -> bool:
    """Whether two words are never each other: opposites, members of a closed family, or a pair of the table."""
    if one == other:
        return False
    return (
        (one, other) in _never()
        or opposite_kind(one, other) is not None
        or bool(set(families().get(one, ())) & set(families().get(other, ())))
    )


@cache
def _qualities() -> frozenset[str]:
    heads = {
        kind: {_stems(phrases[0])[0] for each, phrases in _listed() if each == kind} for kind in ("qualities", "nouns")
    }
    return frozenset(heads["qualities"] - heads["nouns"])


def is_quality(stem: str) -> bool:
    """Whether a word heads a line of qualities, and none of things."""
    return stem in _qualities()


@cache
def _broader() -> frozenset[tuple[str, str]]:
    """(narrower, broader) stems."""
    return frozenset(
        (canonical_stem(narrow), canonical_stem(each.strip()))
        for narrow, rest in read_table("interchangeable").pairs("broader")
        for each in rest.split(";")
        if " " not in each.strip()
    )


@lru_cache(maxsize=50_000)
def marks(stem: str) -> frozenset[int | str | tuple[int, str]]:
    """Marks of a word: two words of which one stands for the other have one in common. The reverse does not hold.

    Args:
        stem: of the word.
    """
    wide = (("broader", other) for pair in _broader() if stem in pair for other in pair)
    return frozenset(
        (*sets_of(stem), stem[:_SHORTEST], *((0, str(each)) for each in kinship(stem)), *((1, w) for _, w in wide))
    )


@lru_cache(maxsize=100_000)
def standing(one: str, other: str) -> float:
    """How surely a word of a claim stands for a word of its evidence.

    Args:
        one: stem of the claim's word.
        other: stem of the evidence's word.

    Returns:
        One of the constants of this module; 0 where it does not.
    """
    if one == other:
        return SAME
    if is_never(one, other):
        return NONE
    if _is_derived(one, other):
        return DERIVED
    mine, theirs = sets_of(one), sets_of(other)
    shared = mine & theirs
    if any(-number - 1 in mine or -number - 1 in theirs for number in shared if number >= 0):
        return CLOSE
    if (other, one) in _broader():
        return CLOSE
    if len(shared) > 1 or can_stand_for(one, other):
        return LOOSE
    return NONE


def _is_derived(one: str, other: str) -> bool:
    if any(word in ACTORS and word.endswith(_AGENTS) for word in (one, other)):
        return False
    short, long = sorted((one, other), key=len)
    common = next((n for n, letter in enumerate(short) if letter != long[n]), len(short))
    return common >= _SHORTEST and common >= len(short) - 1 and common >= 0.55 * len(long)
