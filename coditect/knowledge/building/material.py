"""Material: what the upper tiers of a draft read of its documents, each document's share made once and kept."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from coditect.knowledge.building.shares import shares_of
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Chunk
from coditect.store.view import View
from coditect.tiers.findings.absent import AbsentDocument
from coditect.tiers.findings.conflicts.entries import Entry, merged, weights
from coditect.tiers.findings.counts import absents
from coditect.tiers.findings.missing import find_missing
from coditect.tiers.findings.open_points import Gap
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.statements import statements_of
from coditect.tiers.sections.wording import DocumentWords
from coditect.tiers.shares.share import Share

__all__ = ["Material", "uncollected"]


@contextmanager
def uncollected() -> Iterator[None]:
    """Hold off the search for cyclic garbage: it looks at all that is held, over and over, while hundreds of thousands of records
    are read of which none is garbage. What is no longer referred to is freed as ever.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Material:
    """What the upper tiers of one draft read of its documents.

    Args:
        view: the draft, whose store is written through registered work.

    Attributes:
        chunks: Tier 2 of all documents, by document.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.chunks: list[Chunk] = list(view.all_chunks())
        self._by_document: dict[str, list[Chunk]] = {each: [] for each in view.entries}
        for chunk in self.chunks:
            self._by_document[chunk.document_id].append(chunk)
        self._statements = {each: statements_of(own) for each, own in self._by_document.items()}

    @cached_property
    def index(self) -> LiveIndex:
        """The draft through its indexes."""
        return LiveIndex(self.view, [each for share in self._shares for each in share.references])

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
        statements = [each for own in self._statements.values() for each in own]
        return find_missing(statements, self.view.documents, self.standings)

    @cached_property
    def words(self) -> list[DocumentWords]:
        """The words of each document in which topics are found."""
        return [share.words for share in self._shares]

    @cached_property
    def _shares(self) -> list[Share]:
        return shares_of(self.view, self._by_document, self._statements)

    @cached_property
    def entries(self) -> list[Entry]:
        """What all statements fix and ask."""
        return merged([share.entries for share in self._shares])

    @cached_property
    def weights(self) -> dict[str, float]:
        """How much a word that two entries share says, in this corpus."""
        return weights(self.entries)
