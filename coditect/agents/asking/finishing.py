"""Blocking work for coroutines: in threads, to its end whatever is cancelled, and many small pieces as one.

A store that was told to write goes on writing when the coroutine that told it is cancelled. So cancellation waits here, and what
follows it (giving up a lease, say) finds the write done.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Generic, ParamSpec, TypeVar

__all__ = ["Together", "ended", "finish", "to_the_end"]

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")
B = TypeVar("B")


async def to_the_end(fn: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run a blocking function in a thread, and wait for its end even if cancelled: what was begun is done."""
    # Not a task: the end of the event loop, which cancels all tasks, waits for it, too.
    return await _finished(asyncio.get_running_loop().run_in_executor(None, partial(fn, *args, **kwargs)))


async def finish(begun: Coroutine[Any, Any, T]) -> T:
    """Await a coroutine, to its end even if cancelled; the cancellation is raised then."""
    return await _finished(asyncio.ensure_future(begun))


async def ended(task: asyncio.Future[T]) -> None:
    """Wait for a task whatever happens; its error is not raised here."""
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if not task.cancelled():
        task.exception()
    if cancelled is not None:
        raise cancelled


async def _finished(task: asyncio.Future[T]) -> T:
    try:
        await asyncio.wait({task})
    except asyncio.CancelledError:
        await ended(task)
        raise
    return task.result()


class Together(Generic[A, B]):
    """Does in one go what many coroutines ask for at the same time: one transaction, say, for all of them.

    What comes while a go is under way waits for the next one; what comes alone does not wait.

    Args:
        fn: blocking; the results for some items, in their order. Where it fails, it fails for all of them.
    """

    def __init__(self, fn: Callable[[Sequence[A]], Sequence[B]]) -> None:
        self._fn = fn
        self._asked: list[tuple[A, asyncio.Future[B]]] = []
        self._going: asyncio.Task[None] | None = None

    async def __call__(self, item: A) -> B:
        """The result for an item; waits for it even if cancelled."""
        result: asyncio.Future[B] = asyncio.get_running_loop().create_future()
        self._asked.append((item, result))
        if self._going is None or self._going.done():
            self._going = asyncio.create_task(self._go())
        return await _finished(result)

    async def _go(self) -> None:
        cancelled: asyncio.CancelledError | None = None
        while self._asked:
            asked, self._asked = self._asked, []
            call = asyncio.get_running_loop().run_in_executor(None, self._fn, [item for item, _ in asked])
            try:
                await ended(call)
            except asyncio.CancelledError as error:  # who asked still waits
                cancelled = error
            error_of_all = call.exception()
            for at, (_, result) in enumerate(asked):
                if error_of_all is not None:
                    result.set_exception(error_of_all)
                else:
                    result.set_result(call.result()[at])
        if cancelled is not None:
            raise cancelled
