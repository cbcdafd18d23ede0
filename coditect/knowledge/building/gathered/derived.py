"""Keeps what is made of documents beside their tiers where they are derived: shares in the store, vectors, files of units."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from coditect.knowledge.building.gathered.kept import SHARES_VERSION, ShareStore
from coditect.knowledge.derivation.beside import BesidePlan, MadeBeside, SentBeside, sources_of
from coditect.retrieve.embedding import keep_vectors, prepared_vectors
from coditect.retrieve.prepared import Prepared, Preparing
from coditect.schemas import Derivation
from coditect.store.embedded.vectors import finish_vectors
from coditect.store.store import Store

__all__ = ["DerivedBeside", "DerivedElsewhere"]


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
        self.elsewhere = DerivedElsewhere(corpus_id, prepared.preparing, share)

    def keep(self, made: Iterable[tuple[MadeBeside | SentBeside, tuple[Derivation, ...]]]) -> None:
        """See :class:`~coditect.knowledge.derivation.beside.KeptBeside`."""
        shares, vectors = {}, []
        elsewhere: dict[str, list[Derivation]] = defaultdict(list)
        for own, steps in made:
            sources = sources_of(steps)
            ids = tuple(each.derivation_id for each in sources.values())
            if isinstance(own, SentBeside):
                if own.units:
                    self._prepared.add_sent(ids, own.units)
                for block in own.vectors:
                    elsewhere[block.method].append(block)
                continue
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
        for blocks in elsewhere.values():
            finish_vectors(self._store, self._corpus_id, blocks)


@dataclass(frozen=True, slots=True)
class DerivedElsewhere:
    """The same on another machine. See :class:`~coditect.knowledge.derivation.beside.StoresBeside`.

    Records that name vectors are finished by the build, those of many documents with one act in the log.

    Attributes:
        corpus_id: the corpus.
        preparing: says what the searcher wants.
        share: shares are made, too.
    """

    corpus_id: str
    preparing: Preparing
    share: bool

    def plan(self, folder: Path) -> BesidePlan:
        """See :class:`~coditect.knowledge.derivation.beside.StoresBeside`."""
        return BesidePlan(self.share, self.preparing, folder)

    def store(self, store: Store, made: MadeBeside, steps: tuple[Derivation, ...]) -> SentBeside:
        """See :class:`~coditect.knowledge.derivation.beside.StoresBeside`."""
        sources = sources_of(steps)
        if made.share:
            source = (sources["extraction"].derivation_id, sources["chunk"].derivation_id)
            ShareStore(store, self.corpus_id, SHARES_VERSION).put({source: made.share})
        card = self.preparing.card() if made.vectors else None
        blocks: list[Derivation] = []
        if card is not None:
            own = [(sources, made.vectors)]
            blocks = prepared_vectors(store, self.corpus_id, card, self.preparing.level, own)
        return SentBeside(b"" if made.units is None else made.units.read_bytes(), tuple(blocks))
