"""Items that a program stores one by one, and their publication as a generation (the way of ADR-029).

Each stored item is a derivation of its own, so that a generation made of hand-picked items is written down exactly like a built
one: documents, derivations, items.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, get_args

import coditect
from coditect.documents.layout import version_source
from coditect.documents.structure.outline import outline, printed
from coditect.errors import CoditectError, NotFound, Unsupported, UsageError
from coditect.integrity.evidence import evidence_for, quoted_extractions
from coditect.knowledge.progress import Clock
from coditect.language.terms import terms
from coditect.schemas import (
    BuildSettings,
    Chunk,
    Claim,
    CorpusSummary,
    Derivation,
    DocumentVersion,
    Extraction,
    ExtractionKind,
    Generation,
    Intake,
    Manifest,
    Section,
    SelectedSentence,
    Stage,
    Tree,
    TreeEntry,
    Verdict,
)
from coditect.store.generations import flip
from coditect.store.live import LiveIndex
from coditect.store.store import Store
from coditect.store.view import View, locate
from coditect.tiers.chunks.selection import SELECTION_METHODS, SelectionParameters, SentenceCandidate, select
from coditect.tiers.claims.composition import compose_claims
from coditect.tiers.evidence import require_chunk, require_extraction
from coditect.tiers.sections.composition import Member, build_section
from coditect.tiers.sections.topics import Topic, given_topics
from coditect.verify.checker import Evidence, check

__all__ = ["publish", "store_chunk", "store_extraction", "store_section"]

MANUAL = "stored/1"
"""Code version of items that came through this door."""


def _derivation(
    corpus_id: str, stage: Stage, inputs: tuple[str, ...], parameters: dict[str, Any], outputs: tuple[str, ...] = ()
) -> Derivation:
    return Derivation.create(corpus_id, stage, inputs, "stored", parameters, MANUAL, outputs)


def _version(store: Store, corpus_id: str, document_id: str) -> DocumentVersion:
    store.corpus(corpus_id)
    intake = store.get("intake", Intake, corpus_id, document_id)
    found = None
    if intake is not None and intake.status == "present":
        found = store.get("documents", DocumentVersion, corpus_id, document_id, intake.version_id)
    if found is None:
        raise NotFound("unknown document", corpus_id=corpus_id, document_id=document_id, hint="Ingest it first.")
    return found


def _text(store: Store, version: DocumentVersion) -> str:
    return store.get_blob(version.corpus_id, version.text_sha256, version.text_bytes).decode()


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
    text = _text(store, version)
    data = dict(extraction)
    kind = str(data.pop("kind", "custom"))
    if kind not in get_args(ExtractionKind):
        raise UsageError("unknown kind of extraction", kind=kind, hint=f"Kinds: {', '.join(get_args(ExtractionKind))}.")
    start, end = char_offset
    if not 0.0 <= confidence <= 1.0 or not 0 <= start < end:
        raise UsageError("offsets or confidence out of range", offsets=char_offset, confidence=confidence)
    step = _derivation(
        corpus_id, "extractions", (version.version_id,), {"data": data, "kind": kind, "at": [start, end]}
    )
    layout = store.get_blob(corpus_id, version.layout_sha256, version.layout_bytes)
    source = version_source(version, text, layout)
    sections = outline(source)
    index = bisect_right([section.start for section in sections], start) - 1
    while index > 0 and sections[index].end < end:
        index = sections[index].parent
    record = Extraction.create(
        corpus_id=corpus_id,
        document_id=document_id,
        version_id=version.version_id,
        derivation_id=step.derivation_id,
        extraction_kind=kind,
        tier1_data=data,
        source_text=source_text,
        char_offset_start=start,
        char_offset_end=end,
        section_id=sections[max(index, 0)].section_id,
        heading=printed(sections[max(index, 0)]),
        confidence=confidence,
    )
    require_extraction(text, record)
    store.put_items([record])
    store.put_derivations([step.model_copy(update={"outputs": (record.extraction_id,)})])
    return record.extraction_id


def store_chunk(store: Store, corpus_id: str, document_id: str, extraction_ids: Sequence[str], method: str) -> str:
    """Select among extractions; see :meth:`HierarchicalKnowledgeStore.build_chunk_summary`."""
    if method not in SELECTION_METHODS:  # a model selects in builds only
        raise UsageError("unknown extraction method", method=method, hint=f"Methods: {', '.join(SELECTION_METHODS)}.")
    if not extraction_ids:
        raise UsageError("a chunk needs extractions", hint="Give at least one extraction id.")
    version = _version(store, corpus_id, document_id)
    text = _text(store, version)
    items = _present(
        store.get_many("extractions", Extraction, [(corpus_id, document_id, each) for each in extraction_ids]),
        extraction_ids,
    )
    ordered = sorted(items, key=lambda e: (e.char_offset_start, -e.char_offset_end, e.extraction_id))
    outer: list[Extraction] = []
    for item in ordered:  # extractions inside another belong to the sentence that the outer one is
        if not outer or item.char_offset_start >= outer[-1].char_offset_end:
            outer.append(item)
    chosen = select(
        text,
        [SentenceCandidate(e.char_offset_start, e.char_offset_end) for e in outer],
        SelectionParameters(method=method, ratio=0.35),
    )
    step = _derivation(corpus_id, "chunks", tuple(e.extraction_id for e in ordered), {"method": method})
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
        selected_sentences=tuple(
            SelectedSentence(
                text=text[s.start : s.end],
                char_start=s.start,
                char_end=s.end,
                score=s.score,
                rank=s.rank,
                extraction_ids=tuple(
                    e.extraction_id for e in ordered if s.start <= e.char_offset_start and e.char_offset_end <= s.end
                ),
                kinds=tuple(
                    sorted(
                        {
                            e.extraction_kind
                            for e in ordered
                            if s.start <= e.char_offset_start and e.char_offset_end <= s.end
                        }
                    )
                ),
            )
            for s in chosen
        ),
        source_extractions=tuple(e.extraction_id for e in ordered),
        entities=tuple(sorted({entity.name for e in ordered for entity in e.entities})),
        key_terms=tuple(dict.fromkeys(term for e in outer for term in terms(e.source_text)))[:24],
    )
    require_chunk(text, record, {e.extraction_id: e for e in ordered})
    store.put_items([record])
    store.put_derivations([step.model_copy(update={"outputs": (record.chunk_id,)})])
    return record.chunk_id


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
    names = {
        chunk.document_id: version.name
        for chunk in chunks
        if (version := store.get("documents", DocumentVersion, corpus_id, chunk.document_id, chunk.version_id))
        is not None
    }
    parameters = {"topic": topic, "max_synthesis_ratio": max_synthesis_ratio}
    step = _derivation(corpus_id, "section", tuple(sorted(chunk.chunk_id for chunk in chunks)), parameters)
    members = [Member(chunk, 1.0) for chunk in chunks]
    section = build_section(corpus_id, step.derivation_id, topics[0], members, names, max_synthesis_ratio)
    store.put_items([section])
    store.put_derivations([step.model_copy(update={"outputs": (section.section_id,)})])
    return section.section_id


Validate = Callable[[Sequence[Claim], Evidence, float], list[Verdict]]


def publish(
    store: Store, corpus_id: str, section_ids: Sequence[str], validate: Validate | None, clock: Clock
) -> CorpusSummary:
    """Compose, validate and publish; see :meth:`HierarchicalKnowledgeStore.build_corpus_summary`."""
    corpus = store.corpus(corpus_id)
    if not section_ids:
        raise UsageError("a corpus summary needs sections", corpus_id=corpus_id)
    sections = _present(store.get_many("sections", Section, [(corpus_id, each) for each in section_ids]), section_ids)
    draft = _draft(store, corpus_id, sections)
    view = View(store, draft)
    index = LiveIndex(view)
    parameters = {"sections": list(section_ids)}
    step = _derivation(corpus_id, "summary", tuple(section_ids), parameters)
    extractions = quoted_extractions(view, sections)
    topics = [Topic(section.topic, section.topic_terms) for section in sections]
    pairs = [pair for pair in zip(topics, sections, strict=True) if pair[1].section_kind == "topic"]
    claims = compose_claims(corpus_id, step.derivation_id, pairs, (), extractions, index)
    minimum = draft.settings.minimum_support
    evidence = evidence_for(index, sections, extractions)
    try:
        verdicts = validate(claims, evidence, minimum) if validate else [check(c, evidence, minimum) for c in claims]
    except (ValueError, KeyError, TypeError, ArithmeticError, RuntimeError, OSError, CoditectError) as error:
        raise Unsupported(
            "the validator failed, so nothing was published", corpus_id=corpus_id, reason=repr(error)
        ) from error
    if [verdict.claim_id for verdict in verdicts] != [claim.claim_id for claim in claims]:
        raise Unsupported("the validator did not answer for every claim, so nothing was published", corpus_id=corpus_id)
    published = [
        v.claim_id
        for v, c in zip(verdicts, claims, strict=True)
        if v.published and c.citations and v.support_score >= minimum
    ]
    summary = CorpusSummary.create(
        corpus_id=corpus_id,
        derivation_id=step.derivation_id,
        summary_text="\n".join(c.text for c in claims if c.claim_id in published),
        claims=tuple(published),
        filtered=tuple(c.claim_id for c in claims if c.claim_id not in published),
        verdicts={v.claim_id: v.verdict_id for v in verdicts},
        source_sections=tuple(section_ids),
        minimum_support=minimum,
    )
    store.put_items([*claims, *verdicts, summary])
    store.put_derivations([step.model_copy(update={"outputs": (summary.summary_id,)})])
    counts = {**draft.counts, "claims": len(summary.claims), "filtered_claims": len(summary.filtered)}
    fields = {name: getattr(draft, name) for name in ("corpus_id", "settings", "code_versions", "trees", "sections")}
    manifest = Manifest.create(
        **fields, summary_derivation=step.derivation_id, summary_id=summary.summary_id, counts=counts
    )
    store.put_items([manifest])
    generation = Generation(
        corpus_id=corpus_id,
        generation=corpus.generation + 1,
        build_id=manifest.build_id,
        parent_build_id=corpus.build_id,
        created_at=clock(),
        tool_version=coditect.__version__,
        derived={"claims": len(claims)},
        reused={},
    )
    flip(store, manifest, corpus, generation)
    return summary


def _draft(store: Store, corpus_id: str, sections: Sequence[Section]) -> Manifest:
    """The manifest of what some sections rest on; its trees are stored."""
    chunks = _chunks(store, corpus_id, list(dict.fromkeys(each for s in sections for each in s.source_chunks)))
    by_document: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in chunks:
        by_document[chunk.document_id].append(chunk)
    shards: dict[str, list[TreeEntry]] = defaultdict(list)
    total = 0
    for document_id in sorted(by_document):
        own = sorted(by_document[document_id], key=lambda chunk: (chunk.char_offset_start, chunk.chunk_id))
        ids = list(dict.fromkeys(each for chunk in own for each in chunk.source_extractions))
        items = _present(
            store.get_many("extractions", Extraction, [(corpus_id, document_id, each) for each in ids]), ids
        )
        total += len(items)
        entry = TreeEntry(
            document_id=document_id,
            version_id=own[0].version_id,
            extractions=tuple(dict.fromkeys(e.derivation_id for e in items)),
            chunks=tuple(dict.fromkeys(chunk.derivation_id for chunk in own)),
        )
        shards[document_id.partition("_")[2][:2]].append(entry)
    trees = {shard: Tree.create(corpus_id=corpus_id, entries=tuple(shards[shard])) for shard in sorted(shards)}
    store.put_items(trees.values())
    return Manifest.create(
        corpus_id=corpus_id,
        settings=BuildSettings(max_synthesis_ratio=max(s.max_synthesis_ratio for s in sections)),
        code_versions={"items": MANUAL},
        trees={shard: tree.tree_id for shard, tree in trees.items()},
        sections=tuple((s.derivation_id, s.section_id) for s in sections),
        summary_derivation="",
        summary_id="",
        counts={"documents": len(by_document), "extractions": total, "chunks": len(chunks), "sections": len(sections)},
    )


def _chunks(store: Store, corpus_id: str, chunk_ids: Sequence[str]) -> list[Chunk]:
    documents = {each: next((d for c, d in locate(store, each) if c == corpus_id and d), "") for each in chunk_ids}
    places = [(corpus_id, documents[each], each) for each in chunk_ids]
    return _present(store.get_many("chunks", Chunk, places), chunk_ids)


R = TypeVar("R")


def _present(found: Sequence[R | None], ids: Sequence[str]) -> list[R]:
    missing = next((each for each, record in zip(ids, found, strict=True) if record is None), None)
    if missing is not None:
        raise NotFound("unknown item", item_id=missing, hint="Items are found by the ids that storing them returned.")
    return [record for record in found if record is not None]
