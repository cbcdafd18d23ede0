"""Material: what the upper tiers of a draft read of its documents, each document's share made once and kept."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Chunk
from coditect.store.shares import ShareStore, Source
from coditect.store.view import View
from coditect.tiers.findings.conflicts.detection import CONFLICTS_VERSION
from coditect.tiers.findings.conflicts.entries import Entry, merged, weights
from coditect.tiers.findings.missing import find_missing
from coditect.tiers.findings.open_points import Gap
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.statements import Statement, statements_of
from coditect.tiers.sections.topics import TOPICS_VERSION
from coditect.tiers.sections.wording import DocumentWords
from coditect.tiers.shares.packing import FORMAT, packed, unpacked
from coditect.tiers.shares.share import Share, share_of

__all__ = ["KEPT_FROM", "SHARES_VERSION", "Material", "uncollected"]

SHARES_VERSION = f"{FORMAT} {CONFLICTS_VERSION} {TOPICS_VERSION}"
"""Of the code that makes shares: raised with the rules that read entries, and with the format."""

KEPT_FROM = 40
"""Documents of a corpus from which on shares are kept; to read a smaller one anew costs less than its rows."""

AT_ONCE = 32
"""Shares that are read, or wait to be written, together."""


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
        self._kept = ShareStore(view.store, view.corpus_id, SHARES_VERSION) if len(view.entries) >= KEPT_FROM else None
        self._by_document: dict[str, list[Chunk]] = {each: [] for each in view.entries}
        for chunk in self.chunks:
            self._by_document[chunk.document_id].append(chunk)
        self._statements = {each: statements_of(own) for each, own in self._by_document.items()}

    @cached_property
    def index(self) -> LiveIndex:
        """The draft through its indexes."""
        return LiveIndex(self.view, [each for share in self._shares for each in share.references])

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
        return self._read_shares()

    @cached_property
    def entries(self) -> list[Entry]:
        """What all statements fix and ask."""
        return merged([share.entries for share in self._shares])

    @cached_property
    def weights(self) -> dict[str, float]:
        """How much a word that two entries share says, in this corpus."""
        return weights(self.entries)

    def _read_shares(self) -> list[Share]:
        """The share of every document, in the order of the documents; what is not kept yet is made, and kept."""
        documents = list(self.view.entries)
        shares: list[Share] = []
        for begin in range(0, len(documents), AT_ONCE):
            sources = {each: self._source(each) for each in documents[begin : begin + AT_ONCE]}
            known = {} if self._kept is None else self._kept.get(list(sources.values()))
            made: dict[Source, bytes] = {}
            for each, source in sources.items():
                statements = self._statements[each]
                if source in known:
                    shares.append(unpacked(known[source], each, statements))
                    continue
                shares.append(self._made(each, statements))
                if self._kept is not None:
                    made[source] = packed(shares[-1], statements)
            if self._kept is not None and made:
                self._kept.put(made)
        return shares

    def _source(self, document_id: str) -> Source:
        entry = self.view.entries[document_id]
        return (*entry.extractions, *entry.chunks)

    def _made(self, document_id: str, statements: Sequence[Statement]) -> Share:
        return share_of(
            self._by_document[document_id], statements, self.view.each_extraction_of(document_id, "cross_reference")
        )
