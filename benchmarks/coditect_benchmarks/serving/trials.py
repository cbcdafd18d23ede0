"""Each trial against a running server: ratios to Python, overload, slow clients, idle connections, kills in a build, memory."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from coditect.client import Client, JobStatus, Patience
from coditect.schemas import BuildSettings
from coditect_benchmarks.serving.client import sent
from coditect_benchmarks.serving.load import Sample, arrivals, in_python, over_http, percentile, statuses, summary
from coditect_benchmarks.serving.mix import Asked, Operation
from coditect_benchmarks.serving.process import ServerProcess, load_average
from coditect_benchmarks.serving.wire import Connections

__all__ = ["idle", "killed", "overload", "ratios", "slow", "steady"]

Make = Callable[[int], Sequence[Operation]]
"""Gives so many operations."""


def _sent(server: ServerProcess, token: str, operations: Sequence[Operation], moments: Sequence[float]) -> list[Sample]:
    return sent(server.port, token, _asked(operations), moments)


def _asked(operations: Sequence[Operation]) -> list[Asked]:
    return [each.asked for each in operations]


def ratios(server: ServerProcess, token: str, make: Make, rate: float, seconds: float, places: int) -> dict[str, Any]:
    """The same operations at the same moments in Python and over HTTP, twice in turn; ratios of the better of each two."""
    moments = arrivals(rate, seconds, seed=1)
    operations = make(len(moments))
    _sent(server, token, operations[:50], [0.05 * number for number in range(min(50, len(operations)))])
    in_python(operations[:50], [0.05 * number for number in range(min(50, len(operations)))], places)
    rounds: dict[str, list[dict[str, dict[str, float]]]] = {"python": [], "http": []}
    loads = []
    for _ in range(2):
        rounds["python"].append(summary(in_python(operations, moments, places)))
        loads.append(load_average())
        rounds["http"].append(summary(_sent(server, token, operations, moments)))
        loads.append(load_average())
    best = {
        kind: {
            name: {figure: min(each[name][figure] for each in found) for figure in found[0][name]} for name in found[0]
        }
        for kind, found in rounds.items()
    }
    compared = {
        name: {
            figure: round(found[f"{figure}_ms"] / max(best["python"][name][f"{figure}_ms"], 0.01), 2)
            for figure in ("p50", "p99")
        }
        for name, found in best["http"].items()
    }
    return {"rate_per_s": rate, **best, "ratio": compared, "load_average": loads}


def capacity(server: ServerProcess, token: str, requests: Sequence[Asked], places: int) -> float:
    """Answers a second of as many clients as there are places, each asking again at once."""
    waiting = list(requests)

    async def run() -> float:
        connections, begin, answered = Connections(server.port, token), time.perf_counter(), 0

        async def one() -> None:
            nonlocal answered
            while waiting:
                each = waiting.pop()
                answer = await connections.ask(each.method, each.path, each.body)
                answered += answer.status == 200

        await asyncio.gather(*(one() for _ in range(places)))
        connections.close()
        return answered / (time.perf_counter() - begin)

    return asyncio.run(run())


def overload(
    server: ServerProcess, token: str, make: Make, times: float, seconds: float, places: int
) -> dict[str, Any]:
    """So many times what it can do."""
    most = capacity(server, token, _asked(make(600)), places)
    moments = arrivals(times * most, seconds, seed=2)
    samples = _sent(server, token, make(len(moments)), moments)
    answered = [each for each in samples if each.status == 200]
    ended = max(each.intended_s + each.latency_s for each in samples)
    refused = [each.latency_s for each in samples if each.status in (429, 503)]
    return {
        "capacity_per_s": round(most, 1),
        "offered_per_s": round(len(moments) / seconds, 1),
        "answered_per_s": round(len(answered) / ended, 1),
        "goodput_of_capacity": round(len(answered) / ended / most, 2),
        "statuses": statuses(samples),
        "p99_accepted_ms": round(1000 * percentile([each.latency_s for each in answered], 0.99), 1),
        "p99_full_queue_ms": round(1000 * 5 * places / most, 1),
        "p99_refused_ms": round(1000 * percentile(refused, 0.99), 1),
        "alive": server.is_alive(),
        "load_average": load_average(),
    }


async def _open_slow(port: int, token: str, path: str) -> list[asyncio.StreamWriter]:
    """84 bodies that never come whole, 100 heads that never end, 50 readers that do not read."""
    head = f"Host: localhost\r\nAuthorization: Bearer {token}\r\n"
    body = f"POST {path.rpartition('/documents')[0]}/verify HTTP/1.1\r\n{head}Content-Length: 100000\r\n\r\n{{"
    opened = []
    for said in [body] * 84 + ["GET / HTTP/1.1\r\nHost: local"] * 100 + [f"GET {path} HTTP/1.1\r\n{head}\r\n"] * 50:
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 12)
        writer.write(said.encode())
        opened.append(writer)
    return opened


def slow(server: ServerProcess, token: str, make: Make, big: str, rate: float, seconds: float) -> dict[str, Any]:
    """The mix without and with slow clients beside it.

    Args:
        server: a running one.
        token: that is shown.
        make: operations.
        big: path of a long answer.
        rate: requests a second.
        seconds: of each part.
    """
    moments = arrivals(rate, seconds, seed=3)
    operations = make(len(moments))

    async def run(beside: bool) -> tuple[list[Sample], int]:
        connections = Connections(server.port, token)
        opened = await _open_slow(server.port, token, big) if beside else []
        samples = await over_http(_asked(operations), moments, connections.ask)
        await asyncio.sleep(max(0.0, 45.0 - seconds) if beside else 0.0)
        held = server.connections()
        for writer in opened:
            writer.close()
        connections.close()
        return samples, held

    before = server.connections()
    alone, (beside, held) = asyncio.run(run(False))[0], asyncio.run(run(True))
    return {
        "alone": summary(alone)["all"],
        "beside_slow": summary(beside)["all"],
        "statuses": statuses(beside),
        "slow_clients": 234,
        "still_held_after_45_s": held - before,
        "load_average": load_average(),
    }


def idle(
    server: ServerProcess, token: str, make: Make, connections: int, rate: float, seconds: float
) -> dict[str, Any]:
    """The mix without and with so many connections on which nobody asks anything."""
    moments = arrivals(rate, seconds, seed=4)
    operations = make(len(moments))
    before_mb = server.rss_mb()
    alone = _sent(server, token, operations, moments)

    async def run() -> tuple[list[Sample], int, float]:
        opened: list[asyncio.StreamWriter] = []
        for _ in range(connections // 500):
            many = [asyncio.open_connection("127.0.0.1", server.port, limit=1 << 12) for _ in range(500)]
            opened += [writer for _, writer in await asyncio.gather(*many)]
        mine = Connections(server.port, token)
        samples = await over_http(_asked(operations), moments, mine.ask)
        held, memory = sum(not each.transport.is_closing() for each in opened), server.rss_mb()
        for writer in opened:
            writer.close()
        mine.close()
        return samples, held, memory

    beside, held, memory = asyncio.run(run())
    return {
        "connections": connections,
        "open_at_the_end": held,
        "alone": summary(alone)["all"],
        "beside_idle": summary(beside)["all"],
        "statuses": statuses(beside),
        "rss_mb_before": before_mb,
        "rss_mb_beside": memory,
        "load_average": load_average(),
    }


def killed(
    start: Callable[[int], ServerProcess], token: str, files: Sequence[Path], kills: int, settings: dict[str, Any]
) -> dict[str, Any]:
    """Builds that are killed at different moments, and taken up again: nothing is lost, the generation is the undisturbed one.

    Args:
        start: starts a server at a port.
        token: of an administrator.
        files: documents.
        kills: how often it is killed.
        settings: of the build.
    """
    BuildSettings.model_validate(settings)
    server = start(0)
    told: list[str] = []
    steps: list[str] = []
    try:
        with Client(f"http://127.0.0.1:{server.port}", token, Patience(tries=12)) as client:
            corpora = {name: client.corpus(name) for name in ("undisturbed", "killed")}
            for each in corpora.values():
                client.wait(each.ingest(list(files)))
            begin = time.perf_counter()
            client.wait(corpora["undisturbed"].build(**settings))
            took_s = time.perf_counter() - begin
            job = corpora["killed"].build(**settings)
            for number in range(kills):
                time.sleep(took_s * (number + 1) / (kills + 2))
                steps.append(_state(client.job(job.job_id)))
                server.kill()
                server = start(server.port)
                told.append(client.job(job.job_id).state)
                if told[-1] != "interrupted":
                    break
                client.resume(job)
            done = client.wait(job)
            clean = {name: client.wait(each.validate()).result["clean"] for name, each in corpora.items()}
            counts = {name: each.status().counts for name, each in corpora.items()}
            texts = {name: sorted(each.text for each in corpus.register("all")) for name, corpus in corpora.items()}
    finally:
        code = server.stop()
    return {
        "undisturbed_s": round(took_s, 1),
        "killed_at": steps,
        "told_after_restart": told,
        "ended": done.state,
        "clean": clean,
        "same_counts": counts["undisturbed"] == counts["killed"],
        "same_statements": texts["undisturbed"] == texts["killed"],
        "exit_code": code,
        "load_average": load_average(),
    }


def _state(job: JobStatus) -> str:
    return f"{job.state}: {job.step} {job.done} of {job.total}"


def steady(server: ServerProcess, token: str, make: Make, rate: float, minutes: int) -> dict[str, Any]:
    """Memory at the end of each minute of a steady load."""
    found: list[float] = [server.rss_mb()]
    own: list[float] = [server.own_mb()]
    answered, loads, latencies = 0, [], []
    for minute in range(minutes):
        moments = arrivals(rate, 60.0, seed=100 + minute)
        samples = _sent(server, token, make(len(moments)), moments)
        answered += sum(each.status == 200 for each in samples)
        latencies.append(summary(samples)["all"]["p99_ms"])
        found.append(server.rss_mb())
        own.append(server.own_mb())
        loads.append(load_average())
    return {
        "rate_per_s": rate,
        "answered": answered,
        "rss_mb": found,
        "own_mb": own,
        "p99_ms": latencies,
        "load_average": loads,
    }
