"""What stands before every request: hosts, sizes, the number of requests at work, and the headers of answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.exceptions import HTTPException

from coditect.server.problems import Problem, problem_response

__all__ = ["BODY_BYTES", "UPLOAD_BYTES", "Admission", "SafeHeaders"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_BYTES = 4 << 20
"""Bytes of a request's body, at most, unless it is an upload."""

UPLOAD_BYTES = 2 << 30
"""Bytes of an upload, at most."""

_UNCOUNTED = ("/healthz", "/readyz", "/metrics", "/static/")

_PROBES = ("/healthz", "/readyz")
"""Answered under any name: who looks after containers asks by address. They tell nothing but whether the server answers."""

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class SafeHeaders:
    """Adds the headers that every answer has.

    Args:
        app: what answers.
        encrypted: whether callers come over HTTPS, as a proxy before the server sees to.
    """

    def __init__(self, app: Asgi, encrypted: bool = False) -> None:
        self.app = app
        self._encrypted = encrypted
        extra = {"strict-transport-security": "max-age=31536000; includeSubDomains"} if encrypted else {}
        self._headers = {name.encode(): text.encode() for name, text in {**_HEADERS, **extra}.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if self._encrypted:  # whatever the proxy says of it: pages compare their own address with where forms come from
            scope["scheme"] = "https"

        async def sent(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                given = [(name, text) for name, text in message.get("headers", ()) if name.lower() != b"server"]
                own = {name.lower() for name, _ in given}
                added = [(name, text) for name, text in self._headers.items() if name not in own]
                message = {**message, "headers": [*given, *added]}
            await send(message)

        await self.app(scope, receive, sent)


class Admission:
    """Lets so many requests in, so many wait for a while, and refuses the others at once with when to come again.

    Args:
        app: what answers.
        most: requests at work at one time.
        waiting: requests that wait, at most.
        hosts: names that the server answers to; empty: all. On loopback this keeps out pages that rebind a name to it.
        most_bytes: of a request's body; uploads have a bound of their own.
    """

    def __init__(
        self, app: Asgi, most: int = 16, waiting: int = 64, hosts: tuple[str, ...] = (), most_bytes: int = BODY_BYTES
    ) -> None:
        import anyio

        self.app = app
        self._room = anyio.Semaphore(most)
        self._admitted = 0
        self._most = most + waiting
        self._hosts = frozenset(each.lower() for each in hosts)
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await problem_response(refused, str(scope.get("path", "")))(scope, receive, send)
            return
        if str(scope["path"]).startswith(_UNCOUNTED) or str(scope["path"]).endswith("/events"):
            await self.app(scope, receive, send)
            return
        self._admitted += 1
        try:
            async with self._room:
                await self.app(scope, self._bounded(scope, receive), send)
        finally:
            self._admitted -= 1

    def _refusal(self, scope: Scope) -> Problem | None:
        headers = {name.lower(): text for name, text in scope.get("headers", ())}
        host = headers.get(b"host", b"").decode("latin-1").lower()
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        if self._hosts and name.strip("[]") not in self._hosts and scope["path"] not in _PROBES:
            return Problem(421, "the server does not answer to this name", "See --allow-host.")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit():
            return Problem(400, "the length of the body is not a number")
        if int(length) > self._bound(scope):
            return _too_large(self._bound(scope))
        if self._admitted >= self._most:
            return Problem(503, "the server is busy", "Ask again later.", {"Retry-After": "1"})
        return None

    def _bound(self, scope: Scope) -> int:
        return (
            UPLOAD_BYTES
            if scope["method"] == "POST" and str(scope["path"]).endswith("/documents")
            else self._most_bytes
        )

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """The body as it comes, up to its bound: a length that was not told is counted."""
        bound, seen = self._bound(scope), 0

        async def received() -> MutableMapping[str, Any]:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > bound:
                raise HTTPException(413, f"At most {bound} bytes.")
            return message

        return received


def _too_large(bound: int) -> Problem:
    return Problem(413, "the body is too large", f"At most {bound} bytes.")
