"""A build whose lower tiers a program stores item by item (the interface of ADR-029).

Each stored item is a derivation of its own, so that a generation made of hand-picked items is written down exactly like a built
one: documents, derivations, items. Only how Tiers 1 to 3 come about differs; from the draft on, :func:`publish` is the end of
every build (:func:`coditect.knowledge.building.pipeline.complete`), with its checker, its judges and the reviews in force.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, get_args

from coditect.documents.structure.outline import outline
from coditect.errors import CoditectError, NotFound, Unsupported, UsageError
from coditect.knowledge.building.pipeline import complete
from coditect.knowledge.building.summary import UPPER_VERSIONS
from coditect.knowledge.derivation.corpus import draft_manifest
from coditect.knowledge.derivation.extraction import place_extraction
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.derivation.source import stored_source
from coditect.knowledge.model_roles.agency import SUMMARY_ROLES, Agency
from coditect.knowledge.progress import Clock, Progress, silent
from coditect.language.terms import terms
from coditect.schemas import (
    BuildSettings,
    Chunk,
    Claim,
    Derivation,
    DocumentVersion,
    Extraction,
    ExtractionKind,
    Intake,
    Opinion,
    Section,
    SelectedSentence,
    Stage,
    TreeEntry,
    Verdict,
    VerdictLabel,
)
from coditect.store.store import Store
from coditect.store.view import View, locate
from coditect.tiers.chunks.selection import SELECTION_METHODS, Candidate, Selected, SelectionParameters, select
from coditect.tiers.evidence import require_chunk
from coditect.tiers.sections.composition import Member, build_section
from coditect.tiers.sections.topics import given_topics
from coditect.verify.checker import Evidence
from coditect.verify.judges import combine

__all__ = ["Validator", "publish", "store_chunk", "store_extraction", "store_section"]

STORED_VERSION = "stored/1"
"""Code version of items that a program stores."""

SHARE = 0.35
"""Share of the extractions' code points that a chunk selects: they were picked already, so it is larger than in a build."""

KEY_TERMS = 24
"""Key terms of a chunk, at most."""

Validator = Callable[[Sequence[Claim], Evidence, float], list[Verdict]]
"""(claims, evidence, minimum support) to one verdict for each claim, in order."""

R = TypeVar("R")


def store_extraction(
    store: Store,
    corpus_id: str,
    document_id: str,
    extraction: Mapping[str, Any],
    source_text: str,
    char_offset: tuple[int, int],
    confidence: float,
) -> str:
    """Store one extraction; see :meth:`coditect.knowledge.async_store.HierarchicalKnowledgeStore.store_extraction`."""
    version = _version(store, corpus_id, document_id)
    data = dict(extraction)
    kind = str(data.pop("kind", "custom"))
    if kind not in get_args(ExtractionKind):
        raise UsageError("unknown kind of extraction", kind=kind, hint=f"Kinds: {', '.join(get_args(ExtractionKind))}.")
    start, end = char_offset
    if not 0.0 <= confidence <= 1.0 or not 0 <= start < end:
        raise UsageError("offsets or confidence out of range", offsets=char_offset, confidence=confidence)
    parameters = {"data": data, "kind": kind, "at": [start, end]}
    step = _step(corpus_id, "extractions", (version.version_id,), parameters)
    source = stored_source(store, version)
    record = place_extraction(
        version,
        step.derivation_id,
        source,
        outline(source),
        kind=kind,
        data=data,
        quote=source_text,
        start=start,
        end=end,
        confidence=confidence,
    )
    return store.finish(step, [record]).outputs[0]


def store_chunk(store: Store, corpus_id: str, document_id: str, extraction_ids: Sequence[str], method: str) -> str:
    """Select among extractions; see :meth:`HierarchicalKnowledgeStore.build_chunk_summary`."""
    if method not in SELECTION_METHODS:  # a model selects in builds only
        raise UsageError("unknown extraction method", method=method, hint=f"Methods: {', '.join(SELECTION_METHODS)}.")
    if not extraction_ids:
        raise UsageError("a chunk needs extractions", hint="Give at least one extraction id.")
    version = _version(store, corpus_id, document_id)
    text = stored_source(store, version).text
    items = _extractions(store, corpus_id, document_id, extraction_ids)
    ordered = sorted(items, key=lambda e: (e.char_offset_start, -e.char_offset_end, e.extraction_id))
    outer: list[Extraction] = []
    for item in ordered:  # extractions inside another belong to the sentence that the outer one is
        if not outer or item.char_offset_start >= outer[-1].char_offset_end:
            outer.append(item)
    candidates = [Candidate(e.char_offset_start, e.char_offset_end) for e in outer]
    chosen = select(text, candidates, SelectionParameters(method=method, ratio=SHARE))
    step = _step(corpus_id, "chunks", tuple(e.extraction_id for e in ordered), {"method": method})
    record = Chunk.create(
        corpus_id=corpus_id,
        document_id=document_id,
        version_id=version.version_id,
        derivation_id=step.derivation_id,
        section_id=ordered[0].section_id,
        section_ids=tuple(dict.fromkeys(e.section_id for e in ordered)),
        heading=ordered[0].heading,
        headings=tuple(dict.fromkeys(e.heading for e in ordered if e.heading)),
        char_offset_start=ordered[0].char_offset_start,
        char_offset_end=max(e.char_offset_end for e in ordered),
        extraction_method=method,
        sentence_count=len(outer),
        selected_sentences=tuple(_sentence(text, each, ordered) for each in chosen),
        source_extractions=tuple(e.extraction_id for e in ordered),
        entities=tuple(sorted({entity.name for e in ordered for entity in e.entities})),
        key_terms=tuple(dict.fromkeys(term for e in outer for term in terms(e.source_text)))[:KEY_TERMS],
    )
    require_chunk(text, record, {e.extraction_id: e for e in ordered})
    return store.finish(step, [record]).outputs[0]


def _sentence(text: str, chosen: Selected, extractions: Sequence[Extraction]) -> SelectedSentence:
    inside = [e for e in extractions if chosen.start <= e.char_offset_start and e.char_offset_end <= chosen.end]
    return SelectedSentence(
        text=text[chosen.start : chosen.end],
        char_start=chosen.start,
        char_end=chosen.end,
        score=chosen.score,
        rank=chosen.rank,
        extraction_ids=tuple(e.extraction_id for e in inside),
        kinds=tuple(sorted({e.extraction_kind for e in inside})),
    )


def store_section(
    store: Store, corpus_id: str, topic: str, chunk_ids: Sequence[str], max_synthesis_ratio: float
) -> str:
    """Write one section; see :meth:`HierarchicalKnowledgeStore.build_section_summary`."""
    if not 0.0 <= max_synthesis_ratio <= 1.0:
        raise UsageError("a ratio lies between 0 and 1", max_synthesis_ratio=max_synthesis_ratio)
    topics = given_topics([topic])
    if not topics or not chunk_ids:
        raise UsageError("a section needs a topic with a content word, and chunks", topic=topic, chunks=len(chunk_ids))
    store.corpus(corpus_id)
    chunks = _chunks(store, corpus_id, chunk_ids)
    places = [(corpus_id, chunk.document_id, chunk.version_id) for chunk in chunks]
    versions = store.get_many("documents", DocumentVersion, places)
    names = {version.document_id: version.name for version in versions if version is not None}
    parameters = {"topic": topic, "max_synthesis_ratio": max_synthesis_ratio}
    step = _step(corpus_id, "section", tuple(sorted(chunk.chunk_id for chunk in chunks)), parameters)
    members = [Member(chunk, 1.0) for chunk in chunks]
    section = build_section(corpus_id, step.derivation_id, topics[0], members, names, max_synthesis_ratio)
    return store.finish(step, [section]).outputs[0]


def publish(
    store: Store,
    corpus_id: str,
    section_ids: Sequence[str],
    validator: Validator | None,
    clock: Clock,
    *,
    progress: Progress = silent,
    agency: Agency | None = None,
) -> BuildReport:
    """Make sections, and what they rest on, the corpus' next generation, with a summary as every build composes it.

    Args:
        store: the tenant's store.
        corpus_id: the corpus that is published.
        section_ids: Tier 3 to draw on, at least one.
        validator: gives an opinion beside the checker on every claim that this does not refuse; None: nobody does.
        clock: gives the time of the generation record.
        progress: told what is being done.
        agency: the roles that a language model plays; those of the summary are asked. None: rules alone.
    Raises:
        NotFound: no such corpus, or an item is not there.
        UsageError: no sections, or one rests on a version of a document that is not in the intake any more.
        Unsupported: the validator failed; nothing was published.
        Conflict: another build finished first.
    """
    corpus = store.corpus(corpus_id)
    if not section_ids:
        raise UsageError("a corpus summary needs sections", corpus_id=corpus_id)
    places = [(corpus_id, each) for each in section_ids]
    sections = _present(store.get_many("sections", Section, places), section_ids)
    settings = BuildSettings(
        max_synthesis_ratio=max(section.max_synthesis_ratio for section in sections),
        agents=None if agency is None else agency.settings_for(SUMMARY_ROLES),
    )
    versions = {"items": STORED_VERSION, **UPPER_VERSIONS}
    draft = draft_manifest(store, corpus_id, _entries(store, corpus_id, sections), settings, versions)
    report = BuildReport(corpus_id)
    report.reused |= {tier: draft.counts[tier] for tier in ("extractions", "chunks", "passages")}
    return complete(
        View(store, draft),
        corpus,
        report,
        clock=clock,
        progress=progress,
        agency=agency,
        given=sections,
        validate=None if validator is None else _opinions(validator, corpus_id, settings.minimum_support),
    )


def _opinions(
    validator: Validator, corpus_id: str, minimum_support: float
) -> Callable[[Sequence[Claim], Mapping[str, Verdict], Evidence], dict[str, Verdict]]:
    """Has a program's validator heard beside the checker: agreement decides, and what the checker refuses stays refused."""

    def heard(claims: Sequence[Claim], verdicts: Mapping[str, Verdict], evidence: Evidence) -> dict[str, Verdict]:
        try:
            said = validator(claims, evidence, minimum_support)
        except (ValueError, KeyError, TypeError, ArithmeticError, RuntimeError, OSError, CoditectError) as error:
            raise Unsupported(
                "the validator failed, so nothing was published", corpus_id=corpus_id, reason=repr(error)
            ) from error
        if [verdict.claim_id for verdict in said] != [claim.claim_id for claim in claims]:
            raise Unsupported(
                "the validator did not answer for every claim, so nothing was published", corpus_id=corpus_id
            )
        joined = dict(verdicts)
        for verdict in said:
            own = joined[verdict.claim_id]
            if own.label != "unsupported" and verdict != own:  # the checker itself adds nothing
                joined[verdict.claim_id] = combine(own, _opinion(verdict, minimum_support))
        return joined

    return heard


def _opinion(verdict: Verdict, minimum_support: float) -> Opinion:
    """A validator's verdict as an opinion; support that it would not publish itself is a doubt."""
    label: VerdictLabel = verdict.label
    if label == "supported" and not (verdict.published and verdict.support_score >= minimum_support):
        label = "needs_review"
    found = [signal.detail or signal.name for signal in verdict.signals if not signal.passed]
    return Opinion(
        judge="model",
        who=verdict.checker or "validation agent",
        version=verdict.weights_version,
        label=label,
        reason=verdict.filter_reason or "; ".join(found),
        probability=verdict.support_score,
    )


def _entries(store: Store, corpus_id: str, sections: Sequence[Section]) -> list[TreeEntry]:
    """The documents that sections rest on, with the derivations of what is drawn on."""
    chunk_ids = list(dict.fromkeys(each for section in sections for each in section.source_chunks))
    by_document: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in _chunks(store, corpus_id, chunk_ids):
        by_document[chunk.document_id].append(chunk)
    entries = []
    for document_id in sorted(by_document):
        version = _version(store, corpus_id, document_id)
        own = sorted(by_document[document_id], key=lambda chunk: (chunk.char_offset_start, chunk.chunk_id))
        if any(chunk.version_id != version.version_id for chunk in own):
            raise UsageError(
                "a section rests on an earlier version of a document",
                corpus_id=corpus_id,
                document=version.name,
                hint="Store its extractions again from the version that the corpus takes in now.",
            )
        ids = list(dict.fromkeys(each for chunk in own for each in chunk.source_extractions))
        items = _extractions(store, corpus_id, document_id, ids)
        entries.append(
            TreeEntry(
                document_id=document_id,
                version_id=version.version_id,
                extractions=tuple(dict.fromkeys(e.derivation_id for e in items)),
                chunks=tuple(dict.fromkeys(chunk.derivation_id for chunk in own)),
            )
        )
    return entries


def _step(corpus_id: str, stage: Stage, inputs: tuple[str, ...], parameters: dict[str, Any]) -> Derivation:
    return Derivation.create(corpus_id, stage, inputs, "stored", parameters, STORED_VERSION)


def _version(store: Store, corpus_id: str, document_id: str) -> DocumentVersion:
    """The version of a document that the corpus takes in now."""
    store.corpus(corpus_id)
    intake = store.get("intake", Intake, corpus_id, document_id)
    found = None
    if intake is not None and intake.status == "present":
        found = store.get("documents", DocumentVersion, corpus_id, document_id, intake.version_id)
    if found is None:
        raise NotFound("unknown document", corpus_id=corpus_id, document_id=document_id, hint="Ingest it first.")
    return found


def _extractions(store: Store, corpus_id: str, document_id: str, ids: Sequence[str]) -> list[Extraction]:
    places = [(corpus_id, document_id, each) for each in ids]
    return _present(store.get_many("extractions", Extraction, places), ids)


def _chunks(store: Store, corpus_id: str, chunk_ids: Sequence[str]) -> list[Chunk]:
    documents = {each: next((d for c, d in locate(store, each) if c == corpus_id and d), "") for each in chunk_ids}
    places = [(corpus_id, documents[each], each) for each in chunk_ids]
    return _present(store.get_many("chunks", Chunk, places), chunk_ids)


def _present(found: Sequence[R | None], ids: Sequence[str]) -> list[R]:
    missing = next((each for each, record in zip(ids, found, strict=True) if record is None), None)
    if missing is not None:
        raise NotFound("unknown item", item_id=missing, hint="Items are found by the ids that storing them returned.")
    return [record for record in found if record is not None]
