"""The tracer: a model reads changes beside statements of other documents, one request after another."""

from __future__ import annotations

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.on_request.tracer import Tracing, read_tracing, tracer_request
from coditect.knowledge.model_roles.agency import TRACER, Agency, Stage
from coditect.knowledge.progress import Progress, silent
from coditect.knowledge.report.changes.asked import Portion
from coditect.knowledge.report.changes.traced import AnsweredPortion, ReadableList, traced_list
from coditect.models.llm import LlmAnswer, LlmRequest
from coditect.schemas import CorpusChanges

__all__ = ["forecast_work_list", "traced_work_list"]


def traced_work_list(agency: Agency, asked: ReadableList, progress: Progress = silent) -> CorpusChanges:
    """The changes, with the work list as a model reads it.

    What is not answered keeps what words say, and the list tells why.

    Args:
        agency: asks the tracer.
        asked: the list as rules and words make it, and what is read for it.
        progress: told of answers.
    Raises:
        BudgetExceeded: the budget does not allow the rest; what was answered is kept.
    """
    portions = asked.portions()
    answers: list[AnsweredPortion] = []
    unread: list[str] = []

    def take(outcome: Outcome[Portion, Tracing]) -> None:
        tracing: Tracing | None = None
        if outcome.error is not None:
            first = asked.statements[outcome.item.statements[0]].shown.document
            unread.append(f"the tracer did not answer of statements from {first} on: {outcome.error.message}")
        else:
            tracing = outcome.get()
            agency.count_rejected(TRACER, tracing.rejections)
        answers.append(AnsweredPortion(outcome.item, tracing, _request(agency, asked, outcome.item).sha256))

    def read(portion: Portion, answer: LlmAnswer) -> Tracing:
        return read_tracing(
            answer,
            [asked.changes[each].shown for each in portion.changes],
            [asked.statements[each].shown for each in portion.statements],
        )

    stage: Stage[Portion, Tracing] = Stage(
        TRACER, "tracer reads", lambda: portions, lambda portion: _request(agency, asked, portion), read
    )
    agency.run(stage, take, progress)
    return traced_list(asked, answers, agency.version_of(TRACER), unread)


def forecast_work_list(agency: Agency, asked: ReadableList, progress: Progress = silent) -> CorpusChanges:
    """The changes as rules and words make them; the agency's ledger tells what a model would be asked about them.

    Args:
        agency: forecasts.
        asked: the list, and what would be read for it.
        progress: told of requests.
    """
    stage: Stage[Portion, None] = Stage(
        TRACER,
        "tracer reads",
        asked.portions,
        lambda portion: _request(agency, asked, portion),
        lambda portion, answer: None,
    )
    agency.run(stage, lambda outcome: None, progress)
    return asked.states.changes


def _request(agency: Agency, asked: ReadableList, portion: Portion) -> LlmRequest:
    return tracer_request(
        agency.roles[TRACER],
        [asked.changes[each].shown for each in portion.changes],
        [asked.statements[each].shown for each in portion.statements],
    )
