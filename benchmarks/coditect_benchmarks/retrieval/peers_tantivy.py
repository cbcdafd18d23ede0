"""Plain tantivy BM25 over passages: the reference that a hybrid search must beat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import tantivy

from coditect_benchmarks.retrieval.cuts import Cut
from coditect_benchmarks.retrieval.formats import Document
from coditect_benchmarks.retrieval.system import Span

__all__ = ["TantivyBm25"]

_WORD = re.compile(r"\w+")
_HEAP_BYTES = 100_000_000


class TantivyBm25:
    """BM25 with English stemming over a passage's text and its document's name, both unweighted.

    Args:
        name: for the table.
        cut: makes the passages.
    """

    most_queries: int | None = None

    def __init__(self, name: str, cut: Cut) -> None:
        self.name = name
        self._cut = cut
        self._index: Any = None
        self._schema: Any = None
        self._passages: list[Span] = []

    @property
    def passages(self) -> Sequence[Span]:
        """Those that were indexed, in document order."""
        return self._passages

    def index(self, documents: Sequence[Document]) -> None:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("document", tokenizer_name="raw", index_option="basic")
        builder.add_unsigned_field("number", stored=True)
        builder.add_text_field("text", tokenizer_name="en_stem")
        builder.add_text_field("title", tokenizer_name="en_stem")
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema)
        writer = self._index.writer(_HEAP_BYTES, 1)
        by_id = {document.id: document for document in documents}
        self._passages = self._cut(documents)
        for number, passage in enumerate(self._passages):
            document = by_id[passage.document]
            writer.add_document(
                tantivy.Document(
                    document=document.id,
                    number=number,
                    text=document.text[passage.start : passage.end],
                    title=" ".join(_WORD.findall(document.label.replace("_", " "))),
                )
            )
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def search(self, query: str, k: int, within: str | None = None) -> list[Span]:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        words = " ".join(_WORD.findall(query.lower()))
        if not words:
            return []
        parsed, _ = self._index.parse_query_lenient(words, ["text", "title"])
        if within is not None:
            only = tantivy.Query.term_query(self._schema, "document", within)
            parsed = tantivy.Query.boolean_query(
                [(tantivy.Occur.Must, tantivy.Query.const_score_query(only, 0.0)), (tantivy.Occur.Must, parsed)]
            )
        searcher = self._index.searcher()
        found = []
        for score, address in searcher.search(parsed, k).hits:
            passage = self._passages[int(searcher.doc(address).get_first("number"))]
            found.append(Span(passage.document, passage.start, passage.end, float(score)))
        return found
