"""The search page."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from coditect.errors import NotFound, UsageError
from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.pages import render
from coditect.server.explorer.paging import page_number
from coditect.server.explorer.plain import said
from coditect.server.explorer.shown.search import Question, search

__all__ = ["search_routes"]

LONGEST = 2_000
"""Characters of a question, at most."""


def search_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)

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
        error = ""
        try:
            found = search(visit, asked)
        except (NotFound, UsageError) as wrong:
            error = said(wrong)
            found = search(visit, Question("", "passage"))
        title = f"{words}" if words else "Search"
        return html(render("search", visit, title=title, here="search", page=found, error=error), 400 if error else 200)

    return routes
