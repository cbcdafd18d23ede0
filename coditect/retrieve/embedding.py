"""The vectors of a generation's units, by the configured model: from the store where it has them, else embedded and stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

import numpy as np

from coditect.errors import Corrupt, ModelError, Unwritable
from coditect.models.port import Embedder, FloatArray
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, UNITS, DocumentUnits, IndexName, Unit, upper_units
from coditect.schemas import Derivation
from coditect.store.store import Store
from coditect.store.vectors import VectorBlock, VectorStore, finish_vectors
from coditect.store.view import View
from coditect.store.work import registered

__all__ = ["UPPER", "UnitVectors"]

UPPER: tuple[IndexName, ...] = ("section", "corpus")
"""Granularities whose units stand above documents."""

AT_ONCE = 32
"""Documents whose blocks are read together."""

SECTIONS_AT_ONCE = 8
"""Sections whose blocks are told to the log together: what a killed run has to make again, at most."""

Blocks = list[tuple[IndexName, list[VectorBlock]]]
"""The vectors of a document's units at each of its granularities."""


class _Writing:
    """Writes what is embedded, where the store can be written: registered with the first block, told to the log by documents.

    Args:
        store: where to.
        corpus_id: the corpus.
        stack: ends the registration.
    """

    def __init__(self, store: Store, corpus_id: str, stack: ExitStack) -> None:
        self._store, self._corpus_id, self._stack = store, corpus_id, stack
        self._opened: list[Store | None] = []
        self._done: list[Derivation] = []

    @property
    def opened(self) -> Store | None:
        """The store, through registered work; None where it cannot be written."""
        if not self._opened:  # a sweep may know a killed run's block, so this is work
            try:
                self._opened.append(self._stack.enter_context(registered(self._store, self._corpus_id, "embedding")))
            except Unwritable:
                self._opened.append(None)
        return self._opened[0]

    def put(self, vectors: VectorStore, source: Derivation, item_ids: tuple[str, ...], rows: FloatArray) -> VectorBlock:
        """The vectors of some outputs of a derivation, as they are read; they count from :meth:`flush` on."""
        store = self.opened
        if store is None:  # as they would be read, so that answers are the same
            return _rounded(item_ids, rows)
        block, done = vectors.through(store).prepare(source, item_ids, rows)
        self._done.append(done)
        return block

    def flush(self) -> None:
        """Finish what was put."""
        done, self._done = self._done, []
        store = self._opened[0] if self._opened else None
        if store is not None:
            finish_vectors(store, self._corpus_id, done)


def _rounded(item_ids: tuple[str, ...], rows: FloatArray) -> VectorBlock:
    return VectorBlock(item_ids, rows.astype(np.float16).astype(np.float32))


class UnitVectors:
    """Gives the vectors that one model makes of units.

    Args:
        store: whose units they are, and where vectors are kept.
        level: the level of passages that is searched.
        embedder: the configured model.
    """

    def __init__(self, store: Store, level: int, embedder: Embedder) -> None:
        self.store = store
        self.level = level
        self.embedder = embedder

    def of_documents(self, view: View, document_ids: Sequence[str]) -> Iterator[tuple[DocumentUnits, Blocks]]:
        """Read or make the vectors of documents, as (units, vectors) pairs in the order given.

        The parts of a document are read when its units are looked at, each once, or where some of its vectors are missing.

        Args:
            view: the generation.
            document_ids: of documents in it.
        Raises:
            ModelError: the model failed.
        """
        stores = {name: self.stored(view, name) for name in DOCUMENT_GRANULARITIES}
        with self._registered(view.corpus_id) as writing:
            for begin in range(0, len(document_ids), AT_ONCE):
                batch = document_ids[begin : begin + AT_ONCE]
                known = {
                    name: vectors.get([each for document in batch for each in _sources(view, document, name)])
                    for name, vectors in stores.items()
                }
                for document in batch:
                    units = DocumentUnits(view, document, self.level)
                    blocks: Blocks = []
                    for name, vectors in stores.items():
                        ids = _sources(view, document, name)
                        there = known[name]
                        missing = [each for each in ids if each not in there]
                        if missing:
                            wanted = list(units.of(name, to_embed=True))
                            there.update(self._embedded(vectors, missing, wanted, writing))
                        blocks.append((name, [there[each] for each in ids]))
                    writing.flush()  # a killed run has lost one document's at most
                    yield units, blocks

    def beside(self, view: View, every: Iterable[DocumentUnits]) -> Iterator[DocumentUnits]:
        """Documents as they come, with the vectors of their units made and stored on the way, as far as there are none.

        Who indexes words reads every unit, and reading is half of the work. Where the store cannot be written, or the model fails,
        documents come as they are: whoever asks for vectors makes them, or is told.

        Args:
            view: the generation.
            every: documents in it.
        """
        stores = {name: self.stored(view, name) for name in DOCUMENT_GRANULARITIES}
        with self._registered(view.corpus_id) as writing:
            may_embed = True
            for units in every:
                document = units.version.document_id
                for name, vectors in stores.items() if may_embed else ():
                    missing = vectors.without(_sources(view, document, name))
                    if missing and writing.opened is not None:
                        try:
                            self._embedded(vectors, missing, units.keep(name), writing)
                        except ModelError:
                            may_embed = False
                writing.flush()
                yield units

    def of_upper(self, view: View, name: IndexName) -> list[VectorBlock]:
        """Read or make the vectors of sections, or of claims.

        Args:
            view: the generation.
            name: one of :data:`UPPER`.
        Raises:
            ModelError: the model failed.
        """
        vectors = self.stored(view, name)
        units = list(upper_units(view, name, to_embed=True))
        if name == "corpus":  # few, and their derivation's output is the summary: they are embedded for each replica
            rows = self.embedder.embed([unit.embedded for unit in units])
            return [VectorBlock(tuple(unit.item_id for unit in units), rows)]
        ids = list(dict.fromkeys(unit.derivation_id for unit in units))
        known: dict[str, VectorBlock] = dict(vectors.get(ids))
        with self._registered(view.corpus_id) as writing:
            missing = [each for each in ids if each not in known]
            for begin in range(0, len(missing), SECTIONS_AT_ONCE):
                known.update(self._embedded(vectors, missing[begin : begin + SECTIONS_AT_ONCE], units, writing))
                writing.flush()
        return [known[each] for each in ids]

    def again(self, view: View, name: IndexName, document_id: str = "") -> dict[str, VectorBlock]:
        """The vectors of a document's units, or of sections, as the model gives them now; none is read, and none is stored.

        Args:
            view: the generation.
            name: one of the granularities of documents, or "section".
            document_id: the document; empty for sections.
        Returns:
            blocks by the derivation whose outputs they are of, rounded as they would be read.
        Raises:
            ModelError: the model failed.
        """
        if document_id:
            ids, units = _sources(view, document_id, name), DocumentUnits(view, document_id, self.level)
            wanted = list(units.of(name, to_embed=True))
        else:
            wanted = list(upper_units(view, name, to_embed=True))
            ids = tuple(dict.fromkeys(unit.derivation_id for unit in wanted))
        sources = self.store.derivations(view.corpus_id, ids)
        made = {each: self._vectors_of(sources[each], wanted) for each in ids if each in sources}
        return {each: _rounded(*found) for each, found in made.items()}

    @contextmanager
    def _registered(self, corpus_id: str) -> Iterator[_Writing]:
        """What writes; what was put is finished at the end, also where the model fails."""
        with ExitStack() as stack:
            writing = _Writing(self.store, corpus_id, stack)
            try:
                yield writing
            finally:
                writing.flush()

    def recipe(self, name: str) -> str:
        """What vectors of a granularity, or "all" of them, are made from, with its version; part of the name that they have."""
        return self.recipe_for(name, self.level)

    @staticmethod
    def recipe_for(name: str, level: int) -> str:
        """The same, by the level of passages that is searched."""
        return f"{UNITS}-{name}-{level}" if name in ("passage", "all") else f"{UNITS}-{name}"

    def stored(self, view: View, name: IndexName) -> VectorStore:
        """Where the vectors of a granularity are kept."""
        return VectorStore(self.store, view.corpus_id, self.embedder.card, self.recipe(name))

    def _embedded(
        self, vectors: VectorStore, ids: Sequence[str], units: Sequence[Unit], writing: _Writing
    ) -> Mapping[str, VectorBlock]:
        """The vectors of derivations' outputs, made now and stored where the store can be written, by derivation id."""
        if not ids:
            return {}
        derivations = vectors.store.derivations(vectors.corpus_id, ids)
        made = {}
        for each in ids:
            source = derivations.get(each)
            if source is None:
                raise Corrupt("a derivation that the manifest reaches is missing", derivation_id=each)
            item_ids, rows = self._vectors_of(source, units)
            made[each] = writing.put(vectors, source, item_ids, rows)
        return made

    def _vectors_of(self, source: Derivation, units: Sequence[Unit]) -> tuple[tuple[str, ...], FloatArray]:
        """(items, rows) of those outputs of a derivation that are among units, in the order that they have there."""
        place = {item_id: position for position, item_id in enumerate(source.outputs)}
        own = {
            unit.item_id: unit for unit in units if unit.derivation_id == source.derivation_id and unit.item_id in place
        }
        ordered = sorted(own.values(), key=lambda unit: place[unit.item_id])
        return tuple(unit.item_id for unit in ordered), self.embedder.embed([unit.embedded for unit in ordered])


def _sources(view: View, document_id: str, name: IndexName) -> tuple[str, ...]:
    """The derivations whose outputs are a document's units."""
    entry = view.entries[document_id]
    return {"extraction": entry.extractions, "chunk": entry.chunks, "passage": entry.passages}[name]
