"""Search in a Qdrant vector store, which ranks words and meaning and fuses them by itself (ADR 0018).

The default searcher (:mod:`coditect.retrieve.local.search`) routes from document to passage and scores exactly; this one is for
those who run Qdrant anyway, or whose vectors do not fit one machine. It needs the extra ``[qdrant]``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING

import numpy as np

from coditect.errors import UsageError
from coditect.models.port import Embedder, FusionParameters, Reranker
from coditect.retrieve.embedding import UnitVectors
from coditect.retrieve.port import Answer, Found, Match, Part, Request
from coditect.retrieve.qdrant.collection import DENSE_VECTOR, UnitCollection, forget_points, sparse_vector
from coditect.retrieve.qdrant.connection import answering, is_server, open_client, require_client
from coditect.retrieve.qdrant.fusion import by_distribution, by_rank
from coditect.retrieve.qdrant.units import require_dimension
from coditect.retrieve.qdrant.weights import SparseWeights, weights_for
from coditect.retrieve.rerank import reranked
from coditect.retrieve.units import indexed_as
from coditect.store.store import Store
from coditect.store.view import View

if TYPE_CHECKING:
    from qdrant_client import QdrantClient, models

__all__ = ["QdrantSearcher"]

Asked = tuple["models.SparseVector | list[float]", str]
"""A question as a vector, and the name of the vectors that it is compared with."""

CANDIDATES = 200
"""Units that words and meaning each propose."""

_TIES = 30
_DECIMALS = 6


class QdrantSearcher:
    """A :class:`~coditect.retrieve.port.Searcher` over a collection of a Qdrant vector store.

    Safe for threads: a server is asked by several at once, a folder by one after the other.

    Args:
        store: whose generations are followed.
        place: of the vector store; see :func:`~coditect.retrieve.qdrant.connection.open_client`.
        embedder: opens the configured model.
        reranker: opens the configured reranker; None, or one that returns None: there is none.
        level: the level of passages that is searched.
        api_key: of the vector store's server.
    Raises:
        UsageError: the client is not installed, or no place is named.
    """

    def __init__(
        self,
        store: Store,
        place: str,
        embedder: Callable[[], Embedder | None] | None,
        reranker: Callable[[], Reranker | None] | None = None,
        *,
        level: int = 0,
        api_key: str | None = None,
    ) -> None:
        require_client(place)
        self.place = place
        self._store = store
        self._level = level
        self._open_embedder = embedder
        self._open_reranker = reranker
        self._api_key = api_key
        self._turn: AbstractContextManager[object] = nullcontext() if is_server(place) else RLock()

    @cached_property
    def _embedder(self) -> Embedder:
        embedder = self._open_embedder() if self._open_embedder is not None else None
        if embedder is None:
            raise UsageError(
                "a vector store needs an embedder",
                hint="Configure one: CODITECT_EMBEDDER=wordllama; or unset CODITECT_QDRANT.",
            )
        return embedder

    @cached_property
    def _client(self) -> QdrantClient:
        return open_client(self.place, self._api_key)

    @cached_property
    def _weights(self) -> SparseWeights:
        return weights_for(self._embedder)

    @cached_property
    def _collection(self) -> UnitCollection:
        vectors = UnitVectors(self._store, self._level, self._embedder)
        return UnitCollection(self._client, vectors, self._weights, indexed=is_server(self.place))

    @cached_property
    def _reranker(self) -> Reranker | None:
        return self._open_reranker() if self._open_reranker is not None else None

    def forget(self, corpus_id: str) -> Sequence[str]:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        with self._turn, answering(self.place):
            forget_points(self._client, corpus_id, whole=not is_server(self.place))
            if "_collection" in self.__dict__:  # else no model was opened, and none need be
                self._collection.reset()
        return ()

    def preparing(self, corpus_id: str) -> AbstractContextManager[None]:
        """See :class:`~coditect.retrieve.port.Searcher`; a collection is filled from the store."""
        return nullcontext()

    def refresh(
        self, view: View, progress: Callable[[str, int, int], None] | None = None, prepared: object = None
    ) -> None:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        with self._turn:
            collection = self._collection
            with answering(self.place):
                collection.follow(view, progress)

    def is_ready(self, view: View) -> bool:
        """See :class:`~coditect.retrieve.port.Searcher`. All servers share one collection, which whoever builds fills."""
        return True

    def rerank(self, query: str, found: Sequence[Found], texts: Sequence[str]) -> tuple[Found, ...]:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        return reranked(self._reranker, query, found, texts)

    def close(self) -> None:
        """Let the vector store go; a folder can then be opened by another process."""
        if "_client" in self.__dict__:
            self._client.close()
            del self.__dict__["_client"]
            self.__dict__.pop("_collection", None)

    def search(self, view: View, request: Request) -> Answer:
        """The best units; see :class:`~coditect.retrieve.port.Searcher`.

        Reciprocal rank fusion is Qdrant's own, and so is fusion by score, which it calls distribution-based: each list's scores
        by their mean and deviation. What words and meaning say by themselves is asked for in the same round trip, for explanations
        and the relevance gate.
        """
        if request.mode == "exact":
            return Answer(mode="exact")
        model_id = self._embedder.card.model_id
        answer = Answer((), "" if request.mode == "lexical" else model_id, request.mode)
        if request.only is not None and any(values is not None and not values for _, values in request.only.fields()):
            return answer  # a filter that lets nothing through
        queries = self._queries(request)
        if not queries:
            return answer
        granularity = indexed_as(request.granularity)
        with self._turn:
            collection = self._collection
            with answering(self.place):
                collection.ready(view, granularity)
                where = collection.condition(view, granularity, request.only)
                lists, fused = self._asked(queries, where, request)
        if fused is None:
            return replace(answer, found=_alone(lists, request.limit))
        return replace(answer, found=_joined(lists, fused, request, self._fusion))

    @property
    def _fusion(self) -> FusionParameters:
        return self._embedder.card.fusion

    def _asked(
        self, queries: Mapping[str, Asked], where: models.Filter, request: Request
    ) -> tuple[dict[str, list[Match]], list[Match] | None]:
        """(what each part proposes, what comes of both by the vector store's own fusion; None for one part)."""
        from qdrant_client import models

        wide = max(CANDIDATES, request.limit) if len(queries) > 1 else request.limit + _TIES
        shown = models.PayloadSelectorInclude(include=["item_id", "document_id"])
        asked = [
            models.QueryRequest(query=query, using=name, filter=where, limit=wide, with_payload=shown)
            for query, name in queries.values()
        ]
        if len(queries) > 1:
            prefetch = [
                models.Prefetch(query=query, using=name, filter=where, limit=wide) for query, name in queries.values()
            ]
            limit = request.limit + _TIES
            asked.append(
                models.QueryRequest(prefetch=prefetch, query=self._fused_by(request), limit=limit, with_payload=shown)
            )
        answers = [
            [_match(point.payload or {}, point.score) for point in response.points]
            for response in self._client.query_batch_points(self._collection.name, asked)
        ]
        return dict(zip(queries, answers, strict=False)), answers[-1] if len(queries) > 1 else None

    def _fused_by(self, request: Request) -> models.FusionQuery | models.RrfQuery:
        from qdrant_client import models

        if request.fusion == "score":
            return models.FusionQuery(fusion=models.Fusion.DBSF)
        weights = list(self._fusion.rrf_weights)
        return models.RrfQuery(
            # Weights are the newest of this: they are not sent where they say nothing.
            rrf=models.Rrf(k=round(self._fusion.rrf_k), weights=weights if weights != [1.0, 1.0] else None)
        )

    def _queries(self, request: Request) -> dict[str, Asked]:
        """What each part asks for, and the vector that it asks; parts without a word are left out."""
        from qdrant_client import models

        found: dict[str, Asked] = {}
        if request.mode != "dense":
            weights = self._weights.of_query(request.query)
            if weights:
                vector = models.SparseVector(indices=list(weights), values=list(weights.values()))
                found["lexical"] = vector, sparse_vector(indexed_as(request.granularity))
        if request.mode != "lexical":
            row = np.asarray(self._embedder.embed([request.query], query=True)[0])
            require_dimension(self._embedder.card, row)
            found["dense"] = row.tolist(), DENSE_VECTOR
        return found


def _match(payload: Mapping[str, object], score: float) -> Match:
    return Match(str(payload["item_id"]), str(payload["document_id"]), float(score))


def _best(found: Iterable[Found], limit: int) -> tuple[Found, ...]:
    return tuple(sorted(found, key=lambda each: (-each.score, each.item_id))[:limit])


def _alone(lists: Mapping[str, list[Match]], limit: int) -> tuple[Found, ...]:
    """The hits of an answer in which only one part took part."""
    ((name, hits),) = lists.items()
    ordered = sorted(hits, key=lambda hit: (-round(hit.score, _DECIMALS), hit.item_id))[:limit]
    return tuple(
        Found(hit.item_id, hit.document_id, score, (Part(name, rank, score, 1.0, score),))
        for rank, hit in enumerate(ordered, 1)
        for score in (round(hit.score, _DECIMALS),)
    )


def _joined(
    lists: Mapping[str, list[Match]], fused: Sequence[Match], request: Request, fusion: FusionParameters
) -> tuple[Found, ...]:
    """What the vector store fused, with what each part said of it."""
    weights = dict(zip(("lexical", "dense"), fusion.rrf_weights, strict=True))
    parts: dict[str, list[Part]] = {}
    for name, hits in lists.items():
        if request.fusion == "score":
            weight, contributions = 1.0, by_distribution([hit.score for hit in hits])
        else:
            weight, contributions = weights[name], by_rank(len(hits), round(fusion.rrf_k), weights[name])
        for rank, (hit, contribution) in enumerate(zip(hits, contributions, strict=True), 1):
            parts.setdefault(hit.item_id, []).append(
                Part(name, rank, round(hit.score, _DECIMALS), weight, contribution)
            )
    found = (
        Found(hit.item_id, hit.document_id, round(hit.score, _DECIMALS), tuple(parts.get(hit.item_id, ())))
        for hit in fused
    )
    return _best(found, request.limit)
