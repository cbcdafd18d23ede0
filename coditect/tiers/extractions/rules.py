"""Tier 1: what each sentence says, verbatim and with offsets, by rules alone.

The same text gives the same findings in the same order, on every machine: no model, no clock, no randomness. What
raises and lowers a confidence is written at the function that sets it (``find_norms``, ``find_definitions``,
``find_references``, ``find_quantities``); a plain proposition has 1.0, because it claims nothing beyond its own words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import cast

from coditect.documents.profile.labels import guess_dates
from coditect.documents.structure.lists import Lists, read_lists
from coditect.documents.structure.outline import root_alone
from coditect.errors import ReadError
from coditect.language.definitions.glossary import find_glossary_line, heads_glossary
from coditect.language.definitions.prose import find_definitions
from coditect.language.entities.mentions import EntityMention, Terms, find_entities, read_terms
from coditect.language.marks import Mark, SpanLike, sort_data, trim
from coditect.language.norms.meanings.programs import is_program
from coditect.language.norms.practices import Practice
from coditect.language.patterns.beginnings import quick
from coditect.language.provisions.apart import outside, parts_apart
from coditect.language.provisions.forbidding import forbidden_acts
from coditect.language.provisions.open_leads import open_lead
from coditect.language.quantities.meaning import find_quantities
from coditect.language.references.mentions import find_references
from coditect.language.tables import read_table
from coditect.schemas.tier1.data import DATA_MODELS, ExtractionKind, Tier1Data
from coditect.tiers.extractions.glossaries import GlossaryLines
from coditect.tiers.extractions.provisions import ProvisionNorms
from coditect.tiers.readings.merging import MergeCounts, merged
from coditect.tiers.readings.told import ToldDocument

__all__ = ["EXTRACTOR", "RuleExtraction", "extract_each", "too_much"]

EXTRACTOR = "rules/21"
"""The name and version of these rules; part of the identity of what they find."""

_MAX_SENTENCE = 5_000
_MAX_ENTITIES = 12
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LONGEST_CONTROL = 80
_CONTENTS = re.compile(r"[._](?:(?<=\.)(?:\.{3,}|\s(?:\.\s){3,})|(?<=_)_{5,}\s*\d*\s*$)")
_CONTENTS_RUN = quick(r"(?:\b\d{1,3}\s+\d{1,2}\.\d{1,2}\.?\s+[A-Z][A-Za-z ,’'&-]{2,60}){2}")
_NUMBERED = re.compile(r"\d\s+\d{1,2}\.\d")
_ITEM = re.compile(r"[\s*]*(?:\(?(?:[a-z]|[ivx]{1,4}|[A-Z]|\d{1,2})[).]\s|[-*•·]\s)")
# A term and its verb, above a list of what it means: "payee means", "tow includes—", '"payee" means—'.
_TERM_ALONE = re.compile(r"\W*(?:\(?\w{1,4}\)\s+)?[\w'’-]+[\"”*_]{0,3}\s+(?:means?|includes|excludes)\W*")
_PARENTHESIZED = re.compile(r"\s*\([A-Za-z0-9]{1,5}\)\s")


@dataclass(frozen=True, slots=True)
class RuleExtraction:
    """One thing that the rules extract from a document, before it is a record.

    Attributes:
        kind: what kind of statement or span it is.
        start: first code point; ``text[start:end]`` is the quote.
        end: one past the last; the span is not empty and has no white space at its edges.
        data: what was read, as the model of its kind; see ``adr/0012-tier1-extractor.md``.
        entities: mentions inside the span, in order, at most 12.
        confidence: 0..1 in two digits.
    """

    kind: ExtractionKind
    start: int
    end: int
    data: Tier1Data
    entities: tuple[EntityMention, ...]
    confidence: float


@dataclass(slots=True)
class _SentenceMarks:
    """One sentence, read but not yet put together."""

    start: int
    end: int
    norms: list[Mark]
    definitions: list[Mark]
    references: list[Mark]
    quantities: list[Mark]
    plain: bool

    @property
    def size(self) -> int:
        """How many findings come of it, at most."""
        return len(self.norms) + len(self.definitions) + len(self.references) + len(self.quantities) + self.plain

    def define(self, found: Sequence[Mark]) -> None:
        """Take in what the place of the sentence makes it define."""
        if found:
            self.definitions, self.plain = [*self.definitions, *found], False


def extract_each(
    text: str,
    sentences: Sequence[SpanLike],
    headings: Sequence[SpanLike] = (),
    most: float = inf,
    lists: Lists | None = None,
    *,
    practice: Practice = "none",
    bare: frozenset[int] = frozenset(),
    entries: Mapping[int, str] | None = None,
    forbidden: Mapping[int, tuple[int, int]] | None = None,
    told: ToldDocument | None = None,
    counts: MergeCounts | None = None,
    rows: Mapping[int, Mark] | None = None,
) -> Iterator[list[RuleExtraction]]:
    """What the rules find in each sentence of a document; of a long one it is never held whole.

    Every sentence with at least three words gets at least one finding over all of it: normative kinds where they
    apply, else a definition, else a proposition; a shorter one only where it is an item that completes a norm. A norm of
    a list is told at the item that completes it, or at the lead-in where all items are one norm. Quantities and
    cross-references have their own tight spans. Headings give no propositions, but for those below which nothing stands.
    Sentences over 5,000 characters give a proposition and the quantities of their first 5,000.

    Args:
        text: canonical text.
        sentences: spans in document order.
        headings: spans of headings in document order.
        most: findings of the document, at most.
        lists: its lists; unless given, those that the sentences alone show.
        practice: where its present tense tells duties, as that of a policy or a procedure does.
        bare: where headings begin below which nothing stands.
        entries: the headings that are terms of a glossary, by where they begin.
        forbidden: by where an item of a list begins the heading above it that forbids what stands below: "What not to do".
        told: what a model has read soundly, in the place of the rules' norms and definitions.
        counts: takes what became of the rules' reading where a model has read.
        rows: the duties of rows of tables, by where the row begins.

    Yields:
        For each sentence its findings, ordered by start, end and kind; no two are identical. So those of all are ordered, too.

    Raises:
        ReadError: there are more findings than ``most``; before anything is given.
    """
    if lists is None:
        lists = read_lists(text, root_alone(text), sentences, {}, frozenset(heading.start for heading in headings))
    provisions = ProvisionNorms(text, sentences, lists, practice=practice)
    glossary = GlossaryLines(text, entries)
    reads = _read_sentences(text, sentences, headings, most, provisions, bare, glossary, forbidden or {}, rows or {})
    if told is not None:
        reads = _as_told(text, sentences, reads, told, MergeCounts() if counts is None else counts)
    terms = read_terms(mark for read in reads if read is not None for mark in read.definitions)
    while reads:
        read = reads.popleft()
        found = [] if read is None else _findings(text, read, terms)
        yield sorted(found, key=lambda f: (f.start, f.end, f.kind))


def _read_sentences(
    text: str,
    sentences: Sequence[SpanLike],
    headings: Sequence[SpanLike],
    most: float,
    provisions: ProvisionNorms,
    bare: frozenset[int],
    terms: GlossaryLines,
    forbidden: Mapping[int, tuple[int, int]],
    rows: Mapping[int, Mark],
) -> deque[_SentenceMarks | None]:
    """The marks of each sentence; None for one that says nothing."""
    starts = [heading.start for heading in headings]
    apart = parts_apart(text)
    reads: deque[_SentenceMarks | None] = deque()
    count = 0
    for index, sentence in enumerate(sentences):
        start, end = trim(text, sentence.start, sentence.end)
        if start in bare and start < end:
            reads.append(_SentenceMarks(start, end, [], [], [], [], plain=True))
            count += 1
            continue
        at = bisect_right(starts, start) - 1
        is_heading = at >= 0 and end <= headings[at].end and not provisions.is_item(index)
        terms.pass_title(start, end, is_heading=is_heading)
        if start >= end or not (_is_sayable(text, start, end) or _TERM_ALONE.fullmatch(text, start, end)):
            reads.append(_read_short(text, start, end, provisions.norms(index) if provisions.is_item(index) else []))
            continue
        if is_heading:
            read = _read_heading(text, start, end)
        elif end - start > _MAX_SENTENCE:
            quantities = find_quantities(text, start, start + _MAX_SENTENCE)
            defined = [mark for part in _pieces(text, start, end) for mark in find_definitions(text, *part)]
            read = _SentenceMarks(start, end, [], defined, [], quantities, plain=True)
        else:
            is_item = _ITEM.match(text, start, min(end, start + 20)) is not None
            in_glossary = terms.is_open(start) or _in_glossary(text, headings, at, is_item=is_item)
            norms = [] if is_program(text[start:end]) else provisions.norms(index)
            if start in forbidden:
                norms = forbidden_acts(text, forbidden[start], (start, end), (start, end), frozenset()) or norms
            norms = outside(norms, apart) if apart else norms
            norms = _with_acts(text, start, end, norms) if norms else norms
            norms = [rows[start]] if start in rows and rows[start].end == end else norms
            read = _read_sentence(text, start, end, norms, in_glossary=in_glossary)
            if not any(mark.start == start and mark.end == end for mark in read.definitions):
                read.define(terms.find(start, end, in_glossary=in_glossary, binds=bool(norms)))
            terms.see(start, end, read.definitions)
        reads.append(read)
        count += read.size
        if count > most:
            raise too_much("more is found in the document than is taken in of one", most)
    return reads


def _with_acts(text: str, start: int, end: int, norms: list[Mark]) -> list[Mark]:
    """Norms without that of a lead-in which leaves the act to what stands below: "A keeper must, in accordance with § 3:"."""
    lead = open_lead(text, start, end)
    if lead is None:
        return norms
    alone = [each for each in norms if "spans" not in each.data and _ends_in(each, lead.end, end)]
    return [each for each in norms if each not in alone]


def _ends_in(norm: Mark, lo: int, hi: int) -> bool:
    """Whether the clause of a norm ends behind one place and not behind another."""
    clause = norm.data.get("clause")
    return isinstance(clause, dict) and lo < int(clause["end"]) <= hi


def _as_told(
    text: str,
    sentences: Sequence[SpanLike],
    reads: Iterable[_SentenceMarks | None],
    told: ToldDocument,
    counts: MergeCounts,
) -> deque[_SentenceMarks | None]:
    """The marks of each sentence, with what a model has read in the place of what rules have."""
    found: deque[_SentenceMarks | None] = deque()
    for index, (sentence, by_rules) in enumerate(zip(sentences, reads, strict=True)):
        own = told.sentences.get(index)
        if own is None:
            found.append(by_rules)
            continue
        place = trim(text, sentence.start, sentence.end)
        read = by_rules or _SentenceMarks(*place, [], [], [], [], plain=False)
        had = bool(read.norms) or read.plain or any((each.start, each.end) == place for each in read.definitions)
        read.norms, read.definitions = merged(text, place, own, told.by, read.norms, read.definitions, counts)
        covers = any((each.start, each.end) == place for each in read.definitions)
        read.plain = had and not read.norms and not covers
        found.append(None if by_rules is None and not read.size else read)
    return found


def _read_short(text: str, start: int, end: int, norms: list[Mark]) -> _SentenceMarks | None:
    """What is too short to say anything by itself, and yet is the item of a list that does, or the day of the next review."""
    if not norms:
        quantities = find_quantities(text, start, end) if _is_controlled(text, start, end) else []
        return _SentenceMarks(start, end, [], [], [], quantities, plain=True) if quantities else None
    return _SentenceMarks(start, end, norms, [], [], find_quantities(text, start, end), plain=False)


def _is_controlled(text: str, start: int, end: int) -> bool:
    """Whether a span is a line of document control that says until when the document holds, or by when it is read again."""
    if end - start > _LONGEST_CONTROL or _YEAR.search(text, start, end) is None:
        return False
    return not {"next_review", "effective_to"}.isdisjoint(guess_dates(text[start:end]))


def too_much(message: str, limit: float) -> ReadError:
    """The error for a document that is beyond what is taken in of one; with the way out."""
    hint = "Split it into documents, or raise CODITECT_DOCUMENT_EXTRACTIONS; time and memory grow with what is found."
    return ReadError(message, hint=hint, limit=limit)


def _in_glossary(text: str, headings: Sequence[SpanLike], at: int, *, is_item: bool) -> bool:
    """Whether the heading above says that definitions follow; for what is no item itself also that of the section around items."""
    while at >= 0:
        start, end = headings[at].start, min(headings[at].end, headings[at].start + 200)
        if heads_glossary(text, start, end):
            return True
        if is_item or _PARENTHESIZED.match(text, start, end) is None:
            return False
        at -= 1
    return False


def _is_sayable(text: str, start: int, end: int) -> bool:
    """Whether a span can say anything: three words, and no line of a table of contents."""
    words = _WORD.finditer(text, start, min(end, start + 2_000))
    if sum(1 for _ in zip(range(3), words, strict=False)) < 3:
        return False
    stop = min(end, start + 400)
    numbered = _NUMBERED.search(text, start, stop) is not None and _CONTENTS_RUN.search(text, start, stop) is not None
    if numbered or text.startswith(("TABLE OF CONTENTS", "Table of Contents"), start):
        return False
    return end - start > 400 or _CONTENTS.search(text, start, end) is None


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence that is too long to be read, in parts that are not: a glossary that is printed as one, cut at its semicolons."""
    while end - start > _MAX_SENTENCE:
        cut = text.rfind(";", start, start + _MAX_SENTENCE) + 1
        if not cut:
            return
        yield start, cut
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _read_heading(text: str, start: int, end: int) -> _SentenceMarks:
    """A heading: what it refers to and what it measures, but it states nothing."""
    if end - start > _MAX_SENTENCE:
        return _SentenceMarks(start, end, [], [], [], [], plain=False)
    references = [mark for mark in find_references(text, start, end) if mark.start > start and mark.data["internal"]]
    return _SentenceMarks(start, end, [], [], references, find_quantities(text, start, end), plain=False)


def _read_sentence(text: str, start: int, end: int, norms: list[Mark], *, in_glossary: bool) -> _SentenceMarks:
    """Read all the marks of one sentence but its norms, which come from the provision that it is part of."""
    quantities = find_quantities(text, start, end)
    definitions = find_definitions(text, start, end)
    covers = any(mark.start == start and mark.end == end for mark in definitions)
    if not norms and not covers:
        line = find_glossary_line(text, start, end, in_glossary=in_glossary)
        if line is not None:
            definitions, covers = [*definitions, line], True
    defined = {mark.data["term"] for mark in definitions}
    references = [mark for mark in find_references(text, start, end) if mark.data["target"] not in defined]
    return _SentenceMarks(start, end, norms, definitions, references, quantities, plain=not norms and not covers)


def _findings(text: str, read: _SentenceMarks, terms: Terms) -> list[RuleExtraction]:
    """The findings of one sentence, each with the mentions inside its span."""
    marks = [*read.norms, *read.definitions, *read.references, *read.quantities]
    if read.plain:
        marks.append(_proposition(text, read.start, read.end))
    if not marks:
        return []
    stop = min(read.end, read.start + _MAX_SENTENCE)
    mentions = find_entities(text, read.start, stop, read.references, read.quantities, terms)
    out: list[RuleExtraction] = []
    for mark in marks:
        inside = tuple(m for m in mentions if mark.start <= m.start and m.end <= mark.end)[:_MAX_ENTITIES]
        kind = cast("ExtractionKind", mark.kind)
        data = DATA_MODELS[kind].model_validate(mark.data)
        finding = RuleExtraction(kind, mark.start, mark.end, data, inside, round(mark.confidence, 2))
        if finding not in out:
            out.append(finding)
    return out


_SUBJECT = re.compile(
    r"[\s\W\d]{0,12}(?P<np>(?:[Tt]he|[Ee]ach|[Aa]ny|[Aa]ll|[Aa]n?|[Tt]his|[Tt]hese|[Oo]ur|[Ii]ts|[Ww]e|[Ii]t|[Tt]hey|[A-Z][\w&.'’-]*)"
    r"(?:\s+(?!is\b|are\b|was\b|were\b|has\b|have\b|will\b|may\b|does\b|means\b)[\w&'’/-]+){0,7}?)"
    rf"\s+(?:{read_table('verbs').pattern('verbs_of_statements')})\b"
)


def _proposition(text: str, start: int, end: int) -> Mark:
    """The sentence as it stands, with its subject where that is obvious."""
    match = _SUBJECT.match(text, start, min(end, start + 300))
    return Mark("proposition", start, end, sort_data({"subject": match["np"] if match else None}), 1.0)
