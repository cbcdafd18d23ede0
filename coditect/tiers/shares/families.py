"""Families: documents that bind the same people, and the conflicts that they are in with each other.

Conflicts are between documents of one family. Those of a family are a function of its shares, of what is known of its documents,
and of what a few words weigh and how many entries have them in the whole corpus. Where none of that comes out otherwise than it
did, they are what they were: they are ranked by what was kept of them, and only those that are told are looked for again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from coditect.tiers.findings.conflicts.detection import best, found_among, with_subject
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.likeness.circles import families_among
from coditect.tiers.findings.conflicts.likeness.watched import Watched
from coditect.tiers.findings.conflicts.opposed.clusters import Closest
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.conflicts.strictness import Relation
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.findings.standing import Standings
from coditect.tiers.shares.codes import Codes
from coditect.tiers.shares.held import HeldEntries
from coditect.tiers.shares.kept import KeptShare
from coditect.tiers.shares.measures import Measures, measures_of, moved
from coditect.tiers.shares.sums import Sums

__all__ = ["KeptConflict", "KeptFamily", "conflicts_between"]

MOST_TOGETHER = 12
"""Documents of a family of which anything is kept: of a larger one nearly every change of the corpus changes something."""


@dataclass(frozen=True, slots=True)
class KeptConflict:
    """A conflict as far as it says whether it is told; see :class:`~coditect.tiers.findings.conflicts.detection.Ranked`.

    Attributes:
        family: the number of its family.
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
    """What is kept of the conflicts of a family.

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


Reading = Callable[[Sequence[tuple[int, int]]], Sequence[Statement]]
"""Gives statements by the number of their document and their own."""


def conflicts_between(
    shares: Sequence[KeptShare],
    standings: Standings,
    statements: Reading,
    sums: Sums,
    kept: Mapping[frozenset[str], KeptFamily],
    crossed: Codes,
) -> tuple[tuple[StatementConflict, ...], dict[frozenset[str], KeptFamily]]:
    """(the conflicts of a corpus that are told, what is to be kept of each family, by its documents).

    Args:
        shares: of all documents, in the order of the documents.
        standings: which documents bind the same people.
        statements: gives statements by the number of their document and their own.
        sums: what is counted of all entries.
        kept: of families whose documents are as they were, and are known as they were, by their documents.
        crossed: the codes of which more or fewer entries than tell something are found now, and were not when this was kept.
    """
    look = _Look(shares, standings, statements, sums)
    families = [frozenset(each) for each in families_among(standings, [each.document_id for each in shares])]
    fresh = _as_they_were([(each, kept[each]) for each in families if each in kept], crossed, sums)
    known: dict[frozenset[str], KeptFamily] = dict(fresh)
    seen = look.at([each for each in families if each not in known])
    known |= {each: own.family for each, own in seen.items()}
    ranked = [
        KeptConflict(at, number, *row)
        for at, each in enumerate(families)
        for number, row in enumerate(known[each].told)
    ]
    told = best(ranked)
    again = {families[each.family] for each in told} - seen.keys()
    seen |= look.at([each for each in families if each in again])
    conflicts = tuple(seen[families[each.family]].told(each.number) for each in told)
    return conflicts, {each: own for each, own in known.items() if len(each) <= MOST_TOGETHER}


def _as_they_were(
    kept: Sequence[tuple[frozenset[str], KeptFamily]], crossed: Codes, sums: Sums
) -> list[tuple[frozenset[str], KeptFamily]]:
    """Those of some families whose conflicts are certainly those that were found."""
    if len(crossed):
        kept = [(each, own) for each, own in kept if not np.isin(crossed, own.asked).any()]
    otherwise = moved([own.measures for _, own in kept], sums.weights).tolist()
    return [each for each, is_moved in zip(kept, otherwise, strict=True) if not is_moved]


@dataclass(frozen=True, slots=True)
class _Seen:
    """A family that was looked at.

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


@dataclass(frozen=True, slots=True)
class _Look:
    """Looks for the conflicts of families; attributes are the arguments of :func:`conflicts_between`."""

    shares: Sequence[KeptShare]
    standings: Standings
    statements: Reading
    sums: Sums

    def at(self, families: Sequence[frozenset[str]]) -> dict[frozenset[str], _Seen]:
        """The conflicts of some families."""
        if not families:
            return {}
        wanted = frozenset().union(*families)
        numbers = [number for number, share in enumerate(self.shares) if share.document_id in wanted]
        held = HeldEntries(
            [self.shares[number] for number in numbers],
            self.standings,
            lambda places: self.statements([(numbers[document], own) for document, own in places]),
            self.sums,
        )
        of = {each: family for family in families for each in family}
        entries: dict[frozenset[str], list[Entry]] = defaultdict(list)
        for entry in held.picked:
            entries[of[entry.statement.chunk.document_id]].append(entry)
        return {family: self._seen(held, family, entries[family]) for family in families}

    def _seen(self, held: HeldEntries, family: frozenset[str], entries: Sequence[Entry]) -> _Seen:
        weights, closest = Watched(self.sums.weights), Closest()
        conflicts = found_among(entries, weights, self.standings, self.sums, closest)
        found = tuple(
            KeptConflict(0, number, e.kind, e.head, e.subject, e.similarity, e.relation, e.places)
            for number, e in enumerate(conflicts)
        )
        is_kept = len(family) <= MOST_TOGETHER
        asked = [held.by_document[each] for each in family if each in held.by_document] if is_kept else []
        return _Seen(
            KeptFamily(
                found,
                np.unique(np.concatenate([np.zeros(0, dtype=np.uint64), *asked])),
                measures_of(weights.measured, held.apart(family)) if is_kept else measures_of((), ()),
            ),
            conflicts,
            closest,
        )
