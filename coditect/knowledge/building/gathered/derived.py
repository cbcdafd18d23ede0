"""Keeps what is made of documents beside their tiers where they are derived: shares in the store, vectors, files of units."""

from __future__ import annotations

from collections.abc import Iterable

from coditect.knowledge.building.gathered.kept import SHARES_VERSION, ShareStore
from coditect.knowledge.derivation.beside import BesidePlan, MadeBeside, sources_of
from coditect.retrieve.embedding import keep_vectors
from coditect.retrieve.prepared import Prepared
from coditect.schemas import Derivation
from coditect.store.store import Store

__all__ = ["DerivedBeside"]


class DerivedBeside:
    """What one build makes of documents beside their tiers. See :class:`~coditect.knowledge.derivation.beside.KeptBeside`.

    Args:
        store: of the build, which is registered.
        corpus_id: the corpus.
        prepared: takes units, and says what the searcher wants.
        share: shares are made, too.
    """

    def __init__(self, store: Store, corpus_id: str, prepared: Prepared, *, share: bool) -> None:
        self._store = store
        self._corpus_id = corpus_id
        self._prepared = prepared
        self._shares = ShareStore(store, corpus_id, SHARES_VERSION)
        self.plan = BesidePlan(share, prepared.preparing, prepared.folder)

    def keep(self, made: Iterable[tuple[MadeBeside, tuple[Derivation, ...]]]) -> None:
        """See :class:`~coditect.knowledge.derivation.beside.KeptBeside`."""
        shares, vectors = {}, []
        for own, steps in made:
            sources = sources_of(steps)
            ids = tuple(each.derivation_id for each in sources.values())
            if own.share:
                shares[ids[:2]] = own.share
            if own.units is not None:
                self._prepared.add(ids, own.units)
            if own.vectors:
                vectors.append((sources, own.vectors))
        self._shares.put(shares)
        card = self._prepared.preparing.card() if vectors else None
        if card is not None:
            keep_vectors(self._store, self._corpus_id, card, self._prepared.preparing.level, vectors)
