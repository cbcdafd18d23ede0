"""A key of an embedded store that is watched by looking at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from coditect.engine import sequential
from coditect.engine.port import Transaction
from coditect.engine.sequential import SequentialEngine
from coditect.testing.engine.memory import MemoryEngine

T = TypeVar("T")


class _Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0, "it would look for ever"
        self.slept.append(seconds)
        self.now += seconds


class _Watched(SequentialEngine):
    """An engine with one key, whose value changes at a time."""

    def __init__(self, clock: _Clock, changes_at: float) -> None:
        self._clock = clock
        self._changes_at = changes_at
        self._store = MemoryEngine()

    def read(self, fn: Callable[[Transaction], T]) -> T:
        if self._clock.now >= self._changes_at:
            self._store.run(lambda transaction: transaction.set(b"k", b"new"))
        return self._store.read(fn)


@pytest.mark.parametrize(
    ("changes_at", "timeout_s", "found", "slept"),
    [
        (0.0, 1.0, b"new", []),
        (0.25, 1.0, b"new", [0.25]),
        (0.3, 1.0, b"new", [0.25, 0.25]),
        (9.0, 0.0, None, []),
        (9.0, -1.0, None, []),
        (9.0, 0.125, None, [0.125]),
        (9.0, 0.5, None, [0.25, 0.25]),
        (9.0, 0.625, None, [0.25, 0.25, 0.125]),
        (9.0, 1.5, None, [0.25] * 6),
        (0.625, 0.625, b"new", [0.25, 0.25, 0.125]),
    ],
)
def test_watched_key_is_looked_at_four_times_a_second_until_the_time_is_up(
    monkeypatch: pytest.MonkeyPatch, changes_at: float, timeout_s: float, found: bytes | None, slept: list[float]
) -> None:
    """At once, every quarter of a second, and a last time when the time is up, not later."""
    clock = _Clock()
    monkeypatch.setattr(sequential, "time", clock)
    assert _Watched(clock, changes_at).watch(b"k", None, timeout_s) == found
    assert clock.slept == slept


def test_bodies_run_one_after_the_other_in_a_transaction_each() -> None:
    """Each sees what those before it wrote."""
    engine = MemoryEngine()
    seen: list[bytes | None] = []

    def body(transaction: Transaction) -> None:
        seen.append(transaction.get(b"k"))
        transaction.set(b"k", b"%d" % len(seen))

    engine.run_many([body] * 3)
    assert seen == [None, b"1", b"2"]
    assert engine.bulk("any") is engine
