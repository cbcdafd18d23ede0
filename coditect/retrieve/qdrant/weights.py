"""Sparse vectors: what each word of a unit counts for, for a vector store that ranks and fuses by itself."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Protocol, TypeGuard

from coditect.models.port import Embedder, MultiVectorEmbedder
from coditect.retrieve.units import IndexName, Unit
from coditect.retrieve.words import FIELD_BOOSTS, read_words, stems

__all__ = ["ModelWeights", "SparseWeights", "WordWeights", "weights_for"]

Sparse = Mapping[int, float]

K1 = 1.2
"""How soon more of the same word stops counting; dimensionless."""

B = 0.75
"""How much a unit's length counts, 0..1."""

REFERENCE_STEMS: Mapping[IndexName, float] = {
    "extraction": 20.0,
    "chunk": 150.0,
    "passage": 120.0,
    "section": 200.0,
    "corpus": 25.0,
}
"""The length of a text that BM25 compares with. Fixed, so that a unit's weights do not depend on what else is stored."""

REFERENCE_BESIDE = 4.0
"""The same for headings and contexts; many are empty."""


class SparseWeights(Protocol):
    """Gives units and questions weights by term number."""

    @property
    def name(self) -> str:
        """What vectors of it are stored under, with its version."""
        ...

    @property
    def with_rarity(self) -> bool:
        """The vector store multiplies by the inverse document frequency."""
        ...

    def of_units(self, units: Sequence[Unit], granularity: IndexName) -> list[Sparse]:
        """Weights of units, > 0, each number at most 2**32 - 1.

        Raises:
            ModelError: a model gives them, and it failed.
        """
        ...

    def of_query(self, query: str) -> Sparse:
        """Weights of a question; empty where nothing in it can be looked for."""
        ...


class WordWeights:
    """BM25's term weights over the stems of the lexical indexes, field by field.

    With how rare a stem is in a field, which the vector store adds, they make the sum that the lexical index makes, but for the
    lengths that it compares with, and for phrases, which count by their words alone.
    """

    name = "bm25-3"
    with_rarity = True

    def __init__(self) -> None:
        self._boosts = {field: boost for field, boost in FIELD_BOOSTS.as_dict().items() if boost > 0}

    def of_units(self, units: Sequence[Unit], granularity: IndexName) -> list[Sparse]:
        """See :class:`SparseWeights`."""
        reference = REFERENCE_STEMS[granularity]
        return [self._of(unit, reference) for unit in units]

    def of_query(self, query: str) -> Sparse:
        """See :class:`SparseWeights`."""
        words = read_words(query)
        found: dict[int, float] = {}
        for stem, weight in {**dict.fromkeys(chain(*words.phrases), 1.0), **words.weights}.items():
            for field, boost in self._boosts.items():
                number = term_number(field, stem)
                found[number] = found.get(number, 0.0) + boost * weight
        return found

    def _of(self, unit: Unit, reference: float) -> Sparse:
        weights: dict[int, float] = {}
        for field in self._boosts:
            own = stems(getattr(unit, field))
            share = len(own) / (reference if field == "text" else REFERENCE_BESIDE)
            damping = K1 * (1.0 - B + B * share)
            for stem, count in Counter(own).items():
                number = term_number(field, stem)
                weights[number] = weights.get(number, 0.0) + count * (K1 + 1.0) / (count + damping)
        return weights


class ModelWeights:
    """The lexical weights of a model that gives some (BGE-M3), which know of rarity by themselves.

    They are not kept in the key-value store: a collection that is filled again has its units' texts read by the model again.

    Args:
        embedder: the model.
    """

    name = "model-1"
    with_rarity = False

    def __init__(self, embedder: MultiVectorEmbedder) -> None:
        self._embedder = embedder

    def of_units(self, units: Sequence[Unit], granularity: IndexName) -> list[Sparse]:
        """See :class:`SparseWeights`."""
        return list(self._embedder.encode([unit.embedded for unit in units], colbert=False).sparse)

    def of_query(self, query: str) -> Sparse:
        """See :class:`SparseWeights`."""
        return self._embedder.encode([query], query=True, colbert=False).sparse[0]


def weights_for(embedder: Embedder) -> SparseWeights:
    """The model's own lexical weights where it has some, else those of words."""
    return ModelWeights(embedder) if _gives_weights(embedder) else WordWeights()


def _gives_weights(embedder: Embedder) -> TypeGuard[MultiVectorEmbedder]:
    return callable(getattr(embedder, "encode", None))


@lru_cache(maxsize=100_000)
def term_number(field: str, stem: str) -> int:
    """A stem in a field as a sparse vector's index: 32 bits of a hash. Two that share one (1 in 4e9) count as one word."""
    named = f"{field}\0{stem}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(named).digest()[:4], "big")
