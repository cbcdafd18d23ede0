"""Tier 1 of one document: a pure function from its canonical text to records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from typing import TypeVar

from pydantic import BaseModel

from coditect.documents.profile.guess import HEAD
from coditect.documents.profile.role import guess_role
from coditect.documents.sentences import SEGMENTER, Span, sentences
from coditect.documents.source import SourceText, without_space
from coditect.documents.structure.bare_sections import bare_sections
from coditect.documents.structure.contents import announced
from coditect.documents.structure.lists import Lists, read_lists
from coditect.documents.structure.locators import find_locators
from coditect.documents.structure.outline import OutlineSection, matched_outline, printed, section_around
from coditect.documents.structure.series.worded_headings import read_as_text
from coditect.language.entities.mentions import EntityMention
from coditect.language.marks import Mark
from coditect.language.matched import MatchedText, as_matched
from coditect.language.norms.practices import Practice
from coditect.language.provisions.duty_rows import duty_columns, row_duty, tables_of
from coditect.language.provisions.forbidding import forbids
from coditect.language.provisions.inline import inline_label
from coditect.language.tables import read_table
from coditect.schemas import (
    DocumentVersion,
    Entity,
    Extraction,
    NormData,
    PropositionData,
    Standalone,
    StatedMeasure,
)
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.tiers.evidence import require_extraction
from coditect.tiers.extractions.headed import headed_terms
from coditect.tiers.extractions.led import LedRequests
from coditect.tiers.extractions.rules import EXTRACTOR, RuleExtraction, extract_each
from coditect.tiers.findings.measures import measures_of, stated_measures
from coditect.tiers.propositions.standalone import STANDALONE, StandaloneReader
from coditect.tiers.readings.merging import MergeCounts
from coditect.tiers.readings.told import ToldDocument

__all__ = [
    "EXTRACTIONS_VERSION",
    "NORMATIVE",
    "STATED",
    "DocumentReading",
    "document_headings",
    "document_lists",
    "extraction_records",
    "read_document",
]

Part = TypeVar("Part", bound=BaseModel)

EXTRACTIONS_VERSION = f"tier1/4 {EXTRACTOR} {STANDALONE} {SEGMENTER}"

PRACTISING = frozenset(("policy", "procedure"))
"""Roles of documents whose present tense tells duties."""

STATED = frozenset(("policy", "procedure", "standard"))
"""Roles stated in a manifest that make the present tense of a document tell duties, whatever its own words make it."""

_BETWEEN = 4
"""Code points of white space between a heading and what stands right below it, at most."""

_FIRST_WORDS = 3
"""Words of an act that tell where it begins."""
_TOLD = re.compile(rf"\b(?:{read_table('profiles').pattern('told')})\b", re.IGNORECASE)
"""Signs of records that tell what was said and done: what somebody "will" do there is what is expected of him."""

LISTING = frozenset(("standard", "guidance"))
"""Roles of documents whose lists tell duties in the present where their lead-in only says whose they are."""

CATALOGUE_READER = "oscal/"
"""How the readers of catalogues of controls are called."""

NORMATIVE = frozenset(("obligation", "prohibition", "permission"))
"""Kinds of statements that ask or allow something."""


@dataclass(frozen=True, slots=True)
class DocumentReading:
    """A document as text, outline and sentences: what Tier 1 and Tier 2 start from.

    All offsets in here are those of the text as it is read, without the characters that print nothing. What is stored has those of
    the canonical text: :attr:`matched` leads back to it.

    Attributes:
        source: the text with its layout.
        sections: its outline, the root first.
        sentences: its sentences, in order.
        starts: the first code point of each section.
        matched: the text as it is read, and the way back to the canonical one.
    """

    source: SourceText
    sections: tuple[OutlineSection, ...]
    sentences: tuple[Span, ...]
    starts: tuple[int, ...]
    matched: MatchedText

    def section_at(self, start: int, end: int) -> int:
        """Index of the smallest section that holds ``[start, end)``."""
        return section_around(self.sections, self.starts, start, end)

    def quote(self, start: int, end: int) -> tuple[str, int, int]:
        """The canonical text of ``[start, end)``, verbatim, with its first code point there and one past its last."""
        first, last = self.matched.span(start, end)
        return self.matched.verbatim[first:last], first, last

    def as_read(self, extractions: Sequence[Extraction]) -> Sequence[Extraction]:
        """Stored extractions with the words and offsets of the text as it is read; their ids stay those of the stored ones."""
        return extractions if self.matched.is_verbatim else [_as_read(each, self.matched) for each in extractions]


def read_document(source: SourceText) -> DocumentReading:
    """Read the outline and the sentences of a document."""
    shown, matched = read_as_text(source)
    sections = matched_outline(shown)
    starts = tuple(section.start for section in sections)
    return DocumentReading(shown, sections, sentences(shown, sections), starts, matched)


def _as_read(extraction: Extraction, matched: MatchedText) -> Extraction:
    start, end = (matched.position(at) for at in (extraction.char_offset_start, extraction.char_offset_end))
    entities = []
    for entity in extraction.entities:
        first, last = (matched.position(at) for at in (entity.char_offset_start, entity.char_offset_end))
        place = {"text": matched.text[first:last], "char_offset_start": first, "char_offset_end": last}
        entities.append(entity.model_copy(update=place))
    return extraction.model_copy(
        update={
            "source_text": matched.text[start:end],
            "char_offset_start": start,
            "char_offset_end": end,
            "entities": tuple(entities),
        }
    )


def extraction_records(
    version: DocumentVersion,
    reading: DocumentReading,
    derivation_id: str,
    most: float = inf,
    *,
    told: ToldDocument | None = None,
    counts: MergeCounts | None = None,
    stated_role: str = "",
) -> Iterator[Extraction]:
    """Tier 1 of a document, in document order, each checked against the text; made as it is asked for.

    Args:
        version: the document version.
        reading: its text, outline and sentences.
        derivation_id: id of the derivation that they are made under.
        most: extractions of one document, at most.
        told: what a model has read soundly, in the place of the rules' norms and definitions.
        counts: takes what became of the rules' reading where a model has read.
        stated_role: the role that a manifest states, where it opens the present tense (:data:`STATED`); "" for none.

    Raises:
        QuoteNotFound: a finding is not the text at its offsets.
        ReadError: there would be more than ``most``; before any is given.
    """
    source = reading.source
    headings, lists = document_headings(reading), document_lists(reading)
    context = StandaloneReader(source, reading.sections, reading.sentences, lists)
    locators = find_locators(source.text, reading.sections, reading.sentences, lists)
    practice = practice_of(version, reading.source, stated_role)
    each = extract_each(
        source.text,
        reading.sentences,
        headings,
        most,
        lists,
        practice=practice,
        bare=bare_sections(source.text, reading.sections),
        entries=headed_terms(source.text, reading.sections),
        forbidden=_forbidden(source, reading.sections),
        rows=_duty_rows(source, practice),
        told=told,
        counts=counts,
    )
    requests = LedRequests(source.text)
    for sentence, own, locator, read in zip(reading.sentences, lists.places, locators, each, strict=True):
        place = sentence.start, sentence.end
        findings = requests.read(own.own, sentence.end, locator, read)
        wanted = any(finding.kind not in SPAN_KINDS and (finding.start, finding.end) == place for finding in findings)
        alone = context.see(*place, wanted=wanted)
        quantities = [finding for finding in findings if finding.kind == "quantity"]
        for finding in findings:
            nearby = [quantity for quantity in quantities if finding.start <= quantity.start < finding.end]
            standalone = alone if finding.kind not in SPAN_KINDS and (finding.start, finding.end) == place else None
            cited = locator + _inline(source.text, finding)
            record = _extraction(version, reading, derivation_id, finding, nearby, standalone, cited)
            require_extraction(reading.matched.verbatim, record)
            yield record


def _forbidden(source: SourceText, sections: Sequence[OutlineSection]) -> dict[int, tuple[int, int]]:
    """The items of lists right below a heading that forbids ("What not to do"), by where they begin, with the heading."""
    headings: dict[int, OutlineSection] = {}
    for each in sections:
        if each.heading and forbids(each.heading):
            headings.setdefault(each.body_start, each)
    found: dict[int, tuple[int, int]] = {}
    last: tuple[int, int] | None = None  # the heading that the list before was below
    for block in source.blocks if headings else ():
        ends = (at for at in range(block.start - _BETWEEN, block.start + 1) if at in headings)
        heading = next((headings[at] for at in ends if not source.text[at : block.start].strip()), None)
        if heading is not None:
            last = without_space(source.text, heading.start, heading.body_start)
        last = last if block.kind == "list_item" else None
        if last is not None:
            found[block.start] = last
    return found


def _duty_rows(source: SourceText, practice: Practice) -> dict[int, Mark]:
    """The duties of the rows of tables that say who does what: in policies and procedures, elsewhere if they say by when, too."""
    found: dict[int, Mark] = {}
    for is_table, blocks in groupby(source.blocks, key=lambda block: block.kind == "table_row"):
        together = [without_space(source.text, each.start, each.end) for each in blocks] if is_table else []
        for rows in tables_of(source.text, together):
            columns = duty_columns(source.text, rows)
            if columns is None or not (practice == "all" or columns.is_plan):
                continue
            duties = (row_duty(source.text, columns, *row) for row in (rows if columns.labelled else rows[1:]))
            found |= {each.start: each for each in duties if each is not None}
    return found


def _inline(text: str, finding: RuleExtraction) -> str:
    """What a norm's own item adds to the locator of its sentence: "shall: (i) keep the key; and (ii) return it"."""
    data = finding.data
    if not isinstance(data, NormData) or data.clause is None:
        return ""
    at = data.spans[-1].start if data.spans else data.clause.start
    # A condition that stands in front of all items opens the clause of each: what is done tells in which it is.
    words = r"\s+".join(re.escape(word) for word in (data.action or "").split()[:_FIRST_WORDS])
    act = re.compile(words).search(text, finding.start, finding.end) if words else None
    at = max(at, act.start() if act else at)
    label = inline_label(text, finding.start, finding.end, at) if finding.start < at < finding.end else ""
    return label if label.startswith("(") else f" {label}" if label else ""


def practice_of(version: DocumentVersion, source: SourceText, stated_role: str = "") -> Practice:
    """Where the present tense of a document tells duties: everywhere in what its words or a manifest make a policy, a procedure.

    Args:
        version: the document version, with its name.
        source: its text, as it is read.
        stated_role: the role that a manifest states, where it opens the present tense; it is a parameter of Tier 1 (ADR 144).
    """
    if source.reader.startswith(CATALOGUE_READER):
        return "listed"  # the statements of a control bind; what its discussion tells in the present is so
    if stated_role in STATED:
        return "all"
    role = guess_role(version.name, as_matched(source.title), source.text[:HEAD])
    if role is None:
        return "listed"
    if role.value == "record" and _TOLD.search(role.quote):
        return "recorded"
    return "all" if role.value in PRACTISING else "listed" if role.value in LISTING else "none"


def document_headings(reading: DocumentReading) -> list[Span]:
    """Where the headings of a document stand: those of its format, of its outline, and those that its contents announce."""
    source = reading.source
    headings = [Span(block.start, block.end) for block in source.blocks if block.kind == "heading"]
    headings += [Span(s.start, s.body_start) for s in reading.sections if s.heading and s.body_start > s.start]
    headings += [Span(each.start, each.end) for each in announced(source.text, headings, reading.sentences)]
    return sorted(headings, key=lambda span: (span.start, span.end))


def document_lists(reading: DocumentReading) -> Lists:
    """The lists of a document, the format's own and those that its words show."""
    blocks = reading.source.blocks
    items = {block.start: (block.end, max(block.level, 1)) for block in blocks if block.kind == "list_item"}
    apart = frozenset(block.start for block in blocks if block.kind in ("heading", "table_row"))
    return read_lists(reading.source.text, reading.sections, reading.sentences, items, apart)


def _extraction(
    version: DocumentVersion,
    reading: DocumentReading,
    derivation_id: str,
    finding: RuleExtraction,
    quantities: Sequence[RuleExtraction],
    standalone: Standalone | None,
    locator: str,
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
    text, start, end = reading.quote(finding.start, finding.end)
    return Extraction.create(
        corpus_id=version.corpus_id,
        document_id=version.document_id,
        version_id=version.version_id,
        derivation_id=derivation_id,
        extraction_kind=finding.kind,
        tier1_data=data if reading.matched.is_verbatim else _placed(data, reading.matched),
        source_text=text,
        char_offset_start=start,
        char_offset_end=end,
        section_id=section.section_id,
        heading=printed(section),
        locator=locator,
        entities=tuple(_entity(reading, mention) for mention in finding.entities),
        confidence=finding.confidence,
        standalone=standalone and _standalone(reading, standalone, start, end),
    )


def _entity(reading: DocumentReading, mention: EntityMention) -> Entity:
    text, start, end = reading.quote(mention.start, mention.end)
    return Entity(text=text, name=mention.name, kind=mention.kind, char_offset_start=start, char_offset_end=end)


def _standalone(reading: DocumentReading, alone: Standalone, start: int, end: int) -> Standalone:
    """Its resolutions as the canonical text has them; the words of the whole are synthetic, and stay as they are read."""
    if reading.matched.is_verbatim:
        return alone
    resolutions = []
    for each in alone.resolutions:
        text, source_start, source_end = reading.quote(each.source_start, each.source_end)
        replaces, first, last = reading.quote(each.char_offset_start, each.char_offset_end)
        # What is put in front stands in no character's place.
        first, last = (min(max(at, start), end) for at in (first, last))
        update = {"text": text, "replaces": replaces, "source_start": source_start, "source_end": source_end}
        resolutions.append(each.model_copy(update={**update, "char_offset_start": first, "char_offset_end": last}))
    return alone.model_copy(update={"resolutions": tuple(resolutions)})


def _placed(data: Part, matched: MatchedText) -> Part:
    """What was read of a finding, with the offsets of the canonical text wherever it holds some."""
    moved: dict[str, object] = {
        name: _placed(value, matched)
        for name in data.model_fields_set
        if isinstance(value := getattr(data, name), BaseModel)
    }
    for name in data.model_fields_set:
        value = getattr(data, name)
        if isinstance(value, tuple) and value and isinstance(value[0], BaseModel):
            moved[name] = tuple(_placed(each, matched) for each in value)
    start, end = getattr(data, "start", None), getattr(data, "end", None)
    if isinstance(start, int) and isinstance(end, int):
        moved["start"], moved["end"] = matched.span(start, end)
    return data.model_copy(update=moved) if moved else data
