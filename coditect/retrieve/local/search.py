"""Search: words and meaning as one score, routed from document to passage (ADR 0017)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from coditect.errors import UsageError
from coditect.models.port import Embedder, IntArray, Reranker, TokenVectors
from coditect.retrieve.gate.background import Everyday, rarity_of, with_spoken
from coditect.retrieve.languages import foreign_language
from coditect.retrieve.local.lexical import LexicalIndex
from coditect.retrieve.local.meaning.dense import DenseIndex
from coditect.retrieve.local.meaning.tokens import inside_documents
from coditect.retrieve.local.parameters import RANKING, RankingParameters
from coditect.retrieve.local.ranker import Ranker, WordForWord
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.routing import Router
from coditect.retrieve.local.vectors import Vectors
from coditect.retrieve.lookup.numbers import asked_numbers, coded_documents, is_about_numbers
from coditect.retrieve.port import Answer, Filter, Found, Match, Part, Request
from coditect.retrieve.recent import Recent
from coditect.retrieve.rerank import reranked
from coditect.retrieve.spelling import respelled, spelled_as_here
from coditect.retrieve.spoken import Spoken, spoken_beside, wanting
from coditect.retrieve.units import DOCUMENT_GRANULARITIES, IndexName, indexed_as
from coditect.retrieve.words import read_words
from coditect.store.view import View

if TYPE_CHECKING:
    from coditect.retrieve.prepared import Prepared

__all__ = ["HybridSearcher"]

KEPT_FILTERS = 16
"""Filters whose rows are kept in memory."""


class HybridSearcher:
    """A :class:`~coditect.retrieve.port.Searcher` over local replicas. Safe for threads.

    Args:
        replicas: the lexical indexes.
        embedder: opens the configured model; None, or one that returns None: search is lexical.
        reranker: opens the configured reranker; likewise.
        ranking: the figures that decide the order.
        words: opens vectors of tokens, by which passages are read word for word; None: they are not.
        reads: passages are read by the embedder's own tokens, too, where it gives them.
    """

    def __init__(
        self,
        replicas: Replicas,
        embedder: Callable[[], Embedder | None] | None = None,
        reranker: Callable[[], Reranker | None] | None = None,
        ranking: RankingParameters = RANKING,
        words: Callable[[], TokenVectors] | None = None,
        *,
        reads: bool = True,
    ) -> None:
        self.replicas = replicas
        self.ranking = ranking
        self._open_words = words
        self._reads = reads
        self._open_embedder = embedder
        self._open_reranker = reranker
        self._router = Router(replicas, ranking)
        self._let_through: Recent[tuple[str, IndexName, Filter], IntArray] = Recent(KEPT_FILTERS)

    def with_ranking(self, ranking: RankingParameters) -> HybridSearcher:
        """The same replicas and models, ranked by other figures; for comparing them."""
        opened = self._open_embedder, self._open_reranker
        other = HybridSearcher(self.replicas, *opened, ranking, self._open_words, reads=self._reads)
        other._vectors = self._vectors
        other._let_through = self._let_through
        return other

    @cached_property
    def _vectors(self) -> Vectors | None:
        embedder = self._open_embedder() if self._open_embedder is not None else None
        if embedder is None:
            return None
        words = self._open_words() if self._open_words is not None else None
        return Vectors(self.replicas, embedder, words, reads=self._reads)

    @cached_property
    def everyday(self) -> Everyday | None:
        """What the relevance gate compares cosines with; None without an embedder."""
        return None if self._vectors is None else Everyday(self._vectors.embedder, self.replicas.folder)

    @cached_property
    def _reranker(self) -> Reranker | None:
        return self._open_reranker() if self._open_reranker is not None else None

    def forget(self, corpus_id: str) -> Sequence[str]:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        self._router = Router(self.replicas, self.ranking)
        self._let_through = Recent(KEPT_FILTERS)
        self.__dict__.pop("_vectors", None)
        return self.replicas.forget(corpus_id)

    @contextmanager
    def preparing(self, corpus_id: str) -> Iterator[Prepared | None]:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        from coditect.retrieve.local.meaning.making import LocalPreparing  # no question needs it
        from coditect.retrieve.prepared import Prepared

        vectors = self._vectors
        # Static vectors are sums of rows of a table; another model is not opened once more in each process.
        is_static = vectors is not None and getattr(vectors.embedder, "tokens_id", "") != ""
        models = (self._open_embedder, self._open_words) if is_static else (None, None)
        with ExitStack() as stack:
            try:
                folder = stack.enter_context(self.replicas.work(corpus_id))
            except OSError:  # who makes the replica tells of it
                yield None
                return
            yield Prepared(LocalPreparing(self.replicas.level, *models), folder)

    def refresh(
        self, view: View, progress: Callable[[str, int, int], None] | None = None, prepared: Prepared | None = None
    ) -> None:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        vectors = self._vectors
        self.replicas.index(view, "section", None if vectors is None else vectors.beside, prepared)
        if vectors is not None:
            vectors.index(view, "section", progress, prepared)

    def is_ready(self, view: View) -> bool:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        return self.replicas.has(view) and (self._vectors is None or self._vectors.has(view))

    def search(self, view: View, request: Request) -> Answer:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        lexical = self.replicas.index(view, indexed_as(request.granularity))
        named = _named(view, lexical, request) if request.mode in ("hybrid", "exact") else ()
        if request.mode == "exact":
            return Answer(mode="exact", named=named)
        request = self._respelled(view, request, spelled_as_here)
        asked, request = request, self._respelled(view, request, respelled)
        answer = replace(self._ranked(view, request, lexical), named=named)
        if request is not asked:
            answer = replace(answer, read_as=request.query)
        return answer

    def _respelled(self, view: View, request: Request, spell: Callable[[str, Callable[[str], int]], str]) -> Request:
        """The question with its unknown words as the statements of the corpus spell them; the same one where it has none."""
        if foreign_language(request.query):
            return request
        index = self.replicas.index(view, "extraction")
        query = spell(request.query, lambda stem: max(index.frequency("text", stem), index.frequency("heading", stem)))
        return request if query == request.query else replace(request, query=query)

    def _ranked(self, view: View, request: Request, lexical: LexicalIndex) -> Answer:
        """What answers, best first, without what is looked up."""
        background = rarity_of(request.query, len(lexical), partial(lexical.frequency, "text"))
        spoken = self._spoken(request, lexical)
        background = with_spoken(background, spoken, partial(lexical.frequency, "text"))
        vectors = None if request.mode == "lexical" else self._vectors
        if vectors is None:
            if request.mode == "dense":
                raise UsageError("dense search needs an embedder", hint="Configure one: CODITECT_EMBEDDER=wordllama.")
            found = _lexical(lexical, request, self.ranking, spoken)
            return Answer(found, "", "lexical", background=background, spoken=spoken)
        matrix = vectors.index(view, indexed_as(request.granularity))
        allowed = self._allowed(view, request, lexical, matrix)
        word_for_word = None
        if request.granularity == "passage":
            share = inside_documents(len(view.entries), len(lexical))
            word_for_word = WordForWord(vectors.nearness(view), vectors.read_nearness(view), share)
        search = Ranker(lexical, matrix, vectors.embedder, request, allowed, self.ranking, spoken, word_for_word)
        if request.mode == "dense":
            found = search.dense()
        elif request.fusion == "rrf":
            found = search.by_rank()
        elif indexed_as(request.granularity) in DOCUMENT_GRANULARITIES:
            # Nobody has measured what names say of statements and chunks.
            found = search.routed(self._router, view, background if request.granularity == "passage" else None)
        else:
            found = search.by_score()
        if self.everyday is not None:
            meant = search.vector if search.meant is None else search.meant
            filtered = request.only is not None
            background = self.everyday.beside(background, search.cosines, matrix, meant, filtered=filtered)
        return Answer(found, vectors.embedder.card.model_id, request.mode, search.naming, background, spoken=spoken)

    def _spoken(self, request: Request, lexical: LexicalIndex) -> tuple[Spoken, ...]:
        """What the question says in everyday words that the documents do not use."""
        if self.ranking.spoken <= 0 or indexed_as(request.granularity) not in DOCUMENT_GRANULARITIES:
            return ()  # Nobody has measured it on sections and claims.
        return wanting(request.query, lexical.saying, partial(lexical.frequency, "text"))

    def _allowed(self, view: View, request: Request, lexical: LexicalIndex, matrix: DenseIndex) -> IntArray | None:
        """The rows that a question's filter lets through, increasing; None: all. Kept for the next question."""
        only = request.only
        if only is None:
            return None

        def let_through() -> IntArray:
            rows = matrix.rows_of(lexical.allowed(only))
            return np.sort(rows[rows >= 0])

        return self._let_through.get((view.shown_as, indexed_as(request.granularity), only), let_through)

    def rerank(self, query: str, found: Sequence[Found], texts: Sequence[str]) -> tuple[Found, ...]:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        return reranked(self._reranker, query, found, texts)


def _named(view: View, lexical: LexicalIndex, request: Request) -> tuple[Match, ...]:
    """Units that print a number which the question names; one that is asked for by a document's code only in that document."""
    if indexed_as(request.granularity) not in DOCUMENT_GRANULARITIES:
        return ()
    found: dict[str, Match] = {}
    numbers = asked_numbers(request.query)
    if request.mode != "exact" and not is_about_numbers(request.query, numbers):
        return ()
    for asked in numbers:
        only = request.only
        if asked.code:
            coded = coded_documents(asked.code, view.documents.values())
            allowed = coded if only is None or only.documents is None else coded & only.documents
            only = replace(only or Filter(), documents=allowed)
        found.update((each.item_id, each) for each in lexical.numbered(asked.key, only))
    return tuple(found.values())


def _lexical(
    index: LexicalIndex, request: Request, ranking: RankingParameters, spoken: Sequence[Spoken]
) -> tuple[Found, ...]:
    words = spoken_beside(read_words(request.query), spoken, ranking.spoken)
    matches = index.search(words, request.limit, boosts=ranking.boosts_of(request.granularity), only=request.only)
    return tuple(
        Found(m.item_id, m.document_id, m.score, (Part("lexical", rank, m.score, 1.0, m.score),))
        for rank, m in enumerate(matches, 1)
    )
