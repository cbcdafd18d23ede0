"""Batches: handed in, waited for, read in any order, stopped; what was not answered can be asked again."""

from __future__ import annotations

import asyncio

import pytest

from coditect.errors import Malformed, ModelError, RateLimited, Refused, Unreachable, UsageError
from coditect.models.claude.service import ClaudeLlm
from coditect.models.llm import BatchEntry, LlmRequest
from tests.llm_server import Fault, LlmServer, llm_server
from tests.unit.models.claude.requests import KEY, cited, prose, structured


async def _ended(claude: ClaudeLlm, batch_id: str) -> None:
    """Wait for the end of a batch."""
    for _ in range(400):
        if await claude.batches.state(batch_id) == "ended":
            return
        await asyncio.sleep(0.02)
    raise TimeoutError


async def _read(claude: ClaudeLlm, requests: list[LlmRequest]) -> dict[str, BatchEntry]:
    """Ask requests in a batch; the entries by hash."""
    batch_id = await claude.batches.submit(requests)
    await _ended(claude, batch_id)
    entries = await claude.batches.results(batch_id, {request.sha256: request for request in requests})
    assert len(entries) == len({entry.request_sha256 for entry in entries})
    return {entry.request_sha256: entry for entry in entries}


async def test_batch_answers_every_request_in_no_order(claude: ClaudeLlm, server: LlmServer) -> None:
    """Each result is found by its request's hash, whatever the order, and equals what a call would have answered."""
    requests = [prose(f"Number {number}.") for number in range(60)] + [structured(), cited("Rent")]
    batch_id = await claude.batches.submit(requests)
    await _ended(claude, batch_id)
    entries = await claude.batches.results(batch_id, {request.sha256: request for request in requests})
    assert sorted(entry.request_sha256 for entry in entries) == sorted(request.sha256 for request in requests)
    assert [entry.request_sha256 for entry in entries] != [request.sha256 for request in requests]
    for entry in entries:
        assert entry.answer is not None
        assert entry.answer.batched
        assert entry.error is None
    for request in requests[-3:]:
        (entry,) = [entry for entry in entries if entry.request_sha256 == request.sha256]
        called = await claude.complete(request)
        assert entry.answer is not None
        assert entry.answer.parts == called.parts
        assert entry.answer.usage.total_input_tokens == called.usage.total_input_tokens


async def test_batch_in_progress_has_no_results() -> None:
    """A batch under way says so; asking for its results is an error."""
    with llm_server(batch_s=30.0) as server:
        claude = ClaudeLlm(KEY, server.base_url)
        requests = [prose(f"Number {number}.") for number in range(3)]
        batch_id = await claude.batches.submit(requests)
        assert await claude.batches.state(batch_id) == "in_progress"
        with pytest.raises(ModelError) as caught:
            await claude.batches.results(batch_id, {request.sha256: request for request in requests})
        assert caught.value.context["state"] == "in_progress"
        await claude.close()


async def test_cancelled_batch_keeps_what_is_answered() -> None:
    """What was answered before the cancellation is read, the rest may be sent again."""
    with llm_server(batch_s=10.0) as server:
        claude = ClaudeLlm(KEY, server.base_url)
        requests = [prose(f"Number {number}.") for number in range(100)]
        batch_id = await claude.batches.submit(requests)
        await asyncio.sleep(0.5)
        await claude.batches.cancel(batch_id)
        await _ended(claude, batch_id)
        entries = await claude.batches.results(batch_id, {request.sha256: request for request in requests})
        await claude.close()
    answered = [entry for entry in entries if entry.answer is not None]
    left = [entry for entry in entries if entry.answer is None]
    assert answered
    assert left
    assert {type(entry.error) for entry in left} == {Unreachable}
    assert len(server.answered) == len(answered)


async def test_failed_entries_carry_the_error_of_each(claude: ClaudeLlm, server: LlmServer) -> None:
    """Every request of a batch has its own fate, with the same errors as a call."""
    fates: dict[str, type[ModelError] | None] = {
        "expired": Unreachable,
        "errored": Unreachable,
        "overloaded": RateLimited,
        "refusal": Refused,
        "truncation": Malformed,
    }
    server.terms.faults = [Fault(kind, containing=f"meets {kind}.") for kind in fates]  # type: ignore[arg-type] # kinds
    requests = {kind: prose(f"This one meets {kind}.") for kind in (*fates, "nothing")}
    invalid = prose("Impossible.", max_tokens=900_000)
    entries = await _read(claude, [*requests.values(), invalid])
    for kind, error in fates.items():
        entry = entries[requests[kind].sha256]
        assert entry.answer is None, kind
        assert type(entry.error) is error, kind
    nothing = entries[requests["nothing"].sha256]
    assert nothing.error is None
    assert nothing.answer is not None
    refused = entries[invalid.sha256].error
    assert type(refused) is ModelError
    assert refused.context["type"] == "invalid_request_error"
    usage = [entries[requests[kind].sha256].error for kind in ("refusal", "truncation")]
    assert all(error is not None and error.context["usage"].output_tokens > 0 for error in usage)


async def test_results_of_strange_requests_are_left_out(claude: ClaudeLlm) -> None:
    """Only what is asked for is read: a batch may hold more."""
    requests = [prose("One."), prose("Two.")]
    batch_id = await claude.batches.submit(requests)
    await _ended(claude, batch_id)
    (entry,) = await claude.batches.results(batch_id, {requests[1].sha256: requests[1]})
    assert entry.request_sha256 == requests[1].sha256


async def test_batch_is_read_by_another_client(claude: ClaudeLlm, server: LlmServer) -> None:
    """A batch is known by its id alone: whoever comes back reads it."""
    request = prose("Remember me.")
    batch_id = await claude.batches.submit([request])
    await claude.close()
    other = ClaudeLlm(KEY, server.base_url)
    await _ended(other, batch_id)
    (entry,) = await other.batches.results(batch_id, {request.sha256: request})
    await other.close()
    assert entry.answer is not None
    assert entry.answer.text == "You said: Remember me."


async def test_batch_refuses_none_and_twins(claude: ClaudeLlm, server: LlmServer) -> None:
    """An empty batch and one that asks the same twice are refused before anything is sent."""
    for requests in ([], [prose("Twice."), prose("Twice.")]):
        with pytest.raises(UsageError):
            await claude.batches.submit(requests)
    assert not server.log


@pytest.mark.parametrize("endpoint", ["batches.create", "batches.retrieve", "batches.results", "batches.cancel"])
@pytest.mark.parametrize(
    ("kind", "expected"),
    [("rate_limited", RateLimited), ("error", Unreachable), ("drop_before", Unreachable), ("drop_after", Unreachable)],
)
async def test_failing_batch_call_is_typed_and_can_be_repeated(
    claude: ClaudeLlm, server: LlmServer, endpoint: str, kind: str, expected: type[ModelError]
) -> None:
    """A call about a batch fails as any call does; half a file of results is none, and the next attempt reads all."""
    server.terms.faults = [Fault(kind, endpoint=endpoint, attempts=1)]  # type: ignore[arg-type] # one of its kinds
    requests = {request.sha256: request for request in (prose("One."), prose("Two."))}

    async def all_of_it() -> None:
        batch_id = await claude.batches.submit(list(requests.values()))
        await _ended(claude, batch_id)
        await claude.batches.cancel(batch_id)
        assert len(await claude.batches.results(batch_id, requests)) == 2

    with pytest.raises(ModelError) as caught:
        await all_of_it()
    assert type(caught.value) is expected
    await all_of_it()


async def test_strange_results_fail_as_a_whole(claude: ClaudeLlm, server: LlmServer) -> None:
    """Results that are no results are an error that may pass, and nothing of them is taken."""
    request = prose("One.")
    batch_id = await claude.batches.submit([request])
    await _ended(claude, batch_id)
    server.terms.faults = [Fault("not_json", endpoint="batches.results")]
    with pytest.raises(Unreachable):
        await claude.batches.results(batch_id, {request.sha256: request})


@pytest.mark.parametrize("batch_id", ["msgbatch_none", ""])
async def test_unknown_batch_is_an_error_that_stays(claude: ClaudeLlm, batch_id: str) -> None:
    """A batch that the service does not know is not waited for."""
    for call in (
        claude.batches.state(batch_id),
        claude.batches.cancel(batch_id),
        claude.batches.results(batch_id, {}),
    ):
        with pytest.raises(ModelError) as caught:
            await call
        assert type(caught.value) is ModelError
