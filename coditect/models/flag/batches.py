"""Batches of tokenised texts, so made that a text's vector depends as little as can be on its neighbours.

Floating-point sums depend on the shapes that are multiplied: the same text padded to another length, or among more rows,
gives other last bits. So a text is computed alone and unpadded, which on a CPU is also the fastest way. Where a GPU needs many
rows, the shape of a batch depends on the text's own length only: lengths are rounded up to powers of two, and every batch of a
length has the same number of rows, the last one filled up. Texts that fill the length are never put beside shorter ones:
transformers gives the attention no mask where nothing is padded, and a GPU has another kernel for that. Then only a kernel
that treats rows of one matrix differently could still tell neighbours apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from coditect.models.port import IntArray

__all__ = ["GPU_BATCH_TOKENS", "Batch", "batches"]

GPU_BATCH_TOKENS = 16_384
"""Enough rows to fill a large GPU with short passages; BGE-M3 should take a few GB of memory for them."""

_SHORTEST = 32


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows that are computed together.

    Attributes:
        rows: which of the texts they are; rows of the arrays beyond these are filling.
        inputs: by the model's names ("input_ids", "attention_mask" ...), shape (rows, tokens).
    """

    rows: tuple[int, ...]
    inputs: Mapping[str, IntArray]


def batches(
    tokenised: Sequence[Mapping[str, Sequence[int]]], *, batch_tokens: int, longest: int, padding_id: int
) -> Iterator[Batch]:
    """Put tokenised texts into batches, longest first: if memory runs out, it does so at once.

    Args:
        tokenised: for each text its inputs by name, of equal lengths > 0.
        batch_tokens: tokens of a batch, padding included, at most, but at least one text; 0: each text alone and unpadded.
        longest: tokens of a text, at most; what lengths are rounded up to does not exceed it. 0 for no limit.
        padding_id: of the padding token.
    """
    lengths = [len(inputs["input_ids"]) for inputs in tokenised]
    order = sorted(range(len(tokenised)), key=lambda row: (-lengths[row], row))
    if not batch_tokens:
        for row in order:
            yield Batch((row,), {name: np.array([ids], np.int64) for name, ids in tokenised[row].items()})
        return
    by_shape: dict[tuple[int, bool], list[int]] = {}
    for row in order:
        width = _width(lengths[row], longest)
        by_shape.setdefault((width, lengths[row] == width), []).append(row)
    for (width, _), rows in by_shape.items():
        height = max(1, batch_tokens // width)
        for start in range(0, len(rows), height):
            members = rows[start : start + height]
            filled = members + [members[-1]] * (height - len(members))
            names = tokenised[members[0]]
            yield Batch(
                tuple(members),
                {
                    name: np.stack([_padded(tokenised[row][name], width, _filler(name, padding_id)) for row in filled])
                    for name in names
                },
            )


def _width(length: int, longest: int) -> int:
    width = max(_SHORTEST, 1 << (length - 1).bit_length())
    return max(length, min(width, longest)) if longest else width


def _filler(name: str, padding_id: int) -> int:
    return padding_id if name == "input_ids" else 0


def _padded(ids: Sequence[int], width: int, filler: int) -> IntArray:
    row = np.full(width, filler, np.int64)
    row[: len(ids)] = ids
    return row
