"""Models that read documents: the mapper, whose findings stand in Tier 1 beside the rules', and the selector of Tier 2."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Generic, TypeVar

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.mapper import (
    GROUP_TOKENS,
    Mapped,
    MappedItem,
    PassageGroup,
    PassageSpan,
    group_passages,
    mapper_request,
    read_mapped,
)
from coditect.agents.roles.selector import read_selected, selector_request
from coditect.documents.layout import version_source
from coditect.documents.source import SourceText
from coditect.documents.structure.outline import OutlineSection, outline, printed
from coditect.errors import ModelError
from coditect.knowledge.building.derive import DeriveTask, Offered, offer
from coditect.knowledge.building.documents import task_of
from coditect.knowledge.building.executors import LOCAL, Executor
from coditect.knowledge.building.plan import DocumentPlan
from coditect.knowledge.building.report import BuildReport
from coditect.knowledge.model_roles.agency import Agency, Stage, unread
from coditect.knowledge.progress import Progress
from coditect.models.llm import LlmAnswer, LlmRequest
from coditect.schemas import Derivation, DocumentVersion, Extraction, Failure
from coditect.store.store import Store
from coditect.tiers.chunks.summaries import Choice
from coditect.tiers.evidence import require_extraction
from coditect.tiers.extractions.document import SCHEMA

__all__ = ["MAPPED_VERSION", "map_documents", "select_sentences"]

MAPPED_VERSION = "mapped/1"

CHARS_PER_TOKEN = 4
"""Of English prose, roughly; for the size of groups alone."""

FEW = 16
"""Documents that are offered to the selector from this process."""

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class _Part:
    """A group of passages of one document."""

    document: DocumentPlan
    source: SourceText
    group: PassageGroup


@dataclass(frozen=True, slots=True)
class _Asked:
    """A chunk that a model selects from."""

    document: DocumentPlan
    choice: Choice


class _ByDocument(Generic[T, R]):
    """Gathers outcomes that come in the order of their documents, and hands them on document by document."""

    def __init__(
        self, of: Callable[[T], DocumentPlan], hand_on: Callable[[DocumentPlan, Sequence[Outcome[T, R]]], None]
    ) -> None:
        self._of = of
        self._hand_on = hand_on
        self._own: list[Outcome[T, R]] = []

    def take(self, outcome: Outcome[T, R]) -> None:
        """The next one."""
        if self._own and self._of(self._own[0].item) is not self._of(outcome.item):
            self.end()
        self._own.append(outcome)

    def end(self) -> None:
        """No more of this document."""
        if self._own:
            own, self._own = self._own, []
            self._hand_on(self._of(own[0].item), own)


# the mapper


def map_documents(
    agency: Agency, store: Store, documents: Sequence[DocumentPlan], report: BuildReport, progress: Progress
) -> None:
    """Have the mapper read the documents that it has not read; its findings are stored and entered into the plans.

    Raises:
        BudgetExceeded: what was answered is kept.
    """
    steps = {document.version.version_id: _mapped_step(agency, document.version) for document in documents}
    known = store.derivations(report.corpus_id, [step.derivation_id for step in steps.values()])
    for document in documents:
        done = known.get(steps[document.version.version_id].derivation_id)
        if done is not None:
            _enter(document, done, _stored(store, document.version, done))
            report.reused["extractions"] += len(done.outputs)
    wanted = [each for each in documents if steps[each.version.version_id].derivation_id not in known]
    role = agency.roles["mapper"]

    def parts() -> Iterator[_Part]:
        return (part for document in wanted for part in _parts(store, document))

    def request(part: _Part) -> LlmRequest:
        return mapper_request(role, agency.schema, part.group)

    def read(part: _Part, answer: LlmAnswer) -> Mapped:
        return read_mapped(answer, agency.schema, part.group)

    def take(document: DocumentPlan, outcomes: Sequence[Outcome[_Part, Mapped]]) -> None:
        _take_mapped(agency, store, document, steps[document.version.version_id], outcomes, report)

    collected: _ByDocument[_Part, Mapped] = _ByDocument(lambda part: part.document, take)
    agency.run(Stage("mapper", "mapper reads", parts, request, read), collected.take, progress)
    collected.end()
    for document in wanted:  # without a word to read
        if not document.chunks.mapped_id and not any(f.name == document.version.name for f in report.unread):
            _finish(store, document, steps[document.version.version_id], ())


def _mapped_step(agency: Agency, version: DocumentVersion) -> Derivation:
    role = agency.roles["mapper"]
    parameters = {"role": role.version, "model": role.model, SCHEMA: agency.schema.version}
    inputs = (version.version_id,)
    return Derivation.create(version.corpus_id, "extractions", inputs, "mapper", parameters, MAPPED_VERSION)


def _stored(store: Store, version: DocumentVersion, done: Derivation) -> tuple[Extraction, ...]:
    places = [(version.corpus_id, version.document_id, each) for each in done.outputs]
    return tuple(each for each in store.get_many("extractions", Extraction, places) if each is not None)


def _enter(document: DocumentPlan, done: Derivation, items: tuple[Extraction, ...]) -> None:
    document.chunks = replace(document.chunks, mapped=items, mapped_id=done.derivation_id)


def _parts(store: Store, document: DocumentPlan) -> list[_Part]:
    """The document in groups of blocks."""
    task = task_of(store, document, {})
    version = document.version
    source = version_source(version, task.text, task.layout)
    return [_Part(document, source, group) for group in group_passages(version.name, source.text, _spans(source))]


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


def _take_mapped(
    agency: Agency,
    store: Store,
    document: DocumentPlan,
    step: Derivation,
    outcomes: Sequence[Outcome[_Part, Mapped]],
    report: BuildReport,
) -> None:
    """Store what was found in all groups of a document; where one failed, nothing of it is used."""
    for outcome in outcomes:
        if outcome.value is not None:
            agency.rejected("mapper", outcome.value.rejected)
            text = outcome.item.source.text
            report.suspicious += [
                {"name": document.version.name, "start": start, "end": end, "text": text[start:end]}
                for start, end in outcome.value.suspicious
            ]
    error = next((outcome.error for outcome in outcomes if outcome.error is not None), None)
    if error is not None:
        unread(report, document.version, "mapper", error)
        return
    source = outcomes[0].item.source
    sections = outline(source)
    items = [item for outcome in outcomes for item in outcome.get().items]
    records = {
        record.extraction_id: record
        for record in (_record(agency, document.version, step, source, sections, item) for item in items)
    }
    _finish(store, document, step, tuple(records.values()))
    report.derived["extractions"] += len(records)


def _finish(store: Store, document: DocumentPlan, step: Derivation, records: tuple[Extraction, ...]) -> None:
    store.put_items(records)
    done = step.model_copy(update={"outputs": tuple(each.extraction_id for each in records)})
    store.put_derivations([done])
    _enter(document, done, records)


def _record(
    agency: Agency,
    version: DocumentVersion,
    step: Derivation,
    source: SourceText,
    sections: Sequence[OutlineSection],
    item: MappedItem,
) -> Extraction:
    """A finding as Tier 1, checked against the text like every other."""
    index = bisect_right(sections, item.start, key=lambda each: each.start) - 1
    while index > 0 and sections[index].end < item.end:
        index = sections[index].parent
    section = sections[max(index, 0)]
    record = Extraction.create(
        corpus_id=version.corpus_id,
        document_id=version.document_id,
        version_id=version.version_id,
        derivation_id=step.derivation_id,
        extraction_kind=item.kind,
        tier1_data={"type": item.type, SCHEMA: agency.schema.version, "quote": item.method, **item.fields},
        source_text=item.text,
        char_offset_start=item.start,
        char_offset_end=item.end,
        section_id=section.section_id,
        heading=printed(section),
        confidence=item.confidence,
    )
    require_extraction(source.text, record)
    return record


# the selector


def select_sentences(
    agency: Agency,
    store: Store,
    documents: Sequence[DocumentPlan],
    report: BuildReport,
    progress: Progress,
    jobs: int | None,
    executor: Executor,
) -> None:
    """Have the selector choose the sentences of Tier 2, where that is not there yet.

    Raises:
        BudgetExceeded: what was answered is kept.
    """
    role = agency.roles["selector"]
    version = f"{role.version} {role.model}"
    for document in documents:
        document.chunks = replace(document.chunks, method="llm_extractive", selector=version, selections={})
    ids = [document.chunks.id_for(document.version) for document in documents]
    known = store.derivations(report.corpus_id, ids)
    wanted = [document for document, own_id in zip(documents, ids, strict=True) if own_id not in known]
    local = executor if executor.shared is None else LOCAL  # what is offered comes back: no need to go far for it
    slots = local.slots(jobs, len(wanted), worthwhile=len(wanted) > FEW)

    def chosen() -> Iterator[_Asked]:
        tasks = (task_of(store, document, {}) for document in wanted)
        offers = local.run(offer, tasks, jobs=slots, crashed=_crashed)
        # A document that cannot be read fails in its derivation, which says so.
        return (
            _Asked(document, choice) for document, own in zip(wanted, offers, strict=True) for choice in own.choices
        )

    def request(asked: _Asked) -> LlmRequest:
        return selector_request(role, asked.choice.sentences, asked.choice.most, heading=asked.choice.heading)

    def read(asked: _Asked, answer: LlmAnswer) -> tuple[int, ...]:
        return read_selected(answer, len(asked.choice.sentences), asked.choice.most)

    def take(document: DocumentPlan, outcomes: Sequence[Outcome[_Asked, tuple[int, ...]]]) -> None:
        error = next((outcome.error for outcome in outcomes if outcome.error is not None), None)
        if error is not None:
            document.select_by_rules()
            unread(report, document.version, "selector", error)
            return
        chosen = {each.item.choice.start: tuple(number + 1 for number in each.get()) for each in outcomes}
        document.chunks = replace(document.chunks, selections=chosen)

    collected: _ByDocument[_Asked, tuple[int, ...]] = _ByDocument(lambda asked: asked.document, take)
    agency.run(Stage("selector", "selector chooses", chosen, request, read), collected.take, progress)
    collected.end()


def _crashed(task: DeriveTask) -> Offered:
    version = task.version
    error = ModelError("the process that read the document died")
    failure = Failure(corpus_id=version.corpus_id, name=version.name, error=type(error).__name__, message=error.message)
    return Offered(version.document_id, failure=failure)
