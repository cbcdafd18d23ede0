"""The vectors of a generation's units, by the configured model: from the store where it has them, else embedded and stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple, TypeGuard

import numpy as np

from coditect.errors import Corrupt, ModelError, Unwritable
from coditect.models.port import Embedder, FloatArray, ModelCard, ReadingEmbedder
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, UNITS, DocumentUnits, IndexName, Unit, upper_units
from coditect.schemas import Derivation
from coditect.store.embedded.tokens import TokenBlock, TokenVectorStore, coded
from coditect.store.embedded.vectors import VectorBlock, VectorStore, finish_vectors
from coditect.store.store import Store
from coditect.store.view import View
from coditect.store.work import registered

__all__ = ["READ", "UPPER", "Embedded", "UnitVectors", "gives_tokens", "keep_vectors", "prepared_vectors"]

UPPER: tuple[IndexName, ...] = ("section", "corpus")
"""Granularities whose units stand above documents."""

AT_ONCE = 32
"""Documents whose blocks are read together."""

SECTIONS_AT_ONCE = 8
"""Sections whose blocks are told to the log together: what a killed run has to make again, at most."""

READ: IndexName = "passage"
"""The granularity whose units' tokens are kept; nobody has measured others (ADR 0089)."""

Blocks = list[tuple[IndexName, list[VectorBlock]]]
"""The vectors of a document's units at each of its granularities."""


class Embedded(NamedTuple):
    """What is known of a document's units.

    Attributes:
        units: its parts, read when they are looked at.
        blocks: their vectors.
        tokens: the tokens of its passages, one block for each of their vectors; none where they are not kept.
    """

    units: DocumentUnits
    blocks: Blocks
    tokens: list[TokenBlock]


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

    def put_tokens(self, tokens: TokenVectorStore, source: Derivation, block: TokenBlock) -> None:
        """The tokens of some outputs of a derivation, of which vectors were put or lie there; they count from :meth:`flush` on."""
        store = self.opened
        if store is not None:
            self._done.append(tokens.through(store).prepare(source, block))

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
        reads: passages' tokens are kept, too, if the model gives their vectors.

    Attributes:
        reader: the model, where tokens are kept; else None.
    """

    def __init__(self, store: Store, level: int, embedder: Embedder, *, reads: bool = False) -> None:
        self.store = store
        self.level = level
        self.embedder = embedder
        self.reader = embedder if reads and gives_tokens(embedder) else None

    def of_documents(self, view: View, document_ids: Sequence[str]) -> Iterator[Embedded]:
        """Read or make the vectors of documents, in the order given.

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
                tokens: dict[str, TokenBlock] = {}
                if self.reader is not None:
                    tokens = self.stored_tokens(view).get([e for d in batch for e in _sources(view, d, READ)])
                for document in batch:
                    units = DocumentUnits(view, document, self.level)
                    blocks: Blocks = []
                    for name, vectors in stores.items():
                        ids = _sources(view, document, name)
                        there = known[name]
                        if self.reader is not None and name == READ:
                            unread = [each for each in ids if each not in tokens or each not in there]
                            wanted = list(units.of(name, to_embed=True)) if unread else []
                            self._read(view, self.reader, unread, wanted, there, tokens, writing)
                        missing = [each for each in ids if each not in there]
                        if missing:
                            wanted = list(units.of(name, to_embed=True))
                            there.update(self._embedded(vectors, missing, wanted, writing))
                        blocks.append((name, [there[each] for each in ids]))
                    writing.flush()  # a killed run has lost one document's at most
                    yield Embedded(units, blocks, [tokens[each] for each in _sources(view, document, READ) if tokens])

    def _read(
        self,
        view: View,
        reader: ReadingEmbedder,
        ids: Sequence[str],
        units: Sequence[Unit],
        vectors: dict[str, VectorBlock],
        tokens: dict[str, TokenBlock],
        writing: _Writing,
    ) -> None:
        """Make the vectors and tokens of derivations' outputs in one pass, and put those of them that are not there."""
        sources = self._sources_of(view.corpus_id, ids)
        for each in ids:
            rows, block = self._tokens_of(reader, sources[each], units)
            if each not in vectors:
                vectors[each] = writing.put(self.stored(view, READ), sources[each], block.item_ids, rows)
            if each not in tokens:
                writing.put_tokens(self.stored_tokens(view), sources[each], block)
                tokens[each] = block

    def beside(self, view: View, every: Iterable[DocumentUnits]) -> Iterator[DocumentUnits]:
        """Documents as they come, with the vectors of their units made and stored on the way, as far as there are none.

        Who indexes words reads every unit, and reading is half of the work. Where the store cannot be written, or the model fails,
        documents come as they are: whoever asks for vectors makes them, or is told.

        Args:
            view: the generation.
            every: documents in it.
        """
        with self._registered(view.corpus_id) as writing:
            may_embed = True
            for units in every:
                document = units.version.document_id
                for name in DOCUMENT_GRANULARITIES if may_embed else ():
                    try:
                        self._made(view, name, _sources(view, document, name), units, writing)
                    except ModelError:
                        may_embed = False
                writing.flush()
                yield units

    def _made(self, view: View, name: IndexName, ids: Sequence[str], units: DocumentUnits, writing: _Writing) -> None:
        """Make what a granularity of a document lacks, and put it where the store can be written."""
        vectors = self.stored(view, name)
        missing = vectors.without(ids)
        reader = self.reader if name == READ else None
        if reader is not None:
            unread = self.stored_tokens(view).without(ids)
            missing = [each for each in ids if each in {*missing, *unread}]
        if not missing or writing.opened is None:
            return
        if reader is None:
            self._embedded(vectors, missing, units.keep(name), writing)
        else:
            tokens = self.stored_tokens(view).get(missing)
            self._read(view, reader, missing, units.keep(name), vectors.get(missing), tokens, writing)

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

    @property
    def tokens_recipe(self) -> str:
        """The same of passages' tokens; "" where they are not kept."""
        return "" if self.reader is None else f"{self.recipe(READ)}-tokens-{self.reader.reading}"

    def stored_tokens(self, view: View) -> TokenVectorStore:
        """Where the tokens of passages are kept."""
        return TokenVectorStore(self.store, view.corpus_id, self.embedder.card, self.tokens_recipe)

    def tokens_again(self, view: View, document_id: str) -> dict[str, TokenBlock]:
        """The tokens of a document's passages as the model gives them now; none where they are not kept. See :meth:`again`."""
        reader = self.reader
        if reader is None:
            return {}
        units = list(DocumentUnits(view, document_id, self.level).of(READ, to_embed=True))
        sources = self.store.derivations(view.corpus_id, _sources(view, document_id, READ))
        return {each: self._tokens_of(reader, source, units)[1] for each, source in sources.items()}

    def _embedded(
        self, vectors: VectorStore, ids: Sequence[str], units: Sequence[Unit], writing: _Writing
    ) -> Mapping[str, VectorBlock]:
        """The vectors of derivations' outputs, made now and stored where the store can be written, by derivation id."""
        if not ids:
            return {}
        made = {}
        for each, source in self._sources_of(vectors.corpus_id, ids).items():
            item_ids, rows = self._vectors_of(source, units)
            made[each] = writing.put(vectors, source, item_ids, rows)
        return made

    def _sources_of(self, corpus_id: str, ids: Sequence[str]) -> dict[str, Derivation]:
        """Derivations by id, in the order given."""
        found = self.store.derivations(corpus_id, ids) if ids else {}
        if missing := [each for each in ids if each not in found]:
            raise Corrupt("a derivation that the manifest reaches is missing", derivation_id=missing[0])
        return {each: found[each] for each in ids}

    def _vectors_of(self, source: Derivation, units: Sequence[Unit]) -> tuple[tuple[str, ...], FloatArray]:
        """(items, rows) of those outputs of a derivation that are among units, in the order that they have there."""
        ordered = _ordered(source, units)
        return tuple(unit.item_id for unit in ordered), self.embedder.embed([unit.embedded for unit in ordered])

    @staticmethod
    def _tokens_of(reader: ReadingEmbedder, source: Derivation, units: Sequence[Unit]) -> tuple[FloatArray, TokenBlock]:
        """The same with the tokens of each: (rows, tokens)."""
        ordered = _ordered(source, units)
        rows, read = reader.read([unit.embedded for unit in ordered])
        return rows, TokenBlock(tuple(unit.item_id for unit in ordered), tuple(map(coded, read)))


def keep_vectors(
    store: Store,
    corpus_id: str,
    card: ModelCard,
    level: int,
    made: Sequence[tuple[Mapping[IndexName, Derivation], Mapping[IndexName, bytes]]],
) -> None:
    """Store vectors that were made beside documents (:mod:`coditect.retrieve.prepared`), and finish them.

    Args:
        store: of a build, which is registered.
        corpus_id: the corpus.
        card: of the model that made them.
        level: the level of passages that is searched.
        made: of each document, the derivations whose outputs they are of, and their blocks, by granularity.
    """
    finish_vectors(store, corpus_id, prepared_vectors(store, corpus_id, card, level, made))


def prepared_vectors(
    store: Store,
    corpus_id: str,
    card: ModelCard,
    level: int,
    made: Sequence[tuple[Mapping[IndexName, Derivation], Mapping[IndexName, bytes]]],
) -> list[Derivation]:
    """Store the bytes of such vectors, and give the records that name them, which count when they are finished."""
    done: list[Derivation] = []
    for name in DOCUMENT_GRANULARITIES:
        blocks = [(sources[name], own[name]) for sources, own in made if name in own]
        vectors = VectorStore(store, corpus_id, card, UnitVectors.recipe_for(name, level))
        done += vectors.prepare_packed(blocks)
    return done


def gives_tokens(embedder: Embedder) -> TypeGuard[ReadingEmbedder]:
    """Whether a model gives the vectors of tokens, too."""
    return bool(getattr(embedder, "reading", ""))


def _ordered(source: Derivation, units: Sequence[Unit]) -> list[Unit]:
    """Those of some units that are outputs of a derivation, in the order that they have there."""
    place = {item_id: position for position, item_id in enumerate(source.outputs)}
    own = {unit.item_id: unit for unit in units if unit.derivation_id == source.derivation_id and unit.item_id in place}
    return sorted(own.values(), key=lambda unit: place[unit.item_id])


def _sources(view: View, document_id: str, name: IndexName) -> tuple[str, ...]:
    """The derivations whose outputs are a document's units."""
    entry = view.entries[document_id]
    return {"extraction": entry.extractions, "chunk": entry.chunks, "passage": entry.passages}[name]
