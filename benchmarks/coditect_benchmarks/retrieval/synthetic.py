"""Very many units for timing a hybrid search: real statements over and over, with random vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from coditect.retrieve.local.lexical import LexicalIndex
from coditect.retrieve.local.meaning.dense import DenseIndex
from coditect.retrieve.local.ranker import Ranker
from coditect.retrieve.port import Found, Request
from coditect.retrieve.units import Unit
from coditect.store.embedded.vectors import VectorBlock
from coditect_benchmarks.retrieval.embedders import embedder_of

__all__ = ["SyntheticUnits"]

_BLOCK = 100_000
_LIMIT = 50
"""Units that are ranked, as many as a question for ten hits asks for."""


class SyntheticUnits:
    """Units with the words of real statements, each statement as often as it takes, and vectors drawn evenly from the sphere.

    Args:
        folder: for the replicas, 1.1 GB for a million units.
        embedder: of the questions, as :func:`~coditect_benchmarks.retrieval.embedders.embedder_of` names it.
        texts: at least one.
        count: units, >= 1.
        seed: of the vectors.
    """

    def __init__(self, folder: Path, embedder: str, texts: Sequence[str], count: int, seed: int = 0) -> None:
        self._embedder = embedder_of(embedder)
        dimension = self._embedder.card.dimension
        self._lexical = LexicalIndex.make(folder / "words")
        writer = self._lexical.writer()
        writer.add(Unit(_id(at), "", texts[at % len(texts)]) for at in range(count))
        writer.commit()
        DenseIndex.make(folder / "vectors", _blocks(count, dimension, seed), dimension)
        self._dense = DenseIndex(folder / "vectors")

    def __len__(self) -> int:
        return len(self._dense)

    def nearest(self, query: str) -> list[tuple[int, float]]:
        """The rows nearest to a question."""
        return self._dense.search(self._embedder.embed([query], query=True)[0], _LIMIT)

    def search(self, query: str) -> tuple[Found, ...]:
        """The best by words and meaning."""
        request = Request(query, "extraction", _LIMIT)
        return Ranker(self._lexical, self._dense, self._embedder, request, None).by_score()


def _blocks(count: int, dimension: int, seed: int) -> Iterator[tuple[str, VectorBlock]]:
    generator = np.random.default_rng(seed)
    for start in range(0, count, _BLOCK):
        rows = generator.standard_normal((min(_BLOCK, count - start), dimension), np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        yield f"document_{start}", VectorBlock(tuple(_id(start + at) for at in range(len(rows))), rows)


def _id(number: int) -> str:
    return f"extraction_{number:040x}"
