"""Tier 1 that does not come from the rules: a quote that a model or a program found, placed in its document and checked."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from coditect.documents.source import SourceText
from coditect.documents.structure.outline import OutlineSection, printed
from coditect.schemas import DocumentVersion, Extraction, ExtractionKind
from coditect.tiers.evidence import require_extraction

__all__ = ["place_extraction"]


def place_extraction(
    version: DocumentVersion,
    derivation_id: str,
    source: SourceText,
    sections: Sequence[OutlineSection],
    *,
    kind: ExtractionKind,
    data: Mapping[str, JsonValue],
    quote: str,
    start: int,
    end: int,
    confidence: float,
) -> Extraction:
    """The extraction of a quote, under the innermost section that holds all of it, checked against the text like every other.

    Args:
        version: the document version.
        derivation_id: the step that found it.
        source: the document's text.
        sections: its outline, in document order.
        kind: what kind of extraction it is.
        data: what was found, any JSON object.
        quote: the words that are claimed to stand there.
        start: first code point of the quote in the canonical text.
        end: one past its last code point.
        confidence: 0..1.
    Raises:
        QuoteNotFound: the quote is not the document's text at the offsets.
    """
    index = max(bisect_right(sections, start, key=lambda each: each.start) - 1, 0)
    while index > 0 and sections[index].end < end:
        index = max(sections[index].parent, 0)
    record = Extraction.create(
        corpus_id=version.corpus_id,
        document_id=version.document_id,
        version_id=version.version_id,
        derivation_id=derivation_id,
        extraction_kind=kind,
        tier1_data=dict(data),
        source_text=quote,
        char_offset_start=start,
        char_offset_end=end,
        section_id=sections[index].section_id,
        heading=printed(sections[index]),
        confidence=confidence,
    )
    require_extraction(source.text, record)
    return record
