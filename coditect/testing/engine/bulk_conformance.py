# ruff: noqa: S101 - a test suite asserts
"""The part of the conformance suite that is about many transactions at once, reads without conflicts, and watches."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from coditect.engine.limits import VALUE_BYTES
from coditect.engine.port import Engine, Transaction
from coditect.errors import Unavailable, UsageError
from coditect.testing.engine.probe import JOIN_S, EngineTests, in_threads, rows_of, run_twice, store, value_of

__all__ = ["BulkConformance"]


class _Stop(Exception):  # noqa: N818 - it stops a body on purpose
    """Raised by a body to see what becomes of the others."""


def _setting(key: bytes, value: bytes) -> Callable[[Transaction], None]:
    return lambda transaction: transaction.set(key, value)


class BulkConformance(EngineTests):
    """Bodies in numbers, bulk work, and what is watched."""

    # Many bodies

    def test_run_many_commits_every_body(self, engine: Engine) -> None:
        """All are committed when it returns, more of them than can be under way at once, whatever they write."""
        rows = [(b"%04d" % n, bytes(VALUE_BYTES if n % 7 == 0 else n)) for n in range(150)]
        engine.run_many(_setting(*row) for row in rows)
        engine.run_many([])
        other = self.open_engine()
        try:
            assert rows_of(other) == rows
        finally:
            other.close()

    def test_run_many_bodies_read_and_conflict_with_nobody_unseen(self, engine: Engine) -> None:
        """Bodies that change the same key each see what those before them committed, or run again."""

        def increment(transaction: Transaction) -> None:
            transaction.set(b"n", b"%d" % (int(transaction.get(b"n") or b"0") + 1))

        engine.run_many([increment] * 30)
        assert value_of(engine, b"n") == b"30"

    def test_run_many_in_threads_loses_nothing(self, engine: Engine) -> None:
        """Several callers at once get in nobody's way."""

        def work(number: int) -> None:
            engine.run_many(_setting(b"%d/%d" % (number, n), b"v") for n in range(20))

        in_threads(3, work)
        assert len(rows_of(engine)) == 60

    def test_run_many_takes_bodies_as_they_are_made(self, engine: Engine) -> None:
        """What makes the bodies may read between them, and finds no transaction open."""
        store(engine, (b"a", b"1"))
        engine.run_many(_setting(b"b%d" % n, value_of(engine, b"a") or b"") for n in range(5))
        assert len(rows_of(engine, b"b", b"c")) == 5

    def test_run_many_ends_with_the_body_that_failed(self, engine: Engine) -> None:
        """Its exception comes out, those before it are whole or not there, and those after it were not begun."""
        begun: list[int] = []

        def body(transaction: Transaction, n: int) -> None:
            begun.append(n)
            transaction.set(b"%d/a" % n, b"v")
            transaction.set(b"%d/b" % n, b"v")
            if n == 5:
                raise _Stop

        with pytest.raises(_Stop):
            engine.run_many((lambda transaction, n=n: body(transaction, n)) for n in range(9))  # type: ignore[misc]
        assert set(begun) == set(range(6))
        found = [key for key, _ in rows_of(engine)]
        assert all(key[:1] < b"5" for key in found)
        assert len([key for key in found if key.endswith(b"a")]) == len([key for key in found if key.endswith(b"b")])
        store(engine, (b"after", b"1"))
        assert value_of(engine, b"after") == b"1"

    def test_run_many_within_a_body_is_refused(self, engine: Engine) -> None:
        """As any transaction is."""
        for outer in (engine.run, engine.read):
            with pytest.raises(UsageError):
                outer(lambda _: engine.run_many([_setting(b"k", b"v")]))
        assert rows_of(engine) == []

    # Bulk work

    def test_bulk_is_the_same_store(self, engine: Engine) -> None:
        """What is written in one is read in the other, nesting is refused through it, and its URL is the same."""
        bulk = engine.bulk("test")
        assert bulk.url == engine.url
        run_twice(bulk, _setting(b"k", b"v"))
        bulk.run_many([_setting(b"l", b"v")])
        assert rows_of(engine) == rows_of(bulk) == [(b"k", b"v"), (b"l", b"v")]
        with pytest.raises(UsageError):
            engine.run(lambda _: bulk.read(lambda t: t.get(b"k")))

    def test_bulk_is_closed_with_its_engine(self) -> None:
        """Closing either closes both."""
        for first in (0, 1):
            engine = self.open_engine()
            both = [engine, engine.bulk("test")]
            both[first].close()
            for each in both:
                with pytest.raises(Unavailable):
                    each.read(lambda t: t.get(b"k"))
                each.close()

    # Reads without conflicts

    def test_snapshot_reads_see_their_own_transaction(self, engine: Engine) -> None:
        """Of the same version as other reads, and with what the body wrote before."""
        store(engine, (b"a", b"1"), (b"b", b"1"))

        def body(transaction: Transaction) -> None:
            transaction.set(b"a", b"2")
            transaction.clear(b"b")
            assert transaction.get_many([b"a", b"b", b"c"], snapshot=True) == [b"2", None, None]

        engine.run(body)
        keys = [b"a", b"", b"a", b"\xff"]
        assert engine.read(lambda t: t.get_many(keys, snapshot=True)) == [b"2", None, b"2", None]

    def test_snapshot_reads_lose_no_row(self, engine: Engine) -> None:
        """Writers who look without a conflict whether the same rows are there, and write them if not, all succeed."""
        rows = [(b"%03d" % n, b"v%d" % n) for n in range(100)]

        def work(number: int) -> None:
            for begin in range(0, 100, 10):
                some = rows[begin : begin + 10]

                def body(transaction: Transaction, some: list[tuple[bytes, bytes]] = some) -> None:
                    found = transaction.get_many([key for key, _ in some], snapshot=True)
                    for (key, value), there in zip(some, found, strict=True):
                        if there is None:
                            transaction.set(key, value)

                engine.run(body)

        in_threads(3, work)
        assert rows_of(engine) == rows

    # Clearing and appending

    def test_clearing_and_appending_in_one_range_is_refused(self, engine: Engine) -> None:
        """In either order, by key or by range; beside each other, and in two transactions, both are fine."""
        engine.run(lambda t: t.append(b"log/", b"1"))
        ((key, _),) = rows_of(engine)
        clears: list[Callable[[Transaction], None]] = [
            lambda t: t.clear(key),
            lambda t: t.clear_range(b"log/", b"log0"),
            lambda t: t.clear_range(b"a", b"z"),
            lambda t: t.clear_range(b"log/" + bytes(12), b"log/" + bytes(12) + b"\x00"),
        ]

        def append(transaction: Transaction) -> None:
            transaction.append(b"log/", b"2")

        for clear in clears:
            for one, other in ((clear, append), (append, clear)):
                with pytest.raises(UsageError):
                    engine.run(lambda t, one=one, other=other: (one(t), other(t)))  # type: ignore[misc]
        assert rows_of(engine) == [(key, b"1")]

        def beside(transaction: Transaction) -> None:
            transaction.append(b"log/", b"2")
            transaction.clear(b"log/")
            transaction.clear(b"log0")
            transaction.clear_range(b"a", b"log/")
            transaction.clear_range(b"log0", b"z")
            transaction.clear_range(b"z", b"a")

        engine.run(beside)
        assert [value for _, value in rows_of(engine)] == [b"1", b"2"]

    # Watches

    def test_watch_returns_what_is_there_already(self, engine: Engine) -> None:
        """A value other than the one that was seen is returned at once; the same one when the time is up."""
        store(engine, (b"k", b"1"))
        assert engine.watch(b"k", None, JOIN_S) == b"1"
        assert engine.watch(b"k", b"0", JOIN_S) == b"1"
        assert engine.watch(b"absent", b"0", JOIN_S) is None
        assert engine.watch(b"k", b"1", 0.05) == b"1"
        assert engine.watch(b"absent", None, 0.0) is None

    def test_watch_sees_a_change_by_another(self, engine: Engine) -> None:
        """Whoever watches is told when another handle sets, counts up or clears the key."""
        changes: list[tuple[bytes | None, Callable[[Transaction], None]]] = [
            (b"1", _setting(b"k", b"1")),
            ((50).to_bytes(8, "little"), lambda t: t.add(b"k", 1)),
            (None, lambda t: t.clear(b"k")),
        ]
        seen: bytes | None = None
        for wanted, change in changes:
            found: list[bytes | None] = []
            waiting = threading.Thread(
                target=lambda before=seen, found=found: found.append(engine.watch(b"k", before, JOIN_S)),
                daemon=True,
            )
            waiting.start()
            other = self.open_engine()
            store(other, (b"beside", b"1"))
            other.run(change)
            other.close()
            waiting.join(JOIN_S)
            assert not waiting.is_alive(), "nobody told whoever watches"
            assert found == [wanted]
            seen = wanted

    def test_watch_within_a_body_is_refused(self, engine: Engine) -> None:
        """It would wait for what it keeps from happening."""
        with pytest.raises(UsageError):
            engine.run(lambda _: engine.watch(b"k", None, 0.0))
