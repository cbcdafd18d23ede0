"""The trials of a server against one that is made up: what is asked at which moments, and what is made of the answers."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from coditect_benchmarks.serving import trials
from coditect_benchmarks.serving.load import Sample
from coditect_benchmarks.serving.mix import Asked, Operation
from coditect_benchmarks.serving.wire import Answer, Connections

Found = list[Sample]


def _make(count: int) -> list[Operation]:
    return [Operation(Asked("query a" if n % 3 else "chain", "GET", f"/{n}"), lambda: None) for n in range(count)]


class Server:
    """A server that holds more memory each time that it is looked at."""

    port = 1

    def __init__(self) -> None:
        self._looks = itertools.count(1)

    def rss_mb(self) -> float:
        return 100.0 + next(self._looks)

    def own_mb(self) -> float:
        return 50.0 + next(self._looks)

    def is_alive(self) -> bool:
        return True

    def connections(self) -> int:
        return 10 * next(self._looks)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, float]]:
    """What was sent how: a way, how many, and the last moment; HTTP takes 2 ms in a first round and 4 in others, Python 1."""
    rounds: list[tuple[str, int, float]] = []

    def over(way: str, operations: Sequence[Operation], moments: Sequence[float], ms: Sequence[float]) -> Found:
        seconds = ms[min(sum(each[0] == way for each in rounds), len(ms) - 1)] / 1000
        rounds.append((way, len(operations), round(moments[-1], 3) if moments else 0.0))
        return [Sample(each.asked.name, at, seconds, 200) for each, at in zip(operations, moments, strict=True)]

    monkeypatch.setattr(
        trials, "_sent", lambda server, token, operations, moments: over("http", operations, moments, [9, 2, 4])
    )
    monkeypatch.setattr(
        trials, "in_python", lambda operations, moments, places: over("python", operations, moments, [9, 1, 0.5])
    )
    monkeypatch.setattr(trials, "load_average", lambda: 0.5)
    return rounds


def test_ratios_are_those_of_the_better_of_two_rounds(sent: list[tuple[str, int, float]]) -> None:
    """Fifty of each go before and count for nothing; the two ways take turns at the same moments."""
    found = trials.ratios(Server(), "t", _make, 30.0, 4.0, 2)  # type: ignore[arg-type]
    count = sent[2][1]
    assert 80 < count < 160
    assert sent[:2] == [("http", 50, 2.45), ("python", 50, 2.45)]
    assert [each[:2] for each in sent[2:]] == [("python", count), ("http", count)] * 2
    assert len({each[2] for each in sent[2:]}) == 1
    assert found["ratio"] == {name: {"p50": 4.0, "p99": 4.0} for name in ("all", "chain", "query", "query a")}
    assert found["python"]["all"] == {"count": count, "answered": count, "p50_ms": 0.5, "p99_ms": 0.5}
    assert found["http"]["all"]["p50_ms"] == 2.0
    assert (found["rate_per_s"], found["load_average"]) == (30.0, [0.5] * 4)


def test_ratios_of_few_operations(sent: list[tuple[str, int, float]]) -> None:
    """Then fewer go before."""
    trials.ratios(Server(), "t", _make, 5.0, 2.0, 2)  # type: ignore[arg-type]
    assert 0 < sent[0][1] < 50
    assert sent[0][1] == sent[2][1]
    assert sent[0][2] == round(0.05 * (sent[0][1] - 1), 3)


def test_capacity_is_what_so_many_clients_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each asks again at once; what is refused is no answer."""
    under_way = most = 0

    async def ask(self: Connections, method: str, path: str, body: bytes = b"", kind: str = "") -> Answer:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return Answer(503 if path.endswith("7") else 200)

    ticks = itertools.count(5.0, 2.0)
    monkeypatch.setattr(Connections, "ask", ask)
    monkeypatch.setattr(trials, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    asked = [each.asked for each in _make(20)]
    assert trials.capacity(Server(), "t", asked, 4) == 18 / 2.0  # type: ignore[arg-type]
    assert most == 4
    assert len(asked) == 20


def test_overload_is_told_by_what_was_answered_and_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many times the capacity is offered; refusals have latencies of their own."""
    statuses = itertools.cycle((200, 200, 429, 503, 0))

    def sent(server: object, token: str, operations: Sequence[Operation], moments: Sequence[float]) -> Found:
        return [Sample("a", at, 0.010 if (code := next(statuses)) == 200 else 0.002, code) for at in moments]

    monkeypatch.setattr(trials, "capacity", lambda server, token, asked, places: float(len(asked)) / 30)
    monkeypatch.setattr(trials, "_sent", sent)
    monkeypatch.setattr(trials, "load_average", lambda: 0.5)
    found = trials.overload(Server(), "t", _make, 3.0, 10.0, 4)  # type: ignore[arg-type]
    offered = sum(found["statuses"].values())
    assert found["capacity_per_s"] == 20.0
    assert 500 < offered < 700
    assert found["offered_per_s"] == round(offered / 10, 1)
    answered = found["statuses"]["200"]
    assert found["answered_per_s"] == pytest.approx(answered / 10, rel=0.01)
    assert found["goodput_of_capacity"] == pytest.approx(answered / 10 / 20, abs=0.02)
    assert (found["p99_accepted_ms"], found["p99_refused_ms"], found["p99_full_queue_ms"]) == (10.0, 2.0, 1000.0)
    assert found["alive"] is True


def test_memory_is_told_at_the_end_of_each_minute(sent: list[tuple[str, int, float]]) -> None:
    """Of a steady load; what came before is the first."""
    found = trials.steady(Server(), "t", _make, 2.0, 3)  # type: ignore[arg-type]
    assert found["rss_mb"] == [101.0, 103.0, 105.0, 107.0]
    assert found["own_mb"] == [52.0, 54.0, 56.0, 58.0]
    assert found["answered"] == sum(each[1] for each in sent)
    assert found["p99_ms"] == [9.0, 2.0, 4.0]
    assert found["load_average"] == [0.5] * 3
    assert len({each[2] for each in sent}) == 3  # every minute has moments of its own
    assert all(50.0 < each[2] < 60.0 for each in sent)


class Client:
    """A client of a server whose jobs are interrupted as often as it is killed."""

    def __init__(self, states: list[str]) -> None:
        self.states = states
        self.asked: list[str] = []

    def __call__(self, url: str, token: str, patience: object) -> Client:
        return self

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def corpus(self, name: str) -> SimpleNamespace:
        words = ["b", "a"] if name == "killed" else ["a", "b"]
        return SimpleNamespace(
            ingest=lambda files: self._job(f"ingest {len(files)} {name}"),
            build=lambda **settings: self._job(f"build {name}"),
            validate=lambda: self._job(f"validate {name}"),
            status=lambda: SimpleNamespace(counts={"claims": 2}),
            register=lambda kind: [SimpleNamespace(text=word) for word in words],
        )

    def _job(self, said: str) -> SimpleNamespace:
        self.asked.append(said)
        return SimpleNamespace(job_id=said)

    def job(self, job_id: str) -> SimpleNamespace:
        return SimpleNamespace(state=self.states.pop(0), step="tier 1", done=3, total=9)

    def resume(self, job: object) -> None:
        self.asked.append("resume")

    def wait(self, job: SimpleNamespace) -> SimpleNamespace:
        return SimpleNamespace(state="done", result={"clean": True})


@pytest.mark.parametrize(
    ("states", "told", "resumed"),
    [
        (["running", "interrupted"] * 3, ["interrupted"] * 3, 3),
        (["running", "interrupted", "done", "done"], ["interrupted", "done"], 1),
    ],
)
def test_build_is_killed_and_taken_up_again(
    monkeypatch: pytest.MonkeyPatch, states: list[str], told: list[str], resumed: int
) -> None:
    """At moments spread over what the undisturbed one took; a build that was done before is not taken up."""
    client, ports, slept = Client(list(states)), list[int](), list[float]()
    ticks = itertools.count(0.0, 10.0)
    monkeypatch.setattr(trials, "Client", client)
    monkeypatch.setattr(trials, "load_average", lambda: 0.5)
    monkeypatch.setattr(trials, "time", SimpleNamespace(perf_counter=lambda: next(ticks), sleep=slept.append))

    def start(port: int) -> Any:  # noqa: ANN401 - a server
        ports.append(port)
        return SimpleNamespace(port=port or 77, kill=lambda: None, stop=lambda: 0)

    found = trials.killed(start, "t", [Path("a"), Path("b")], 3, {})
    assert ports == [0] + [77] * len(told)
    assert slept == [pytest.approx(10.0 * n / 5) for n in range(1, len(told) + 1)]
    assert (found["told_after_restart"], client.asked.count("resume")) == (told, resumed)
    assert found["killed_at"] == [f"{state}: tier 1 3 of 9" for state in states[::2]]
    assert client.asked[:4] == ["ingest 2 undisturbed", "ingest 2 killed", "build undisturbed", "build killed"]
    assert {name: found[name] for name in ("undisturbed_s", "ended", "same_counts", "same_statements", "exit_code")} == {
        "undisturbed_s": 10.0, "ended": "done", "same_counts": True, "same_statements": True, "exit_code": 0,
    }  # fmt: skip
    assert found["clean"] == {"undisturbed": True, "killed": True}


async def test_client_on_the_wire_keeps_its_connection() -> None:
    """It reads bodies of a length and in chunks, sees refusals, and replaces a connection that was closed meanwhile."""
    said: list[bytes] = []
    answers = [
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n",
        b"HTTP/1.1 204 None\r\nConnection: close\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    ]
    opened = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal opened
        opened += 1
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError:
                break
            size = int(head.partition(b"Content-Length: ")[2].partition(b"\r\n")[0] or 0)
            said.append(head + await reader.readexactly(size))
            writer.write(answers[len(said) - 1])
            if b"close" in answers[len(said) - 1] or len(said) == 4:
                break
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    connections = Connections(server.sockets[0].getsockname()[1], "secret", timeout_s=20.0)
    first = await connections.ask("GET", "/a")
    assert (first.status, first.retry_after, first.body) == (200, False, b"hello")
    second = await connections.ask("POST", "/b", b"{}")
    assert (second.status, second.retry_after, second.body) == (503, True, b"abc0123456789")
    assert opened == 1
    assert (await connections.ask("POST", "/c")).status == 204
    assert (await connections.ask("GET", "/d")).status == 200
    assert opened == 2
    assert said[0].startswith(b"GET /a HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\n\r\n")
    assert b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}" in said[1]
    assert b"Content-Length: 0" in said[2]
    connections.close()
    server.close()
    assert (await connections.ask("GET", "/e")).status == 0
