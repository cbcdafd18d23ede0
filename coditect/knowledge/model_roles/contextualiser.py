"""The contextualiser: passages whose context a model wrote, for search alone.

They are the passages that were cut, with other contexts, under a derivation of their own; what is cited stays the document. Only
the level that is searched is asked about: the levels above are read, not found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.contextualiser import ContextDocument, Heading, contextualiser_request, read_context
from coditect.documents.structure.outline import outline, printed
from coditect.errors import CoditectError
from coditect.knowledge.derivation.plan import DocumentPlan
from coditect.knowledge.derivation.run import BuildRun
from coditect.knowledge.derivation.source import stored_source
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.model_roles.documents import unfinished, unread
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
class _OpenDocument:
    """A document that is being situated.

    Attributes:
        plan: its plan.
        step: the derivation that is made.
        shown: the document as the model sees it.
        passages: its passages as they were cut.
        contexts: what came so far, by passage id.
        waiting: how many passages have no outcome yet.
        error: why the first passage that failed did.
    """

    plan: DocumentPlan
    step: Derivation
    shown: ContextDocument
    passages: Sequence[Passage]
    contexts: dict[str, str] = field(default_factory=dict)
    waiting: int = 0
    error: CoditectError | None = None


@dataclass(frozen=True, slots=True)
class _OpenPassage:
    """A passage that is being situated."""

    document: _OpenDocument
    passage: Passage


def situate_passages(agency: Agency, run: BuildRun, documents: Sequence[DocumentPlan]) -> None:
    """Have the passages of documents situated, where they are not yet; entered into the plans.

    A document on which the model fails keeps the contexts that its headings give. Nothing is done where no model plays the
    contextualiser.

    Args:
        agency: asks the contextualiser.
        run: the run of the build; its report names the documents that the role failed on.
        documents: the documents of the build; their plans are changed.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    role = agency.roles.get("contextualiser")
    if role is None:
        return
    cut = [document for document in documents if document.passages is not None]
    wanted = unfinished(run, cut, lambda document: _step(agency, document), _enter)

    def asked() -> Iterator[_OpenPassage]:
        for at in range(0, len(wanted), DOCUMENTS_AT_ONCE):
            some = [_open(run.store, *each) for each in wanted[at : at + DOCUMENTS_AT_ONCE]]
            queues = [[_OpenPassage(each, p) for p in each.passages if p.level == SEARCHED] for each in some]
            yield from (own[0] for own in queues if own)
            yield from (each for own in queues for each in own[1:])

    def take(outcome: Outcome[_OpenPassage, str]) -> None:
        document = outcome.item.document
        document.waiting -= 1
        if outcome.error is not None:
            document.error = document.error or outcome.error
        else:
            document.contexts[outcome.item.passage.passage_id] = outcome.get()
        if document.waiting == 0:
            _finish(agency, run, document)

    stage: Stage[_OpenPassage, str] = Stage(
        "contextualiser",
        "contextualiser situates",
        asked,
        lambda item: contextualiser_request(
            role, item.document.shown, item.passage.char_offset_start, item.passage.char_offset_end
        ),
        lambda item, answer: read_context(answer),
    )
    agency.run(stage, take, run.progress)


def _step(agency: Agency, document: DocumentPlan) -> Derivation:
    role = agency.roles["contextualiser"]
    version, inputs = document.version, (document.steps["passages"],)
    parameters: dict[str, object] = {"role": role.version, "model": role.model, "level": SEARCHED}
    return Derivation.create(version.corpus_id, "passages", inputs, "contextualised", parameters, SITUATED_VERSION)


def _enter(document: DocumentPlan, done: Derivation) -> None:
    document.situated_id = done.derivation_id


def _open(store: Store, document: DocumentPlan, step: Derivation) -> _OpenDocument:
    version = document.version
    done = store.derivations(version.corpus_id, [document.steps["passages"]])[document.steps["passages"]]
    places = [(version.corpus_id, version.document_id, each) for each in done.outputs]
    passages = [each for each in store.get_many("passages", Passage, places) if each is not None]
    source = stored_source(store, version)
    headings = tuple(Heading(each.start, each.level, printed(each)) for each in outline(source) if each.level)
    waiting = sum(passage.level == SEARCHED for passage in passages)
    return _OpenDocument(
        document, step, ContextDocument(version.name, source.text, headings), passages, waiting=waiting
    )


def _finish(agency: Agency, run: BuildRun, document: _OpenDocument) -> None:
    """Store a document's passages with their new contexts."""
    if document.error is not None:
        unread(run.report, document.plan.version, "contextualiser", document.error)
        return
    by = agency.version_of("contextualiser")
    records = situated(document.passages, document.contexts, document.step.derivation_id, by)
    _enter(document.plan, run.store.finish(document.step, records))
    run.report.derived["passages"] += len(records)


def situated(passages: Sequence[Passage], contexts: Mapping[str, str], derivation_id: str, by: str) -> list[Passage]:
    """Passages under another derivation, those that have one with their new context.

    Args:
        passages: the passages of one document, parents before their children.
        contexts: what was written, by id of the passage as it was cut.
        derivation_id: the step that the new passages are outputs of.
        by: the version of the role and model that wrote the contexts.
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
