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

from coditect.language.terms import stem
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.limits.reading import limits_of
from coditect.tiers.findings.conflicts.lines import are_alike, generalised
from coditect.tiers.findings.statements import total

__all__ = ["Likeness", "compare_limits"]

_LOWER = re.compile(r"\b[a-z][\w’'-]*")
_NUMBER = re.compile(r"^\W*(?P<n>[\w.,]+)(?:\W|$)")


@dataclass(frozen=True, slots=True)
class Likeness:
    """What two limits have in common.

    Attributes:
        share: the weight of the words that both have, of those of the shorter one, 0..1.
        words: how many these are, names left out.
        pairs: how many pairs of neighbours both have of which not both words are of a name.
        soft: how many words more the one has for which the other has another that can stand for it.
        near: whether one of the words that both have stands near both figures.
        same_number: whether both print the same number, so that only its unit differs.
        same_count: whether both ask for as many of the same thing, whatever the figure is.
        acts: whether both are of the same act.
    """

    share: float
    words: int
    pairs: int
    soft: int
    same_number: bool
    same_count: bool
    acts: bool


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
    left, right = sorted(ours - shared), sorted(theirs - shared)
    return Likeness(
        share=total(shared, weight) / least if least else 0.0,
        words=len(shared & plain),
        pairs=len([p for p in first.words & second.words if " " in p and not plain.isdisjoint(p.split())]),
        soft=sum(any(are_alike(one, other) for other in right) for one in left),
        same_number=_printed(first.says) == _printed(second.says) != "",
        same_count=not _counts(texts[0]).isdisjoint(_counts(texts[1])),
        acts=not _acts(first).isdisjoint(_acts(second)),
    )


def _printed(says: str) -> str:
    found = _NUMBER.match(says)
    return found["n"].casefold() if found else ""


def _counts(text: str) -> frozenset[tuple[str, float]]:
    return frozenset((each.of, each.value) for each in limits_of(text) if each.kind == "count")


def _acts(entry: Entry) -> frozenset[str]:
    sentence = entry.statement.sentence
    return frozenset((*(m.head for m in sentence.measures), *(d.head for d in sentence.duties))) - {""}
