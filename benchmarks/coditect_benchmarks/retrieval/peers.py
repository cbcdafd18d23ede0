"""The peers that are installed, and a line for each that is not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from coditect.errors import UsageError
from coditect.models.port import Embedder
from coditect_benchmarks.retrieval.cuts import PASSAGE_TOKENS, Cut, fixed, recursive, whole
from coditect_benchmarks.retrieval.formats import RetrievalSet
from coditect_benchmarks.retrieval.peers_bm25 import Bm25s, RankBm25
from coditect_benchmarks.retrieval.peers_dense import DensePassages, JoinedPassages
from coditect_benchmarks.retrieval.peers_llamaindex import AutoMerging
from coditect_benchmarks.retrieval.peers_tantivy import TantivyBm25
from coditect_benchmarks.retrieval.system import System

__all__ = ["peers"]


def peers(data: RetrievalSet, embedder: Embedder | None, ours: Cut | None) -> tuple[list[System], list[str]]:
    """The peers for a set.

    Args:
        data: the set; where all its gold is documents, plain BM25 over whole documents joins.
        embedder: the product's, for LlamaIndex and plain vectors; None leaves them out.
        ours: the product's passages, or None.
    Returns:
        the peers, and what is missing.
    """
    found: list[System] = [TantivyBm25("tantivy BM25, 500 characters", fixed)]
    if ours is not None:
        found.append(TantivyBm25("tantivy BM25, our passages", ours))
    by_document = all(item.whole for query in data.queries for item in query.gold)
    if by_document:
        found.append(TantivyBm25("tantivy BM25, whole documents", whole))
    if embedder is not None and by_document:
        found.append(JoinedPassages("BM25/max + cosine, whole documents", whole, embedder))
    elif embedder is not None:
        for size in PASSAGE_TOKENS:
            cut = partial(recursive, size=size)
            found.append(DensePassages(f"recursive splitter, {size} tokens, dense", cut, embedder))
    makers: list[Callable[[], System]] = [lambda: Bm25s(fixed), lambda: RankBm25(fixed)]
    if embedder is not None:
        makers.append(lambda: AutoMerging(embedder))
    missing = []
    for make in makers:
        try:
            found.append(make())
        except UsageError as error:
            missing.append(f"{error.message}: pip install 'coditect-knowledge[bench]'")
    return found, missing
