"""What each tier must be able to prove, checked before anything is stored and again by ``validate``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from coditect.errors import NotExtractive, QuoteNotFound, SynthesisRatioExceeded, Unsupported
from coditect.schemas import Chunk, Extraction, Section, synthesis_ratio

__all__ = ["SHOWN", "Placed", "require_chunk", "require_extraction", "require_ratio", "require_section"]

SHOWN = 60
"""Characters of a text that an error shows."""


def require_extraction(text: str, extraction: Extraction) -> None:
    """Tier 1: the quote, and each entity in it, is the document's text at its offsets.

    Raises:
        QuoteNotFound: the extraction or an entity is not the text at its offsets.
    """
    start, end = extraction.char_offset_start, extraction.char_offset_end
    if not start < end <= len(text) or text[start:end] != extraction.source_text:
        raise QuoteNotFound(
            "an extraction is not the document's text at its offsets",
            extraction_id=extraction.extraction_id,
            document_id=extraction.document_id,
            start=start,
            end=end,
            expected=extraction.source_text[:SHOWN],
            found=text[start:end][:SHOWN],
        )
    for entity in extraction.entities:
        a, b = entity.char_offset_start, entity.char_offset_end
        if not start <= a < b <= end or text[a:b] != entity.text:
            raise QuoteNotFound(
                "an entity is not the document's text at its offsets",
                extraction_id=extraction.extraction_id,
                entity=entity.text[:SHOWN],
                start=a,
                end=b,
            )


class Placed(Protocol):
    """Anything with a place in a document's canonical text, in code points, half-open: an extraction, or what is kept of one."""

    @property
    def char_offset_start(self) -> int:
        """First code point."""
        ...

    @property
    def char_offset_end(self) -> int:
        """One past the last code point."""
        ...


def require_chunk(text: str, chunk: Chunk, extractions: Mapping[str, Placed]) -> None:
    """Tier 2: every selected sentence is verbatim at its offsets, inside the chunk, and backed by Tier 1 items inside it.

    Args:
        text: the document's canonical text.
        chunk: the chunk that is checked.
        extractions: the places of the document's Tier 1, by id.
    Raises:
        NotExtractive: one of these does not hold.
    """
    unknown = [each for each in chunk.source_extractions if each not in extractions]
    if unknown:
        raise NotExtractive(
            "a chunk refers to extractions that are not there", chunk_id=chunk.chunk_id, first=unknown[0]
        )
    before = chunk.char_offset_start
    for sentence in chunk.selected_sentences:
        a, b = sentence.char_start, sentence.char_end
        if not before <= a < b <= chunk.char_offset_end or text[a:b] != sentence.text:
            raise NotExtractive(
                "a selected sentence is not the document's text at its offsets",
                chunk_id=chunk.chunk_id,
                start=a,
                end=b,
                sentence=sentence.text[:SHOWN],
            )
        before = b
        backing = [extractions[each] for each in sentence.extraction_ids if each in extractions]
        inside = [e for e in backing if a <= e.char_offset_start and e.char_offset_end <= b]
        if not inside or len(inside) != len(sentence.extraction_ids):
            raise NotExtractive(
                "a selected sentence is not backed by Tier 1 items inside it",
                chunk_id=chunk.chunk_id,
                sentence=sentence.text[:SHOWN],
            )


def require_section(section: Section, chunks: Mapping[str, Chunk]) -> None:
    """Tier 3: quotes are selected sentences of cited chunks, nothing else is unflagged, and the ratio passes its gate.

    Args:
        section: the section that is checked.
        chunks: at least the chunks that it cites, by id.
    Raises:
        NotExtractive: a quote is not a selected sentence of the chunk it cites.
        SynthesisRatioExceeded: too many synthetic characters, or the stored ratio is not the real one.
        Unsupported: a synthetic part with a citation, or a quote without one.
    """
    sources = frozenset(section.source_chunks)
    for part in section.content:
        if (part.type == "extractive") != (part.citation is not None):
            raise Unsupported(
                "quotes cite and transitions do not", section_id=section.section_id, part=part.content[:SHOWN]
            )
        if part.citation is None:
            continue
        cited = part.citation
        chunk = chunks.get(cited.chunk_id)
        spans = {} if chunk is None else {(s.char_start, s.char_end): s for s in chunk.selected_sentences}
        found = spans.get((cited.char_start, cited.char_end))
        if (
            chunk is None
            or found is None
            or found.text != part.content
            or found.extraction_ids != cited.extraction_ids
            or (chunk.document_id, chunk.version_id) != (cited.document_id, cited.version_id)
            or cited.chunk_id not in sources
        ):
            raise NotExtractive(
                "a quote is not a selected sentence of the chunk that it cites",
                section_id=section.section_id,
                chunk_id=cited.chunk_id,
                quote=part.content[:SHOWN],
            )
    require_ratio(section)


def require_ratio(section: Section) -> None:
    """The synthetic share of a section, counted again, is what it says and passes its gate.

    Raises:
        SynthesisRatioExceeded: it is not, or does not.
    """
    ratio = synthesis_ratio(section.content)
    if ratio > section.max_synthesis_ratio or ratio != section.synthesized_content_ratio:
        raise SynthesisRatioExceeded(
            "a section's synthetic share is over its gate, or is not what it says",
            section_id=section.section_id,
            ratio=ratio,
            stored=section.synthesized_content_ratio,
            maximum=section.max_synthesis_ratio,
        )
