"""Material: what the upper tiers of a draft read of its documents, each document's share made once and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from coditect.knowledge.building.gathered.corpus import Gathered, KeptBuild
from coditect.knowledge.building.gathered.families import KeptFamilies, facts_of
from coditect.knowledge.building.shares import KEPT_FROM, shares_of
from coditect.knowledge.building.tier2 import KeptStatements, Tier2
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Chunk, document_order
from coditect.store.view import View
from coditect.tiers.findings.absent import AbsentDocument
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.counts import absents
from coditect.tiers.findings.missing import missing_in
from coditect.tiers.findings.open_points import Gap, newest_event
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.findings.standing import Standings
from coditect.tiers.shares.families import NOTHING_BEFORE, Before, conflicts_between
from coditect.tiers.shares.kept import Numbers
from coditect.tiers.shares.meeting.known import Together
from coditect.tiers.shares.meeting.pairs import KeptPairs
from coditect.tiers.shares.spoken import SpokenWords
from coditect.tiers.shares.sums import Change, Sums

__all__ = ["Material"]


class Material:
    """What the upper tiers of one draft read of its documents.

    Args:
        view: the draft, whose store is written through registered work.
        gathered: what was gathered at the last build; None where nothing is.

    Attributes:
        shares: of each document, in the order of the documents.
        tier2: the chunks of all documents, read when they are asked for.
    """

    def __init__(self, view: View, gathered: Gathered | None = None) -> None:
        self.view = view
        self._gathered = gathered if len(view.entries) >= KEPT_FROM else None
        self.shares = shares_of(view, self._gathered)
        self.tier2 = Tier2(view, self.shares)

    @cached_property
    def statements(self) -> KeptStatements:
        """The statements of all documents, of which those that tell nothing are only read if somebody asks for them."""
        return KeptStatements(self.tier2, self.standings)

    @cached_property
    def newest(self) -> tuple[str, tuple[str, int]] | None:
        """(ISO date, place) of the newest thing that the corpus reports done; None where it reports none."""
        return newest_event(self.statements.telling)

    @property
    def self_names(self) -> Sequence[frozenset[str]]:
        """The stems of what documents call themselves."""
        return self.statements.self_names

    @cached_property
    def index(self) -> LiveIndex:
        """The draft through its indexes."""
        return LiveIndex(self.view, [each for share in self.shares for each in share.references])

    @cached_property
    def absent(self) -> dict[str, AbsentDocument]:
        """The documents that are referred to and not there, by name, the most cited first."""
        return absents(self.index)

    @cached_property
    def standings(self) -> Standings:
        """Whom the documents bind, and what day it is."""
        return Standings(self.view.documents, self.view.profiles, self.view.manifest.settings.today or "")

    @cached_property
    def missing(self) -> dict[str, list[Gap]]:
        """What is cited, used or required and not there, by kind."""
        return missing_in(self.statements, self.view.documents, self.standings)

    @cached_property
    def words(self) -> SpokenWords:
        """The words of all documents in which topics are found."""
        if self._gathered is None:
            return SpokenWords(self.shares)
        return SpokenWords(self.shares, self._gathered.places, self._gathered.same(self.shares))

    @cached_property
    def _change(self) -> Change:
        if self._gathered is not None:
            return self._gathered.change(self.shares)
        return Change(Sums.of(self.shares), frozenset(), np.zeros(0, dtype=np.uint64))

    @property
    def sums(self) -> Sums:
        """What is counted of all entries."""
        return self._change.sums

    @cached_property
    def conflicts(self) -> tuple[StatementConflict, ...]:
        """What documents that bind the same people disagree on."""
        return self._between[0]

    @cached_property
    def _between(self) -> tuple[tuple[StatementConflict, ...], KeptFamilies, KeptPairs]:
        """(conflicts, what is kept of families, and of the pairs of large ones)."""
        change, gathered, before = self._change, self._gathered, NOTHING_BEFORE
        known: dict[Together, str] = {}
        if gathered is not None:
            families = gathered.families(self.shares, change)
            known = {each: facts_of(self.view, self.standings, each) for each in families}
            kept = {each: own for each, (facts, own) in families.items() if facts == known[each]}
            before = Before(kept, gathered.pairs, gathered.same(self.shares) - change.touched, change.crossed)
        reading = Tier2(self.view, self.shares).statements  # goes with what was read, which few ask for later
        found = conflicts_between(self.shares, self.standings, reading, change.sums, before)
        known |= {each: facts_of(self.view, self.standings, each) for each in found.known if each not in known}
        return found.told, {each: (known[each], own) for each, own in found.known.items()}, found.pairs

    def keep(self) -> None:
        """Keep what was counted for the next build, when sections are planned."""
        if self._gathered is not None:
            self._gathered.kept = KeptBuild(self.shares, self.sums, *self._between[1:], self.words.kept)

    @cached_property
    def ranks(self) -> Numbers:
        """At which place each document stands in the order that sections keep (:func:`~coditect.schemas.document_order`)."""
        ordered = sorted(range(len(self.shares)), key=lambda number: document_order(self.shares[number].document_id))
        return np.argsort(np.array(ordered, dtype=np.int64))

    def chunk(self, document_id: str, chunk_id: str) -> Chunk | None:
        """A chunk by its id; None where the document has none of it."""
        return self.tier2.find(document_id, chunk_id)

    def of_document(self, document_id: str) -> Sequence[Statement]:
        """The statements of a document, in document order."""
        return self.statements.of_document(document_id)

    def numbers(self, document_id: str) -> frozenset[str]:
        """The numbers of the sections of a document."""
        return self.statements.numbers(document_id)

    @property
    def weights(self) -> Mapping[str, float]:
        """How much a word that two entries share says, in this corpus."""
        return self.sums.weights
