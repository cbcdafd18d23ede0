"""Decisions on rows of crosswalks: what is signed of a row, what a decision makes of it, and whether both sides still say so.

A row is computed, never stored. So a decision is of the words of both sides and holds wherever these stand beside each other again,
whatever the rules say of them then; where one side changed, a person is asked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from pydantic import JsonValue

from coditect.errors import NotFound, UsageError
from coditect.knowledge.review.since import DocumentsSince
from coditect.schemas import Decision, DecisionStatus, ItemDecision, Review, ReviewedRow, ReviewedSentence
from coditect.schemas.crosswalk import CrosswalkLabel, CrosswalkRow
from coditect.store.store import Store
from coditect.store.view import View, open_view

__all__ = [
    "corrected_label",
    "decided_row",
    "item_decision",
    "needs_person",
    "require_row_decision",
    "row_status",
    "seen",
]

MOST_NAMED = 3
"""Documents that a remark names; of more it says how many."""

_OPEN: frozenset[CrosswalkLabel] = frozenset(("partly", "looser", "contradicts"))
_LABELS: tuple[CrosswalkLabel, ...] = get_args(CrosswalkLabel)
_DECISIONS: frozenset[Decision] = frozenset(("accept", "dismiss", "correct", "accept_risk", "withdraw"))


def seen(framework_corpus: str, row: CrosswalkRow) -> ReviewedRow:
    """A row as it is signed.

    Args:
        framework_corpus: the corpus that holds the framework.
        row: as it was shown, decided or not.
    """
    sides = sorted({(each.document, each.text) for each in row.evidence})
    return ReviewedRow(
        framework=framework_corpus,
        document=row.document,
        requirement_id=row.requirement_id,
        part_id=row.part_id,
        text=row.text,
        label=row.read_as or row.label,
        sentences=tuple(ReviewedSentence(document=document, text=text) for document, text in sides),
    )


def needs_person(row: CrosswalkRow) -> bool:
    """Whether a row waits for a person: nobody decided of it, and something was found that is not all that is asked, rules and a
    model differ about whether it is, or somebody decided of other words of it.
    """
    disputed = any(each.is_disputed for each in row.evidence)
    return row.decided is None and (row.label in _OPEN or disputed or row.earlier is not None)


def item_decision(review: Review) -> ItemDecision:
    """A decision as it is told beside what it is of."""
    return ItemDecision(
        review_id=review.review_id,
        decision=review.decision,
        by=review.by,
        at=review.at,
        meaning=review.meaning,
        until=review.until,
    )


def corrected_label(review: Review) -> CrosswalkLabel | None:
    """The label that a correction gives; None of other decisions."""
    given = (review.changes or {}).get("label") if review.decision == "correct" else None
    return next((each for each in _LABELS if each == given), None)


def decided_row(row: CrosswalkRow, review: Review | None) -> CrosswalkRow:
    """A row with what a person decided of it.

    Args:
        row: as the rules made it, or a model that read it.
        review: in force for its words; None: nobody decided. One that was accepted has the label that the person saw: a
            decision stands above the rules and a model, whatever they say of the same words since.
    """
    if review is None:
        return row
    label = row.label
    if review.decision == "dismiss":
        label = "no evidence"
    elif review.decision == "correct":
        label = corrected_label(review) or label
    elif review.row is not None:
        label = review.row.label
    return row.model_copy(
        update={"label": label, "read_as": row.label if label != row.label else None, "decided": item_decision(review)}
    )


def require_row_decision(row: ReviewedRow, decision: Decision, changes: Mapping[str, JsonValue]) -> None:
    """See to it that a decision can be made of a row.

    Raises:
        UsageError: it cannot, or a correction gives no label of crosswalks, or the one that is there.
    """
    if decision not in _DECISIONS:
        raise UsageError(
            "this cannot be decided of a row of a crosswalk",
            decision=decision,
            hint="A row is accepted, dismissed, corrected (with its label), or its risk is accepted.",
        )
    if decision == "correct" and (set(changes) != {"label"} or changes["label"] not in _LABELS):
        raise UsageError(
            "a row is corrected by its label", given=str(dict(changes)), hint=f"Give one of: {', '.join(_LABELS)}."
        )
    # A label tells what sentences say: without one there is nothing that a label other than "no evidence" could be read of.
    if decision in ("correct", "dismiss") and not row.sentences:
        raise UsageError(
            "no sentence stands beside the requirement, so no other label can be given",
            decision=decision,
            hint="Take the document that speaks to it into the corpus; or accept the row, or its risk.",
        )
    if decision == "correct" and changes["label"] == row.label:
        raise UsageError("the rules say this label already", label=row.label, hint="Accept the row.")


def row_status(store: Store, view: View, review: Review, row: ReviewedRow) -> DecisionStatus:
    """How a decision on a row stands: in force as long as the words of both sides are where they were.

    Args:
        store: where the framework's corpus is.
        view: the generation of the documents.
        review: the decision.
        row: what it is of.
    """
    try:
        framework = view if row.framework == view.corpus_id else open_view(store, row.framework)
    except NotFound:
        gone = f"the corpus {row.framework} of the framework is not there any more"
    else:
        gone = _gone(view, framework, row)
    if gone:
        return DecisionStatus(
            review=review, state="reopened", detail=f"decided of {row.named_part or row.requirement_id}; {gone}"
        )
    return DecisionStatus(review=review, state="in force", text=row.text, detail=_since(view, framework, review))


def _since(view: View, framework: View, review: Review) -> str:
    """What the words that were signed do not tell: other sentences may stand beside them in what came or changed since."""
    for each in (view, framework):
        changed = sorted(DocumentsSince(each).changed(review.at))
        if changed:
            more = f" and {len(changed) - MOST_NAMED:,} more" if len(changed) > MOST_NAMED else ""
            return (
                f"the words that were signed stand where they were; since then {', '.join(changed[:MOST_NAMED])}{more} came or "
                f"changed in {each.corpus_id}, and it counts only where no other sentence stands beside the requirement now: "
                "'crosswalk' tells"
            )
    return ""


def _gone(view: View, framework: View, row: ReviewedRow) -> str:
    if not _says(framework, row.document, row.text):
        return f"{row.document} does not say “{row.text}” any more"
    for each in row.sentences:
        if not _says(view, each.document, each.text):
            return f"{each.document} does not say “{each.text}” any more"
    return ""


def _says(view: View, name: str, words: str) -> bool:
    return any(words in view.text(document_id) for document_id, each in view.documents.items() if each.name == name)
