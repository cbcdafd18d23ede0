"""One question over one granularity: fused by score or by rank, and routed from document to passage (ADR 0017)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from coditect.models.port import Embedder, FloatArray, FusionParameters, IntArray, ReadTokens
from coditect.models.rows import unit_rows
from coditect.retrieve.embedding import gives_tokens
from coditect.retrieve.local.candidates import Candidates, Scored, Scores
from coditect.retrieve.local.fusion import reciprocal_rank_fusion, score_fusion
from coditect.retrieve.local.lexical import LexicalIndex
from coditect.retrieve.local.meaning.dense import DenseIndex
from coditect.retrieve.local.meaning.reading import ReadNearness
from coditect.retrieve.local.meaning.tokens import Nearness
from coditect.retrieve.local.parameters import RANKING, RankingParameters
from coditect.retrieve.local.routing import Router
from coditect.retrieve.port import Background, Found, Part, Request
from coditect.retrieve.spoken import Spoken, spoken_beside
from coditect.retrieve.words import Words, read_words, without
from coditect.store.view import View

__all__ = ["Ranker", "WordForWord"]

READ = 64
"""Best units that are read word for word."""

ELSEWHERE = 30
"""Best units of other documents than the one that is named, which say in their words what is looked for in it. Where there are
fewer other documents than that, it counts for their share: few documents are of different matters (ADR 0089)."""


@dataclass(frozen=True, slots=True)
class WordForWord:
    """What reads the units of a generation word for word.

    Attributes:
        tokens: by tokens, each of which means the same wherever it stands; None: they are not read so.
        read: by tokens as the embedder read them in their sentence; likewise.
        share: what it counts for of what :class:`~coditect.retrieve.local.parameters.RankingParameters` says, 0..1.
    """

    tokens: Nearness | None = None
    read: ReadNearness | None = None
    share: float = 0.0


NOT_READ = WordForWord()


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
        word_for_word: reads units word for word; None: they are not read so.

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
        word_for_word: WordForWord | None = None,
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
        self._by_words = word_for_word if word_for_word is not None and word_for_word.share > 0 else NOT_READ
        self._read_as: dict[str, ReadTokens] = {}
        self._elsewhere_share = 0.0
        self._asked = request.query
        self.naming: frozenset[str] = frozenset()
        self.meant: FloatArray | None = None
        self.cosines: Scores = np.zeros(0)

    @cached_property
    def vector(self) -> FloatArray:
        """The vector of the whole question, shape (dimension,)."""
        return self._embedded(self.request.query)

    def _embedded(self, text: str) -> FloatArray:
        if self._by_words.read is not None and gives_tokens(self.embedder):
            own, (self._read_as[text],) = self.embedder.read([text], query=True)
        else:
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
        self._elsewhere_share = min(1.0, (len(view.entries) - 1) / ELSEWHERE)
        self.naming = frozenset(route.factors)
        left = self._looked_for.weighted(route.factors).without_phrases_of(route.dropped) or self.words
        self._asked = without(self.request.query, route.dropped) or self.request.query
        self.meant = self._embedded(self._asked)
        # Which document is meant, its name has said: what others say in the words of the question is not read.
        return self._ranked(self.candidates.scored(left, self.meant, route.best), route.scores, is_named=True)

    def _best_of_documents(self, scored: Scored) -> dict[str, float]:
        """The score of the best candidate of each document."""
        score = score_fusion(scored.bm25, scored.cosine, self._dense_weight)
        return self.candidates.best_of_documents(scored, score)

    def _ranked(self, scored: Scored, documents: Mapping[str, float], *, is_named: bool = False) -> tuple[Found, ...]:
        """The best, each with what it got from words, meaning and its document, and word for word where no document is named."""
        bm25, cosine = scored.bm25, scored.cosine
        self.cosines = cosine
        fused = score_fusion(bm25, cosine, self._dense_weight)
        highest = float(bm25.max()) if len(bm25) and float(bm25.max()) > 0 else 1.0
        places = self.candidates.documents(scored)
        added = np.asarray([documents.get(each, 0.0) for each in places], dtype=np.float64)
        elsewhere = self._elsewhere(scored, fused, added) if is_named else None
        told = np.zeros(len(fused)) if elsewhere is None else elsewhere
        read = self._read(scored, fused + added, is_named=is_named)
        told_weight = self.ranking.elsewhere * self._elsewhere_share * self._dense_weight
        near = sum((weight * own for weight, own in read.values()), np.zeros(len(fused)))
        total = np.round(fused + added + near + told_weight * told, 6)
        lexical_rank, dense_rank = _ranks(bm25), _ranks(cosine)
        # Only what is returned is named and explained: there are a thousand candidates.
        best = _highest(total, self.request.limit)
        ids = self.candidates.item_ids([int(scored.numbers[at]) for at in best])
        found: list[Found] = []
        for _, item_id, at in sorted((-float(total[at]), item_id, at) for at, item_id in zip(best, ids, strict=True)):
            if len(found) == self.request.limit:
                break
            words, meant = float(bm25[at]), round(float(cosine[at]), 6)
            parts = [
                Part("lexical", int(lexical_rank[at]) or None, words, 1 / highest, words / highest),
                Part(
                    "dense",
                    int(dense_rank[at]) or None,
                    meant,
                    self._dense_weight,
                    self._dense_weight * meant,
                ),
            ]
            if documents:
                parts.append(Part("document", None, float(added[at]), 1.0, float(added[at])))
            parts += [_added(name, float(own[at]), weight) for name, (weight, own) in read.items()]
            if elsewhere is not None:
                parts.append(_added("elsewhere", float(elsewhere[at]), told_weight))
            found.append(Found(item_id, places[at], float(total[at]), tuple(parts)))
        return tuple(found)

    def _elsewhere(self, scored: Scored, fused: Scores, added: Scores) -> Scores | None:
        """How near candidates come to the mean of what answers best in other documents than the one that is named, shape (n,).

        A contract may say a thing in other words than the question; among many contracts some say it in those, and are near to it.
        None: only passages were measured (ADR 0089), and where no other document is searched there is nothing to compare with.

        Source: Rocchio, in Salton (ed.), The SMART Retrieval System, 1971; of one list, without what is not relevant.
        """
        if self.request.granularity != "passage" or self.ranking.elsewhere <= 0 or not len(added):
            return None
        others = np.flatnonzero((scored.rows >= 0) & (added < added.max()))
        order = np.lexsort((scored.numbers[others], -np.round(fused[others], 6)))
        best = scored.rows[others[order]][:ELSEWHERE]
        if not len(best):
            return None
        mean = unit_rows(self.matrix.vectors(best).mean(axis=0, keepdims=True))[0]
        near = np.zeros(len(fused))
        near[scored.rows >= 0] = self.matrix.cosines(mean, scored.rows[scored.rows >= 0])
        return near

    def _read(self, scored: Scored, total: Scores, *, is_named: bool) -> dict[str, tuple[float, Scores]]:
        """(weight, shape (n,)) of how near the best candidates come word for word, by part; 0 for all that are not read."""
        # Where scores are equal, by number: what is read must not depend on the order in which it was indexed.
        order = np.lexsort((scored.numbers, -np.round(total, 6)))
        best = order[scored.rows[order] >= 0][:READ]
        share, found = self._by_words.share, {}
        if self._by_words.tokens is not None and not is_named:
            terms = " ".join(term for each in self._spoken for term in each.terms)
            asked = [(self._asked, 1.0), *([(terms, self.ranking.spoken)] if terms and self.ranking.spoken > 0 else [])]
            found["near"] = self.ranking.near * share, self._by_words.tokens.of(asked, scored.rows[best])
        tokens = self._read_as.get(self._asked)
        if self._by_words.read is not None and tokens is not None:
            found["read"] = self.ranking.read * share, self._by_words.read.of(tokens, scored.rows[best])
        near = {}
        for name, (weight, own) in found.items():
            if weight > 0:
                values = np.zeros(len(total))
                values[best] = own
                near[name] = weight, values
        return near


def _added(name: str, own: float, weight: float) -> Part:
    """What is added to a score without a rank."""
    own = round(own, 6)
    return Part(name, None, own, weight, weight * own)


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
