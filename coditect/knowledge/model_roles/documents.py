"""What the roles that read one document after another share: which documents are left, whose outcomes are whose, what failed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from coditect.agents.asking.pool import Outcome
from coditect.errors import CoditectError
from coditect.knowledge.derivation.plan import DocumentPlan
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.derivation.run import BuildRun
from coditect.knowledge.labour.failures import failure_of_version
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.progress import Progress
from coditect.schemas import Derivation, DocumentVersion

__all__ = ["OfDocument", "first_error", "run_by_document", "unfinished", "unread"]


class OfDocument(Protocol):
    """A part of a document that a role is asked about."""

    @property
    def document(self) -> DocumentPlan:
        """The document that it is a part of."""
        ...


T = TypeVar("T", bound=OfDocument)
R = TypeVar("R")


def unfinished(
    run: BuildRun,
    documents: Sequence[DocumentPlan],
    step_of: Callable[[DocumentPlan], Derivation],
    enter: Callable[[DocumentPlan, Derivation], None],
) -> list[tuple[DocumentPlan, Derivation]]:
    """Documents with the steps that are still to be made; those that are made already are entered and counted.

    Args:
        run: the run of the build; its report counts what is used again.
        documents: the documents of the build.
        step_of: the step that a role makes of a document, without its outputs.
        enter: given each document whose step is finished, with that step.
    """
    steps = [(document, step_of(document)) for document in documents]
    known = run.store.derivations(run.report.corpus_id, [step.derivation_id for _, step in steps])
    for document, step in steps:
        done = known.get(step.derivation_id)
        if done is not None:
            enter(document, done)
            run.report.reused[done.stage] += len(done.outputs)
    return [(document, step) for document, step in steps if step.derivation_id not in known]


def run_by_document(
    agency: Agency,
    stage: Stage[T, R],
    take: Callable[[DocumentPlan, Sequence[Outcome[T, R]]], None],
    progress: Progress,
) -> None:
    """Ask all of a stage whose items come document by document.

    Args:
        agency: asks.
        stage: what is asked of whom.
        take: given all outcomes of a document, as soon as the last one is there.
        progress: told of answers.
    Raises:
        BudgetExceeded: the budget does not allow the rest; documents that were whole before were taken.
    """
    own: list[Outcome[T, R]] = []

    def end() -> None:
        if own:
            whole = own.copy()
            own.clear()
            take(whole[0].item.document, whole)

    def collect(outcome: Outcome[T, R]) -> None:
        if own and own[0].item.document is not outcome.item.document:
            end()
        own.append(outcome)

    agency.run(stage, collect, progress)
    end()


def first_error(outcomes: Sequence[Outcome[T, R]]) -> CoditectError | None:
    """Why the first of the outcomes without a value has none; None where all have one."""
    return next((outcome.error for outcome in outcomes if outcome.error is not None), None)


def unread(report: BuildReport, version: DocumentVersion, role: str, error: CoditectError) -> None:
    """Name a document that a role failed on in the report; once, with the first reason."""
    if any(failure.name == version.name for failure in report.unread):
        return
    failure = failure_of_version(version, error)
    message = f"the {role} failed, so rules read the document: {failure.message}"
    report.unread.append(failure.model_copy(update={"message": message}))
