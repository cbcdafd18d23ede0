"""The local service itself: many at a time, reproducible faults, a complete journal, a process that outlives its clients."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.errors import CoditectError, RateLimited
from coditect.models.claude.service import ClaudeLlm
from tests.llm_server import Fault, LlmServer, llm_process, llm_server
from tests.llm_server.faults import Asked, fault_for, faults_from_json, faults_to_json
from tests.llm_server.journal import read_journal
from tests.unit.models.claude.requests import HAIKU, KEY, prose


async def test_service_answers_fifty_at_once() -> None:
    """Fifty calls at a time are under way together, and the journal tells."""
    with llm_server(latency_s=2.0) as server:
        llm = ClaudeLlm(KEY, server.base_url)
        await llm.complete(prose())
        answers = await asyncio.gather(*(llm.complete(prose(f"Call {number}.")) for number in range(50)))
        await llm.close()
        assert [answer.text for answer in answers] == [f"You said: Call {number}." for number in range(50)]
        assert max(call.concurrency for call in server.messages) == 50
        assert all(call.ended - call.began >= 2.0 for call in server.answered)


async def test_service_tells_too_many_to_slow_down() -> None:
    """Above its limit the service refuses calls, and those below it go on."""
    with llm_server(latency_s=0.5, max_concurrency=3) as server:
        llm = ClaudeLlm(KEY, server.base_url)
        calls = (llm.complete(prose(f"Call {number}.")) for number in range(8))
        results = await asyncio.gather(*calls, return_exceptions=True)
        await llm.close()
        assert sum(isinstance(result, RateLimited) for result in results) == 5
        assert len(server.answered) == 3


async def test_journal_knows_a_client_that_left(claude: ClaudeLlm, server: LlmServer) -> None:
    """An answer that nobody waited for is not counted as answered."""
    server.terms.latency_s = 1.0
    task = asyncio.create_task(claude.complete(prose()))
    for _ in range(600):
        await asyncio.sleep(0.05)
        if server.under_way:
            break
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await claude.close()
    for _ in range(100):
        await asyncio.sleep(0.05)
        if calls := server.messages:
            break
    assert [call.outcome for call in calls] == ["gone"]


async def test_same_faults_meet_the_same_requests() -> None:
    """A share of the requests is chosen by what they are, not by when they come."""
    met: list[dict[str, str]] = []
    for order in (1, -1):
        with llm_server(faults=[Fault("error", share=0.4, seed=7)]) as server:
            llm = ClaudeLlm(KEY, server.base_url)
            for number in range(30)[::order]:
                try:
                    await llm.complete(prose(f"Call {number}."))
                except CoditectError:
                    continue
            await llm.close()
            met.append({call.sha256: call.fault for call in server.messages})
    assert met[0] == met[1]
    assert 4 < Counter(met[0].values())["error"] < 20


async def test_fault_of_first_attempts_passes(claude: ClaudeLlm, server: LlmServer) -> None:
    """A fault for so many attempts lets the next one through, and the journal counts them."""
    server.terms.faults = [Fault("overloaded", attempts=2)]
    for _ in range(2):
        with pytest.raises(RateLimited):
            await claude.complete(prose())
    assert (await claude.complete(prose())).text
    assert [call.attempt for call in server.messages] == [1, 2, 3]
    assert [call.outcome for call in server.messages] == ["failed", "failed", "answered"]


_FAULTS = st.builds(
    Fault,
    st.sampled_from(["error", "refusal", "opposite_claim", "expired"]),
    requests=st.lists(st.integers(0, 9), max_size=3).map(tuple),
    roles=st.lists(st.sampled_from(["mapper", "validator"]), max_size=2).map(tuple),
    share=st.floats(0, 1),
    attempts=st.none() | st.integers(1, 3),
    batched=st.none() | st.booleans(),
)


@settings(deadline=None)
@given(st.lists(_FAULTS, max_size=3))
def test_faults_survive_the_command_line(faults: list[Fault]) -> None:
    """Written and read again, faults are the same."""
    assert list(faults_from_json(faults_to_json(faults))) == faults


@settings(deadline=None)
@given(_FAULTS, st.integers(0, 9), st.integers(1, 4), st.sampled_from(["mapper", "validator", ""]), st.booleans())
def test_fault_meets_what_its_conditions_say(fault: Fault, number: int, attempt: int, role: str, batched: bool) -> None:
    """Every condition that is given must hold."""
    asked = Asked("messages", number, attempt, role, "0" * 64, batched, b"{}")
    met = fault_for(asked, [fault]) is not None
    allowed = (
        (not fault.requests or number in fault.requests)
        and (not fault.roles or role in fault.roles)
        and (fault.attempts is None or attempt <= fault.attempts)
        and fault.batched in (None, batched)
    )
    assert met <= allowed
    assert met == allowed or fault.share < 1.0


_CLIENT = """
import asyncio, sys
from coditect.models.claude.service import ClaudeLlm
from coditect.models.llm import TextBlock, LlmRequest
async def main():
    llm = ClaudeLlm("sk-test", sys.argv[1])
    for number in range(1000):
        await llm.complete(LlmRequest(sys.argv[2], (), (TextBlock(f"Call {number}."),), 100))
asyncio.run(main())
"""


def test_process_outlives_a_killed_client(tmp_path: Path) -> None:
    """A client that is killed in the middle of a call leaves the service running and its journal complete."""
    with llm_process(tmp_path / "calls.jsonl", latency_s=0.05) as service:
        client = subprocess.Popen([sys.executable, "-c", _CLIENT, service.base_url, HAIKU])
        deadline = time.monotonic() + 60
        while len(service.answered) < 3 and time.monotonic() < deadline:
            time.sleep(0.05)
        client.send_signal(signal.SIGKILL)
        client.wait()
        answered = len(service.answered)
        assert answered >= 3

        async def again() -> str:
            llm = ClaudeLlm(KEY, service.base_url)
            text = (await llm.complete(prose("Still there?"))).text
            await llm.close()
            return text

        assert asyncio.run(again()) == "You said: Still there?"
        os.kill(service.pid, 0)
        assert len(service.answered) in (answered + 1, answered + 2)
        assert len({call.sha256 for call in service.answered}) == len(service.answered)
    assert read_journal(tmp_path / "calls.jsonl")[-1].outcome == "answered"
