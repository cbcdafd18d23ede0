"""Whether two limits are of one thing, by what their sentences have in common beside the verb.

Words alone are not enough: two limits of one corpus share the names of its bodies and systems all the time. So besides a pair of
neighbouring words something more must agree, by the kind of limit: the thing that is counted, kept or paid for, or, of times and
intervals, a third word that is no name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from coditect.language.tables import read_table
from coditect.language.terms import stem
from coditect.tiers.findings.conflicts.assertions.limits import limits_of
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.lines import are_alike, generalised, line_of
from coditect.tiers.findings.statements import content_words, total

__all__ = ["Likeness", "compare_limits"]

_LOWER = re.compile(r"\b[a-z][\w’'-]*")
_PASSIVE = re.compile(
    rf"\b(?:is|are|be|been)\s+(?:\w+ly\s+)?(?:\w+ed|{read_table('verbs').pattern('irregular_participles')})\b"
)
_NUMBER = re.compile(r"^\W*(?P<n>[\w.,]+)(?:\W|$)")


@dataclass(frozen=True, slots=True)
class Likeness:
    """What two limits have in common.

    Attributes:
        share: the weight of the words that both have, of those of the shorter one, 0..1.
        words: how many these are, names left out.
        pairs: how many pairs of neighbours both have of which not both words are of a name, and that are not who acts in both.
        soft: how many words more the one has for which the other has another that can stand for it.
        same_number: whether both print the same number, so that only its unit differs.
        same_count: whether both ask for as many of the same thing, whatever the figure is.
    """

    share: float
    words: int
    pairs: int
    soft: int
    same_number: bool
    same_count: bool


def words_of(entry: Entry) -> frozenset[str]:
    """The single stems of an entry, without pairs."""
    return frozenset(word for word in entry.words if " " not in word)


@lru_cache(maxsize=1 << 13)
def _plain(text: str) -> frozenset[str]:
    """The stems of the words that a sentence prints without a capital."""
    return frozenset(stem(word) for word in _LOWER.findall(generalised(text)))


def compare_limits(first: Entry, second: Entry, weight: Mapping[str, float]) -> Likeness:
    """What two limits have in common.

    Args:
        first: a limit.
        second: another one of its kind.
        weight: what each word says, in the whole corpus.
    """
    ours, theirs = words_of(first), words_of(second)
    shared = ours & theirs
    least = min(total(ours, weight), total(theirs, weight))
    texts = first.statement.sentence.text, second.statement.sentence.text
    plain = _plain(texts[0]) & _plain(texts[1])
    holder = _holder(texts[0]) if _holder(texts[0]) == _holder(texts[1]) else ""
    left, right = sorted(ours - shared), sorted(theirs - shared)
    return Likeness(
        share=total(shared, weight) / least if least else 0.0,
        words=len(shared & plain),
        pairs=len(
            [p for p in first.words & second.words if " " in p and not plain.isdisjoint(p.split()) and p != holder]
        ),
        soft=sum(any(are_alike(one, other) for other in right) for one in left),
        same_number=_printed(first.says) == _printed(second.says) != "",
        same_count=not _counts(texts[0]).isdisjoint(_counts(texts[1])),
    )


@lru_cache(maxsize=1 << 13)
def _holder(text: str) -> str:
    """The first pair of words of a sentence in the active voice, which is who acts: two acts of one desk are two."""
    line = line_of(text)
    words = content_words(generalised(line))
    return "" if _PASSIVE.search(line) else " ".join(words[:2])


def _printed(says: str) -> str:
    found = _NUMBER.match(says)
    return found["n"].casefold() if found else ""


def _counts(text: str) -> frozenset[tuple[str, float]]:
    return frozenset((each.of, each.value) for each in limits_of(text) if each.kind == "count")
