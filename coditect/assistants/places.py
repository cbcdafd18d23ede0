"""Addresses that citations carry, and that resolve as resources: to the same words later, since the generation is in them."""

from __future__ import annotations

from urllib.parse import quote

__all__ = ["DOCUMENT", "ITEM", "document_uri", "item_uri"]

DOCUMENT = "coditect://corpora/{corpus_id}/{generation}/documents/{version_id}{?start,end}"
"""RFC 6570: a document's canonical text, or the code points from start to before end."""

ITEM = "coditect://corpora/{corpus_id}/{generation}/items/{item_id}"
"""An item of any tier, with its chain of evidence."""


def document_uri(
    corpus_id: str, generation: int, version_id: str, start: int | None = None, end: int | None = None
) -> str:
    """The address of a document's text, or of a part of it.

    Args:
        corpus_id: of the corpus.
        generation: that holds it.
        version_id: of the document's version.
        start: the first code point; None: the whole text.
        end: one past the last.
    """
    part = "" if start is None or end is None else f"?start={start}&end={end}"
    return f"coditect://corpora/{quote(corpus_id, safe='')}/{generation}/documents/{version_id}{part}"


def item_uri(corpus_id: str, generation: int, item_id: str) -> str:
    """The address of an item."""
    return f"coditect://corpora/{quote(corpus_id, safe='')}/{generation}/items/{item_id}"
