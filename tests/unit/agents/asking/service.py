"""A language model in memory: answers are computed from the request, faults are planned by request."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from math import inf
from pathlib import Path

from coditect.agents.asking.budget import Budget
from coditect.agents.asking.ledger import Ledger
from coditect.agents.asking.prices import Prices
from coditect.agents.asking.remembered import Asker
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.errors import CoditectError, ModelError, Unreachable
from coditect.models.llm import BatchEntry, BatchState, LlmAnswer, LlmRequest, TextBlock, TextPart, Usage
from coditect.store.answers.requests import AnswerStore
from coditect.store.store import Store

USAGE = Usage(input_tokens=100, cache_creation_input_tokens=20, cache_read_input_tokens=30, output_tokens=50)
AT = "2026-01-02T03:04:05Z"


def request(number: int, *, max_tokens: int = 100, model: str = "claude-haiku-5-5") -> LlmRequest:
    """A request that differs from those with other numbers."""
    return LlmRequest(model, (TextBlock("Answer.", "5m"),), (TextBlock(f"Question {number}"),), max_tokens)


def answer_to(asked: LlmRequest, *, batched: bool = False) -> LlmAnswer:
    """The one answer that the service gives to a request."""
    part = TextPart(f"answer to {asked.sha256[:12]}")
    return LlmAnswer(asked.sha256, asked.model, (part,), USAGE, request_id="req_1", batched=batched)


class Clock:
    """Seconds that pass only while somebody sleeps."""

    def __init__(self, seconds: float = 1_000_000.0) -> None:
        self.seconds = seconds
        self.slept: list[float] = []

    def now(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds
        await asyncio.sleep(0.001)


class Timeline(Clock):
    """Seconds that pass, while :meth:`passing` runs, when a sleep is over: whoever sleeps wakes in the order of time."""

    def __init__(self) -> None:
        super().__init__()
        self._sleeping: list[tuple[float, int, asyncio.Future[None]]] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._sleeping, (self.seconds + seconds, len(self.slept), over))
        await over

    async def passing(self, seconds: float = inf) -> None:
        """Let so many seconds pass.

        Raises:
            TimeoutError: nobody sleeps any more, so they never will.
        """
        end = self.seconds + seconds
        idle = 0
        while self.seconds < end:
            await asyncio.sleep(0.005)  # what was woken goes on, and the store does its work in threads
            idle = 0 if self._sleeping else idle + 1
            if idle > 2_000 and end < inf:
                raise TimeoutError
            if self._sleeping:
                at, _, over = heappop(self._sleeping)
                if not over.done():
                    self.seconds = at
                    over.set_result(None)


class Service:
    """An :class:`~coditect.models.llm.Llm`.

    Attributes:
        calls: how often each request was sent.
        faults: what the next calls for a request raise, in order.
        gate: calls wait for it.
        busiest: most calls at a time.
    """

    def __init__(self, *, batches: bool = False) -> None:
        self.calls: Counter[str] = Counter()
        self.faults: dict[str, list[CoditectError]] = defaultdict(list)
        self.gate = asyncio.Event()
        self.gate.set()
        self.begun = asyncio.Event()
        self.busiest = 0
        self._busy = 0
        self._batches = ServiceBatches(self) if batches else None

    @property
    def batches(self) -> ServiceBatches | None:
        return self._batches

    async def complete(self, asked: LlmRequest) -> LlmAnswer:
        self.calls[asked.sha256] += 1
        self._busy += 1
        self.busiest = max(self.busiest, self._busy)
        self.begun.set()
        try:
            await self.gate.wait()
            await asyncio.sleep(0)
            if self.faults[asked.sha256]:
                raise self.faults[asked.sha256].pop(0)
            return answer_to(asked)
        finally:
            self._busy -= 1

    async def count_tokens(self, asked: LlmRequest) -> int:
        return 150

    async def close(self) -> None:
        pass


class ServiceBatches:
    """Its batches: each ends after it was looked at ``looks`` times; results come in reverse order."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.looks = 1
        self.submitted: list[list[str]] = []
        self.failing: list[CoditectError] = []
        self.lost: set[str] = set()
        self.errors: dict[str, ModelError] = {}
        self.after_submit: Callable[[], object] = lambda: None
        self._looks: Counter[str] = Counter()

    async def submit(self, requests: Sequence[LlmRequest]) -> str:
        if self.failing:
            raise self.failing.pop(0)
        self.submitted.append([asked.sha256 for asked in requests])
        self.service.calls.update(self.submitted[-1])
        self.after_submit()
        await asyncio.sleep(0)
        return f"batch_{len(self.submitted)}"

    async def state(self, batch_id: str) -> BatchState:
        if batch_id in self.lost:
            raise ModelError("the service refuses the request", type="not_found_error")
        self._looks[batch_id] += 1
        ended = self._looks[batch_id] > self.looks
        return "ended" if ended else "in_progress"

    async def results(self, batch_id: str, requests: Mapping[str, LlmRequest]) -> Sequence[BatchEntry]:
        entries = []
        for sha256 in reversed(self.submitted[int(batch_id.removeprefix("batch_")) - 1]):
            if sha256 in requests:
                error = self.errors.get(sha256)
                answer = None if error is not None else answer_to(requests[sha256])
                entries.append(BatchEntry(sha256, answer, error))
        return entries

    async def cancel(self, batch_id: str) -> None:
        self.lost.add(batch_id)


def expired() -> ModelError:
    """What becomes of a request that a batch did not get to."""
    return Unreachable("a batch ended before a request was answered", type="expired")


def store_at(path: Path) -> Store:
    """A store that need not survive the machine."""
    return Store(LmdbEngine(path / "store", durable=False))


def asker_on(
    store: Store,
    service: Service,
    *,
    owner: str = "one",
    corpus: str = "demo",
    clock: Clock | None = None,
    budget: Budget | None = None,
    lease_s: float = 60.0,
) -> Asker:
    """An asker with its own ledger."""
    clock = clock or Clock()
    return Asker(
        service,
        AnswerStore(store, corpus),
        ledger=Ledger(Prices.load()),
        budget=budget or Budget(),
        owner=owner,
        now=clock.now,
        at=lambda: AT,
        sleep=clock.sleep,
        lease_s=lease_s,
        predict=lambda _: USAGE.total_input_tokens,
    )
