"""Writers and readers on the same keys at once: what they saw must fit into one order that respects time.

Each thread notes when it called and when it was answered. The history of a key is linearisable if its operations can be put
in an order in which each takes effect between its call and its answer, and each read returns the write before it.
"""

from __future__ import annotations

import itertools
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from coditect.engine.port import Engine, Transaction
from coditect.testing.engine.probe import in_threads
from coditect.testing.fake_fdb.client import Fault
from tests.fdb_clusters import FakePlace, LivePlace, live

Place = FakePlace | LivePlace

ROUND_TRIP_S = 0.0002
"""What makes threads meet on the fake cluster, which otherwise answers before another thread gets its turn."""


@dataclass(frozen=True, slots=True)
class Operation:
    """What a thread did to a register.

    Attributes:
        called: when, on a clock that all threads share.
        answered: when its result came; later than ``called``.
        kind: a read, a write, or a write that also says what it replaced.
        seen: what a read or swap saw.
        written: what a write or swap stored.
    """

    called: int
    answered: int
    kind: Literal["read", "write", "swap"]
    seen: bytes | None = None
    written: bytes | None = None


def linearisable(history: list[Operation]) -> bool:
    """Whether a history of one register, absent at first, can be put in an order (Wing and Gong, 1993)."""
    failed: set[tuple[int, bytes | None]] = set()
    everything = (1 << len(history)) - 1

    def search(done: int, value: bytes | None) -> bool:
        if done == everything:
            return True
        if (done, value) in failed:
            return False
        waiting = [n for n in range(len(history)) if not done >> n & 1]
        # Whatever was answered before another was called comes before it.
        first_answer = min(history[n].answered for n in waiting)
        for n in waiting:
            each = history[n]
            if each.called > first_answer or (each.kind != "write" and each.seen != value):
                continue
            if search(done | 1 << n, value if each.kind == "read" else each.written):
                return True
        failed.add((done, value))
        return False

    return search(0, None)


# The checker


def _write(called: int, answered: int, value: bytes) -> Operation:
    return Operation(called, answered, "write", written=value)


def _read(called: int, answered: int, value: bytes | None) -> Operation:
    return Operation(called, answered, "read", seen=value)


@pytest.mark.parametrize(
    "history",
    [
        [],
        [_read(0, 1, None), _write(2, 3, b"a"), _read(4, 5, b"a")],
        [_write(0, 5, b"a"), _read(1, 2, None), _read(3, 4, b"a")],
        [_write(0, 9, b"a"), _write(1, 8, b"b"), _read(2, 3, b"b"), _read(4, 5, b"a")],
        [Operation(0, 5, "swap", None, b"a"), Operation(1, 4, "swap", b"a", b"b"), _read(6, 7, b"b")],
    ],
)
def test_checker_takes_a_history_with_an_order(history: list[Operation]) -> None:
    """Operations that overlap may take effect in either order."""
    assert linearisable(history)


@pytest.mark.parametrize(
    "history",
    [
        [_write(0, 1, b"a"), _read(2, 3, None)],
        [_write(0, 1, b"a"), _write(2, 3, b"b"), _read(4, 5, b"a")],
        [_write(0, 9, b"a"), _read(1, 2, b"a"), _read(3, 4, None)],
        [_write(0, 1, b"a"), Operation(2, 5, "swap", b"a", b"b"), Operation(3, 4, "swap", b"a", b"c")],
        [_read(0, 1, b"never")],
    ],
    ids=["lost write", "stale read", "back in time", "lost update", "from nowhere"],
)
def test_checker_refuses_a_history_without_one(history: list[Operation]) -> None:
    """Lost writes, stale reads, reads that go back and updates that overlook each other are found out."""
    assert not linearisable(history)


# The engine


def _use(
    engine: Engine, keys: list[bytes], seed: int, rounds: int, ticks: Iterator[int]
) -> dict[bytes, list[Operation]]:
    """What one thread does: reads, writes and swaps of random keys; each written value is its own."""
    choice = random.Random(seed)  # noqa: S311 - a test's choice, not a secret
    seen: dict[bytes, list[Operation]] = {key: [] for key in keys}
    for n in range(rounds):
        key, kind = choice.choice(keys), choice.choice(("read", "write", "swap"))
        value = b"%d/%d" % (seed, n)

        def swap(transaction: Transaction, key: bytes = key, value: bytes = value) -> bytes | None:
            found = transaction.get(key)
            transaction.set(key, value)
            return found

        called = next(ticks)
        if kind == "read":
            found = engine.read(lambda t, key=key: t.get(key))  # type: ignore[misc]
            seen[key].append(Operation(called, next(ticks), "read", found))
        elif kind == "write":
            engine.run(lambda t, key=key, value=value: t.set(key, value))  # type: ignore[misc]
            seen[key].append(Operation(called, next(ticks), "write", written=value))
        else:
            found = engine.run(swap)
            seen[key].append(Operation(called, next(ticks), "swap", found, value))
    return seen


def _check(place: Place, *, rounds: int) -> None:
    keys = [b"x", b"y"]
    ticks = itertools.count()
    histories: dict[bytes, list[Operation]] = {key: [] for key in keys}
    lock = threading.Lock()
    engines = [place.open_engine() for _ in range(4)]

    def work(number: int) -> None:
        # Two writers share each handle, so that threads and handles are both told apart from one another.
        seen = _use(engines[number % len(engines)], keys, number, rounds, ticks)
        with lock:
            for key, operations in seen.items():
                histories[key] += operations

    in_threads(6, work)
    for engine in engines:
        engine.close()
    for history in histories.values():
        assert len(history) > rounds
        assert linearisable(history)


def test_fake_fdb_is_linearisable(tmp_path: Path) -> None:
    """Six threads on four handles see one order, on the fake cluster, and they do get in each other's way."""
    place = FakePlace(tmp_path)
    place.cluster.round_trip_s = ROUND_TRIP_S
    _check(place, rounds=40)
    assert place.cluster.pauses > 0


def test_fake_fdb_is_linearisable_under_faults(tmp_path: Path) -> None:
    """Conflicts, lost snapshots and commits that were not made leave it so."""
    place = FakePlace(tmp_path)
    place.cluster.round_trip_s = ROUND_TRIP_S
    place.cluster.each = (Fault(1007, at="read"), Fault(1020), Fault(1021))
    _check(place, rounds=40)


@live
def test_live_fdb_is_linearisable() -> None:
    """The same on a live cluster."""
    place = LivePlace()
    _check(place, rounds=40)
    place.discard()


def _both(engine: Engine, rounds: int) -> Callable[[int], None]:
    """Two writers move amounts between two accounts, a reader sums them up."""

    def move(transaction: Transaction) -> None:
        left, right = (int(value or b"0") for value in transaction.get_many([b"left", b"right"]))
        transaction.set(b"left", b"%d" % (left - 1))
        transaction.set(b"right", b"%d" % (right + 1))

    def work(number: int) -> None:
        for _ in range(rounds):
            if number < 2:
                engine.run(move)
            else:
                left, right = engine.read(lambda t: t.get_many([b"left", b"right"]))
                assert int(left or b"0") + int(right or b"0") == 0

    return work


def _check_sums(place: Place, rounds: int) -> None:
    with closing(place.open_engine()) as engine:
        in_threads(3, _both(engine, rounds))
        assert engine.read(lambda t: t.get_many([b"left", b"right"])) == [b"%d" % (-2 * rounds), b"%d" % (2 * rounds)]


def test_fake_fdb_writers_of_two_keys_are_never_seen_half(tmp_path: Path) -> None:
    """A reader of both keys sees every move whole, and none is lost."""
    place = FakePlace(tmp_path)
    place.cluster.round_trip_s = ROUND_TRIP_S
    _check_sums(place, 50)
    assert place.cluster.pauses > 0


@live
def test_live_fdb_writers_of_two_keys_are_never_seen_half() -> None:
    """The same on a live cluster."""
    place = LivePlace()
    _check_sums(place, 50)
    place.discard()
