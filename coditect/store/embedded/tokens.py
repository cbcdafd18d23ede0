"""Vectors of the tokens of units as the model read them in their sentences, in few bits: one block for the units of one derivation.

A block lies where blocks of vectors lie (:mod:`coditect.store.embedded.vectors`): a content-addressed blob that a
:class:`~coditect.schemas.Derivation` of the stage "vectors" names, with a recipe of its own and an act in the log.

A value is one of 16 steps around 0, each of .4 times what a value of a vector of unit length is on average (its root of the mean
square). So no scale is kept; what is read again is made of unit length.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from coditect.errors import Corrupt
from coditect.models.port import FloatArray, ModelCard, ReadTokens
from coditect.models.rows import unit_rows
from coditect.schemas import Derivation
from coditect.store.embedded.blocks import Blocks, outputs_at
from coditect.store.store import Store

__all__ = ["CODED", "CodedTokens", "TokenBlock", "TokenVectorStore", "coded", "decoded"]

CODED = "token-vectors/1"
"""Version of the block format: little-endian uint32 numbers of units, of tokens, and of bytes of a token's vector; then
positions of units and their numbers of tokens as uint32, tokens as uint16, and their vectors, two values a byte, the first in the
lower half."""

_HEADER = struct.Struct("<III")
_STEP = 0.4
_HALF = 8

Codes = npt.NDArray[np.uint8]
TokenIds = npt.NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class CodedTokens:
    """The tokens of a unit.

    Attributes:
        ids: shape (tokens,), not decreasing.
        codes: their vectors, shape (tokens, dimension / 2).
    """

    ids: TokenIds
    codes: Codes


@dataclass(frozen=True, slots=True)
class TokenBlock:
    """The tokens of some outputs of one derivation.

    Attributes:
        item_ids: the items.
        tokens: of each.
    """

    item_ids: tuple[str, ...]
    tokens: tuple[CodedTokens, ...]


def coded(read: ReadTokens) -> CodedTokens:
    """Vectors in four bits a value, by token, those of one in the order of the text: nothing asks for the order of others.

    Args:
        read: tokens below 65,536; vectors of unit length, of an even dimension.
    """
    step = _STEP / np.sqrt(max(read.vectors.shape[1], 1))
    order = np.argsort(read.ids, kind="stable")
    values = np.clip(np.floor(read.vectors[order] / np.float32(step)) + _HALF, 0, 2 * _HALF - 1).astype(np.uint8)
    return CodedTokens(read.ids[order].astype(np.uint16), values[:, ::2] | values[:, 1::2] << 4)


def decoded(codes: Codes) -> FloatArray:
    """The vectors that codes stand for, shape (tokens, dimension), float32, of unit length."""
    values = np.empty((len(codes), 2 * codes.shape[1]), np.float32)
    values[:, ::2] = codes & 15
    values[:, 1::2] = codes >> 4
    return unit_rows(values - np.float32(_HALF - 0.5))


class TokenVectorStore:
    """The token vectors of one corpus by one model.

    Args:
        store: the tenant's store.
        corpus_id: the corpus whose items are read.
        card: of the model.
        recipe: what text of an item was read, and by what its tokens' vectors were reduced; part of the derivations' identity.
    """

    def __init__(self, store: Store, corpus_id: str, card: ModelCard, recipe: str) -> None:
        self.store = store
        self.corpus_id = corpus_id
        self.card = card
        self.recipe = recipe
        self._blocks = Blocks(store, corpus_id, card.model_id, {"recipe": recipe}, CODED)

    def through(self, store: Store) -> TokenVectorStore:
        """The same blocks, read and written through another handle on the same store."""
        return TokenVectorStore(store, self.corpus_id, self.card, self.recipe)

    def id_for(self, source_id: str) -> str:
        """The id that the block of a derivation's outputs has."""
        return self._blocks.id_for(source_id)

    def without(self, source_ids: Sequence[str]) -> list[str]:
        """Those of some derivations of whose outputs no tokens are there, in their order."""
        return self._blocks.without(source_ids)

    def get(self, source_ids: Sequence[str]) -> dict[str, TokenBlock]:
        """The blocks that are there, by the derivation whose outputs they are of.

        Raises:
            Corrupt: a block is missing, changed, or does not fit its derivation.
        """
        found = {}
        for derivation, source, data in self._blocks.get(source_ids):
            positions, tokens = _parsed(data, derivation.derivation_id)
            found[derivation.inputs[0]] = TokenBlock(outputs_at(positions, source, derivation), tokens)
        return found

    def prepare(self, source: Derivation, block: TokenBlock) -> Derivation:
        """Store the bytes of a block; it counts when :func:`~coditect.store.embedded.vectors.finish_vectors` said so.

        Args:
            source: the derivation whose outputs it is of, in their order there.
            block: of one width.
        """
        place = {item_id: position for position, item_id in enumerate(source.outputs)}
        data = _packed([place[each] for each in block.item_ids], block.tokens)
        return self._blocks.prepare([(source, data)])[0]


def _packed(positions: Sequence[int], tokens: Sequence[CodedTokens]) -> bytes:
    counts = [len(each.ids) for each in tokens]
    width = max((each.codes.shape[1] for each in tokens), default=0)
    return b"".join(
        (
            _HEADER.pack(len(tokens), sum(counts), width),
            np.asarray(positions, "<u4").tobytes(),
            np.asarray(counts, "<u4").tobytes(),
            *(each.ids.astype("<u2").tobytes() for each in tokens),
            *(each.codes.tobytes() for each in tokens),
        )
    )


def _parsed(data: bytes, name: str) -> tuple[list[int], tuple[CodedTokens, ...]]:
    """(positions, tokens) of a block."""
    units, total, width = _HEADER.unpack(data[: _HEADER.size].ljust(_HEADER.size, b"\0"))
    if len(data) != _HEADER.size + 8 * units + total * (2 + width):
        raise Corrupt("a block of token vectors does not have its shape", derivation_id=name)
    positions = np.frombuffer(data, "<u4", units, _HEADER.size).astype(np.int64)
    after = np.cumsum(np.frombuffer(data, "<u4", units, _HEADER.size + 4 * units), dtype=np.int64)
    if (after[-1] if units else 0) != total or bool((np.diff(positions) <= 0).any()):
        raise Corrupt("a block of token vectors holds what is none", derivation_id=name)
    begin = _HEADER.size + 8 * units
    ids = np.frombuffer(data, "<u2", total, begin)
    codes = np.frombuffer(data, np.uint8, total * width, begin + 2 * total).reshape(total, width)
    parts = zip(np.split(ids, after[:-1]), np.split(codes, after[:-1]), strict=True) if units else ()
    return positions.tolist(), tuple(CodedTokens(*each) for each in parts)
