"""Events: from when a time runs, when something is done besides, and what two times have in common beside these.

"Determine whether an error occurred within 10 days" and "correct it within one day after determining that an error occurred" share
most of their words, and are a time for one act and a time that begins when that act is done. "Baselines are reviewed annually and
after significant changes" and "rights are reviewed quarterly and after significant changes" share an occasion, and no matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from coditect.language.reading.stems import canonical_stem
from coditect.language.tables import read_table
from coditect.language.terms import stem, terms
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.lines import are_alike, line_of
from coditect.tiers.findings.measures import canonical
from coditect.tiers.findings.said.statements import content_words

__all__ = ["runs_from_its_act", "share_occasions_alone", "without_occasion"]

_TIMES = frozenset(("deadline", "duration"))
_BEGINS = r"(?:after|from|following|upon|since|once|when|where|if)"
_BEHIND = re.compile(rf"^\W*(?:{_BEGINS}|of)\b[^.,;]*", re.IGNORECASE)
_AHEAD = re.compile(rf"^\W*(?:\d[\d.]*\W+)?(?:\(?[a-z\d]{{1,4}}\)[^\w(]*)*{_BEGINS}\b[^.,;]*,", re.IGNORECASE)
_OCCASION = re.compile(
    r"(?:,\s*)?\b(?:(?:and|or)(?:\s+also)?\s+)"
    r"(?:whenever|when|where|if|after|following|upon|on|as|in the (?:event|case) of)\b[^.;|]*",
    re.IGNORECASE,
)
"""What else makes something due, beside an interval: "annually and whenever significant changes occur"."""

_MODAL = re.compile(
    r"\b(?:(?:must|shall|should|will|may)\s+(?:not\s+)?|(?:is|are|has|have)\s+to\s+)(?:[a-z]+ly\s+)?(?:be\s+)?(?:[a-z]+ly\s+)?(?P<act>[a-z]+)",
    re.IGNORECASE,
)
_LIGHT = frozenset(canonical_stem(stem(word)) for word in read_table("acts").words("light_verbs"))
_REVIEWS = frozenset(canonical_stem(stem(word)) for word in read_table("acts").words("reviews"))


def runs_from_its_act(first: Entry, second: Entry) -> bool:
    """Whether the one sets a time for an act, and the time of the other begins when that act is done.

    Args:
        first: a time.
        second: another one.
    """
    if first.kind not in _TIMES:
        return False
    return any(
        bool(_acts(one) & (words := _parted(other))[1]) and not _acts(one) & words[0]
        for one, other in ((first, second), (second, first))
    )


def share_occasions_alone(first: Entry, second: Entry) -> bool:
    """Whether two intervals have in common only how often, that something is looked at, and on which occasions besides.

    Args:
        first: an interval.
        second: another one.
    """
    if first.kind != "frequency":
        return False
    lines = [line_of(each.statement.sentence.text) for each in (first, second)]
    if not all(_OCCASION.search(line) for line in lines):
        return False
    ours, theirs = (
        _things(_OCCASION.sub(" ", line), entry) for line, entry in zip(lines, (first, second), strict=True)
    )
    return not any(one in theirs or any(are_alike(one, other) for other in theirs) for one in ours)


def without_occasion(text: str) -> str:
    """A text without what else makes something due beside an interval; the former is of many matters.

    Args:
        text: a sentence with an interval.
    """
    return _OCCASION.sub(" ", text)


def _things(line: str, entry: Entry) -> frozenset[str]:
    """The words of an interval's sentence that say of what it is."""
    said = frozenset(content_words(line.replace(entry.says, " ")))
    return frozenset(each for each in said if canonical_stem(each) not in _LIGHT | _REVIEWS) - {entry.head}


def _acts(entry: Entry) -> frozenset[str]:
    """The acts that a time is set for, as far as the sentence has a verb of force or was measured by its verb."""
    sentence = entry.statement.sentence
    heads = (
        {entry.head} if entry.head != LIMIT else {each.head for each in sentence.measures if each.text == entry.says}
    )
    return _keys(heads) or _forced(line_of(sentence.text))


def _parted(entry: Entry) -> tuple[frozenset[str], frozenset[str]]:
    """(the words of a sentence without, and those of, the event that its time runs from)."""
    return _read(line_of(entry.statement.sentence.text), " ".join(entry.says.split()))


@lru_cache(maxsize=1 << 12)
def _read(line: str, says: str) -> tuple[frozenset[str], frozenset[str]]:
    before, _, behind = line.partition(says)
    ahead, event = _AHEAD.match(before), _BEHIND.match(behind)
    events = f"{ahead[0] if ahead else ''} {event[0] if event else ''}"
    rest = f"{before[ahead.end() :] if ahead else before} {behind[event.end() :] if event else behind}"
    return _keys(terms(rest)), _keys(terms(events))


@lru_cache(maxsize=1 << 12)
def _forced(line: str) -> frozenset[str]:
    ahead = _AHEAD.match(line)
    return _keys(stem(match["act"].casefold()) for match in _MODAL.finditer(line, ahead.end() if ahead else 0))


def _keys(stems: Iterable[str]) -> frozenset[str]:
    """What acts are compared by: verbs of one meaning have one key."""
    return frozenset(canonical(canonical_stem(each)) for each in stems)
