"""How much of raw LMDB's speed is left behind the storage port: ``python -m benchmarks.engines``.

The same records, in the same batches, through the engine and through ``lmdb`` itself, in turns, each into a new store
in one temporary folder. The best of five runs counts: what disturbs a run only ever makes it slower.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import lmdb

from coditect.engine.lmdb import LmdbEngine
from coditect.engine.port import Transaction

_RECORDS = 50_000
_BATCH = 1_000
_RUNS = 5
_MAP_BYTES = 1 << 30
_PAGE = 10_000
_END = b"\xff"

Rows = list[tuple[bytes, bytes]]


def _records(*, shuffled: bool) -> Rows:
    """Keys as a key space has them (a common prefix, then a hash or a number), values of 100 to 600 bytes."""
    source = random.Random(29)  # noqa: S311 - not a secret
    rows = [
        (b"\x02knowledge\x00\x02extractions\x00\x15" + n.to_bytes(8, "big"), source.randbytes(source.randint(100, 600)))
        for n in range(_RECORDS)
    ]
    if shuffled:
        source.shuffle(rows)
    return rows


def _batches(rows: Rows) -> list[Rows]:
    return [rows[start : start + _BATCH] for start in range(0, len(rows), _BATCH)]


def _best(work: Callable[[Path], float]) -> float:
    """Least seconds of several runs, each in a new folder."""
    seconds = []
    for _ in range(_RUNS):
        with tempfile.TemporaryDirectory() as folder:
            seconds.append(work(Path(folder) / "store"))
    return min(seconds)


def _engine_writes(rows: Rows, *, durable: bool) -> Callable[[Path], float]:
    def work(path: Path) -> float:
        engine = LmdbEngine(path, map_size_bytes=_MAP_BYTES, durable=durable)
        started_s = time.perf_counter()
        for batch in _batches(rows):

            def body(transaction: Transaction, batch: Rows = batch) -> None:
                for key, value in batch:
                    transaction.set(key, value)

            engine.run(body)
        taken_s = time.perf_counter() - started_s
        engine.close()
        return taken_s

    return work


def _raw_writes(rows: Rows, *, durable: bool) -> Callable[[Path], float]:
    def work(path: Path) -> float:
        with lmdb.open(str(path), map_size=_MAP_BYTES, sync=durable, metasync=durable) as environment:
            started_s = time.perf_counter()
            for batch in _batches(rows):
                with environment.begin(write=True) as transaction:
                    for key, value in batch:
                        transaction.put(key, value)
            return time.perf_counter() - started_s

    return work


def _timed(work: Callable[[], object]) -> float:
    seconds = []
    for _ in range(_RUNS):
        started_s = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started_s)
    return min(seconds)


def _engine_reads(engine: LmdbEngine, keys: list[bytes]) -> dict[str, float]:
    def gets(transaction: Transaction) -> None:
        for key in keys:
            transaction.get(key)

    def many(transaction: Transaction) -> None:
        for start in range(0, len(keys), _BATCH):
            transaction.get_many(keys[start : start + _BATCH])

    def one_each() -> None:
        for key in keys:
            engine.read(lambda transaction, key=key: transaction.get(key))  # type: ignore[misc]

    def scan(*, reverse: bool) -> Callable[[Transaction], None]:
        def body(transaction: Transaction) -> None:
            page = transaction.range(b"", _END, limit=_PAGE, reverse=reverse)
            while page.continuation is not None:
                page = transaction.range(b"", _END, limit=_PAGE, reverse=reverse, continuation=page.continuation)

        return body

    return {
        "get": _timed(lambda: engine.read(gets)),
        "get_many": _timed(lambda: engine.read(many)),
        "get, a transaction each": _timed(one_each),
        "scan": _timed(lambda: engine.read(scan(reverse=False))),
        "scan backwards": _timed(lambda: engine.read(scan(reverse=True))),
    }


def _raw_reads(path: Path, keys: list[bytes]) -> dict[str, float]:
    with lmdb.open(str(path), map_size=_MAP_BYTES, max_spare_txns=1) as environment:

        def gets() -> None:
            with environment.begin() as transaction:
                for key in keys:
                    transaction.get(key)

        def one_each() -> None:
            for key in keys:
                with environment.begin() as transaction:
                    transaction.get(key)

        def scan(*, reverse: bool) -> None:
            with environment.begin() as transaction:
                cursor = transaction.cursor()
                deque(cursor.iterprev() if reverse else cursor.iternext(), maxlen=0)

        def many() -> None:
            with environment.begin() as transaction:
                for start in range(0, len(keys), _BATCH):
                    transaction.cursor().getmulti(keys[start : start + _BATCH])

        return {
            "get": _timed(gets),
            "get_many": _timed(many),
            "get, a transaction each": _timed(one_each),
            "scan": _timed(lambda: scan(reverse=False)),
            "scan backwards": _timed(lambda: scan(reverse=True)),
        }


def _row(name: str, engine_s: float, raw_s: float) -> None:
    print(f"{name:<32}{_RECORDS / engine_s:>14,.0f}{_RECORDS / raw_s:>14,.0f}{raw_s / engine_s:>9.0%}")


def main() -> None:
    """Print one table."""
    print(f"{_RECORDS:,} records, batches of {_BATCH:,}, best of {_RUNS}; records per second\n")
    print(f"{'':<32}{'engine':>14}{'raw lmdb':>14}{'ratio':>9}")
    for order, shuffled in (("in order", False), ("shuffled", True)):
        rows = _records(shuffled=shuffled)
        for name, durable in (("durable", True), ("not durable", False)):
            engine_s = _best(_engine_writes(rows, durable=durable))
            raw_s = _best(_raw_writes(rows, durable=durable))
            _row(f"set, {order}, {name}", engine_s, raw_s)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store"
        rows = _records(shuffled=True)
        _engine_writes(rows, durable=False)(path)
        keys = [key for key, _ in rows]
        engine = LmdbEngine(path, map_size_bytes=_MAP_BYTES)
        engine_s_by_name = _engine_reads(engine, keys)
        engine.close()
        for name, raw_s in _raw_reads(path, keys).items():
            _row(name, engine_s_by_name[name], raw_s)


if __name__ == "__main__":
    main()
