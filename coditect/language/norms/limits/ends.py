"""Where phrases that limit a clause end: before another act or who acts, and where another phrase begins."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.language.finite_verbs import FINITE, has_finite_verb
from coditect.language.norms.imperatives import is_plain_verb
from coditect.language.norms.limits.openings import (
    BEHIND_TIMES,
    TIMES,
    AdjunctKind,
    is_inside,
    kind_of,
    may_begin,
)
from coditect.language.norms.limits.periods import SPACE, UNIT, phrases
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table

__all__ = [
    "CLAUSAL",
    "FEWEST",
    "FEWEST_BEFORE",
    "JOINT_BETWEEN",
    "UNLESS",
    "WITHOUT",
    "before_agent",
    "before_other_act",
    "before_place",
    "end_of_leave",
    "end_of_time",
    "ends_condition",
    "ends_time",
]

UNLESS = re.compile(r"(?:unless|except)\b", re.IGNORECASE)
WITHOUT = re.compile(r"without\b", re.IGNORECASE)
# Conditions that are phrases, which a clause may limit in its turn.
_PHRASAL = re.compile(r"(?:upon|on|by|without|at|with)\b", re.IGNORECASE)
CLAUSAL = re.compile(
    r"(?:if|when|where|whenever|provided|unless|in\s+the\s+event|in\s+case|to\s+the\s+extent|so\s+long)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"(?:no|not)\s+later\s+than\b|at\s+the\s+latest\b", re.IGNORECASE)
_LIMIT_IN_FIGURES = re.compile(
    r"(?:within|(?:no|not)\s+later\s+than|at\s+the\s+latest)\s+(?:\d|(?:[a-z]+-)?[a-z]+\s+\(\d)", re.IGNORECASE
)
# "before the first day what may burn": what is told behind a time that is complete.
_TOLD = re.compile(
    r"\b(?:day|week|month|year|hour|time|shift|start|beginning|end|date)s?(?P<end>)\s+(?:what|how|why|whether|who)\s",
    re.IGNORECASE,
)
FEWEST = 3
"""Code points between a condition's first words and the next one, at least."""
_OTHER_VERB = re.compile(
    r"\s+(?:and|or)\s+(?P<verb>[a-z]+)\s+(?=(?P<object>(?:the|an?|any|all|its|their|our|your|such|this)\b)?[a-z])"
)
_ALSO_NOUNS = frozenset(read_table("base_verbs").words("also_nouns"))
JOINT_BETWEEN = re.compile(r"(?<=[,\s])(?:and|or|but)\Z")
_DOING = re.compile(r"\s+[a-z]+ing\b")
_RELATIVE = re.compile(r"\b(?:that|which|who|whom|whose)\b")
FEWEST_BEFORE = 3
"""Code points between where an item begins and an adjunct that opens it, fewer than."""
_AGENT = re.compile(
    r"\sby(?=\s+(?:the|an?|any|each|either|its|their|our)\s+(?!end\b|close\b|date\b|time\b)[a-z]|\s+[A-Z]|\s*\Z)"
)
_PLACE = deferred(
    rf"(?P<unit>\b{UNIT}){SPACE}(?:at|in|inside|on){SPACE}(?:the|an?|its|their|our|your|each|any|every|that|this){SPACE}(?:[\w-]{{1,20}}{SPACE}){{0,3}}?"
    rf"{phrases(read_table('adjuncts'), 'where_kept')}\b(?![-’'])",
    re.IGNORECASE,
)
_DEVERBAL = re.compile(
    r"(?:tion|sion|ment|al|ipt|ing|ery|ance|ence|ure|ed|request|notice|sale|review|report|use|order|demand|loss|breach|visit|audit|offer|issue|signature)s?\s*\Z"
)
_CLAUSE_FIRST = re.compile(r"\b(?:it|they|we|you|he|she|I|who|which|that|to)\b|\b[a-z]+(?:s|ed|ing)\s*\Z")


def end_of_time(text: str, lo: int, hi: int) -> int:
    """Where a time ends before what goes on with the act: a purpose, or how and by what it is done."""
    told = _TOLD.search(text, lo, hi)
    hi = told.start("end") if told and not has_finite_verb(text, lo, told.start("end")) else hi
    doing = _DOING.match(text, lo, hi)  # "before using the wire to deliver": all of it is the event
    for found in BEHIND_TIMES.finditer(text, doing.end() if doing else lo, hi):
        if doing and found["verb"]:
            continue
        if found["verb"] is None or (is_plain_verb(found["verb"]) and found["verb"] != "be"):
            verb = FINITE.search(text, found.end(), hi) if found["verb"] else None
            if verb is not None and not _RELATIVE.search(text, found.end(), verb.start()):
                continue  # "after a decision to trade has been made"
            return found.start()
    return hi


def before_agent(text: str, lo: int, hi: int, edges: Sequence[int]) -> int:
    """Where a time of a passive ends before who acts: "at the end of the fair by the keeper", but "after approval by the Board"."""
    for found in _AGENT.finditer(text, lo, hi):
        listed = any(0 <= each - found.end() < FEWEST_BEFORE for each in edges)
        if listed or not (_DEVERBAL.search(text, lo, found.start()) or has_finite_verb(text, lo, found.start())):
            return found.start()
    return hi


def before_place(text: str, lo: int, hi: int) -> int:
    """Where a time ends before the place of the act: "for 90 days at the front desk"; "of arrival at the office" is an event."""
    found = _PLACE.search(text, lo, hi)
    return found.end("unit") if found else hi


def before_other_act(text: str, lo: int, hi: int) -> int:
    """Where a time ends before another act: "within two weeks of the meeting and submit the same"; an event may be a clause."""
    for found in _OTHER_VERB.finditer(text, lo, hi):
        if found["object"] and is_plain_verb(found["verb"]) and found["verb"] not in _ALSO_NOUNS:
            return hi if _CLAUSE_FIRST.search(text, lo, found.start()) else found.start()
    return hi


def end_of_leave(text: str, match: re.Match[str], hi: int) -> int:
    """Where "without prior notice" ends before another act: "and stop the service"."""
    if not WITHOUT.match(match[0]):
        return hi
    acts = (each for each in _OTHER_VERB.finditer(text, match.end(), hi) if is_plain_verb(each["verb"]))
    return next((each.start() for each in acts if each["object"] or each["verb"] not in _ALSO_NOUNS), hi)


def ends_condition(text: str, own: re.Match[str], later: re.Match[str]) -> bool:
    """Whether a condition or exception ends where another one begins: behind a comma, or where a clause limits a phrase."""
    lo = own.end()
    if later.start() - lo > FEWEST and not is_inside(text, lo, later.start()) and may_begin(text, lo, later):
        joined = JOINT_BETWEEN.search(text[lo : later.start()].rstrip()) is not None
        if not joined and kind_of(own) == "condition" and UNLESS.match(later[0]):
            return True  # "if it occurs unless it was reported"
        if not joined and _PHRASAL.match(own[0]) and CLAUSAL.match(later[0]):
            return True  # "upon notice if the other party is insolvent"
        if not joined and _PHRASAL.match(own[0]) and _LIMIT_IN_FIGURES.match(text, later.start()):
            return not has_finite_verb(text, lo, later.start())  # "at the buyer's request no later than 60 days after"
        if (
            joined
            and _PHRASAL.match(own[0])
            and kind_of(later) in TIMES
            and not has_finite_verb(text, lo, later.start())
        ):
            return True  # "at the buyer's request and within two days"
    behind_comma = text[max(lo, later.start() - 2) : later.start()].strip() == ","
    if behind_comma and _LIMIT.match(later[0]) and CLAUSAL.match(own[0]) and has_finite_verb(text, lo, later.start()):
        return not is_inside(text, lo, later.start())  # "when the work is done, not later than a month after the offer"
    return behind_comma and kind_of(later) not in TIMES and not is_inside(text, lo, later.start())


_COUNTED_FROM = re.compile(
    r"\b(?:after|following|before|preceding|(?:end|close|beginning|start)\s+of)\s+\Z", re.IGNORECASE
)


def ends_time(text: str, lo: int, later: re.Match[str], kind: AdjunctKind) -> bool:
    """Whether a time ends where another adjunct begins: a condition, an exception, or how often."""
    other = kind_of(later)
    own = other in ("condition", "exception") or (other == "frequency" and kind != "frequency")
    if other == "frequency" and _COUNTED_FROM.search(text, lo, later.start()):
        return False  # "within ten days after each quarter"
    own = own or (
        other in TIMES and JOINT_BETWEEN.search(text[max(lo, later.start() - 6) : later.start()].rstrip()) is not None
    )
    return own and not is_inside(text, lo, later.start()) and may_begin(text, lo, later)
