"""What a question says in everyday words, and the terms that contracts, regulations and policies have for it.

"Can one walk away without giving a reason?" shares no word with "may terminate this Agreement for convenience". The table ``spoken``
says which terms a way of speaking leads to; they stand beside the user's own words, for less. Where the texts that are searched speak
that way themselves, nothing is added: a question on gift cards wants those, not all that is prepaid (ADR 0072).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table
from coditect.language.terms import STOPWORDS
from coditect.retrieve.words import Words, stems

__all__ = ["Spoken", "spoken_beside", "spoken_in", "wanting"]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]")
_GAP = ""
_WIDEST = 4
"""Words that the three dots of a cue may stand for."""

_OWN_VOICE = 30
"""Texts say it themselves where they say it once for so many times that they use a term it leads to."""

_TURNED = {"i": "you", "me": "you", "us": "you", "my": "your", "our": "your", "mine": "yours", "ours": "yours"}
"""Who asks says "my"; the text that answers says "your"."""

_Cue = tuple[str, ...]
_Place = tuple[int, int, int]
"""First word and word after the last, and the line of the table."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A way of speaking that stands in a question.

    Attributes:
        said: as the question has it.
        terms: that it leads to, in the order of the table.
    """

    said: str
    terms: tuple[str, ...]

    def stems(self) -> tuple[str, ...]:
        """The stems of the terms without function words, each once."""
        words = [word for term in self.terms for word in term.split() if word not in STOPWORDS]
        return tuple(dict.fromkeys(stems(" ".join(words))))


def wanting(query: str, saying: Callable[[Sequence[str]], int], holding: Callable[[str], int]) -> tuple[Spoken, ...]:
    """What a question says in everyday words that the texts do not use.

    Args:
        query: the question.
        saying: how many units have some stems side by side.
        holding: how many units have a stem.
    """
    return tuple(
        each
        for each in spoken_in(query)
        if saying(_as_answered(each.said)) * _OWN_VOICE < max(map(holding, each.stems()), default=0)
    )


def spoken_beside(words: Words, spoken: Sequence[Spoken], weight: float) -> Words:
    """The words of a question with the terms that its everyday words lead to, each once.

    Args:
        words: the user's own.
        spoken: what is said in everyday words.
        weight: what a term counts for, where 1 is a word of the question; 0: none is added.
    """
    more = {stem: weight for each in spoken for stem in each.stems() if stem not in words.weights and weight > 0}
    return replace(words, weights={**words.weights, **more}) if more else words


def _as_answered(said: str) -> list[str]:
    """The stems of a way of speaking, as the text would say it."""
    return stems(" ".join(_TURNED.get(word.lower(), word) for word in said.split()))


def spoken_in(query: str) -> tuple[Spoken, ...]:
    """What stands in a question in everyday words, in its order.

    A longer way of speaking is read and not a shorter one in it, and each line of the table once. What is quoted is left alone.

    Args:
        query: the question.
    """
    quoted = [match.span() for match in _QUOTED.finditer(query)]
    words = [
        match for match in _WORD.finditer(query) if not any(first <= match.start() < after for first, after in quoted)
    ]
    told: dict[int, Spoken] = {}
    for first, after, line in _longest(_places([match[0] for match in words])):
        said = query[words[first].start() : words[after - 1].end()]
        told.setdefault(line, Spoken(said, _lines()[line][1]))
    return tuple(told.values())


def _places(words: Sequence[str]) -> Iterator[_Place]:
    keys = [_key(word) for word in words]
    for at, key in enumerate(keys):
        for line in _single().get(_plain(words[at]), ()):
            yield at, at + 1, line
        for cue, line in _cues().get(key, ()):
            if after := _end(cue, keys, at):
                yield at, after, line


def _longest(places: Iterator[_Place]) -> list[_Place]:
    """Places without those that stand inside a longer one, in order."""
    found = sorted(set(places))
    return [
        one
        for one in found
        if not any(
            first <= one[0] and one[1] <= after and (first, after) != one[:2] for first, after, _ in found
        )
    ]


def _end(cue: _Cue, keys: Sequence[str], at: int) -> int:
    """Where a cue that begins at a word ends, exclusive; 0: it does not stand there."""
    if not cue:
        return at
    if cue[0] == _GAP:
        ends = (_end(cue[1:], keys, after) for after in range(at, min(at + _WIDEST, len(keys)) + 1))
        return next(filter(None, ends), 0)
    return _end(cue[1:], keys, at + 1) if at < len(keys) and keys[at] == cue[0] else 0


def _plain(word: str) -> str:
    return word.casefold().replace("’", "'").removesuffix("'s")


def _key(word: str) -> str:
    return canonical_stem(_plain(word).replace("-", ""))


@cache
def _lines() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """(ways of speaking, terms) of every line of the table."""
    table = read_table("spoken")
    return tuple(
        (tuple(map(str.strip, cues.split(","))), tuple(map(str.strip, terms.split(","))))
        for entry in table.entries
        for cues, terms in table.mapping(entry).items()
    )


@cache
def _cues() -> dict[str, list[tuple[_Cue, int]]]:
    """Cues of several words by their first word's stem, with the number of their line."""
    found: dict[str, list[tuple[_Cue, int]]] = {}
    for number, (cues, _) in enumerate(_lines()):
        for cue in cues:
            if " " in cue:
                parts = tuple(_GAP if word == "..." else _key(word.strip("'")) for word in cue.split())
                found.setdefault(parts[0], []).append((parts, number))
    return found


@cache
def _single() -> dict[str, list[int]]:
    """Cues of one word as they are written, with the numbers of their lines: the stem of "dating" is that of "date"."""
    found: dict[str, list[int]] = {}
    for number, (cues, _) in enumerate(_lines()):
        for cue in cues:
            if " " not in cue:
                found.setdefault(cue, []).append(number)
    return found
