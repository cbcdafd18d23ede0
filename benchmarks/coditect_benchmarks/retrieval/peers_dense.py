"""Vectors alone over passages: what a plain store of embedded passages finds, and the plain joining of both worlds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from coditect.models.port import Embedder, FloatArray
from coditect_benchmarks.retrieval.cuts import Cut
from coditect_benchmarks.retrieval.formats import Document
from coditect_benchmarks.retrieval.peers_tantivy import TantivyBm25
from coditect_benchmarks.retrieval.system import Span

__all__ = ["DensePassages", "JoinedPassages"]

_PROPOSED = 200


class DensePassages:
    """Passages by the cosine of their vectors and the question's, all of them compared.

    Args:
        name: for the table.
        cut: makes the passages.
        embedder: the product's.
    """

    most_queries: int | None = None

    def __init__(self, name: str, cut: Cut, embedder: Embedder) -> None:
        self.name = name
        self._cut = cut
        self._embedder = embedder
        self._passages: list[Span] = []
        self._vectors: FloatArray = np.empty((0, 0), np.float32)
        self._documents: npt.NDArray[np.str_] = np.empty(0, np.str_)

    def index(self, documents: Sequence[Document]) -> None:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        texts = {document.id: document.text for document in documents}
        self._passages = self._cut(documents)
        self._documents = np.asarray([each.document for each in self._passages], np.str_)
        self._vectors = self._embedder.embed([texts[p.document][p.start : p.end] for p in self._passages])

    def search(self, query: str, k: int, within: str | None = None) -> list[Span]:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        cosines = self.cosines(query)
        if within is not None:
            cosines = np.where(self._documents == within, cosines, -np.inf)
        best = np.argsort(-cosines, kind="stable")[:k]
        return [self._found(int(at), float(cosines[at])) for at in best if np.isfinite(cosines[at])]

    def cosines(self, query: str) -> FloatArray:
        """Of the question and each passage."""
        return np.asarray(self._vectors @ self._embedder.embed([query], query=True)[0], np.float32)

    def _found(self, at: int, score: float) -> Span:
        passage = self._passages[at]
        return Span(passage.document, passage.start, passage.end, score)


class JoinedPassages:
    """BM25 by its maximum plus the cosine, over the 200 best of each: the joining that the product's figures are held against.

    A passage that only one side proposes has its other score counted, too, as in the product.

    Args:
        name: for the table.
        cut: makes the passages.
        embedder: the product's.
    """

    most_queries: int | None = None

    def __init__(self, name: str, cut: Cut, embedder: Embedder) -> None:
        self.name = name
        self._words = TantivyBm25(name, cut)
        self._near = DensePassages(name, cut, embedder)
        self._places: dict[tuple[str, int, int], int] = {}

    def index(self, documents: Sequence[Document]) -> None:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        self._words.index(documents)
        self._near.index(documents)
        self._places = {(each.document, each.start, each.end): at for at, each in enumerate(self._words.passages)}

    def search(self, query: str, k: int, within: str | None = None) -> list[Span]:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        every = self._words.search(query, max(len(self._places), 1), within)
        cosines = self._near.cosines(query)
        bm25 = np.zeros(len(cosines))
        for each in every:
            bm25[self._places[each.document, each.start, each.end]] = each.score
        near = self._near.search(query, _PROPOSED, within)
        proposed = {self._places[each.document, each.start, each.end] for each in (*every[:_PROPOSED], *near)}
        numbers = np.asarray(sorted(proposed), np.int64)
        if not len(numbers):
            return []
        scores = bm25[numbers] / max(float(bm25.max()), 1e-9) + cosines[numbers]
        best = np.argsort(-scores, kind="stable")[:k]
        return [self._scored(int(numbers[at]), float(scores[at])) for at in best]

    def _scored(self, at: int, score: float) -> Span:
        passage = self._words.passages[at]
        return Span(passage.document, passage.start, passage.end, score)
