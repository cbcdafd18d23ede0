"""Questions: search at every tier, and texts of others that are checked."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from coditect.errors import UsageError
from coditect.schemas import (
    ExaminerReads,
    ExtractionKind,
    Granularity,
    QueryResult,
    SearchFilters,
    SearchOptions,
    TextReport,
)
from coditect.server.answers import answer, answered_before
from coditect.server.api.common import REFUSALS, Analysing, AsOf, Reading, Today, require_spending

__all__ = ["router"]

router = APIRouter(responses=REFUSALS, tags=["questions"])

LONGEST_TEXT = 1_000_000
"""Code points of a text that is checked, at most."""


LONGEST_READ = 20_000
"""Code points of a text that a language model reads as well, at most: a request is answered while its caller waits."""


class TextToCheck(BaseModel):
    """A text that somebody wrote."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=LONGEST_TEXT, description="One claim or several, as plain text.")
    minimum_support: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="From which a sentence is supported; absent: as the corpus was built with.",
    )
    llm: Literal["none", "claude"] = Field(
        default="none",
        description="Whether a language model reads what waits for a person: it is sent that and passages of the corpus. "
        "Only where the server's operator has one, of shorter texts, and for roles that may spend its budget.",
    )
    llm_reads: ExaminerReads = Field(
        default="waiting", description="What it reads: what waits, or what is settled, too."
    )


@router.get("/corpora/{corpus_id}/query", operation_id="query", responses={200: {"model": QueryResult}})
def query(
    opened: Reading,
    query: Annotated[
        str, Query(min_length=1, max_length=4000, description="Words; phrases in quotation marks are exact.")
    ],
    tier: Annotated[Granularity, Query(description="Which items answer.")] = "section",
    include_sources: Annotated[bool, Query(description="With the chain of evidence of each answer.")] = False,
    limit: Annotated[int, Query(ge=1, le=1000, description="Most answers.")] = 10,
    mode: Annotated[Literal["hybrid", "lexical", "dense", "exact"], Query(description="How is searched.")] = "hybrid",
    gate: Annotated[bool, Query(description="Leave out what is not relevant.")] = True,
    explain: Annotated[bool, Query(description="With what each part of the search contributed.")] = False,
    document: Annotated[list[str] | None, Query(description="Only in these; patterns with *.")] = None,
    topic: Annotated[list[str] | None, Query(description="Only what speaks to these.")] = None,
    kind: Annotated[list[ExtractionKind] | None, Query(description="Only statements of these kinds.")] = None,
    today: Today = None,
    as_of: AsOf = None,
) -> Response:
    """Answer a question at one tier. No hits is an answer, too: 'note' says why."""
    filters = SearchFilters(documents=tuple(document or ()), topics=tuple(topic or ()), kinds=tuple(kind or ()))
    options = SearchOptions(mode=mode, gate=gate, explain=explain, filters=filters)
    generation = opened.knowledge.searched_generation(opened.corpus_id) if as_of is None else as_of
    result = opened.knowledge.query(
        opened.corpus_id,
        query,
        tier=tier,
        include_sources=include_sources,
        limit=limit,
        as_of=generation,
        options=options,
    )
    if as_of is None and generation != (current := opened.view(None).generation):
        result = result.model_copy(update={"note": answered_before(result.note, current, generation)})
    if today is not None:
        from coditect.knowledge.report.standing import with_standing

        result = with_standing(result, opened.view(result.generation), today)
    return answer(opened.request, result.model_dump(mode="json"))


@router.post("/corpora/{corpus_id}/verify", operation_id="verify", responses={200: {"model": TextReport}})
def verify(opened: Analysing, body: TextToCheck, as_of: AsOf = None) -> Response:
    """Check a text sentence by sentence: supported, unsupported, sources disagree, or for a person; each with quotes."""
    if body.llm == "none":
        found = opened.knowledge.verify(opened.corpus_id, body.text, minimum_support=body.minimum_support, as_of=as_of)
    elif len(body.text) > LONGEST_READ:
        raise UsageError(
            "the text is too long for a language model to read while somebody waits",
            characters=len(body.text),
            most=LONGEST_READ,
            hint="Send it in pieces.",
        )
    else:
        require_spending(opened.request, opened.caller)
        with opened.knowledge.examiner(opened.corpus_id, reads=body.llm_reads) as examiner:
            found = opened.knowledge.verify(
                opened.corpus_id, body.text, minimum_support=body.minimum_support, as_of=as_of, examiner=examiner
            )
    return answer(opened.request, found.model_dump(mode="json"))
