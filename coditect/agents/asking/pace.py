"""How fast a service may be asked: at most so many calls at a time, fewer when it says so, none while it asks for a pause.

Additive increase, multiplicative decrease: each answered call lets a fraction of one more in, each round of refused calls
halves what is let in. Calls that were under way when the window was halved do not halve it again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hashlib import sha256

from coditect.errors import UsageError

__all__ = ["MOST_AT_ONCE", "Pace", "Sleep", "backoff_s"]

Sleep = Callable[[float], Awaitable[object]]

MOST_AT_ONCE = 50
FIRST_BACKOFF_S = 0.5
LONGEST_BACKOFF_S = 60.0


def backoff_s(attempt: int, index: int) -> float:
    """Seconds to wait after a failed attempt: doubled each time, and the same on every run.

    Args:
        attempt: that failed, from 1.
        index: whose; spreads those that failed together.

    Returns:
        half to all of ``0.5 * 2 ** (attempt - 1)``, at most 60.
    """
    longest = min(LONGEST_BACKOFF_S, FIRST_BACKOFF_S * 2.0 ** min(attempt - 1, 16))
    digest = sha256(f"{index}:{attempt}".encode()).digest()
    return longest * (0.5 + int.from_bytes(digest[:4], "big") / 2**33)


class Pace:
    """The window of calls to one service; shared by all that call it. Belongs to one event loop.

    Args:
        concurrency: most calls at a time, 1..50.
        now: seconds, on a clock that never goes back.
        sleep: waits so many seconds.

    Raises:
        UsageError: concurrency out of range.
    """

    def __init__(self, concurrency: int, now: Callable[[], float], sleep: Sleep) -> None:
        if not 1 <= concurrency <= MOST_AT_ONCE:
            raise UsageError(
                "that many calls at a time are not possible",
                concurrency=concurrency,
                hint=f"Choose 1 to {MOST_AT_ONCE}.",
            )
        self.concurrency = concurrency
        self.window = float(concurrency)
        self.in_flight = 0
        self._now = now
        self._sleep = sleep
        self._paused_until = float("-inf")
        self._round = 0
        self._refused_in_a_row = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[int]:
        """A place among the calls under way, held while the block runs; yields the round, for :meth:`refused`."""
        await self._enter()
        try:
            while (pause_s := self._paused_until - self._now()) > 0:
                await self._sleep(pause_s)
            yield self._round
        finally:
            self.in_flight -= 1
            self._wake()

    def answered(self) -> None:
        """A call was answered: let a fraction of one more in."""
        self._refused_in_a_row = 0
        self.window = min(float(self.concurrency), self.window + 1 / self.window)
        self._wake()

    def refused(self, round_: int, retry_after_s: float | None) -> None:
        """A call was told to slow down: everybody waits, and fewer go on.

        Args:
            round_: in which it began.
            retry_after_s: what the service asks for, seconds; None: twice as long each time, from half a second.
        """
        if round_ == self._round:
            self._round += 1
            self._refused_in_a_row += 1
            self.window = max(1.0, self.window / 2)
        pause_s = backoff_s(self._refused_in_a_row, 0) if retry_after_s is None else max(0.0, retry_after_s)
        self._paused_until = max(self._paused_until, self._now() + pause_s)

    async def _enter(self) -> None:
        if not self._waiting and self.in_flight < int(self.window):
            self.in_flight += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the place was given to one that no longer wants it
                self.in_flight -= 1
                self._wake()
            raise

    def _wake(self) -> None:
        while self._waiting and self.in_flight < int(self.window):
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)
