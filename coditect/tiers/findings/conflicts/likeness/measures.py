"""Whether two limits are of one thing, by what their sentences have in common beside the verb.

Words alone are not enough: two limits of one corpus share the names of its bodies and systems all the time. So besides a pair of
neighbouring words something more must agree, by the kind of limit: the thing that is counted, kept or paid for, or, of times and
intervals, a third word that is no name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from coditect.language.tables import read_table
from coditect.language.terms import stem
from coditect.tiers.findings.conflicts.assertions.limits import limits_of
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.likeness.watched import SHARE, MeasuredWords, noted
from coditect.tiers.findings.conflicts.lines import are_alike, generalised, line_of
from coditect.tiers.findings.said.statements import content_words, total

__all__ = ["Likeness"]

_LOWER = re.compile(r"\b[a-z][\w’'-]*")
_PASSIVE = re.compile(
    rf"\b(?:is|are|be|been)\s+(?:\w+ly\s+)?(?:\w+ed|{read_table('verbs').pattern('irregular_participles')})\b"
)
_NUMBER = re.compile(r"^\W*(?P<n>[\w.,]+)(?:\W|$)")


@dataclass(frozen=True)
class Likeness:
    """What two limits have in common, each measure taken when it is asked for.

    Attributes:
        first: a limit.
        second: another one of its kind.
        weight: what each word says, in the whole corpus.
    """

    first: Entry
    second: Entry
    weight: Mapping[str, float]

    @cached_property
    def _shared(self) -> frozenset[str]:
        return words_of(self.first) & words_of(self.second)

    @cached_property
    def _plain(self) -> frozenset[str]:
        """The words that both print without a capital."""
        return _plain(self.first.statement.sentence.text) & _plain(self.second.statement.sentence.text)

    @cached_property
    def share(self) -> float:
        """The weight of the words that both have, of those of the shorter one, 0..1."""
        ours, theirs = words_of(self.first), words_of(self.second)
        least = min(total(each, self.weight) for each in (ours, theirs))
        found = total(self._shared, self.weight) / least if least else 0.0
        return noted(self.weight, MeasuredWords(SHARE, self._shared, ours, theirs, found))

    @cached_property
    def words(self) -> int:
        """How many words both have, names left out."""
        return len(self._shared & self._plain)

    @cached_property
    def pairs(self) -> int:
        """How many pairs of neighbours both have of which not both words are of a name, and that are not who acts in both."""
        both = [pair for pair in self.first.words & self.second.words if " " in pair]
        if not both:
            return 0
        ours, theirs = (_holder(each.statement.sentence.text) for each in (self.first, self.second))
        holder = ours if ours == theirs else ""
        return len([pair for pair in both if not self._plain.isdisjoint(pair.split()) and pair != holder])

    @cached_property
    def soft(self) -> int:
        """How many words more the one has for which the other has another that can stand for it."""
        left, right = (sorted(words_of(each) - self._shared) for each in (self.first, self.second))
        return sum(any(are_alike(one, other) for other in right) for one in left)

    @property
    def same_number(self) -> bool:
        """Whether both print the same number, so that only its unit differs."""
        return _printed(self.first.says) == _printed(self.second.says) != ""

    @property
    def same_count(self) -> bool:
        """Whether both ask for as many of the same thing, whatever the figure is."""
        ours, theirs = (_counts(each.statement.sentence.text) for each in (self.first, self.second))
        return not ours.isdisjoint(theirs)


def words_of(entry: Entry) -> frozenset[str]:
    """The single stems of an entry, without pairs."""
    return frozenset(word for word in entry.words if " " not in word)


@lru_cache(maxsize=1 << 13)
def _plain(text: str) -> frozenset[str]:
    """The stems of the words that a sentence prints without a capital."""
    return frozenset(stem(word) for word in _LOWER.findall(generalised(text)))


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
