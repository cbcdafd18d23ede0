"""Rows of a register, read from a generation document by document: no more than one of them is held."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

from coditect.documents.layout import page_of
from coditect.knowledge.query.filters import matching_documents, matching_sections
from coditect.knowledge.report.proposed import laid_out, proposals_of, proposed_in
from coditect.knowledge.report.registers.amended import AmendedStatements
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.knowledge.report.standing import OUT_OF_FORCE, standing_of
from coditect.knowledge.review.doubts import doubt_of_claim, possible_in
from coditect.language.definitions.listed import items_below, opens_items
from coditect.retrieve.units import modality_of
from coditect.schemas import (
    Claim,
    CrossReferenceData,
    Deadline,
    DefinitionData,
    DocumentVersion,
    Extraction,
    ExtractionKind,
    NormData,
    QuantityData,
    RegisterKind,
    RegisterRow,
)
from coditect.store.view import View
from coditect.tiers.readings.told import reader_of

__all__ = ["dates_of_documents", "defined_often", "register_rows"]

_DUTIES: frozenset[RegisterKind] = frozenset(("obligation", "prohibition"))
TIMES = ("deadline", "frequency", "duration")
"""Fields of what was read from a statement that say when something is due; what has no value is not stored."""


def register_rows(view: View, filters: RegisterFilters, today: str, *, first: str = "") -> Iterator[RegisterRow]:
    """What the documents say, in the order of their names and then of their text; claims come behind all documents.

    Args:
        view: the generation.
        filters: which rows.
        today: the day that documents' dates are held against, ISO 8601.
        first: id of the document to begin with, for a page of a long list; "": the first.

    Raises:
        NotFound: no document or topic is called so; the hint names some that there are.
    """
    standing = standing_of(view, today)
    wanted = matching_documents(view, filters.documents) if filters.documents else frozenset(view.documents)
    chunks = (
        frozenset(chunk for section in matching_sections(view, filters.topics) for chunk in section.source_chunks)
        if filters.topics
        else None
    )
    statements = not filters.kinds or bool(filters.kinds - {"claim", "possible"})
    ordered = sorted(view.documents.values(), key=lambda each: (each.name, each.document_id))
    amended = AmendedStatements(view)
    begin = next((n for n, version in enumerate(ordered) if version.document_id == first), 0)
    for version in ordered[begin:]:
        phrases = standing.get(version.document_id, ())
        if version.document_id not in wanted or not statements:
            continue
        if filters.in_force and any(phrase.startswith(OUT_OF_FORCE) for phrase in phrases):
            continue
        yield from _of_document(view, version, filters, "; ".join(phrases), chunks, amended)
    if not filters.kinds or "claim" in filters.kinds:
        yield from _claims(view, filters, wanted, [view.claims[each] for each in view.summary.claims], "claim")
    if not filters.kinds or "possible" in filters.kinds:
        yield from _claims(view, filters, wanted, possible_in(view), "possible")


def defined_often(rows: Iterable[RegisterRow]) -> Iterator[RegisterRow]:
    """Definitions of terms that have several, in the order of the terms; the same words in any case are one term."""
    by_term: dict[str, list[RegisterRow]] = defaultdict(list)
    for row in rows:
        by_term[" ".join(row.term.casefold().split())].append(row)
    for term in sorted(by_term):
        if term and len(by_term[term]) > 1:
            yield from by_term[term]


def dates_of_documents(view: View, filters: RegisterFilters) -> Iterator[tuple[str, str, str]]:
    """(what falls on the day, name, day) of the documents, as their profiles have it, in the order of names."""
    wanted = matching_documents(view, filters.documents) if filters.documents else frozenset(view.documents)
    for version in sorted(view.documents.values(), key=lambda each: (each.name, each.document_id)):
        profile = view.profiles.get(version.document_id)
        if profile is None or version.document_id not in wanted:
            continue
        dates = {
            "comes into force": profile.effective_from,
            "last day in force": profile.effective_to,
            "to be reviewed": profile.next_review,
        }
        yield from ((what, version.name, fact.value) for what, fact in dates.items() if fact is not None)


def _of_document(
    view: View,
    version: DocumentVersion,
    filters: RegisterFilters,
    standing: str,
    chunks: frozenset[str] | None,
    amended: AmendedStatements,
) -> Iterator[RegisterRow]:
    profile = view.profiles.get(version.document_id)
    role = profile.role.value if profile is not None and profile.role is not None else None
    pages = laid_out(view, version).pages if version.page_count else ()
    proposed = proposals_of(view, version)
    covered = None if chunks is None else _covered(view, version.document_id, chunks)
    if covered == []:
        return
    for extraction in _statements(view, version.document_id, filters):
        restricts = _restricts(extraction)
        if filters.kinds and extraction.extraction_kind not in filters.kinds and not restricts:
            continue
        if covered is not None and not _inside(covered, extraction.char_offset_start):
            continue
        if filters.in_force and amended.is_restated(extraction):
            continue
        row = RegisterRow(
            item_id=extraction.extraction_id,
            kind=extraction.extraction_kind,
            document=version.name,
            role=role,
            standing=standing,
            proposed=proposed_in(extraction, proposed),
            amended=amended.told(extraction),
            locator=extraction.locator,
            heading=extraction.heading,
            page=page_of(pages, extraction.char_offset_start) if pages else None,
            force="mandatory" if restricts else modality_of(extraction),
            text=extraction.source_text,
            char_start=extraction.char_offset_start,
            char_end=extraction.char_offset_end,
            confidence=extraction.confidence,
            decision=extraction.decided.decision if extraction.decided else None,
            decided_by=extraction.decided.by if extraction.decided else "",
            read_by=reader_of(extraction.tier1_data.more),
            **_read(extraction, view, version),
        )
        if filters.take(row):
            yield row


def _statements(view: View, document_id: str, filters: RegisterFilters) -> Iterator[Extraction]:
    """Those that a register may hold: what is of another kind, or has no time where one is asked for, is not parsed."""
    wanted = filters.kinds | {"permission"} if filters.kinds >= _DUTIES else filters.kinds
    kinds = frozenset(each for each in get_args(ExtractionKind) if not wanted or each in wanted)
    if len(kinds) == len(get_args(ExtractionKind)) and not filters.timed:
        return view.each_extraction(document_id)
    return view.each_extraction_of(document_id, kinds, TIMES if filters.timed else ())


def _restricts(extraction: Extraction) -> bool:
    """Whether leave is given in one way or to some alone, which binds whoever would go beyond it: "may only", "only … may"."""
    if extraction.extraction_kind != "permission":
        return False
    modality = extraction.read_as(NormData).modality or ""
    return modality == "may only" or modality.startswith("only … ")


def _read(extraction: Extraction, view: View, version: DocumentVersion) -> Mapping[str, object]:
    """The fields of a row that tell what was read from the quote."""
    match extraction.extraction_kind:
        case "obligation" | "prohibition" | "permission":
            norm = _norm(extraction.read_as(NormData))
            return _never_due(norm) if extraction.extraction_kind == "prohibition" else norm
        case "definition":
            defined = extraction.read_as(DefinitionData)
            said = "excludes" if defined.form == "exclusion" else "meaning"
            words = defined.definition or ""
            if opens_items(words or extraction.source_text):
                words = f"{words} {items_below(view.text_of(version), extraction.char_offset_end)}".strip()
            return {"term": defined.term or "", said: words, "defined_by": defined.form or ""}
        case "cross_reference":
            target = extraction.read_as(CrossReferenceData)
            return {"term": target.target or "", "object": target.document or ""}
        case "quantity":
            figure = extraction.read_as(QuantityData)
            return {"term": figure.text or "", "object": figure.subject or ""}
        case _:
            return {}


def _norm(norm: NormData) -> Mapping[str, object]:
    limits = [each for each in norm.limits if isinstance(each, Deadline)]
    often = [*([norm.frequency] if norm.frequency else []), *(norm.further_frequencies or ())]
    # "without undue delay, and at the latest within 72 hours": the limit that can be counted is the one to sort and filter by.
    timed = next((each for each in limits if each.hours is not None), None)
    return {
        "modality": norm.modality or "",
        "actor": norm.actor or "",
        "action": norm.action or "",
        "object": norm.object or norm.subject or "",
        "deadline": "; ".join(each.text if isinstance(each, Deadline) else each for each in norm.limits),
        "deadline_hours": timed.hours if timed else None,
        "deadline_in_working_days": bool(timed and timed.business_days),
        "due": next((each.iso for each in limits if each.iso), ""),
        "trigger": next((each.trigger for each in (*((timed,) if timed else ()), *limits) if each.trigger), ""),
        "frequency": "; ".join(each.text or "" for each in often),
        "per_year": next((each.per_year for each in often if each.per_year is not None), None),
        "duration": norm.duration or "",
        "conditions": norm.conditions,
        "exceptions": norm.exceptions,
    }


def _never_due(norm: Mapping[str, object]) -> Mapping[str, object]:
    """What is forbidden "before the review" is not due before it: its limits say how long the prohibition holds."""
    lasts = "; ".join(str(norm[name]) for name in ("duration", "deadline") if norm[name])
    timeless = {"deadline": "", "deadline_hours": None, "deadline_in_working_days": False}
    return {**norm, **timeless, "due": "", "trigger": "", "duration": lasts}


def _covered(view: View, document_id: str, chunks: frozenset[str]) -> list[tuple[int, int]]:
    """Where the chunks stand that were gathered under the wanted topics, in order."""
    return sorted((c.char_offset_start, c.char_offset_end) for c in view.chunks(document_id) if c.chunk_id in chunks)


def _inside(covered: list[tuple[int, int]], position: int) -> bool:
    at = bisect_right(covered, (position, 1 << 62)) - 1
    return at >= 0 and position < covered[at][1]


def _claims(
    view: View, filters: RegisterFilters, wanted: frozenset[str], claims: Iterable[Claim], kind: RegisterKind
) -> Iterator[RegisterRow]:
    """Claims, in their order; of one that is only possible, why it is not published."""
    topics = {each.casefold() for each in filters.topics}
    for claim in claims:
        cited = _cited(view, claim)
        if (filters.documents and cited.isdisjoint(wanted)) or (topics and claim.topic.casefold() not in topics):
            continue
        names = sorted(view.documents[each].name for each in cited)
        row = RegisterRow(
            item_id=claim.claim_id,
            kind=kind,
            document="; ".join(names),
            standing="" if kind == "claim" else doubt_of_claim(view, claim),
            heading=claim.topic,
            severity=claim.severity,
            text=claim.text,
            confidence=claim.confidence,
        )
        if filters.take(row):
            yield row


def _cited(view: View, claim: Claim) -> set[str]:
    parts = [view.section_by_id[source.section_id].content[source.part] for source in claim.citations]
    return {part.citation.document_id for part in parts if part.citation is not None}
