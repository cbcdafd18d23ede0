"""The embedded engine in detail: the keys that it appends, how often it tries, and what a child of a fork may close."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lmdb
import pytest

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.errors import Conflict, Corrupt, StoreError, TooLarge, Unavailable
from coditect.testing.engine.probe import rows_of, store
from tests.unit.engine.writing import append_all


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[LmdbEngine]:
    """A new store."""
    with closing(LmdbEngine(tmp_path / "store", durable=False, retries=3)) as opened:
        yield opened


def _sequence(commit: int, place: int) -> bytes:
    return commit.to_bytes(8, "big") + bytes(2) + place.to_bytes(2, "big")


def _appended(engine: LmdbEngine, *prefixes: bytes) -> list[bytes]:
    """The new keys, in order, after one transaction appended under some prefixes."""
    before = {key for key, _ in rows_of(engine)}
    append_all(engine, [(prefix, b"v") for prefix in prefixes])
    return [key for key, _ in rows_of(engine) if key not in before]


# Appended keys


def test_first_append_of_a_store_is_of_its_first_commit(engine: LmdbEngine) -> None:
    """Each prefix counts its own appends, from 0; the commit is the same for all."""
    keys = _appended(engine, b"a/", b"b/", b"a/", b"a/")
    assert keys == [b"a/" + _sequence(1, place) for place in range(3)] + [b"b/" + _sequence(1, 0)]
    assert _appended(engine, b"b/") == [b"b/" + _sequence(2, 0)]


@pytest.mark.parametrize("prefix", [b"l", b"log/", b"a longer log/"])
def test_append_follows_the_last_key_of_its_prefix(engine: LmdbEngine, prefix: bytes) -> None:
    """Where that lies above the commits of this store, which a restored copy has, the next is one more."""
    store(engine, (prefix + _sequence(7_000, 5), b"v"))
    assert _appended(engine, prefix) == [prefix + _sequence(7_001, 0)]
    assert _appended(engine, prefix, prefix) == [prefix + _sequence(7_002, 0), prefix + _sequence(7_002, 1)]


@pytest.mark.parametrize(
    "stranger",
    [b"k/" + _sequence(7_000, 0), b"log/" + _sequence(7_000, 0) + b"x", b"log/" + _sequence(7_000, 0)[:-1], b"log/7"],
    ids=["another prefix", "longer", "shorter", "a row"],
)
def test_append_follows_only_what_was_appended_under_its_prefix(engine: LmdbEngine, stranger: bytes) -> None:
    """Rows of other prefixes, and rows that have other lengths, say nothing of its place."""
    engine.run(lambda transaction: transaction.set(stranger, b"v"))
    assert _appended(engine, b"log/") == [b"log/" + _sequence(2, 0)]


def test_append_beyond_the_last_place_is_refused(engine: LmdbEngine) -> None:
    """No row is ever written over by it."""
    last = b"log/" + _sequence(2**64 - 1, 0)
    store(engine, (last, b"old"))
    with pytest.raises(Corrupt, match="exists already"):
        engine.run(lambda transaction: transaction.append(b"log/", b"new"))
    assert rows_of(engine) == [(last, b"old")]


# Ranges that hold nothing


def test_range_without_an_inside_is_empty_and_clears_nothing(engine: LmdbEngine) -> None:
    """Its end before its begin, or both the same, wherever rows lie."""
    rows = [(b"%d" % n, b"v") for n in range(5)]
    store(engine, *rows)
    for begin, end in ((b"2", b"2"), (b"3", b"1"), (b"9", b"2"), (b"3", b""), (b"9", b"9")):
        for reverse in (False, True):
            page = engine.read(lambda t, b=begin, e=end, r=reverse: t.range(b, e, reverse=r))  # type: ignore[misc]
            assert (page.rows, page.continuation) == ((), None)
        engine.run(lambda t, b=begin, e=end: t.clear_range(b, e))  # type: ignore[misc]
    assert rows_of(engine) == rows


# Attempts


class _Failing:
    """What fails each time, in one way, and an environment that notes what is done about it."""

    def __init__(self, error: Exception, stale: int = 1) -> None:
        self.error = error
        self.tries = 0
        self.done: list[str] = []
        self.environment: Any = SimpleNamespace(
            grow=lambda: self.done.append("grow"),
            adopt=lambda: self.done.append("adopt"),
            clear_stale_readers=lambda: self.stale("clear", stale),
        )

    def stale(self, done: str, count: int) -> int:
        self.done.append(done)
        return count

    def once(self, environment: object, body: object) -> str:
        self.tries += 1
        if isinstance(self.error, lmdb.MapFullError) and self.tries > 40:
            return "fits"
        raise self.error


@pytest.mark.parametrize("retries", [0, 1, 4])
@pytest.mark.parametrize(
    ("error", "done"), [(lmdb.MapResizedError("larger"), "adopt"), (lmdb.ReadersFullError("full"), "clear")]
)
def test_transaction_starts_again_as_often_as_it_may(tmp_path: Path, error: Exception, done: str, retries: int) -> None:
    """And once more than never, after what can be done about the reason."""
    failing = _Failing(error)
    with (
        closing(LmdbEngine(tmp_path / "store", durable=False, retries=retries)) as engine,
        pytest.raises(Conflict, match="retries ran out") as caught,
    ):
        engine._retry(failing.environment, lambda _: None, failing.once)
    assert failing.tries == retries + 1
    assert failing.done == [done] * failing.tries
    assert caught.value.context["retries"] == retries


def test_map_that_is_full_does_not_count_as_an_attempt(engine: LmdbEngine) -> None:
    """It is twice as large each time, so this ends."""
    failing = _Failing(lmdb.MapFullError("full"))
    assert engine._retry(failing.environment, lambda _: None, failing.once) == "fits"
    assert failing.done == ["grow"] * 40


def test_readers_that_all_live_leave_no_room(engine: LmdbEngine) -> None:
    """Where no slot of a dead one could be freed, another try would find the same."""
    failing = _Failing(lmdb.ReadersFullError("full"), stale=0)
    with pytest.raises(Unavailable, match="all reader slots are taken"):
        engine._retry(failing.environment, lambda _: None, failing.once)
    assert failing.tries == 1


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (lmdb.CorruptedError("x"), Corrupt, "the store is damaged"),
        (lmdb.PageNotFoundError("x"), Corrupt, "the store is damaged"),
        (lmdb.TxnFullError("x"), TooLarge, "changes too many pages"),
        (lmdb.DiskError("x"), Unavailable, "the disk is full"),
        (lmdb.Error("x"), Unavailable, "the store does not answer"),
    ],
)
def test_errors_of_lmdb_are_the_ports(
    engine: LmdbEngine, error: lmdb.Error, kind: type[StoreError], message: str
) -> None:
    """At once: none of them passes by itself."""
    failing = _Failing(error)
    with pytest.raises(kind, match=message) as caught:
        engine._retry(failing.environment, lambda _: None, failing.once)
    assert failing.tries == 1
    assert caught.value.hint


@pytest.mark.parametrize(("free", "message"), [(0, "the disk is full"), (1 << 30, "the store does not answer")])
def test_write_that_is_cut_short_is_a_full_disk_where_there_is_no_room(
    engine: LmdbEngine, monkeypatch: pytest.MonkeyPatch, free: int, message: str
) -> None:
    """LMDB tells both as an error of input and output."""
    room = SimpleNamespace(free=free)
    monkeypatch.setattr("coditect.engine.lmdb.engine.shutil.disk_usage", lambda _path: room)
    failing = _Failing(lmdb.Error("mdb_txn_commit: Input/output error"))
    with pytest.raises(Unavailable, match=message):
        engine._retry(failing.environment, lambda _: None, failing.once)


# Forks

CLOSED_IN_A_CHILD = """
import os, signal, sys
from pathlib import Path
from coditect.engine.lmdb.engine import LmdbEngine
engine = LmdbEngine(Path(sys.argv[1]), durable=False)

def body(transaction):
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        engine.close()
        engine.close()
        os._exit(7)
    transaction.set(b"k", b"v")
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

print(engine.run(body), engine.read(lambda transaction: transaction.get(b"k")))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_child_of_a_fork_closes_nothing_of_its_parent(tmp_path: Path) -> None:
    """Also not where the parent was within a body, which the child would wait for in vain."""
    done = subprocess.run(
        [sys.executable, "-c", CLOSED_IN_A_CHILD, str(tmp_path / "store")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == "7 b'v'\n", done.stderr
