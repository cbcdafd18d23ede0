"""One tier of one generation as a tantivy index: BM25 with English stemming over headings and text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tantivy

from coditect.retrieve.port import Match
from coditect.text.terms import STOPWORDS

__all__ = ["LEXICAL", "IndexedItem", "LexicalIndex"]

LEXICAL = "tantivy/1"
"""Version of the index layout; a replica of another one is made anew."""

HEADING_BOOST = 1.5
TITLE_BOOST = 0.5

_FIELDS = ["text", "heading", "title"]
_PHRASE = re.compile(r"[\"“]([^\"”]+)[\"”]")
_WORD = re.compile(r"\w+")
_HEAP_BYTES = 60_000_000
_TIES = 30


@dataclass(frozen=True, slots=True)
class IndexedItem:
    """What the index knows of an item."""

    item_id: str
    document_id: str
    title: str
    heading: str
    text: str


def _schema() -> Any:  # noqa: ANN401 - tantivy ships no types
    builder = tantivy.SchemaBuilder()
    for name in ("item_id", "document_id"):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    for name in _FIELDS:
        builder.add_text_field(name, stored=False, tokenizer_name="en_stem", index_option="position")
    return builder.build()


class LexicalIndex:
    """An index in a folder.

    Args:
        folder: where it is, or will be.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._index = tantivy.Index(_schema(), path=str(folder), reuse=True)

    def update(self, without_documents: Iterable[str], items: Iterable[IndexedItem]) -> None:
        """Remove all items of some documents and add others, in one commit."""
        # One thread and one segment: the order of equal scores does not depend on timing.
        writer = self._index.writer(_HEAP_BYTES, 1)
        for document_id in without_documents:
            writer.delete_documents("document_id", document_id)
        for item in items:
            writer.add_document(
                tantivy.Document(
                    item_id=item.item_id,
                    document_id=item.document_id,
                    title=item.title,
                    heading=item.heading,
                    text=item.text,
                )
            )
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def search(self, query: str, limit: int) -> list[Match]:
        """The best items for words and quoted phrases, best first."""
        words = parsable(query)
        if not words:
            return []
        boosts = {"heading": HEADING_BOOST, "title": TITLE_BOOST}
        parsed, _ = self._index.parse_query_lenient(words, _FIELDS, field_boosts=boosts)
        searcher = self._index.searcher()
        found = []
        for score, address in searcher.search(parsed, limit + _TIES).hits:
            stored = searcher.doc(address)
            found.append(
                Match(str(stored.get_first("item_id")), str(stored.get_first("document_id")), round(float(score), 4))
            )
        found.sort(key=lambda match: (-match.score, match.item_id))
        return found[:limit]


def parsable(query: str) -> str:
    """A user's words as a query that cannot be misread as operators: phrases in quotes, all else plain words."""
    phrases = [" ".join(_WORD.findall(phrase)) for phrase in _PHRASE.findall(query)]
    words = [word.lower() for word in _WORD.findall(_PHRASE.sub(" ", query))]
    # "how long do we keep audit logs": function words would win by their number.
    rest = [word for word in words if word not in STOPWORDS] or words
    return " ".join([*(f'"{phrase.lower()}"' for phrase in phrases if phrase), *rest])
