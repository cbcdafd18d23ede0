# ruff: noqa: S101 - a test suite asserts
"""The part of the conformance suite about ranges, counters and appended keys."""

from __future__ import annotations

import threading
from itertools import pairwise

import pytest

from coditect.engine.budget import SEQUENCE_BYTES
from coditect.engine.limits import RANGE_LIMIT
from coditect.engine.port import Engine, Transaction
from coditect.errors import UsageError
from coditect.testing.engine.probe import (
    AWKWARD_KEYS,
    JOIN_S,
    EngineTests,
    counter,
    in_threads,
    rows_of,
    run_twice,
    store,
    value_of,
)

__all__ = ["RangeConformance"]


class RangeConformance(EngineTests):
    """Tests of ``range``, ``clear_range``, ``add`` and ``append``."""

    # Ranges

    def test_range_bounds_are_half_open(self, engine: Engine) -> None:
        """A range holds its begin and not its end, for every pair of awkward keys, forwards and backwards."""
        store(engine, *((key, key) for key in AWKWARD_KEYS))
        bounds = (b"", *AWKWARD_KEYS, b"a\xff\xff\xff", b"c", b"\xff", b"\xff\xff")
        for begin in bounds:
            for end in bounds:
                expected = [(key, key) for key in AWKWARD_KEYS if begin <= key < end]
                page = engine.read(lambda t, b=begin, e=end: t.range(b, e))  # type: ignore[misc]
                assert (list(page.rows), page.continuation) == (expected, None)
                page = engine.read(lambda t, b=begin, e=end: t.range(b, e, reverse=True))  # type: ignore[misc]
                assert (list(page.rows), page.continuation) == (expected[::-1], None)

    def test_range_pages_cover_it_once(self, engine: Engine) -> None:
        """Pages of any size, either way, put together are the range; the last one has no continuation."""
        rows = [(b"k%03d" % n, b"%d" % n) for n in range(57)]
        store(engine, (b"j", b""), *rows, (b"l", b""))
        for limit in (1, 2, 19, 56, 57, 58, RANGE_LIMIT):
            assert rows_of(engine, b"k", b"l", limit=limit) == rows
            assert rows_of(engine, b"k", b"l", limit=limit, reverse=True) == rows[::-1]
        assert engine.read(lambda t: t.range(b"k", b"l", limit=57)).continuation is None
        assert engine.read(lambda t: t.range(b"k", b"l", limit=56)).continuation is not None

    def test_range_limit_is_checked(self, engine: Engine) -> None:
        """A page has 1..10,000 rows."""
        for limit in (-1, 0, RANGE_LIMIT + 1):
            with pytest.raises(UsageError):
                engine.read(lambda t, limit=limit: t.range(b"a", b"b", limit=limit))  # type: ignore[misc]

    def test_large_range_is_read_whole(self, engine: Engine) -> None:
        """A range of many pages and several megabytes comes back whole, and is cleared by one call."""
        rows = [(b"r%06d" % n, b"%d" % n * 40) for n in range(25_000)]
        for start in range(0, len(rows), 2500):
            store(engine, *rows[start : start + 2500])
        assert rows_of(engine, b"r", b"s", limit=RANGE_LIMIT) == rows
        assert rows_of(engine, b"r", b"s", limit=997, reverse=True) == rows[::-1]
        run_twice(engine, lambda t: t.clear_range(b"r000001", b"r024999"))
        assert rows_of(engine) == [rows[0], rows[-1]]

    def test_continuation_resumes_by_key(self, engine: Engine) -> None:
        """Rows that come or go between two pages shift nothing: what stayed is seen once, each way."""
        rows = [(b"k%03d" % n, b"v") for n in range(0, 100, 2)]
        for reverse in (False, True):
            store(engine, *rows)
            seen: list[bytes] = []
            continuation: bytes | None = None
            for step in range(1000):
                page = engine.read(
                    lambda t, c=continuation, r=reverse: t.range(b"k", b"l", limit=3, continuation=c, reverse=r)  # type: ignore[misc]
                )
                seen.extend(key for key, _ in page.rows)
                continuation = page.continuation
                if continuation is None:
                    break

                def shift(transaction: Transaction, step: int = step, last: bytes = seen[-1]) -> None:
                    transaction.clear(last)  # the very row to resume from
                    transaction.set(b"k000a%d" % step, b"v")
                    transaction.set(b"k099a%d" % step, b"v")

                run_twice(engine, shift)
            assert len(seen) == len(set(seen))
            assert set(seen) >= {key for key, _ in rows}
            assert seen == sorted(seen, reverse=reverse)
            run_twice(engine, lambda t: t.clear_range(b"k", b"l"))

    def test_clear_range_is_half_open(self, engine: Engine) -> None:
        """Clear removes its begin and not its end; an empty or inverted range removes nothing."""
        for begin, end in (
            (b"a", b"a\xff"),
            (b"", b"a"),
            (b"a\x00", b"\xff"),
            (b"a", b"a"),
            (b"b", b"a"),
            (b"x", b"y"),
        ):
            store(engine, *((key, key) for key in AWKWARD_KEYS))
            run_twice(engine, lambda t, b=begin, e=end: t.clear_range(b, e))  # type: ignore[misc]
            assert [key for key, _ in rows_of(engine)] == [key for key in AWKWARD_KEYS if not begin <= key < end]

    # Counters

    def test_add_counts_from_zero(self, engine: Engine) -> None:
        """Counters are signed, 64 bits, little-endian; absent is 0."""
        for delta, expected in ((5, 5), (-7, -2), (0, -2), (1 << 40, (1 << 40) - 2)):
            engine.run(lambda t, delta=delta: t.add(b"n", delta))  # type: ignore[misc]
            stored = value_of(engine, b"n")
            assert stored is not None
            assert len(stored) == 8
            assert counter(stored) == expected

    def test_add_wraps_around(self, engine: Engine) -> None:
        """Overflow wraps, as in two's complement; a delta over 64 bits is refused."""
        engine.run(lambda t: t.add(b"n", (1 << 63) - 1))
        engine.run(lambda t: t.add(b"n", 1))
        assert counter(value_of(engine, b"n")) == -(1 << 63)
        engine.run(lambda t: t.add(b"n", -1))
        assert counter(value_of(engine, b"n")) == (1 << 63) - 1
        for delta in (1 << 63, -(1 << 63) - 1):
            with pytest.raises(UsageError):
                engine.run(lambda t, delta=delta: t.add(b"n", delta))  # type: ignore[misc]

    def test_add_fits_other_lengths_to_eight_bytes(self, engine: Engine) -> None:
        """A stored value that is shorter is extended with zeros, a longer one cut (FoundationDB's rule)."""
        store(engine, (b"short", b"\x01"), (b"long", b"\x02" + bytes(7) + b"xyz"), (b"none", b""))
        for key, expected in ((b"short", 11), (b"long", 12), (b"none", 10)):
            engine.run(lambda t, key=key: t.add(key, 10))  # type: ignore[misc]
            assert value_of(engine, key) == expected.to_bytes(8, "little")

    def test_add_from_many_threads_loses_nothing(self, engine: Engine) -> None:
        """Every addition of every thread counts."""

        def work(number: int) -> None:
            for _ in range(20):
                engine.run(lambda t: t.add(b"n", number + 1))

        in_threads(8, work)
        assert counter(value_of(engine, b"n")) == 20 * sum(range(1, 9))

    # Appends

    def test_append_keys_are_prefix_and_sequence(self, engine: Engine) -> None:
        """An appended key is the prefix and 12 bytes; prefixes do not mix."""
        for prefix in (b"a", b"a\x00", b"b\xff"):
            engine.run(lambda t, prefix=prefix: t.append(prefix + b"/", prefix))  # type: ignore[misc]
        for prefix in (b"a", b"a\x00", b"b\xff"):
            ((key, value),) = rows_of(engine, prefix + b"/", prefix + b"0")
            assert value == prefix
            assert len(key) == len(prefix) + 1 + SEQUENCE_BYTES

    def test_append_keeps_call_order(self, engine: Engine) -> None:
        """Within a transaction calls are in order, across transactions commits, also through two handles."""
        other = self.open_engine()
        try:
            for round_number in range(5):

                def body(transaction: Transaction, round_number: int = round_number) -> None:
                    for n in range(300):
                        transaction.append(b"log/", b"%d" % (round_number * 300 + n))

                (other if round_number % 2 else engine).run(body)
        finally:
            other.close()
        assert [int(value) for _, value in rows_of(engine, b"log/", b"log0")] == list(range(1500))

    def test_append_is_not_readable_before_commit(self, engine: Engine) -> None:
        """A body does not see what it appends."""
        engine.run(lambda t: t.append(b"log/", b"1"))

        def body(transaction: Transaction) -> int:
            transaction.append(b"log/", b"2")
            return len(transaction.range(b"log/", b"log0").rows)

        assert engine.run(body) == 1
        assert [value for _, value in rows_of(engine, b"log/", b"log0")] == [b"1", b"2"]

    def test_append_goes_on_after_a_clear(self, engine: Engine) -> None:
        """Sequences never start again: who remembers the last key misses nothing after a clear."""
        last = b""
        for _ in range(5):
            engine.run(lambda t: t.append(b"log/", b"v"))
            ((key, _),) = rows_of(engine, b"log/", b"log0")
            assert key > last
            last = key
            run_twice(engine, lambda t: t.clear_range(b"log/", b"log0"))

    def test_append_order_is_commit_order_under_threads(self, engine: Engine) -> None:
        """With many threads nothing is lost, each keeps its order, and the log only grows at its end."""
        stop = threading.Event()
        tails: list[list[bytes]] = []

        def follow() -> None:
            seen: list[bytes] = []
            while True:
                finished = stop.is_set()
                begin = seen[-1] + b"\x00" if seen else b"log/"
                seen.extend(key for key, _ in rows_of(engine, begin, b"log0"))
                if finished:
                    tails.append(seen)
                    return

        def work(number: int) -> None:
            for n in range(20):
                engine.run(lambda t, n=n: t.append(b"log/", b"%d %d" % (number, n)))  # type: ignore[misc]

        follower = threading.Thread(target=follow, daemon=True)
        follower.start()
        try:
            in_threads(8, work)
        finally:
            stop.set()
            follower.join(JOIN_S)
        rows = rows_of(engine, b"log/", b"log0")
        by_thread: dict[bytes, list[int]] = {}
        for _, value in rows:
            number, n = value.split()
            by_thread.setdefault(number, []).append(int(n))
        assert by_thread == {b"%d" % number: list(range(20)) for number in range(8)}
        # Following by key is only right if no key ever appears below one that was already seen.
        assert tails == [[key for key, _ in rows]]
        assert all(before < after for before, after in pairwise(key for key, _ in rows))
