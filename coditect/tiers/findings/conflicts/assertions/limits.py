"""The limits of a sentence: times, intervals, amounts, shares and numbers of things, with what they are of in any words.

Measures hang on the verb of their clause, and two of them are held against each other where their verbs are one. A limit is read
without it: "remains on file for three years" and "three years | kept" are both a time that something is there. What two limits are
of is left to the words around them (:mod:`coditect.tiers.findings.conflicts.likeness`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from coditect.language.marks import Mark
from coditect.language.patterns.beginnings import quick
from coditect.language.quantities.comparators import comparator_before, or_more
from coditect.language.quantities.meaning import find_quantities
from coditect.language.quantities.numbers import WORDS, parse_number
from coditect.language.tables import read_table
from coditect.language.terms import stem
from coditect.tiers.findings.conflicts.figures import SIZE, WORKING, figures_of
from coditect.tiers.findings.conflicts.lines import LONGEST, line_of

__all__ = ["GONE", "KEPT", "LIMIT", "Limit", "bound_of", "limits_of"]

LIMIT = "limit"
"""The head of entries that are limits, which no verb of theirs tells apart."""

KEPT = "keep"
GONE = "delete"
"""The verbs that stand for how long something is there, and when it is gone."""

MOST = 3
"""Limits of one family in a sentence, above which it is no plain rule."""

_LIMITS, _TIME = read_table("limits"), read_table("time")
_KEEPING, _GONE = frozenset(_LIMITS.words("keeping")), frozenset(_LIMITS.words("doing_away"))
_SINGLE, _PERIODS = _LIMITS.mapping("single_times"), _LIMITS.mapping("by_the_calendar")
_LIMITING = _LIMITS.pattern("limiting")
_SINGLES = quick(
    rf"\b(?:{_LIMITING})\s+(?P<time>{'|'.join(sorted(map(re.escape, _SINGLE), key=len, reverse=True))})\b(?!\s+of\b)(?!['’])",
    re.IGNORECASE,
)
_OF_PERIOD = quick(
    rf"\b(?:on|by)\s+the\s+(?:first|second|third|fourth|last|\d{{1,2}}(?:st|nd|rd|th))\s+(?:(?:working\s+|business\s+)?day|{_TIME.pattern('days_of_the_week')})\s+"
    r"of\s+(?:the|each|every)\s+(?P<period>week|month|quarter|year)\b",
    re.IGNORECASE,
)
_EACH_DAY = quick(rf"\b(?:each|every)\s+(?:{_TIME.pattern('days_of_the_week')})\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][\w’'-]*")
_SPARE = (
    r"(?!(?:of|and|or|the|in|to|for|by|with|on|at|from|a|an|is|are|was|were|as|than|per|each|that|which|this|these|those|"
    r"its|his|has|does)\b)"
)
_COUNTED = quick(
    rf"(?<![\w.,/:-])(?P<n>(?:{WORDS})|\d{{1,3}})\s+(?P<np>(?:{_SPARE}[a-z][a-z-]*\s+){{0,3}}?{_SPARE}[a-z][a-z-]*s)\b(?![-’'])",
    re.IGNORECASE,
)
_LABEL = re.compile(rf"\b(?:{_LIMITS.pattern('labelling')})\s+\Z", re.IGNORECASE)
_LONGEST_LABEL = 1 + max(len(words) for words in _LIMITS.words("labelling"))
_UNCOUNTED = frozenset(_LIMITS.words("uncounted"))
_LENGTH = re.compile(r"\bfor\s+(?:at\s+least\s+|about\s+|up\s+to\s+)?$", re.IGNORECASE)
_TIMES = {"frequency": "per_year", "deadline": "hours", "duration": "hours"}
_HINT = quick(
    rf"\d|\b(?:{WORDS})\b|\b(?:each|every|daily|weekly|monthly|quarterly|yearly|annual\w*|fortnight\w*|an?|next|same)\b",
    re.IGNORECASE,
)
_PAST = re.compile(r"\b(?:was|were|had|has been|have been)\b")
_PAST_WORDS = ("was", "were", "had", "been", "since")
"""What all that tells of the past has some of: asides are only then taken out."""
_SINCE = re.compile(r"\bha(?:s|ve) since\b")
_ASIDE = re.compile(rf"\b(?:{_LIMITS.pattern('aside')})\b[^,;]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limit:
    """A figure that a sentence fixes.

    Attributes:
        kind: "frequency", "deadline", "duration", "amount", "size" or "count".
        of: what sort of thing it counts: a currency, a dimension, the stem of a noun; "keep" or "delete" for how long something
            is there; "length" for how long something lasts; "" otherwise.
        says: as printed.
        value: times a year, hours, or the number itself.
        at: where it begins in the line.
    """

    kind: str
    of: str
    says: str
    value: float
    at: int


@lru_cache(maxsize=1 << 14)
def limits_of(text: str) -> tuple[Limit, ...]:
    """The limits of a sentence, in order; those of a kind of which there are too many are left out.

    Args:
        text: a sentence, or a row of a table.
    """
    if len(text) > LONGEST or _HINT.search(text) is None:
        return ()
    line = line_of(text)
    may_be_past = any(word in line for word in _PAST_WORDS)
    if may_be_past and (_SINCE.search(line) or _PAST.search(_ASIDE.sub(" ", line))):
        return ()  # what was done once is no rule
    marks = find_quantities(line, 0, len(line))
    found = [limit for mark in marks if (limit := _measured(line, mark)) is not None]
    taken = [(each.at, each.at + len(each.says)) for each in found]
    sizes = [
        Limit("size", each.head, each.says, float(each.value), max(0, line.find(each.says)))
        for each in figures_of(text)
        if each.kind == SIZE
    ]
    for limit in (*sizes, *_singles(line), *_counts(line)):
        if not any(a < limit.at + len(limit.says) and limit.at < b for a, b in taken):
            found.append(limit)
    by_kind: dict[str, set[float]] = {}
    for each in found:
        by_kind.setdefault(each.kind, set()).add(each.value)
    return tuple(sorted((each for each in found if len(by_kind[each.kind]) <= MOST), key=lambda each: each.at))


def _measured(line: str, mark: Mark) -> Limit | None:
    kind = str(mark.data.get("quantity_kind") or "")
    says = line[mark.start : mark.end]
    if kind in _TIMES:
        value = mark.data.get(_TIMES[kind])
        if not isinstance(value, int | float) or value <= 0:
            return None
        if kind == "frequency":
            return Limit(kind, "", says, round(float(value), 4), mark.start)
        return _time(line, says, float(value) * (WORKING if mark.data.get("business_days") else 1.0), mark.start, kind)
    value = mark.data.get("value")
    if not isinstance(value, int | float):
        return None
    if kind == "amount":
        return Limit(
            "amount", str(mark.data.get("currency") or mark.data.get("unit") or ""), says, float(value), mark.start
        )
    return None


def _time(line: str, says: str, hours: float, at: int, kind: str) -> Limit:
    """A time, by what it tells of: how long something is there, how long it lasts, or how soon it is done."""
    words = {word.casefold() for word in _WORD.findall(line)}
    of = GONE if words & _GONE else KEPT if words & _KEEPING and kind == "duration" else ""
    if not of and kind == "duration" and _LENGTH.search(line, 0, at):
        of = "length"
    return Limit("duration" if of else "deadline", of, says, round(hours, 4), at)


def _singles(line: str) -> list[Limit]:
    found = [
        _time(line, match["time"], float(_SINGLE[match["time"].casefold()]), match.start("time"), "deadline")
        for match in _SINGLES.finditer(line)
    ]
    for match in _OF_PERIOD.finditer(line):
        found.append(Limit("frequency", "", match[0], float(_PERIODS[match["period"].casefold()]), match.start()))
    for match in _EACH_DAY.finditer(line):
        found.append(Limit("frequency", "", match[0], float(_PERIODS["week"]), match.start()))
    return found


def _counts(line: str) -> list[Limit]:
    found = []
    for match in _COUNTED.finditer(line):
        noun = match["np"].split()[-1].casefold()
        value = parse_number(match["n"])
        if _LABEL.search(line, max(0, match.start() - _LONGEST_LABEL), match.start()):
            continue  # "Tier 1 systems" are no single one
        if value is None or value <= 0 or {each.casefold() for each in match["np"].split()} & _UNCOUNTED:
            continue
        found.append(Limit("count", stem(noun), match[0], float(value), match.start()))
    return found


_DENIED = re.compile(rf"\b(?:{_LIMITS.pattern('denying')})\b[^,;]*$", re.IGNORECASE)
_BEHIND_LEAST = re.compile(rf"^\W*(?:{_LIMITS.pattern('least_behind')})\b", re.IGNORECASE)
_BEHIND_MOST = re.compile(rf"^\W*(?:{_LIMITS.pattern('most_behind')})\b", re.IGNORECASE)
_OTHERS = {"at_least": "floor", "more_than": "floor", "at_most": "ceiling", "less_than": "ceiling", "within": "ceiling"}


def bound_of(line: str, at: int, says: str) -> Literal["floor", "ceiling", ""]:
    """Whether the words around a figure make it the least or the most; "" where they do neither.

    "At no time fewer than four" is a least: what is ruled out is less.

    Args:
        line: the sentence on one line.
        at: where the figure begins.
        says: as printed.
    """
    end = at + len(says)
    if _BEHIND_MOST.match(line[end:]):
        return "ceiling"
    if _BEHIND_LEAST.match(line[end:]):
        return "floor"
    comparator, start, _ = comparator_before(line, 0, at)
    comparator = comparator or or_more(line, end, len(line))[0]
    found = _OTHERS.get(comparator, "")
    if found and comparator in ("more_than", "less_than") and _DENIED.search(line[:start]):
        found = "ceiling" if found == "floor" else "floor"
    return "floor" if found == "floor" else "ceiling" if found == "ceiling" else ""
