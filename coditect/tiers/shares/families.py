"""Families: documents that bind the same people, and the conflicts that they are in with each other.

Conflicts are between documents of one family. Those of a family are a function of its shares, of what is known of its documents,
and of what a few words weigh and how many entries have them in the whole corpus. Where none of that comes out otherwise than it
did, they are what they were: they are ranked by what was kept of them, and only those that are told are looked for again.

Of a family of many documents nearly every change of the corpus changes something. So its entries are looked at part by part
(:attr:`~coditect.tiers.shares.meeting.held.HeldEntries.parts`), and each part stands as a small family does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from coditect.tiers.findings.conflicts.detection import best
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.likeness.circles import families_among
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.standing import Standings
from coditect.tiers.shares.codes import Codes
from coditect.tiers.shares.kept import KeptShare, Numbers
from coditect.tiers.shares.measures import moved
from coditect.tiers.shares.meeting.held import HeldEntries
from coditect.tiers.shares.meeting.known import WHOLE, KeptConflict, KeptFamily, Reading, Seen, Together, looked_at
from coditect.tiers.shares.meeting.pairs import NO_PAIRS, KeptPairs
from coditect.tiers.shares.sums import Sums

__all__ = ["NOTHING_BEFORE", "Before", "Between", "conflicts_between"]

MOST_TOGETHER = 12
"""Documents of a family that are looked at as a whole; a larger one is looked at part by part."""


@dataclass(frozen=True, slots=True)
class Before:
    """What is known of a former build.

    Attributes:
        kept: of families and parts whose documents are as they were, and are known as they were.
        pairs: of entries of large families.
        same: the documents that say what they said, and of which the same entries count.
        crossed: the codes of which more or fewer entries than tell something are found now, and were not then.
    """

    kept: Mapping[Together, KeptFamily] = field(default_factory=dict)
    pairs: KeptPairs = NO_PAIRS
    same: frozenset[str] = frozenset()
    crossed: Codes = field(default_factory=lambda: np.zeros(0, dtype=np.uint64))


NOTHING_BEFORE = Before()


@dataclass(frozen=True, slots=True)
class Between:
    """What was found between documents.

    Attributes:
        told: the conflicts of a corpus that are told.
        known: what is to be kept of each family, and of each part of a large one.
        pairs: what is to be kept of the entries of large families.
    """

    told: tuple[StatementConflict, ...]
    known: Mapping[Together, KeptFamily]
    pairs: KeptPairs


def conflicts_between(
    shares: Sequence[KeptShare],
    standings: Standings,
    statements: Reading,
    sums: Sums,
    before: Before = NOTHING_BEFORE,
) -> Between:
    """The conflicts of a corpus that are told, and what is to be kept for the next build.

    Args:
        shares: of all documents, in the order of the documents.
        standings: which documents bind the same people.
        statements: gives statements by the number of their document and their own.
        sums: what is counted of all entries.
        before: what is known of a former build.
    """
    look = _Look(shares, standings, statements, sums, before)
    asked = [*look.families, *look.parts]
    known = dict(
        _as_they_were([(each, before.kept[each]) for each in asked if each in before.kept], before.crossed, sums)
    )
    seen = look.at([each for each in asked if each not in known])
    known |= {each: own.family for each, own in seen.items()}
    ranked = [
        KeptConflict(at, number, *row) for at, each in enumerate(asked) for number, row in enumerate(known[each].told)
    ]
    told = best(ranked)
    again = {asked[each.family] for each in told} - seen.keys()
    seen |= look.at([each for each in asked if each in again])
    return Between(tuple(seen[asked[each.family]].told(each.number) for each in told), known, look.pairs)


def _as_they_were(
    kept: Sequence[tuple[Together, KeptFamily]], crossed: Codes, sums: Sums
) -> list[tuple[Together, KeptFamily]]:
    """Those of some families and parts whose conflicts are certainly those that were found."""
    if len(crossed):
        kept = [(each, own) for each, own in kept if not np.isin(crossed, own.asked).any()]
    otherwise = moved([own.measures for _, own in kept], sums.weights).tolist()
    return [each for each, is_moved in zip(kept, otherwise, strict=True) if not is_moved]


@dataclass(frozen=True)
class _Look:
    """Looks for the conflicts of families; attributes are the arguments of :func:`conflicts_between`."""

    shares: Sequence[KeptShare]
    standings: Standings
    statements: Reading
    sums: Sums
    before: Before

    @cached_property
    def _every(self) -> list[list[str]]:
        return families_among(self.standings, [each.document_id for each in self.shares])

    @property
    def families(self) -> list[Together]:
        """The small families, as wholes."""
        return [frozenset((each, WHOLE) for each in own) for own in self._every if len(own) <= MOST_TOGETHER]

    @cached_property
    def _large(self) -> HeldEntries | None:
        """The entries of large families; None where there are none."""
        documents = {each for own in self._every if len(own) > MOST_TOGETHER for each in own}
        return self._held(documents, self.before, weighs_limits=True) if documents else None

    @property
    def pairs(self) -> KeptPairs:
        """What is to be kept of them."""
        return NO_PAIRS if self._large is None else self._large.kept_pairs

    @cached_property
    def parts(self) -> dict[Together, Numbers]:
        """The parts of large families, with the numbers of their entries."""
        held = self._large
        return {} if held is None else {held.places(part): part for part in held.parts}

    def at(self, wanted: Sequence[Together]) -> dict[Together, Seen]:
        """The conflicts of some families and parts."""
        wholes = [each for each in wanted if each not in self.parts]
        return {**self._at_wholes(wholes), **self._at_parts([each for each in wanted if each in self.parts])}

    def _at_parts(self, wanted: Sequence[Together]) -> dict[Together, Seen]:
        held = self._large
        if held is None or not wanted:
            return {}
        parts = [self.parts[each] for each in wanted]
        of = {number: at for at, part in enumerate(parts) for number in part.tolist()}
        entries: dict[int, list[Entry]] = defaultdict(list)
        for number, entry in held.made(np.concatenate(parts)):
            entries[of[number]].append(entry)
        return {
            each: looked_at(entries[at], self.standings, self.sums, asked, ())
            for at, (each, asked) in enumerate(zip(wanted, held.asked(parts), strict=True))
        }

    def _at_wholes(self, wanted: Sequence[Together]) -> dict[Together, Seen]:
        if not wanted:
            return {}
        of = {document: each for each in wanted for document, _ in each}
        held = self._held(of.keys())
        entries: dict[Together, list[Entry]] = defaultdict(list)
        for entry in held.picked:
            entries[of[entry.statement.chunk.document_id]].append(entry)
        return {each: self._seen(held, each, entries[each]) for each in wanted}

    def _held(
        self, documents: Iterable[str], before: Before = NOTHING_BEFORE, *, weighs_limits: bool = False
    ) -> HeldEntries:
        wanted = frozenset(documents)
        numbers = [number for number, share in enumerate(self.shares) if share.document_id in wanted]
        return HeldEntries(
            [self.shares[number] for number in numbers],
            self.standings,
            lambda places: self.statements([(numbers[document], own) for document, own in places]),
            self.sums,
            before.pairs,
            before.same,
            before.crossed,
            weighs_limits=weighs_limits,
        )

    def _seen(self, held: HeldEntries, family: Together, entries: Sequence[Entry]) -> Seen:
        documents = [each for each, _ in family]
        asked = [held.by_document[each] for each in documents if each in held.by_document]
        codes = np.unique(np.concatenate([np.zeros(0, dtype=np.uint64), *asked]))
        return looked_at(entries, self.standings, self.sums, codes, held.apart(documents))
