"""Search: words and meaning as one score, routed from document to passage (ADR 0017)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from coditect.errors import UsageError
from coditect.models.port import Embedder, FloatArray, FusionParameters, IntArray, Reranker
from coditect.retrieve.dense import DenseIndex
from coditect.retrieve.fusion import reciprocal_rank_fusion, score_fusion
from coditect.retrieve.lexical import LexicalIndex
from coditect.retrieve.port import Answer, Filter, Found, Part, Request, unit_number
from coditect.retrieve.replica import Replicas, indexed_as
from coditect.retrieve.routing import Route, Router
from coditect.retrieve.units import DOCUMENT_GRANULARITIES
from coditect.retrieve.vectors import Vectors
from coditect.retrieve.words import Words, read_words, without
from coditect.store.view import View

__all__ = ["HybridSearcher"]

CANDIDATES = 200
"""Units that each part proposes."""

WITHIN = 64
"""Units that each part proposes from a document that is searched by itself."""

RERANKED = 50
"""Units that a reranker reads."""


@dataclass(frozen=True, slots=True)
class _Scored:
    """Candidates with what each part says of them; arrays of shape (n,)."""

    item_ids: tuple[str, ...]
    document_ids: tuple[str, ...]
    bm25: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
    cosine: np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class HybridSearcher:
    """A :class:`~coditect.retrieve.port.Searcher` over local replicas.

    Args:
        replicas: the lexical indexes.
        embedder: opens the configured model; None, or one that returns None: search is lexical.
        reranker: opens the configured reranker; likewise.
    """

    def __init__(
        self,
        replicas: Replicas,
        embedder: Callable[[], Embedder | None] | None = None,
        reranker: Callable[[], Reranker | None] | None = None,
    ) -> None:
        self.replicas = replicas
        self._open_embedder = embedder
        self._open_reranker = reranker
        self._router = Router(replicas)

    @cached_property
    def _vectors(self) -> Vectors | None:
        embedder = self._open_embedder() if self._open_embedder is not None else None
        return None if embedder is None else Vectors(self.replicas, embedder)

    @cached_property
    def _reranker(self) -> Reranker | None:
        return self._open_reranker() if self._open_reranker is not None else None

    def refresh(self, view: View, progress: Callable[[str, int, int], None] | None = None) -> None:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        self.replicas.index(view, "section")
        if self._vectors is not None:
            self._vectors.index(view, "section", progress)

    def search(self, view: View, request: Request) -> Answer:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        if request.mode == "exact":
            return Answer(mode="exact")
        lexical = self.replicas.index(view, indexed_as(request.granularity))
        vectors = None if request.mode == "lexical" else self._vectors
        if vectors is None:
            if request.mode == "dense":
                raise UsageError("dense search needs an embedder", hint="Configure one: CODITECT_EMBEDDER=wordllama.")
            return Answer(_lexical(lexical, request), "", "lexical")
        search = _Search(
            lexical,
            vectors.index(view, indexed_as(request.granularity)),
            vectors.embedder,
            request,
        )
        if request.mode == "dense":
            found = search.dense()
        elif request.fusion == "rrf":
            found = search.by_rank()
        elif indexed_as(request.granularity) in DOCUMENT_GRANULARITIES:
            found = search.routed(self._router, view)
        else:
            found = search.by_score()
        return Answer(found, vectors.embedder.card.model_id, request.mode, search.naming)

    def rerank(self, query: str, found: Sequence[Found], texts: Sequence[str]) -> tuple[Found, ...]:
        """The best of an answer in the reranker's order, then the rest.

        Args:
            query: the question.
            found: best first.
            texts: of the first of them, at most :data:`RERANKED`.
        Raises:
            UsageError: no reranker is configured.
        """
        if self._reranker is None:
            raise UsageError("there is no reranker", hint="Configure one: CODITECT_RERANKER=/path/to/a/model.")
        scores = self._reranker.scores(query, texts)
        order = sorted(range(len(texts)), key=lambda at: (-float(scores[at]), at))
        best = [
            replace(
                found[at],
                score=float(scores[at]),
                parts=(*found[at].parts, Part("rerank", rank, float(scores[at]), 1.0, float(scores[at]))),
            )
            for rank, at in enumerate(order, 1)
        ]
        return (*best, *found[len(texts) :])


def _lexical(index: LexicalIndex, request: Request) -> tuple[Found, ...]:
    matches = index.search(read_words(request.query), request.limit, only=request.only)
    return tuple(
        Found(m.item_id, m.document_id, m.score, (Part("lexical", rank, m.score, 1.0, m.score),))
        for rank, m in enumerate(matches, 1)
    )


class _Search:
    """One question over one granularity."""

    def __init__(self, lexical: LexicalIndex, dense: DenseIndex, embedder: Embedder, request: Request) -> None:
        self.lexical = lexical
        self.matrix = dense
        self.embedder = embedder
        self.request = request
        self.fusion: FusionParameters = embedder.card.fusion
        self.words = read_words(request.query)
        self.vector = self._embedded(request.query)
        self.wide = max(CANDIDATES, request.limit)
        self.naming: frozenset[str] = frozenset()

    def _embedded(self, text: str) -> FloatArray:
        return np.asarray(self.embedder.embed([text], query=True)[0])

    @cached_property
    def _allowed(self) -> IntArray | None:
        only = self.request.only
        if only is None:
            return None
        rows = self.matrix.rows_of(self.lexical.allowed(only))
        return np.sort(rows[rows >= 0])

    def dense(self) -> tuple[Found, ...]:
        """By meaning alone."""
        return tuple(
            Found(
                self.matrix.item_ids[row],
                self.matrix.document_ids[row],
                round(cosine, 6),
                (Part("dense", rank, round(cosine, 6), 1.0, round(cosine, 6)),),
            )
            for rank, (row, cosine) in enumerate(self.matrix.search(self.vector, self.request.limit, self._allowed), 1)
        )

    def by_rank(self) -> tuple[Found, ...]:
        """Reciprocal rank fusion of both lists."""
        words = self.lexical.search(self.words, self.wide, only=self.request.only)
        near = self.matrix.search(self.vector, self.wide, self._allowed)
        places: dict[str, tuple[str, list[int]]] = {}
        for rank, match in enumerate(words, 1):
            places[match.item_id] = (match.document_id, [rank, 0])
        for rank, (row, _) in enumerate(near, 1):
            place = places.setdefault(self.matrix.item_ids[row], (self.matrix.document_ids[row], [0, 0]))
            place[1][1] = rank
        ranks = np.asarray([place[1] for place in places.values()], dtype=np.int64).reshape(-1, 2).T
        weights = np.asarray(self.fusion.rrf_weights, dtype=np.float64)
        fused = reciprocal_rank_fusion(ranks, weights, self.fusion.rrf_k)
        found = []
        for (item_id, (document_id, (first, second))), score in zip(places.items(), fused.tolist(), strict=True):
            parts = tuple(
                Part(name, rank, float(rank), weight, weight / (self.fusion.rrf_k + rank))
                for name, rank, weight in zip(("lexical", "dense"), (first, second), weights.tolist(), strict=True)
                if rank
            )
            found.append(Found(item_id, document_id, score, parts))
        return _best(found, self.request.limit)

    def by_score(self) -> tuple[Found, ...]:
        """BM25 by its maximum plus the weighted cosine."""
        scored = self._candidates(self.words, self.vector, ())
        return self._ranked(scored, scored.bm25, scored.cosine, {}, 0.0)

    def routed(self, router: Router, view: View) -> tuple[Found, ...]:
        """By score, then again without the words that only say which document is meant, and with what is said of the document."""
        first = self._candidates(self.words, self.vector, ())
        score = score_fusion(first.bm25, first.cosine, self.fusion.dense_weight)
        best: dict[str, float] = {}
        for document_id, value in zip(first.document_ids, score.tolist(), strict=True):
            best[document_id] = max(best.get(document_id, value), value)
        allowed = self.request.only.documents if self.request.only is not None else None
        route = router.route(view, self.words, best, allowed)
        self.naming = frozenset(route.factors)
        words = self.words.weighted(route.factors)
        if not route.factors or not words:
            return self._ranked(first, first.bm25, first.cosine, route.scores, route.weight)
        vector = self._embedded(without(self.request.query, route.dropped) or self.request.query)
        second = self._candidates(words, vector, route.best)
        return self._ranked(second, second.bm25, second.cosine, route.scores, route.weight, route)

    def _candidates(self, words: Words, vector: FloatArray, documents: Sequence[str]) -> _Scored:
        """What either part proposes from everywhere, and from some documents alone, each scored by both."""
        places: dict[str, str] = {}
        for wide, only, rows in self._places(documents):
            for match in self.lexical.search(words, wide, only=only):
                places[match.item_id] = match.document_id
            for row, _ in self.matrix.search(vector, wide, rows):
                places[self.matrix.item_ids[row]] = self.matrix.document_ids[row]
        numbers = [unit_number(each) for each in places]
        bm25 = self.lexical.scores(words, numbers)
        found = self.matrix.rows_of(np.asarray(numbers, dtype=np.int64))
        cosine = np.zeros(len(numbers), dtype=np.float64)
        cosine[found >= 0] = self.matrix.cosines(vector, found[found >= 0])
        return _Scored(
            tuple(places),
            tuple(places.values()),
            np.asarray([bm25.get(number, 0.0) for number in numbers], dtype=np.float64),
            cosine,
        )

    def _places(self, documents: Sequence[str]) -> Iterator[tuple[int, Filter | None, IntArray | None]]:
        """Where candidates are looked for, and how many: everywhere, then in single documents; as a filter and as rows."""
        yield self.wide, self.request.only, self._allowed
        for document_id in documents:
            inside = replace(self.request.only or Filter(), documents=frozenset((document_id,)))
            rows = np.arange(*self.matrix.document_rows(document_id), dtype=np.int64)
            yield (
                max(WITHIN, self.request.limit),
                inside,
                rows if self._allowed is None else np.intersect1d(rows, self._allowed),
            )

    def _ranked(
        self,
        scored: _Scored,
        bm25: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
        cosine: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
        documents: Mapping[str, float],
        weight: float,
        route: Route | None = None,
    ) -> tuple[Found, ...]:
        fused = score_fusion(bm25, cosine, self.fusion.dense_weight)
        highest = float(bm25.max()) if len(bm25) and float(bm25.max()) > 0 else 1.0
        added = np.asarray([documents.get(each, 0.0) for each in scored.document_ids], dtype=np.float64)
        total = np.round(fused + weight * added, 6)
        lexical_rank, dense_rank = _ranks(bm25), _ranks(cosine)
        # Only what is returned is explained: there are a thousand candidates.
        best = sorted(_highest(total, self.request.limit), key=lambda at: (-total[at], scored.item_ids[at]))
        found = []
        for at in best[: self.request.limit]:
            words, near = float(bm25[at]), round(float(cosine[at]), 6)
            parts = [
                Part("lexical", lexical_rank[at], words, 1 / highest, words / highest),
                Part("dense", dense_rank[at], near, self.fusion.dense_weight, self.fusion.dense_weight * near),
            ]
            if documents:
                parts.append(Part("document", None, float(added[at]), weight, weight * float(added[at])))
            found.append(Found(scored.item_ids[at], scored.document_ids[at], float(total[at]), tuple(parts)))
        return tuple(found)


def _highest(scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]], limit: int) -> list[int]:
    """Positions of the highest scores, with all that equal the last of them."""
    if limit >= len(scores):
        return list(range(len(scores)))
    edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    found: list[int] = np.flatnonzero(scores >= edge).tolist()
    return found


def _ranks(scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> list[int | None]:
    """1-based ranks of scores, equal ones in order; None for 0."""
    ranks: list[int | None] = [None] * len(scores)
    for rank, at in enumerate(np.argsort(-scores, kind="stable").tolist(), 1):
        ranks[at] = rank if scores[at] != 0 else None
    return ranks


def _best(found: list[Found], limit: int) -> tuple[Found, ...]:
    return tuple(sorted(found, key=lambda each: (-each.score, each.item_id))[:limit])
