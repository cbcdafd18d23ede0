"""Possible conflicts: pairs of sentences that may be at odds, compared behind the page."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from coditect.schemas import ConflictRow
from coditect.server.explorer.background import BackgroundMaker
from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.pages import render
from coditect.server.explorer.shown.registers.conflicts import possible_conflicts, shown_pairs

__all__ = ["conflict_routes"]

PATIENCE_S = 0.25
"""How long the page waits for the pairs, before it says that sentences are being compared, and comes again."""


def conflict_routes(door: Door) -> APIRouter:
    """The route."""
    routes = APIRouter(route_class=PageRoute)
    works: BackgroundMaker[tuple[ConflictRow, ...]] = BackgroundMaker()

    @routes.get("/c/{corpus}/conflicts")
    def conflicts(request: Request, corpus: str) -> HTMLResponse:
        visit = door.visit(request, corpus)
        work = works.get((visit.key, visit.today), lambda told: possible_conflicts(visit, told))
        work.wait(PATIENCE_S)
        if work.error is not None:
            raise work.error
        pairs = None if work.result is None else shown_pairs(visit, work.result)
        if pairs is not None:
            visit.note("register")
        waits = pairs is None
        title = "Possible conflicts"
        return html(render("conflicts", visit, title=title, here="claims", pairs=pairs, work=work, refresh=waits))

    return routes
