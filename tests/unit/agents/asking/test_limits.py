"""How long is waited, how much is asked at a time, and what is counted, at the very limits."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from coditect.agents.asking import batching
from coditect.agents.asking.batching import answer_in_batches, request_bytes
from coditect.agents.asking.budget import Budget, predicted_input_tokens
from coditect.agents.asking.ledger import Ledger
from coditect.agents.asking.pace import Pace
from coditect.agents.asking.pool import Pool
from coditect.agents.asking.prices import Prices
from coditect.errors import BudgetExceeded, ModelError, Unreachable, UsageError
from coditect.models.llm import BatchState, LlmRequest, TextBlock, Usage
from coditect.store.store import Store
from tests.unit.agents.asking.service import AT, Clock, Service, ServiceBatches, asker_on, request


def _batches(service: Service) -> ServiceBatches:
    assert service.batches is not None
    return service.batches


async def test_looks_at_a_batch_follow_each_other_ever_more_slowly(store: Store) -> None:
    """Half a second, then twice as long each time, up to what was asked for; half a minute unless told."""
    usual: dict[str, Any] = {}
    for told, waits in (
        (usual, [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]),
        ({"poll_s": 1.5}, [0.5, 1.0] + [1.5] * 6),
    ):
        service, clock = Service(batches=True), Clock()
        _batches(service).looks = 8
        asked = [request(len(told))]
        await answer_in_batches(asker_on(store, service, clock=clock), "mapper", asked, **told)
        assert [seconds for seconds in clock.slept if seconds != 20.0] == waits


async def test_looks_begin_anew_when_a_batch_has_ended(store: Store) -> None:
    """Others may have ended with it."""
    service, clock = Service(batches=True), Clock()
    batches = _batches(service)
    ends = {"batch_1": 2, "batch_2": 5}

    async def state(batch_id: str) -> BatchState:
        ends[batch_id] -= 1
        return "ended" if ends[batch_id] < 0 else "in_progress"

    batches.state = state  # type: ignore[method-assign]
    await answer_in_batches(asker_on(store, service, clock=clock), "mapper", [request(1), request(2)], most=1)
    assert [seconds for seconds in clock.slept if seconds != 20.0] == [0.5, 1.0, 0.5, 1.0]


async def test_four_batches_are_open_at_a_time_unless_told(store: Store) -> None:
    """The fifth is handed in when one of them has ended."""
    service = Service(batches=True)
    batches = _batches(service)
    batches.looks = 3
    open_at_a_look: list[int] = []
    state = batches.state

    async def noted(batch_id: str) -> BatchState:
        open_at_a_look.append(len(batches.submitted))
        return await state(batch_id)

    batches.state = noted  # type: ignore[method-assign]
    await answer_in_batches(asker_on(store, service), "mapper", [request(number) for number in range(6)], most=1)
    assert open_at_a_look[0] == 4
    assert len(batches.submitted) == 6


async def test_batch_has_a_hundred_million_bytes_at_most(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two requests of half of that are one batch."""
    monkeypatch.setattr(batching, "request_bytes", lambda _: 50_000_000)
    service = Service(batches=True)
    await answer_in_batches(asker_on(store, service), "mapper", [request(number) for number in range(5)])
    assert [len(batch) for batch in _batches(service).submitted] == [2, 2, 1]


async def test_smallest_batches_are_those_of_one_request(store: Store) -> None:
    """One request, one byte and one open batch are enough; nothing of these is too little."""
    service = Service(batches=True)
    asked = [request(1), request(2)]
    asker = asker_on(store, service)
    nothing: list[dict[str, Any]] = [{"most": 0}, {"most_bytes": 0}, {"most_open": 0}]
    for wrong in nothing:
        with pytest.raises(UsageError):
            await answer_in_batches(asker, "mapper", asked, **wrong)
    assert await answer_in_batches(asker, "mapper", asked, most=1, most_bytes=1, most_open=1) == 2
    assert [len(batch) for batch in _batches(service).submitted] == [1, 1]


async def test_requests_that_others_ask_hold_up_no_further_batch(store: Store) -> None:
    """A batch of which nothing is left to hand in says nothing of the budget."""
    service, clock = Service(batches=True), Clock()
    asker = asker_on(store, service, clock=clock)
    asker.answers.lease(request(1).sha256, "other", clock.now(), clock.now() + 1e6)
    await answer_in_batches(asker, "mapper", [request(1), request(2)], most=1)
    assert _batches(service).submitted == [[request(2).sha256]]


async def test_service_is_called_six_times_for_a_batch(store: Store) -> None:
    """Five waits lie between; then it is told that nobody is there."""
    service, clock = Service(batches=True), Clock()
    _batches(service).failing = [Unreachable("no answer") for _ in range(6)]
    with pytest.raises(ModelError):
        await answer_in_batches(asker_on(store, service, clock=clock), "mapper", [request(1)])
    assert len([seconds for seconds in clock.slept if seconds != 20.0]) == 5
    assert not _batches(service).failing
    _batches(service).failing = [Unreachable("no answer") for _ in range(5)]
    assert await answer_in_batches(asker_on(store, service, clock=clock), "mapper", [request(1)]) == 1


async def test_who_waits_for_anothers_call_asks_twice_as_seldom_each_time(store: Store) -> None:
    """From a twentieth of a second to two."""
    service, clock = Service(), Clock()
    asker = asker_on(store, service, clock=clock)
    asker.answers.lease(request(1).sha256, "other", clock.now(), clock.now() + 8)
    await asker.ask("mapper", request(1))
    assert clock.slept[:9] == [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0]


async def test_pause_of_nothing_is_none() -> None:
    """What the service asks for is kept to: half a second, and nothing where it says so; time never runs backwards."""
    for asked, slept in ((0.0, []), (-3.0, []), (0.5, [0.5])):
        clock = Clock()
        pace = Pace(2, clock.now, clock.sleep)
        async with pace.slot() as round_:
            pace.refused(round_, asked)
        async with pace.slot():
            assert clock.slept == slept


async def test_who_stops_waiting_takes_no_place_from_anybody() -> None:
    """Cancelled while all places are held, it leaves them as they are."""
    clock = Clock()
    pace = Pace(1, clock.now, clock.sleep)

    async def enter() -> None:
        async with pace.slot():
            pass

    async with pace.slot():
        waiting = asyncio.create_task(enter())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert pace.in_flight == 1
    assert pace.in_flight == 0
    await asyncio.wait_for(enter(), 60)


async def test_pool_tries_eight_times_and_runs_ahead_by_eight() -> None:
    """Unless told; for each call at a time so many outcomes may wait for an earlier one. One try is a try."""
    clock = Clock()

    async def absent(_: int) -> int:
        raise Unreachable("gone")

    (lost,) = await Pool(1, now=clock.now, sleep=clock.sleep).map([0], absent)
    assert lost.attempts == 8
    (lost,) = await Pool(1, now=clock.now, sleep=clock.sleep, max_attempts=1).map([0], absent)
    assert (lost.attempts, lost.state) == (1, "failed")
    with pytest.raises(UsageError):
        Pool(1, max_attempts=0)
    begun: list[int] = []
    gate = asyncio.Event()

    async def call(number: int) -> int:
        begun.append(number)
        if number == 0:
            await gate.wait()
        return number

    async with Pool(2).stream(range(100), call) as outcomes:
        for _ in range(200):
            await asyncio.sleep(0)
        assert len(begun) == 16
        gate.set()
        assert (await anext(aiter(outcomes))).value == 0


@pytest.mark.parametrize("concurrency", [1, 50])
def test_pool_of_one_and_of_fifty(concurrency: int) -> None:
    """Both are possible."""
    assert Pool(concurrency).pace.window == concurrency


def test_tokens_are_predicted_by_bytes() -> None:
    """Three bytes of text are one, begun ones count, and so does each text; the schema of the answer is text as well."""

    def asked(*texts: str, schema: dict[str, str] | None = None) -> int:
        return predicted_input_tokens(LlmRequest("m", (), tuple(map(TextBlock, texts)), 10, schema))

    assert [asked("x" * size) for size in (1, 3, 4, 6, 7)] == [2, 2, 3, 3, 4]
    assert asked("xxx", "yyy") == 4
    assert asked("äöü") == 3
    assert asked("xxx", schema={"a": "b"}) == 1 + 3 + 1


def test_bytes_of_a_request_are_those_of_its_texts_and_their_wrapping() -> None:
    """Two hundred for the request, as many for each text, and the schema."""
    texts = (TextBlock("x" * 10), TextBlock("ä"))
    assert request_bytes(LlmRequest("m", (), texts, 10)) == 200 + 210 + 202
    assert request_bytes(LlmRequest("m", (), texts, 10, {"a": "b"})) == 200 + 210 + 202 + 9


def test_budget_tells_dollars_to_six_digits(tmp_path: Path) -> None:
    """So does the ledger; what adds up to nothing is nothing."""
    path = tmp_path / "prices.json"
    path.write_text('{"as_of": "2026-11-01", "source": "x", "models": {"m": [{"input": 1.23456789, "output": 0}]}}')
    prices = Prices.load(path)
    ledger = Ledger(prices)
    ledger.paid("mapper", "m", Usage(1, 0, 0, 0))
    assert ledger.report()["total"]["usd"] == 0.000001
    budget = Budget(usd=0.0, prices=prices)
    with pytest.raises(BudgetExceeded) as raised:
        budget.reserve("mapper", LlmRequest("m", (), (TextBlock("x"),), 1), 1)
    assert (raised.value.context["call"], raised.value.context["taken"]) == (0.000001, 0)


def test_budget_counts_what_batches_and_others_took() -> None:
    """A batch is counted at half the price, and only in the limits that there are."""
    prices = Prices.load()
    model, usage = "claude-haiku-5-5", Usage(1_000, 200, 300, 50)
    whole = prices.usd(model, usage, batched=False)
    for batched, taken in ((False, whole), (True, whole / 2)):
        budget = Budget(tokens=10**9, usd=1e6, role_tokens={"mapper": 10**9, "other": 10**9}, prices=prices)
        budget.spend("mapper", model, usage, batched=batched)
        assert budget._spent == {
            "tokens of the mapper": 1_550, "tokens of the other": 0, "tokens": 1_550, "dollars": pytest.approx(taken),
        }  # fmt: skip


async def test_asker_needs_an_owner_and_a_lease(store: Store) -> None:
    """Any length above nothing will do."""
    for owner, lease_s in (("", 60.0), ("one", 0.0), ("one", -1.0)):
        with pytest.raises(UsageError):
            asker_on(store, Service(), owner=owner, lease_s=lease_s)
    asker = asker_on(store, Service(), lease_s=0.001)
    assert (await asker.ask("mapper", request(1))).text
    assert asker.at() == AT
