"""The open-loop client: what waits counts, whatever became of the requests before."""

from __future__ import annotations

import asyncio
import itertools
import time

from coditect_benchmarks.serving.load import Sample, arrivals, in_python, over_http, percentile, statuses, summary
from coditect_benchmarks.serving.mix import Asked, Operation
from coditect_benchmarks.serving.wire import Answer


def _operation(seconds: float = 0.0) -> Operation:
    return Operation(Asked("it", "GET", "/"), lambda: time.sleep(seconds))


def test_arrivals_are_those_of_a_poisson_process() -> None:
    """As many as the rate says, at moments of their own, the same ones for a seed."""
    moments = arrivals(100.0, 50.0, seed=3)
    assert moments == sorted(moments) == arrivals(100.0, 50.0, seed=3)
    assert 4_500 < len(moments) < 5_500
    gaps = [after - before for before, after in itertools.pairwise(moments)]
    assert 0.3 < sum(each < 0.005 for each in gaps) / len(gaps) < 0.5  # 1 - exp(-0.5) = 0.39


def test_a_request_that_waits_for_others_is_late() -> None:
    """Three at once on one worker: latency counts from the moment that was meant, so that the last has waited for all."""
    samples = in_python([_operation(0.05)] * 3, [0.0, 0.0, 0.0], workers=1)
    assert sorted(each.latency_s for each in samples)[-1] >= 0.15


def test_requests_over_http_do_not_wait_for_each_other() -> None:
    """The second begins while the first is unanswered; a refusal is no answer, and its latency no latency of answers."""
    begun: list[str] = []
    release = asyncio.Event()

    async def ask(method: str, path: str, body: bytes) -> Answer:
        begun.append(path)
        if len(begun) == 1:
            await release.wait()
            return Answer(503, retry_after=True)
        release.set()
        return Answer(200)

    samples = asyncio.run(over_http([_operation().asked, _operation().asked], [0.0, 0.001], ask))
    assert statuses(samples) == {"200": 1, "503 with Retry-After": 1}
    told = summary(samples)["all"]
    assert (told["count"], told["answered"]) == (2, 1)


def test_percentiles() -> None:
    """The value that a share does not pass, and 0 of none."""
    assert percentile([], 0.99) == 0.0
    assert percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert percentile([float(each) for each in range(100)], 0.99) == 99.0


def test_a_kind_is_told_apart_and_together() -> None:
    """Questions at both tiers are summed up each for itself, as one kind, and among all."""
    samples = [
        Sample("query sections", 0.0, 0.010, 200),
        Sample("query extractions", 0.0, 0.030, 200),
        Sample("chain", 0.0, 0.001, 503),
    ]
    told = summary(samples)
    assert {name: each["count"] for name, each in told.items()} == {
        "all": 3, "chain": 1, "query": 2, "query extractions": 1, "query sections": 1,
    }  # fmt: skip
    assert (told["query"]["p99_ms"], told["chain"]["answered"]) == (30.0, 0)
