"""The vector replica: what a generation's units mean, by the configured model, from the store or embedded now."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from coditect.errors import Corrupt
from coditect.models.port import Embedder, FloatArray, Matrix
from coditect.retrieve.local.dense import DENSE, DenseIndex
from coditect.retrieve.replica import Replicas, readable
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, UNITS, DocumentUnits, IndexName, Unit, upper_units
from coditect.store.vectors import VectorBlock, VectorStore
from coditect.store.view import View

__all__ = ["Vectors"]

AT_ONCE = 32
"""Documents whose blocks are read together."""

Progress = Callable[[str, int, int], None]


class Vectors:
    """The vector replicas of one tenant.

    Args:
        replicas: their folders.
        embedder: the configured model.
        matrix: see :class:`~coditect.retrieve.local.dense.DenseIndex`.
    """

    def __init__(
        self, replicas: Replicas, embedder: Embedder, matrix: Callable[[FloatArray], Matrix] | None = None
    ) -> None:
        self.replicas = replicas
        self.embedder = embedder
        self._matrix = matrix
        self._open: dict[tuple[str, IndexName], DenseIndex] = {}

    def index(self, view: View, name: IndexName, progress: Progress | None = None) -> DenseIndex:
        """The vectors of a generation at a granularity; what is not there is embedded and stored first.

        Raises:
            Unavailable: the replica can be neither made nor read.
            ModelError: the model failed.
        """
        key = (view.manifest.build_id, name)
        if key not in self._open:
            kind = f"{self._recipe('all')}-{DENSE}-{self.embedder.card.model_id}".replace("/", "-")
            with readable(self.replicas.folder):
                folder = self.replicas.ready(view, kind, lambda view, work: self._make(view, work, progress))
                self._open = {k: index for k, index in self._open.items() if k[0] == view.manifest.build_id}
                self._open[key] = DenseIndex(folder / name, self._matrix)
        return self._open[key]

    def _recipe(self, name: str) -> str:
        return f"{UNITS}-{name}-{self.replicas.level}" if name in ("passage", "all") else f"{UNITS}-{name}"

    def _store(self, view: View, name: IndexName) -> VectorStore:
        return VectorStore(self.replicas.store, view.corpus_id, self.embedder.card, self._recipe(name))

    def _make(self, view: View, work: Path, progress: Progress | None) -> None:
        dimension = self.embedder.card.dimension
        with ExitStack() as open_writers:
            writers = {
                name: open_writers.enter_context(DenseIndex.writer(work / name, dimension))
                for name in DOCUMENT_GRANULARITIES
            }
            for done, (document_id, blocks) in enumerate(self._of_documents(view), 1):
                for name, block in blocks:
                    writers[name].add(document_id, block)
                if progress is not None:
                    progress("embedding documents", done, len(view.entries))
        for name in ("section", "corpus"):
            DenseIndex.make(work / name, self._of_upper(view, name), dimension)

    def _of_documents(self, view: View) -> Iterator[tuple[str, list[tuple[IndexName, VectorBlock]]]]:
        """(document id, blocks by granularity) of each document; each is read once, and only where something is missing."""
        stores = {name: self._store(view, name) for name in DOCUMENT_GRANULARITIES}
        documents = list(view.entries)
        for begin in range(0, len(documents), AT_ONCE):
            batch = documents[begin : begin + AT_ONCE]
            known = {
                name: vectors.get([each for document in batch for each in _sources(view, document, name)])
                for name, vectors in stores.items()
            }
            for document in batch:
                units = DocumentUnits(view, document, self.replicas.level)
                blocks: list[tuple[IndexName, VectorBlock]] = []
                for name, vectors in stores.items():
                    ids = _sources(view, document, name)
                    there = known[name]
                    missing = [each for each in ids if each not in there]
                    if missing:
                        there.update(self._embed(vectors, missing, list(units.of(name, to_embed=True))))
                    blocks += ((name, there[each]) for each in ids)
                yield document, blocks

    def _of_upper(self, view: View, name: IndexName) -> Iterator[tuple[str, VectorBlock]]:
        vectors = self._store(view, name)
        units = list(upper_units(view, name))
        if name == "corpus":  # few, and their derivation's output is the summary: they are embedded for each replica
            rows = self.embedder.embed([unit.embedded for unit in units])
            yield "", VectorBlock(tuple(unit.item_id for unit in units), rows)
            return
        ids = list(dict.fromkeys(unit.derivation_id for unit in units))
        known = vectors.get(ids)
        known.update(self._embed(vectors, [each for each in ids if each not in known], units))
        yield from (("", known[each]) for each in ids)

    def _embed(self, vectors: VectorStore, ids: Sequence[str], units: Sequence[Unit]) -> dict[str, VectorBlock]:
        if not ids:
            return {}
        derivations = vectors.store.derivations(vectors.corpus_id, ids)
        made = {}
        for each in ids:
            source = derivations.get(each)
            if source is None:
                raise Corrupt("a derivation that the manifest reaches is missing", derivation_id=each)
            place = {item_id: position for position, item_id in enumerate(source.outputs)}
            own = {unit.item_id: unit for unit in units if unit.derivation_id == each and unit.item_id in place}
            ordered = sorted(own.values(), key=lambda unit: place[unit.item_id])
            rows = self.embedder.embed([unit.embedded for unit in ordered])
            made[each] = vectors.put(source, [unit.item_id for unit in ordered], rows)
        return made


def _sources(view: View, document_id: str, name: IndexName) -> tuple[str, ...]:
    """The derivations whose outputs are a document's units."""
    entry = view.entries[document_id]
    return {"extraction": entry.extractions, "chunk": entry.chunks, "passage": entry.passages}[name]
