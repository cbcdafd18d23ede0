"""A client in a process of its own: what it costs, and what its own process collects as garbage, is not the server's."""

from __future__ import annotations

import asyncio
import gc
import select
import selectors
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from coditect_benchmarks.serving.load import Sample, over_http
from coditect_benchmarks.serving.mix import Asked
from coditect_benchmarks.serving.wire import Connections

__all__ = ["sent"]


def sent(port: int, token: str, requests: Sequence[Asked], moments: Sequence[float]) -> list[Sample]:
    """Send requests, each at its moment, from a fresh process.

    Args:
        port: of the server, on loopback.
        token: that is shown.
        requests: as many as there are moments.
        moments: seconds from the beginning.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_send, port, token, list(requests), list(moments)).result()


def _send(port: int, token: str, requests: list[Asked], moments: list[float]) -> list[Sample]:
    gc.freeze()
    gc.disable()

    async def run() -> list[Sample]:
        connections = Connections(port, token)
        try:
            return await over_http(requests, moments, connections.ask)
        finally:
            connections.close()

    with asyncio.Runner(loop_factory=_loop) as runner:
        return runner.run(run())


def _loop() -> asyncio.AbstractEventLoop:
    """A loop that wakes at the microsecond: that of epoll rounds up to the next millisecond, and Python's own threads do not."""
    return asyncio.SelectorEventLoop(_Precise())


class _Precise(selectors.EpollSelector):
    """Waits with the clock of select, which counts microseconds; that of epoll counts milliseconds."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """As that of :class:`selectors.EpollSelector`."""
        if timeout is not None and timeout > 0:
            select.select([self.fileno()], [], [], timeout)
            timeout = 0
        return super().select(timeout)
