"""Connections that are let go: whoever sends a request, a body, or reads an answer too slowly holds nothing for long."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HEAD_S", "LOOK_S", "SLOWEST_BYTES_S", "PatientProtocol"]

LOOK_S = 10.0
"""How often a connection is looked at."""

HEAD_S = 20.0
"""For the head of a request, from the connection, or from the answer before, on."""

SLOWEST_BYTES_S = 1024
"""Bytes a second, at least, of a body that is sent and of an answer that is read, from one look to the next."""


class PatientProtocol(H11Protocol):
    """HTTP/1.1 of uvicorn with bounds on time, which that leaves to a proxy (CWE-400, "slowloris").

    An idle connection costs some kilobytes, no thread and no place among the requests at work.
    """

    _timer: asyncio.TimerHandle | None = None
    _waiting_since = 0.0
    _received = 0
    _looked_at: object = None
    _unread_before: int | None = None
    _was_sending = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look."""
        super().connection_made(transport)
        self._waiting_since = self.loop.time()
        self._timer = self.loop.call_later(LOOK_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count what comes."""
        self._received += len(data)
        super().data_received(data)

    def on_response_complete(self) -> None:
        """From here on the next head is waited for."""
        self._waiting_since = self.loop.time()
        super().on_response_complete()

    def _look(self) -> None:
        self._timer = None
        received, self._received = self._received, 0
        if self._too_slow(received):
            self.transport.abort()
            return
        self._timer = self.loop.call_later(LOOK_S, self._look)

    def _too_slow(self, received: int) -> bool:
        cycle: Any = self.cycle
        if cycle is not self._looked_at:  # what an earlier request left says nothing of this one
            self._looked_at, self._unread_before, self._was_sending = cycle, None, False
        least = SLOWEST_BYTES_S * LOOK_S
        if cycle is None or cycle.response_complete:
            unread, self._unread_before = self._unread_before, self.transport.get_write_buffer_size() or None
            if self._unread_before is not None:  # an answer that was handed over whole, and is not read
                return unread is not None and unread - self._unread_before < min(least, unread)
            return self.loop.time() - self._waiting_since >= HEAD_S
        # A body that the server itself does not take just now is not its sender's fault.
        sending = cycle.more_body and not self.flow.read_paused
        was_sending, self._was_sending = self._was_sending, sending
        if sending and was_sending:
            return received < least
        unread, self._unread_before = (
            self._unread_before,
            (self.transport.get_write_buffer_size() if self.flow.write_paused else None),
        )
        if unread is None or self._unread_before is None:
            return False
        return unread - self._unread_before < least
