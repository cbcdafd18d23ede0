"""Tiers 1 and 2 of one document: a pure function from its canonical text to records."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from coditect.schemas import (
    Chunk,
    DocumentVersion,
    Duty,
    Entity,
    Extraction,
    ExtractionMethod,
    Measure,
    SelectedSentence,
    Standalone,
)
from coditect.text.passages import Passage, passages
from coditect.text.sentences import SEGMENTER, Span, sentences
from coditect.text.source import SourceText
from coditect.text.structure import Section, outline
from coditect.text.terms import terms
from coditect.tiers.evidence import require_chunk, require_extraction
from coditect.tiers.extractions import EXTRACTOR, Finding, extract
from coditect.tiers.facts import SHORT_NOTE, Marks, marks_of, open_point_of, place_of
from coditect.tiers.measures import head_of, measures_of, stated_measures
from coditect.tiers.naming import company_document
from coditect.tiers.selection import Candidate, SelectionParameters, document_idf, select
from coditect.tiers.standalone import STANDALONE, resolve
from coditect.tiers.statements import OPTIONAL
from coditect.tiers.tables import is_row

__all__ = ["CHUNKS_VERSION", "EXTRACTIONS_VERSION", "Reading", "chunk_records", "extraction_records", "read_document"]

EXTRACTIONS_VERSION = f"tier1/2 {EXTRACTOR} {STANDALONE} {SEGMENTER}"
CHUNKS_VERSION = f"tier2/1 {SEGMENTER}"

KEY_TERMS = 24
"""Stemmed terms kept on each chunk for topics, most telling first."""

SPANS = frozenset(("quantity", "cross_reference"))
"""What is a few words of a statement, not one."""

NORMATIVE = frozenset(("obligation", "prohibition", "permission"))
WEIGHTS = {"obligation": 1.5, "prohibition": 1.5, "definition": 1.3, "permission": 1.2}
"""Prior of a sentence in the selection, by the strongest thing that it says."""

SHARE = 0.35
"""Share of a chunk's characters that its summary aims at. Above what fits short reference summaries best (ADR 0013): what is
not selected here cannot be said above."""

MOST_SENTENCES = 10
"""Sentences of a summary, at most."""

FIXED = 1.5
"""Prior of a sentence that fixes a measure, names another company document, or leaves a point open: what auditors look for.
Those that are not salient enough for the summary are kept behind it, with a score of 0: tiers 3 and 4 compare them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as text, outline and sentences: what both tiers start from."""

    source: SourceText
    sections: tuple[Section, ...]
    sentences: tuple[Span, ...]

    starts: tuple[int, ...]

    def section_at(self, start: int, end: int) -> int:
        """Index of the smallest section that holds ``[start, end)``."""
        index = bisect_right(self.starts, start) - 1
        while index > 0 and self.sections[index].end < end:
            index = self.sections[index].parent
        return max(index, 0)


def read_document(source: SourceText) -> Reading:
    """Outline and sentences of a document."""
    sections = outline(source)
    return Reading(source, sections, sentences(source, sections), tuple(section.start for section in sections))


def printed(section: Section) -> str:
    """A section's label and heading as printed; "" for the root."""
    return f"{section.label} {section.heading}".strip()


def extraction_records(version: DocumentVersion, reading: Reading, derivation_id: str) -> list[Extraction]:
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
    reading: Reading,
    derivation_id: str,
    finding: Finding,
    quantities: Sequence[Finding],
    standalone: Standalone | None,
) -> Extraction:
    section = reading.sections[reading.section_at(finding.start, finding.end)]
    data: dict[str, Any] = dict(finding.data)
    measures = []
    if finding.kind in NORMATIVE and isinstance(data.get("action"), str):
        measures = measures_of(reading.source.text, data, finding.start, finding.end, quantities)
    elif finding.kind == "proposition":
        measures = stated_measures(reading.source.text, finding.start, finding.end, quantities)
    if measures:
        data["measures"] = measures
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


def chunk_records(
    version: DocumentVersion,
    reading: Reading,
    derivation_id: str,
    extractions: Sequence[Extraction],
    method: ExtractionMethod,
) -> list[Chunk]:
    """Tier 2 of a document, in document order, each checked against the text and Tier 1.

    Passages without anything to select (headings alone, page numbers) have no chunk.

    Raises:
        NotExtractive: a selected sentence is not verbatim.
    """
    text = reading.source.text
    ordered = sorted(extractions, key=lambda e: (e.char_offset_start, e.char_offset_end, e.extraction_id))
    by_id = {extraction.extraction_id: extraction for extraction in ordered}
    words = [terms(text[span.start : span.end]) for span in reading.sentences]
    idf = document_idf(words)
    starts = [extraction.char_offset_start for extraction in ordered]
    sentence_starts = [span.start for span in reading.sentences]
    parameters = SelectionParameters(method=method, ratio=SHARE, max_sentences=MOST_SENTENCES)
    marks = marks_of(reading.source.text, reading.sections, reading.sentences, reading.section_at)
    records = []
    for passage in passages(reading.source, reading.sections):
        first, last = (bisect_left(sentence_starts, at) for at in (passage.start, passage.end))
        inside = ordered[bisect_left(starts, passage.start) : bisect_left(starts, passage.end)]
        picked = _select(text, reading.sentences[first:last], words[first:last], inside, parameters, idf, marks)
        if picked:
            record = _chunk(
                version, reading, derivation_id, passage, picked, inside, method, idf, words[first:last], last - first
            )
            require_chunk(text, record, by_id)
            records.append(record)
    return records


def _select(
    text: str,
    spans: Sequence[Span],
    words: Sequence[tuple[str, ...]],
    extractions: Sequence[Extraction],
    parameters: SelectionParameters,
    idf: dict[str, float],
    marks: Marks,
) -> list[SelectedSentence]:
    candidates: list[Candidate] = []
    backing: dict[tuple[int, int], SelectedSentence] = {}
    terms_of: list[tuple[str, ...]] = []
    fixed: set[tuple[int, int]] = set()
    for span, own in zip(spans, words, strict=True):
        inside = [e for e in extractions if span.start <= e.char_offset_start and e.char_offset_end <= span.end]
        if not any(e.extraction_kind not in ("quantity", "cross_reference") for e in inside):
            continue
        sentence = _sentence(text, span, inside, marks)
        weight = max(WEIGHTS.get(e.extraction_kind, 1.0) for e in inside)
        facts = (sentence.measures, sentence.documents, sentence.places, sentence.open_point, sentence.empty)
        if any(facts) or span.start in marks.kept or OPTIONAL.search(text, span.start, span.end):
            fixed.add((span.start, span.end))
            weight = max(weight, FIXED)
        if sentence.open_point and candidates and span.end - span.start <= SHORT_NOTE and not is_row(sentence.text):
            # "Owner to be confirmed." says nothing without what stands before it.
            fixed.add((candidates[-1].start, candidates[-1].end))
        candidates.append(Candidate(span.start, span.end, weight))
        backing[span.start, span.end] = sentence
        terms_of.append(own)
    chosen = select(text, candidates, parameters, idf, terms_of=terms_of)
    summary = {(s.start, s.end): s for s in chosen}
    picked: list[SelectedSentence] = []
    for place in sorted({*summary, *fixed}):
        behind = len(chosen) + len([each for each in picked if each.score == 0.0]) + 1
        ranked = {"score": summary[place].score, "rank": summary[place].rank} if place in summary else {}
        picked.append(backing[place].model_copy(update=ranked or {"score": 0.0, "rank": behind}))
    return picked


def _sentence(text: str, span: Span, inside: Sequence[Extraction], marks: Marks) -> SelectedSentence:
    strengths = {"prohibition": "prohibited", "permission": "optional"}
    return SelectedSentence(
        text=text[span.start : span.end],
        char_start=span.start,
        char_end=span.end,
        score=1.0,
        rank=1,
        extraction_ids=tuple(e.extraction_id for e in inside),
        kinds=tuple(sorted({e.extraction_kind for e in inside})),
        measures=tuple(
            Measure(
                **{
                    "strength": strengths.get(e.extraction_kind) or e.tier1_data.get("strength", "mandatory"),
                    **measure,
                }
            )
            for e in inside
            for measure in e.tier1_data.get("measures", ())
        ),
        duties=tuple(
            Duty(
                head=head_of(str(e.tier1_data.get("action", "")))[0],
                kind=cast("Literal['obligation', 'prohibition', 'permission']", e.extraction_kind),
                strength=e.tier1_data.get("strength", "mandatory"),
            )
            for e in inside
            if e.extraction_kind in NORMATIVE
        ),
        documents=tuple(
            sorted({name for e in inside if (name := company_document(e.tier1_data)) and not _of_itself(text, e)})
        ),
        places=tuple(sorted({place for e in inside if (place := place_of(text, e, inside, marks.numbers))})),
        open_point=open_point_of(text, span),
        empty=marks.empty.get(span.start, ()),
    )


def _of_itself(text: str, reference: Extraction) -> bool:
    """Whether a document names itself ("This Disaster Recovery Policy is maintained"): that refers to nothing."""
    before = text[max(0, reference.char_offset_start - 6) : reference.char_offset_start]
    return before.casefold().rstrip().endswith("this") or reference.source_text.casefold().startswith("this ")


def _chunk(
    version: DocumentVersion,
    reading: Reading,
    derivation_id: str,
    passage: Passage,
    picked: list[SelectedSentence],
    inside: Sequence[Extraction],
    method: ExtractionMethod,
    idf: dict[str, float],
    words: Sequence[tuple[str, ...]],
    sentence_count: int,
) -> Chunk:
    section = reading.sections[passage.section]
    first, after = (bisect_left(reading.starts, at) for at in (passage.start, passage.end))
    begun = reading.sections[first:after]
    counts: dict[str, int] = {}
    for own in words:
        for term in own:
            counts[term] = counts.get(term, 0) + 1
    telling = sorted(counts, key=lambda term: (-counts[term] * idf.get(term, 1.0), term))[:KEY_TERMS]
    return Chunk.create(
        corpus_id=version.corpus_id,
        document_id=version.document_id,
        version_id=version.version_id,
        derivation_id=derivation_id,
        section_id=section.section_id,
        section_ids=tuple(dict.fromkeys((section.section_id, *(s.section_id for s in begun)))),
        heading=printed(section),
        headings=tuple(dict.fromkeys(printed(s) for s in begun if s.heading)),
        parent_chain=section.parent_chain,
        char_offset_start=passage.start,
        # A passage that was cut inside an over-long sentence ends with that sentence; the next one begins after it.
        char_offset_end=max(passage.end, picked[-1].char_end),
        extraction_method=method,
        sentence_count=sentence_count,
        selected_sentences=tuple(picked),
        source_extractions=tuple(e.extraction_id for e in inside if e.char_offset_end <= passage.end),
        entities=tuple(sorted({entity.name for e in inside for entity in e.entities})),
        key_terms=tuple(telling),
    )
