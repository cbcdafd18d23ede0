"""What a question says in everyday words, and the terms that contracts, regulations and policies have for it.

"Can one walk away without giving a reason?" shares no word with "may terminate this Agreement for convenience". The table
``spoken`` says which terms a way of speaking leads to; they stand beside the user's own words, for less. Where the texts that are
searched speak that way themselves, nothing is added: a question on gift cards wants those, not all that is prepaid (ADR 0072).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from coditect.language.reading.stems import IRREGULAR, canonical_stem
from coditect.language.tables import read_table
from coditect.language.terms import STOPWORDS
from coditect.retrieve.words import KEPT_WORDS, Words, stems

__all__ = ["BESIDE", "Spoken", "spoken_beside", "spoken_in", "wanting"]

BESIDE = 0.6
"""What a term counts for, where a word of the question counts for 1."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]")
_FIELDS = ("contracts", "privacy", "employment", "finance", "security", "safety", "rules")
_GAP = ""
_WIDEST = 4
"""Words that the three dots of a cue may stand for."""

_OWN_VOICE = 30
"""Texts say it themselves where they say it once for so many times that they use a term it leads to."""

_TURNED = {"i": "you", "me": "you", "us": "you", "my": "your", "our": "your", "mine": "yours", "ours": "yours"}
"""Who asks says "my"; the text that answers says "your"."""

_SAME = 2
"""Letters that the stem of a word begins with as the word does, but for what is irregular and for :data:`_CHANGED`."""

_CHANGED = re.compile(r"\W|\Acannot\Z|ying\Z")

_Cue = tuple[str, ...]
_Place = tuple[tuple[int, ...], int]
"""Which words of a question a cue is, and the line of the table."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A way of speaking that stands in a question.

    Attributes:
        said: as the question has it.
        words: of it, without those that three dots of the cue stand for.
        terms: that it leads to, in the order of the table.
    """

    said: str
    words: tuple[str, ...]
    terms: tuple[str, ...]

    def own(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(stems(" ".join(self.words)))

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
    for places, line in _longest(_places([match[0] for match in words])):
        said = query[words[places[0]].start() : words[places[-1]].end()]
        told.setdefault(line, Spoken(said, tuple(words[at][0] for at in places), _lines()[line][1]))
    return tuple(told.values())


def _places(words: Sequence[str]) -> Iterator[_Place]:
    keys = [_key(word) for word in words]
    for at, key in enumerate(keys):
        for line in _single().get(_plain(words[at]), ()):
            yield (at,), line
        for cue, line in (*_cues(key[:_SAME]).get(key, ()), *_cues("").get(key, ())):
            if places := _met(_read(cue), keys, at):
                yield places, line


def _longest(found: Iterator[_Place]) -> list[_Place]:
    """Places without those that stand inside a longer one, in order."""
    every = sorted(set(found))
    spans = {(places[0], places[-1]) for places, _ in every}
    return [
        (places, line)
        for places, line in every
        if not any(
            first <= places[0] and places[-1] <= last and (first, last) != (places[0], places[-1])
            for first, last in spans
        )
    ]


def _met(cue: _Cue, keys: Sequence[str], at: int) -> tuple[int, ...]:
    """Which words a cue is that begins at a word; none: it does not stand there."""
    if at >= len(keys) or keys[at] != cue[0]:
        return ()
    if len(cue) == 1:
        return (at,)
    rest, widest = (cue[2:], _WIDEST) if cue[1] == _GAP else (cue[1:], 0)
    for after in range(at + 1, at + 2 + widest):
        if places := _met(rest, keys, after):
            return (at, *places)
    return ()


def _plain(word: str) -> str:
    return word.casefold().replace("’", "'").removesuffix("'s")


@lru_cache(KEPT_WORDS)
def _key(word: str) -> str:
    return canonical_stem(_plain(word).replace("-", ""))


@cache
def _lines() -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
    """(ways of speaking, terms) of every line of the table."""
    table = read_table("spoken")
    return tuple(
        (tuple(map(str.strip, cues.split(","))), tuple(map(str.strip, terms.split(","))))
        for field in _FIELDS
        for cues, terms in table.mapping(field).items()
    )


@cache
def _cues(beginning: str) -> dict[str, list[tuple[str, int]]]:
    """Cues of several words by their first word's stem, with the number of their line; the others are read when they are met.

    Args:
        beginning: the first letters of the stems that are asked for; other stems may be missing. Finding the stems of all cues
            takes a twentieth of a question in a process of its own. "": those whose stems may begin otherwise than they do.
    """
    by_stem: dict[str, list[tuple[str, int]]] = {}
    for first, known in _firsts().get(beginning, ()):
        by_stem.setdefault(_key(first), []).extend(known)
    return by_stem


@cache
def _firsts() -> dict[str, list[tuple[str, list[tuple[str, int]]]]]:
    """First words of cues of several words, each with its cues, by the letters with which their stems begin; "": with any."""
    found: dict[str, list[tuple[str, int]]] = {}
    for number, (cues, _) in enumerate(_lines()):
        for cue in cues:
            first, _, rest = cue.partition(" ")
            if rest:
                found.setdefault(first.strip("'"), []).append((cue, number))
    by_beginning: dict[str, list[tuple[str, list[tuple[str, int]]]]] = {}
    for first, known in found.items():
        plain = _plain(first).replace("-", "")
        may_change = plain in IRREGULAR or _CHANGED.search(plain) is not None
        by_beginning.setdefault("" if may_change else plain[:_SAME], []).append((first, known))
    return by_beginning


@cache
def _read(cue: str) -> _Cue:
    return tuple(_GAP if word == "..." else _key(word.strip("'")) for word in cue.split())


@cache
def _single() -> dict[str, list[int]]:
    """Cues of one word as they are written, with the numbers of their lines: the stem of "dating" is that of "date"."""
    found: dict[str, list[int]] = {}
    for number, (cues, _) in enumerate(_lines()):
        for cue in cues:
            if " " not in cue:
                found.setdefault(cue, []).append(number)
    return found
