"""The crosswalk: made behind the page, shown as a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, cast, get_args

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from coditect.errors import CoditectError, UsageError
from coditect.knowledge.progress import Progress
from coditect.knowledge.report.crosswalk.assembly import with_decisions
from coditect.knowledge.report.crosswalk.framework.tables import ColumnMap, read_columns
from coditect.schemas import Decision, Review
from coditect.schemas.crosswalk import Crosswalk, CrosswalkLabel
from coditect.server.explorer.background import BackgroundMaker, MadeThing
from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.pages import render
from coditect.server.explorer.paging import page_number
from coditect.server.explorer.plain import said
from coditect.server.explorer.routes.review import signed_review, signing
from coditect.server.explorer.shown.crosswalk import matrix
from coditect.server.explorer.shown.rows import row_of, row_queue
from coditect.server.explorer.visit import Visit

__all__ = ["crosswalk_routes"]


@dataclass(frozen=True, slots=True)
class _Crosswalks:
    """The crosswalks of all visitors, made behind their pages.

    Attributes:
        door: who may see which corpus.
        works: what was made or is being made.
    """

    door: Door
    works: BackgroundMaker[Crosswalk]

    def asked(
        self, request: Request, visit: Visit, named: str, wanted: str, columns: str
    ) -> tuple[MadeThing[Crosswalk] | None, str]:
        """The crosswalk that is asked for, made or being made, and what is wrong."""
        if not named:
            return None, ""
        if not wanted and named == visit.corpus_id:
            return None, "Name the framework's document: it is one of this corpus' own."
        try:
            told = read_columns(columns) if columns else None
        except UsageError as error:
            return None, said(error)
        self.door.require(request, "analyse")
        self.door.enter(request, named)
        work = _work(visit, self.works, named, wanted, told, request.app.state.service.work / "crosswalks")
        return work, "" if work.error is None else said(work.error)

    def queue_page(
        self,
        request: Request,
        visit: Visit,
        named: str,
        wanted: str,
        columns: str,
        row: str,
        number: int,
        *,
        signed: Review | None = None,
        error: str = "",
        given: dict[str, str] | None = None,
        status: int = 200,
    ) -> HTMLResponse:
        """The rows that wait for a person, with the form for one of them."""
        work, wrong = self.asked(request, visit, named, wanted, columns)
        if work is None and not wrong:
            wrong = "Which crosswalk? Choose a framework first."
        found = _decided(visit, work)
        shown = None
        if found is not None:
            shown = row_queue(visit, found, _query(named, wanted, columns), row, number)
            visit.note("crosswalk")
        page = render(
            "rows",
            visit,
            title="Review of the crosswalk",
            here="crosswalk",
            refresh=_waits(work, found, wrong),
            corpus=named,
            framework=wanted,
            columns=columns,
            work=work,
            page=shown,
            error=error or wrong,
            **signing(visit, signed, given or {"decision": "", "meaning": "", "until": "", "label": ""}),
        )
        return html(page, status)


def crosswalk_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)
    crosswalks = _Crosswalks(door, BackgroundMaker())
    _add_queue(routes, crosswalks)
    _add_matrix(routes, crosswalks)
    return routes


def _add_queue(routes: APIRouter, crosswalks: _Crosswalks) -> None:
    door = crosswalks.door

    @routes.get("/c/{corpus}/crosswalk/review")
    def rows(
        request: Request,
        corpus: str,
        framework: str = "",
        columns: str = "",
        row: str = "",
        page: str = "",
        signed: str = "",
    ) -> HTMLResponse:
        visit = door.visit(request, corpus)
        named = request.query_params.get("corpus", "")
        made = signed_review(visit, signed)
        number = page_number(page) if page else 0
        return crosswalks.queue_page(
            request, visit, named, framework.strip(), columns.strip(), row, number, signed=made
        )

    @routes.post("/c/{corpus}/crosswalk/review", response_model=None)
    def sign(
        request: Request,
        corpus: str,
        row: Annotated[str, Form()],
        framework_corpus: Annotated[str, Form()],
        framework: Annotated[str, Form()] = "",
        columns: Annotated[str, Form()] = "",
        decision: Annotated[str, Form()] = "",
        meaning: Annotated[str, Form()] = "",
        until: Annotated[str, Form()] = "",
        label: Annotated[str, Form()] = "",
        next: Annotated[str, Form()] = "",
    ) -> Response:
        named, wanted = framework_corpus, framework
        given = {"decision": decision, "meaning": meaning, "until": until, "label": label}
        visit = door.visit(request, corpus)
        door.require(request, "review")
        try:
            work, wrong = crosswalks.asked(request, visit, named, wanted, columns)
            if work is None or work.result is None:
                raise UsageError(wrong or "the crosswalk is not made yet", hint="Ask again when it is.")
            made = _sign(visit, work.result, row, given)
        except CoditectError as error:
            told = said(error)
            return crosswalks.queue_page(
                request, visit, named, wanted, columns, row, 0, error=told, given=given, status=400
            )
        query = {**_query(named, wanted, columns), "row": next, "signed": made.review_id}
        return RedirectResponse(visit.links.to("crosswalk", "review", **query), 303)


def _add_matrix(routes: APIRouter, crosswalks: _Crosswalks) -> None:
    @routes.get("/c/{corpus}/crosswalk")
    def crosswalk(
        request: Request,
        corpus: str,
        framework_corpus: str = "",
        framework: str = "",
        columns: str = "",
        family: str = "",
        label: str = "",
        page: str = "",
    ) -> HTMLResponse:
        visit = crosswalks.door.visit(request, corpus)
        named = request.query_params.get("corpus", framework_corpus)
        wanted = framework.strip()
        corpora = [each.corpus_id for each in crosswalks.door.corpora(request, visit) if each.generation]
        columns = columns.strip()
        work, error = crosswalks.asked(request, visit, named, wanted, columns)
        query = _query(named, wanted, columns)
        found = _decided(visit, work)
        shown = None if found is None else matrix(visit, found, query, page_number(page), family, label)
        if shown is not None:
            visit.note("crosswalk")
        return html(
            render(
                "crosswalk",
                visit,
                title="Crosswalk",
                here="crosswalk",
                refresh=_waits(work, found, error),
                corpora=corpora,
                corpus=named or visit.corpus_id,
                framework=wanted,
                columns=columns,
                work=work,
                page=shown,
                error=error,
            )
        )


def _query(named: str, wanted: str, columns: str) -> dict[str, Any]:
    """The parameters that ask for a crosswalk."""
    asked = {"corpus": named, "framework": wanted}
    return {**asked, "columns": columns} if columns else asked


def _waits(work: MadeThing[Crosswalk] | None, found: Crosswalk | None, error: str) -> bool:
    """Whether a page comes again: where it shows neither a crosswalk nor what is wrong, also if there is one by now."""
    return work is not None and found is None and not error


def _decided(visit: Visit, work: MadeThing[Crosswalk] | None) -> Crosswalk | None:
    """A crosswalk that was made, with what persons decided of its rows until now."""
    if work is None or work.result is None:
        return None
    return with_decisions(work.result, visit.knowledge.store, visit.today)


def _sign(visit: Visit, found: Crosswalk, key: str, given: dict[str, str]) -> Review:
    decision = given["decision"]
    if decision not in get_args(Decision):
        raise UsageError("no decision was chosen", hint="Choose one of those above the button.")
    return visit.knowledge.review_row(
        visit.corpus_id,
        found.framework_corpus,
        row_of(found, key),
        decision=cast("Decision", decision),
        by=visit.name,
        meaning=given["meaning"],
        label=cast("CrosswalkLabel", given["label"]) if decision == "correct" and given["label"] else None,
        until=(given["until"] or None) if decision == "accept_risk" else None,
    )


def _work(
    visit: Visit,
    works: BackgroundMaker[Crosswalk],
    framework_corpus: str,
    framework: str,
    columns: ColumnMap | None,
    cache: Path,
) -> MadeThing[Crosswalk]:
    knowledge = visit.knowledge
    framework_view = knowledge.view(
        framework_corpus, visit.links.as_of if framework_corpus == visit.corpus_id else None
    )
    view = visit.view

    def make(progress: Progress) -> Crosswalk:
        from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, undecided_crosswalk

        frameworks = (framework,) if framework else ()
        embedder = knowledge.models.ranking()
        compared = compare_with_framework(
            framework_view, view, embedder, frameworks=frameworks, columns=columns, cache=cache, progress=progress
        )
        return undecided_crosswalk(compared)

    key = (visit.key, framework_corpus, framework_view.shown_as, framework, "" if columns is None else columns.told)
    return works.get(key, make)
