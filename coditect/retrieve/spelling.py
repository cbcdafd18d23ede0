"""Words of a question that the corpus does not have, read as the word of the corpus that is one slip of the finger away.

A letter left out, doubled, changed, or swapped with the next. The first letter is right, as it nearly always is (Pollock and
Zamora, CACM 1984). Words that stand anywhere in the corpus are spelled right, and so are common English ones; short words,
numbers and what is quoted are left alone.

"Programme" is no slip of "program": what Britain and America spell in two ways is asked in the way of the corpus, and nobody is
told that it was misspelled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from coditect.language.tables import read_table, table_names
from coditect.retrieve.words import stems

__all__ = ["respelled", "spelled_as_here"]

_QUOTED = re.compile(r"[\"“][^\"”]*[\"”]")
_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LEAST_LETTERS = 5
_LEAST_UNITS = 3
"""A word that stands in one unit or two may be misspelled itself, or a name."""


def respelled(query: str, holding: Callable[[str], int]) -> str:
    """A question with each unknown word as it is spelled in the corpus; the same text where there is none.

    Args:
        query: the question.
        holding: how many units hold a stem, in any of their fields.
    """
    return _with_words(query, lambda word: _known(word, holding))


def spelled_as_here(query: str, holding: Callable[[str], int]) -> str:
    """A question with the words that Britain and America spell in two ways as the corpus spells them.

    Args:
        query: the question.
        holding: how many units hold a stem; a word that stands anywhere is left as it is, and so is one of which neither does.
    """

    def here(word: str) -> str:
        other = _other_spelling(word.lower())
        return other if other and not any(map(holding, stems(word))) and any(map(holding, stems(other))) else word

    return _with_words(query, here)


def _with_words(query: str, change: Callable[[str], str]) -> str:
    """A question with each word that is not quoted as a function gives it."""
    quoted = [match.span() for match in _QUOTED.finditer(query)]
    parts, read = [], 0
    for match in _WORD.finditer(query):
        start, end = match.span()
        if any(first <= start < after for first, after in quoted):
            continue
        if (word := change(match[0])) != match[0]:
            parts += [query[read:start], word]
            read = end
    return "".join((*parts, query[read:]))


def _other_spelling(word: str) -> str:
    """How the other country spells a word, in this form or in its plain one; "" where both spell it alike."""
    words, by_stem = _variants()
    if word in words:
        return words[word]
    if word.endswith("s") and word[:-1] in words:
        return f"{words[word[:-1]]}s"
    found = stems(word)
    return by_stem.get(found[0], "") if len(found) == 1 else ""


@cache
def _variants() -> tuple[dict[str, str], dict[str, str]]:
    """The other spelling by the word, and by its stem."""
    words: dict[str, str] = {}
    by_stem: dict[str, str] = {}
    for british, american in read_table("spellings").pairs("variants"):
        for one, other in ((british, american), (american, british)):
            words[one] = other
            by_stem.setdefault(stems(one)[0], other)
    return words, by_stem


def _known(word: str, holding: Callable[[str], int]) -> str:
    """The word, or the commonest of the corpus one slip away from it; of equally common ones the first in the alphabet."""
    plain = word.lower()
    if len(plain) < _LEAST_LETTERS or not plain.isascii() or word not in (plain, plain.capitalize(), plain.upper()):
        return word
    # The tables of the language are read last: few questions have a word that neither the corpus nor common English has.
    if plain in _english() or any(map(holding, stems(plain))) or _other_spelling(plain) or _is_known(plain):
        return word
    near = sorted({each for each in _slips(plain) if each[0] == plain[0]})
    best, most = word, _LEAST_UNITS - 1
    known: dict[str, int] = {}
    for other, stem in zip(near, stems(" ".join(near)), strict=True):
        if stem not in known:
            known[stem] = holding(stem)
        if known[stem] > most:
            best, most = other, known[stem]
    return best


@cache
def _english() -> frozenset[str]:
    """Common words, which are spelled right although the corpus does not have them."""
    table = read_table("wordnet")
    return frozenset(
        word
        for entry, (kind, _) in table.entries.items()
        if kind == "groups"
        for row in table.groups(entry)
        for word in row
    )


def _is_known(word: str) -> bool:
    """Whether any table of the language has a word, or another form of it: it is spelled right, whatever the corpus holds."""
    return not _tabled().isdisjoint((word, *stems(word)))


@cache
def _tabled() -> frozenset[str]:
    """All words of the tables of the language, and their stems; read when a question has a word that nothing else knows."""
    texts = (line for name in table_names() for _, lines in read_table(name).entries.values() for line in lines)
    words = {word for text in texts for word in _WORD.findall(text.casefold()) if len(word) >= _LEAST_LETTERS}
    return frozenset(words | set(stems(" ".join(sorted(words)))))


def _slips(word: str) -> Iterator[str]:
    """All that is one edit away (Damerau, CACM 1964)."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        if tail:
            yield head + tail[1:]
        for letter in _LETTERS:
            yield head + letter + tail
            if tail:
                yield head + letter + tail[1:]
