"""An item, what it refers to, the bytes that are stored of it, and its proof."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from coditect.errors import NotFound
from coditect.schemas import DocumentVersion, Item
from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.links import PageLinks
from coditect.server.explorer.pages import render, shorten
from coditect.server.explorer.paging import page_number
from coditect.server.explorer.shown.items import follow, item_page
from coditect.server.explorer.shown.proof import proof_of, record_bytes
from coditect.server.explorer.shown.reading.reader import span_of
from coditect.server.explorer.visit import Visit

__all__ = ["elsewhere", "item_routes"]

FOR_EVER = "private, max-age=31536000, immutable"
"""What a content id names never changes."""


def item_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)

    @routes.get("/c/{corpus}/items/{item_id}", response_model=None)
    def item(request: Request, corpus: str, item_id: str, page: str = "") -> Response:
        visit = door.visit(request, corpus)
        found = _found(visit, item_id, "")
        if isinstance(found, Response):
            return found
        if isinstance(found, DocumentVersion):
            return RedirectResponse(visit.links.document(found.version_id), 302)
        shown = item_page(visit, found, page_number(page))
        visit.note("item", found.item_id)
        return html(render("item", visit, title=shorten(shown.text, 60), here="claims", page=shown))

    @routes.get("/c/{corpus}/items/{item_id}/follow", response_model=None)
    def followed(request: Request, corpus: str, item_id: str, term: str = "", list: str = "") -> Response:
        visit = door.visit(request, corpus)
        found = _found(visit, item_id, "follow")
        if isinstance(found, Response):
            return found
        leads = follow(visit, found, span_of(term))
        visit.note("references", found.item_id)
        if len(leads) == 1 and leads[0].href and not list:
            return RedirectResponse(leads[0].href, 302)
        page = render(
            "follow",
            visit,
            title="References and terms",
            found=leads,
            text=getattr(found, "source_text", ""),
            item_href=visit.links.item(found.item_id),
        )
        return html(page)

    @routes.get("/c/{corpus}/items/{item_id}/record", response_model=None)
    def record(request: Request, corpus: str, item_id: str) -> Response:
        visit = door.visit(request, corpus)
        found = _found(visit, item_id, "record")
        if isinstance(found, Response):
            return found
        visit.note("item", found.item_id)
        headers = {
            "Content-Disposition": f'attachment; filename="{found.item_id}.json"',
            "ETag": f'"{found.item_id}"',
            "Cache-Control": FOR_EVER,
        }
        return Response(record_bytes(visit, found), media_type="application/json", headers=headers)

    @routes.get("/c/{corpus}/items/{item_id}/proof", response_model=None)
    def proof(request: Request, corpus: str, item_id: str) -> Response:
        visit = door.visit(request, corpus)
        found = _found(visit, item_id, "proof")
        if isinstance(found, Response):
            return found
        shown = proof_of(visit, found)
        visit.note("proof", found.item_id)
        return html(render("proof", visit, title="Proof", page=shown))

    return routes


def _found(visit: Visit, item_id: str, more: str) -> Item | RedirectResponse:
    """The item; or, where only another generation has it, the same page of that one."""
    try:
        return visit.find(item_id)
    except NotFound:
        links = elsewhere(visit, item_id)
        return RedirectResponse(links.item(item_id, *filter(None, (more,))), 302)


def elsewhere(visit: Visit, item_id: str) -> PageLinks:
    """Links of the newest other generation that has an item, where the visitor did not ask for a generation.

    Raises:
        NotFound: none has it.
    """
    generation = None if visit.links.as_of is not None else visit.generation_of(item_id)
    if generation is None:
        raise NotFound("unknown item", item_id=item_id, hint="Check the address, and which corpus it is of.")
    return visit.links.at(generation)
