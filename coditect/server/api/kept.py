"""What must stay and what went: legal holds, and erasures with their certificates. Either is ordered at the store alone."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from coditect.knowledge.cases.base import erasure_desk
from coditect.knowledge.report.shapes import erasures_shape
from coditect.server.answers import answer, page_of
from coditect.server.api.common import REFUSALS, Auditing, Cursor, Limit, Open
from coditect.server.api.described import ErasurePage, HoldPage

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["proofs"])


@router.get("/corpora/{corpus_id}/holds", operation_id="list_holds", responses={200: {"model": HoldPage}})
def list_holds(opened: Auditing, cursor: Cursor = "", limit: Limit = 100) -> Response:
    """The legal holds that are in force, the oldest first; 'next' asks for the page behind."""
    every = opened.knowledge.holds(opened.corpus_id)
    _note(opened, "holds")
    page, following = page_of(every, cursor, limit, f"{opened.corpus_id} holds", keys=[each.hold_id for each in every])
    return _answered(opened, "holds", [each.model_dump(mode="json") for each in page], len(every), following)


@router.get("/corpora/{corpus_id}/erasures", operation_id="list_erasures", responses={200: {"model": ErasurePage}})
def list_erasures(opened: Auditing, cursor: Cursor = "", limit: Limit = 100) -> Response:
    """Erasures with their certificates, the oldest first: who, why, when, and what went; and the log's entry that tells of it."""
    desk = erasure_desk(opened.knowledge)
    every = desk.entries(opened.corpus_id)
    _note(opened, "erasures")
    keys = [each.erasure.erasure_id for each in every]
    page, following = page_of(every, cursor, limit, f"{opened.corpus_id} erasures", keys=keys)
    told = erasures_shape(page, desk.logged([each.erasure for each in page]))
    return _answered(opened, "erasures", told, len(every), following)


def _note(opened: Open, what: str) -> None:
    generation = opened.knowledge.store.corpus(opened.corpus_id).generation
    opened.knowledge.note_read(opened.corpus_id, what, generation)


def _answered(opened: Open, name: str, page: list[dict[str, Any]], total: int, following: str) -> Response:
    return answer(opened.request, {"corpus_id": opened.corpus_id, name: page, "total": total, "next": following})
