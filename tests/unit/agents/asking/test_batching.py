"""Batches: half the price, read to their end by whoever comes next, nothing handed in twice."""

from __future__ import annotations

import asyncio

import pytest

from coditect.agents.asking.batching import answer_in_batches, request_bytes
from coditect.agents.asking.budget import Budget
from coditect.agents.asking.pace import backoff_s
from coditect.agents.asking.prices import Prices
from coditect.errors import BudgetExceeded, ModelError, RateLimited, Refused, StoreError, Unreachable, UsageError
from coditect.models.llm import LlmRequest
from coditect.schemas import Asked, OpenBatch
from coditect.store.store import Store
from tests.unit.agents.asking.service import (
    USAGE,
    Clock,
    Service,
    ServiceBatches,
    answer_to,
    asker_on,
    expired,
    request,
)


def batching_service() -> tuple[Service, ServiceBatches]:
    service = Service(batches=True)
    batches = service.batches
    assert batches is not None
    return service, batches


def open_batches(store: Store) -> list[OpenBatch]:
    return [batch for _, batch in store.scan("batches", OpenBatch)]


def leases(store: Store) -> list[Asked]:
    return [lease for _, lease in store.scan("asked", Asked)]


def requests(*numbers: int) -> list[LlmRequest]:
    return [request(number) for number in numbers]


async def test_batches_answer_what_is_asked_afterwards(store: Store) -> None:
    """What batches answered is found by asking: at half the price, without a call, and not as a saving."""
    service, batches = batching_service()
    asker = asker_on(store, service)
    told: list[int] = []
    asked = requests(*range(25))
    assert await answer_in_batches(asker, "mapper", [*asked, *asked], most=10, progress=told.append) == 25
    assert [len(batch) for batch in batches.submitted] == [10, 10, 5]
    assert told[-1] == 25
    for each in asked:
        answer = await asker.ask("mapper", each)
        assert answer.text == answer_to(each).text
        assert answer.batched
    assert set(service.calls.values()) == {1}
    report = asker.ledger.report()["total"]
    assert (report["sent"], report["reused"]) == (25, 0)
    single = Prices.load().usd("claude-haiku-5-5", USAGE, batched=False)
    assert report["usd"] == pytest.approx(25 * single / 2, abs=1e-6)
    assert not open_batches(store)
    assert not leases(store)


async def test_batches_leave_out_what_is_answered_or_being_asked(store: Store) -> None:
    """Neither stored answers nor requests that somebody else has outcome are handed in."""
    service, batches = batching_service()
    clock = Clock()
    asker = asker_on(store, service, clock=clock)
    await asker.ask("mapper", request(1))
    asker.answers.lease(request(2).sha256, "other", clock.now(), clock.now() + 1e6)
    await answer_in_batches(asker, "mapper", requests(1, 2, 3))
    assert batches.submitted == [[request(3).sha256]]
    assert [lease.owner for lease in leases(store)] == ["other"]


async def test_batches_that_another_run_handed_in_are_read(store: Store) -> None:
    """A run that is killed while it waits costs nothing: the next one reads its batch, by id, and hands in the rest."""
    service, batches = batching_service()
    batches.looks = 10**6
    killed = asyncio.create_task(answer_in_batches(asker_on(store, service), "mapper", requests(1, 2)))
    while not any(lease.batch_id for lease in leases(store)):
        await asyncio.sleep(0.005)
    killed.cancel()
    with pytest.raises(asyncio.CancelledError):
        await killed
    assert {lease.batch_id for lease in leases(store)} == {"batch_1"}
    batches.looks = 0
    later = asker_on(store, service, owner="later")
    assert await answer_in_batches(later, "mapper", requests(1, 2, 3)) == 3
    assert batches.submitted[1:] == [[request(3).sha256]]
    assert set(service.calls.values()) == {1}
    assert not open_batches(store)
    assert not leases(store)


async def test_batches_are_remembered_before_a_cancellation(store: Store) -> None:
    """A cancellation while a batch is handed in does not lose it."""
    service, batches = batching_service()
    task: asyncio.Task[int] | None = None

    def cancel() -> None:
        assert task is not None
        task.cancel()

    batches.after_submit = cancel
    task = asyncio.create_task(answer_in_batches(asker_on(store, service), "mapper", requests(1, 2)))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [batch.batch_id for batch in open_batches(store)] == ["batch_1"]
    assert {lease.batch_id for lease in leases(store)} == {"batch_1"}
    batches.after_submit = lambda: None
    await answer_in_batches(asker_on(store, service, owner="later"), "mapper", requests(1, 2))
    assert len(batches.submitted) == 1


async def test_batches_that_cannot_be_remembered_are_stopped(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the store fails at that moment, the batch is cancelled and its requests are free."""
    service, batches = batching_service()
    asker = asker_on(store, service)

    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(asker.answers, "put_batch", full)
    with pytest.raises(StoreError):
        await answer_in_batches(asker, "mapper", requests(1))
    assert batches.lost == {"batch_1"}
    assert not leases(store)


async def test_batches_leases_outlive_the_lease(store: Store) -> None:
    """Others wait for a batch however long it takes, and then have its answers."""
    service, batches = batching_service()
    batches.looks = 100
    clock = Clock()
    waiting = asyncio.create_task(answer_in_batches(asker_on(store, service, clock=clock), "mapper", requests(1)))
    while not any(lease.batch_id for lease in leases(store)):
        await asyncio.sleep(0.005)
    other = asker_on(store, service, owner="other", clock=clock)
    answer = await other.ask("mapper", request(1))
    await waiting
    assert answer.batched
    assert service.calls[request(1).sha256] == 1


async def test_batches_leave_unanswered_what_expired(store: Store) -> None:
    """Expired and failed requests are free to be asked in the ordinary way; refusals are stored."""
    service, batches = batching_service()
    batches.errors = {
        request(1).sha256: expired(),
        request(2).sha256: ModelError("the service refuses the request", type="invalid_request_error"),
        request(3).sha256: Refused("the model declined to answer", usage=USAGE),
    }
    asker = asker_on(store, service)
    assert await answer_in_batches(asker, "mapper", requests(1, 2, 3, 4)) == 2
    assert not leases(store)
    assert (await asker.ask("mapper", request(1))).text == answer_to(request(1)).text
    with pytest.raises(Refused):
        await asker.ask("mapper", request(3))
    assert service.calls == {request(1).sha256: 2, **{request(number).sha256: 1 for number in (2, 3, 4)}}
    report = asker.ledger.report()["total"]
    assert (report["refused"], report["interrupted"]) == (1, 2)


async def test_batches_that_are_gone_are_forgotten(store: Store) -> None:
    """A batch that the service does not know any more holds nothing up."""
    service, batches = batching_service()
    batches.lost = {"batch_1"}
    asker = asker_on(store, service)
    assert await answer_in_batches(asker, "mapper", requests(1, 2)) == 0
    assert not open_batches(store)
    assert not leases(store)
    assert (await asker.ask("mapper", request(1))).text == answer_to(request(1)).text


async def test_batches_of_other_roles_stay_open(store: Store) -> None:
    """A role reads its own batches only, and of these what it wants; the rest stays for later."""
    service, batches = batching_service()
    batches.looks = 0
    first = asker_on(store, service)
    first.answers.put_batch(
        OpenBatch(corpus_id="demo", batch_id="batch_1", role="validator", requests=("a" * 64,), submitted_at="2026")
    )
    batches.submitted.append([])
    batches.submitted.append([request(1).sha256, request(2).sha256])
    both = tuple(sorted(batches.submitted[1]))
    first.answers.put_batch(
        OpenBatch(corpus_id="demo", batch_id="batch_2", role="mapper", requests=both, submitted_at="2026")
    )
    assert await answer_in_batches(first, "mapper", requests(1)) == 1
    left = {batch.batch_id: batch.requests for batch in open_batches(store)}
    assert left == {"batch_1": ("a" * 64,), "batch_2": (request(2).sha256,)}
    assert await answer_in_batches(asker_on(store, service, owner="later"), "mapper", requests(1, 2)) == 1
    assert [batch.batch_id for batch in open_batches(store)] == ["batch_1"]


@pytest.mark.parametrize(
    ("fault", "wait_s"),
    [
        (RateLimited("slow down", retry_after_s=9.0), 9.0),
        (RateLimited("slow down"), backoff_s(1, 0)),
        (Unreachable("no answer"), backoff_s(1, 0)),
    ],
)
async def test_batches_wait_while_the_service_is_not_there(store: Store, fault: ModelError, wait_s: float) -> None:
    """Handing in is repeated after the wait that the service asks for, or else after the one that grows with each attempt."""
    service, batches = batching_service()
    batches.failing = [fault]
    clock = Clock()
    assert await answer_in_batches(asker_on(store, service, clock=clock), "mapper", requests(1)) == 1
    assert len(batches.submitted) == 1
    assert clock.slept.count(wait_s) == 1


async def test_batches_that_the_service_refuses_leave_no_lease(store: Store) -> None:
    """A refused batch is an error, and its requests are free again."""
    service, batches = batching_service()
    batches.failing = [ModelError("the service refuses the request", type="permission_error")]
    budget = Budget(tokens=10_000)
    asker = asker_on(store, service, budget=budget)
    with pytest.raises(ModelError):
        await answer_in_batches(asker, "mapper", requests(1))
    assert not leases(store)
    assert not open_batches(store)
    budget.reserve("mapper", request(1), 9_900)  # nothing is set aside any more


async def test_batches_keep_to_the_budget(store: Store) -> None:
    """What the budget has no room for is not handed in; the room that results leave is used."""
    service, batches = batching_service()
    budget = Budget(tokens=1_500)
    asker = asker_on(store, service, budget=budget)
    stored = await answer_in_batches(asker, "mapper", requests(*range(20)))
    assert 0 < stored < 20
    assert len(batches.submitted) > 1
    assert stored * 200 <= 1_500
    assert not leases(store)
    unanswered = next(number for number in range(20) if not service.calls[request(number).sha256])
    with pytest.raises(BudgetExceeded):
        await asker.ask("mapper", request(unanswered))


async def test_batches_are_no_longer_than_asked(store: Store) -> None:
    """A batch ends before the limit in bytes; a request over the limit goes alone."""
    service, batches = batching_service()
    size = request_bytes(request(1))
    long = LlmRequest("claude-haiku-5-5", (), (request(1).content[0],) * 50, 100)
    await answer_in_batches(
        asker_on(store, service), "mapper", [*requests(1, 2, 3, 4, 5), long, request(6)], most_bytes=2 * size
    )
    assert [len(batch) for batch in batches.submitted] == [2, 2, 1, 1, 1]


async def test_batches_need_a_model_that_has_them(store: Store) -> None:
    """A model without batches, or a batch without requests, is the caller's mistake."""
    with pytest.raises(UsageError):
        await answer_in_batches(asker_on(store, Service()), "mapper", [])
    service, _ = batching_service()
    with pytest.raises(UsageError):
        await answer_in_batches(asker_on(store, service), "mapper", [], most=0)


async def test_batches_of_nothing_ask_nothing(store: Store) -> None:
    """Without requests there is no batch."""
    service, batches = batching_service()
    assert await answer_in_batches(asker_on(store, service), "mapper", []) == 0
    assert not batches.submitted
