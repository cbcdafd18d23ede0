"""Obligations, as a list and as a calendar; what contracts say of themselves; and who is excused."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from coditect.server.explorer.background import BackgroundMaker
from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.pages import render
from coditect.server.explorer.shown.registers.agreements import agreement_list
from coditect.server.explorer.shown.registers.calendar import TimedDuties, calendar_month, timed_duties
from coditect.server.explorer.shown.registers.obligations import Wanted, duty_list
from coditect.server.explorer.shown.registers.waivers import waiver_list

__all__ = ["obligation_routes"]

PATIENCE_S = 0.25
"""How long a calendar's page waits for what it shows, before it says that this is being read, and comes again."""


def obligation_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)
    works: BackgroundMaker[TimedDuties] = BackgroundMaker()

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
        key = (visit.key, visit.today, visit.links)
        work = works.get(key, lambda told: timed_duties(visit, told))
        work.wait(PATIENCE_S)
        if work.error is not None:
            raise work.error
        found = None if work.result is None else calendar_month(visit, work.result, month)
        if found is not None:
            visit.note("register")
        title = "Calendar" if found is None else found.title
        waits = found is None
        return html(render("calendar", visit, title=title, here="obligations", page=found, work=work, refresh=waits))

    @routes.get("/c/{corpus}/obligations/agreements")
    def agreements(request: Request, corpus: str, document: str = "", after: str = "") -> HTMLResponse:
        visit = door.visit(request, corpus)
        found = agreement_list(visit, document.strip(), after)
        return html(render("agreements", visit, title="Agreements", here="agreements", page=found))

    @routes.get("/c/{corpus}/obligations/waivers")
    def waivers(request: Request, corpus: str, document: str = "", status: str = "", after: str = "") -> HTMLResponse:
        visit = door.visit(request, corpus)
        found = waiver_list(visit, document.strip(), status, after)
        return html(render("waivers", visit, title="Exceptions", here="obligations", page=found))

    return routes
