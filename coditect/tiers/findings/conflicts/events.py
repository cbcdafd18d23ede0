"""Events: from when a time runs, and whether that is the very act that another time is set for.

"Determine whether an error occurred within 10 days" and "correct it within one day after determining that an error occurred" share most
of their words, and are a time for one act and a time that begins when that act is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from coditect.language.reading.stems import canonical_stem
from coditect.language.terms import stem, terms
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.lines import line_of
from coditect.tiers.findings.measures import canonical

__all__ = ["runs_from_its_act"]

_TIMES = frozenset(("deadline", "duration"))
_BEGINS = r"(?:after|from|following|upon|since|once|when|where|if)"
_BEHIND = re.compile(rf"^\W*(?:{_BEGINS}|of)\b[^.,;]*", re.IGNORECASE)
_AHEAD = re.compile(rf"^\W*(?:\d[\d.]*\W+)?(?:\(?[a-z\d]{{1,4}}\)\W*)*{_BEGINS}\b[^.,;]*,", re.IGNORECASE)
_MODAL = re.compile(
    r"\b(?:(?:must|shall|should|will|may)\s+(?:not\s+)?|(?:is|are|has|have)\s+to\s+)(?:[a-z]+ly\s+)?(?:be\s+)?(?:[a-z]+ly\s+)?(?P<act>[a-z]+)",
    re.IGNORECASE,
)


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


def _acts(entry: Entry) -> frozenset[str]:
    """The acts that a time is set for, as far as the sentence has a verb of force or was measured by its verb."""
    sentence = entry.statement.sentence
    heads = {entry.head} if entry.head != LIMIT else {each.head for each in sentence.measures if each.text == entry.says}
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
