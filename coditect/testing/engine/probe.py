# ruff: noqa: S101 - a test suite asserts
"""What the parts of the conformance suite share: how an engine is opened, and short ways to ask and to crowd it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from coditect.engine.port import Engine, Transaction

__all__ = [
    "AWKWARD_KEYS",
    "END",
    "JOIN_S",
    "EngineTests",
    "counter",
    "in_threads",
    "rows_of",
    "run_twice",
    "store",
    "value_of",
]

T = TypeVar("T")
Row = tuple[bytes, bytes]

END = b"\xff"
"""Above every key."""

AWKWARD_KEYS = (
    b"\x00",
    b"\x00\x00",
    b"\x00\xff",
    b"a",
    b"a\x00",
    b"a\x00\xff",
    b"a\xff",
    b"a\xff\x00",
    b"a\xff\xff",
    b"b",
)
"""In order: prefixes of each other, and the bytes at both ends of the order."""

JOIN_S = 60.0
"""How long a test waits for a thread before it says that it is stuck, in seconds."""


def run_twice(engine: Engine, fn: Callable[[Transaction], T]) -> T:
    """Run and commit ``fn`` two times, as an engine may after a commit whose outcome it did not learn."""
    engine.run(fn)
    return engine.run(fn)


def store(engine: Engine, *rows: Row) -> None:
    """Set these rows in one transaction."""

    def body(transaction: Transaction) -> None:
        for key, value in rows:
            transaction.set(key, value)

    run_twice(engine, body)


def value_of(engine: Engine, key: bytes) -> bytes | None:
    """The value under ``key`` now."""
    return engine.read(lambda transaction: transaction.get(key))


def rows_of(
    engine: Engine, begin: bytes = b"", end: bytes = END, *, limit: int = 1000, reverse: bool = False
) -> list[Row]:
    """All rows of a range, each page read in a transaction of its own."""
    rows: list[Row] = []
    continuation: bytes | None = None
    while True:

        def body(transaction: Transaction, resume: bytes | None = continuation) -> tuple[tuple[Row, ...], bytes | None]:
            page = transaction.range(begin, end, limit=limit, reverse=reverse, continuation=resume)
            return page.rows, page.continuation

        came_from = continuation
        page_rows, continuation = engine.read(body)
        assert len(page_rows) <= limit
        assert continuation is None or continuation != came_from, "a page leads back to itself"
        rows.extend(page_rows)
        if continuation is None:
            return rows


def counter(stored: bytes | None) -> int:
    """What a counter's bytes say."""
    assert stored is not None
    return int.from_bytes(stored, "little", signed=True)


def in_threads(n_threads: int, work: Callable[[int], None]) -> None:
    """Run ``work(0)``..``work(n - 1)`` at once; whatever one raises is raised here."""
    failures: list[BaseException] = []
    start = threading.Barrier(n_threads)

    def guarded(number: int) -> None:
        try:
            start.wait(JOIN_S)
            work(number)
        except BaseException as error:  # noqa: BLE001 - handed to the test's own thread below
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,), daemon=True) for number in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(JOIN_S)
        assert not thread.is_alive(), "a thread is stuck"
    if failures:
        raise failures[0]


class EngineTests:
    """Where the engine under test comes from."""

    def open_engine(self) -> Engine:
        """Open the store of the running test, empty at first. Called again: another handle to the same store."""
        raise NotImplementedError

    @pytest.fixture
    def engine(self) -> Iterator[Engine]:
        """The engine under test, closed afterwards."""
        engine = self.open_engine()
        yield engine
        engine.close()
