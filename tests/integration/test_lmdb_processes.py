"""Several processes on one LMDB store: nothing is lost, nothing is half done, and a killed one stops nobody."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from pathlib import Path

import lmdb
from lmdb.verify import verify

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.port import Engine, Transaction
from coditect.errors import Unavailable
from tests.warm import WARM

_WAIT_S = 60.0
_LEAST_MAP_BYTES = 1 << 16
_BLOCK = 40


@contextmanager
def _started(*processes: BaseProcess) -> Iterator[None]:
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            if process.is_alive():
                process.kill()
            process.join(_WAIT_S)


def _finish(processes: list[BaseProcess]) -> None:
    for process in processes:
        process.join(_WAIT_S)
        assert process.exitcode == 0


def _wait_for(event: Event, process: BaseProcess) -> None:
    """Wait for what a process is to do, but not for a dead one."""
    ends = time.monotonic() + _WAIT_S
    while not event.wait(0.1):
        assert process.is_alive(), "the process died"
        assert time.monotonic() < ends, "the process is stuck"


def _number(stored: bytes | None) -> int:
    return int.from_bytes(stored or b"", "little")


# What the other processes do


def _count_and_append(path: Path, number: int, rounds: int) -> None:
    with closing(LmdbEngine(path, map_size_bytes=_LEAST_MAP_BYTES)) as engine:
        for n in range(rounds):

            def body(transaction: Transaction, n: int = n) -> None:
                transaction.set(b"n", b"%d" % (int(transaction.get(b"n") or b"0") + 1))
                transaction.add(b"sum", number)
                transaction.append(b"log/", b"%d %d %s" % (number, 2 * n, bytes(2000)))
                transaction.append(b"log/", b"%d %d %s" % (number, 2 * n + 1, bytes(2000)))

            engine.run(body)


def _write_blocks(path: Path, began: Event) -> None:
    """Transactions without end, each of which changes many pages and leaves them all with one number."""
    engine = LmdbEngine(path)
    while True:
        engine.run(_write_block)
        began.set()


def _write_block(transaction: Transaction) -> None:
    value = b"%08d" % (int((transaction.get(b"block/00") or b"0")[:8]) + 1)
    for n in range(_BLOCK):
        transaction.set(b"block/%02d" % n, value + bytes(2000 + 97 * (int(value) % 30)))
    transaction.clear_range(b"old/", b"old0")
    for n in range(20):
        transaction.set(b"old/" + value + b"%d" % n, value)
    transaction.append(b"log/", value)
    transaction.add(b"n", 1)


def _stop_within_a_body(path: Path, began: Event) -> None:
    def body(transaction: Transaction) -> None:
        transaction.set(b"k", b"half")
        began.set()
        time.sleep(_WAIT_S)

    LmdbEngine(path).run(body)


def _hold_all_reader_slots(path: Path, began: Event) -> None:
    environment = lmdb.open(str(path))
    held = []
    with suppress(lmdb.ReadersFullError):
        while True:
            held.append(environment.begin())
    began.set()
    time.sleep(_WAIT_S)
    assert held


def _value_or_error(engine: Engine) -> object:
    try:
        return engine.read(lambda t: t.get(b"k"))
    except Unavailable:
        return Unavailable


def _fill(path: Path, n_records: int) -> None:
    with closing(LmdbEngine(path, map_size_bytes=_LEAST_MAP_BYTES)) as engine:
        for start in range(0, n_records, 100):

            def body(transaction: Transaction, start: int = start) -> None:
                for n in range(start, start + 100):
                    transaction.set(b"%06d" % n, bytes(1000))

            engine.run(body)


# Tests


def test_lmdb_four_processes_lose_nothing(tmp_path: Path) -> None:
    """Read-change-write, additions and appends of four processes all count, while all of them outgrow the map."""
    rounds = 60
    path = tmp_path / "store"
    processes: list[BaseProcess] = [
        WARM.Process(target=_count_and_append, args=(path, number, rounds)) for number in range(1, 5)
    ]
    with _started(*processes):
        _finish(processes)
    with closing(LmdbEngine(path, map_size_bytes=_LEAST_MAP_BYTES)) as engine:
        assert engine.read(lambda t: t.get(b"n")) == b"%d" % (4 * rounds)
        assert _number(engine.read(lambda t: t.get(b"sum"))) == rounds * (1 + 2 + 3 + 4)
        rows = engine.read(lambda t: t.range(b"log/", b"log0", limit=10_000)).rows
    by_process: dict[int, list[int]] = {}
    for _, value in rows:
        number, n, _ = value.split(b" ")
        by_process.setdefault(int(number), []).append(int(n))
    assert by_process == {number: list(range(2 * rounds)) for number in range(1, 5)}


def _check_blocks(engine: Engine) -> int:
    """That the newest transaction is there as a whole or not at all."""

    def body(transaction: Transaction) -> int:
        rows = transaction.range(b"block/", b"block0").rows
        numbers = {value[:8] for _, value in rows}
        assert len(rows) == _BLOCK
        assert len(numbers) == 1
        number = int(numbers.pop())
        log = transaction.range(b"log/", b"log0", limit=10_000).rows
        assert [int(value) for _, value in log] == list(range(1, number + 1))
        assert {int(value) for _, value in transaction.range(b"old/", b"old0").rows} == {number}
        assert _number(transaction.get(b"n")) == number
        return number

    return engine.read(body)


def test_lmdb_writer_killed_again_and_again_leaves_whole_transactions(tmp_path: Path) -> None:
    """After kill -9 at any moment the store opens, verifies, and shows some number of whole transactions."""
    path = tmp_path / "store"
    before = 0
    for round_number in range(15):
        began = WARM.Event()
        writer = WARM.Process(target=_write_blocks, args=(path, began))
        with _started(writer):
            _wait_for(began, writer)
            # Different moments of its loop; every second time with the store open in a process that lives on.
            if round_number % 2:
                with closing(LmdbEngine(path)) as engine:
                    time.sleep(0.002 * round_number)
                    assert writer.pid is not None
                    os.kill(writer.pid, signal.SIGKILL)
                    writer.join(_WAIT_S)
                    number = _check_blocks(engine)
                    engine.run(_write_block)
                    # A commit whose process died before it could announce it comes to light with the next writer.
                    assert _check_blocks(engine) in (number + 1, number + 2)
            else:
                time.sleep(0.002 * round_number)
                writer.kill()
                writer.join(_WAIT_S)
        with closing(LmdbEngine(path)) as engine:
            after = _check_blocks(engine)
        assert after > before
        before = after
        assert verify(str(path / "data.mdb")) == []  # type: ignore[no-untyped-call]


def test_lmdb_writer_killed_within_its_body_frees_the_lock(tmp_path: Path) -> None:
    """Who dies in the middle of a body leaves nothing of it, and the next writer need not wait."""
    path = tmp_path / "store"
    with closing(LmdbEngine(path)) as engine:
        engine.run(lambda t: t.set(b"k", b"whole"))
        began = WARM.Event()
        writer = WARM.Process(target=_stop_within_a_body, args=(path, began))
        with _started(writer):
            _wait_for(began, writer)
            assert engine.read(lambda t: t.get(b"k")) == b"whole"
            blocked = threading.Thread(target=lambda: engine.run(lambda t: t.set(b"l", b"next")))
            blocked.start()
            blocked.join(0.2)
            assert blocked.is_alive()
            # A writer that waits for another process holds up no reader of its own.
            assert engine.read(lambda t: t.get(b"k")) == b"whole"
            writer.kill()
            blocked.join(_WAIT_S)
            assert not blocked.is_alive()
        assert engine.read(lambda t: t.get_many([b"k", b"l"])) == [b"whole", b"next"]


def test_lmdb_dead_readers_free_their_slots(tmp_path: Path) -> None:
    """Slots of readers that live are respected, slots of readers that were killed are taken over."""
    path = tmp_path / "store"
    with closing(LmdbEngine(path)) as engine:
        # An environment keeps the slot of its last reader for the next one; only a second one at the same time needs
        # another.
        engine.read(lambda t: t.get(b"k"))

        def outer(transaction: Transaction) -> None:
            inner = threading.Thread(target=lambda: seen.append(_value_or_error(engine)))
            inner.start()
            inner.join(_WAIT_S)

        seen: list[object] = []
        began = WARM.Event()
        holder = WARM.Process(target=_hold_all_reader_slots, args=(path, began))
        with _started(holder):
            _wait_for(began, holder)
            engine.run(lambda t: t.set(b"k", b"v"))  # writers need no slot
            engine.read(outer)
            holder.kill()
            holder.join(_WAIT_S)
            engine.read(outer)
        assert seen == [Unavailable, b"v"]


def test_lmdb_reader_follows_a_map_that_another_process_grows(tmp_path: Path) -> None:
    """A process that opened a small map reads on, and writes, while another makes the store a hundred times larger."""
    path = tmp_path / "store"
    n_records = 6000
    with closing(LmdbEngine(path, map_size_bytes=_LEAST_MAP_BYTES)) as engine:
        engine.run(lambda t: t.set(b"a", b""))
        grower = WARM.Process(target=_fill, args=(path, n_records))
        counts: list[int] = []
        with _started(grower):
            while grower.is_alive():
                rows = engine.read(lambda t: t.range(b"0", b"a", limit=10_000)).rows
                assert [key for key, _ in rows] == [b"%06d" % n for n in range(len(rows))]
                counts.append(len(rows))
                engine.run(lambda t: t.add(b"a", 1))
            _finish([grower])
        assert counts == sorted(counts)
        assert all(count % 100 == 0 for count in counts)
        assert len(engine.read(lambda t: t.range(b"0", b"a", limit=10_000)).rows) == n_records
        assert _number(engine.read(lambda t: t.get(b"a"))) == len(counts)
