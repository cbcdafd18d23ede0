"""A document, page by page."""

from __future__ import annotations

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from coditect.errors import NotFound
from coditect.server.answers import not_modified
from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.pages import render
from coditect.server.explorer.paging import page_number
from coditect.server.explorer.routes.items import FOR_EVER, elsewhere
from coditect.server.explorer.shown.picture import picture_of
from coditect.server.explorer.shown.reader import ReaderRequest, reader, span_of

__all__ = ["reader_routes"]


def reader_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)

    @routes.get("/c/{corpus}/documents/{version_id}", response_model=None)
    def document(
        request: Request,
        corpus: str,
        version_id: str,
        span: str = "",
        item: str = "",
        claim: str = "",
        page: str = "",
        marks: list[str] = Query(default=[]),  # noqa: B008 - how the framework takes a repeated parameter
    ) -> Response:
        visit = door.visit(request, corpus)
        wanted = page_number(page) if page else 0
        asked = ReaderRequest(span_of(span), item, claim, wanted, tuple(marks))
        try:
            version = visit.version(version_id)
        except NotFound:
            links = elsewhere(visit, version_id)
            more = {"span": span, "item": item, "claim": claim, "page": page}
            return RedirectResponse(links.document(version_id, anchor="here" if span else "", **more), 302)
        shown = reader(visit, version, asked)
        image = picture_of(visit, version, shown.span, shown.hits, shown.marks)
        visit.note("document", version.version_id)
        proof = visit.links.item(version.version_id, "proof")
        return html(render("reader", visit, title=version.name, here="documents", page=shown, image=image, proof=proof))

    @routes.get("/c/{corpus}/documents/{version_id}/pages/{page}.png", response_model=None)
    def page_picture(request: Request, corpus: str, version_id: str, page: int) -> Response:
        visit = door.visit(request, corpus)
        version = visit.version(version_id)
        headers = {"Cache-Control": FOR_EVER, "Vary": "Cookie", "ETag": f'"{version_id}-{page}"'}
        if not_modified(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
        picture = visit.knowledge.page_desk.picture(visit.knowledge.store, version, page)
        visit.note("document", version.version_id)
        return Response(picture, media_type="image/png", headers=headers)

    return routes
