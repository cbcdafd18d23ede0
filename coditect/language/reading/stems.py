"""What words are compared by: Snowball's stem, corrected by a table of irregular forms and of nouns that name who acts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from coditect.language.tables import read_table
from coditect.language.terms import stem

__all__ = ["ACTORS", "GENERIC_NAMES", "IRREGULAR", "canonical_stem", "canonical_stems"]

ACTORS: frozenset[str] = frozenset(read_table("actors").words("nouns"))
"""Keys of nouns that name who acts, which are the nouns themselves."""


def _forms(noun: str) -> Iterator[tuple[str, str]]:
    """The singular and the plural of a noun, each with the singular."""
    yield noun, noun
    yield (f"{noun[:-1]}ies" if noun.endswith(("ty", "ny", "cy", "ry")) else f"{noun}s"), noun


IRREGULAR: dict[str, str] = read_table("inflections").mapping("stems") | dict(
    form for noun in sorted(ACTORS) for form in _forms(noun)
)
"""Casefolded words whose stem would part what belongs together or join what must stay apart."""


def canonical_stem(word: str) -> str:
    """The stem under which two words count as the same.

    Args:
        word: casefolded, with plain apostrophes.
    """
    return IRREGULAR.get(word) or stem(word)


def canonical_stems(words: Iterable[str]) -> tuple[str, ...]:
    """The stems of words as tables list them, in order, each once; a hyphen inside a word does not count."""
    return tuple(dict.fromkeys(canonical_stem(word.replace("-", "")) for word in words))


GENERIC_NAMES: frozenset[str] = frozenset(canonical_stems(read_table("generic_names").words("words")))
"""Stems of capitalised words that name nothing by themselves."""
