"""The assessor: a model reads a crosswalk, every requirement that rules call met or nearly, one request after another."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.on_request.assessor import PairVerdict, assessor_request, read_assessments
from coditect.knowledge.model_roles.agency import ASSESSOR, Agency, Stage
from coditect.knowledge.progress import Progress, silent
from coditect.knowledge.report.crosswalk.assembly import (
    FrameworkComparison,
    best_first,
    coverage_of,
    orphans_of,
    undecided_crosswalk,
)
from coditect.knowledge.report.crosswalk.assessed.questions import AskedRequirement, questions_of
from coditect.knowledge.report.crosswalk.assessed.settling import settled
from coditect.schemas.crosswalk import Crosswalk, CrosswalkEvidence, CrosswalkRow

__all__ = ["assessed_crosswalk", "forecast_crosswalk"]

Answers = Sequence[PairVerdict]


def assessed_crosswalk(agency: Agency, compared: FrameworkComparison, progress: Progress = silent) -> Crosswalk:
    """The crosswalk of a comparison as a model reads it, whatever persons decided.

    A requirement that is not answered keeps what rules say, and its rows tell why.

    Args:
        agency: asks the assessor.
        compared: the comparison.
        progress: told of answers.
    Raises:
        BudgetExceeded: the budget does not allow the rest; what was answered is kept.
    """
    role, by = agency.roles[ASSESSOR], agency.version_of(ASSESSOR)
    found = undecided_crosswalk(compared)
    read: dict[tuple[int, str], CrosswalkEvidence] = {}
    unread: dict[int, str] = {}

    def take(outcome: Outcome[AskedRequirement, Answers]) -> None:
        item = outcome.item
        if outcome.error is not None:
            unread.update(dict.fromkeys(item.rows, f"the assessor did not answer: {outcome.error.message}"))
            return
        verdicts = outcome.get()
        agency.count_rejected(ASSESSOR, (each.problem for each in verdicts if each.problem))
        sha256 = assessor_request(role, item.question).sha256
        for (number, evidence), said in zip(item.pairs, verdicts, strict=True):
            read[number, evidence.item_id] = settled(evidence, said, by, sha256)

    stage: Stage[AskedRequirement, Answers] = Stage(
        ASSESSOR,
        "assessor reads",
        lambda: questions_of(compared, found),
        lambda item: assessor_request(role, item.question),
        lambda item, answer: read_assessments(answer, item.question),
    )
    agency.run(stage, take, progress)
    rows = tuple(_row(row, number, read, unread) for number, row in enumerate(found.rows))
    labels = {place: each.label for place, each in read.items()}
    return found.model_copy(
        update={
            "assessor": by,
            "rows": rows,
            "coverage": coverage_of(rows),
            "orphans": orphans_of(compared, labels),
        }
    )


def forecast_crosswalk(agency: Agency, compared: FrameworkComparison, progress: Progress = silent) -> Crosswalk:
    """The crosswalk as rules make it; the agency's ledger tells what a model would be asked about it.

    Args:
        agency: forecasts.
        compared: the comparison.
        progress: told of requests.
    """
    role = agency.roles[ASSESSOR]
    found = undecided_crosswalk(compared)
    stage: Stage[AskedRequirement, None] = Stage(
        ASSESSOR,
        "assessor reads",
        lambda: questions_of(compared, found),
        lambda item: assessor_request(role, item.question),
        lambda item, answer: None,
    )
    agency.run(stage, lambda outcome: None, progress)
    return found


def _row(
    row: CrosswalkRow, number: int, read: dict[tuple[int, str], CrosswalkEvidence], unread: dict[int, str]
) -> CrosswalkRow:
    """A row with what was read of its sentences, the best first; the sentences stay the same."""
    evidence = sorted((read.get((number, each.item_id), each) for each in row.evidence), key=best_first)
    label = evidence[0].label if evidence else row.label
    return row.model_copy(update={"evidence": tuple(evidence), "label": label, "unread": unread.get(number, "")})
