"""Blocking work for coroutines: what was begun is done, and many pieces are one."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence

import pytest

from coditect.agents.asking.finishing import Together, finish, to_the_end


async def test_finishing_cancellation_waits_for_the_end() -> None:
    """A cancelled coroutine returns when its blocking work is done, and not before."""
    begun, done = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        time.sleep(0.05)
        done.set()

    task = asyncio.create_task(to_the_end(work))
    while not begun.is_set():
        await asyncio.sleep(0.001)
    task.cancel()
    await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done.is_set()


async def test_finishing_gives_results_and_errors_on() -> None:
    """What the work returns or raises comes out unchanged."""
    assert await to_the_end(int, "7") == 7
    with pytest.raises(ValueError, match="invalid"):
        await to_the_end(int, "x")

    async def failing() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await finish(failing())


async def test_together_many_pieces_are_few_goes() -> None:
    """What comes while a go is under way is done in the next one, all of it, each with its own result."""
    goes: list[int] = []

    def double(numbers: Sequence[int]) -> list[int]:
        goes.append(len(numbers))
        time.sleep(0.01)
        return [2 * number for number in numbers]

    together = Together(double)
    results = await asyncio.gather(*(together(number) for number in range(100)))
    assert results == [2 * number for number in range(100)]
    assert sum(goes) == 100
    assert len(goes) <= 3
    assert await together(7) == 14


async def test_together_failure_is_everybodys() -> None:
    """Where the work fails, nobody gets a result, and the next go is not affected."""
    fail = [True]

    def work(items: Sequence[int]) -> Sequence[int]:
        if fail.pop() if fail else False:
            raise ValueError("no")
        return items

    together = Together(work)
    results = await asyncio.gather(*(together(number) for number in range(5)), return_exceptions=True)
    assert all(isinstance(result, ValueError) for result in results)
    assert await together(1) == 1


async def test_together_cancelled_piece_is_done_all_the_same() -> None:
    """Who is cancelled waits for its go, and the others have their results."""
    done: list[int] = []

    def work(items: Sequence[int]) -> Sequence[int]:
        time.sleep(0.02)
        done.extend(items)
        return items

    together = Together(work)
    tasks = [asyncio.create_task(together(number)) for number in range(5)]
    await asyncio.sleep(0.005)
    tasks[3].cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[3], asyncio.CancelledError)
    assert [result for result in results if isinstance(result, int)] == [0, 1, 2, 4]
    assert sorted(done) == [0, 1, 2, 3, 4]


def test_together_end_of_the_loop_finishes_what_was_begun() -> None:
    """When a program ends with work under way, the work is done before the loop is gone."""
    done: list[int] = []

    def work(items: Sequence[int]) -> Sequence[int]:
        time.sleep(0.02)
        done.extend(items)
        return items

    async def main() -> None:
        together = Together(work)
        kept = [asyncio.create_task(together(number)) for number in range(3)]
        await asyncio.sleep(0.005)
        assert len(kept) == 3

    asyncio.run(main())
    assert sorted(done) == [0, 1, 2]
