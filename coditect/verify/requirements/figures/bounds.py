"""Bounds of a requirement beside those of a sentence: how often, by when, for how long, how many; which is stricter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from coditect.language.marks import JsonValue
from coditect.language.quantities.meaning import find_quantities
from coditect.language.tables import worded
from coditect.verify.requirements.figures.counts import Bound, counts_of

__all__ = ["BoundRelation", "bounds_of", "compare_bounds", "is_timed"]

BoundRelation = Literal["stricter", "looser", "same"]

_TIMED = ("deadline", "frequency", "duration", "notice")

_NOTICE = frozenset(("at_least", "before"))
"""How a time before an event is told that may be longer: "at least thirty days before", "thirty days prior to"."""

_LATER_THAN = re.compile(r"\blater\s+than\s+(?:the\s+)?$", re.I)

_LASTS = re.compile(
    r"\b(?:for|period of|term of|at least|at most|more than|less than|longer than)\s+(?:an?\s+|the\s+)?[\w\s-]{0,24}$",
    re.I,
)
"""What stands in front of a length of time that something lasts; "thirty days old" lasts nothing."""

_FOR = re.compile(r"\bfor\s+(?:an?\s+|the\s+)?$", re.I)
_AFTER = re.compile(r"\bafter\s+(?:an?\s+)?(?:[\w-]+\s+){0,4}$", re.I)

_kept = worded("acts", r"\b(?:«lasting»)\s+$")
_idle = worded("acts", r"\b(?:«idle»)\b")


def is_timed(bound: Bound) -> bool:
    """Whether a bound says when, how often or how long, and not how many."""
    return bound.kind in _TIMED


@lru_cache(maxsize=8_192)
def bounds_of(text: str) -> tuple[Bound, ...]:
    """The frequencies, deadlines, durations and counts of a text, in order; the last 8,192 are remembered."""
    found: list[tuple[int, Bound]] = []
    for mark in find_quantities(text, 0, len(text)):
        kind, hours, often = (mark.data.get(each) for each in ("quantity_kind", "hours", "per_year"))
        if kind == "frequency" and isinstance(often, int | float) and often > 0:
            found.append((mark.start, Bound("frequency", float(often), text[mark.start : mark.end])))
        elif kind in ("deadline", "duration") and isinstance(hours, int | float) and hours > 0:
            bound = _time(text, mark.start, mark.end, mark.data, float(hours))
            found += [(mark.start, bound)] if bound is not None else []
    return tuple(bound for _, bound in sorted((*found, *counts_of(text)), key=lambda each: each[0]))


def _time(text: str, start: int, end: int, told: Mapping[str, JsonValue], hours: float) -> Bound | None:
    """What a length of time bounds: what is kept for ten years after its end lasts; None where it bounds nothing."""
    comparator, before, printed = told.get("comparator"), text[:start], text[start:end]
    if told.get("relation") == "before":
        is_notice = comparator in _NOTICE or (comparator == "within" and _LATER_THAN.search(before) is not None)
        return Bound("notice", hours, printed) if is_notice else None
    lasts = (
        comparator in ("at_least", "at_most") or _FOR.search(before) is not None or _kept().search(before) is not None
    )
    if told["quantity_kind"] == "deadline" and not lasts:
        return Bound("deadline", hours, printed)
    if _AFTER.search(before) is not None and not _FOR.search(before):
        # Access ends the sooner the better; whether records may go sooner or later no figure tells.
        return Bound("deadline", hours, printed) if _idle().search(text) is not None else None
    if told["quantity_kind"] == "deadline" or _LASTS.search(before) or _kept().search(before):
        return Bound("duration", hours, printed, comparator == "at_most")
    return None


def compare_bounds(asked: tuple[Bound, ...], given: tuple[Bound, ...]) -> tuple[BoundRelation, str] | None:
    """How the bounds of a sentence stand to those of a requirement.

    Only where each side has one bound of a kind, and one count of a unit: of two it is not plain which one is meant. What has to
    last five years lasts them where it lasts six; of two one of which is a limit it is not plain which is stricter. Notice before
    an event may be longer than what is asked.

    Args:
        asked: of the requirement.
        given: of the sentence.

    Returns:
        The relation of the first kind that differs, or "same", with the reason in words; None where no kind is on both sides.
    """
    result: tuple[BoundRelation, str] | None = None
    kinds = dict.fromkeys((*((each, "") for each in _TIMED), *(("count", each.unit) for each in asked if each.unit)))
    for kind, unit in kinds:
        ours, theirs = ([each for each in side if (each.kind, each.unit) == (kind, unit)] for side in (given, asked))
        if len(ours) != 1 or len(theirs) != 1:
            continue
        mine, wanted = ours[0], theirs[0]
        if mine.value == wanted.value and (mine.is_open or mine.is_limit == wanted.is_limit):
            result = result or ("same", f"the {kind} is the same: “{mine.text}”")
            continue
        if wanted.is_open or (mine.is_limit != wanted.is_limit and not mine.is_open):
            continue
        is_stricter = mine.value < wanted.value if kind == "deadline" or wanted.is_limit else mine.value > wanted.value
        word: BoundRelation = "stricter" if is_stricter else "looser"
        return word, f"the {kind} “{mine.text}” is {word} than “{wanted.text}”"
    return result
