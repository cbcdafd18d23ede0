"""What a language model is asked outside of builds: how a role is opened for it, and crosswalks and work lists that it reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from coditect.errors import UsageError
from coditect.knowledge.progress import Progress, silent
from coditect.schemas.day import require_day

if TYPE_CHECKING:
    from coditect.knowledge.cases.base import KnowledgeBase
    from coditect.knowledge.model_roles.agency import Agency
    from coditect.knowledge.report.changes.report import ComparedStates
    from coditect.knowledge.report.crosswalk.assembly import FrameworkComparison
    from coditect.schemas import CorpusChanges, Crosswalk

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["documents_compared", "open_role", "read_crosswalk", "read_work_list", "states_compared"]


@contextmanager
def open_role(knowledge: KnowledgeBase, corpus_id: str, role: str, *, forecast: bool = False) -> Iterator[Agency]:
    """A role that a language model plays outside of builds, for as long as the block asks it.

    Args:
        knowledge: of the tenant; opens the model.
        corpus_id: the corpus that answers are kept under.
        role: its name.
        forecast: nothing is asked or kept; the ledger tells what would be.
    Raises:
        UsageError: no language model is configured, or it has no key.
    """
    with knowledge.open_agency(knowledge.store, corpus_id, forecast=forecast, roles=(role,)) as agency:
        if agency is None:
            raise UsageError(
                "no language model is configured", hint="Add --llm claude; of a server, set CODITECT_LLM=claude for it."
            )
        if forecast:
            yield agency
            return
        knowledge.acting()
        try:
            yield agency
        finally:
            knowledge.checkpoint()


def read_crosswalk(
    knowledge: KnowledgeBase, compared: FrameworkComparison, *, forecast: bool = False, progress: Progress = silent
) -> tuple[Crosswalk, dict[str, Any]]:
    """Have a model read what rules call met, or nearly, of a comparison; see ADR 112.

    What it answers is kept in the store, so that only what changed is asked again.

    Args:
        knowledge: of the tenant; opens the model.
        compared: the comparison.
        forecast: nothing is asked or stored; the account tells what would be.
        progress: told of answers.
    Returns:
        The crosswalk without decisions of persons, and the account of what was asked, got and paid
        (:func:`coditect.knowledge.model_roles.forecast.account_of`).
    Raises:
        UsageError: no language model is configured, or it has no key.
        BudgetExceeded: the budget does not allow the rest; what was answered is kept.
    """
    from coditect.knowledge.model_roles.agency import ASSESSOR
    from coditect.knowledge.model_roles.forecast import account_of
    from coditect.knowledge.model_roles.on_request.assessor import assessed_crosswalk, forecast_crosswalk

    read = forecast_crosswalk if forecast else assessed_crosswalk
    with open_role(knowledge, compared.view.corpus_id, ASSESSOR, forecast=forecast) as agency:
        return read(agency, compared, progress), account_of(agency)


def states_compared(
    knowledge: KnowledgeBase,
    corpus_id: str,
    *,
    before: int | str | None = None,
    after: int | str | None = None,
    documents: Sequence[str] = (),
    today: str | None = None,
) -> ComparedStates:
    """Two states of a corpus, held against each other; see :meth:`coditect.Knowledge.changes`."""
    from coditect.knowledge.report.changes.report import compared_states
    from coditect.knowledge.report.changes.states import generation_of

    require_day("today", today)
    last = generation_of(knowledge.store, corpus_id, after, "after")
    first = generation_of(knowledge.store, corpus_id, before if before is not None else last - 1, "before")
    return compared_states(
        knowledge.view(corpus_id, first),
        knowledge.view(corpus_id, last),
        documents=documents,
        today=today or knowledge.clock()[:10],
        embedder=knowledge.models.ranking(),
        words=knowledge.models.word_for_word(),
    )


def documents_compared(
    knowledge: KnowledgeBase, corpus_id: str, old: str, new: str, *, as_of: int | None = None, today: str | None = None
) -> ComparedStates:
    """Two documents of a generation, held against each other; see :meth:`coditect.Knowledge.changes_between`."""
    from coditect.knowledge.report.changes.report import compared_documents

    require_day("today", today)
    return compared_documents(
        knowledge.view(corpus_id, as_of),
        old,
        new,
        today=today or knowledge.clock()[:10],
        embedder=knowledge.models.ranking(),
        words=knowledge.models.word_for_word(),
    )


def read_work_list(
    knowledge: KnowledgeBase, states: ComparedStates, *, forecast: bool = False, progress: Progress = silent
) -> tuple[CorpusChanges, dict[str, Any]]:
    """Have a model read which statements rest on what changed; see ADR 119.

    What it answers is kept in the store, so that only what changed is asked again.

    Args:
        knowledge: of the tenant; opens the model.
        states: what was compared.
        forecast: nothing is asked or stored; the account tells what would be.
        progress: told of answers.
    Returns:
        The changes with the work list as the model reads it, and the account of what was asked, got and paid
        (:func:`coditect.knowledge.model_roles.forecast.account_of`).
    Raises:
        UsageError: no language model is configured, or it has no key.
        BudgetExceeded: the budget does not allow the rest; what was answered is kept.
    """
    from coditect.knowledge.model_roles.agency import TRACER
    from coditect.knowledge.model_roles.forecast import account_of
    from coditect.knowledge.model_roles.on_request.tracer import forecast_work_list, traced_work_list
    from coditect.knowledge.report.changes.traced import ReadableList

    asked = ReadableList(states, knowledge.models.ranking())
    read = forecast_work_list if forecast else traced_work_list
    with open_role(knowledge, states.after.corpus_id, TRACER, forecast=forecast) as agency:
        return read(agency, asked, progress), account_of(agency)
