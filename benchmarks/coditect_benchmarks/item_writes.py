"""Items through the store against their finished rows through raw LMDB: what ids, compression, seals and look-ups cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import lmdb

from coditect.compose import open_knowledge
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.port import Transaction
from coditect.keyspace import LAYOUT
from coditect.sample import sample_folder
from coditect.schemas import BuildSettings, Item
from coditect.settings import Settings
from coditect.store.rows import item_tables
from coditect.store.store import Store

__all__ = ["MAP_BYTES", "ItemWrites", "Rows", "batches", "raw_row_writes", "row_writes"]

_CORPUS = "sample"

MAP_BYTES = 1 << 30
"""Address space of every store, so that none has to grow while it is measured."""

Rows = list[tuple[bytes, bytes]]


def batches(rows: Rows, size: int) -> list[Rows]:
    """Rows, so many at a time."""
    return [rows[begin : begin + size] for begin in range(0, len(rows), size)]


def row_writes(rows: Rows, batch: int, *, durable: bool) -> Callable[[Path], float]:
    """Seconds of rows through the storage port into a new store.

    Args:
        rows: in the order in which they are written.
        batch: rows of one transaction.
        durable: whether commits wait for the disk.
    """

    def work(path: Path) -> float:
        engine = LmdbEngine(path, map_size_bytes=MAP_BYTES, durable=durable)
        started_s = time.perf_counter()
        for some in batches(rows, batch):

            def body(transaction: Transaction, some: Rows = some) -> None:
                for key, value in some:
                    transaction.set(key, value)

            engine.run(body)
        taken_s = time.perf_counter() - started_s
        engine.close()
        return taken_s

    return work


def raw_row_writes(rows: Rows, batch: int, *, durable: bool) -> Callable[[Path], float]:
    """Seconds of rows through the library alone; otherwise as :func:`row_writes`."""

    def work(path: Path) -> float:
        with lmdb.open(str(path), map_size=MAP_BYTES, sync=durable, metasync=durable) as environment:
            started_s = time.perf_counter()
            for some in batches(rows, batch):
                with environment.begin(write=True) as transaction:
                    for key, value in some:
                        transaction.put(key, value)
            return time.perf_counter() - started_s

    return work


class ItemWrites:
    """The items of the built sample corpus, and the rows that they are stored as.

    Args:
        folder: an empty one, for the store that they are read from.
        batch: rows of one raw transaction.

    Attributes:
        items: every item of every tier.
        rows: their records and index entries, in the order of keys of each table.
    """

    def __init__(self, folder: Path, batch: int) -> None:
        self._batch = batch
        with open_knowledge(Settings(store=f"lmdb://{folder}/store", cache=folder / "cache", jobs=1)) as knowledge:
            knowledge.ingest(_CORPUS, [sample_folder()])
            knowledge.build(_CORPUS, BuildSettings())
        engine = LmdbEngine(folder / "store", map_size_bytes=MAP_BYTES)
        store = Store(engine)
        self.items: list[Item] = [
            item for cls, table in item_tables().items() for _, item in store.scan(table, cls, _CORPUS)
        ]
        self.rows: Rows = [row for table in self._tables() for row in _rows_of(store, table)]
        engine.close()

    @staticmethod
    def _tables() -> Iterator[str]:
        yield from item_tables().values()
        yield from (name for name in LAYOUT if name.startswith("idx/") and name != "idx/answer")

    def through_the_store(self, *, durable: bool) -> Callable[[Path], float]:
        """Seconds of ``put_items`` into a new store."""

        def work(path: Path) -> float:
            engine = LmdbEngine(path, map_size_bytes=MAP_BYTES, durable=durable)
            store = Store(engine)
            started_s = time.perf_counter()
            new, _ = store.put_items(self.items)
            taken_s = time.perf_counter() - started_s
            engine.close()
            assert new == len(self.items), "an item was there before it was written"
            return taken_s

        return work

    def through_the_engine(self, *, durable: bool) -> Callable[[Path], float]:
        """Seconds of the finished rows through the storage port."""
        return row_writes(self.rows, self._batch, durable=durable)

    def through_raw_lmdb(self, *, durable: bool) -> Callable[[Path], float]:
        """Seconds of the finished rows through the library alone."""
        return raw_row_writes(self.rows, self._batch, durable=durable)


def _rows_of(store: Store, table: str) -> Iterator[tuple[bytes, bytes]]:
    for page in store.pages(*store.keys.bounds(table)):
        yield from page
