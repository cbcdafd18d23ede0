"""An environment of this process: who is let in while its map grows, while it closes, and after."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.lmdb.environment import READERS, Environment, acquire, release
from coditect.errors import Unavailable, UsageError

LEAST = 1 << 16
LARGE = 1 << 23

LARGER = """
import sys
from pathlib import Path
from coditect.engine.lmdb.engine import LmdbEngine
engine = LmdbEngine(Path(sys.argv[1]), map_size_bytes=int(sys.argv[2]), durable=False)
engine.run(lambda transaction: transaction.set(b"k", b"v"))
engine.close()
"""


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Environment]:
    """An environment with the least map."""
    environment = acquire(tmp_path / "store", LEAST, durable=False)
    yield environment
    release(environment)


def _map_bytes(environment: Environment) -> int:
    return int(environment.raw.info()["map_size"])


def _waiting(work: Callable[[], object]) -> threading.Thread:
    """A thread that has begun with some work and has not come to its end."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(0.2)
    assert thread.is_alive()
    return thread


def _ended(thread: threading.Thread) -> None:
    thread.join(30)
    assert not thread.is_alive()


def test_map_grows_to_twice_its_size(opened: Environment) -> None:
    """Each time it is full, so that few growths are enough for any size."""
    for times in (2, 4, 8):
        opened.grow()
        assert _map_bytes(opened) == times * LEAST


def test_map_that_another_process_made_larger_is_taken_as_it_is(opened: Environment, tmp_path: Path) -> None:
    """Both where it is told that it was, and where it is full itself; then it grows on from there."""
    done = subprocess.run([sys.executable, "-c", LARGER, str(tmp_path / "store"), str(LARGE)], timeout=60, check=False)
    assert done.returncode == 0
    assert _map_bytes(opened) == LEAST
    opened.grow()
    assert _map_bytes(opened) == LARGE
    opened.raw.set_mapsize(LARGE // 2)
    opened.adopt()
    assert _map_bytes(opened) == LARGE
    opened.grow()
    assert _map_bytes(opened) == 2 * LARGE


def test_nobody_comes_in_while_one_is_alone(opened: Environment) -> None:
    """A transaction that would begin waits, as does another who wants to be alone."""

    def begin_and_end() -> None:
        opened.enter()
        opened.leave()

    with opened._alone():
        waiting = [_waiting(begin_and_end), _waiting(opened.adopt)]
    for each in waiting:
        _ended(each)


def test_who_wants_to_be_alone_waits_for_the_last_one_inside(opened: Environment) -> None:
    """Whoever leaves while others are inside lets nobody in."""
    first, second = threading.Event(), threading.Event()
    inside = threading.Barrier(3)

    def stay(until: threading.Event) -> None:
        opened.enter()
        inside.wait(30)
        until.wait(30)
        opened.leave()

    readers = [threading.Thread(target=stay, args=(until,), daemon=True) for until in (first, second)]
    for reader in readers:
        reader.start()
    inside.wait(30)
    growing = _waiting(opened.grow)
    first.set()
    _ended(readers[0])
    growing.join(0.1)
    assert growing.is_alive()
    second.set()
    _ended(growing)
    assert _map_bytes(opened) == 2 * LEAST


def test_environment_that_was_closed_lets_nobody_in(tmp_path: Path) -> None:
    """Also not whoever waited meanwhile."""
    environment = Environment(tmp_path / "store", LEAST, durable=False)
    environment.enter()
    environment.leave()
    environment.close()
    with pytest.raises(Unavailable, match="closed"):
        environment.enter()


def test_thread_is_inside_once(opened: Environment) -> None:
    """A second transaction of a thread would wait for the first; after its end there may be another."""
    opened.check_not_inside()
    opened.enter()
    for again in (opened.enter, opened.check_not_inside):
        with pytest.raises(UsageError, match="inside another"):
            again()
    opened.leave()
    opened.enter()
    opened.leave()


def test_store_that_is_being_closed_is_opened_when_that_has_ended(tmp_path: Path) -> None:
    """Its last engine waits for a body of another thread; who opens the store meanwhile waits, and gets one that is open."""
    path = tmp_path / "store"
    engine = LmdbEngine(path, durable=False)
    running, go_on = threading.Event(), threading.Event()

    def body(transaction: object) -> None:
        running.set()
        assert go_on.wait(30)

    writing = threading.Thread(target=lambda: engine.run(body), daemon=True)
    writing.start()
    assert running.wait(30)
    closing = _waiting(engine.close)
    found: list[LmdbEngine] = []
    opening = _waiting(lambda: found.append(LmdbEngine(path, durable=False)))
    go_on.set()
    for thread in (writing, closing, opening):
        _ended(thread)
    found[0].run(lambda transaction: transaction.set(b"k", b"v"))
    assert found[0].read(lambda transaction: transaction.get(b"k")) == b"v"
    found[0].close()


def test_store_has_room_for_1024_readers(opened: Environment) -> None:
    """Of all processes together, as releases before made it: the first who opens a store says so for all."""
    assert READERS == 1024
    assert opened.raw.info()["max_readers"] == 1024
