"""Who asks: a token in a header, a session of a browser, or, on loopback alone and when asked to, anybody."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Request

from coditect.server.access.callers import Caller, Permission
from coditect.server.access.ports import Gatekeeper
from coditect.server.problems import Problem

__all__ = ["SESSION_COOKIE", "authenticated", "is_loopback", "needs", "session_cookie"]

SESSION_COOKIE = "coditect_session"
"""Holds the secret of a browser's session; see :mod:`coditect.server.access.sessions` and :func:`session_cookie`."""

_ASK = {"WWW-Authenticate": 'Bearer realm="coditect"'}


async def authenticated(request: Request) -> Caller:
    """The caller of a request.

    Raises:
        Problem: 401, nobody that the server knows; 403, a change by a browser without its token against forgery; 429, too many.
    """
    known: Caller | None = getattr(request.state, "caller", None)
    if known is not None:
        return known
    keeper: Gatekeeper = request.app.state.gatekeeper
    header = request.headers.get("authorization", "")
    cookie = request.cookies.get(session_cookie(request), "")
    if header:
        scheme, _, token = header.partition(" ")
        found = keeper.by_token(token.strip()) if scheme.lower() == "bearer" else None
    elif cookie:
        found = keeper.by_session(cookie)
        if found is not None and request.method not in ("GET", "HEAD"):
            await _refuse_forgery(request, keeper, cookie)
    else:
        found = keeper.anonymous if is_loopback(request.client.host if request.client else "") else None
    if found is None:
        raise Problem(401, "not signed in", "Send a token: 'Authorization: Bearer …'.", _ASK)
    keeper.count(found)
    request.state.caller = found
    return found


def session_cookie(request: Request) -> str:
    """The name of the cookie: over HTTPS one that browsers take from this very host alone, and from no plain answer of it.

    Source: RFC 6265bis, 4.1.3.2, "__Host-".
    """
    return f"__Host-{SESSION_COOKIE}" if request.app.state.encrypted else SESSION_COOKIE


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def needs(permission: Permission) -> Callable[..., Awaitable[Caller]]:
    """A dependency: the caller, if its role allows something; it refuses others with a ``Problem``, 403.

    Args:
        permission: what the request needs.
    """

    async def allowed(caller: Annotated[Caller, Depends(authenticated)]) -> Caller:
        if not caller.may(permission):
            raise Problem(403, "not allowed", f"The role {caller.role} may not {permission}.")
        return caller

    return allowed


async def _refuse_forgery(request: Request, keeper: Gatekeeper, cookie: str) -> None:
    """Changes from a browser carry what only our own pages know (OWASP: synchroniser token), and come from our own origin."""
    origin = request.headers.get("origin")
    if origin is not None and origin.rstrip("/") != f"{request.url.scheme}://{request.headers.get('host', '')}":
        raise Problem(403, "a request of another site")
    given = request.headers.get("x-csrf-token", "")
    if not given and request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        given = str((await request.form()).get("csrf", ""))
    if not keeper.is_own_form(cookie, given):
        raise Problem(403, "the form is not of this session", "Load the page again.")
