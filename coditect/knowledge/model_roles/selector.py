"""The selector: a model that chooses the sentences of Tier 2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.selector import read_selected, selector_request
from coditect.knowledge.derivation.corpus import task_of
from coditect.knowledge.derivation.document import DeriveTask, offer
from coditect.knowledge.derivation.executors import LOCAL
from coditect.knowledge.derivation.plan import DocumentPlan
from coditect.knowledge.derivation.run import BuildRun
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.model_roles.documents import first_error, run_by_document, unread
from coditect.tiers.chunks.summaries import Choice

__all__ = ["plan_selection", "select_sentences"]

FEW = 16
"""Documents that are offered to the selector from this process."""


@dataclass(frozen=True, slots=True)
class _OfferedChunk:
    """A chunk that a model selects from."""

    document: DocumentPlan
    choice: Choice


def plan_selection(agency: Agency, documents: Sequence[DocumentPlan]) -> None:
    """Enter into the plans that the selector chooses, where a model plays it: their steps have their ids from then on.

    Args:
        agency: says by which version of the selector.
        documents: the documents of the build; their plans are changed.
    """
    if "selector" not in agency.roles:
        return
    version = agency.version_of("selector")
    for document in documents:
        document.chunks = replace(document.chunks, method="llm_extractive", selector=version, selections={})


def select_sentences(agency: Agency, run: BuildRun, documents: Sequence[DocumentPlan]) -> None:
    """Have the selector choose the sentences of Tier 2, where that is not there yet; entered into the plans.

    Nothing is done where no model plays the selector.

    Args:
        agency: asks the selector.
        run: the run of the build; its report names the documents that the role failed on.
        documents: the documents of the build; their plans are changed.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    role = agency.roles.get("selector")
    if role is None:
        return
    plan_selection(agency, documents)
    ids = [document.chunks.step_for(document.version).derivation_id for document in documents]
    known = run.store.derivations(run.report.corpus_id, ids)
    wanted = [document for document, own_id in zip(documents, ids, strict=True) if own_id not in known]
    local = (
        run.executor if run.executor.shared is None else LOCAL
    )  # what is offered comes back: no need to go far for it
    slots = local.slots(run.jobs, len(wanted), worthwhile=len(wanted) > FEW)

    def offered() -> Iterator[_OfferedChunk]:
        tasks = (task_of(run, document, {}) for document in wanted)
        offers = local.run(offer, tasks, jobs=slots, crashed=_nothing)
        return (_OfferedChunk(document, choice) for document, own in zip(wanted, offers, strict=True) for choice in own)

    def take(document: DocumentPlan, outcomes: Sequence[Outcome[_OfferedChunk, tuple[int, ...]]]) -> None:
        error = first_error(outcomes)
        if error is not None:
            document.select_by_rules()
            unread(run.report, document.version, "selector", error)
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
    run_by_document(agency, stage, take, run.progress)


def _nothing(task: DeriveTask) -> tuple[Choice, ...]:
    """A document whose process dies fails in its derivation, which says so."""
    del task
    return ()
