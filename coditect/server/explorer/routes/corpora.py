"""The list of corpora, and of one its overview, findings, documents and sections."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.links import PageLinks
from coditect.server.explorer.pages import render
from coditect.server.explorer.paging import page_number
from coditect.server.explorer.shown.documents import document_list, section_list
from coditect.server.explorer.shown.overview import claim_list, overview
from coditect.server.explorer.shown.review import pending_of

__all__ = ["corpora_routes"]


@dataclass(frozen=True, slots=True)
class _Corpus:
    name: str
    href: str
    generation: int
    documents: int
    built_at: str


def corpora_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)

    @routes.get("/")
    def corpora(request: Request) -> HTMLResponse:
        visit = door.visit(request)
        found = [
            _Corpus(
                each.name or each.corpus_id,
                PageLinks(visit.links.root, each.corpus_id).to(),
                each.generation,
                each.document_count,
                each.tier4_generated_at,
            )
            for each in door.corpora(request, visit)
        ]
        return html(render("corpora", visit, title="Corpora", corpora=found))

    @routes.get("/c/{corpus}")
    def overview_page(request: Request, corpus: str) -> HTMLResponse:
        visit = door.visit(request, corpus)
        status = visit.knowledge.status(visit.corpus_id)[0]
        page = overview(visit, status, len(pending_of(visit)))
        visit.note("overview")
        return html(render("overview", visit, title="Overview", here="overview", page=page))

    @routes.get("/c/{corpus}/claims")
    def claims(
        request: Request,
        corpus: str,
        show: str = "",
        severity: str = "",
        kind: str = "",
        alike: str = "",
        page: str = "",
    ) -> HTMLResponse:
        visit = door.visit(request, corpus)
        found = claim_list(visit, page_number(page), show=show, severity=severity, kind=kind, like=alike)
        visit.note("claims")
        return html(render("claims", visit, title="Findings", here="claims", page=found))

    @routes.get("/c/{corpus}/documents")
    def documents(
        request: Request, corpus: str, q: str = "", role: str = "", show: str = "", page: str = ""
    ) -> HTMLResponse:
        visit = door.visit(request, corpus)
        found = document_list(visit, page_number(page), words=q, role=role, show=show)
        visit.note("documents")
        return html(render("documents", visit, title="Documents", here="documents", page=found))

    @routes.get("/c/{corpus}/sections")
    def sections(request: Request, corpus: str, page: str = "") -> HTMLResponse:
        visit = door.visit(request, corpus)
        found = section_list(visit, page_number(page))
        visit.note("sections")
        return html(render("sections", visit, title="Sections", page=found))

    return routes
