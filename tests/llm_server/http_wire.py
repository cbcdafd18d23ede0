"""HTTP/1.1 as far as the service needs it: requests with a length, answers in one piece or as a stream of events."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import orjson

__all__ = ["Dropped", "HttpRequest", "Wire", "read_request"]

MAX_HEAD_BYTES = 64 * 1024
_REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}


class Dropped(Exception):  # noqa: N818 - what happened, not an error
    """The connection is to be closed, or is closed."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request.

    Attributes:
        method: upper case.
        path: without the query.
        query: behind the question mark.
        headers: names in lower case.
        body: of ``content-length`` bytes.
    """

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes


async def read_request(reader: asyncio.StreamReader) -> HttpRequest | None:
    """The next request of a connection, None at its end.

    Raises:
        Dropped: it is not HTTP, or ends within a request.
    """
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise Dropped from None
        return None
    except (asyncio.LimitOverrunError, ConnectionError):
        raise Dropped from None
    first, *lines = head.decode("latin-1").split("\r\n")[:-2]
    words = first.split(" ")
    if len(words) != 3:
        raise Dropped
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    path, _, query = words[1].partition("?")
    length = headers.get("content-length", "0")
    if not length.isdigit() or "transfer-encoding" in headers:
        raise Dropped
    try:
        body = await reader.readexactly(int(length)) if int(length) else b""
    except (asyncio.IncompleteReadError, ConnectionError):
        raise Dropped from None
    return HttpRequest(words[0], path, query, headers, body)


class Wire:
    """The answering side of a connection.

    Args:
        reader: of it, to notice that the client has gone.
        writer: of it.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @property
    def gone(self) -> bool:
        """Whether the client has closed the connection."""
        return self._writer.is_closing() or self._reader.at_eof()

    async def whole(
        self, status: int, body: bytes, headers: dict[str, str], *, content_type: str = "application/json"
    ) -> None:
        """Send an answer in one piece."""
        await self._send(
            _head(status, {"content-type": content_type, "content-length": str(len(body)), **headers}) + body
        )

    async def half(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        """Send the head and the first half of the body."""
        head = _head(status, {"content-type": "application/json", "content-length": str(len(body)), **headers})
        await self._send(head + body[: len(body) // 2])

    async def begin_events(self, headers: dict[str, str]) -> None:
        """Begin a stream of events."""
        await self._send(
            _head(200, {"content-type": "text/event-stream; charset=utf-8", "transfer-encoding": "chunked", **headers})
        )

    async def event(self, name: str, data: Any) -> None:  # noqa: ANN401 - JSON
        """Send one event."""
        text = b"event: " + name.encode() + b"\ndata: " + orjson.dumps(data) + b"\n\n"
        await self._send(f"{len(text):x}\r\n".encode() + text + b"\r\n")

    async def end_events(self) -> None:
        """End a stream of events."""
        await self._send(b"0\r\n\r\n")

    async def _send(self, data: bytes) -> None:
        if self.gone:
            raise Dropped
        try:
            self._writer.write(data)
            await self._writer.drain()
        except ConnectionError:
            raise Dropped from None


def _head(status: int, headers: dict[str, str]) -> bytes:
    lines = [
        f"HTTP/1.1 {status} {_REASONS.get(status, 'Other')}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")
