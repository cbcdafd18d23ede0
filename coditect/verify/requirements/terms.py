"""Words of information security as they are compared: one name for one thing, and verbs that do what another one asks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from coditect.language.reading.stems import canonical_stem, canonical_stems
from coditect.language.tables import read_table

__all__ = ["PLAIN", "act_of", "as_compared", "does", "listed", "listed_words", "printed_as"]

_BRITISH = re.compile(r"(?<=[a-z]{5})is$")

_TEMPLATE = re.compile(r"\{\{[#/^]?[^{}]*\}\}+")
"""A variable of a template, which stands for a name; a section's mark stands for nothing."""


PLAIN = frozenset(
    canonical_stems(
        ("company", "organization", "organizational", "system", "information", "appropriate", "applicable", "relevant", "following",
         "define", "establish", "include", "ensure", "require", "specific", "current", "necessary", "provide", "regularly")
    )
)  # fmt: skip
"""Words that narrow nothing."""


@lru_cache(maxsize=8_192)
def as_compared(text: str) -> str:
    """A text with one name for each thing; for comparison only. The last 8,192 are remembered.

    Args:
        text: of a requirement or a document.
    """
    plain = _TEMPLATE.sub(lambda found: "" if found[0][2] in "#/^" else "the organization", text)
    names, pattern = _names()
    return pattern.sub(lambda found: names[" ".join(found[0].casefold().split())], plain)


def printed_as(word: str, text: str) -> str:
    """The words of a text for which one stands that is compared in their place: "workforce members" for "personnel".

    Args:
        word: as it is compared.
        text: as it is printed.
    """
    if re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE):
        return word
    names, pattern = _names()
    told = (found[0] for found in pattern.finditer(text))
    return next(
        (each for each in told if word.casefold() in names[" ".join(each.casefold().split())].casefold().split()), word
    )


def does(verb: str, asked: str) -> bool:
    """Whether a verb does what another one asks, though it is another: "encrypt" protects.

    Args:
        verb: a stem of a document's sentence.
        asked: a stem of a requirement.
    """
    return asked in _more().get(verb, frozenset())


def act_of(verb: str) -> str:
    """The stem that stands for all verbs of one act: "inform" and "report" are "notify"."""
    plain = _BRITISH.sub("", verb)  # "synchronis" and "synchron", of "synchronised" and "synchronized"
    return _acts().get(plain, _acts().get(verb, plain))


@cache
def listed(name: str) -> frozenset[str]:
    """The stems of the words of an entry of the table of acts."""
    return frozenset(canonical_stems(read_table("acts").words(name)))


@cache
def listed_words(name: str) -> frozenset[str]:
    """The words themselves of an entry of the table of acts."""
    return frozenset(read_table("acts").words(name))


@cache
def _acts() -> Mapping[str, str]:
    groups = read_table("acts").groups("one_act")
    return {canonical_stem(each): canonical_stem(group[0]) for group in groups for each in group}


@cache
def _names() -> tuple[Mapping[str, str], re.Pattern[str]]:
    names = read_table("security_terms").mapping("terms")
    joined = "|".join(
        r"\s+".join(map(re.escape, each.split())) for each in sorted(names, key=lambda each: (-len(each), each))
    )
    return names, re.compile(rf"(?<![\w-])(?:{joined})(?![\w-])", re.IGNORECASE)


@cache
def _more() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for first, *others in read_table("security_terms").groups("does_more"):
        found.setdefault(canonical_stem(first), set()).update(map(canonical_stem, others))
    return {verb: frozenset(asked) for verb, asked in found.items()}
