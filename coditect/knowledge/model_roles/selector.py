"""The selector: a model that chooses the sentences of Tier 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.selector import read_selected, selector_request
from coditect.knowledge.derivation.corpus import task_of
from coditect.knowledge.derivation.document import DeriveTask, offer
from coditect.knowledge.derivation.executors import LOCAL, Executor
from coditect.knowledge.derivation.plan import DocumentPlan
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.model_roles.documents import first_error, run_by_document, unread
from coditect.knowledge.progress import Progress
from coditect.store.store import Store
from coditect.tiers.chunks.summaries import Choice

__all__ = ["select_sentences"]

FEW = 16
"""Documents that are offered to the selector from this process."""


@dataclass(frozen=True, slots=True)
class _OfferedChunk:
    """A chunk that a model selects from."""

    document: DocumentPlan
    choice: Choice


def select_sentences(
    agency: Agency,
    store: Store,
    documents: Sequence[DocumentPlan],
    report: BuildReport,
    progress: Progress,
    jobs: int | None,
    executor: Executor,
) -> None:
    """Have the selector choose the sentences of Tier 2, where that is not there yet; entered into the plans.

    Nothing is done where no model plays the selector.

    Args:
        agency: asks the selector.
        store: the tenant's store.
        documents: the documents of the build; their plans are changed.
        report: names the documents that the selector failed on.
        progress: told of answers.
        jobs: how many processes prepare what is offered; None for as many as pay.
        executor: prepares what the model may select from.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    role = agency.roles.get("selector")
    if role is None:
        return
    version = agency.version_of("selector")
    for document in documents:
        document.chunks = replace(document.chunks, method="llm_extractive", selector=version, selections={})
    ids = [document.chunks.step_for(document.version).derivation_id for document in documents]
    known = store.derivations(report.corpus_id, ids)
    wanted = [document for document, own_id in zip(documents, ids, strict=True) if own_id not in known]
    local = executor if executor.shared is None else LOCAL  # what is offered comes back: no need to go far for it
    slots = local.slots(jobs, len(wanted), worthwhile=len(wanted) > FEW)

    def offered() -> Iterator[_OfferedChunk]:
        tasks = (task_of(store, document, {}) for document in wanted)
        offers = local.run(offer, tasks, jobs=slots, crashed=_nothing)
        return (_OfferedChunk(document, choice) for document, own in zip(wanted, offers, strict=True) for choice in own)

    def take(document: DocumentPlan, outcomes: Sequence[Outcome[_OfferedChunk, tuple[int, ...]]]) -> None:
        error = first_error(outcomes)
        if error is not None:
            document.select_by_rules()
            unread(report, document.version, "selector", error)
            return
        chosen = {each.item.choice.start: tuple(number + 1 for number in each.get()) for each in outcomes}
        document.chunks = replace(document.chunks, selections=chosen)

    stage: Stage[_OfferedChunk, tuple[int, ...]] = Stage(
        "selector",
        "selector chooses",
        offered,
        lambda chunk: selector_request(role, chunk.choice.sentences, chunk.choice.most, heading=chunk.choice.heading),
        lambda chunk, answer: read_selected(answer, len(chunk.choice.sentences), chunk.choice.most),
    )
    run_by_document(agency, stage, take, progress)


def _nothing(task: DeriveTask) -> tuple[Choice, ...]:
    """A document whose process dies fails in its derivation, which says so."""
    del task
    return ()
