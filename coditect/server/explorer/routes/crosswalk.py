"""The crosswalk: made behind the page, shown as a matrix."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from coditect.knowledge.progress import Progress
from coditect.schemas.crosswalk import Crosswalk
from coditect.server.explorer.background import BackgroundMaker, MadeThing
from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.pages import render
from coditect.server.explorer.paging import page_number
from coditect.server.explorer.plain import said
from coditect.server.explorer.shown.crosswalk import matrix
from coditect.server.explorer.visit import Visit

__all__ = ["crosswalk_routes"]


def crosswalk_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)
    works: BackgroundMaker[Crosswalk] = BackgroundMaker()

    @routes.get("/c/{corpus}/crosswalk")
    def crosswalk(
        request: Request,
        corpus: str,
        framework_corpus: str = "",
        framework: str = "",
        family: str = "",
        label: str = "",
        page: str = "",
    ) -> HTMLResponse:
        visit = door.visit(request, corpus)
        named = request.query_params.get("corpus", framework_corpus)
        corpora = [each.corpus_id for each in door.corpora(request, visit) if each.generation]
        work: MadeThing[Crosswalk] | None = None
        error = ""
        wanted = framework.strip()
        if named and (wanted or named != visit.corpus_id):
            door.require(request, "analyse")
            door.enter(request, named)
            cache = request.app.state.service.work / "crosswalks"
            work = _work(visit, works, named, wanted, cache)
            error = "" if work.error is None else said(work.error)
        elif named:
            error = "Name the framework's document: it is one of this corpus' own."
        query: dict[str, Any] = {"corpus": named, "framework": wanted}
        found = work.result if work is not None else None
        shown = None if found is None else matrix(visit, found, query, page_number(page), family, label)
        if shown is not None:
            visit.note("crosswalk")
        return html(
            render(
                "crosswalk",
                visit,
                title="Crosswalk",
                here="crosswalk",
                refresh=work is not None and not work.is_finished,
                corpora=corpora,
                corpus=named or visit.corpus_id,
                framework=wanted,
                work=work,
                page=shown,
                error=error,
            )
        )

    return routes


def _work(
    visit: Visit, works: BackgroundMaker[Crosswalk], framework_corpus: str, framework: str, cache: Path
) -> MadeThing[Crosswalk]:
    knowledge = visit.knowledge
    framework_view = knowledge.view(
        framework_corpus, visit.links.as_of if framework_corpus == visit.corpus_id else None
    )
    view = visit.view

    def make(told: Progress) -> Crosswalk:
        from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, make_crosswalk

        frameworks = (framework,) if framework else ()
        embedder = knowledge.models.ranking()
        compared = compare_with_framework(
            framework_view, view, embedder, frameworks=frameworks, cache=cache, progress=told
        )
        return make_crosswalk(compared)

    key = (visit.key, framework_corpus, framework_view.shown_as, framework)
    return works.get(key, make)
