"""Corpora and what is in them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from coditect.schemas import CorpusStatus
from coditect.schemas.quota import QuotaReport
from coditect.server.access.authentication import needs
from coditect.server.access.callers import Caller
from coditect.server.answers import answer
from coditect.server.api.common import REFUSALS, Reader, Reading, knowledge_of
from coditect.server.api.described import CorporaList, StatusList
from coditect.server.problems import Problem

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["corpora"])


@router.get("/corpora", operation_id="list_corpora", responses={200: {"model": CorporaList}})
def list_corpora(request: Request, caller: Reader) -> Response:
    """The corpora that the caller may know of."""
    every = knowledge_of(request, caller).store.corpora()
    listed = [
        {"corpus_id": each.corpus_id, "name": each.name, "generation": each.generation}
        for each in every
        if caller.knows(each.corpus_id)
    ]
    return answer(request, {"corpora": listed})


@router.get("/status", operation_id="get_status", responses={200: {"model": StatusList}})
def get_status(request: Request, caller: Reader) -> Response:
    """What is in each corpus, what is pending, and what failed: as 'coditect knowledge status', without where the store is."""
    knowledge = knowledge_of(request, caller)
    corpora = [each for each in knowledge.status() if caller.knows(each.corpus_id)]
    return answer(request, {"tenant": caller.tenant, "corpora": [each.model_dump(mode="json") for each in corpora]})


@router.get("/quota", operation_id="get_quota", responses={200: {"model": QuotaReport}})
def get_quota(request: Request, caller: Annotated[Caller, Depends(needs("administer"))]) -> Response:
    """What the operator grants the tenant, and what it has. It is of all corpora: for who may know of all."""
    if caller.corpora is not None:
        raise Problem(403, "the quota is of all corpora", "Ask with a token that opens every corpus.")
    return answer(request, knowledge_of(request, caller).quota_report().model_dump(mode="json"))


@router.get("/corpora/{corpus_id}", operation_id="get_corpus", responses={200: {"model": CorpusStatus}})
def get_corpus(opened: Reading) -> Response:
    """The status of one corpus, with its history."""
    (found,) = opened.knowledge.status(opened.corpus_id)
    return answer(opened.request, found.model_dump(mode="json"))
