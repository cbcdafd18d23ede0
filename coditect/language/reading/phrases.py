"""Phrases that count as one token of a sentence, and what part they play in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal, NamedTuple

from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import WordTable, read_table

__all__ = ["Phrase", "Role", "phrase_at"]

Role = Literal[
    "word", "function", "number", "reference", "condition", "negation", "quantifier", "comparator", "order", "modal", "plain", "by",
]  # fmt: skip
"""The part that a token plays. A plain one means nothing that matters to a comparison."""

_BE = "~"
_CONDITIONS = ("if", "when", "unless", "despite")
_QUANTIFIERS = ("all", "either", "both", "some", "most", "only")
_COMPARATORS = ("at least", "at most", "more", "less")
_ORDERS = ("before", "after")
_BINDING = ("may", "recommended", "shall", "shall not", "free")
_WORDS = ("eventually", "immediately")


class Phrase(NamedTuple):
    """A phrase of the tables.

    Attributes:
        words: casefolded, without the punctuation between them.
        role: the part that it plays.
        key: what makes it equal to another of the same role: "if", "at least", "shall not".
    """

    words: tuple[str, ...]
    role: Role
    key: str


def phrase_at(words: Sequence[str], at: int) -> Phrase | None:
    """The longest phrase that begins at a word, or None.

    Args:
        words: casefolded; the phrase may end anywhere among them.
        at: index of its first word.
    """
    for phrase in _phrases().get(words[at], ()):
        if tuple(words[at : at + len(phrase.words)]) == phrase.words:
            return phrase
    return None


@cache
def _phrases() -> Mapping[str, tuple[Phrase, ...]]:
    """First word to the phrases that begin with it, longest first."""
    found: dict[str, dict[tuple[str, ...], Phrase]] = {}
    for phrase in _listed():
        found.setdefault(phrase.words[0], {})[phrase.words] = (
            phrase  # of two tables that list it, the later one decides
        )
    return {
        first: tuple(sorted(those.values(), key=lambda phrase: (-len(phrase.words), phrase.words)))
        for first, those in found.items()
    }


def _listed() -> Iterator[Phrase]:
    """The phrases of all tables; what frees from a role stands behind what gives it."""
    binding, idioms = read_table("binding"), read_table("idioms")
    yield from _of(read_table("bounds"), "comparator", _COMPARATORS)
    yield from _of(read_table("bounds"), "order", _ORDERS)
    yield from _of(read_table("quantifiers"), "quantifier", _QUANTIFIERS)
    for phrase in _of(binding, "modal", _BINDING):
        for be in binding.words("be") if _BE in phrase.words else ("",):
            yield phrase._replace(words=tuple(be if word == _BE else word for word in phrase.words))
    yield from _of(read_table("conditions"), "condition", _CONDITIONS)
    for word in _WORDS:
        yield from (phrase._replace(key=canonical_stem(word)) for phrase in _of(idioms, "word", (word,)))
    for said, word in read_table("plain_words").mapping("phrases").items():
        yield Phrase(tuple(said.split()), "word", canonical_stem(word))
    for phrase in _of(read_table("negation"), "negation", ("phrases",)):
        yield phrase._replace(key="not")
    for phrase in _of(idioms, "plain", ("plain",)):
        yield phrase._replace(key="")
    yield Phrase(("by",), "by", "by")


def _of(table: WordTable, role: Role, keys: Sequence[str]) -> Iterator[Phrase]:
    for key in keys:
        yield from (Phrase(tuple(each.split()), role, key) for each in table.phrases(key))
