"""Who may ask over HTTP: nobody without a token, whatever else a request says."""

from __future__ import annotations

import logging
from collections.abc import Callable

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from coditect.server.access.callers import Caller
from coditect.server.problems import Problem, problem_response

__all__ = ["Admitted"]

log = structlog.wrap_logger(logging.getLogger(__name__))


class Admitted:
    """An application behind tokens.

    Args:
        inner: the application.
        by_token: the caller that a token is of.
        count: counts a request of a caller, or raises :class:`~coditect.server.problems.Problem`.
        state: under which name the scope gets the caller.
    """

    def __init__(
        self, inner: ASGIApp, by_token: Callable[[str], Caller | None], count: Callable[[Caller], None], state: str
    ) -> None:
        self._inner, self._by_token, self._count, self._state = inner, by_token, count, state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "http":
            try:
                scope = {**scope, self._state: self._caller(scope)}
            except Problem as refused:
                address = (scope.get("client") or ("",))[0]
                log.warning("refused", status=refused.status, method=scope["method"], address=address)
                await problem_response(refused, scope["path"])(scope, receive, send)
                return
        await self._inner(scope, receive, send)

    def _caller(self, scope: Scope) -> Caller:
        scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        found = self._by_token(token.strip()) if scheme.lower() == "bearer" else None
        if found is None:
            ask = {"WWW-Authenticate": 'Bearer realm="coditect"'}
            raise Problem(401, "not signed in", "Send a token: 'Authorization: Bearer …'.", ask)
        self._count(found)
        return found
