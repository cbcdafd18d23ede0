"""The review queue, and signing."""

from __future__ import annotations

from typing import Annotated, Any, cast, get_args

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from coditect.errors import CoditectError, NotFound, UsageError
from coditect.schemas import Decision, Extraction, Review
from coditect.server.explorer.door import Door, PageRoute, html
from coditect.server.explorer.pages import render
from coditect.server.explorer.paging import page_number
from coditect.server.explorer.plain import said
from coditect.server.explorer.shown.review import changes_from, fields_of, queue
from coditect.server.explorer.visit import Visit

__all__ = ["review_routes", "signed_review", "signing"]


def review_routes(door: Door) -> APIRouter:
    """The routes."""
    routes = APIRouter(route_class=PageRoute)

    @routes.get("/c/{corpus}/review")
    def review_page(request: Request, corpus: str, item: str = "", page: str = "", signed: str = "") -> HTMLResponse:
        visit = door.visit(request, corpus)
        return _page(visit, item, page_number(page) if page else 0, signed=signed_review(visit, signed))

    @routes.post("/c/{corpus}/review", response_model=None)
    def sign(
        request: Request,
        corpus: str,
        item: Annotated[str, Form()],
        decision: Annotated[str, Form()] = "",
        meaning: Annotated[str, Form()] = "",
        until: Annotated[str, Form()] = "",
        changes: Annotated[str, Form()] = "",
        next: Annotated[str, Form()] = "",
    ) -> Response:
        visit = door.visit(request, corpus)
        door.require(request, "review")
        given = {"decision": decision, "meaning": meaning, "until": until, "changes": changes}
        try:
            made = _sign(visit, item, given)
        except CoditectError as error:
            return _page(visit, item, 0, error=said(error), given=given, status=400)
        behind = next if next.partition("_")[0] in ("claim", "extraction") else ""
        return RedirectResponse(visit.links.to("review", item=behind, signed=made.review_id), 303)

    return routes


def _sign(visit: Visit, item_id: str, given: dict[str, str]) -> Review:
    decision = given["decision"]
    if decision not in get_args(Decision):
        raise UsageError("no decision was chosen", hint="Choose one of those above the button.")
    changes = None
    if decision == "correct":
        found = visit.find(item_id)
        if not isinstance(found, Extraction):
            raise UsageError("only statements are corrected", item_id=item_id)
        changes = changes_from(given["changes"], dict(fields_of(found)))
    return visit.knowledge.review(
        visit.corpus_id,
        item_id,
        decision=cast("Decision", decision),
        by=visit.name,
        meaning=given["meaning"],
        changes=changes,
        until=(given["until"] or None) if decision == "accept_risk" else None,
    )


def signed_review(visit: Visit, review_id: str) -> Review | None:
    """The review that was made just now, read back from the store."""
    if not review_id.startswith("review_"):
        return None
    return visit.knowledge.store.get("reviews", Review, visit.corpus_id, review_id)


def _page(
    visit: Visit,
    item: str,
    number: int,
    *,
    signed: Review | None = None,
    error: str = "",
    given: dict[str, str] | None = None,
    status: int = 200,
) -> HTMLResponse:
    try:
        shown = queue(visit, item, number)
    except NotFound:
        if not signed:
            raise
        shown = queue(visit, "", number)
    page = render(
        "review",
        visit,
        title="Review",
        here="review",
        page=shown,
        error=error,
        **signing(visit, signed, given or {"decision": "", "meaning": "", "until": "", "changes": ""}),
    )
    return html(page, status)


def signing(visit: Visit, signed: Review | None, given: dict[str, str]) -> dict[str, Any]:
    """What a page with a form for decisions shows of the last one and of the form.

    Args:
        visit: of the corpus.
        signed: the decision that was made just now.
        given: what the form holds, by field.
    """
    return {
        "signed": signed,
        "waits": visit.knowledge.waits_for(signed) if signed else "",
        "given": given,
        "past": visit.view.generation != visit.current,
    }
