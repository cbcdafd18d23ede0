"""Many calls at a time, in order, without losing any: a bounded pool of coroutines in which a failed item is a result.

Knows nothing of what is called. Items are taken from their iterable as there is room, so that a hundred thousand of them
are never a hundred thousand tasks. Nothing is left running when a block is left, whichever way.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from coditect.agents.asking.pace import Pace, Sleep, backoff_s
from coditect.errors import BudgetExceeded, CoditectError, Malformed, RateLimited, Unreachable, UsageError

__all__ = ["Outcome", "OutcomeState", "Pool", "Progress"]

A = TypeVar("A")
B = TypeVar("B")

OutcomeState = Literal["done", "failed", "not_done"]
Progress = Callable[[int], object]
"""Told how many items have an outcome."""

MAX_ATTEMPTS = 8
AHEAD_PER_CALL = 8
"""Outcomes that may wait for an earlier one, for each call at a time."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[A, B]):
    """What became of an item.

    Attributes:
        index: of the item, from 0.
        item: as it was given.
        state: done; failed; or not done, because the budget was used up first.
        value: what the function returned, if done.
        error: why there is no value, if failed or not done.
        attempts: calls of the function, 0 if it was never called.
    """

    index: int
    item: A
    state: OutcomeState
    value: B | None = None
    error: CoditectError | None = None
    attempts: int = 0

    def get(self) -> B:
        """The value.

        Raises:
            CoditectError: there is none; says why.
        """
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]  # None only where the function returns None


class Pool:
    """Calls a function on many items, some at a time; see :meth:`map` and :meth:`stream`.

    Args:
        concurrency: most calls at a time, 1..50.
        now: seconds, on a clock that never goes back.
        sleep: waits so many seconds.
        max_attempts: calls for one item at most, >= 1.

    Raises:
        UsageError: concurrency or attempts out of range.
    """

    def __init__(
        self,
        concurrency: int = 10,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        max_attempts: int = MAX_ATTEMPTS,
    ) -> None:
        if max_attempts < 1:
            raise UsageError("an item is tried at least once", max_attempts=max_attempts, hint="Choose 1 or more.")
        self.pace = Pace(concurrency, now, sleep)
        self.max_attempts = max_attempts
        self._sleep = sleep

    async def map(
        self,
        items: Iterable[A],
        fn: Callable[[A], Awaitable[B]],
        *,
        progress: Progress | None = None,
        repeat_malformed: bool = False,
    ) -> list[Outcome[A, B]]:
        """The outcome of every item, in order. See :meth:`stream`."""
        async with self.stream(items, fn, progress=progress, repeat_malformed=repeat_malformed) as outcomes:
            return [outcome async for outcome in outcomes]

    @asynccontextmanager
    async def stream(
        self,
        items: Iterable[A],
        fn: Callable[[A], Awaitable[B]],
        *,
        progress: Progress | None = None,
        repeat_malformed: bool = False,
    ) -> AsyncIterator[AsyncIterator[Outcome[A, B]]]:
        """The outcomes in order, as they come; leaving the block stops what is still under way.

        ``RateLimited`` makes everybody wait and fewer go on; ``Unreachable`` is repeated after a growing wait; ``BudgetExceeded``
        stops handing out: the rest is not done; every other ``CoditectError`` is the item's outcome.

        Args:
            items: taken as there is room.
            fn: called with an item; may be called again for it.
            progress: told after each outcome.
            repeat_malformed: call once more after an answer without the asked-for shape, unless it was cut off.
        """
        run = _OrderedOutcomes(self, iter(items), fn, progress, repeat_malformed)
        try:
            async with asyncio.TaskGroup() as group:
                workers = [group.create_task(run.work()) for _ in range(self.pace.concurrency)]
                try:
                    yield run
                finally:
                    for worker in workers:
                        worker.cancel()
        except BaseExceptionGroup as errors:
            # Of the workers and of who reads the outcomes: one of them is raised, none is kept.
            raise _first(errors) from None


class _OrderedOutcomes(Generic[A, B]):
    """One pass over items; an iterator over their outcomes."""

    def __init__(
        self,
        pool: Pool,
        items: Iterator[A],
        fn: Callable[[A], Awaitable[B]],
        progress: Progress | None,
        repeat_malformed: bool,
    ) -> None:
        self._pool = pool
        self._items = items
        self._fn = fn
        self._progress = progress
        self._malformed_allowed = 1 if repeat_malformed else 0
        self._ahead = AHEAD_PER_CALL * pool.pace.concurrency
        self._taken = self._given = self._finished = 0
        self._exhausted = False
        self._stopped: BudgetExceeded | None = None
        self._outcomes: dict[int, Outcome[A, B]] = {}
        self._arrived = asyncio.Event()
        self._room = asyncio.Event()

    def __aiter__(self) -> AsyncIterator[Outcome[A, B]]:
        return self

    async def __anext__(self) -> Outcome[A, B]:
        while self._given not in self._outcomes:
            if self._exhausted and self._given == self._taken:
                raise StopAsyncIteration
            self._arrived.clear()
            await self._arrived.wait()
        outcome = self._outcomes.pop(self._given)
        self._given += 1
        self._room.set()
        return outcome

    async def work(self) -> None:
        """Take items and call, until there are none."""
        while True:
            while self._taken - self._given >= self._ahead:
                self._room.clear()
                await self._room.wait()
            try:
                item = next(self._items)
            except StopIteration:
                self._exhausted = True
                self._arrived.set()
                return
            index = self._taken
            self._taken += 1
            self._outcomes[index] = await self._outcome(index, item)
            self._finished += 1
            if self._progress is not None:
                self._progress(self._finished)
            self._arrived.set()

    async def _outcome(self, index: int, item: A) -> Outcome[A, B]:
        malformed = 0
        error: CoditectError | None = None
        for attempt in range(1, self._pool.max_attempts + 1):
            wait_s = 0.0
            async with self._pool.pace.slot() as round_:
                if self._stopped is not None:
                    return Outcome(index, item, "not_done", error=self._stopped, attempts=attempt - 1)
                try:
                    value = await self._fn(item)
                except RateLimited as limited:
                    error = limited
                    self._pool.pace.refused(round_, _seconds(limited.context.get("retry_after_s")))
                except Unreachable as unreachable:
                    error = unreachable
                    wait_s = backoff_s(attempt, index)
                except BudgetExceeded as exceeded:
                    self._stopped = exceeded
                    return Outcome(index, item, "not_done", error=exceeded, attempts=attempt)
                except Malformed as misshapen:
                    error = misshapen
                    malformed += 1
                    if malformed > self._malformed_allowed or misshapen.context.get("truncated"):
                        return Outcome(index, item, "failed", error=error, attempts=attempt)
                except CoditectError as failed:
                    return Outcome(index, item, "failed", error=failed, attempts=attempt)
                else:
                    self._pool.pace.answered()
                    return Outcome(index, item, "done", value=value, attempts=attempt)
            if wait_s and attempt < self._pool.max_attempts:
                await self._pool._sleep(wait_s)
        return Outcome(index, item, "failed", error=error, attempts=self._pool.max_attempts)


def _seconds(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and value == value else None


def _first(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error that ended a group: its first, groups inside it opened."""
    error: BaseException = errors
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
