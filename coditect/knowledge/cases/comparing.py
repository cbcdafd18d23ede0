"""What a language model is asked outside of builds: crosswalks that it reads after the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from coditect.errors import UsageError
from coditect.knowledge.progress import Progress, silent

if TYPE_CHECKING:
    from coditect.knowledge.cases.base import KnowledgeBase
    from coditect.knowledge.report.crosswalk.assembly import FrameworkComparison
    from coditect.schemas import Crosswalk

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["read_crosswalk"]


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
        (:meth:`coditect.agents.asking.ledger.Ledger.report`).
    Raises:
        UsageError: no language model is configured.
        BudgetExceeded: the budget does not allow the rest; what was answered is kept.
    """
    from coditect.knowledge.model_roles.agency import ASSESSOR
    from coditect.knowledge.model_roles.assessor import assessed_crosswalk, forecast_crosswalk
    from coditect.knowledge.model_roles.forecast import account_of

    corpus_id = compared.view.corpus_id
    with knowledge.open_agency(knowledge.store, corpus_id, forecast=forecast, roles=(ASSESSOR,)) as agency:
        if agency is None:
            raise UsageError(
                "no language model is configured", hint="Add --llm claude; of a server, set CODITECT_LLM=claude for it."
            )
        if forecast:
            return forecast_crosswalk(agency, compared, progress), account_of(agency)
        knowledge.acting()
        try:
            return assessed_crosswalk(agency, compared, progress), account_of(agency)
        finally:
            knowledge.checkpoint()
