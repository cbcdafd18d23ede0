"""How much of the raw libraries' speed is left behind the storage port.

Run ``python -m coditect_benchmarks.engines [--corpus FOLDER]``.

The same records, in the same batches, through the engine and through the library below it, in turns: ``lmdb`` always, each
run into a new store in one temporary folder; ``fdb`` where ``FDB_CLUSTER_FILE`` names a cluster, each run below a prefix
that is cleared. The best of several runs counts: what disturbs a run only ever makes it slower. With ``--corpus``, the
time of a whole ingest and build of a folder on each engine instead.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import lmdb

from coditect.compose import open_engine, open_knowledge
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.port import Transaction
from coditect.schemas import BuildSettings
from coditect.settings import Settings
from coditect.store.store import Store
from coditect_benchmarks.engines_fdb import ClusterRates
from coditect_benchmarks.item_writes import MAP_BYTES, ItemWrites, Rows, batches, raw_row_writes, row_writes

_RECORDS = 50_000
_BATCH = 1_000
_RUNS = 5
_PAGE = 10_000
_END = b"\xff"


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


def _best(work: Callable[[Path], float]) -> float:
    """Least seconds of several runs, each in a new folder."""
    seconds = []
    for _ in range(_RUNS):
        with tempfile.TemporaryDirectory() as folder:
            seconds.append(work(Path(folder) / "store"))
    return min(seconds)


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
    with lmdb.open(str(path), map_size=MAP_BYTES, max_spare_txns=1) as environment:

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


def _row(name: str, engine_rate: float, raw_rate: float) -> None:
    print(f"{name:<32}{engine_rate:>14,.0f}{raw_rate:>14,.0f}{engine_rate / raw_rate:>9.0%}")


def _lmdb() -> None:
    print(f"{_RECORDS:,} records, batches of {_BATCH:,}, best of {_RUNS}; records per second\n")
    print(f"{'':<32}{'engine':>14}{'raw lmdb':>14}{'ratio':>9}")
    for order, shuffled in (("in order", False), ("shuffled", True)):
        rows = _records(shuffled=shuffled)
        for name, durable in (("durable", True), ("not durable", False)):
            engine_s = _best(row_writes(rows, _BATCH, durable=durable))
            raw_s = _best(raw_row_writes(rows, _BATCH, durable=durable))
            _row(f"set, {order}, {name}", len(rows) / engine_s, len(rows) / raw_s)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store"
        rows = _records(shuffled=True)
        row_writes(rows, _BATCH, durable=False)(path)
        keys = [key for key, _ in rows]
        engine = LmdbEngine(path, map_size_bytes=MAP_BYTES)
        engine_s_by_name = _engine_reads(engine, keys)
        engine.close()
        for name, raw_s in _raw_reads(path, keys).items():
            _row(name, len(keys) / engine_s_by_name[name], len(keys) / raw_s)


def _items() -> None:
    """Whole items through the store, their rows through the engine, and through the library."""
    with tempfile.TemporaryDirectory() as folder:
        writes = ItemWrites(Path(folder), _BATCH)
        print(f"\n{len(writes.items):,} items of the sample corpus in {len(writes.rows):,} rows; rows per second\n")
        print(f"{'':<32}{'coditect':>14}{'raw lmdb':>14}{'ratio':>9}")
        for name, durable in (("durable", True), ("not durable", False)):
            raw_rate = len(writes.rows) / _best(writes.through_raw_lmdb(durable=durable))
            for way, work in (
                ("rows, engine", writes.through_the_engine(durable=durable)),
                ("items, store", writes.through_the_store(durable=durable)),
            ):
                _row(f"{way}, {name}", len(writes.rows) / _best(work), raw_rate)


def _fdb(cluster_file: Path) -> None:
    rates = ClusterRates(cluster_file, runs=_RUNS)
    print(f"\n{'':<32}{'engine':>14}{'raw fdb':>14}{'ratio':>9}")
    for order, shuffled in (("in order", False), ("shuffled", True)):
        for name, engine_rate, raw_rate in rates.writes(batches(_records(shuffled=shuffled), _BATCH)):
            _row(f"{name}, {order}", engine_rate, raw_rate)
    for name, engine_rate, raw_rate in rates.reads(batches(_records(shuffled=True), _BATCH), page=_PAGE):
        _row(name, engine_rate, raw_rate)


def _corpus(folder: Path, cluster_file: str) -> None:
    """Ingest and build a folder on each engine; the builds must be one."""
    with tempfile.TemporaryDirectory() as work:
        place = {f"lmdb://{work}/store": "default"}
        if cluster_file:
            place[f"fdb://{cluster_file}"] = f"benchmark-{os.getpid()}"
        builds = set()
        print(f"{'':<8}{'ingest s':>10}{'build s':>10}{'together':>10}")
        for url, tenant in place.items():
            with open_knowledge(Settings(store=url, tenant=tenant, cache=Path(work) / "cache")) as knowledge:
                started_s = time.perf_counter()
                knowledge.ingest("corpus", [folder])
                ingested_s = time.perf_counter()
                builds.add(knowledge.build("corpus", BuildSettings()).build_id)
                built_s = time.perf_counter()
            times = (ingested_s - started_s, built_s - ingested_s, built_s - started_s)
            print(f"{url.partition(':')[0]:<8}" + "".join(f"{each:>10.1f}" for each in times))
            if url.startswith("fdb:"):
                _clear(url, tenant)
        print(f"builds: {', '.join(sorted(builds))}")
        assert len(builds) == 1, "the engines disagree"


def _clear(url: str, tenant: str) -> None:
    engine = open_engine(url)
    space = Store(engine, tenant).keys.space
    engine.run(lambda transaction: transaction.clear_range(*space))
    engine.close()


def main() -> None:
    """Print one table for each library, or one for a corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, metavar="FOLDER", help="ingest and build this on each engine instead")
    folder = parser.parse_args().corpus
    cluster_file = os.environ.get("FDB_CLUSTER_FILE", "")
    if folder is not None:
        _corpus(folder, cluster_file)
        return
    _lmdb()
    _items()
    if cluster_file:
        _fdb(Path(cluster_file))
    else:
        print("\nFDB_CLUSTER_FILE is not set: FoundationDB is left out")


if __name__ == "__main__":
    main()
