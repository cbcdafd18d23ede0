"""Time limits told in two parts that are one: "as soon as practicable, and in any event within six months, after the year"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from coditect.language.norms.limits.openings import Adjunct

__all__ = ["ONLY_JOINS", "whole_duration", "whole_limits"]

_I = re.IGNORECASE
_AT_MOST = r"(?:in\s+(?:any|all|either)\s+(?:case|event)s?|at\s+the\s+(?:very\s+)?latest)"
_BRACKETS = (
    rf"\((?:(?:and|but|or)\s+)?(?:{_AT_MOST}|in\s+no\s+(?:case|event)|(?:no|not)\s+later)\b(?:[^()]|\([^()]*\))*"
)
ONLY_JOINS = re.compile(rf"as\s+well\s+as|(?:(?:and|but|or)\s+)?{_AT_MOST}|{_BRACKETS}\)?", _I)
"""What stands between the two parts, and is no part of an act."""

_BETWEEN = re.compile(rf"[\s,]*(?:(?:and|but|or)\s+)?{_AT_MOST}[\s,]*", _I)
_WHICHEVER = re.compile(r",?\s+whichever\b", _I)
_WHICHEVER_IS = re.compile(
    r",?\s+whichever(?:\s+of\s+(?:them|these|the\s+two))?"
    r"\s+(?:is|comes|occurs|falls|ends|period\s+is)\s+(?:the\s+)?\w+",
    _I,
)
_OR = re.compile(r",?\s+(?:either\s+)?or,?\s+", _I)
# "promptly (and in any event within five (5) days) after receipt": what is in brackets is the outer limit.
_IN_BRACKETS = re.compile(rf"\s*{_BRACKETS}\)", _I)
_WITHIN = re.compile(r"within\s", _I)
_COMMA = re.compile(r"\s*,?\s*")
_AFTER = re.compile(r"(?:after|following|from)\s", _I)
_HAS_EVENT = re.compile(r"\b(?:after|before|following|upon|prior\s+to|preceding|from)\s", _I)


def whole_limits(text: str, limits: Sequence[Adjunct]) -> list[Adjunct]:
    """The adjuncts of a clause, those that are parts of one time limit put together.

    Args:
        text: the text.
        limits: the adjuncts, in order.

    Returns:
        As many or fewer; a limit of two parts begins with the first and ends with the second.
    """
    found: list[Adjunct] = []
    for each in limits:
        last = found[-1] if found else None
        if last is not None and last.kind == each.kind == "deadline" and _are_one(text, last, each):
            found[-1] = replace(last, end=each.end)
        else:
            found.append(_with_brackets(text, each) if each.kind == "deadline" else each)
    return found


def whole_duration(text: str, limits: Sequence[Adjunct]) -> str | None:
    """How long a clause holds: the first duration; both of "for ten years or until it is sold, whichever is longer"."""
    durations = [
        each for each in limits if each.kind == "duration" and text[each.start : each.end].lower() != "at any time"
    ]
    durations = [each for each in durations if len(text[each.start : each.end].split()) > 1]
    if not durations:
        return None
    first, last = durations[0], durations[0]
    for each in durations[1:]:
        behind = _WHICHEVER_IS.match(text, each.end) or _WHICHEVER.search(text, each.start, each.end)
        if behind is None or not _OR.fullmatch(text, last.end, each.start):
            break
        last = replace(each, end=max(each.end, behind.end()))
    behind = _WHICHEVER_IS.match(text, last.end)
    return text[first.start : behind.end() if behind else last.end]


def _with_brackets(text: str, each: Adjunct) -> Adjunct:
    behind = _IN_BRACKETS.match(text, each.end)
    return replace(each, end=behind.end()) if behind else each


def _are_one(text: str, first: Adjunct, second: Adjunct) -> bool:
    """Whether two limits that follow each other are one."""
    if second.start < first.end or _AFTER.match(text, first.start):
        return False
    between = first.end, second.start
    if _BETWEEN.fullmatch(text, *between):
        return True
    if _OR.fullmatch(text, *between) and _WHICHEVER.search(text, second.start, second.end):
        return True
    if not text[first.end : second.start].strip() and _WITHIN.match(text, second.start):
        return True  # "as soon as practicable within thirty days"
    is_open = _HAS_EVENT.search(text, first.start, first.end) is None
    return is_open and _AFTER.match(text, second.start) is not None and _COMMA.fullmatch(text, *between) is not None
