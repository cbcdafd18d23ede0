"""Vectors in the key-value store: one block for the units of one derivation, by model.

The block is a content-addressed blob; a :class:`~coditect.schemas.Derivation` of the stage "vectors" names it and is written
last, with an act in the log, so its presence is the promise that the block is whole. A killed embedding goes on where it was,
another model's vectors lie beside these, and going back to a model costs nothing.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import JsonValue

from coditect.engine.port import Transaction
from coditect.errors import Corrupt, SchemaError
from coditect.models.port import FloatArray, ModelCard
from coditect.schemas import Derivation, LogAct, sha256_hex
from coditect.store.embedded.blocks import Blocks, outputs_at
from coditect.store.rows import record_rows
from coditect.store.store import Store
from coditect.transparency.events import append_act

__all__ = ["VECTORS", "VectorBlock", "VectorStore", "finish_vectors", "packed_block"]

VECTORS = "vectors/1"
"""Version of the block format: row count and dimension as little-endian uint32, positions as uint32, rows as float16."""

MOST_AT_ONCE = 256
"""Blocks in one act of the log: 190 bytes each."""

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
        self._blocks = Blocks(store, corpus_id, card.model_id, self.parameters, VECTORS)

    def through(self, store: Store) -> VectorStore:
        """The same vectors, read and written through another handle on the same store."""
        return VectorStore(store, self.corpus_id, self.card, str(self.parameters["recipe"]))

    def id_for(self, source_id: str) -> str:
        """The id that the vectors of a derivation's outputs have."""
        return self._blocks.id_for(source_id)

    def get(self, source_ids: Sequence[str]) -> dict[str, VectorBlock]:
        """The blocks that are there, by the derivation whose outputs they are of.

        Raises:
            Corrupt: a block is missing, changed, or does not fit its derivation.
        """
        found = {}
        for derivation, source, data in self._blocks.get(source_ids):
            positions, rows = _parsed(data, self.card.dimension, derivation.derivation_id)
            found[derivation.inputs[0]] = VectorBlock(outputs_at(positions.tolist(), source, derivation), rows)
        return found

    def without(self, source_ids: Sequence[str]) -> list[str]:
        """Those of some derivations of whose outputs no vectors are there, in their order."""
        return self._blocks.without(source_ids)

    def put(self, source: Derivation, item_ids: Sequence[str], rows: FloatArray) -> VectorBlock:
        """Store the vectors of some outputs of a derivation, and finish them. See :meth:`prepare`."""
        block, done = self.prepare(source, item_ids, rows)
        finish_vectors(self.store, self.corpus_id, [done])
        return block

    def prepare(self, source: Derivation, item_ids: Sequence[str], rows: FloatArray) -> tuple[VectorBlock, Derivation]:
        """Store the bytes of the vectors of some outputs of a derivation; they count when :func:`finish_vectors` said so.

        Args:
            source: the derivation.
            item_ids: outputs of it, in their order there.
            rows: shape (len(item_ids), dimension).
        Returns:
            them as they will be read, and the record that names them.
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
        data, halves = packed_block(source, item_ids, rows)
        return VectorBlock(tuple(item_ids), halves.astype(np.float32)), self._blocks.prepare([(source, data)])[0]

    def prepare_packed(self, blocks: Sequence[tuple[Derivation, bytes]]) -> list[Derivation]:
        """The same of blocks that :func:`packed_block` gave, of the model's dimension, written together.

        Args:
            blocks: (derivation, bytes) of each.
        """
        return self._blocks.prepare(blocks)


def packed_block(
    source: Derivation, item_ids: Sequence[str], rows: FloatArray
) -> tuple[bytes, np.ndarray[tuple[int, ...], np.dtype[np.float16]]]:
    """(bytes of a block, rows as they stand in it) of some outputs of a derivation.

    Args:
        source: the derivation.
        item_ids: outputs of it, in their order there.
        rows: shape (len(item_ids), dimension).
    """
    place = {item_id: position for position, item_id in enumerate(source.outputs)}
    positions = np.asarray([place[each] for each in item_ids], dtype="<u4")
    halves = np.ascontiguousarray(rows, dtype="<f2")
    return _HEADER.pack(*rows.shape) + positions.tobytes() + halves.tobytes(), halves


def finish_vectors(store: Store, corpus_id: str, blocks: Sequence[Derivation]) -> None:
    """Write the records that name blocks, and tell the log: nothing of a generation commits to vectors, so it has to.

    Args:
        store: through which they were prepared.
        corpus_id: the corpus.
        blocks: their records, by one model; :data:`MOST_AT_ONCE` of them, at most, go into one transaction with one act.
    """
    for begin in range(0, len(blocks), MOST_AT_ONCE):
        _finish(store, corpus_id, blocks[begin : begin + MOST_AT_ONCE])


def _finish(store: Store, corpus_id: str, blocks: Sequence[Derivation]) -> None:
    keys, salt = store.keys, store.acting.salts()
    rows = [record_rows(keys, "derivations", each)[0] for each in blocks]

    def body(transaction: Transaction) -> None:
        stored = transaction.get_many([key for key, _ in rows])
        fresh = [number for number, (_, value) in enumerate(rows) if stored[number] != value]
        if not fresh:  # also when this body runs again after it has committed
            return
        told: dict[str, JsonValue] = {}
        for number in fresh:
            transaction.set(*rows[number])
            each = blocks[number]
            told[each.derivation_id] = [sha256_hex(each.payload()), each.inputs[0]]
        details: dict[str, JsonValue] = {"model": blocks[0].method, "blocks": told}
        act = LogAct(kind="vectors", corpus_id=corpus_id, at="", details=details, salt=salt)
        append_act(transaction, keys, act, store.acting.by)

    store.update(body)


def _parsed(
    data: bytes, dimension: int, name: str
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.uint32]], FloatArray]:
    """(positions, rows) of a block."""
    count, width = _HEADER.unpack(data[: _HEADER.size].ljust(_HEADER.size, b"\0"))
    if width != dimension or len(data) != _HEADER.size + count * (4 + 2 * width):
        raise Corrupt("a block of vectors does not have its shape", derivation_id=name)
    positions = np.frombuffer(data, "<u4", count, _HEADER.size)
    rows = np.frombuffer(data, "<f2", count * width, _HEADER.size + 4 * count).reshape(count, width)
    if not bool(np.isfinite(rows).all()) or bool((np.diff(positions.astype(np.int64)) <= 0).any()):
        raise Corrupt("a block of vectors holds what is no vector", derivation_id=name)
    return positions, rows.astype(np.float32)
