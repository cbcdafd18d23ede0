"""Open loop: requests begin when they were meant to, whatever became of those before; latency counts from that moment."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from coditect_benchmarks.serving.mix import Asked, Operation
from coditect_benchmarks.serving.wire import Answer

__all__ = ["Sample", "arrivals", "in_python", "over_http", "percentile", "statuses", "summary"]


@dataclass(frozen=True, slots=True)
class Sample:
    """One request.

    Attributes:
        name: of the operation.
        intended_s: when it was to begin, from the beginning of the run.
        latency_s: from then to its answer.
        status: of HTTP; 200 in Python.
        retry_after: whether a refusal said when to come again.
    """

    name: str
    intended_s: float
    latency_s: float
    status: int
    retry_after: bool = False


def arrivals(rate: float, seconds: float, seed: int) -> list[float]:
    """Moments of a Poisson process, in seconds from the beginning."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    now, found = 0.0, []
    while (now := now + chance.expovariate(rate)) < seconds:
        found.append(now)
    return found


async def over_http(
    requests: Sequence[Asked], moments: Sequence[float], ask: Callable[[str, str, bytes], Awaitable[Answer]]
) -> list[Sample]:
    """Send the requests, one after another in their order, each at its moment.

    Args:
        requests: as many as there are moments.
        moments: seconds from the beginning.
        ask: sends a method, a path and a body.
    """
    begin, samples = time.perf_counter(), []

    async def one(asked: Asked, moment: float) -> None:
        answer = await ask(asked.method, asked.path, asked.body)
        samples.append(
            Sample(asked.name, moment, time.perf_counter() - begin - moment, answer.status, answer.retry_after)
        )

    waiting = []
    for asked, moment in zip(requests, moments, strict=True):
        await asyncio.sleep(max(0.0, moment - (time.perf_counter() - begin)))
        waiting.append(asyncio.create_task(one(asked, moment)))
    await asyncio.gather(*waiting)
    return samples


def in_python(operations: Sequence[Operation], moments: Sequence[float], workers: int) -> list[Sample]:
    """The same in this process: the same arrivals, as many threads as the server has places."""
    begin = time.perf_counter()

    def one(operation: Operation, moment: float) -> Sample:
        operation.call()
        return Sample(operation.asked.name, moment, time.perf_counter() - begin - moment, 200)

    with ThreadPoolExecutor(workers) as pool:
        waiting = []
        for operation, moment in zip(operations, moments, strict=True):
            time.sleep(max(0.0, moment - (time.perf_counter() - begin)))
            waiting.append(pool.submit(one, operation, moment))
        return [each.result() for each in waiting]


def percentile(values: Sequence[float], share: float) -> float:
    """The value that a share of them does not pass; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def summary(samples: Sequence[Sample]) -> dict[str, dict[str, float]]:
    """By operation, by kind of operation (the first word of its name), and of all.

    Each: how many, how many were answered, and milliseconds at the median and at 99 % of those.
    """
    by: dict[str, list[Sample]] = defaultdict(list)
    for each in samples:
        for name in {each.name, each.name.partition(" ")[0], "all"}:
            by[name].append(each)
    return {
        name: {
            "count": len(found),
            "answered": sum(each.status == 200 for each in found),
            "p50_ms": round(1000 * percentile([each.latency_s for each in found if each.status == 200], 0.5), 2),
            "p99_ms": round(1000 * percentile([each.latency_s for each in found if each.status == 200], 0.99), 2),
        }
        for name, found in sorted(by.items())
    }


def statuses(samples: Sequence[Sample]) -> dict[str, int]:
    """How many answers of each status, refusals with when to come again apart."""
    named = (f"{each.status}{' with Retry-After' if each.retry_after else ''}" for each in samples)
    return dict(sorted(Counter(named).items()))
