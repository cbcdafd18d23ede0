"""What happened to each provision of a document between two versions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from coditect.schemas import ChangedWords, ChangeKind, DutyChange, DutyClass, DutyVerdict, Extraction
from coditect.tiers.changes.alignment import Alignment, align
from coditect.tiers.changes.duties import WEIGHTS, classes_of, compare_duties, duties_in, states_duty, weight_of
from coditect.tiers.changes.marks import changed_marks, direction_of_marks
from coditect.tiers.changes.provisions import NO_PARENT, Provision
from coditect.tiers.changes.wording import changed_words, differ_in_wording_only

__all__ = ["CHANGES_VERSION", "Difference", "differences"]

CHANGES_VERSION = "changes/7"

Readings = Callable[[Provision], Sequence[Extraction]]


@dataclass(frozen=True, slots=True)
class Difference:
    """What happened to one provision.

    Attributes:
        kind: in a word.
        old: as it was; None for what was added.
        new: as it is; None for what was removed.
        duty: whether what is asked differs.
        words: which words were replaced.
        fields: what of the duty differs.
        carried: (old, new) provisions below it that moved or were renumbered with it, and did not change otherwise.
        weight: how much the duty changed.
        duties: how many duties in it, and in what it carried, by what became of them.
    """

    kind: ChangeKind
    old: Provision | None
    new: Provision | None
    duty: DutyVerdict = "none"
    words: tuple[ChangedWords, ...] = ()
    fields: tuple[DutyChange, ...] = ()
    carried: tuple[tuple[Provision, Provision], ...] = ()
    weight: float = 0.0
    duties: Mapping[DutyClass, int] = field(default_factory=dict)


def differences(
    old: Sequence[Provision], new: Sequence[Provision], read_old: Readings, read_new: Readings
) -> tuple[tuple[Difference, ...], int]:
    """(what changed, in the order of the new version with what was removed where it stood; how many did not).

    Args:
        old: provisions of the earlier version.
        new: of the later one.
        read_old: Tier 1 inside a provision of the earlier version.
        read_new: of the later one.
    """
    alignment = align(old, new)
    places = _Places(old, new, alignment)
    kinds = {b: kind for a, b in alignment.pairs if (kind := places.kind_of(a, b)) is not None}
    led = _led(alignment, places, kinds)
    found: list[Difference] = []
    for a, b in alignment.pairs:
        kind = kinds.get(b)
        if kind is None or b in led:
            continue
        carried = tuple((old[each], new[other]) for each, other in alignment.pairs if led.get(other) == b)
        told = _of_pair(kind, old[a], new[b], read_old, read_new)
        moved = told.duties.get("moved", 0) + sum(duties_in(read_new(each)) for _, each in carried)
        duties = {**told.duties, "moved": moved} if moved else told.duties
        found.append(replace(told, carried=carried, duties=duties))
    found += [_alone("added", None, new[b], read_new(new[b])) for b in alignment.added]
    found += [_alone("removed", old[a], None, read_old(old[a])) for a in alignment.removed]
    return tuple(sorted(found, key=places.order)), len(alignment.pairs) - len(kinds)


def _led(alignment: Alignment, places: _Places, kinds: dict[int, ChangeKind]) -> dict[int, int]:
    """Of what only went along with a provision above it, that provision, if it is told of itself."""
    found = {}
    for a, b in alignment.pairs:
        if kinds.get(b) in ("moved", "renumbered"):
            leader = places.leader(a, b)
            if leader != b and leader in kinds:
                found[b] = leader
    return {b: leader for b, leader in found.items() if leader not in found}


def _of_pair(kind: ChangeKind, old: Provision, new: Provision, read_old: Readings, read_new: Readings) -> Difference:
    if kind in ("moved", "renumbered"):
        moved = duties_in(read_new(new))
        duties: dict[DutyClass, int] = {"moved": moved} if moved else {}
        return Difference(kind, old, new, "same" if moved else "none", duties=duties)
    return _amended(kind, old, new, read_old(old), read_new(new))


def _amended(
    kind: ChangeKind, old: Provision, new: Provision, ours: Sequence[Extraction], theirs: Sequence[Extraction]
) -> Difference:
    marks = changed_marks(old.text, new.text)
    fields = (*marks, *compare_duties(ours, theirs)) if kind == "amended" else marks
    asked = bool(marks) or states_duty(ours) or states_duty(theirs)
    duty: DutyVerdict = "changed" if fields and asked else "same" if asked else "none"
    weight = weight_of(fields) if duty == "changed" else 0.0
    words, duties = changed_words(old, new), classes_of(ours, theirs) if duty == "changed" else {}
    if marks and not duties:
        duties = {direction_of_marks(marks): 1}
    return Difference(kind, old, new, duty, words, fields if duty == "changed" else (), (), weight, duties)


def _alone(kind: ChangeKind, old: Provision | None, new: Provision | None, read: Sequence[Extraction]) -> Difference:
    """What was added or removed: its duties came or went with it."""
    asked = states_duty(read)
    sides: tuple[Sequence[Extraction], Sequence[Extraction]] = (read, ()) if new is None else ((), read)
    fields, duties = (compare_duties(*sides), classes_of(*sides)) if asked else ((), {})
    weight = WEIGHTS["duty"] if asked else 0.0
    return Difference(kind, old, new, "changed" if asked else "none", (), fields, (), weight, duties)


class _Places:
    """Where provisions of both versions stand, as far as they are the same."""

    def __init__(self, old: Sequence[Provision], new: Sequence[Provision], alignment: Alignment) -> None:
        self._old, self._new = old, new
        self._by_old = dict(alignment.pairs)
        self._by_new = {b: a for a, b in alignment.pairs}

    def kind_of(self, a: int, b: int) -> ChangeKind | None:
        """What happened to a provision that is in both versions; None for nothing."""
        old, new = self._old[a], self._new[b]
        if old.wording != new.wording:
            return "wording" if differ_in_wording_only(old, new) else "amended"
        together = self._stand_together(a, b)
        if old.place == new.place and (together or old.place):
            return None
        if not old.place and not new.place and self._above_is_gone(a, b):
            return None
        return "renumbered" if together else "moved"

    def leader(self, a: int, b: int) -> int:
        """The provision of the new version that one moved or was renumbered with: the highest that did, itself if it is alone."""
        at = b
        while True:
            above = self._new[at].parent
            old_above = self._old[self._by_new[at]].parent
            if above == NO_PARENT or self._by_new.get(above) != old_above or old_above == NO_PARENT:
                return at
            if self._own(at) or self._old[old_above].place == self._new[above].place:
                return at
            at = above

    def order(self, difference: Difference) -> tuple[float, int]:
        """Where a difference is told: in the order of the new version; what was removed behind what stood before it."""
        if difference.new is not None:
            return difference.new.index, 0
        at = difference.old.index if difference.old is not None else 0
        while at >= 0 and at not in self._by_old:
            at -= 1
        return (self._by_old[at] + 0.5 if at >= 0 else -0.5), difference.old.index if difference.old is not None else 0

    def _own(self, b: int) -> bool:
        """Whether its own marker is another one, so that it was renumbered itself."""
        return self._old[self._by_new[b]].marker != self._new[b].marker

    def _stand_together(self, a: int, b: int) -> bool:
        above, over = self._old[a].parent, self._new[b].parent
        return self._by_old.get(above) == over if above != NO_PARENT and over != NO_PARENT else above == over

    def _above_is_gone(self, a: int, b: int) -> bool:
        """Whether what an unnumbered text stood under is in no pair, so that nothing says that the text moved."""
        return self._old[a].parent not in self._by_old or self._new[b].parent not in self._by_new
