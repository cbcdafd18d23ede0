"""Obligations, as a list and as a calendar."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.pages import render
from coditect.server.explorer.shown.obligations import Wanted, calendar_month, duty_list

__all__ = ["obligation_routes"]


def obligation_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)

    @routes.get("/c/{corpus}/obligations")
    def duties(
        request: Request,
        corpus: str,
        kind: str = "",
        force: str = "",
        actor: str = "",
        document: str = "",
        q: str = "",
        timed: str = "",
        in_force: str = "",
        after: str = "",
    ) -> HTMLResponse:
        visit = door.visit(request, corpus)
        wanted = Wanted(kind, force, actor.strip(), document.strip(), q.strip(), timed == "yes", in_force == "yes")
        found = duty_list(visit, wanted, after)
        return html(render("obligations", visit, title="Obligations", here="obligations", page=found))

    @routes.get("/c/{corpus}/obligations/calendar")
    def calendar(request: Request, corpus: str, month: str = "") -> HTMLResponse:
        visit = door.visit(request, corpus)
        found = calendar_month(visit, month)
        return html(render("calendar", visit, title=found.title, here="obligations", page=found))

    return routes
