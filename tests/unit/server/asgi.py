"""Requests that are put to an application by hand, so that each may stand still where a test wants it to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

__all__ = ["Asked", "ask", "scope_of"]

Asgi = Callable[..., Awaitable[None]]


class Asked:
    """What was answered.

    Attributes:
        status: 0 where nothing was.
        headers: in their order.
        body: of it.
    """

    def __init__(self) -> None:
        self.status = 0
        self.headers: list[tuple[str, str]] = []
        self.body = b""

    async def send(self, message: Any) -> None:  # noqa: ANN401 - as ASGI has it
        """Take a part of the answer."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = [(name.decode(), text.decode()) for name, text in message.get("headers", ())]
        else:
            self.body += message.get("body", b"")


def scope_of(path: str = "/x", method: str = "GET", **headers: str) -> dict[str, Any]:
    """The head of a request; ``_`` in names of headers stands for ``-``."""
    sent = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    return {"type": "http", "path": path, "method": method, "headers": sent}


async def ask(app: Asgi, scope: dict[str, Any], pieces: Iterable[bytes] = (b"",)) -> Asked:
    """Put a request with a body in pieces to an application; behind the body the caller goes away."""
    *before, last = pieces
    messages = [{"type": "http.request", "body": each, "more_body": True} for each in before]
    messages.append({"type": "http.request", "body": last})
    asked = Asked()

    async def receive() -> dict[str, Any]:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    await app(scope, receive, asked.send)
    return asked
