"""The service in a thread of this process."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from tests.llm_server.answers import Respond, respond
from tests.llm_server.faults import Fault
from tests.llm_server.http_wire import MAX_HEAD_BYTES
from tests.llm_server.journal import Call, Journal
from tests.llm_server.service import Service, Terms

__all__ = ["LlmServer", "llm_server", "serve"]

_STOP_S = 10.0


class LlmServer:
    """A running service.

    Attributes:
        base_url: of it, for the library.
        terms: latency, faults and so on; may be changed while it runs.
    """

    def __init__(self, service: Service, loop: asyncio.AbstractEventLoop) -> None:
        self.base_url = service.base_url
        self.terms = service.terms
        self._service = service
        self._loop = loop

    @property
    def log(self) -> list[Call]:
        """All calls that are over, as they ended."""
        if not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._service.settled(), self._loop).result()
        return list(self._service.journal.calls)

    @property
    def under_way(self) -> int:
        """Message requests that were read and are not over."""
        return self._service.under_way

    @property
    def messages(self) -> list[Call]:
        """The message requests among them, batched or not, as they ended."""
        return [call for call in self.log if call.number >= 0]

    @property
    def answered(self) -> list[Call]:
        """The requests that were answered in full."""
        return [call for call in self.messages if call.outcome == "answered"]


@contextmanager
def llm_server(
    *,
    latency_s: float = 0.0,
    faults: Sequence[Fault] = (),
    model: Respond = respond,
    batch_s: float = 0.0,
    max_concurrency: int | None = None,
    api_key: str = "",
    log: Path | None = None,
    now: Callable[[], float] = time.time,
) -> Iterator[LlmServer]:
    """The service on a free port, until the block ends. Should the service itself break, the block ends with that error.

    Args:
        latency_s, faults, model, batch_s, max_concurrency, api_key: see :class:`~tests.llm_server.service.Terms`.
        log: file for the calls as well, JSON lines.
        now: seconds; decides when a kept beginning of a request is forgotten.
    """
    terms = Terms(latency_s, faults, model, batch_s, max_concurrency, api_key)
    with log.open("a", encoding="utf-8") if log else nullcontext() as file:
        service = Service(terms, Journal(now, file))
        ready = threading.Event()
        stop = asyncio.Event()
        loop = asyncio.new_event_loop()

        broken: list[BaseException] = []

        def run() -> None:
            try:
                loop.run_until_complete(serve(service, stop, ready.set, broken=broken))
            finally:
                loop.close()
                ready.set()

        thread = threading.Thread(target=run, name="llm-server", daemon=True)
        thread.start()
        ready.wait()
        try:
            yield LlmServer(service, loop)
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join(_STOP_S)
        if broken:
            raise broken[0]


async def serve(
    service: Service,
    stop: asyncio.Event,
    ready: Callable[[], None],
    *,
    port: int = 0,
    broken: list[BaseException] | None = None,
) -> None:
    """Serve until ``stop``; ``ready`` is called once its address is known; ``broken`` gets the errors of the service itself."""
    connections: set[asyncio.Task[None]] = set()

    def ended(task: asyncio.Task[None]) -> None:
        connections.discard(task)
        if broken is not None and not task.cancelled() and (error := task.exception()) is not None:
            broken.append(error)

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            connections.add(task)
            task.add_done_callback(ended)
        await service.connection(reader, writer)

    server = await asyncio.start_server(connected, "127.0.0.1", port, limit=MAX_HEAD_BYTES, backlog=512)
    service.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    ready()
    await stop.wait()
    service.close()
    server.close()
    for task in list(connections):
        task.cancel()
    await asyncio.gather(*connections, return_exceptions=True)
    with suppress(TimeoutError):
        await asyncio.wait_for(server.wait_closed(), 2.0)
