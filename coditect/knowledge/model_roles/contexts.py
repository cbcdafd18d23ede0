"""The contextualiser: passages whose context a model wrote, for search alone.

They are the passages that were cut, with other contexts, under a derivation of their own; what is cited stays the document. Only
the level that is searched is asked about: the levels above are read, not found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.contextualiser import ContextDocument, Heading, contextualiser_request, read_context
from coditect.documents.layout import version_source
from coditect.documents.structure.outline import outline, printed
from coditect.errors import CoditectError
from coditect.knowledge.building.documents import task_of
from coditect.knowledge.building.plan import DocumentPlan
from coditect.knowledge.building.report import BuildReport
from coditect.knowledge.model_roles.agency import Agency, Stage, unread
from coditect.knowledge.progress import Progress
from coditect.models.llm import LlmAnswer, LlmRequest
from coditect.schemas import Derivation, Passage
from coditect.store.store import Store

__all__ = ["SITUATED_VERSION", "situate_passages", "situated"]

SITUATED_VERSION = "situated/1"

SEARCHED = 0
"""The level whose passages are situated."""

DOCUMENTS_AT_ONCE = 24
"""Documents whose passages are asked about together: the first passage of each before the others, so that the service keeps the
document once and reads it many times. Few enough that it is still kept when the last passage's turn comes."""


@dataclass(slots=True)
class _Reading:
    """A document that is being situated.

    Attributes:
        plan: its plan.
        step: the derivation that is made.
        shown: as the model sees it.
        passages: as they were cut.
        contexts: by passage id, as answers come.
        open: passages without an outcome.
        error: of the first passage that failed.
    """

    plan: DocumentPlan
    step: Derivation
    shown: ContextDocument
    passages: Sequence[Passage]
    contexts: dict[str, str] = field(default_factory=dict)
    open: int = 0
    error: CoditectError | None = None


@dataclass(frozen=True, slots=True)
class _Asked:
    reading: _Reading
    passage: Passage


def situate_passages(
    agency: Agency, store: Store, documents: Sequence[DocumentPlan], report: BuildReport, progress: Progress
) -> None:
    """Have the passages of documents situated, where they are not yet; entered into the plans.

    A document on which the model fails keeps the contexts that its headings give.

    Raises:
        BudgetExceeded: what was answered is kept.
    """
    cut = [document for document in documents if document.passages is not None]
    steps = {document.version.version_id: _step(agency, document) for document in cut}
    known = store.derivations(report.corpus_id, [step.derivation_id for step in steps.values()])
    wanted = []
    for document in cut:
        step = steps[document.version.version_id]
        if step.derivation_id in known:
            document.situated_id = step.derivation_id
            report.reused["passages"] += len(known[step.derivation_id].outputs)
        else:
            wanted.append(document)
    role = agency.roles["contextualiser"]

    def asked() -> Iterator[_Asked]:
        for at in range(0, len(wanted), DOCUMENTS_AT_ONCE):
            some = [
                _reading(store, each, steps[each.version.version_id]) for each in wanted[at : at + DOCUMENTS_AT_ONCE]
            ]
            queues = [(reading, [p for p in reading.passages if p.level == SEARCHED]) for reading in some]
            yield from (_Asked(reading, own[0]) for reading, own in queues if own)
            yield from (_Asked(reading, each) for reading, own in queues for each in own[1:])

    def request(item: _Asked) -> LlmRequest:
        start, end = item.passage.char_offset_start, item.passage.char_offset_end
        return contextualiser_request(role, item.reading.shown, start, end)

    def read(item: _Asked, answer: LlmAnswer) -> str:
        return read_context(answer)

    def take(outcome: Outcome[_Asked, str]) -> None:
        reading = outcome.item.reading
        reading.open -= 1
        if outcome.error is not None:
            reading.error = reading.error or outcome.error
        else:
            reading.contexts[outcome.item.passage.passage_id] = outcome.get()
        if reading.open == 0:
            _finish(agency, store, reading, report)

    agency.run(Stage("contextualiser", "contextualiser situates", asked, request, read), take, progress)


def _step(agency: Agency, document: DocumentPlan) -> Derivation:
    role = agency.roles["contextualiser"]
    version, inputs = document.version, (document.steps["passages"],)
    parameters: dict[str, object] = {"role": role.version, "model": role.model, "level": SEARCHED}
    return Derivation.create(version.corpus_id, "passages", inputs, "contextualised", parameters, SITUATED_VERSION)


def _reading(store: Store, document: DocumentPlan, step: Derivation) -> _Reading:
    version = document.version
    done = store.derivations(version.corpus_id, [document.steps["passages"]])[document.steps["passages"]]
    places = [(version.corpus_id, version.document_id, each) for each in done.outputs]
    passages = [each for each in store.get_many("passages", Passage, places) if each is not None]
    reading = _Reading(document, step, _shown(store, document), passages)
    reading.open = sum(passage.level == SEARCHED for passage in passages)
    return reading


def _shown(store: Store, document: DocumentPlan) -> ContextDocument:
    task, version = task_of(store, document, {}), document.version
    source = version_source(version, task.text, task.layout)
    headings = tuple(Heading(each.start, each.level, printed(each)) for each in outline(source) if each.level)
    return ContextDocument(version.name, source.text, headings)


def _finish(agency: Agency, store: Store, reading: _Reading, report: BuildReport) -> None:
    """Store a document's passages with their new contexts."""
    if reading.error is not None:
        unread(report, reading.plan.version, "contextualiser", reading.error)
        return
    role = agency.roles["contextualiser"]
    records = situated(reading.passages, reading.contexts, reading.step.derivation_id, f"{role.version} {role.model}")
    store.put_items(records)
    done = reading.step.model_copy(update={"outputs": tuple(each.passage_id for each in records)})
    store.put_derivations([done])
    reading.plan.situated_id = done.derivation_id
    report.derived["passages"] += len(records)


def situated(passages: Sequence[Passage], contexts: Mapping[str, str], derivation_id: str, by: str) -> list[Passage]:
    """Passages under another derivation, those that have one with their new context.

    Args:
        passages: of one document, parents before their children.
        contexts: by id of the passage as it was cut.
        derivation_id: of the new ones.
        by: who wrote the contexts.
    """
    moved: dict[str, str] = {"": ""}
    records = []
    for passage in passages:
        fields = {name: getattr(passage, name) for name in Passage.model_fields if name != "passage_id"}
        fields |= {"derivation_id": derivation_id, "parent_id": moved[passage.parent_id]}
        context = contexts.get(passage.passage_id)
        if context is not None:
            fields |= {"context": context, "context_by": by}
        record = Passage.create(**fields)
        moved[passage.passage_id] = record.passage_id
        records.append(record)
    return records
