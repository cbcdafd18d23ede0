"""Tier 1 of one document: a pure function from its canonical text to records."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from coditect.documents.sentences import SEGMENTER, Span, sentences
from coditect.documents.source import SourceText
from coditect.documents.structure.outline import OutlineSection, outline, printed, section_around
from coditect.schemas import (
    DocumentVersion,
    Entity,
    Extraction,
    NormData,
    PropositionData,
    Standalone,
    StatedMeasure,
)
from coditect.tiers.evidence import require_extraction
from coditect.tiers.extractions.rules import EXTRACTOR, RuleExtraction, extract
from coditect.tiers.findings.measures import measures_of, stated_measures
from coditect.tiers.propositions.standalone import STANDALONE, resolve

__all__ = [
    "EXTRACTIONS_VERSION",
    "NORMATIVE",
    "DocumentReading",
    "extraction_records",
    "read_document",
]

EXTRACTIONS_VERSION = f"tier1/2 {EXTRACTOR} {STANDALONE} {SEGMENTER}"

SPANS = frozenset(("quantity", "cross_reference"))
"""What is a few words of a statement, not one."""

NORMATIVE = frozenset(("obligation", "prohibition", "permission"))
"""Kinds of statements that ask or allow something."""


@dataclass(frozen=True, slots=True)
class DocumentReading:
    """A document as text, outline and sentences: what Tier 1 and Tier 2 start from.

    Attributes:
        source: the text with its layout.
        sections: its outline, the root first.
        sentences: its sentences, in order.
        starts: the first code point of each section.
    """

    source: SourceText
    sections: tuple[OutlineSection, ...]
    sentences: tuple[Span, ...]

    starts: tuple[int, ...]

    def section_at(self, start: int, end: int) -> int:
        """Index of the smallest section that holds ``[start, end)``."""
        return section_around(self.sections, self.starts, start, end)


def read_document(source: SourceText) -> DocumentReading:
    """Read the outline and the sentences of a document."""
    sections = outline(source)
    return DocumentReading(source, sections, sentences(source, sections), tuple(section.start for section in sections))


def extraction_records(version: DocumentVersion, reading: DocumentReading, derivation_id: str) -> list[Extraction]:
    """Tier 1 of a document, in document order, each checked against the text.

    Raises:
        QuoteNotFound: a finding is not the text at its offsets.
    """
    source = reading.source
    headings = [Span(block.start, block.end) for block in source.blocks if block.kind == "heading"]
    headings += [Span(s.start, s.body_start) for s in reading.sections if s.heading and s.body_start > s.start]
    headings.sort(key=lambda span: (span.start, span.end))
    findings = extract(source.text, reading.sentences, headings)
    statements = [Span(f.start, f.end) for f in findings if f.kind not in SPANS]
    alone = resolve(source, reading.sections, reading.sentences, statements)
    quantities = [finding for finding in findings if finding.kind == "quantity"]
    starts = [quantity.start for quantity in quantities]
    records = []
    for finding in findings:
        nearby = quantities[bisect_left(starts, finding.start) : bisect_left(starts, finding.end)]
        standalone = None if finding.kind in SPANS else alone.get((finding.start, finding.end))
        record = _extraction(version, reading, derivation_id, finding, nearby, standalone)
        require_extraction(source.text, record)
        records.append(record)
    return records


def _extraction(
    version: DocumentVersion,
    reading: DocumentReading,
    derivation_id: str,
    finding: RuleExtraction,
    quantities: Sequence[RuleExtraction],
    standalone: Standalone | None,
) -> Extraction:
    section = reading.sections[reading.section_at(finding.start, finding.end)]
    data = finding.data
    measures: tuple[StatedMeasure, ...] = ()
    match data:
        case NormData():
            measures = measures_of(reading.source.text, data, finding.start, finding.end, quantities)
        case PropositionData():
            measures = stated_measures(reading.source.text, finding.start, finding.end, quantities)
    if measures:
        data = data.model_copy(update={"measures": measures})
    return Extraction.create(
        corpus_id=version.corpus_id,
        document_id=version.document_id,
        version_id=version.version_id,
        derivation_id=derivation_id,
        extraction_kind=finding.kind,
        tier1_data=data,
        source_text=reading.source.text[finding.start : finding.end],
        char_offset_start=finding.start,
        char_offset_end=finding.end,
        section_id=section.section_id,
        heading=printed(section),
        entities=tuple(
            Entity(text=e.text, name=e.name, kind=e.kind, char_offset_start=e.start, char_offset_end=e.end)
            for e in finding.entities
        ),
        confidence=finding.confidence,
        standalone=standalone,
    )
