"""What stands before every request: hosts, sizes, the number of requests at work, and the headers of answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.exceptions import HTTPException

from coditect.server.problems import Problem, problem_response

__all__ = ["BESIDE", "BODY_BYTES", "UPLOAD_BYTES", "Admission", "HeadsAlone", "SafeHeaders"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_BYTES = 4 << 20
"""Bytes of a request's body, at most, unless it is an upload."""

UPLOAD_BYTES = 2 << 30
"""Bytes of an upload, at most."""

BESIDE = {"followers": 256, "uploads": 8, "bodies": 64}
"""Requests that take long without work, at most: events that are listened to, uploads, other bodies on their way."""

_UNCOUNTED = ("/healthz", "/readyz", "/metrics", "/static/")

_PROBES = ("/healthz", "/readyz")
"""Answered under any name: who looks after containers asks by address. They tell nothing but whether the server answers."""

_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; object-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
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


class HeadsAlone:
    """Answers HEAD with the headers that GET would have (RFC 9110, 9.3.2): who keeps links, or watches the server, asks so.

    Args:
        app: what answers GET.
    """

    def __init__(self, app: Asgi) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer; what is told as it happens has no end, and no headers that tell more."""
        if scope["type"] != "http" or scope["method"] != "HEAD" or str(scope["path"]).endswith("/events"):
            await self.app(scope, receive, send)
            return

        async def sent(message: MutableMapping[str, Any]) -> None:
            is_body = message["type"] == "http.response.body"
            await send({**message, "body": b""} if is_body else message)

        inner = {**scope, "method": "GET"}
        try:
            await self.app(inner, receive, sent)
        finally:  # who counts requests, or logs refusals, asks the scope for the route and the caller
            scope.update({name: inner[name] for name in ("route", "state") if name in inner})


class Admission:
    """Lets so many requests in, so many wait for a while, and refuses the others at once with when to come again.

    A request is at work from when all of it is there until its answer begins: whoever sends or reads slowly takes no place from
    others. How slowly that may be is the connection's business (:mod:`coditect.server.connections`).

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
        self._beside = dict.fromkeys(BESIDE, 0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused = self._refusal(scope)
        if refused is not None:
            await problem_response(refused, str(scope.get("path", "")))(scope, receive, send)
        elif str(scope["path"]).startswith(_UNCOUNTED):
            await self.app(scope, receive, send)
        else:
            await self._admit(scope, receive, send)

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Give a request the place that its kind takes."""
        path, bounded = str(scope["path"]), self._bounded(scope, receive)
        if path.endswith("/events"):
            await self._aside("followers", self.app, scope, receive, send)
        elif _has_body(scope) and _is_upload(scope):
            await self._aside("uploads", self.app, scope, bounded, send)
        elif _has_body(scope):
            await self._aside("bodies", self._whole, scope, bounded, send)
        else:
            await self._work(scope, bounded, send)

    async def _aside(self, kind: str, answer: Asgi, scope: Scope, receive: Receive, send: Send) -> None:
        """What takes long without work, bounded by a number of its own."""
        if self._beside[kind] >= BESIDE[kind]:
            await problem_response(_busy(), str(scope["path"]))(scope, receive, send)
            return
        self._beside[kind] += 1
        try:
            await answer(scope, receive, send)
        finally:
            self._beside[kind] -= 1

    async def _whole(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer when all of the body is there."""
        pieces, more = [], True
        while more:
            try:
                message = await receive()
            except HTTPException as error:
                problem = Problem(error.status_code, "the body is too large", str(error.detail))
                await problem_response(problem, str(scope["path"]))(scope, receive, send)
                return
            if message["type"] != "http.request":
                return
            pieces.append(message.get("body", b""))
            more = message.get("more_body", False)
        whole: list[MutableMapping[str, Any]] = [{"type": "http.request", "body": b"".join(pieces), "more_body": False}]
        pieces.clear()

        async def received() -> MutableMapping[str, Any]:
            return whole.pop() if whole else await receive()

        await self._work(scope, received, send)

    async def _work(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer in a place among those at work, which is free again when the answer begins."""
        if self._admitted >= self._most:
            await problem_response(_busy(), str(scope["path"]))(scope, receive, send)
            return
        self._admitted += 1
        holds, inside = True, False

        def leave() -> None:
            nonlocal holds
            if holds:
                holds = False
                self._admitted -= 1
                if inside:
                    self._room.release()

        async def sent(message: MutableMapping[str, Any]) -> None:
            leave()
            await send(message)

        try:
            await self._room.acquire()
            inside = True
            await self.app(scope, receive, sent)
        finally:
            leave()

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
        return None

    def _bound(self, scope: Scope) -> int:
        return UPLOAD_BYTES if _is_upload(scope) else self._most_bytes

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


def _is_upload(scope: Scope) -> bool:
    return scope["method"] == "POST" and str(scope["path"]).endswith("/documents")


def _has_body(scope: Scope) -> bool:
    headers = {name.lower(): text for name, text in scope.get("headers", ())}
    return headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers


def _busy() -> Problem:
    return Problem(503, "the server is busy", "Ask again later.", {"Retry-After": "1"})


def _too_large(bound: int) -> Problem:
    return Problem(413, "the body is too large", f"At most {bound} bytes.")
