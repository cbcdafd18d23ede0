"""Bounds of a requirement beside those of a sentence: how often, by when, for how long; which of the two is the stricter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from coditect.language.quantities.meaning import find_quantities

__all__ = ["Bound", "BoundRelation", "bounds_of", "compare_bounds"]

BoundRelation = Literal["stricter", "looser", "same"]


@dataclass(frozen=True, slots=True)
class Bound:
    """How often, by when or for how long something is done.

    Attributes:
        kind: "frequency", "deadline" or "duration".
        value: times a year, or hours.
        text: as printed.
        is_limit: of a duration whether it may be shorter: "for no more than a year".
    """

    kind: str
    value: float
    text: str
    is_limit: bool = False


_LASTS = re.compile(
    r"\b(?:for|period of|term of|at least|at most|more than|less than|longer than)\s+(?:an?\s+|the\s+)?[\w\s-]{0,24}$",
    re.I,
)
"""What stands in front of a length of time that something lasts; "thirty days old" lasts nothing."""


def bounds_of(text: str) -> tuple[Bound, ...]:
    """The frequencies, deadlines and durations of a text, in order."""
    found = []
    for mark in find_quantities(text, 0, len(text)):
        kind, hours, often = (mark.data.get(each) for each in ("quantity_kind", "hours", "per_year"))
        printed = text[mark.start : mark.end]
        if kind == "frequency" and isinstance(often, int | float) and often > 0:
            found.append(Bound("frequency", float(often), printed))
        elif (
            kind == "deadline"
            and isinstance(hours, int | float)
            and hours > 0
            and mark.data.get("relation") != "before"
        ):
            found.append(Bound("deadline", float(hours), printed))
        elif kind == "duration" and isinstance(hours, int | float) and hours > 0 and _LASTS.search(text[: mark.start]):
            found.append(Bound("duration", float(hours), printed, mark.data.get("comparator") == "at_most"))
    return tuple(found)


def compare_bounds(asked: tuple[Bound, ...], given: tuple[Bound, ...]) -> tuple[BoundRelation, str] | None:
    """How the bounds of a sentence stand to those of a requirement.

    Only where each side has one bound of a kind: of two it is not plain which one is meant. What has to last five years lasts them
    where it lasts six; of two durations one of which is a limit it is not plain which is the stricter.

    Args:
        asked: of the requirement.
        given: of the sentence.

    Returns:
        The relation of the first kind that differs, or "same", with the reason in words; None where no kind is on both sides.
    """
    result: tuple[BoundRelation, str] | None = None
    for kind in ("deadline", "frequency", "duration"):
        ours, theirs = ([each for each in side if each.kind == kind] for side in (given, asked))
        if len(ours) != 1 or len(theirs) != 1:
            continue
        mine, wanted = ours[0], theirs[0]
        if mine.is_limit != wanted.is_limit:
            continue
        if mine.value == wanted.value:
            result = result or ("same", f"the {kind} is the same: “{mine.text}”")
            continue
        is_stricter = mine.value < wanted.value if kind == "deadline" or wanted.is_limit else mine.value > wanted.value
        word: BoundRelation = "stricter" if is_stricter else "looser"
        return word, f"the {kind} “{mine.text}” is {word} than “{wanted.text}”"
    return result
