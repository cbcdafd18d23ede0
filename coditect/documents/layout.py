"""The layout of a document version as bytes: blocks, page map and places of words, stored beside the text."""

from __future__ import annotations

from dataclasses import replace

import orjson

from coditect.documents.source import Block, PageSpan, Proposal, SourceText
from coditect.errors import Corrupt
from coditect.schemas import DocumentVersion, canonical_json

__all__ = ["decode_layout", "encode_layout", "page_of", "version_source"]


def encode_layout(source: SourceText) -> bytes:
    """The blocks and pages of a document as canonical JSON, with places of words and proposals where there are such."""
    written: dict[str, object] = {
        "blocks": [[b.start, b.end, b.kind, b.level, b.label] for b in source.blocks],
        "pages": [[p.number, p.start, p.end, p.label] for p in source.pages],
    }
    if source.places:
        written["places"] = source.places
    if source.proposed:
        written["proposed"] = [[p.start, p.end, p.author, p.day] for p in source.proposed]
    return canonical_json(written)


def decode_layout(text: str, layout: bytes, *, media_type: str, title: str, reader: str) -> SourceText:
    """The source text again, from what was stored.

    Raises:
        Corrupt: the bytes are not a layout.
    """
    try:
        data = orjson.loads(layout)
        blocks = tuple(Block(*row) for row in data["blocks"])
        pages = tuple(PageSpan(*row) for row in data["pages"])
        places = str(data.get("places", ""))
        proposed = tuple(Proposal(*row) for row in data.get("proposed", ()))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Corrupt("a stored layout cannot be read") from error
    found = SourceText(text=text, media_type=media_type, title=title, blocks=blocks, pages=pages, reader=reader)
    return replace(found, places=places, proposed=proposed) if places or proposed else found


def version_source(version: DocumentVersion, text: str, layout: bytes) -> SourceText:
    """The source text of a stored document version.

    Args:
        version: the document version.
        text: its canonical text; may be empty where only pages are wanted.
        layout: its layout as :func:`encode_layout` wrote it.
    Raises:
        Corrupt: the bytes are not a layout.
    """
    return decode_layout(text, layout, media_type=version.media_type, title=version.title, reader=version.reader)


def page_of(pages: tuple[PageSpan, ...], offset: int) -> int | None:
    """The page that holds a code point, or None where the document has no pages."""
    return next((page.number for page in reversed(pages) if page.start <= offset), None)
