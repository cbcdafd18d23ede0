# ruff: noqa: S101 - a test suite asserts
"""What every engine must do, as tests. An engine's own tests subclass :class:`EngineConformance`.

::

    class TestLmdb(EngineConformance):
        @pytest.fixture(autouse=True)
        def _place(self, tmp_path: Path) -> None:
            self.path = tmp_path / "store"

        def open_engine(self) -> Engine:
            return LmdbEngine(self.path)

The port says that bodies may be run again after they have committed, so ``run_twice`` does that to every body here
whose effect must not depend on it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from coditect.engine.budget import APPENDS, SEQUENCE_BYTES
from coditect.engine.limits import KEY_BYTES, TRANSACTION_BYTES, VALUE_BYTES
from coditect.engine.port import Engine, Transaction
from coditect.errors import TooLarge, Unavailable, UsageError
from coditect.testing.engine.bulk_conformance import BulkConformance
from coditect.testing.engine.probe import (
    AWKWARD_KEYS,
    END,
    JOIN_S,
    counter,
    in_threads,
    rows_of,
    run_twice,
    store,
    value_of,
)
from coditect.testing.engine.range_conformance import RangeConformance

__all__ = ["EngineConformance"]


class _Stop(Exception):  # noqa: N818 - it stops a body on purpose
    """Raised by a body to see that nothing of it stays."""


class EngineConformance(RangeConformance, BulkConformance):
    """Subclass it, say how to open the engine, and every test runs against it."""

    # Single records

    def test_get_of_an_absent_key_is_none(self, engine: Engine) -> None:
        """A key that was never set, and a key that no store could hold, have no value."""
        for key in (b"absent", b"", b"\xff", b"\xffx", bytes(KEY_BYTES + 1), b"k" * 5000):
            assert value_of(engine, key) is None

    def test_set_is_read_back(self, engine: Engine) -> None:
        """What was set is read back, byte for byte, in a later transaction and through another handle."""
        rows = [(key, key[::-1] * 3) for key in AWKWARD_KEYS]
        store(engine, *rows)
        assert rows_of(engine) == rows
        other = self.open_engine()
        try:
            assert rows_of(other) == rows
        finally:
            other.close()

    def test_empty_value_is_not_absent(self, engine: Engine) -> None:
        """An empty value is a value."""
        store(engine, (b"k", b""))
        assert value_of(engine, b"k") == b""
        assert engine.read(lambda t: t.get_many([b"k"])) == [b""]
        assert rows_of(engine) == [(b"k", b"")]

    def test_set_replaces_the_value(self, engine: Engine) -> None:
        """The last set of a key wins, within a transaction and across them."""
        store(engine, (b"k", b"1"), (b"k", b"2"))
        assert value_of(engine, b"k") == b"2"
        store(engine, (b"k", b"3"))
        assert rows_of(engine) == [(b"k", b"3")]

    def test_clear_removes_one_key(self, engine: Engine) -> None:
        """Clear removes the key and nothing beside it; an absent key is fine."""
        store(engine, *((key, b"v") for key in AWKWARD_KEYS))
        for key in (b"a\x00", b"absent"):
            run_twice(engine, lambda t, key=key: t.clear(key))  # type: ignore[misc]
        assert [key for key, _ in rows_of(engine)] == [key for key in AWKWARD_KEYS if key != b"a\x00"]

    def test_get_many_keeps_order_and_duplicates(self, engine: Engine) -> None:
        """Values come in the order of the keys, twice for a key named twice, None for one without value."""
        store(engine, *((b"%04d" % n, b"v%d" % n) for n in range(300)))
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
        store(engine, (b"kept", b"1"), (b"a", b"1"))

        def body(transaction: Transaction) -> None:
            transaction.set(b"kept", b"2")
            transaction.set(b"new", b"2")
            transaction.add(b"counter", 1)
            transaction.append(b"log", b"2")
            transaction.clear_range(b"a", b"b")
            raise _Stop

        with pytest.raises(_Stop):
            engine.run(body)
        assert rows_of(engine) == [(b"a", b"1"), (b"kept", b"1")]
        store(engine, (b"after", b"1"))
        assert value_of(engine, b"after") == b"1"

    def test_body_reads_its_own_writes(self, engine: Engine) -> None:
        """Every kind of read in a body sees what the body wrote before."""
        store(engine, (b"a", b"old"), (b"b", b"old"), (b"c", b"old"))

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
            assert counter(transaction.get(b"n")) == 42
            transaction.clear_range(b"a", b"b")
            assert transaction.get(b"ab") is None
            assert [key for key, _ in transaction.range(b"", b"d").rows] == [b"c"]

        run_twice(engine, body)

    def test_snapshot_does_not_move(self, engine: Engine) -> None:
        """A reader sees the state at its beginning, however much is committed while it runs, and delays nobody."""
        store(engine, (b"a", b"1"), (b"b", b"1"))
        seen: list[object] = []

        def look(transaction: Transaction) -> tuple[object, ...]:
            return (transaction.get(b"a"), transaction.get_many([b"b", b"c"]), transaction.range(b"", END).rows)

        def change(transaction: Transaction) -> None:
            transaction.set(b"a", b"2")
            transaction.clear(b"b")
            transaction.set(b"c", b"2")

        def reader(transaction: Transaction) -> None:
            seen.append(look(transaction))
            writer = threading.Thread(target=lambda: run_twice(engine, change), daemon=True)
            writer.start()
            writer.join(JOIN_S)
            assert not writer.is_alive(), "a reader blocks a writer"
            seen.append(look(transaction))

        engine.read(reader)
        assert seen[0] == seen[1] == (b"1", [b"1", None], ((b"a", b"1"), (b"b", b"1")))
        assert rows_of(engine) == [(b"a", b"2"), (b"c", b"2")]

    def test_uncommitted_writes_are_invisible(self, engine: Engine) -> None:
        """Nobody else sees a write before its transaction commits, and a reader does not wait for that."""
        seen: list[bytes | None] = []

        def body(transaction: Transaction) -> None:
            transaction.set(b"k", b"v")
            reader = threading.Thread(target=lambda: seen.append(value_of(engine, b"k")), daemon=True)
            reader.start()
            reader.join(JOIN_S)
            assert not reader.is_alive(), "a writer blocks a reader"

        engine.run(body)
        assert seen
        assert set(seen) == {None}
        assert value_of(engine, b"k") == b"v"

    def test_two_threads_lose_no_update(self, engine: Engine) -> None:
        """Read, change and write of one key in one body is atomic."""

        def increment(transaction: Transaction) -> None:
            transaction.set(b"n", b"%d" % (int(transaction.get(b"n") or b"0") + 1))

        def work(_: int) -> None:
            for _ in range(25):
                engine.run(increment)

        in_threads(4, work)
        assert value_of(engine, b"n") == b"100"

    def test_write_skew_is_impossible(self, engine: Engine) -> None:
        """Transactions are serialisable: of two bodies that each write only if the other has not, one writes."""
        for round_number in range(20):
            mine = [b"skew%d/%d" % (round_number, number) for number in range(2)]

            def work(number: int, mine: list[bytes] = mine) -> None:
                def body(transaction: Transaction) -> None:
                    if transaction.get(mine[1 - number]) is None:
                        transaction.set(mine[number], b"1")

                engine.run(body)

            in_threads(2, work)
        assert len(rows_of(engine)) == 20

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
        assert rows_of(engine) == []

    def test_nested_transaction_is_refused(self, engine: Engine) -> None:
        """A body cannot open a transaction on its own store: it could only wait for itself, or not see its writes."""
        openers: list[Callable[[Callable[[Transaction], None]], None]] = [engine.run, engine.read]
        for outer in openers:
            for inner in openers:
                with pytest.raises(UsageError):
                    outer(lambda _, inner=inner: inner(lambda _: None))  # type: ignore[misc]
            with pytest.raises(UsageError):
                outer(lambda _: engine.close())
        store(engine, (b"k", b"v"))
        assert value_of(engine, b"k") == b"v"

    def test_transaction_used_after_its_end_is_refused(self, engine: Engine) -> None:
        """A transaction that escaped from its body is of no use."""
        store(engine, (b"k", b"v"))
        for escaped in (engine.run(lambda t: t), engine.read(lambda t: t)):
            uses: list[Callable[[Transaction], object]] = [
                lambda t: t.get(b"k"),
                lambda t: t.get_many([b"k"]),
                lambda t: t.range(b"", END),
                lambda t: t.set(b"k", b"w"),
                lambda t: t.clear(b"k"),
            ]
            for use in uses:
                with pytest.raises(UsageError):
                    use(escaped)
        assert value_of(engine, b"k") == b"v"

    # Limits

    def test_largest_key_and_value_are_stored(self, engine: Engine) -> None:
        """Key and value may be exactly as long as the limits say."""
        row = (b"k" * KEY_BYTES, b"v" * VALUE_BYTES)
        store(engine, row)
        assert rows_of(engine) == [row]
        assert rows_of(engine, row[0]) == [row]
        assert rows_of(engine, b"", row[0]) == []
        assert rows_of(engine, row[0] + b"\x00") == []
        assert rows_of(engine, b"", row[0] + b"\x00" * 600, reverse=True) == [row]

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
        assert rows_of(engine) == []

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
        assert rows_of(engine) == []
        engine.run(lambda t: fill(t, 0))
        assert len(rows_of(engine)) == 12
        assert engine.read(lambda t: t.size_bytes) == 0

    def test_cleared_ranges_count_their_bounds(self, engine: Engine) -> None:
        """A cleared range costs its two bounds, however much it holds."""
        store(engine, *((b"%03d" % n, bytes(3000)) for n in range(200)))

        def body(transaction: Transaction) -> int:
            transaction.clear_range(b"0", b"2")
            return transaction.size_bytes

        assert run_twice(engine, body) == 2
        assert rows_of(engine) == []

    def test_reserved_and_empty_keys_are_refused(self, engine: Engine) -> None:
        """No engine stores an empty key or one that starts with 0xFF, because one of them could not."""
        for key in (b"", b"\xff", b"\xff\x00"):
            with pytest.raises(UsageError):
                engine.run(lambda t, key=key: t.set(key, b"v"))  # type: ignore[misc]
        assert rows_of(engine) == []

    def test_too_many_appends_are_refused(self, engine: Engine) -> None:
        """A transaction may append 65,536 times, which is what a versionstamp can count."""

        def body(transaction: Transaction, n: int) -> None:
            for _ in range(n):
                transaction.append(b"l", b"")

        with pytest.raises(TooLarge):
            engine.run(lambda t: body(t, APPENDS + 1))
        assert rows_of(engine) == []

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
        store(engine, (b"l", b"w"))
        assert rows_of(engine) == [(b"k", b"v"), (b"l", b"w")]
