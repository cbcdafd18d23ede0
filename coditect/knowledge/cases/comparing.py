"""What a language model is asked outside of builds: how a role is opened for it, and crosswalks that it reads after the rules."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from coditect.errors import UsageError
from coditect.knowledge.progress import Progress, silent

if TYPE_CHECKING:
    from coditect.knowledge.cases.base import KnowledgeBase
    from coditect.knowledge.model_roles.agency import Agency
    from coditect.knowledge.report.crosswalk.assembly import FrameworkComparison
    from coditect.schemas import Crosswalk

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["open_role", "read_crosswalk"]


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
    from coditect.knowledge.model_roles.assessor import assessed_crosswalk, forecast_crosswalk
    from coditect.knowledge.model_roles.forecast import account_of

    read = forecast_crosswalk if forecast else assessed_crosswalk
    with open_role(knowledge, compared.view.corpus_id, ASSESSOR, forecast=forecast) as agency:
        return read(agency, compared, progress), account_of(agency)
