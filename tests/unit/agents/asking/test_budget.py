"""Budgets stop a build before the limit, whatever is under way."""

from __future__ import annotations

import asyncio
import random

import pytest

from coditect.agents.asking.budget import Budget, predicted_input_tokens
from coditect.agents.asking.prices import Prices
from coditect.errors import BudgetExceeded, UsageError
from coditect.models.llm import Document, LlmRequest, TextBlock, Usage
from tests.unit.agents.asking.service import request


def test_budget_call_that_could_exceed_is_refused_before_it() -> None:
    """Predicted input and the longest answer must fit; exactly fitting is allowed."""
    budget = Budget(tokens=500)
    first = budget.reserve("mapper", request(1), 150)
    with pytest.raises(BudgetExceeded) as raised:
        budget.reserve("mapper", request(2), 151)
    assert raised.value.context["taken"] == 250
    budget.reserve("mapper", request(2), 150)
    budget.settle(first, Usage(10, 0, 0, 5))
    budget.settle(first, Usage(10, 0, 0, 5))  # twice is once
    budget.reserve("mapper", request(3), 500 - 250 - 15 - 100)
    with pytest.raises(BudgetExceeded):
        budget.reserve("mapper", request(4), 1)


def test_budget_role_has_its_own_limit() -> None:
    """A role that used up its tokens stops, the others go on."""
    budget = Budget(role_tokens={"mapper": 200})
    budget.settle(budget.reserve("mapper", request(1), 100), Usage(100, 0, 0, 100))
    with pytest.raises(BudgetExceeded) as raised:
        budget.reserve("mapper", request(2), 1)
    assert raised.value.context["of"] == "tokens of the mapper"
    budget.reserve("validator", request(2), 10**9)


def test_budget_dollars_count_the_dearest_case() -> None:
    """A limit in dollars is compared with what the call costs if the cache has nothing of it and the answer is longest."""
    prices = Prices.load()
    worst = prices.usd_at_most("claude-haiku-5-5", 1_000, 100, batched=False, cache="5m")
    Budget(usd=worst, prices=prices).reserve("mapper", request(1), 1_000)
    with pytest.raises(BudgetExceeded):
        Budget(usd=worst * 0.999, prices=prices).reserve("mapper", request(1), 1_000)
    Budget(usd=worst * 0.501).reserve("mapper", request(1), 1_000, batched=True)


def test_budget_dollars_need_a_price() -> None:
    """A limit in dollars cannot be kept for a model without a price."""
    with pytest.raises(UsageError):
        Budget(usd=1.0).reserve("mapper", request(1, model="some-other-model"), 10)
    Budget(tokens=1_000).reserve("mapper", request(1, model="some-other-model"), 10)


async def test_budget_many_coroutines_stay_below_the_limit() -> None:
    """However calls interleave, what they took never exceeds the limit, and no room is left that another call would fit in."""
    chance = random.Random(7)  # noqa: S311 - a test's order
    budget, taken, refused = Budget(tokens=10_000), 0, 0

    async def call(number: int) -> None:
        nonlocal taken, refused
        try:
            reservation = await budget.reserve_in_turn("mapper", request(number), 100)
        except BudgetExceeded:
            refused += 1
            return
        await asyncio.sleep(chance.random() / 1_000)
        usage = Usage(100, 0, 0, chance.randrange(100))
        budget.settle(reservation, usage)
        taken += usage.total_input_tokens + usage.output_tokens

    await asyncio.gather(*(call(number) for number in range(120)))
    assert refused
    assert 9_800 < taken <= 10_000


async def test_budget_cancelled_waiter_holds_nothing() -> None:
    """Who stops waiting for room has taken none."""
    budget = Budget(tokens=300)
    held = budget.reserve("mapper", request(1), 100)
    waiting = asyncio.create_task(budget.reserve_in_turn("mapper", request(2), 150))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    budget.settle(held, None)
    budget.reserve("mapper", request(3), 200)


def test_budget_without_limits_refuses_nothing() -> None:
    """No limit is no limit, even without prices."""
    Budget().reserve("mapper", request(1, model="some-other-model"), 10**12)


def test_predicted_tokens_cover_all_that_is_sent() -> None:
    """System, content, documents and schema count; more text is never fewer tokens."""
    small = predicted_input_tokens(request(1))
    document = Document("A title", ("one block of text", "another block"))
    larger = LlmRequest("m", request(1).system, (*request(1).content, document), 10)
    schema = LlmRequest("m", request(1).system, request(1).content, 10, {"type": "object"})
    assert small < predicted_input_tokens(larger)
    assert small < predicted_input_tokens(schema)
    text = "The provider shall keep the records for two years. " * 40
    assert predicted_input_tokens(LlmRequest("m", (), (TextBlock(text),), 10)) >= len(text) / 4


def test_cache_of_a_request_is_its_longest() -> None:
    """A request that keeps anything for an hour is priced at that."""
    assert request(1).longest_cache == "5m"
    assert LlmRequest("m", (TextBlock("a", "5m"),), (TextBlock("b", "1h"),), 10).longest_cache == "1h"
    assert LlmRequest("m", (TextBlock("a"),), (TextBlock("b"),), 10).longest_cache == ""
