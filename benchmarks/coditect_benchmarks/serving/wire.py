"""A small HTTP/1.1 client on asyncio: it costs less than what it measures, and keeps as many connections as it needs."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

__all__ = ["Answer", "Connections"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back.

    Attributes:
        status: of HTTP; 0: the connection broke, or time ran out.
        retry_after: whether a refusal said when to come again.
        body: the bytes.
    """

    status: int
    retry_after: bool = False
    body: bytes = b""


class Connections:
    """Connections to one server, used again.

    Args:
        port: on loopback.
        token: that is shown.
        timeout_s: for one request.
    """

    def __init__(self, port: int, token: str, timeout_s: float = 60.0) -> None:
        self._port = port
        self._head = f" HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
        self._timeout_s = timeout_s
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> Answer:
        """Send a request and read its answer; a connection that the server had closed meanwhile is replaced once."""
        more = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if body or method != "GET" else ""
        sent = f"{method} {path}{self._head}{more}\r\n".encode() + body
        for again in (True, False):
            kept = bool(self._free)
            try:
                return await asyncio.wait_for(self._once(sent), self._timeout_s)
            except (OSError, asyncio.IncompleteReadError):
                if not (kept and again):
                    return Answer(0)
            except TimeoutError:
                return Answer(0)
        return Answer(0)

    def close(self) -> None:
        """Close all of them."""
        for _, writer in self._free:
            writer.close()
        self._free.clear()

    async def _once(self, sent: bytes) -> Answer:
        reader, writer = (
            self._free.pop() if self._free else await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
        )
        try:
            writer.write(sent)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = head.partition(b"content-length:")[2].partition(b"\r\n")[0]
            if length:
                body = await reader.readexactly(int(length))
            else:
                body = await _chunks(reader) if b"transfer-encoding: chunked" in head else b""
        except BaseException:
            writer.close()
            raise
        if b"connection: close" in head:
            writer.close()
        else:
            self._free.append((reader, writer))
        return Answer(int(head[9:12]), b"\r\nretry-after:" in head, body)


async def _chunks(reader: asyncio.StreamReader) -> bytes:
    whole = b""
    while size := int((await reader.readline()).strip(), 16):
        whole += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readexactly(2)
    return whole
