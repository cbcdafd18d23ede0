"""Corpora and what is in them."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from coditect.schemas import CorpusStatus
from coditect.server.answers import answer
from coditect.server.api.common import REFUSALS, Reader, Reading, knowledge_of

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["corpora"])


@router.get("/corpora", operation_id="list_corpora")
def list_corpora(request: Request, caller: Reader) -> Response:
    """The corpora that the caller may know of."""
    every = knowledge_of(request, caller).store.corpora()
    listed = [
        {"corpus_id": each.corpus_id, "name": each.name, "generation": each.generation}
        for each in every
        if caller.knows(each.corpus_id)
    ]
    return answer(request, {"corpora": listed})


@router.get("/status", operation_id="get_status")
def get_status(request: Request, caller: Reader) -> Response:
    """What is in each corpus, what is pending, and what failed: as 'coditect knowledge status', without where the store is."""
    knowledge = knowledge_of(request, caller)
    corpora = [each for each in knowledge.status() if caller.knows(each.corpus_id)]
    return answer(request, {"tenant": caller.tenant, "corpora": [each.model_dump(mode="json") for each in corpora]})


@router.get("/corpora/{corpus_id}", operation_id="get_corpus", responses={200: {"model": CorpusStatus}})
def get_corpus(opened: Reading) -> Response:
    """The status of one corpus, with its history."""
    (found,) = opened.knowledge.status(opened.corpus_id)
    return answer(opened.request, found.model_dump(mode="json"))
