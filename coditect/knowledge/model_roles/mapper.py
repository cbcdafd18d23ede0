"""The mapper: a model that finds statements of a schema, which stand in Tier 1 beside what the rules find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.mapper import Mapped, MappedItem, mapper_request, read_mapped
from coditect.agents.roles.passage_groups import GROUP_TOKENS, PassageGroup, PassageSpan, group_passages
from coditect.documents.source import SourceText
from coditect.documents.structure.outline import OutlineSection, outline
from coditect.knowledge.derivation.extraction import place_extraction
from coditect.knowledge.derivation.plan import DocumentPlan
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.derivation.run import BuildRun
from coditect.knowledge.derivation.source import stored_source
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.model_roles.documents import first_error, run_by_document, unfinished, unread
from coditect.schemas import Derivation, Extraction
from coditect.schemas.tier1.data import SCHEMA
from coditect.store.store import Store

__all__ = ["MAPPED_VERSION", "map_documents"]

MAPPED_VERSION = "mapped/1"

CHARS_PER_TOKEN = 4
"""Of English prose, roughly; for the size of groups alone."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A group of passages of one document."""

    document: DocumentPlan
    source: SourceText
    group: PassageGroup


def map_documents(agency: Agency, run: BuildRun, documents: Sequence[DocumentPlan]) -> None:
    """Have the mapper read the documents that it has not read; its findings are stored and entered into the plans.

    Nothing is done where no model plays the mapper.

    Args:
        agency: asks the mapper.
        run: the run of the build; its report names the documents that the role failed on.
        documents: the documents of the build; their plans are changed.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    role = agency.roles.get("mapper")
    if role is None:
        return

    def enter(document: DocumentPlan, done: Derivation) -> None:
        places = [(run.report.corpus_id, document.version.document_id, each) for each in done.outputs]
        stored = run.store.get_many("extractions", Extraction, places)
        _enter(document, done, [each for each in stored if each is not None])

    wanted = unfinished(run, documents, lambda document: _step(agency, document), enter)
    steps = {document.version.version_id: step for document, step in wanted}

    def take(document: DocumentPlan, outcomes: Sequence[Outcome[_Part, Mapped]]) -> None:
        _note(agency, document, outcomes, run.report)
        error = first_error(outcomes)
        if error is not None:  # where one group failed, nothing of the document is used
            unread(run.report, document.version, "mapper", error)
            return
        step = steps[document.version.version_id]
        records = _records(agency, document, step, outcomes)
        _enter(document, run.store.finish(step, records), records)
        run.report.derived["extractions"] += len(records)

    stage: Stage[_Part, Mapped] = Stage(
        "mapper",
        "mapper reads",
        lambda: (part for document, _ in wanted for part in _parts(run.store, document)),
        lambda part: mapper_request(role, agency.schema, part.group),
        lambda part, answer: read_mapped(answer, agency.schema, part.group),
    )
    run_by_document(agency, stage, take, run.progress)
    failed = {failure.name for failure in run.report.unread}
    for document, step in wanted:  # without a word to read
        if not document.chunks.mapped_id and document.version.name not in failed:
            _enter(document, run.store.finish(step, ()), ())


def _step(agency: Agency, document: DocumentPlan) -> Derivation:
    role, version = agency.roles["mapper"], document.version
    parameters = {"role": role.version, "model": role.model, SCHEMA: agency.schema.version}
    inputs = (version.version_id,)
    return Derivation.create(version.corpus_id, "extractions", inputs, "mapper", parameters, MAPPED_VERSION)


def _enter(document: DocumentPlan, done: Derivation, items: Sequence[Extraction]) -> None:
    document.chunks = replace(document.chunks, mapped=tuple(items), mapped_id=done.derivation_id)


def _parts(store: Store, document: DocumentPlan) -> list[_Part]:
    """The document in groups of blocks."""
    source = stored_source(store, document.version)
    spans = _spans(source)
    return [_Part(document, source, group) for group in group_passages(document.version.name, source.text, spans)]


def _spans(source: SourceText) -> Iterable[PassageSpan]:
    """Blocks with what stands between them; a block longer than a group is cut at a line or a blank."""
    longest = GROUP_TOKENS * CHARS_PER_TOKEN
    borders = sorted({0, *(block.start for block in source.blocks), len(source.text)})
    for start, end in pairwise(borders):
        at = start
        while end - at > longest:
            cut = max(source.text.rfind("\n", at + longest // 2, at + longest), at)
            cut = cut if cut > at else max(source.text.rfind(" ", at + longest // 2, at + longest), at)
            cut = cut if cut > at else at + longest
            yield PassageSpan(at, cut, longest // CHARS_PER_TOKEN)
            at = cut
        if end > at:
            yield PassageSpan(at, end, max(1, (end - at) // CHARS_PER_TOKEN))


def _note(
    agency: Agency, document: DocumentPlan, outcomes: Sequence[Outcome[_Part, Mapped]], report: BuildReport
) -> None:
    """Count what the reader refused, and report text that speaks to a model."""
    for outcome in outcomes:
        if outcome.value is not None:
            agency.rejected("mapper", outcome.value.rejected)
            text = outcome.item.source.text
            report.suspicious += [
                {"name": document.version.name, "start": start, "end": end, "text": text[start:end]}
                for start, end in outcome.value.suspicious
            ]


def _records(
    agency: Agency, document: DocumentPlan, step: Derivation, outcomes: Sequence[Outcome[_Part, Mapped]]
) -> list[Extraction]:
    """What was found in all groups of a document, each finding once."""
    source = outcomes[0].item.source
    sections = outline(source)
    items = [item for outcome in outcomes for item in outcome.get().items]
    records = [_record(agency, document, step, source, sections, item) for item in items]
    return list({record.extraction_id: record for record in records}.values())


def _record(
    agency: Agency,
    document: DocumentPlan,
    step: Derivation,
    source: SourceText,
    sections: Sequence[OutlineSection],
    item: MappedItem,
) -> Extraction:
    return place_extraction(
        document.version,
        step.derivation_id,
        source,
        sections,
        kind=item.kind,
        data={"type": item.type, SCHEMA: agency.schema.version, "quote": item.method, **item.fields},
        quote=item.text,
        start=item.start,
        end=item.end,
        confidence=item.confidence,
    )
