"""Vectors in the key-value store: one block for the units of one derivation, by model.

The block is a content-addressed blob; a :class:`~coditect.schemas.Derivation` of the stage "vectors" names it and is written
last, with its event in the log, so its presence is the promise that the block is whole. A killed embedding goes on where it was,
another model's vectors lie beside these, and going back to a model costs nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coditect.engine.port import Transaction
from coditect.errors import Corrupt, SchemaError
from coditect.models.port import FloatArray, ModelCard
from coditect.schemas import Derivation, derivation_id_for
from coditect.store.blobs import put_blobs
from coditect.store.rows import record_rows
from coditect.store.store import Store
from coditect.transparency.events import append_event, event_of

__all__ = ["VECTORS", "VectorBlock", "VectorStore"]

VECTORS = "vectors/1"
"""Version of the block format: row count and dimension as little-endian uint32, positions as uint32, rows as float16."""

_HEADER = struct.Struct("<II")


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """Vectors of some outputs of one derivation.

    Attributes:
        item_ids: the item of each row.
        rows: shape (n, dimension), float32.
    """

    item_ids: tuple[str, ...]
    rows: FloatArray


class VectorStore:
    """The vectors of one corpus by one model.

    Args:
        store: the tenant's store.
        corpus_id: the corpus whose items are embedded.
        card: the card of the model that embeds them.
        recipe: what text of an item was embedded, with its version; part of the derivations' identity.
    """

    def __init__(self, store: Store, corpus_id: str, card: ModelCard, recipe: str) -> None:
        self.store = store
        self.corpus_id = corpus_id
        self.card = card
        self.parameters = {"dimension": card.dimension, "dtype": "float16", "recipe": recipe}

    def through(self, store: Store) -> VectorStore:
        """The same vectors, read and written through another handle on the same store."""
        return VectorStore(store, self.corpus_id, self.card, str(self.parameters["recipe"]))

    def id_for(self, source_id: str) -> str:
        """The id that the vectors of a derivation's outputs have."""
        return derivation_id_for(self.corpus_id, "vectors", (source_id,), self.card.model_id, self.parameters, VECTORS)

    def get(self, source_ids: Sequence[str]) -> dict[str, VectorBlock]:
        """The blocks that are there, by the derivation whose outputs they are of.

        Raises:
            Corrupt: a block is missing, changed, or does not fit its derivation.
        """
        wanted = {self.id_for(source): source for source in source_ids}
        finished = self.store.derivations(self.corpus_id, list(wanted))
        sources = self.store.derivations(self.corpus_id, [wanted[each] for each in finished])
        return {
            wanted[own_id]: self._open(derivation, sources.get(wanted[own_id]))
            for own_id, derivation in finished.items()
        }

    def _open(self, derivation: Derivation, source: Derivation | None) -> VectorBlock:
        digest, _, size = derivation.outputs[0].partition(":")
        data = self.store.get_blob(self.corpus_id, digest, int(size))
        positions, rows = _parsed(data, self.card.dimension, derivation.derivation_id)
        if source is None or (len(positions) and int(positions[-1]) >= len(source.outputs)):
            raise Corrupt("vectors do not fit what they were made of", derivation_id=derivation.derivation_id)
        return VectorBlock(tuple(source.outputs[each] for each in positions.tolist()), rows)

    def put(self, source: Derivation, item_ids: Sequence[str], rows: FloatArray) -> VectorBlock:
        """Store the vectors of some outputs of a derivation.

        Args:
            source: the derivation.
            item_ids: outputs of it, in their order there.
            rows: shape (len(item_ids), dimension).
        Returns:
            them as they will be read.
        Raises:
            SchemaError: another number of rows, or another dimension.
        """
        if rows.shape != (len(item_ids), self.card.dimension):
            raise SchemaError(
                "vectors do not have the shape that their model's card states",
                model=self.card.model_id,
                expected=(len(item_ids), self.card.dimension),
                found=rows.shape,
                hint="The model's folder was changed, or is not of this model; configure another embedder.",
            )
        place = {item_id: position for position, item_id in enumerate(source.outputs)}
        positions = np.asarray([place[each] for each in item_ids], dtype="<u4")
        halves = np.ascontiguousarray(rows, dtype="<f2")
        data = _HEADER.pack(len(item_ids), self.card.dimension) + positions.tobytes() + halves.tobytes()
        digest = self.store.put_blob(self.corpus_id, data)
        inputs, outputs = (source.derivation_id,), (f"{digest}:{len(data)}",)
        done = Derivation.create(
            self.corpus_id, "vectors", inputs, self.card.model_id, self.parameters, VECTORS, outputs
        )
        self._finish(done, source.derivation_id)
        return VectorBlock(tuple(item_ids), halves.astype(np.float32))

    def _finish(self, done: Derivation, source_id: str) -> None:
        """Write the record that names a block, and tell the log: nothing of a generation commits to vectors, so it has to."""
        keys = self.store.keys
        (key, value), blobs = record_rows(keys, "derivations", done)
        put_blobs(self.store.engine, keys, blobs)
        by = self.store.acting.by
        logged = event_of("vectors", self.corpus_id, done, subject=done.derivation_id, by=by, source=source_id)

        def body(transaction: Transaction) -> None:
            if transaction.get(key) != value:  # also when this body runs again after it has committed
                transaction.set(key, value)
                append_event(transaction, keys, logged)

        self.store.update(body)


def _parsed(
    data: bytes, dimension: int, name: str
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint32]], FloatArray]:
    """(positions, rows) of a block."""
    count, width = _HEADER.unpack_from(data) if len(data) >= _HEADER.size else (0, 0)
    if width != dimension or len(data) != _HEADER.size + count * (4 + 2 * width):
        raise Corrupt("a block of vectors does not have its shape", derivation_id=name)
    positions = np.frombuffer(data, "<u4", count, _HEADER.size)
    rows = np.frombuffer(data, "<f2", count * width, _HEADER.size + 4 * count).reshape(count, width)
    if not bool(np.isfinite(rows).all()) or bool((np.diff(positions.astype(np.int64)) <= 0).any()):
        raise Corrupt("a block of vectors holds what is no vector", derivation_id=name)
    return positions, rows.astype(np.float32)
