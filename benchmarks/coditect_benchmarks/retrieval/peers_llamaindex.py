"""LlamaIndex's hierarchical parser with its auto-merging retriever, over vectors of the embedder that the product uses."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from coditect.errors import UsageError
from coditect.models.port import Embedder
from coditect_benchmarks.retrieval.formats import Document
from coditect_benchmarks.retrieval.system import Span, optional

__all__ = ["AutoMerging"]

_CORE = "llama_index.core"
_SLOW_QUERIES = 100


class AutoMerging:
    """Nodes of 2048, 512 and 128 tokens (its defaults); leaves are matched, and merged into parents where most of them match.

    Its in-memory vector store compares vectors one by one in Python, so that it is asked a sample only.

    Args:
        embedder: the product's.
    Raises:
        UsageError: llama-index-core is not installed.
    """

    name = "LlamaIndex auto-merging"
    most_queries: int | None = _SLOW_QUERIES

    def __init__(self, embedder: Embedder) -> None:
        if optional(_CORE) is None:
            raise UsageError("llama-index-core is not installed")
        self._embedder = embedder
        self._index: Any = None
        self._context: Any = None
        self._spans: dict[str, Span] = {}

    def index(self, documents: Sequence[Document]) -> None:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        schema, parsers = _part("schema"), _part("node_parser")
        core = importlib.import_module(_CORE)
        # With its metadata included, the splitter would take the words of long names out of each node's 128 tokens.
        parser = parsers.HierarchicalNodeParser.from_defaults(include_metadata=False)
        nodes: list[Any] = []
        for document in documents:
            own = parser.get_nodes_from_documents([schema.Document(text=document.text, id_=document.id)])
            self._spans |= _located(own, document)
            for node in own:
                node.metadata = {"document": document.id, "name": document.label}
                node.excluded_embed_metadata_keys = ["document"]
            nodes += own
        self._context = core.StorageContext.from_defaults()
        self._context.docstore.add_documents(nodes)
        self._index = core.VectorStoreIndex(
            parsers.get_leaf_nodes(nodes), storage_context=self._context, embed_model=_embedding(self._embedder)
        )

    def search(self, query: str, k: int, within: str | None = None) -> list[Span]:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        filters = None
        if within is not None:
            stores = _part("vector_stores")
            filters = stores.MetadataFilters(filters=[stores.ExactMatchFilter(key="document", value=within)])
        base = self._index.as_retriever(similarity_top_k=k, filters=filters)
        retriever = _part("retrievers").AutoMergingRetriever(base, self._context)
        found = []
        for hit in retriever.retrieve(query):
            span = self._spans[hit.node.node_id]
            found.append(Span(span.document, span.start, span.end, float(hit.score or 0.0)))
        return found


def _part(name: str) -> Any:  # noqa: ANN401 - the library need not be installed
    return importlib.import_module(f"{_CORE}.{name}")


def _located(nodes: Sequence[Any], document: Document) -> dict[str, Span]:
    """Where each node stands in its document; the library counts from a node's parent. Parents come before children."""
    spans: dict[str, Span] = {}
    last: dict[str, int] = {}
    for node in nodes:
        parent = node.parent_node.node_id if node.parent_node else ""
        text = node.get_content()
        # Neighbours overlap: look from the last one's start, not its end.
        start = document.text.find(text, last.get(parent, spans[parent].start if parent else 0))
        if start < 0:
            start = document.text.find(text)
        span = spans[parent] if start < 0 and parent else Span(document.id, max(start, 0), max(start, 0) + len(text))
        spans[node.node_id] = span
        last[parent] = span.start
    return spans


def _embedding(embedder: Embedder) -> Any:  # noqa: ANN401 - the library need not be installed
    base: Any = _part("base.embeddings.base").BaseEmbedding

    class PortEmbedding(base):  # type: ignore[misc] # the library need not be installed
        """Our embedder behind theirs."""

        def _get_query_embedding(self, query: str) -> list[float]:
            return [float(x) for x in embedder.embed([query], query=True)[0]]

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_query_embedding(query)

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return [[float(x) for x in row] for row in embedder.embed(texts)]

    return PortEmbedding(model_name=embedder.card.model_id, embed_batch_size=256)
