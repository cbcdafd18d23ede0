"""The lower tiers of a build that a program stores item by item (the interface of ADR-029).

Each stored item is a derivation of its own, so that a generation made of hand-picked items is written down exactly like a built
one: documents, derivations, items. :func:`coditect.knowledge.building.publication.publish` makes a generation of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast, get_args

import orjson
from pydantic import JsonValue

from coditect.documents.structure.outline import outline
from coditect.errors import NotFound, UsageError
from coditect.integrity.references import BY_PROGRAM
from coditect.knowledge.derivation.extraction import place_extraction
from coditect.knowledge.derivation.source import stored_source
from coditect.language.terms import terms
from coditect.schemas import (
    Chunk,
    Derivation,
    DocumentVersion,
    Extraction,
    ExtractionKind,
    Intake,
    Section,
    SelectedSentence,
    Stage,
    canonical_json,
)
from coditect.store.item_ids import locate
from coditect.store.store import Store
from coditect.store.work import registered
from coditect.tiers.chunks.selection import SELECTION_METHODS, Selected, SelectionParameters, SentenceCandidate, select
from coditect.tiers.evidence import require_chunk
from coditect.tiers.sections.composition import Member, build_section
from coditect.tiers.sections.topics import given_topics

__all__ = [
    "STORED_VERSION",
    "require_present",
    "store_chunk",
    "store_extraction",
    "store_section",
    "stored_chunks",
    "stored_extractions",
    "stored_version",
]

STORED_VERSION = "stored/1"
"""Code version of items that a program stores."""

SHARE = 0.35
"""Share of the extractions' code points that a chunk selects: they were picked already, so it is larger than in a build."""

KEY_TERMS = 24
"""Key terms of a chunk, at most."""

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
    version = stored_version(store, corpus_id, document_id)
    try:
        data: dict[str, JsonValue] = orjson.loads(canonical_json(dict(extraction)))
    except TypeError as error:
        raise UsageError("an extraction is a JSON object", hint=str(error)) from error
    kind = data.pop("kind", "custom")
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
        kind=cast("ExtractionKind", kind),
        data=data,
        quote=source_text,
        start=start,
        end=end,
        confidence=confidence,
    )
    return _finish(store, step, record)


def store_chunk(store: Store, corpus_id: str, document_id: str, extraction_ids: Sequence[str], method: str) -> str:
    """Select among extractions; see :meth:`HierarchicalKnowledgeStore.build_chunk_summary`."""
    if method not in SELECTION_METHODS:  # a model selects in builds only
        raise UsageError("unknown extraction method", method=method, hint=f"Methods: {', '.join(SELECTION_METHODS)}.")
    if not extraction_ids:
        raise UsageError("a chunk needs extractions", hint="Give at least one extraction id.")
    version = stored_version(store, corpus_id, document_id)
    text = stored_source(store, version).text
    items = stored_extractions(store, corpus_id, document_id, extraction_ids)
    ordered = sorted(items, key=lambda e: (e.char_offset_start, -e.char_offset_end, e.extraction_id))
    outer: list[Extraction] = []
    for item in ordered:  # extractions inside another belong to the sentence that the outer one is
        if not outer or item.char_offset_start >= outer[-1].char_offset_end:
            outer.append(item)
    candidates = [SentenceCandidate(e.char_offset_start, e.char_offset_end) for e in outer]
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
    return _finish(store, step, record)


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
    chunks = stored_chunks(store, corpus_id, chunk_ids)
    places = [(corpus_id, chunk.document_id, chunk.version_id) for chunk in chunks]
    versions = store.get_many("documents", DocumentVersion, places)
    names = {version.document_id: version.name for version in versions if version is not None}
    parameters = {"topic": topic, "max_synthesis_ratio": max_synthesis_ratio}
    step = _step(corpus_id, "section", tuple(sorted(chunk.chunk_id for chunk in chunks)), parameters)
    members = [Member(chunk, 1.0) for chunk in chunks]
    section = build_section(corpus_id, step.derivation_id, topics[0], members, names, max_synthesis_ratio)
    return _finish(store, step, section)


def _step(corpus_id: str, stage: Stage, inputs: tuple[str, ...], parameters: dict[str, Any]) -> Derivation:
    return Derivation.create(corpus_id, stage, inputs, BY_PROGRAM, parameters, STORED_VERSION)


def _finish(store: Store, step: Derivation, item: Extraction | Chunk | Section) -> str:
    """Store a step and its item, registered, so that no sweep comes between them; returns the item's id."""
    with registered(store, step.corpus_id, "storing") as own:
        return own.finish(step, [item]).outputs[0]


def stored_version(store: Store, corpus_id: str, document_id: str) -> DocumentVersion:
    """The version of a document that the corpus takes in now.

    Raises:
        NotFound: no such corpus or document, or it was withdrawn.
    """
    store.corpus(corpus_id)
    intake = store.get("intake", Intake, corpus_id, document_id)
    found = None
    if intake is not None and intake.status == "present":
        found = store.get("documents", DocumentVersion, corpus_id, document_id, intake.version_id)
    if found is None:
        raise NotFound("unknown document", corpus_id=corpus_id, document_id=document_id, hint="Ingest it first.")
    return found


def stored_extractions(store: Store, corpus_id: str, document_id: str, ids: Sequence[str]) -> list[Extraction]:
    """Extractions of a document by their ids, in order.

    Raises:
        NotFound: one is not there.
    """
    places = [(corpus_id, document_id, each) for each in ids]
    return require_present(store.get_many("extractions", Extraction, places), ids)


def stored_chunks(store: Store, corpus_id: str, chunk_ids: Sequence[str]) -> list[Chunk]:
    """Chunks of a corpus by their ids alone, in order.

    Raises:
        NotFound: one is not there.
    """
    documents = {each: next((d for c, d in locate(store, each) if c == corpus_id and d), "") for each in chunk_ids}
    places = [(corpus_id, documents[each], each) for each in chunk_ids]
    return require_present(store.get_many("chunks", Chunk, places), chunk_ids)


def require_present(found: Sequence[R | None], ids: Sequence[str]) -> list[R]:
    """Records that must be there.

    Args:
        found: what was read, in the order of the ids.
        ids: what was looked for; the first that is not there is named.
    Raises:
        NotFound: one is not there.
    """
    missing = next((each for each, record in zip(ids, found, strict=True) if record is None), None)
    if missing is not None:
        raise NotFound("unknown item", item_id=missing, hint="Items are found by the ids that storing them returned.")
    return [record for record in found if record is not None]
