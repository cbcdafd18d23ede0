"""Changes between two generations."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.pages import render
from coditect.server.explorer.paging import page_number
from coditect.server.explorer.shown.changes import changes_page

__all__ = ["changes_routes"]


def changes_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)

    @routes.get("/c/{corpus}/changes")
    def changes(
        request: Request,
        corpus: str,
        before: str = "",
        after: str = "",
        show: str = "",
        only: str = "",
        document: str = "",
        page: str = "",
    ) -> HTMLResponse:
        visit = door.visit(request, corpus)
        last = _number(after) or visit.view.generation
        first = _number(before) or last - 1
        if first < 1:
            why = "This is the first generation: there is nothing before it to compare it with."
            return html(render("changes", visit, title="Changes", here="changes", page=None, why=why))
        found = changes_page(visit, first, last, page_number(page), show=show, only=only, document=document)
        return html(render("changes", visit, title="Changes", here="changes", page=found, why=""))

    return routes


def _number(given: str) -> int:
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
