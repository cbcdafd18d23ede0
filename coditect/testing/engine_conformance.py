# ruff: noqa: S101 - a test suite asserts
"""What every engine must do, as tests. An engine's own tests subclass :class:`EngineConformance`.

::

    class TestLmdb(EngineConformance):
        @pytest.fixture(autouse=True)
        def _place(self, tmp_path: Path) -> None:
            self.path = tmp_path / "store"

        def open_engine(self) -> Engine:
            return LmdbEngine(self.path)

The port says that bodies may be run again after they have committed, so :func:`run_twice` does that to every body here
whose effect must not depend on it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TypeVar

import pytest

from coditect.engine.budget import APPENDS, SEQUENCE_BYTES
from coditect.engine.limits import KEY_BYTES, RANGE_LIMIT, TRANSACTION_BYTES, VALUE_BYTES
from coditect.engine.port import Engine, Transaction
from coditect.errors import TooLarge, Unavailable, UsageError

__all__ = ["EngineConformance", "run_twice"]

T = TypeVar("T")
Row = tuple[bytes, bytes]

_END = b"\xff"
_AWKWARD_KEYS = (
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
_JOIN_S = 60.0


class _Stop(Exception):  # noqa: N818 - it stops a body on purpose
    """Raised by a body to see that nothing of it stays."""


def run_twice(engine: Engine, fn: Callable[[Transaction], T]) -> T:
    """Run and commit ``fn`` two times, as an engine may after a commit whose outcome it did not learn."""
    engine.run(fn)
    return engine.run(fn)


def _store(engine: Engine, *rows: Row) -> None:
    def body(transaction: Transaction) -> None:
        for key, value in rows:
            transaction.set(key, value)

    run_twice(engine, body)


def _get(engine: Engine, key: bytes) -> bytes | None:
    return engine.read(lambda transaction: transaction.get(key))


def _rows(
    engine: Engine, begin: bytes = b"", end: bytes = _END, *, limit: int = 1000, reverse: bool = False
) -> list[Row]:
    """All rows of a range, each page read in a transaction of its own."""
    rows: list[Row] = []
    continuation: bytes | None = None
    while True:

        def body(transaction: Transaction, resume: bytes | None = continuation) -> tuple[tuple[Row, ...], bytes | None]:
            page = transaction.range(begin, end, limit=limit, reverse=reverse, continuation=resume)
            return page.rows, page.continuation

        page_rows, continuation = engine.read(body)
        assert len(page_rows) <= limit
        rows.extend(page_rows)
        if continuation is None:
            return rows


def _counter(stored: bytes | None) -> int:
    assert stored is not None
    return int.from_bytes(stored, "little", signed=True)


def _in_threads(n_threads: int, work: Callable[[int], None]) -> None:
    """Run ``work(0)``..``work(n - 1)`` at once; whatever one raises is raised here."""
    failures: list[BaseException] = []
    start = threading.Barrier(n_threads)

    def guarded(number: int) -> None:
        try:
            start.wait(_JOIN_S)
            work(number)
        except BaseException as error:  # noqa: BLE001 - handed to the test's own thread below
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,), daemon=True) for number in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_JOIN_S)
        assert not thread.is_alive(), "a thread is stuck"
    if failures:
        raise failures[0]


class EngineConformance:
    """Subclass it, say how to open the engine, and every test runs against it."""

    def open_engine(self) -> Engine:
        """Open the store of the running test, empty at first. Called again: another handle to the same store."""
        raise NotImplementedError

    @pytest.fixture
    def engine(self) -> Iterator[Engine]:
        """The engine under test, closed afterwards."""
        engine = self.open_engine()
        yield engine
        engine.close()

    # Single records

    def test_get_of_an_absent_key_is_none(self, engine: Engine) -> None:
        """A key that was never set, and a key that no store could hold, have no value."""
        for key in (b"absent", b"", b"\xff", b"\xffx", bytes(KEY_BYTES + 1), b"k" * 5000):
            assert _get(engine, key) is None

    def test_set_is_read_back(self, engine: Engine) -> None:
        """What was set is read back, byte for byte, in a later transaction and through another handle."""
        rows = [(key, key[::-1] * 3) for key in _AWKWARD_KEYS]
        _store(engine, *rows)
        assert _rows(engine) == rows
        other = self.open_engine()
        try:
            assert _rows(other) == rows
        finally:
            other.close()

    def test_empty_value_is_not_absent(self, engine: Engine) -> None:
        """An empty value is a value."""
        _store(engine, (b"k", b""))
        assert _get(engine, b"k") == b""
        assert engine.read(lambda t: t.get_many([b"k"])) == [b""]
        assert _rows(engine) == [(b"k", b"")]

    def test_set_replaces_the_value(self, engine: Engine) -> None:
        """The last set of a key wins, within a transaction and across them."""
        _store(engine, (b"k", b"1"), (b"k", b"2"))
        assert _get(engine, b"k") == b"2"
        _store(engine, (b"k", b"3"))
        assert _rows(engine) == [(b"k", b"3")]

    def test_clear_removes_one_key(self, engine: Engine) -> None:
        """Clear removes the key and nothing beside it; an absent key is fine."""
        _store(engine, *((key, b"v") for key in _AWKWARD_KEYS))
        for key in (b"a\x00", b"absent"):
            run_twice(engine, lambda t, key=key: t.clear(key))  # type: ignore[misc]
        assert [key for key, _ in _rows(engine)] == [key for key in _AWKWARD_KEYS if key != b"a\x00"]

    def test_get_many_keeps_order_and_duplicates(self, engine: Engine) -> None:
        """Values come in the order of the keys, twice for a key named twice, None for one without value."""
        _store(engine, *((b"%04d" % n, b"v%d" % n) for n in range(300)))
        order = [n * 7919 % 300 for n in range(300)]
        assert engine.read(lambda t: t.get_many([b"%04d" % n for n in order])) == [b"v%d" % n for n in order]
        keys = [b"0002", b"none", b"", b"0001", b"0002", b"k" * 5000, b"\xff"]
        assert engine.read(lambda t: t.get_many(keys)) == [b"v2", None, None, b"v1", b"v2", None, None]
        assert engine.read(lambda t: t.get_many([])) == []

    # Transactions

    def test_run_returns_what_the_body_returns(self, engine: Engine) -> None:
        """The body's result is handed out."""
        assert run_twice(engine, lambda _: ("result", 1)) == ("result", 1)
        assert engine.read(lambda _: [2]) == [2]

    def test_body_that_raises_writes_nothing(self, engine: Engine) -> None:
        """A body's exception comes out unchanged, and none of its writes stays."""
        _store(engine, (b"kept", b"1"), (b"a", b"1"))

        def body(transaction: Transaction) -> None:
            transaction.set(b"kept", b"2")
            transaction.set(b"new", b"2")
            transaction.add(b"counter", 1)
            transaction.append(b"log", b"2")
            transaction.clear_range(b"a", b"b")
            raise _Stop

        with pytest.raises(_Stop):
            engine.run(body)
        assert _rows(engine) == [(b"a", b"1"), (b"kept", b"1")]
        _store(engine, (b"after", b"1"))
        assert _get(engine, b"after") == b"1"

    def test_body_reads_its_own_writes(self, engine: Engine) -> None:
        """Every kind of read in a body sees what the body wrote before."""
        _store(engine, (b"a", b"old"), (b"b", b"old"), (b"c", b"old"))

        def body(transaction: Transaction) -> None:
            transaction.set(b"a", b"new")
            transaction.set(b"ab", b"new")
            transaction.clear(b"b")
            transaction.set(b"n", (41).to_bytes(8, "little"))
            transaction.add(b"n", 1)
            assert transaction.get(b"a") == b"new"
            assert transaction.get_many([b"b", b"ab", b"c"]) == [None, b"new", b"old"]
            assert [key for key, _ in transaction.range(b"a", b"z").rows] == [b"a", b"ab", b"c", b"n"]
            assert [key for key, _ in transaction.range(b"a", b"d", reverse=True, limit=2).rows] == [b"c", b"ab"]
            assert _counter(transaction.get(b"n")) == 42
            transaction.clear_range(b"a", b"b")
            assert transaction.get(b"ab") is None
            assert [key for key, _ in transaction.range(b"", b"d").rows] == [b"c"]

        run_twice(engine, body)

    def test_snapshot_does_not_move(self, engine: Engine) -> None:
        """A reader sees the state at its beginning, however much is committed while it runs, and delays nobody."""
        _store(engine, (b"a", b"1"), (b"b", b"1"))
        seen: list[object] = []

        def look(transaction: Transaction) -> tuple[object, ...]:
            return (transaction.get(b"a"), transaction.get_many([b"b", b"c"]), transaction.range(b"", _END).rows)

        def change(transaction: Transaction) -> None:
            transaction.set(b"a", b"2")
            transaction.clear(b"b")
            transaction.set(b"c", b"2")

        def reader(transaction: Transaction) -> None:
            seen.append(look(transaction))
            writer = threading.Thread(target=lambda: run_twice(engine, change), daemon=True)
            writer.start()
            writer.join(_JOIN_S)
            assert not writer.is_alive(), "a reader blocks a writer"
            seen.append(look(transaction))

        engine.read(reader)
        assert seen[0] == seen[1] == (b"1", [b"1", None], ((b"a", b"1"), (b"b", b"1")))
        assert _rows(engine) == [(b"a", b"2"), (b"c", b"2")]

    def test_uncommitted_writes_are_invisible(self, engine: Engine) -> None:
        """Nobody else sees a write before its transaction commits, and a reader does not wait for that."""
        seen: list[bytes | None] = []

        def body(transaction: Transaction) -> None:
            transaction.set(b"k", b"v")
            reader = threading.Thread(target=lambda: seen.append(_get(engine, b"k")), daemon=True)
            reader.start()
            reader.join(_JOIN_S)
            assert not reader.is_alive(), "a writer blocks a reader"

        engine.run(body)
        assert seen
        assert set(seen) == {None}
        assert _get(engine, b"k") == b"v"

    def test_two_threads_lose_no_update(self, engine: Engine) -> None:
        """Read, change and write of one key in one body is atomic."""

        def increment(transaction: Transaction) -> None:
            transaction.set(b"n", b"%d" % (int(transaction.get(b"n") or b"0") + 1))

        def work(_: int) -> None:
            for _ in range(25):
                engine.run(increment)

        _in_threads(4, work)
        assert _get(engine, b"n") == b"100"

    def test_write_skew_is_impossible(self, engine: Engine) -> None:
        """Transactions are serialisable: of two bodies that each write only if the other has not, one writes."""
        for round_number in range(20):
            mine = [b"skew%d/%d" % (round_number, number) for number in range(2)]

            def work(number: int, mine: list[bytes] = mine) -> None:
                def body(transaction: Transaction) -> None:
                    if transaction.get(mine[1 - number]) is None:
                        transaction.set(mine[number], b"1")

                engine.run(body)

            _in_threads(2, work)
        assert len(_rows(engine)) == 20

    def test_write_in_a_read_is_refused(self, engine: Engine) -> None:
        """A body of ``read`` cannot write, in whatever way."""
        writes: list[Callable[[Transaction], None]] = [
            lambda t: t.set(b"k", b"v"),
            lambda t: t.clear(b"k"),
            lambda t: t.clear_range(b"a", b"z"),
            lambda t: t.add(b"k", 1),
            lambda t: t.append(b"k", b"v"),
        ]
        for write in writes:
            with pytest.raises(UsageError):
                engine.read(write)
        assert _rows(engine) == []

    def test_nested_transaction_is_refused(self, engine: Engine) -> None:
        """A body cannot open a transaction on its own store: it could only wait for itself, or not see its writes."""
        openers: list[Callable[[Callable[[Transaction], None]], None]] = [engine.run, engine.read]
        for outer in openers:
            for inner in openers:
                with pytest.raises(UsageError):
                    outer(lambda _, inner=inner: inner(lambda _: None))  # type: ignore[misc]
            with pytest.raises(UsageError):
                outer(lambda _: engine.close())
        _store(engine, (b"k", b"v"))
        assert _get(engine, b"k") == b"v"

    def test_transaction_used_after_its_end_is_refused(self, engine: Engine) -> None:
        """A transaction that escaped from its body is of no use."""
        _store(engine, (b"k", b"v"))
        for escaped in (engine.run(lambda t: t), engine.read(lambda t: t)):
            uses: list[Callable[[Transaction], object]] = [
                lambda t: t.get(b"k"),
                lambda t: t.get_many([b"k"]),
                lambda t: t.range(b"", _END),
                lambda t: t.set(b"k", b"w"),
                lambda t: t.clear(b"k"),
            ]
            for use in uses:
                with pytest.raises(UsageError):
                    use(escaped)
        assert _get(engine, b"k") == b"v"

    # Limits

    def test_largest_key_and_value_are_stored(self, engine: Engine) -> None:
        """Key and value may be exactly as long as the limits say."""
        row = (b"k" * KEY_BYTES, b"v" * VALUE_BYTES)
        _store(engine, row)
        assert _rows(engine) == [row]
        assert _rows(engine, row[0]) == [row]
        assert _rows(engine, b"", row[0]) == []
        assert _rows(engine, row[0] + b"\x00") == []
        assert _rows(engine, b"", row[0] + b"\x00" * 600, reverse=True) == [row]

    def test_oversize_is_refused(self, engine: Engine) -> None:
        """One byte more than a limit is refused, the error shows the key's beginning, and nothing is written."""
        long_key = b"long" + bytes(KEY_BYTES - 3)
        refused: list[Callable[[Transaction], None]] = [
            lambda t: t.set(long_key, b""),
            lambda t: t.set(b"long", bytes(VALUE_BYTES + 1)),
            lambda t: t.clear(long_key),
            lambda t: t.add(long_key, 1),
            lambda t: t.append(long_key[: KEY_BYTES - SEQUENCE_BYTES + 1], b""),
            lambda t: t.append(b"long", bytes(VALUE_BYTES + 1)),
        ]
        for write in refused:

            def body(transaction: Transaction, write: Callable[[Transaction], None] = write) -> None:
                transaction.set(b"before", b"1")
                write(transaction)

            with pytest.raises(TooLarge) as caught:
                engine.run(body)
            assert caught.value.context["key"].startswith("b'long")
        assert _rows(engine) == []

    def test_transaction_budget_is_exact(self, engine: Engine) -> None:
        """A transaction may affect exactly its budget of keys and values; one byte more and nothing is written."""

        def fill(transaction: Transaction, extra: int) -> None:
            for n in range(9):
                transaction.set(b"%d" % n, bytes(VALUE_BYTES - 1))
            transaction.clear(b"ab")
            transaction.clear_range(b"c", b"ccc")
            transaction.add(b"n", 1)
            used = 9 * VALUE_BYTES + 2 + 4 + 9
            assert transaction.size_bytes == used
            transaction.append(b"log", b"")
            used += 3 + SEQUENCE_BYTES
            rest = TRANSACTION_BYTES - used
            transaction.set(b"z", bytes(rest - 1 + extra))
            assert transaction.size_bytes == TRANSACTION_BYTES

        with pytest.raises(TooLarge):
            engine.run(lambda t: fill(t, 1))
        assert _rows(engine) == []
        engine.run(lambda t: fill(t, 0))
        assert len(_rows(engine)) == 12
        assert engine.read(lambda t: t.size_bytes) == 0

    def test_cleared_ranges_count_their_bounds(self, engine: Engine) -> None:
        """A cleared range costs its two bounds, however much it holds."""
        _store(engine, *((b"%03d" % n, bytes(3000)) for n in range(200)))

        def body(transaction: Transaction) -> int:
            transaction.clear_range(b"0", b"2")
            return transaction.size_bytes

        assert run_twice(engine, body) == 2
        assert _rows(engine) == []

    def test_reserved_and_empty_keys_are_refused(self, engine: Engine) -> None:
        """No engine stores an empty key or one that starts with 0xFF, because one of them could not."""
        for key in (b"", b"\xff", b"\xff\x00"):
            with pytest.raises(UsageError):
                engine.run(lambda t, key=key: t.set(key, b"v"))  # type: ignore[misc]
        assert _rows(engine) == []

    def test_too_many_appends_are_refused(self, engine: Engine) -> None:
        """A transaction may append 65,536 times, which is what a versionstamp can count."""

        def body(transaction: Transaction, n: int) -> None:
            for _ in range(n):
                transaction.append(b"l", b"")

        with pytest.raises(TooLarge):
            engine.run(lambda t: body(t, APPENDS + 1))
        assert _rows(engine) == []

    # Ranges

    def test_range_bounds_are_half_open(self, engine: Engine) -> None:
        """A range holds its begin and not its end, for every pair of awkward keys, forwards and backwards."""
        _store(engine, *((key, key) for key in _AWKWARD_KEYS))
        bounds = (b"", *_AWKWARD_KEYS, b"a\xff\xff\xff", b"c", b"\xff", b"\xff\xff")
        for begin in bounds:
            for end in bounds:
                expected = [(key, key) for key in _AWKWARD_KEYS if begin <= key < end]
                page = engine.read(lambda t, b=begin, e=end: t.range(b, e))  # type: ignore[misc]
                assert (list(page.rows), page.continuation) == (expected, None)
                page = engine.read(lambda t, b=begin, e=end: t.range(b, e, reverse=True))  # type: ignore[misc]
                assert (list(page.rows), page.continuation) == (expected[::-1], None)

    def test_range_pages_cover_it_once(self, engine: Engine) -> None:
        """Pages of any size, either way, put together are the range; the last one has no continuation."""
        rows = [(b"k%03d" % n, b"%d" % n) for n in range(57)]
        _store(engine, (b"j", b""), *rows, (b"l", b""))
        for limit in (1, 2, 19, 56, 57, 58, RANGE_LIMIT):
            assert _rows(engine, b"k", b"l", limit=limit) == rows
            assert _rows(engine, b"k", b"l", limit=limit, reverse=True) == rows[::-1]
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
            _store(engine, *rows[start : start + 2500])
        assert _rows(engine, b"r", b"s", limit=RANGE_LIMIT) == rows
        assert _rows(engine, b"r", b"s", limit=997, reverse=True) == rows[::-1]
        run_twice(engine, lambda t: t.clear_range(b"r000001", b"r024999"))
        assert _rows(engine) == [rows[0], rows[-1]]

    def test_continuation_resumes_by_key(self, engine: Engine) -> None:
        """Rows that come or go between two pages shift nothing: what stayed is seen once, each way."""
        rows = [(b"k%03d" % n, b"v") for n in range(0, 100, 2)]
        for reverse in (False, True):
            _store(engine, *rows)
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
            _store(engine, *((key, key) for key in _AWKWARD_KEYS))
            run_twice(engine, lambda t, b=begin, e=end: t.clear_range(b, e))  # type: ignore[misc]
            assert [key for key, _ in _rows(engine)] == [key for key in _AWKWARD_KEYS if not begin <= key < end]

    # Counters

    def test_add_counts_from_zero(self, engine: Engine) -> None:
        """Counters are signed, 64 bits, little-endian; absent is 0."""
        for delta, expected in ((5, 5), (-7, -2), (0, -2), (1 << 40, (1 << 40) - 2)):
            engine.run(lambda t, delta=delta: t.add(b"n", delta))  # type: ignore[misc]
            stored = _get(engine, b"n")
            assert stored is not None
            assert len(stored) == 8
            assert _counter(stored) == expected

    def test_add_wraps_around(self, engine: Engine) -> None:
        """Overflow wraps, as in two's complement; a delta over 64 bits is refused."""
        engine.run(lambda t: t.add(b"n", (1 << 63) - 1))
        engine.run(lambda t: t.add(b"n", 1))
        assert _counter(_get(engine, b"n")) == -(1 << 63)
        engine.run(lambda t: t.add(b"n", -1))
        assert _counter(_get(engine, b"n")) == (1 << 63) - 1
        for delta in (1 << 63, -(1 << 63) - 1):
            with pytest.raises(UsageError):
                engine.run(lambda t, delta=delta: t.add(b"n", delta))  # type: ignore[misc]

    def test_add_fits_other_lengths_to_eight_bytes(self, engine: Engine) -> None:
        """A stored value that is shorter is extended with zeros, a longer one cut (FoundationDB's rule)."""
        _store(engine, (b"short", b"\x01"), (b"long", b"\x02" + bytes(7) + b"xyz"), (b"none", b""))
        for key, expected in ((b"short", 11), (b"long", 12), (b"none", 10)):
            engine.run(lambda t, key=key: t.add(key, 10))  # type: ignore[misc]
            assert _get(engine, key) == expected.to_bytes(8, "little")

    def test_add_from_many_threads_loses_nothing(self, engine: Engine) -> None:
        """Every addition of every thread counts."""

        def work(number: int) -> None:
            for _ in range(20):
                engine.run(lambda t: t.add(b"n", number + 1))

        _in_threads(8, work)
        assert _counter(_get(engine, b"n")) == 20 * sum(range(1, 9))

    # Appends

    def test_append_keys_are_prefix_and_sequence(self, engine: Engine) -> None:
        """An appended key is the prefix and 12 bytes; prefixes do not mix."""
        for prefix in (b"a", b"a\x00", b"b\xff"):
            engine.run(lambda t, prefix=prefix: t.append(prefix + b"/", prefix))  # type: ignore[misc]
        for prefix in (b"a", b"a\x00", b"b\xff"):
            ((key, value),) = _rows(engine, prefix + b"/", prefix + b"0")
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
        assert [int(value) for _, value in _rows(engine, b"log/", b"log0")] == list(range(1500))

    def test_append_is_not_readable_before_commit(self, engine: Engine) -> None:
        """A body does not see what it appends."""
        engine.run(lambda t: t.append(b"log/", b"1"))

        def body(transaction: Transaction) -> int:
            transaction.append(b"log/", b"2")
            return len(transaction.range(b"log/", b"log0").rows)

        assert engine.run(body) == 1
        assert [value for _, value in _rows(engine, b"log/", b"log0")] == [b"1", b"2"]

    def test_append_goes_on_after_a_clear(self, engine: Engine) -> None:
        """Sequences never start again: who remembers the last key misses nothing after a clear."""
        last = b""
        for _ in range(5):
            engine.run(lambda t: t.append(b"log/", b"v"))
            ((key, _),) = _rows(engine, b"log/", b"log0")
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
                seen.extend(key for key, _ in _rows(engine, begin, b"log0"))
                if finished:
                    tails.append(seen)
                    return

        def work(number: int) -> None:
            for n in range(20):
                engine.run(lambda t, n=n: t.append(b"log/", b"%d %d" % (number, n)))  # type: ignore[misc]

        follower = threading.Thread(target=follow, daemon=True)
        follower.start()
        try:
            _in_threads(8, work)
        finally:
            stop.set()
            follower.join(_JOIN_S)
        rows = _rows(engine, b"log/", b"log0")
        by_thread: dict[bytes, list[int]] = {}
        for _, value in rows:
            number, n = value.split()
            by_thread.setdefault(number, []).append(int(n))
        assert by_thread == {b"%d" % number: list(range(20)) for number in range(8)}
        # Following by key is only right if no key ever appears below one that was already seen.
        assert tails == [[key for key, _ in rows]]
        assert all(before < after for before, after in pairwise(key for key, _ in rows))

    # Life

    def test_url_says_what_was_opened(self, engine: Engine) -> None:
        """The URL has a scheme, and another handle to the store has the same."""
        other = self.open_engine()
        other.close()
        assert "://" in engine.url
        assert other.url == engine.url

    def test_closing_twice_is_fine(self) -> None:
        """After close, another close does nothing, and everything else is Unavailable."""
        engine = self.open_engine()
        engine.close()
        engine.close()
        for use in (engine.run, engine.read):
            with pytest.raises(Unavailable) as caught:
                use(lambda _: None)
            assert caught.value.hint

    def test_closing_one_handle_leaves_the_other(self, engine: Engine) -> None:
        """Two handles to one store in one process live apart."""
        other = self.open_engine()
        run_twice(other, lambda t: t.set(b"k", b"v"))
        other.close()
        _store(engine, (b"l", b"w"))
        assert _rows(engine) == [(b"k", b"v"), (b"l", b"w")]
