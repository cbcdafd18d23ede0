"""The search page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from coditect.errors import NotFound, UsageError
from coditect.knowledge.progress import Progress
from coditect.server.explorer.background import BackgroundMaker
from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.pages import render
from coditect.server.explorer.paging import page_number
from coditect.server.explorer.plain import said
from coditect.server.explorer.shown.search import Question, answering, search
from coditect.server.explorer.visit import Visit

if TYPE_CHECKING:
    from coditect.server.ready.following import Following

__all__ = ["search_routes"]

LONGEST = 2_000
"""Characters of a question, at most."""

PATIENCE_S = 0.25
"""How long the page waits for search to be made, before it says that it is, and comes again."""


def search_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)
    made: BackgroundMaker[bool] = BackgroundMaker()

    @routes.get("/c/{corpus}/search")
    def search_page(
        request: Request,
        corpus: str,
        q: str = "",
        tier: str = "passage",
        mode: str = "hybrid",
        document: str = "",
        kind: str = "",
        force: str = "",
        gate: str = "",
        page: str = "",
    ) -> HTMLResponse:
        visit = door.visit(request, corpus)
        words = " ".join(q.split())[:LONGEST]
        asked = Question(words, tier, mode, document.strip(), kind, force, gate != "off", page_number(page))
        error, waits = "", False
        try:
            answers = answering(visit) if words else visit
            waits = bool(words) and _is_being_made(request, answers, made)
            found = search(visit, asked, answers=answers, asks=not waits)
        except (NotFound, UsageError) as wrong:
            error = said(wrong)
            found = search(visit, Question("", "passage"))
        title = f"{words}" if words else "Search"
        shown = render("search", visit, title=title, here="search", refresh=waits, page=found, error=error)
        return html(shown, 400 if error else 200)

    return routes


def _is_being_made(request: Request, visit: Visit, made: BackgroundMaker[bool]) -> bool:
    """Whether search of a generation is being made; whoever does not see to it by itself is made to.

    Raises:
        CoditectError: it cannot be made.
    """
    view, searcher = visit.view, visit.knowledge.searcher
    if searcher.is_ready(view):
        return False
    following: Following | None = request.app.state.following
    is_current = view.generation == visit.current
    if following is not None and is_current and following.is_expected(request.state.caller.tenant, visit.corpus_id):
        return True

    def make(told: Progress) -> bool:
        searcher.refresh(view, told)
        return True

    work = made.get(visit.key, make)
    work.wait(PATIENCE_S)
    if work.error is not None:
        raise work.error
    return work.result is None
