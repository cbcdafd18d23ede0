"""Tables of others that documents are held against: a standard text clause by clause, and the questions of a questionnaire."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from coditect.schemas import AnsweredQuestionnaire, AskedQuestion, ContractGrid, DocumentRole
from coditect.schemas.day import DescribedDay
from coditect.server.answers import answer
from coditect.server.api.common import REFUSALS, Analysing, AsOf

__all__ = ["MOST_QUESTIONS", "router"]

router = APIRouter(responses=REFUSALS, tags=["reports"])

MOST_QUESTIONS = 200
"""Questions of one request: it is answered while its caller waits."""


class Questions(BaseModel):
    """Questions that somebody asks, as a questionnaire has them, and which papers may answer them."""

    model_config = ConfigDict(extra="forbid")

    questions: list[AskedQuestion] = Field(min_length=1, max_length=MOST_QUESTIONS, description="In their order.")
    documents: list[str] = Field(
        default_factory=list, max_length=1000, description="Only these may answer; patterns with *. None: all."
    )
    roles: list[DocumentRole] = Field(default_factory=list, max_length=8, description="Only what is this may answer.")
    today: DescribedDay | None = Field(default=None, description="The day that decides what is in force; absent: now.")


@router.get("/corpora/{corpus_id}/grid", operation_id="get_grid", responses={200: {"model": ContractGrid}})
def get_grid(
    opened: Analysing,
    standard: Annotated[str, Query(min_length=1, max_length=1000, description="The standard text's document.")],
    document: Annotated[
        list[str] | None,
        Query(description="Only these contracts; patterns with *. Absent: all documents that are one."),
    ] = None,
    as_of: AsOf = None,
) -> Response:
    """Contracts held against a standard text, clause by clause."""
    found = opened.knowledge.grid(opened.corpus_id, standard, documents=tuple(document or ()), as_of=as_of)
    return answer(opened.request, found.model_dump(mode="json"))


@router.post(
    "/corpora/{corpus_id}/questionnaires",
    operation_id="answer_questions",
    responses={200: {"model": AnsweredQuestionnaire}},
)
def answer_questions(opened: Analysing, body: Questions, as_of: AsOf = None) -> Response:
    """Answer questions with the documents' own words: what speaks to each, "not found", or why a person has to look.

    Workbooks stay with whoever has them: coditect.client reads their questions, and writes the answers into them.
    """
    found = opened.knowledge.answer_questions(
        opened.corpus_id,
        body.questions,
        documents=tuple(body.documents),
        roles=tuple(body.roles),
        as_of=as_of,
        today=body.today,
    )
    return answer(opened.request, found.model_dump(mode="json"))
