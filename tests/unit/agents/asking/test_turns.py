"""Who waits how long, and what counts against which budget, to the dollar and the second."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from coditect.agents.asking.budget import Budget
from coditect.agents.asking.pace import Pace, backoff_s
from coditect.agents.asking.pool import Pool
from coditect.agents.asking.prices import Prices
from coditect.errors import BudgetExceeded, RateLimited, Unreachable
from coditect.models.llm import Usage
from tests.unit.agents.asking.service import Clock, request

HAIKU = "claude-haiku-5-5"


def test_budget_in_dollars_goes_by_the_prices_that_were_given(tmp_path: Path) -> None:
    """The table of the package is read only where none was given."""
    path = tmp_path / "prices.json"
    path.write_text('{"as_of": "2026-11-01", "source": "a contract", "models": {"m": [{"input": 1, "output": 2}]}}')
    budget = Budget(usd=1.0, prices=Prices.load(path))
    budget.reserve("mapper", request(1, model="m"), 1_000)


def test_budget_counts_dollars_of_models_that_have_a_price() -> None:
    """What another model took is no less taken, but nobody knows what it cost."""
    prices = Prices.load()
    budget = Budget(usd=1.0, prices=prices)
    budget.spend("mapper", "some-other-model", Usage(10**9, 0, 0, 0))
    budget.reserve("mapper", request(1), 1_000)
    budget.spend("mapper", HAIKU, Usage(10**9, 0, 0, 0))
    with pytest.raises(BudgetExceeded) as raised:
        budget.reserve("mapper", request(2), 1)
    assert raised.value.context["of"] == "dollars"
    only_tokens = Budget(tokens=1_000, prices=prices)
    only_tokens.spend("mapper", HAIKU, Usage(500, 0, 0, 0))
    with pytest.raises(BudgetExceeded):
        only_tokens.reserve("mapper", request(1), 500)


async def test_budget_in_turn_is_that_of_a_single_call() -> None:
    """A call that waits for room costs the whole price; only batches are at half of it."""
    prices = Prices.load()
    whole = prices.usd_at_most(HAIKU, 1_000, 100, batched=False, cache="5m")
    with pytest.raises(BudgetExceeded):
        await Budget(usd=whole * 0.6, prices=prices).reserve_in_turn("mapper", request(1), 1_000)
    await Budget(usd=whole, prices=prices).reserve_in_turn("mapper", request(1), 1_000)


def test_most_that_a_request_costs_is_that_of_writing_the_cache() -> None:
    """With a cache all of the prompt is written to it, without one none of it; the answer is as long as allowed."""
    prices = Prices.load()
    model = "claude-opus-5-5"
    assert prices.usd_at_most(model, 1_000, 100, batched=False) == pytest.approx((1_000 * 4 + 100 * 20) / 1e6)
    assert prices.usd_at_most(model, 1_000, 100, batched=False, cache="5m") == pytest.approx(
        (1_000 * 5 + 100 * 20) / 1e6
    )
    assert prices.usd_at_most(model, 1_000, 100, batched=True, cache="1h") == pytest.approx(
        (1_000 * 8 + 100 * 20) / 2e6
    )


def test_window_grows_by_one_call_for_as_many_answers_as_it_has_calls() -> None:
    """It is halved when the service says to slow down, once for a round, and never grows beyond what was allowed."""
    clock = Clock()
    pace = Pace(8, clock.now, clock.sleep)
    pace.refused(0, 0.0)
    pace.refused(0, 0.0)
    assert pace.window == 4.0
    pace.answered()
    assert pace.window == 4.25
    pace.answered()
    assert pace.window == pytest.approx(4.25 + 1 / 4.25)
    for _ in range(100):
        pace.answered()
    assert pace.window == 8.0
    for round_ in range(1, 9):
        pace.refused(round_, 0.0)
    assert pace.window == 1.0


async def test_no_more_calls_are_under_way_than_the_window_lets_in() -> None:
    """Who comes when it is full waits until somebody leaves, and goes in turn."""
    clock = Clock()
    pace = Pace(2, clock.now, clock.sleep)
    inside: list[int] = []
    leave = [asyncio.Event() for _ in range(4)]

    async def call(number: int) -> None:
        async with pace.slot():
            inside.append(number)
            await leave[number].wait()
            inside.remove(number)

    calls = [asyncio.ensure_future(call(number)) for number in range(4)]
    for leaves, left in ((None, [0, 1]), (1, [0, 2]), (0, [2, 3])):
        if leaves is not None:
            leave[leaves].set()
        for _ in range(10):
            await asyncio.sleep(0)
        assert (inside, pace.in_flight) == (left, 2)
    for each in leave:
        each.set()
    await asyncio.gather(*calls)
    assert pace.in_flight == 0


async def test_pause_is_doubled_with_each_refusal_in_a_row() -> None:
    """Half a second at first; an answer begins the count anew; what the service asks for is kept to."""
    clock = Clock()
    pace = Pace(2, clock.now, clock.sleep)
    for refusal in (1, 2, 3):
        async with pace.slot() as round_:
            pace.refused(round_, None)
        before = clock.seconds
        async with pace.slot():
            assert clock.seconds - before == pytest.approx(backoff_s(refusal, 0))
    pace.answered()
    async with pace.slot() as round_:
        pace.refused(round_, None)
    before = clock.seconds
    async with pace.slot() as round_:
        assert clock.seconds - before == pytest.approx(backoff_s(1, 0))
        pace.refused(round_, 7.0)
    async with pace.slot():
        assert clock.slept[-1] == pytest.approx(7.0)


async def test_pool_waits_for_the_service_and_not_after_the_last_attempt() -> None:
    """A call that was told to slow down waits as told; one that did not come through waits before it is tried again."""
    clock = Clock()
    told = [RateLimited("slow", retry_after_s=2.0)]

    async def limited(item: int) -> int:
        if told:
            raise told.pop()
        return item

    (found,) = await Pool(1, now=clock.now, sleep=clock.sleep, max_attempts=3).map([5], limited)
    assert (found.value, found.attempts, clock.slept) == (5, 2, [2.0])
    clock = Clock()

    async def absent(item: int) -> int:
        raise Unreachable("gone")

    (lost,) = await Pool(1, now=clock.now, sleep=clock.sleep, max_attempts=3).map([5], absent)
    assert (lost.state, lost.attempts) == ("failed", 3)
    assert clock.slept == [pytest.approx(backoff_s(1, 0)), pytest.approx(backoff_s(2, 0))]


@pytest.mark.parametrize(("attempt", "longest"), [(1, 0.5), (2, 1.0), (3, 2.0), (7, 32.0), (8, 60.0), (40, 60.0)])
def test_backoff_is_half_to_all_of_its_longest(attempt: int, longest: float) -> None:
    """It differs by whose it is, and never exceeds a minute."""
    waits = {backoff_s(attempt, index) for index in range(50)}
    assert len(waits) == 50
    assert longest / 2 <= min(waits) < longest * 0.6
    assert longest * 0.9 < max(waits) <= longest
