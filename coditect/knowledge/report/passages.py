"""Passages of an audit report: each quoted sentence once, with its chunk, its extractions and its surroundings in the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coditect.documents.layout import page_of, version_source
from coditect.documents.source import PageSpan
from coditect.documents.structure.outline import outline
from coditect.errors import Corrupt, QuoteNotFound
from coditect.reports.model import Place, ReportChunk, ReportExtraction, ReportPassage
from coditect.schemas import Chunk, Citation, DocumentVersion, Extraction
from coditect.store.view import View

__all__ = ["CONTEXT", "Passages", "collect_passages"]

CONTEXT = 200
"""Code points of canonical text shown on each side of a quote."""

CUT = 24
"""Code points that are given up at the far end of a context so that it begins or ends between words."""


@dataclass(frozen=True, slots=True)
class Passages:
    """The passages of a report.

    Attributes:
        ordered: by number, from 1.
        numbers: number of the passage of each quote, by (section id, part index).
    """

    ordered: tuple[ReportPassage, ...]
    numbers: dict[tuple[str, int], int]


@dataclass(frozen=True, slots=True)
class _Document:
    """A quoted document, opened once."""

    version: DocumentVersion
    text: str
    pages: tuple[PageSpan, ...]
    headings: dict[str, tuple[str, ...]]

    def verbatim(self, text: str, start: int, end: int, item_id: str) -> str:
        """``text``, if it is what the document says there.

        Args:
            text: a quotation.
            start: first code point of the document's canonical text.
            end: one past the last.
            item_id: whose quotation it is, for the error.

        Raises:
            QuoteNotFound: the document says something else there.
        """
        if self.text[start:end] != text:
            raise QuoteNotFound(
                "a quotation is not the document's text at its offsets",
                document=self.version.name,
                item_id=item_id,
                char_start=start,
                char_end=end,
                hint="Run 'coditect knowledge validate' to see what was changed; no report is made from it.",
            )
        return text


def collect_passages(view: View) -> Passages:
    """Every quote of every section, in order of first use.

    Raises:
        QuoteNotFound: a quote or an extraction is not the document's text at its offsets.
        Corrupt: a stored record or text is missing or changed.
    """
    quotes = [
        (section, index, part.content, part.citation)
        for section in view.sections
        for index, part in enumerate(section.content)
        if part.citation is not None
    ]
    citations = [citation for _, _, _, citation in quotes]
    chunks = _chunks(view, citations)
    extractions = _extractions(view, citations)
    opened = {each: _open(view, each) for each in dict.fromkeys(c.document_id for c in citations)}
    numbers: dict[tuple[str, int], int] = {}
    known: dict[tuple[str, int, int, str], int] = {}
    ordered: list[ReportPassage] = []
    for section, index, text, citation in quotes:
        key = (citation.document_id, citation.char_start, citation.char_end, citation.chunk_id)
        document = opened[citation.document_id]
        document.verbatim(text, citation.char_start, citation.char_end, section.section_id)
        if key not in known:
            found = [extractions[each] for each in citation.extraction_ids]
            known[key] = len(ordered) + 1
            ordered.append(_passage(known[key], text, citation, document, chunks[citation.chunk_id], found))
        numbers[section.section_id, index] = known[key]
    return Passages(tuple(ordered), numbers)


def _chunks(view: View, citations: Sequence[Citation]) -> dict[str, Chunk]:
    wanted = {c.chunk_id: c.document_id for c in citations}
    return {c.chunk_id: c for c in view.items(Chunk, list(wanted), list(wanted.values()))}


def _extractions(view: View, citations: Sequence[Citation]) -> dict[str, Extraction]:
    wanted = {each: c.document_id for c in citations for each in c.extraction_ids}
    return {e.extraction_id: e for e in view.items(Extraction, list(wanted), list(wanted.values()))}


def _open(view: View, document_id: str) -> _Document:
    version = view.document(document_id)
    text = view.text_of(version)
    layout = view.store.get_blob(view.corpus_id, version.layout_sha256, version.layout_bytes)
    source = version_source(version, text, layout)
    headings = {
        each.section_id: (*each.parent_chain, *filter(None, [f"{each.label} {each.heading}".strip()]))
        for each in outline(source)
    }
    return _Document(version, text, source.pages, headings)


def _passage(
    number: int, text: str, citation: Citation, document: _Document, chunk: Chunk, found: Sequence[Extraction]
) -> ReportPassage:
    start, end = citation.char_start, citation.char_end
    begin, stop = _surroundings(document.text, start, end)
    ordered = sorted(found, key=lambda e: (e.char_offset_start, -e.char_offset_end, e.extraction_id))
    return ReportPassage(
        number=number,
        text=text,
        place=_place(citation, document, ordered[0] if ordered else None),
        before=document.text[begin:start],
        after=document.text[end:stop],
        begins_document=begin == 0,
        ends_document=stop == len(document.text),
        chunk=_chunk(chunk, start, end),
        extractions=tuple(_extraction(each, document) for each in ordered),
    )


def _surroundings(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the context of a span begins and ends: at most CONTEXT away, at a word's edge where one is near."""
    begin, stop = max(0, start - CONTEXT), min(len(text), end + CONTEXT)
    if begin > 0:
        begin = next((at for at in range(begin, min(begin + CUT, start)) if text[at - 1].isspace()), begin)
    if stop < len(text):
        stop = next((at for at in range(stop, max(stop - CUT, end), -1) if text[at].isspace()), stop)
    return begin, stop


def _place(citation: Citation, document: _Document, first: Extraction | None) -> Place:
    """The headings are those of the smallest section that holds the first extraction, as the outline has them."""
    version, pages = document.version, document.pages
    page = page_of(pages, citation.char_start)
    headings = () if first is None else document.headings.get(first.section_id, ())
    if first is not None and first.heading and first.heading not in headings:
        headings = (*headings, first.heading)
    return Place(
        document_id=version.document_id,
        document_name=version.name,
        version_id=version.version_id,
        raw_sha256=version.raw_sha256,
        char_start=citation.char_start,
        char_end=citation.char_end,
        page=page,
        page_label=next((each.label for each in pages if each.number == page), ""),
        last_page=page_of(pages, citation.char_end - 1),
        headings=headings,
        locator="" if first is None else first.locator,
    )


def _chunk(chunk: Chunk, start: int, end: int) -> ReportChunk:
    sentence = next((s for s in chunk.selected_sentences if (s.char_start, s.char_end) == (start, end)), None)
    if sentence is None:
        raise Corrupt(
            "a section quotes a sentence that its chunk did not select", chunk_id=chunk.chunk_id, char_start=start
        )
    return ReportChunk(
        chunk_id=chunk.chunk_id,
        heading=chunk.heading,
        char_start=chunk.char_offset_start,
        char_end=chunk.char_offset_end,
        method=chunk.extraction_method,
        sentence_count=chunk.sentence_count,
        rank=sentence.rank,
        salience=sentence.score,
    )


def _extraction(found: Extraction, document: _Document) -> ReportExtraction:
    start, end = found.char_offset_start, found.char_offset_end
    return ReportExtraction(
        extraction_id=found.extraction_id,
        kind=found.extraction_kind,
        text=document.verbatim(found.source_text, start, end, found.extraction_id),
        char_start=start,
        char_end=end,
        data=found.tier1_data.fields(),
        entities=tuple(dict.fromkeys(entity.text for entity in found.entities)),
        confidence=found.confidence,
        decided=found.decided,
    )
