"""The cluster engine in detail: what is told to the client, what its errors mean, and how long is waited for a watch."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.engine.foundationdb import client
from coditect.engine.foundationdb import engine as cluster_engine
from coditect.engine.foundationdb.attempts import LONGEST_MS, Attempts, OpenDatabase
from coditect.engine.foundationdb.errors import translated
from coditect.engine.foundationdb.transaction import Snapshot, Writer
from coditect.errors import Conflict, StoreError, TooLarge, Unavailable, UsageError
from coditect.testing.fake_fdb.client import FakeCluster, FakeOptions, FakeTransaction, FdbError
from tests.fdb_clusters import fake_engine


def test_attempts_on_a_cluster_have_a_time_and_a_number() -> None:
    """From a millisecond on and from no retry on, up to what the client's numbers hold."""
    for timeout, retries in ((1, 0), (LONGEST_MS, LONGEST_MS)):
        Attempts(None, timeout, retries)  # type: ignore[arg-type]
    for timeout, retries in ((0, 0), (LONGEST_MS + 1, 0), (1, -1), (1, LONGEST_MS + 1)):
        with pytest.raises(UsageError, match="out of range"):
            Attempts(None, timeout, retries)  # type: ignore[arg-type]
    assert LONGEST_MS == 2_147_483_647


def test_every_attempt_has_the_limits_of_the_client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten megabytes each time, since an error makes the client forget that; time, retries and pauses once."""
    told: list[tuple[str, int]] = []
    for name in ("set_timeout", "set_retry_limit", "set_max_retry_delay", "set_size_limit"):
        monkeypatch.setattr(FakeOptions, name, lambda _, value, name=name: told.append((name, value)))
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster, timeout_ms=1_234, retry_limit=5)
    monkeypatch.setattr(FakeTransaction, "on_error", lambda *_: SimpleNamespace(wait=lambda: None))
    monkeypatch.setattr(FakeTransaction, "commit", _failing_once(FakeTransaction.commit))
    told.clear()
    engine.run(lambda transaction: None)
    assert told == [
        ("set_timeout", 1_234),
        ("set_retry_limit", 5),
        ("set_max_retry_delay", 1_000),
        ("set_size_limit", 10_000_000),
        ("set_size_limit", 10_000_000),
    ]


def _failing_once(work: Callable[..., Any]) -> Callable[..., Any]:
    tries: list[int] = []

    def call(*arguments: Any) -> Any:  # noqa: ANN401
        tries.append(1)
        if len(tries) == 1:
            raise FdbError(1020)
        return work(*arguments)

    return call


@pytest.mark.parametrize(
    ("code", "bulk", "kind", "message"),
    [
        (1007, False, Unavailable, "a transaction lasted longer than the cluster keeps its snapshot, 5 s"),
        (1009, False, Unavailable, "the cluster is behind"),
        (1020, False, Conflict, "retries ran out"),
        (1020, True, Conflict, "retries ran out"),
        (1021, False, Unavailable, "whether a commit was made is not known"),
        (1025, False, Unavailable, "a transaction was cancelled"),
        (1031, False, Unavailable, "the cluster does not answer"),
        (1031, True, Unavailable, "the cluster does not answer, or has no room for bulk work"),
        (1037, True, Unavailable, "the cluster is behind"),
        (1038, False, Unavailable, "the database is locked"),
        (1039, False, Unavailable, "the cluster's version changed"),
        (1051, True, Unavailable, "the cluster has no room for bulk work"),
        (1213, True, Unavailable, "the cluster throttles this kind of work"),
        (1223, True, Unavailable, "the cluster throttles this kind of work"),
        (1515, False, Unavailable, "the cluster file cannot be read"),
        (2101, False, TooLarge, "a transaction is too large for the cluster"),
        (2102, False, TooLarge, "a key is too long for the cluster"),
        (2103, False, TooLarge, "a value is too long for the cluster"),
        (2104, False, Unavailable, "not a cluster file"),
        (9999, False, Unavailable, "the cluster refuses to go on"),
        (9999, True, Unavailable, "the cluster refuses to go on"),
    ],
)
def test_numbers_of_foundationdb_mean_what_its_manual_says(
    code: int, bulk: bool, kind: type[StoreError], message: str
) -> None:
    """Each with a way out; bytes of its own words that are no text are shown all the same."""
    found = translated(SimpleNamespace(code=code, description=b"said \xff"), "fdb:///x", bulk=bulk)
    assert (type(found), found.message) == (kind, message)
    assert found.context["code"] == code
    assert found.hint


@pytest.mark.parametrize(
    ("first", "final", "message"),
    [
        (1020, 1031, "retries ran out"),
        (1051, 1031, "has no room for bulk work"),
        (1213, 1031, "throttles this kind of work"),
        (1223, 1031, "throttles this kind of work"),
        (1007, 1031, "the cluster does not answer"),
        (1020, 1025, "a transaction was cancelled"),
        (1213, 1213, "throttles this kind of work"),
    ],
)
def test_time_that_ran_out_is_told_by_what_used_it_up(first: int, final: int, message: str) -> None:
    """Conflicts, or a cluster that has no room: it answered all the time."""

    def failing(code: int) -> Callable[..., Any]:
        def call(*_: object) -> Any:  # noqa: ANN401
            raise FdbError(code)

        return call

    raw: Any = SimpleNamespace(options=FakeOptions(), on_error=lambda _: SimpleNamespace(wait=failing(final)))
    opened = OpenDatabase("fdb:///x", "/x", SimpleNamespace(FDBError=FdbError), None, os.getpid())
    database: Any = SimpleNamespace(create_transaction=lambda: raw)
    with pytest.raises(StoreError, match=message):
        Attempts(opened, 1, 0, "coditect/test").beside(database, failing(first))


def test_binding_is_asked_for_the_version_that_this_was_written_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """7.3; and once it is loaded, a child of a fork may not use it."""
    asked: list[int] = []
    monkeypatch.setitem(sys.modules, "fdb", SimpleNamespace(api_version=asked.append))
    monkeypatch.setattr(client, "_network_pid", None)
    for _ in range(2):
        assert client.load_binding() is sys.modules["fdb"]
    assert asked == [730, 730]
    monkeypatch.setattr(client, "_network_pid", os.getpid() + 1)
    with pytest.raises(Unavailable, match="before a fork"):
        client.load_binding()


def test_commits_under_way_are_sixteen_or_eight_megabytes(tmp_path: Path) -> None:
    """Bodies of a whole transaction's bytes are eight at once; bodies of one byte sixteen."""
    cluster = FakeCluster()
    engine = fake_engine(tmp_path, cluster)

    def whole(transaction: Any) -> None:  # noqa: ANN401
        for n in range(10):
            transaction.set(b"%d" % n, bytes(99_999))
        assert transaction.size_bytes == 1_000_000

    engine.run_many([whole] * 20)
    assert cluster.most_under_way == 8
    engine.run_many([lambda transaction: transaction.set(b"k", b"")] * 40)
    assert cluster.most_under_way == 16


def test_nothing_is_asked_where_nothing_can_be() -> None:
    """A range without an inside is empty, and clears nothing, without a word to the cluster."""
    said: list[str] = []

    def range_of(*_: object, **__: object) -> tuple[()]:
        said.append("range")
        return ()

    raw: Any = SimpleNamespace(get_range=range_of, clear_range=lambda *_: said.append("clear"), snapshot=None)
    for begin, end in ((b"b", b"b"), (b"b", b"a")):
        assert Snapshot(raw, 0).range(begin, end).rows == ()
        Writer(raw, 0).clear_range(begin, end)
    assert said == []
    assert Snapshot(raw, 0).range(b"a", b"b").rows == ()
    Writer(raw, 0).clear_range(b"a", b"b")
    assert said == ["range", "clear"]


class _Clock:
    """A clock that only waiting moves; events never come."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waited: list[float] = []
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def event(self) -> Any:  # noqa: ANN401
        told: list[bool] = []

        def wait(seconds: float) -> bool:
            assert seconds >= 0
            self.waited.append(seconds)
            if not told:
                self.now += seconds
            return bool(told)

        return SimpleNamespace(set=lambda: told.append(True), wait=wait)


def _watching(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, lost: bool, timeout_s: float
) -> tuple[_Clock, bytes | None]:
    """A watch of a key that does not change, whose futures fail at once, or never end."""
    engine = fake_engine(tmp_path)
    engine.run(lambda transaction: transaction.set(b"k", b"v"))
    clock = _Clock()
    monkeypatch.setattr(cluster_engine, "time", clock)
    monkeypatch.setattr(cluster_engine, "threading", SimpleNamespace(Event=clock.event))
    if lost:
        made = FakeTransaction.watch

        def losing(self: FakeTransaction, key: bytes) -> Any:  # noqa: ANN401
            change = made(self, key)
            change.end(1101)
            return change

        monkeypatch.setattr(FakeTransaction, "watch", losing)
    return clock, engine.watch(b"k", b"v", timeout_s)


@pytest.mark.parametrize("timeout_s", [0.0, -1.0, 0.5, 60.0])
def test_watch_waits_for_as_long_as_it_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timeout_s: float
) -> None:
    """Then it gives what it saw; a time that is over already is no time."""
    clock, found = _watching(tmp_path, monkeypatch, lost=False, timeout_s=timeout_s)
    assert found == b"v"
    assert clock.waited == [max(timeout_s, 0.0)]
    assert clock.slept == []


@pytest.mark.parametrize(
    ("timeout_s", "slept"), [(-1.0, []), (0.0, []), (0.75, [0.75]), (1.0, [1.0]), (2.5, [1.0, 1.0, 0.5])]
)
def test_watch_that_the_cluster_lost_is_made_again_after_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timeout_s: float, slept: list[float]
) -> None:
    """Not at once, since a cluster that is away would be asked without end; and not when the time is up."""
    clock, found = _watching(tmp_path, monkeypatch, lost=True, timeout_s=timeout_s)
    assert found == b"v"
    assert clock.slept == slept
