"""Bounds of a requirement beside those of a sentence: how often, by when; which of the two is the stricter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coditect.language.quantities.meaning import find_quantities

__all__ = ["Bound", "BoundRelation", "bounds_of", "compare_bounds"]

BoundRelation = Literal["stricter", "looser", "same"]


@dataclass(frozen=True, slots=True)
class Bound:
    """How often or by when something is done.

    Attributes:
        kind: "frequency" or "deadline".
        value: times a year, or hours.
        text: as printed.
    """

    kind: str
    value: float
    text: str


def bounds_of(text: str) -> tuple[Bound, ...]:
    """The frequencies and deadlines of a text, in order; lengths of time without a side ("for six years") are none."""
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
    return tuple(found)


def compare_bounds(asked: tuple[Bound, ...], given: tuple[Bound, ...]) -> tuple[BoundRelation, str] | None:
    """How the bounds of a sentence stand to those of a requirement.

    Only where each side has one bound of a kind: of two it is not plain which one is meant.

    Args:
        asked: of the requirement.
        given: of the sentence.

    Returns:
        The relation of the first kind that differs, or "same", with the reason in words; None where no kind is on both sides.
    """
    result: tuple[BoundRelation, str] | None = None
    for kind in ("deadline", "frequency"):
        ours, theirs = ([each for each in side if each.kind == kind] for side in (given, asked))
        if len(ours) != 1 or len(theirs) != 1:
            continue
        mine, wanted = ours[0], theirs[0]
        if mine.value == wanted.value:
            result = result or ("same", f"the {kind} is the same: “{mine.text}”")
            continue
        is_stricter = mine.value < wanted.value if kind == "deadline" else mine.value > wanted.value
        word: BoundRelation = "stricter" if is_stricter else "looser"
        return word, f"the {kind} “{mine.text}” is {word} than “{wanted.text}”"
    return result
