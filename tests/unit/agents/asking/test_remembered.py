"""Asking: nothing is paid twice, nothing that was answered is lost, no lease is left behind."""

from __future__ import annotations

import asyncio

import pytest

from coditect.agents.asking.budget import Budget
from coditect.agents.asking.pool import Pool
from coditect.agents.asking.remembered import Asker
from coditect.errors import (
    BudgetExceeded,
    CoditectError,
    Malformed,
    ModelError,
    RateLimited,
    Refused,
    StoreError,
    Unreachable,
    UsageError,
)
from coditect.models.llm import LlmAnswer
from coditect.schemas import Asked, ModelAnswer
from coditect.store.store import Store
from tests.unit.agents.asking.service import USAGE, Clock, Service, Timeline, answer_to, asker_on, request


def leases(store: Store) -> list[Asked]:
    """The leases that stand in the store."""
    return [lease for _, lease in store.scan("asked", Asked)]


def malformed() -> Malformed:
    return Malformed("an answer is not the text or the JSON that was asked for", truncated=False, usage=USAGE)


async def failing(asker: Asker, number: int) -> CoditectError:
    """The error that asking ends with."""
    with pytest.raises(CoditectError) as raised:
        await asker.ask("mapper", request(number))
    return raised.value


async def test_asker_sends_a_request_once(store: Store) -> None:
    """The answer comes from the service the first time and from the store ever after, the same in every part."""
    service = Service()
    first = await asker_on(store, service).ask("mapper", request(1))
    later = asker_on(store, service, owner="later")
    assert first == answer_to(request(1))
    assert await later.ask("mapper", request(1)) == first
    assert service.calls == {request(1).sha256: 1}
    total = later.ledger.report()["total"]
    assert (total["sent"], total["reused"], total["usd"]) == (0, 1, 0)
    assert total["saved"]["output_tokens"] == USAGE.output_tokens
    assert not leases(store)


async def test_asker_counts_what_was_paid(store: Store) -> None:
    """Each call's tokens and dollars are counted under the role that asked."""
    asker = asker_on(store, Service())
    for number in range(3):
        await asker.ask("mapper", request(number))
    report = asker.ledger.report()["roles"]["mapper"]
    assert report["sent"] == 3
    assert report["paid"]["cache_read_input_tokens"] == 3 * USAGE.cache_read_input_tokens
    assert report["usd"] == pytest.approx(3 * (100 * 0.1 + 20 * 0.125 + 30 * 0.01 + 50 * 0.5) / 1e6, abs=1e-6)


async def test_asker_coroutines_with_the_same_request_send_it_once(store: Store) -> None:
    """Of many coroutines that ask the same at the same time, one asks the service."""
    service = Service()
    asker = asker_on(store, service)
    answers = await asyncio.gather(*(asker.ask("mapper", request(number % 3)) for number in range(30)))
    assert [answer.text for answer in answers] == [answer_to(request(number % 3)).text for number in range(30)]
    assert set(service.calls.values()) == {1}
    assert asker.ledger.report()["total"]["reused"] == 27


async def test_asker_two_on_one_store_send_each_request_once(store: Store) -> None:
    """Two processes with the same requests share them out; each gets all answers."""
    service, clock = Service(), Timeline()
    askers = [asker_on(store, service, owner=owner, clock=clock) for owner in ("one", "two")]
    numbers = list(range(20))
    passing = asyncio.create_task(clock.passing())
    results = await asyncio.gather(
        *(
            Pool(5).map(order, lambda number, asker=asker: asker.ask("mapper", request(number)))  # type: ignore[misc]
            for asker, order in zip(askers, (numbers, numbers[::-1]), strict=True)
        )
    )
    passing.cancel()
    assert all(outcome.state == "done" for outcomes in results for outcome in outcomes)
    assert service.calls == {request(number).sha256: 1 for number in numbers}
    assert sum(asker.ledger.report()["total"]["sent"] for asker in askers) == 20
    assert not leases(store)


async def test_asker_takes_over_the_lease_of_a_dead_process(store: Store) -> None:
    """A lease that nobody renews ends, and whoever waits for it asks."""
    clock, service = Clock(), Service()
    asker = asker_on(store, service, clock=clock)
    sha256 = request(1).sha256
    assert asker.answers.lease(sha256, "dead", clock.now(), clock.now() + 30).granted
    begun = clock.now()
    await asker.ask("mapper", request(1))
    assert clock.now() - begun >= 30
    assert service.calls[sha256] == 1


async def test_asker_renews_its_lease_while_a_call_is_under_way(store: Store) -> None:
    """A call may take many times as long as the lease: nobody else asks meanwhile."""
    service, clock = Service(), Timeline()
    service.gate.clear()
    askers = [asker_on(store, service, owner=owner, clock=clock, lease_s=60.0) for owner in ("one", "two")]
    calls = [asyncio.create_task(askers[0].ask("mapper", request(1)))]
    await service.begun.wait()
    calls.append(asyncio.create_task(askers[1].ask("mapper", request(1))))
    await clock.passing(300.0)
    service.gate.set()
    passing = asyncio.create_task(clock.passing())
    first, second = await asyncio.gather(*calls)
    passing.cancel()
    assert first == second
    assert service.calls[request(1).sha256] == 1


async def test_asker_answer_is_found_from_another_corpus_and_kept_for_both(store: Store) -> None:
    """An answer that another corpus paid for is reused, and stays when that corpus goes."""
    service = Service()
    await asker_on(store, service, corpus="first").ask("mapper", request(1))
    await asker_on(store, service, corpus="second", owner="two").ask("mapper", request(1))
    assert service.calls[request(1).sha256] == 1
    assert {place[0] for place, _ in store.scan("answers", ModelAnswer)} == {"first", "second"}


async def test_asker_refusal_is_raised_again_and_never_sent_again(store: Store) -> None:
    """The model's refusal is an answer: paid, stored, and the same for everybody."""
    service = Service()
    service.faults[request(1).sha256] = [Refused("the model declined to answer", usage=USAGE, model="m")]
    asker = asker_on(store, service)
    assert isinstance(await failing(asker, 1), Refused)
    later = asker_on(store, service, owner="later")
    again = await failing(later, 1)
    assert isinstance(again, Refused)
    assert again.context["usage"] == USAGE
    assert service.calls[request(1).sha256] == 1
    assert asker.ledger.report()["total"]["paid"]["output_tokens"] == USAGE.output_tokens
    assert later.ledger.report()["total"]["refused"] == later.ledger.report()["total"]["reused"] == 1
    assert not leases(store)


async def test_asker_truncated_answer_is_never_sent_again(store: Store) -> None:
    """An answer that was cut off would be cut off again, however often the caller repeats."""
    service = Service()
    cut = Malformed("an answer was cut off", truncated=True, usage=USAGE)
    service.faults[request(1).sha256] = [cut] * 3
    for owner in ("one", "two"):
        asker = asker_on(store, service, owner=owner)
        for _ in range(3):
            error = await failing(asker, 1)
            assert isinstance(error, Malformed)
            assert error.context["truncated"] is True
    assert service.calls[request(1).sha256] == 1


async def test_asker_malformed_answer_is_asked_for_once_more_by_whoever_repeats(store: Store) -> None:
    """A pool that repeats gets a second answer; it is stored in place of the first, with what both took."""
    service = Service()
    service.faults[request(1).sha256] = [malformed()]
    asker = asker_on(store, service)
    (outcome,) = await Pool(2).map([1], lambda number: asker.ask("mapper", request(number)), repeat_malformed=True)
    assert outcome.get().text == answer_to(request(1)).text
    assert service.calls[request(1).sha256] == 2
    later = await asker_on(store, service, owner="later").ask("mapper", request(1))
    assert service.calls[request(1).sha256] == 2
    assert later.usage == USAGE + USAGE


async def test_asker_malformed_answers_are_paid_twice_at_most(store: Store) -> None:
    """Runs without repeating never ask again; one that repeats asks once more; then nobody does."""
    service = Service()
    service.faults[request(1).sha256] = [malformed() for _ in range(9)]
    for owner, repeat, calls in (("a", False, 1), ("b", False, 1), ("c", True, 2), ("d", True, 2), ("e", True, 2)):
        asker = asker_on(store, service, owner=owner)
        (outcome,) = await Pool(1).map(
            [1],
            lambda number, asker=asker: asker.ask("mapper", request(number)),  # type: ignore[misc]
            repeat_malformed=repeat,
        )
        assert isinstance(outcome.error, Malformed)
        assert service.calls[request(1).sha256] == calls, owner
    assert not leases(store)


async def test_asker_answer_that_its_role_cannot_read_counts_as_malformed(store: Store) -> None:
    """The reader's objection is stored like the service's: one more call for who repeats, and no more."""
    service = Service()

    def unreadable(answer: LlmAnswer) -> None:
        raise Malformed("not of the asked-for shape", truncated=False)

    for owner in ("one", "two"):
        asker = asker_on(store, service, owner=owner)
        (outcome,) = await Pool(1).map(
            [1],
            lambda number, asker=asker: asker.ask("mapper", request(number), check=unreadable),  # type: ignore[misc]
            repeat_malformed=True,
        )
        assert isinstance(outcome.error, Malformed)
    assert service.calls[request(1).sha256] == 2


@pytest.mark.parametrize(
    "fault",
    [
        RateLimited("the service asks to slow down", retry_after_s=7.0, type="rate_limit_error"),
        RateLimited("the service asks to slow down", retry_after_s=None, type="overloaded_error"),
        Unreachable("no answer"),
    ],
    ids=["429", "529", "dropped"],
)
async def test_asker_passing_failure_is_repeated_by_the_pool(store: Store, fault: CoditectError) -> None:
    """A request that was not answered is sent again after the wait that the service asks for; nothing is stored before."""
    clock, service = Clock(), Service()
    service.faults[request(1).sha256] = [fault]
    asker = asker_on(store, service, clock=clock)
    pool = Pool(2, now=clock.now, sleep=clock.sleep)
    begun = clock.now()
    (outcome,) = await pool.map([1], lambda number: asker.ask("mapper", request(number)))
    assert outcome.get() == answer_to(request(1))
    assert outcome.attempts == service.calls[request(1).sha256] == 2
    assert clock.now() - begun >= (fault.context.get("retry_after_s") or 0.25)
    assert asker.ledger.report()["total"]["interrupted"] == 1
    assert not leases(store)


async def test_asker_lasting_failure_is_neither_stored_nor_holding(store: Store) -> None:
    """A wrong key today says nothing about tomorrow: the request can be asked again."""
    service = Service()
    service.faults[request(1).sha256] = [ModelError("the service refuses the request", type="authentication_error")]
    asker = asker_on(store, service)
    assert type(await failing(asker, 1)) is ModelError
    assert not leases(store)
    assert asker.ledger.report()["total"]["failed"] == 1
    await asker.ask("mapper", request(1))


async def test_asker_cancelled_in_a_call_leaves_no_lease(store: Store) -> None:
    """Whoever comes next after a cancellation asks at once, without waiting for a lease to end."""
    service = Service()
    service.gate.clear()
    asker = asker_on(store, service)
    call = asyncio.create_task(asker.ask("mapper", request(1)))
    await service.begun.wait()
    assert len(leases(store)) == 1
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not leases(store)
    service.gate.set()
    clock = Clock()
    await asker_on(store, service, owner="next", clock=clock).ask("mapper", request(1))
    assert all(seconds == 20 for seconds in clock.slept)  # a third of the lease: nobody polled


async def test_asker_cancelled_at_any_moment_loses_no_answer(store: Store) -> None:
    """Wherever a cancellation strikes, what the service has answered is stored, and no lease stays."""
    sent = 0
    for moment in range(60):
        service = Service()
        asker = asker_on(store, service, owner=f"owner {moment}")
        answered: list[str] = []
        complete = service.complete

        async def noted(asked, complete=complete, answered=answered):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
            answer = await complete(asked)
            answered.append(asked.sha256)
            return answer

        service.complete = noted  # type: ignore[method-assign]
        call = asyncio.create_task(asker.ask("mapper", request(moment)))
        await asyncio.sleep(moment / 5_000)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        assert not leases(store), moment
        for sha256 in answered:
            assert asker.answers.find(sha256) is not None, moment
        sent += len(answered)
    assert sent


async def test_asker_answer_that_came_with_the_cancellation_is_stored(store: Store) -> None:
    """A call that ends although it is cancelled was paid for: its answer is kept."""

    class Stubborn(Service):
        async def complete(self, asked):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
            self.begun.set()
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                return answer_to(asked)

    service = Stubborn()
    asker = asker_on(store, service)
    call = asyncio.create_task(asker.ask("mapper", request(1)))
    await service.begun.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert asker.answers.find(request(1).sha256) is not None
    assert asker.ledger.report()["total"]["paid"]["output_tokens"] == USAGE.output_tokens
    assert not leases(store)


async def test_asker_store_that_fails_ends_the_call(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer that cannot be stored is an error, not an answer that the next run pays for again unseen."""
    asker = asker_on(store, Service())

    def full(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(asker.answers, "put_many", full)
    assert isinstance(await failing(asker, 1), StoreError)
    assert not leases(store)


async def test_asker_budget_stops_before_the_call(store: Store) -> None:
    """The call that could exceed the budget is not made; what was answered stays, and a larger budget goes on from there."""
    service = Service()
    budget = Budget(tokens=1_000)
    asker = asker_on(store, service, budget=budget)
    outcomes = await Pool(4).map(range(20), lambda number: asker.ask("mapper", request(number)))
    # Which of those that are under way together reserves first is the threads' business.
    left = [outcome.error for outcome in outcomes if outcome.state == "not_done"]
    done = sum(outcome.state == "done" for outcome in outcomes)
    assert 0 < done < done + len(left) == 20
    assert sum(service.calls.values()) == done
    assert done * 200 <= 1_000
    assert all(isinstance(error, BudgetExceeded) for error in left)
    assert not leases(store)
    richer = asker_on(store, service, owner="richer")
    assert all(
        outcome.state == "done"
        for outcome in await Pool(4).map(range(20), lambda number: richer.ask("mapper", request(number)))
    )
    assert set(service.calls.values()) == {1}


async def test_asker_needs_an_owner_and_a_lease(store: Store) -> None:
    """Leases without an owner would be everybody's."""
    with pytest.raises(UsageError):
        asker_on(store, Service(), owner="")
    with pytest.raises(UsageError):
        asker_on(store, Service(), lease_s=0)
