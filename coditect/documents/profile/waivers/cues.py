"""What readers of sentences that excuse somebody have in common: clauses, hedges, auxiliaries, and the nouns for it."""

from __future__ import annotations

import re
from dataclasses import replace

from coditect.documents.profile.waivers.facts import NOUN, TABLE, WaiverFact, whole
from coditect.documents.profile.waivers.parts import Parts, tidy
from coditect.documents.profile.waivers.times import times_of

__all__ = [
    "ADVERB",
    "BE",
    "GAP",
    "GRANT",
    "NAMED",
    "PLACED",
    "clause_start",
    "is_hedged",
    "is_infinite",
    "is_passive",
    "is_timed",
    "object_of",
    "says_hereby",
    "supposed",
    "with_times",
]

_I = re.IGNORECASE
GRANT = TABLE.pattern("granting")
"""Verbs by which an exception is made, in finite forms."""

BE = r"(?:was|were|is|are|has\s+been|have\s+been|had\s+been)"
ADVERB = r"(?:(?:hereby|now|also|subsequently|therefore|further|again|\w+ly)\s+)?"
GAP = r"(?:[^.;:]|\.(?=\d))"
"""A character of one clause; the full stop in "section 3.4" ends none."""

_CODE = r"(?-i:[A-Z]{1,6}-?\d+)|\d+"
_FOLLOWED = rf"(?=\s*[.,;:()]|\s*$|\s+(?:{TABLE.pattern('following')}|{_CODE})(?![\w-]))"
NAMED = rf"(?:\b(?P<det>{TABLE.pattern('determiners')})\s+(?:(?!(?:an?|the)\s)[\w-]+\s+){{0,4}}?)?(?P<noun>\b{NOUN}\b){_FOLLOWED}"
"""An exception with its article: groups ``det`` and ``noun``."""

PLACED = re.compile(
    r"\b(?:(?:sub)?(?:section|clause|paragraph|article|rule|regulation|order|requirement|part)s?|§+)\s*\(?\d", _I
)
"""A numbered place."""

_HEDGE = whole("hedging")
_INFINITE = re.compile(r"\b(?:be|being|gets?|getting|an?)\s+(?:\w+ly\s+)?\Z", _I)
_PASSIVE = re.compile(rf"\b(?:{BE}|be)\s+{ADVERB}\Z", _I)
_CLAUSE = re.compile(r"[;:]\s|,\s+(?:and|but|or|while|whereas)\s|\.\s+(?=[A-Z])")
_SUPPOSED = re.compile(rf"\W*(?:\(?\w{{1,4}}[.)]\s+)?(?:{TABLE.pattern('supposing')})\b", _I)
_ITEM = re.compile(r"^\W*\(?\w{1,4}[.)]\s[^;]*;\s*(?:or|and)\s*(?:\(|$)", _I)
_HEREBY = re.compile(r"\bhereby\b", _I)


def clause_start(plain: str, at: int) -> int:
    """Where the clause of a word begins, in code points.

    Args:
        plain: the sentence, dates blotted out.
        at: first code point of the word.
    """
    begin = 0
    for found in _CLAUSE.finditer(plain, 0, at):
        begin = found.end()
    return begin


def is_hedged(plain: str, start: int, end: int) -> bool:
    """Whether a part of a sentence holds a word by which nothing was granted: "may grant", "declined", "any exception"."""
    return _HEDGE.search(plain, start, end) is not None


def is_infinite(before: str) -> bool:
    """Whether a participle behind these words tells of nothing that has happened: "will be granted", "a waived fee"."""
    return _INFINITE.search(before) is not None


def is_passive(before: str) -> re.Match[str] | None:
    """The form of "be" at the end of the words before a participle."""
    return _PASSIVE.search(before)


def says_hereby(said: str) -> bool:
    """Whether the words do what they say."""
    return _HEREBY.search(said) is not None


def supposed(plain: str, fact: WaiverFact) -> bool:
    """Whether a sentence only supposes what was read, or is an item of a list, of which its lead-in says whether it happened."""
    behind = plain[fact.end :]
    return (_SUPPOSED.match(plain) is not None and "," in behind) or (
        _ITEM.search(plain) is not None and not is_timed(fact)
    )


def is_timed(fact: WaiverFact) -> bool:
    """Whether an end, a length, or the absence of an end was read."""
    return bool(fact.until or fact.length or fact.is_open)


def with_times(fact: WaiverFact, text: str, start: int, end: int) -> WaiverFact:
    """What was read, with the times of its sentence and the span of the words that say it."""
    times = times_of(text)
    return replace(
        fact,
        granted=times.granted,
        begins=times.begins,
        until=times.until,
        is_open=times.is_open,
        length=times.length,
        start=start,
        end=end,
    )


def object_of(parts: Parts, plain: str) -> str:
    """What stands right behind a verb or preposition, with the places under which that is, as printed."""
    return tidy(plain[slice(*parts.object)])
