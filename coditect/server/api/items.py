"""Items of all tiers by their ids: what they say, what they were derived from, and their whole chain of evidence."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from coditect.errors import NotFound
from coditect.knowledge.service import Knowledge
from coditect.schemas import DrillDown, Source
from coditect.server.access.callers import Caller
from coditect.server.answers import answer
from coditect.server.api.common import REFUSALS, AsOf, Reader, Reading, knowledge_of
from coditect.server.api.described import StoredItem
from coditect.store.item_ids import locate

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["items"])

ItemId = Annotated[
    str, Path(max_length=200, description="Id of a claim, finding, section, chunk, passage or extraction.")
]


@router.get("/corpora/{corpus_id}/items/{item_id}", operation_id="get_item", responses={200: {"model": StoredItem}})
def get_item(opened: Reading, item_id: ItemId, as_of: AsOf = None) -> Response:
    """An item of any kind as it is stored, also a document's version, a profile, a verdict or the summary."""
    found = opened.knowledge.item(item_id, corpus_id=opened.corpus_id, as_of=as_of)
    return answer(opened.request, found.model_dump(mode="json"))


@router.get("/corpora/{corpus_id}/items/{item_id}/chain", operation_id="get_chain", responses={200: {"model": Source}})
def get_chain(opened: Reading, item_id: ItemId, as_of: AsOf = None) -> Response:
    """An item with its whole chain of evidence, down to the characters of files."""
    found = opened.knowledge.chain(item_id, corpus_id=opened.corpus_id, as_of=as_of)
    return answer(opened.request, found.model_dump(mode="json"))


@router.get(
    "/corpora/{corpus_id}/items/{item_id}/sources",
    operation_id="get_sources",
    responses={200: {"model": DrillDown}},
)
def get_sources(opened: Reading, item_id: ItemId, as_of: AsOf = None) -> Response:
    """An item with its words and place, and the items one tier below it; none below an extraction."""
    found = opened.knowledge.drill_down_from(item_id, corpus_id=opened.corpus_id, as_of=as_of)
    return answer(opened.request, found.model_dump(mode="json"))


@router.get("/chunks/{item_id}/hierarchy", operation_id="get_hierarchy", responses={200: {"model": Source}})
def get_hierarchy(
    request: Request,
    caller: Reader,
    item_id: ItemId,
    corpus_id: Annotated[str | None, Query(max_length=200, description="Looks in this corpus only.")] = None,
    as_of: AsOf = None,
) -> Response:
    """Where an item stands, in whichever corpus holds it: what it was derived from, all the way down."""
    knowledge = knowledge_of(request, caller)
    where = _holder(knowledge, caller, item_id, corpus_id)
    found = knowledge.chain(item_id, corpus_id=where, as_of=as_of)
    return answer(request, found.model_dump(mode="json"))


def _holder(knowledge: Knowledge, caller: Caller, item_id: str, corpus_id: str | None) -> str:
    """The corpus that holds an item, of those that the caller may know of."""
    known = [each for each, _ in locate(knowledge.store, item_id) if caller.knows(each) and corpus_id in (None, each)]
    if not known:
        raise NotFound("unknown item", item_id=item_id)
    return known[0]
