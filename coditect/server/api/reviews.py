"""What waits for a person, what persons decided, and deciding."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from starlette.responses import Response

from coditect.errors import NotFound
from coditect.schemas import CrosswalkLabel, Decision, DecisionStatus, PendingReview, Review
from coditect.schemas.day import DescribedDay
from coditect.server.answers import answer
from coditect.server.api.changing import crosswalk_of
from coditect.server.api.common import (
    COLUMNS,
    REFUSALS,
    AsOf,
    Cursor,
    Key,
    PageLimit,
    Reading,
    Reviewing,
    require_framework,
)
from coditect.server.api.described import PendingPage, ReviewsPage
from coditect.server.api.paged import is_paged, records_page

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["reviews"])


class NewDecision(BaseModel):
    """A decision on a claim or an extraction, in the caller's name."""

    model_config = ConfigDict(extra="forbid")

    item_id: str = Field(min_length=1, max_length=200, description="The claim or extraction.")
    decision: Decision
    meaning: str = Field(min_length=1, max_length=2000, description="What the signature means: the reason.")
    changes: dict[str, JsonValue] | None = Field(default=None, description="Of a correction: new values by field.")
    until: DescribedDay | None = Field(default=None, description="Of an accepted risk: the last day.")


class NewRowDecision(BaseModel):
    """A decision on a row of a crosswalk, in the caller's name."""

    model_config = ConfigDict(extra="forbid")

    frameworks: list[str] = Field(
        default_factory=list,
        max_length=100,
        description="Documents of the framework; patterns with *. None: all of framework_corpus, which is needed then.",
    )
    framework_corpus: str | None = Field(default=None, min_length=1, max_length=200, description="Which holds it.")
    columns: str | None = Field(default=None, max_length=1000, description=COLUMNS)
    document: str = Field(min_length=1, max_length=1000, description="The framework's document, as the row names it.")
    part_id: str = Field(min_length=1, max_length=200, description="The part, as the row names it.")
    decision: Decision
    label: CrosswalkLabel | None = Field(default=None, description="Of a correction: what the row is.")
    meaning: str = Field(min_length=1, max_length=2000, description="What the signature means: the reason.")
    until: DescribedDay | None = Field(default=None, description="Of an accepted risk: the last day.")


@router.post(
    "/corpora/{corpus_id}/crosswalk/reviews",
    operation_id="decide_row",
    status_code=201,
    responses={201: {"model": Review}},
)
def decide_row(opened: Reviewing, body: NewRowDecision, key: Key = None) -> Response:
    """Decide of a row of a crosswalk; it counts from now on, as long as both sides say what they say. Unsigned.

    The framework is named by its documents, or by another corpus; without either the request is refused.
    """
    require_framework("body.frameworks", opened.named, body.frameworks, body.framework_corpus)

    def decided() -> Any:  # noqa: ANN401 - any JSON value
        found = crosswalk_of(opened, body.framework_corpus, tuple(body.frameworks), (), None, body.columns)
        wanted = (body.document, body.part_id)
        row = next((each for each in found.rows if (each.document, each.part_id) == wanted), None)
        if row is None:
            raise NotFound("no such row in the crosswalk", document=body.document, part_id=body.part_id)
        signed = opened.knowledge.review_row(
            opened.corpus_id,
            found.framework_corpus,
            row,
            decision=body.decision,
            by=opened.caller.name,
            meaning=body.meaning,
            label=body.label,
            until=body.until,
        )
        return signed.model_dump(mode="json")

    asked = ["review of a row", opened.corpus_id, body.model_dump(mode="json")]
    signed = opened.request.app.state.replies.once(opened.caller, key, asked, decided)
    return answer(opened.request, signed, status=201)


@router.get(
    "/corpora/{corpus_id}/reviews/pending",
    operation_id="list_pending_reviews",
    responses={200: {"model": list[PendingReview] | PendingPage}},
)
def list_pending(opened: Reading, as_of: AsOf = None, cursor: Cursor = "", limit: PageLimit = None) -> Response:
    """What is left to a person: what needs review, and decisions whose evidence changed.

    With a limit in pages; where a decision changes what stood on the pages before, the cursor is refused: begin again then, what
    is open comes first.
    """
    view = opened.noted("review", as_of)
    found = opened.knowledge.pending_reviews(opened.corpus_id, as_of=view.generation)
    listed = [each.model_dump(mode="json") for each in found]
    if not is_paged(limit, cursor):
        return answer(opened.request, listed)
    keys = [_key_of_pending(each) for each in found]
    return answer(opened.request, records_page("pending", listed, keys, cursor, limit, view))


def _key_of_pending(each: PendingReview) -> str:
    """What a line of the queue is known by: a claim may be open by itself, and wait for a second signature."""
    return " ".join((each.item_id, *(own.review_id for own in (each.reopened, each.waiting) if own is not None)))


@router.get(
    "/corpora/{corpus_id}/reviews",
    operation_id="list_reviews",
    responses={200: {"model": list[DecisionStatus] | ReviewsPage}},
)
def list_reviews(opened: Reading, as_of: AsOf = None, cursor: Cursor = "", limit: PageLimit = None) -> Response:
    """What persons decided, by time, and what became of it; with a limit in pages, and what is decided meanwhile comes last."""
    view = opened.noted("decisions", as_of)
    found = opened.knowledge.decisions(opened.corpus_id, as_of=view.generation)
    listed = [each.model_dump(mode="json", exclude_none=True) for each in found]
    if not is_paged(limit, cursor):
        return answer(opened.request, listed)
    keys = [each.review.review_id for each in found]
    return answer(opened.request, records_page("reviews", listed, keys, cursor, limit, view))


@router.post("/corpora/{corpus_id}/reviews", operation_id="decide", status_code=201, responses={201: {"model": Review}})
def decide(
    opened: Reviewing,
    body: NewDecision,
    key: Key = None,
) -> Response:
    """Decide of a claim or an extraction; the next build heeds it. Unsigned: a name from a token is no person's key.

    Asked twice with one idempotency key it is made once, whatever was decided in between. Without a key, too, a decision that is in
    force is not made again.
    """

    def decided() -> Any:  # noqa: ANN401 - any JSON value
        signed = opened.knowledge.review(
            opened.corpus_id,
            body.item_id,
            decision=body.decision,
            by=opened.caller.name,
            meaning=body.meaning,
            changes=body.changes,
            until=body.until,
        )
        return signed.model_dump(mode="json")

    asked = ["review", opened.corpus_id, body.model_dump(mode="json")]
    signed = opened.request.app.state.replies.once(opened.caller, key, asked, decided)
    return answer(opened.request, signed, status=201)
