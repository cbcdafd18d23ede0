"""A small corpus with vectors, and searchers over it, for the tests of the Qdrant adapter."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_args

from coditect.models.port import Embedder
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.retrieve.port import Filter, Request
from coditect.retrieve.qdrant.searcher import QdrantSearcher
from coditect.schemas import Fusion, Granularity, SearchMode
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.embedder.hashing import HashingEmbedder
from tests.corpora import CORPUS

__all__ = ["GRANULARITIES", "QUESTION", "default_searcher", "found", "opener", "qdrant_searcher", "request", "view_of"]

QUESTION = "notify customers of an incident within 72 hours"
GRANULARITIES: tuple[Granularity, ...] = get_args(Granularity)


def opener(embedder: Embedder) -> Callable[[], Embedder]:
    """Opens an embedder that is open."""
    return partial(_given, embedder)


def _given(embedder: Embedder) -> Embedder:
    return embedder


def qdrant_searcher(store: Store, embedder: Embedder | None = None, *, place: str = ":memory:") -> QdrantSearcher:
    """The adapter in local mode."""
    return QdrantSearcher(store, place, opener(embedder or HashingEmbedder()))


def default_searcher(store: Store, cache: Path, embedder: Embedder | None = None) -> HybridSearcher:
    """What it is compared with."""
    return HybridSearcher(Replicas(store, cache), opener(embedder or HashingEmbedder()))


def view_of(store: Store, generation: int | None = None, corpus: str = CORPUS) -> View:
    """A corpus, now or then."""
    return open_view(store, corpus, generation)


def request(
    mode: SearchMode = "dense",
    *,
    granularity: Granularity = "extraction",
    limit: int = 10,
    only: Filter | None = None,
    query: str = QUESTION,
    fusion: Fusion = "score",
) -> Request:
    """A question."""
    return Request(query, granularity, limit, mode, fusion, only)


def found(searcher: QdrantSearcher | HybridSearcher, view: View, asked: Request) -> list[str]:
    """Ids of what answers."""
    return [each.item_id for each in searcher.search(view, asked).found]
