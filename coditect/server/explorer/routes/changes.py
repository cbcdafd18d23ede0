"""Changes between two generations, and what became of duties over many."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from coditect.knowledge.report.collection import MOST_GENERATIONS
from coditect.reports.plots import DUTY_NAMES, duty_bars
from coditect.schemas import CorpusChanges, DutyHistory
from coditect.server.explorer.background import BackgroundMaker
from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.pages import render
from coditect.server.explorer.paging import page_number
from coditect.server.explorer.shown.changes import changes_page
from coditect.server.explorer.visit import Visit

__all__ = ["changes_routes"]

PATIENCE_S = 1.0
"""How long the page waits for the comparison, before it says that this is being made, and comes again."""


def changes_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)
    works: BackgroundMaker[CorpusChanges] = BackgroundMaker()
    histories: BackgroundMaker[DutyHistory] = BackgroundMaker()

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
        if show == "time":
            return _over_time(visit, last, histories)
        first = _number(before) or last - 1
        if first < 1:
            why = "This is the first generation: there is nothing before it to compare it with."
            return html(render("changes", visit, title="Changes", here="changes", page=None, why=why))
        key = (visit.key, first, last, visit.today)
        work = works.get(key, lambda told: visit.knowledge.changes(visit.corpus_id, before=first, after=last))
        work.wait(PATIENCE_S)
        if work.error is not None:
            raise work.error
        if work.result is None:
            return html(render("changes", visit, title="Changes", here="changes", refresh=True, page=None, why=""))
        asked = {"show": show, "only": only, "document": document}
        found = changes_page(visit, work.result, first, last, page_number(page), **asked)
        visit.note("changes")
        return html(render("changes", visit, title="Changes", here="changes", page=found, why=""))

    return routes


def _over_time(visit: Visit, last: int, histories: BackgroundMaker[DutyHistory]) -> HTMLResponse:
    """The page of duties over time, up to a generation."""
    first = max(1, last - MOST_GENERATIONS + 1)
    knowledge, corpus = visit.knowledge, visit.corpus_id
    work = histories.get(
        (visit.key, first, last), lambda told: knowledge.duty_history(corpus, before=first, after=last)
    )
    work.wait(PATIENCE_S)
    if work.error is not None:
        raise work.error
    title = "Duties over time"
    if work.result is None:
        return html(render("over_time", visit, title=title, here="changes", refresh=True))
    points = work.result.points
    why = "No duty changed in this time." if points else "This is the first generation: there is nothing before it."
    hrefs = [visit.links.to("changes", before=each.former, after=each.state) for each in points]
    visit.note("changes")
    bars = duty_bars(points)
    page = render("over_time", visit, title=title, here="changes", bars=bars, names=DUTY_NAMES, hrefs=hrefs, why=why)
    return html(page)


def _number(given: str) -> int:
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0
