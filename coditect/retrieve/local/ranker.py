"""One question over one granularity: fused by score or by rank, and routed from document to passage (ADR 0017)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from coditect.models.port import Embedder, FloatArray, FusionParameters, IntArray
from coditect.models.rows import unit_rows
from coditect.retrieve.local.candidates import Candidates, Scored, Scores
from coditect.retrieve.local.fusion import reciprocal_rank_fusion, score_fusion
from coditect.retrieve.local.lexical import LexicalIndex
from coditect.retrieve.local.meaning.dense import DenseIndex
from coditect.retrieve.local.meaning.tokens import Nearness
from coditect.retrieve.local.parameters import RANKING, RankingParameters
from coditect.retrieve.local.routing import Router
from coditect.retrieve.port import Background, Found, Part, Request
from coditect.retrieve.spoken import Spoken, spoken_beside
from coditect.retrieve.words import Words, read_words, without
from coditect.store.view import View

__all__ = ["Ranker"]

READ = 64
"""Best units that are read word for word."""


class Ranker:
    """Ranks the units of one granularity for one question.

    Args:
        lexical: its words.
        dense: its vectors.
        embedder: their model.
        request: the question.
        allowed: rows of the vectors that may answer, increasing; None: all.
        ranking: what each part counts for.
        spoken: what the question says in everyday words.
        near: reads units word for word; None: they are not read so.
        near_weight: what that counts for, >= 0.

    Attributes:
        naming: stems of the question's words that only say which document is meant.
        meant: vector of what was looked for in the end, shape (dimension,); None: nothing was yet.
        cosines: of the candidates, shape (n,), any order.
    """

    def __init__(
        self,
        lexical: LexicalIndex,
        dense: DenseIndex,
        embedder: Embedder,
        request: Request,
        allowed: IntArray | None,
        ranking: RankingParameters = RANKING,
        spoken: Sequence[Spoken] = (),
        near: Nearness | None = None,
        near_weight: float = 0.0,
    ) -> None:
        self.boosts = ranking.boosts_of(request.granularity)
        self.candidates = Candidates(lexical, dense, request, allowed, self.boosts)
        self.ranking = ranking
        self.matrix = dense
        self.embedder = embedder
        self.request = request
        self.fusion: FusionParameters = request.fusion_for(embedder.card)
        self._dense_weight = ranking.dense_factor * self.fusion.dense_weight
        self.words = read_words(request.query)
        self._spoken = spoken
        self._near = near if near_weight > 0 else None
        self._near_weight = near_weight
        self._asked = request.query
        self.naming: frozenset[str] = frozenset()
        self.meant: FloatArray | None = None
        self.cosines: Scores = np.zeros(0)

    @cached_property
    def vector(self) -> FloatArray:
        """The vector of the whole question, shape (dimension,)."""
        return self._embedded(self.request.query)

    def _embedded(self, text: str) -> FloatArray:
        own = np.asarray(self.embedder.embed([text], query=True))
        if self._spoken and self.ranking.spoken > 0:
            terms = " ".join(term for each in self._spoken for term in each.terms)
            own = unit_rows(own + np.float32(self.ranking.spoken) * self.embedder.embed([terms], query=True))
        return np.asarray(own[0])

    @cached_property
    def _looked_for(self) -> Words:
        """The words of the question, and what those of them that are everyday words lead to."""
        return spoken_beside(self.words, self._spoken, self.ranking.spoken)

    def dense(self) -> tuple[Found, ...]:
        """Rank by meaning alone."""
        self.meant = self.vector
        nearest = self.candidates.by_meaning(self.vector, self.request.limit)
        self.cosines = np.asarray([cosine for _, cosine in nearest])
        return tuple(
            Found(
                self.matrix.item_ids[row],
                self.matrix.document_ids[row],
                round(cosine, 6),
                (Part("dense", rank, round(cosine, 6), 1.0, round(cosine, 6)),),
            )
            for rank, (row, cosine) in enumerate(nearest, 1)
        )

    def by_rank(self) -> tuple[Found, ...]:
        """Rank by words and by meaning, and fuse both lists by reciprocal rank."""
        words = self.candidates.lexical.search(
            self._looked_for, self.candidates.wide, boosts=self.boosts, only=self.request.only
        )
        self.meant = self.vector
        near = self.candidates.by_meaning(self.vector, self.candidates.wide)
        self.cosines = np.asarray([value for _, value in near])
        places = {match.item_id: match.document_id for match in words}
        places |= {self.matrix.item_ids[row]: self.matrix.document_ids[row] for row, _ in near}
        bm25 = {match.item_id: (rank, match.score) for rank, match in enumerate(words, 1)}
        cosine = self.candidates.cosines(self.vector, places) | {
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

    def by_score(self) -> tuple[Found, ...]:
        """Rank by one score: BM25 by its maximum plus the weighted cosine."""
        self.meant = self.vector
        return self._ranked(self.candidates.scored(self._looked_for, self.vector, ()), {})

    def routed(self, router: Router, view: View, asked: Background | None = None) -> tuple[Found, ...]:
        """By score, with what is said of the document, and without the words that only say which document is meant.

        Words alone show which document a question names; then the vectors are searched once, for what it asks of that document.

        Args:
            router: says which documents are meant.
            view: the generation.
            asked: what the question's words are worth; None: the names of documents that it does not ask for say nothing.
        """
        allowed = self.request.only.documents if self.request.only is not None else None
        close = router.closeness(view, self.words, allowed, asked)
        alone = self.candidates.by_words(replace(self.words, phrases=()))
        route = router.route(view, self.words, self._best_of_documents(self.candidates.unread(alone)), close)
        if not route.factors:
            self.meant = self.vector
            known = None if self.words.phrases or self._spoken else alone
            first = self.candidates.scored(self._looked_for, self.vector, (), known)
            route = router.route(view, self.words, self._best_of_documents(first), close)
            if not route.factors:
                return self._ranked(first, route.scores)
        self.naming = frozenset(route.factors)
        left = self._looked_for.weighted(route.factors).without_phrases_of(route.dropped) or self.words
        self._asked = without(self.request.query, route.dropped) or self.request.query
        self.meant = self._embedded(self._asked)
        # Which document is meant, its name has said: what others say in the words of the question is not read.
        return self._ranked(self.candidates.scored(left, self.meant, route.best), route.scores, is_named=True)

    def _best_of_documents(self, scored: Scored) -> dict[str, float]:
        """The score of the best candidate of each document."""
        score = score_fusion(scored.bm25, scored.cosine, self._dense_weight)
        best: dict[str, float] = {}
        for document_id, value in zip(self.candidates.documents(scored), score.tolist(), strict=True):
            best[document_id] = max(best.get(document_id, value), value)
        return best

    def _ranked(self, scored: Scored, documents: Mapping[str, float], *, is_named: bool = False) -> tuple[Found, ...]:
        """The best, each with what it got from words, meaning and its document, and word for word where no document is named."""
        bm25, cosine = scored.bm25, scored.cosine
        self.cosines = cosine
        fused = score_fusion(bm25, cosine, self._dense_weight)
        highest = float(bm25.max()) if len(bm25) and float(bm25.max()) > 0 else 1.0
        places = self.candidates.documents(scored)
        added = np.asarray([documents.get(each, 0.0) for each in places], dtype=np.float64)
        reader = None if is_named else self._near
        read = np.zeros(len(fused)) if reader is None else self._nearness(reader, scored, fused + added)
        total = np.round(fused + added + self._near_weight * read, 6)
        lexical_rank, dense_rank = _ranks(bm25), _ranks(cosine)
        # Only what is returned is named and explained: there are a thousand candidates.
        best = _highest(total, self.request.limit)
        ids = self.candidates.item_ids([int(scored.numbers[at]) for at in best])
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
                    self._dense_weight,
                    self._dense_weight * near,
                ),
            ]
            if documents:
                parts.append(Part("document", None, float(added[at]), 1.0, float(added[at])))
            if reader is not None:
                own = round(float(read[at]), 6)
                parts.append(Part("near", None, own, self._near_weight, self._near_weight * own))
            found.append(Found(item_id, places[at], float(total[at]), tuple(parts)))
        return tuple(found)

    def _nearness(self, reader: Nearness, scored: Scored, total: Scores) -> Scores:
        """How near the best candidates come word for word, shape (n,); 0 for all that are not read."""
        near = np.zeros(len(total))
        # Where scores are equal, by number: what is read must not depend on the order in which it was indexed.
        order = np.lexsort((scored.numbers, -np.round(total, 6)))
        read = order[scored.rows[order] >= 0][:READ]
        terms = " ".join(term for each in self._spoken for term in each.terms)
        asked = [(self._asked, 1.0), *([(terms, self.ranking.spoken)] if terms and self.ranking.spoken > 0 else [])]
        if len(read):
            near[read] = reader.of(asked, scored.rows[read])
        return near


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
