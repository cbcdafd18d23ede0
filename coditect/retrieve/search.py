"""Search: words and meaning as one score, routed from document to passage (ADR 0017)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from coditect.errors import UsageError
from coditect.models.port import Embedder, FloatArray, FusionParameters, IntArray, Matrix, Reranker
from coditect.retrieve.dense import DenseIndex
from coditect.retrieve.fusion import reciprocal_rank_fusion, score_fusion
from coditect.retrieve.lexical import LexicalIndex, Ranking
from coditect.retrieve.port import Answer, Filter, Found, Part, Request, unit_number
from coditect.retrieve.replica import Replicas, indexed_as
from coditect.retrieve.routing import Router
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, IndexName
from coditect.retrieve.vectors import Vectors
from coditect.retrieve.words import Words, read_words, without
from coditect.store.view import View

__all__ = ["RERANKED", "HybridSearcher", "Ranker"]

Numbers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

CANDIDATES = 200
"""Units that each part proposes."""

WITHIN = 64
"""Units that each part proposes from a document that is searched by itself."""

RERANKED = 50
"""Units that a reranker reads."""


KEPT_FILTERS = 16
"""Filters whose rows are kept in memory."""


@dataclass(frozen=True, slots=True)
class _Scored:
    """Candidates with what each part says of them; arrays of shape (n,).

    Attributes:
        numbers: of the units (:func:`~coditect.retrieve.port.unit_number`).
        rows: of their vectors; -1 for none.
        bm25: 0 where no word is in common.
        cosine: 0 where there is no vector.
    """

    numbers: Numbers
    rows: IntArray
    bm25: Scores
    cosine: Scores


class HybridSearcher:
    """A :class:`~coditect.retrieve.port.Searcher` over local replicas.

    Args:
        replicas: the lexical indexes.
        embedder: opens the configured model; None, or one that returns None: search is lexical.
        reranker: opens the configured reranker; likewise.
        matrix: see :class:`~coditect.retrieve.dense.DenseIndex`.
    """

    def __init__(
        self,
        replicas: Replicas,
        embedder: Callable[[], Embedder | None] | None = None,
        reranker: Callable[[], Reranker | None] | None = None,
        *,
        matrix: Callable[[FloatArray], Matrix] | None = None,
    ) -> None:
        self.replicas = replicas
        self._open_embedder = embedder
        self._open_reranker = reranker
        self._matrix = matrix
        self._router = Router(replicas)
        self._let_through: dict[tuple[str, IndexName, Filter], IntArray] = {}

    @cached_property
    def _vectors(self) -> Vectors | None:
        embedder = self._open_embedder() if self._open_embedder is not None else None
        return None if embedder is None else Vectors(self.replicas, embedder, self._matrix)

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
        matrix = vectors.index(view, indexed_as(request.granularity))
        search = Ranker(lexical, matrix, vectors.embedder, request, self._allowed(view, request, lexical, matrix))
        if request.mode == "dense":
            found = search.dense()
        elif request.fusion == "rrf":
            found = search.by_rank()
        elif indexed_as(request.granularity) in DOCUMENT_GRANULARITIES:
            found = search.routed(self._router, view)
        else:
            found = search.by_score()
        return Answer(found, vectors.embedder.card.model_id, request.mode, search.naming)

    def _allowed(self, view: View, request: Request, lexical: LexicalIndex, matrix: DenseIndex) -> IntArray | None:
        """The rows that a question's filter lets through, increasing; None: all. Kept for the next question."""
        if request.only is None:
            return None
        key = (view.manifest.build_id, indexed_as(request.granularity), request.only)
        if key not in self._let_through:
            while len(self._let_through) >= KEPT_FILTERS:
                del self._let_through[next(iter(self._let_through))]
            rows = matrix.rows_of(lexical.allowed(request.only))
            self._let_through[key] = np.sort(rows[rows >= 0])
        return self._let_through[key]

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


class Ranker:
    """One question over one granularity.

    Args:
        lexical: its words.
        dense: its vectors.
        embedder: their model.
        request: the question.
        allowed: rows of the vectors that may answer, increasing; None: all.
    """

    def __init__(
        self,
        lexical: LexicalIndex,
        dense: DenseIndex,
        embedder: Embedder,
        request: Request,
        allowed: IntArray | None,
    ) -> None:
        self.lexical = lexical
        self.matrix = dense
        self.embedder = embedder
        self.request = request
        self.fusion: FusionParameters = embedder.card.fusion
        self.words = read_words(request.query)
        self.wide = max(CANDIDATES, request.limit)
        self.naming: frozenset[str] = frozenset()
        self._allowed = allowed

    @cached_property
    def vector(self) -> FloatArray:
        """What the whole question means."""
        return self._embedded(self.request.query)

    def _embedded(self, text: str) -> FloatArray:
        return np.asarray(self.embedder.embed([text], query=True)[0])

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
        places = {match.item_id: match.document_id for match in words}
        places |= {self.matrix.item_ids[row]: self.matrix.document_ids[row] for row, _ in near}
        bm25 = {match.item_id: (rank, match.score) for rank, match in enumerate(words, 1)}
        cosine = self._cosines(places) | {
            self.matrix.item_ids[row]: (rank, value) for rank, (row, value) in enumerate(near, 1)
        }
        scored = {each: (bm25.get(each, (0, 0.0)), cosine.get(each, (0, 0.0))) for each in places}
        ranks = np.asarray([[rank for rank, _ in pair] for pair in scored.values()], dtype=np.int64).reshape(-1, 2).T
        weights = np.asarray(self.fusion.rrf_weights, dtype=np.float64)
        fused = reciprocal_rank_fusion(ranks, weights, self.fusion.rrf_k)
        found = []
        for (item_id, pair), score in zip(scored.items(), fused.tolist(), strict=True):
            parts = tuple(
                Part(name, rank or None, round(own, 6), weight, weight / (self.fusion.rrf_k + rank) if rank else 0.0)
                for name, (rank, own), weight in zip(("lexical", "dense"), pair, weights.tolist(), strict=True)
            )
            found.append(Found(item_id, places[item_id], score, parts))
        return _best(found, self.request.limit)

    def _cosines(self, item_ids: Iterable[str]) -> dict[str, tuple[int, float]]:
        """(0, cosine) of the units that have a vector: the gate looks at it wherever it stands in the list of the nearest."""
        ids = list(item_ids)
        rows = self.matrix.rows_of(np.asarray([unit_number(each) for each in ids], dtype=np.int64))
        known = np.flatnonzero(rows >= 0)
        values = self.matrix.cosines(self.vector, rows[known]).tolist()
        return {ids[at]: (0, value) for at, value in zip(known.tolist(), values, strict=True)}

    def by_score(self) -> tuple[Found, ...]:
        """BM25 by its maximum plus the weighted cosine."""
        scored = self._candidates(self.words, self.vector, ())
        return self._ranked(scored, {}, 0.0)

    def routed(self, router: Router, view: View) -> tuple[Found, ...]:
        """By score, with what is said of the document, and without the words that only say which document is meant.

        Words alone show which document a question names; then the vectors are searched once, for what it asks of that document.
        """
        allowed = self.request.only.documents if self.request.only is not None else None
        alone = self.lexical.ranked(replace(self.words, phrases=()), self.wide, only=self.request.only)
        route = router.route(view, self.words, self._best_of_documents(self._scored_by_words(alone)), allowed)
        if not route.factors:
            first = self._candidates(self.words, self.vector, (), None if self.words.phrases else alone)
            route = router.route(view, self.words, self._best_of_documents(first), allowed)
            if not route.factors:
                return self._ranked(first, route.scores, route.weight)
        self.naming = frozenset(route.factors)
        left = self.words.weighted(route.factors).without_phrases_of(route.dropped) or self.words
        vector = self._embedded(without(self.request.query, route.dropped) or self.request.query)
        return self._ranked(self._candidates(left, vector, route.best), route.scores, route.weight)

    def _scored_by_words(self, ranking: Ranking) -> _Scored:
        """The best by words, before anything is known of their meaning."""
        rows = self.matrix.rows_of(ranking.numbers)
        return _Scored(ranking.numbers, rows, ranking.scores, np.zeros(len(rows)))

    def _best_of_documents(self, scored: _Scored) -> dict[str, float]:
        """The score of the best candidate of each document."""
        score = score_fusion(scored.bm25, scored.cosine, self.fusion.dense_weight)
        best: dict[str, float] = {}
        for document_id, value in zip(self._documents(scored), score.tolist(), strict=True):
            best[document_id] = max(best.get(document_id, value), value)
        return best

    def _candidates(
        self, words: Words, vector: FloatArray, documents: Sequence[str], ranking: Ranking | None = None
    ) -> _Scored:
        """What either part proposes from everywhere, and from some documents alone, each scored by both.

        Args:
            words: what is looked for.
            vector: its meaning.
            documents: searched by themselves, too.
            ranking: what the words alone find everywhere, where it is known.
        """
        ranking = ranking or self.lexical.ranked(words, self.wide, only=self.request.only)
        known = dict(zip(ranking.numbers.tolist(), ranking.scores.tolist(), strict=True))
        proposed = [number for number, _ in ranking.settled(self.wide, self._item_ids)]
        proposed += self._nearest(vector, self.wide, self._allowed)
        if documents:
            inside, more = self._inside(words, vector, documents)
            known.update(zip(inside.numbers.tolist(), inside.scores.tolist(), strict=True))
            proposed += more
        numbers = np.asarray(list(dict.fromkeys(proposed)), dtype=np.int64)
        rows = self.matrix.rows_of(numbers)
        # What stands in a document that was searched by itself, and is not known by now, has no word in common.
        searched = np.zeros(len(rows), dtype=bool)
        for first, after in (self.matrix.document_rows(each) for each in documents):
            searched |= (first <= rows) & (rows < after)
        asked = [number for number in numbers[~searched].tolist() if number not in known]
        others = self.lexical.scores(words, asked)
        known.update(zip(others.numbers.tolist(), others.scores.tolist(), strict=True))
        bm25 = np.asarray([known.get(number, 0.0) for number in numbers.tolist()], dtype=np.float64)
        cosine = np.zeros(len(numbers), dtype=np.float64)
        cosine[rows >= 0] = self.matrix.cosines(vector, rows[rows >= 0])
        return _Scored(numbers, rows, bm25, cosine)

    def _nearest(self, vector: FloatArray, limit: int, allowed: IntArray | None) -> list[int]:
        rows = [row for row, _ in self.matrix.search(vector, limit, allowed)]
        return [int(number) for number in self.matrix.numbers[rows]]

    def _inside(self, words: Words, vector: FloatArray, documents: Sequence[str]) -> tuple[Ranking, list[int]]:
        """(all that shares a word in some documents, numbers that each of these documents proposes by itself)."""
        places = [self.matrix.document_rows(each) for each in documents]
        only = replace(self.request.only or Filter(), documents=frozenset(documents))
        found = self.lexical.ranked(words, sum(after - first for first, after in places), only=only)
        rows = self.matrix.rows_of(found.numbers)
        limit = max(WITHIN, self.request.limit)
        proposed: list[int] = []
        for first, after in places:
            own = found.among((first <= rows) & (rows < after), limit)
            proposed += [number for number, _ in own.settled(limit, self._item_ids)]
            near = np.arange(first, after, dtype=np.int64)
            if self._allowed is not None:
                near = np.intersect1d(near, self._allowed)
            proposed += self._nearest(vector, limit, near)
        return found, proposed

    def _item_ids(self, numbers: Sequence[int]) -> list[str]:
        rows = self.matrix.rows_of(np.asarray(numbers, np.int64)).tolist()
        return [
            self.matrix.item_ids[row] if row >= 0 else self.lexical.names(number)[0]
            for number, row in zip(numbers, rows, strict=True)
        ]

    def _documents(self, scored: _Scored) -> list[str]:
        """The document id of each candidate, or ""."""
        if (scored.rows >= 0).all():
            return self.matrix.documents_of(scored.rows)
        return [
            self.matrix.document_ids[row] if row >= 0 else self.lexical.names(number)[1]
            for number, row in zip(scored.numbers.tolist(), scored.rows.tolist(), strict=True)
        ]

    def _ranked(
        self,
        scored: _Scored,
        documents: Mapping[str, float],
        weight: float,
    ) -> tuple[Found, ...]:
        bm25, cosine = scored.bm25, scored.cosine
        fused = score_fusion(bm25, cosine, self.fusion.dense_weight)
        highest = float(bm25.max()) if len(bm25) and float(bm25.max()) > 0 else 1.0
        places = self._documents(scored)
        added = np.asarray([documents.get(each, 0.0) for each in places], dtype=np.float64)
        total = np.round(fused + weight * added, 6)
        lexical_rank, dense_rank = _ranks(bm25), _ranks(cosine)
        # Only what is returned is named and explained: there are a thousand candidates.
        best = _highest(total, self.request.limit)
        ids = self._item_ids([int(scored.numbers[at]) for at in best])
        found: list[Found] = []
        for _, item_id, at in sorted((-float(total[at]), item_id, at) for at, item_id in zip(best, ids, strict=True)):
            if len(found) == self.request.limit:
                break
            words, near = float(bm25[at]), round(float(cosine[at]), 6)
            parts = [
                Part("lexical", int(lexical_rank[at]) or None, words, 1 / highest, words / highest),
                Part(
                    "dense",
                    int(dense_rank[at]) or None,
                    near,
                    self.fusion.dense_weight,
                    self.fusion.dense_weight * near,
                ),
            ]
            if documents:
                parts.append(Part("document", None, float(added[at]), weight, weight * float(added[at])))
            found.append(Found(item_id, places[at], float(total[at]), tuple(parts)))
        return tuple(found)


def _highest(scores: Scores, limit: int) -> list[int]:
    """Positions of the highest scores, with all that equal the last of them."""
    if limit >= len(scores):
        return list(range(len(scores)))
    edge = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    found: list[int] = np.flatnonzero(scores >= edge).tolist()
    return found


def _ranks(scores: Scores) -> IntArray:
    """1-based ranks of scores, equal ones in order; 0 for a score of 0."""
    ranks = np.empty(len(scores), dtype=np.int64)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    ranks[scores == 0] = 0
    return ranks


def _best(found: list[Found], limit: int) -> tuple[Found, ...]:
    return tuple(sorted(found, key=lambda each: (-each.score, each.item_id))[:limit])
