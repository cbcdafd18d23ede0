"""What changed, what a framework asks beside what documents say, and the audit report."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import AfterValidator, WithJsonSchema
from starlette.responses import Response

from coditect.knowledge.report.crosswalk.assembly import (
    FrameworkComparison,
    compare_with_framework,
    make_crosswalk,
)
from coditect.knowledge.report.crosswalk.framework.tables import read_columns
from coditect.schemas import CorpusChanges, Crosswalk
from coditect.schemas.day import is_day
from coditect.server.answers import answer
from coditect.server.api.common import (
    COLUMNS,
    REFUSALS,
    Analysing,
    AsOf,
    Cursor,
    Open,
    PageLimit,
    Reading,
    Today,
    require_corpus,
    require_framework,
)
from coditect.server.api.described import ChangesPage, CrosswalkPage
from coditect.server.api.paged import changes_page, crosswalk_page, is_paged
from coditect.server.problems import Problem

__all__ = ["crosswalk_of", "router"]

router = APIRouter(responses=REFUSALS, tags=["reports"])

_GENERATION = re.compile(r"[1-9][0-9]{0,15}")


def _is_state(text: str) -> str:
    if not _GENERATION.fullmatch(text) and not is_day(text):
        raise ValueError("neither a generation nor a day; write a number from 1, or YYYY-MM-DD, as 2026-09-30")
    return text


State = Annotated[
    Annotated[
        str,
        AfterValidator(_is_state),
        WithJsonSchema({"type": "string", "pattern": r"^([1-9]\d{0,15}|\d{4}-\d{2}-\d{2})$"}),
    ]
    | None,
    Query(description="A generation, or a day (YYYY-MM-DD)."),
]


@router.get(
    "/corpora/{corpus_id}/changes",
    operation_id="list_changes",
    responses={200: {"model": CorpusChanges | ChangesPage}},
)
def list_changes(
    opened: Reading,
    before: State = None,
    after: State = None,
    document: Annotated[list[str] | None, Query(description="Names, or patterns with *.")] = None,
    today: Today = None,
    cursor: Cursor = "",
    limit: PageLimit = None,
) -> Response:
    """What differs between two states of a corpus, provision by provision, and what rests on it.

    With a limit in pages: first the changes, document by document, then what rests on them; 'next' asks for the page behind.
    """
    found = opened.knowledge.changes(
        opened.corpus_id, before=_state(before), after=_state(after), documents=tuple(document or ()), today=today
    )
    opened.knowledge.note_read(opened.corpus_id, "changes", found.after)
    if not is_paged(limit, cursor):
        return answer(opened.request, found.model_dump(mode="json"))
    generations = {"before": found.before, "after": found.after}
    shown = [opened.view(each).shown_as for each in generations.values()]
    asked = f"{shown} changes {document} {today}"
    return answer(opened.request, changes_page(found, cursor, limit, asked, generations))


@router.get(
    "/corpora/{corpus_id}/crosswalk",
    operation_id="get_crosswalk",
    responses={200: {"model": Crosswalk | CrosswalkPage}},
)
def get_crosswalk(
    opened: Analysing,
    framework: Annotated[list[str] | None, Query(description="Documents of the framework; patterns with *.")] = None,
    framework_corpus: Annotated[str | None, Query(max_length=200, description="The corpus that holds it.")] = None,
    columns: Annotated[str | None, Query(max_length=1000, description=COLUMNS)] = None,
    document: Annotated[list[str] | None, Query(description="Compare only these documents.")] = None,
    as_of: AsOf = None,
    framework_as_of: Annotated[
        int | None,
        Query(ge=1, le=2**53, description="The generation of framework_corpus; without it the current one."),
    ] = None,
    cursor: Cursor = "",
    limit: PageLimit = None,
) -> Response:
    """Requirements beside the sentences that speak to them, each with a label and a reason.

    The framework is named by its documents, or by another corpus; without either the request is refused. With a limit the rows
    come in pages, and 'next' asks for the page behind.
    """
    require_framework("query.framework", opened.named, framework or (), framework_corpus)
    beside = framework_corpus not in (None, opened.named)
    if framework_as_of is not None and not beside:
        told = "query.framework_as_of: the framework is in the corpus itself, whose generation as_of names."
        raise Problem(422, "the request is not valid", told)
    frameworks, documents = tuple(framework or ()), tuple(document or ())
    compared = _compared(opened, framework_corpus, frameworks, documents, as_of, columns, framework_as_of)
    found = make_crosswalk(compared, opened.knowledge.clock()[:10])
    if not is_paged(limit, cursor):
        return answer(opened.request, found.model_dump(mode="json"))
    generations = {"as_of": found.generation} | ({"framework_as_of": found.framework_generation} if beside else {})
    shown = [each.shown_as for each in (compared.view, compared.framework_view)]
    asked = f"{shown} {found.method} {frameworks} {framework_corpus} {documents} {columns}"
    return answer(opened.request, crosswalk_page(found, cursor, limit, asked, generations))


@router.get(
    "/corpora/{corpus_id}/report",
    operation_id="get_report",
    response_class=Response,
    responses={200: {"content": {"application/json": {}, "text/html": {}}}},
)
def get_report(
    opened: Reading,
    format: Annotated[Literal["json", "html"], Query(description="Of the report.")] = "json",
    today: Today = None,
    as_of: AsOf = None,
) -> Response:
    """The audit report of a generation: claims, refusals, sections and every quote with its place."""
    collected = opened.knowledge.report(opened.corpus_id, as_of=as_of, today=today)
    if format == "json":
        content, media_type = collected.model_dump_json(indent=2).encode() + b"\n", "application/json"
    else:
        from coditect.reports.html import render_html

        content, media_type = render_html(collected).encode(), "text/html; charset=utf-8"
    headers = {"Cache-Control": "private, no-store", "Content-Disposition": f"attachment; filename=report.{format}"}
    return Response(content, media_type=media_type, headers=headers)


def crosswalk_of(
    opened: Open,
    framework_corpus: str | None,
    frameworks: tuple[str, ...],
    documents: tuple[str, ...],
    as_of: int | None,
    columns: str | None,
) -> Crosswalk:
    """The crosswalk of a generation and a framework, with the access in the audit trail.

    Raises:
        NotFound: there is no such corpus, or the caller may not know of it.
        UsageError: the columns cannot be read, or no table has them.
    """
    compared = _compared(opened, framework_corpus, frameworks, documents, as_of, columns)
    return make_crosswalk(compared, opened.knowledge.clock()[:10])


def _compared(
    opened: Open,
    framework_corpus: str | None,
    frameworks: tuple[str, ...],
    documents: tuple[str, ...],
    as_of: int | None,
    columns: str | None,
    framework_as_of: int | None = None,
) -> FrameworkComparison:
    told = None if columns is None else read_columns(columns)
    view = opened.noted("crosswalk", as_of)
    beside = view
    if framework_corpus not in (None, opened.corpus_id):
        require_corpus(opened.caller, opened.knowledge, str(framework_corpus))
        beside = opened.knowledge.view(str(framework_corpus), framework_as_of)
    return compare_with_framework(
        beside,
        view,
        opened.knowledge.models.ranking(),
        frameworks=frameworks,
        documents=documents,
        columns=told,
        cache=opened.request.app.state.service.work / "crosswalks",
    )


def _state(given: str | None) -> int | str | None:
    return int(given) if given is not None and _GENERATION.fullmatch(given) else given
