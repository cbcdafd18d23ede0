"""Whether a duty became stricter or looser, field by field, as it was read before and after.

A reading says so where one side asks at least what the other does: a shorter time to do a thing, more often, for longer, without an
exception that there was. Everything else that differs is only told as changed: another actor or object is neither, and so is a
deadline that is counted from another event. Of a permission it is the other way round: who may act within a longer time is freer.
What else the sentence says has to be nearly the same, or else nobody knows whether the two readings are of one duty at all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from coditect.language.quantities.durations import working_days_span
from coditect.language.quantities.meaning import find_quantities
from coditect.language.terms import terms
from coditect.schemas import Deadline, DutyChange, DutyField, Extraction, NormData

__all__ = ["SAME_BESIDES", "Direction", "direction_of_change"]

SAME_BESIDES = 0.8
"""Share of their words, without those of the fields that differ, that two sentences have in common, at least."""

Direction = Literal["stricter", "looser", "changed"]

_OTHER: Mapping[Direction, Direction] = {"stricter": "looser", "looser": "stricter", "changed": "changed"}
_BINDING: Mapping[str, int] = {"mandatory": 2, "recommended": 1, "optional": 0}
_FLOORS = frozenset(("at_least", "more_than"))
_CEILINGS = frozenset(("at_most", "less_than"))


def direction_of_change(old: Extraction, new: Extraction, changes: Sequence[DutyChange]) -> Direction:
    """What became of a duty, by all of the fields in which its two readings differ.

    Args:
        old: the reading before.
        new: the reading after.
        changes: the fields in which they differ; at least one.

    Returns:
        "stricter" or "looser" where every field says so; else "changed".
    """
    if _besides(old, new, changes) < SAME_BESIDES:
        return "changed"
    frees = old.extraction_kind == new.extraction_kind == "permission"
    ways = set()
    for field in {each.field for each in changes}:
        way = _WAYS[field](old, new) if field in _WAYS else "changed"
        ways.add(_OTHER[way] if frees and field != "modality" else way)
    return ways.pop() if len(ways) == 1 else "changed"


def _besides(old: Extraction, new: Extraction, changes: Sequence[DutyChange]) -> float:
    """The share of their words that two sentences have in common, besides what differs as it was read (Dice's coefficient)."""
    ours, theirs = Counter(terms(old.source_text)), Counter(terms(new.source_text))
    for each in changes:
        ours.subtract(terms(each.before))
        theirs.subtract(terms(each.after))
    ours, theirs = +ours, +theirs
    return 2 * (ours & theirs).total() / max(ours.total() + theirs.total(), 1)


def _of_order(before: float, after: float, *, more: Direction = "stricter") -> Direction:
    if before == after:
        return "changed"
    return more if after > before else _OTHER[more]


def _force(old: Extraction, new: Extraction) -> Direction:
    """From "may" by "should" to "must"; an order that became a ban is neither."""
    if {old.extraction_kind, new.extraction_kind} == {"obligation", "prohibition"}:
        return "changed"
    before, after = (
        0 if each.extraction_kind == "permission" else _BINDING[each.read_as(NormData).strength or "mandatory"]
        for each in (old, new)
    )
    return _of_order(before, after)


def _due(old: Extraction, new: Extraction) -> Direction:
    ours, theirs = (each.read_as(NormData).limits for each in (old, new))
    if not ours or not theirs:
        return "stricter" if not ours else "looser"
    if len(ours) != len(theirs):
        return "changed"
    ways = {_of_limit(one, other) for one, other in zip(ours, theirs, strict=True) if not _same_limit(one, other)}
    return ways.pop() if len(ways) == 1 else "changed"


def _span(limit: Deadline) -> tuple[float, float]:
    """Between how many hours of the calendar a limit ends: of working days with the weekends that they may hold."""
    hours = limit.hours or 0.0
    return working_days_span(hours) if limit.business_days else (hours, hours)


def _of_spans(before: tuple[float, float], after: tuple[float, float]) -> Direction:
    """Which of two limits is longer on whatever day it begins; "changed" where that depends on the day."""
    if before[1] <= after[0]:
        return "looser"
    return "stricter" if after[1] <= before[0] else "changed"


def _same_limit(before: Deadline | str, after: Deadline | str) -> bool:
    """Whether two limits say the same, wherever they stand."""
    printed = (terms(each.text if isinstance(each, Deadline) else each) for each in (before, after))
    return len(set(printed)) == 1


def _of_limit(before: Deadline | str, after: Deadline | str) -> Direction:
    if not isinstance(before, Deadline) or not isinstance(after, Deadline):
        return "changed"
    shapes = [
        (each.comparator in _FLOORS, each.relation or "after", terms(each.trigger or "")) for each in (before, after)
    ]
    if shapes[0] != shapes[1]:
        return "changed"
    if before.hours is not None and after.hours is not None:
        is_floor, relation = shapes[0][0], shapes[0][1]
        if bool(before.business_days) != bool(after.business_days):
            way = _of_spans(_span(before), _span(after))
            return "changed" if is_floor or relation == "before" else way
        if is_floor or relation == "before":
            # Notice of at least so long in front of an event is longer where it is stricter; "not before a week" bounds no duty.
            return _of_order(before.hours, after.hours) if is_floor and relation == "before" else "changed"
        return _of_order(before.hours, after.hours, more="looser")
    if before.iso and after.iso:
        return "stricter" if after.iso < before.iso else "looser" if before.iso < after.iso else "changed"
    return "changed"


def _often(old: Extraction, new: Extraction) -> Direction:
    before, after = (each.read_as(NormData).frequency for each in (old, new))
    if before is None or after is None:
        return "stricter" if before is None else "looser"
    capped = [each.comparator in _CEILINGS for each in (before, after)]
    if capped[0] != capped[1] or before.per_year is None or after.per_year is None:
        return "changed"
    return _of_order(before.per_year, after.per_year, more="looser" if capped[0] else "stricter")


def _lasting(old: Extraction, new: Extraction) -> Direction:
    before, after = (_hours(each.read_as(NormData).duration or "") for each in (old, new))
    if before is None or after is None or before[1] != after[1]:
        return "changed"
    return _of_order(before[0], after[0], more="looser" if before[1] else "stricter")


def _hours(text: str) -> tuple[float, bool] | None:
    """(the one length of time that a text names, whether it may be shorter); None where it names none, or several."""
    found = [mark.data for mark in find_quantities(text, 0, len(text))]
    if len(found) != 1 or not isinstance(hours := found[0].get("hours"), int | float):
        return None
    return float(hours), found[0].get("comparator") in _CEILINGS


def _excepted(old: Extraction, new: Extraction) -> Direction:
    """Who is bound in fewer cases is freer; an exception that took the place of another is neither."""
    ours, theirs = ({terms(each) for each in side.read_as(NormData).exceptions} for side in (old, new))
    if ours < theirs:
        return "looser"
    return "stricter" if theirs < ours else "changed"


_WAYS: Mapping[DutyField, Callable[[Extraction, Extraction], Direction]] = {
    "modality": _force,
    "deadline": _due,
    "frequency": _often,
    "duration": _lasting,
    "exception": _excepted,
}
"""Fields that have a direction. An actor, an act, an object, an amount or a meaning has none by itself; of a condition that came or
went nobody knows whether the sentence in front said it ("in such a case")."""
