"""Signing in with a token, signing out, and the way from the root of the server to the pages."""

from __future__ import annotations

import logging
from typing import Annotated

import structlog
from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse

from coditect.server.access.authentication import session_cookie
from coditect.server.explorer.door import PREFIX, PageRoute, SessionDesk, html, require_own_origin, root_of
from coditect.server.explorer.pages import render_alone

__all__ = ["sign_in_routes"]

log = structlog.wrap_logger(logging.getLogger(__name__))

LONGEST_TOKEN = 8_192
"""Characters of a token, at most."""


def sign_in_routes() -> APIRouter:
    """The routes."""
    anybody = APIRouter()
    known = APIRouter(route_class=PageRoute)

    @anybody.get("/", include_in_schema=False)
    def root(request: Request) -> Response:
        return RedirectResponse(f"{root_of(request)}/", 303)

    @anybody.get(f"{PREFIX}/sign-in")
    def form(request: Request, next: str = "") -> Response:
        return html(render_alone("sign_in", root_of(request), title="Sign in", next=_own(request, next), error=""))

    @anybody.post(f"{PREFIX}/sign-in")
    def sign_in(
        request: Request,
        token: Annotated[str, Form(max_length=LONGEST_TOKEN)] = "",
        next: Annotated[str, Form()] = "",
    ) -> Response:
        require_own_origin(request)
        desk: SessionDesk = request.app.state.gatekeeper
        address = request.client.host if request.client else ""
        begun = desk.begin_session(token.strip(), address)
        behind = _own(request, next)
        if begun is None:
            said = "This token is not known, has expired or was revoked."
            page = render_alone("sign_in", root_of(request), title="Sign in", next=behind, error=said)
            return html(page, 401)
        response = RedirectResponse(behind or f"{root_of(request)}/", 303)
        # Lax: a link in a letter leads to its page; forms of other sites carry no cookie.
        desk.end_session(request.cookies.get(session_cookie(request), ""))  # of whoever was signed in here before
        secure = request.app.state.encrypted
        response.set_cookie(session_cookie(request), begun[0], httponly=True, samesite="lax", secure=secure, path="/")
        who = begun[1].caller
        log.info("signed_in", caller=who.name, role=who.role, tenant=who.tenant, token=who.public_id, address=address)
        return response

    @known.post(f"{PREFIX}/sign-out")
    def sign_out(request: Request) -> Response:
        desk: SessionDesk = request.app.state.gatekeeper
        desk.end_session(request.cookies.get(session_cookie(request), ""))
        log.info("signed_out", caller=request.state.caller.name, tenant=request.state.caller.tenant)
        response = RedirectResponse(f"{root_of(request)}/sign-in", 303)
        response.delete_cookie(session_cookie(request), path="/", secure=request.app.state.encrypted, httponly=True)
        response.headers["Clear-Site-Data"] = '"cache", "storage"'  # heeded over HTTPS and on loopback
        return response

    every = APIRouter()
    every.include_router(anybody)
    every.include_router(known)
    return every


def _own(request: Request, address: str) -> str:
    """A path below the explorer, as it was asked for; "" for anything else: nobody is led out of here."""
    root = f"{root_of(request)}/"
    plain = address.isprintable() and "\\" not in address and ".." not in address
    return address if address.startswith(root) and plain else ""
