"""The pool: bounded, in order, failures are results, nothing is left running."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.agents.asking.pace import Pace
from coditect.agents.asking.pool import Pool
from coditect.errors import (
    BudgetExceeded,
    CoditectError,
    Malformed,
    ModelError,
    RateLimited,
    Refused,
    Unreachable,
    UsageError,
)
from tests.effort import times
from tests.unit.agents.asking.service import Clock


def pool_of(concurrency: int, clock: Clock, max_attempts: int = 8) -> Pool:
    return Pool(concurrency, now=clock.now, sleep=clock.sleep, max_attempts=max_attempts)


@settings(max_examples=times(40, least=10), deadline=None)
@given(st.lists(st.integers(0, 5), max_size=60), st.integers(1, 12))
def test_pool_results_are_in_order_and_bounded(turns: list[int], concurrency: int) -> None:
    """Whatever takes how long, results come in the order of the items, and never more calls than allowed are under way."""
    busy = busiest = 0

    async def call(item: tuple[int, int]) -> int:
        nonlocal busy, busiest
        busy += 1
        busiest = max(busiest, busy)
        for _ in range(item[1]):
            await asyncio.sleep(0)
        busy -= 1
        return item[0]

    outcomes = asyncio.run(pool_of(concurrency, Clock()).map(enumerate(turns), call))
    assert [outcome.get() for outcome in outcomes] == list(range(len(turns)))
    assert busiest <= concurrency
    assert busiest >= min(concurrency, len(turns), 1)


async def test_pool_takes_items_as_there_is_room() -> None:
    """Items are not taken far ahead of the one that everybody waits for: memory stays bounded."""
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(100_000):
            taken += 1
            yield number

    gate = asyncio.Event()

    async def call(number: int) -> int:
        if number == 0:
            await gate.wait()
        return number

    async with Pool(4).stream(items(), call) as outcomes:
        for _ in range(200):
            await asyncio.sleep(0)
        assert taken <= 4 * 8 + 4
        gate.set()
        assert (await anext(aiter(outcomes))).value == 0


async def test_pool_failed_items_are_results() -> None:
    """An error of ours ends its item and nothing else; it is not repeated."""
    calls: list[int] = []

    async def call(number: int) -> int:
        calls.append(number)
        if number % 2:
            raise (Refused("declined") if number == 3 else ModelError("no"))
        return number

    outcomes = await Pool(3).map(range(8), call)
    assert [outcome.state for outcome in outcomes] == ["done", "failed"] * 4
    assert isinstance(outcomes[3].error, Refused)
    with pytest.raises(Refused):
        outcomes[3].get()
    assert sorted(calls) == list(range(8))


async def test_pool_other_errors_end_everything() -> None:
    """A mistake in the program is not an outcome: it comes out as itself, and nothing goes on."""
    running = 0

    async def call(number: int) -> None:
        nonlocal running
        if number == 5:
            raise ZeroDivisionError
        running += 1
        try:
            await asyncio.sleep(10)
        finally:
            running -= 1

    with pytest.raises(ZeroDivisionError):
        await Pool(10).map(range(100), call)
    assert running == 0


async def test_pool_cancelled_leaves_nothing_running() -> None:
    """A cancellation reaches every call, and is over when they are."""
    running, peak = 0, 0

    async def call(_: int) -> None:
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        try:
            await asyncio.sleep(10)
        finally:
            await asyncio.sleep(0)
            running -= 1

    task = asyncio.create_task(Pool(7).map(range(100), call))
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (running, peak) == (0, 7)


async def test_pool_left_early_stops_what_is_under_way() -> None:
    """Who leaves the block has what came until then, and nothing runs on."""
    running = 0

    async def call(number: int) -> int:
        nonlocal running
        running += 1
        try:
            await asyncio.sleep(0 if number < 3 else 10)
        finally:
            running -= 1
        return number

    seen = []
    async with Pool(5).stream(range(1_000), call) as outcomes:
        async for outcome in outcomes:
            seen.append(outcome.value)
            if outcome.index == 2:
                break
    assert seen == [0, 1, 2]
    assert running == 0


async def test_pool_budget_stops_handing_out() -> None:
    """After the budget's end no further call is made; what was done stays, the rest says why it was not."""
    calls: list[int] = []

    async def call(number: int) -> int:
        calls.append(number)
        if number == 4:
            raise BudgetExceeded("the next call could exceed the budget")
        return number

    outcomes = await Pool(1).map(range(10), call)
    assert [outcome.state for outcome in outcomes] == ["done"] * 4 + ["not_done"] * 6
    assert calls == [0, 1, 2, 3, 4]
    assert all(isinstance(outcome.error, BudgetExceeded) for outcome in outcomes[4:])
    assert [outcome.attempts for outcome in outcomes[4:]] == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("fault", [RateLimited("slow down", retry_after_s=3.0), Unreachable("no answer")])
async def test_pool_passing_faults_are_repeated_and_given_up_in_the_end(fault: CoditectError) -> None:
    """A fault that passes costs attempts, one that stays ends the item after the last of them, with growing waits."""
    clock = Clock()
    left = {1: 2, 2: 99}
    calls = {0: 0, 1: 0, 2: 0}

    async def call(number: int) -> int:
        calls[number] += 1
        if left.get(number, 0) > 0:
            left[number] -= 1
            raise fault
        return number

    outcomes = await pool_of(3, clock, max_attempts=4).map(range(3), call)
    assert [(outcome.state, outcome.attempts) for outcome in outcomes] == [("done", 1), ("done", 3), ("failed", 4)]
    assert outcomes[2].error is fault
    assert calls == {0: 1, 1: 3, 2: 4}
    assert clock.slept


async def test_pool_rate_limit_makes_everybody_wait() -> None:
    """After a 429 no call begins before the time that the service asked for has passed."""
    clock = Clock()
    begun = clock.now()
    times: list[float] = []

    async def call(number: int) -> int:
        if number == 0 and not times:
            times.append(clock.now())
            raise RateLimited("slow down", retry_after_s=30.0)
        times.append(clock.now())
        return number

    outcomes = await pool_of(1, clock).map(range(5), call)
    assert all(outcome.state == "done" for outcome in outcomes)
    assert times[0] == begun
    assert min(times[1:]) >= begun + 30


@pytest.mark.parametrize(("repeat", "truncated", "calls"), [(True, False, 2), (False, False, 1), (True, True, 1)])
async def test_pool_malformed_answer_is_repeated_once_if_asked_to(repeat: bool, truncated: bool, calls: int) -> None:
    """An answer of the wrong shape may be better the next time; one that was cut off will not."""
    made = 0

    async def call(_: int) -> int:
        nonlocal made
        made += 1
        raise Malformed("not JSON", truncated=truncated)

    (outcome,) = await Pool(1).map([0], call, repeat_malformed=repeat)
    assert outcome.state == "failed"
    assert made == calls


async def test_pool_tells_its_progress() -> None:
    """Each outcome is told, as a growing number."""
    told: list[int] = []

    async def call(number: int) -> int:
        return number

    await Pool(3).map(range(9), call, progress=told.append)
    assert told == list(range(1, 10))


@pytest.mark.parametrize("concurrency", [0, 51, -1])
def test_pool_concurrency_is_bounded(concurrency: int) -> None:
    """1 to 50 calls at a time."""
    with pytest.raises(UsageError):
        Pool(concurrency)


async def test_pace_halves_for_each_round_and_recovers() -> None:
    """Refusals of calls that began together halve the window once; answers open it again, up to the limit."""
    clock = Clock()
    pace = Pace(16, clock.now, clock.sleep)
    async with pace.slot() as round_:
        for _ in range(5):
            pace.refused(round_, None)
        assert pace.window == 8
    async with pace.slot() as round_:
        pace.refused(round_, None)
    assert pace.window == 4
    for _ in range(2_000):
        pace.answered()
    assert pace.window == 16


async def test_pace_waits_grow_while_nothing_is_answered() -> None:
    """Without a word from the service the pauses double from half a second, at most a minute."""
    clock = Clock()
    pace = Pace(2, clock.now, clock.sleep)
    for _ in range(12):
        async with pace.slot() as round_:
            pace.refused(round_, None)
    async with pace.slot():
        pass
    waits = [seconds for seconds in clock.slept if seconds > 0.1]
    assert waits[0] <= 0.5
    assert all(later > earlier for earlier, later in pairwise(waits[:7]))
    assert max(waits) <= 60


async def test_pace_cancelled_waiter_gives_its_place_on() -> None:
    """A place that was given to somebody who no longer wants it goes to the next."""
    clock = Clock()
    pace = Pace(1, clock.now, clock.sleep)

    async def enter() -> str:
        async with pace.slot():
            return "in"

    async with pace.slot():
        first, second = asyncio.create_task(enter()), asyncio.create_task(enter())
        await asyncio.sleep(0)
    first.cancel()
    assert await asyncio.wait_for(second, 60) == "in"
    assert pace.in_flight == 0
