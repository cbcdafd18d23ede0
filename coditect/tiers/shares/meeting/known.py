"""What is known of the conflicts among documents, or among entries, that are looked at together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from coditect.tiers.findings.conflicts.detection import found_among, with_subject
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.likeness.watched import Watched
from coditect.tiers.findings.conflicts.opposed.clusters import Closest
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.conflicts.strictness import Relation
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.findings.standing import Standings
from coditect.tiers.shares.codes import Codes
from coditect.tiers.shares.measures import Apart, Measures, measures_of
from coditect.tiers.shares.sums import Sums

__all__ = ["WHOLE", "KeptConflict", "KeptFamily", "Reading", "Seen", "Together", "looked_at"]

Together = frozenset[tuple[str, int]]
"""What is looked at together: entries by document and number, or whole documents, with :data:`WHOLE` for the number."""

WHOLE = -1
"""Stands for all entries of a document."""

Reading = Callable[[Sequence[tuple[int, int]]], Sequence[Statement]]
"""Gives statements by the number of their document and their own."""


@dataclass(frozen=True, slots=True)
class KeptConflict:
    """A conflict as far as it says whether it is told; see :class:`~coditect.tiers.findings.conflicts.detection.Ranked`.

    Attributes:
        family: the number of what it was found in.
        number: its own there.
    """

    family: int
    number: int
    kind: str
    head: str
    subject: str
    similarity: float
    relation: Relation
    places: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class KeptFamily:
    """What is kept of the conflicts of what was looked at together.

    Attributes:
        found: its conflicts, in order.
        asked: the codes by which several of its entries are found, increasing.
        measures: what was measured.
    """

    found: tuple[KeptConflict, ...]
    asked: Codes
    measures: Measures

    @property
    def told(self) -> list[tuple[str, str, str, float, Relation, tuple[tuple[str, int], ...]]]:
        """What its conflicts say, in order."""
        return [(e.kind, e.head, e.subject, e.similarity, e.relation, e.places) for e in self.found]


@dataclass(frozen=True, slots=True)
class Seen:
    """What was looked at.

    Attributes:
        family: what is kept of it.
        conflicts: all that were found.
        closest: the closest two entries of these.
    """

    family: KeptFamily
    conflicts: list[StatementConflict]
    closest: Closest

    def told(self, number: int) -> StatementConflict:
        """One of its conflicts, with what it is about."""
        return with_subject(self.conflicts[number], self.closest)


def looked_at(entries: Sequence[Entry], standings: Standings, sums: Sums, asked: Codes, apart: Iterable[Apart]) -> Seen:
    """The conflicts among some entries.

    Args:
        entries: in the order in which all entries stand.
        standings: which documents bind the same people.
        sums: what is counted of the whole corpus.
        asked: the codes by which several of them are found, increasing.
        apart: entries that would be looked at if they had more in common.
    """
    weights, closest = Watched(sums.weights), Closest()
    conflicts = found_among(entries, weights, standings, sums, closest)
    found = tuple(
        KeptConflict(0, number, e.kind, e.head, e.subject, e.similarity, e.relation, e.places)
        for number, e in enumerate(conflicts)
    )
    return Seen(KeptFamily(found, asked, measures_of(weights.measured, apart)), conflicts, closest)
