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
from coditect.store.rows import TABLE_OF
from coditect.store.store import Store

__all__ = ["ItemWrites"]

_CORPUS = "sample"
_MAP_BYTES = 1 << 30

Row = tuple[bytes, bytes]


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
        engine = LmdbEngine(folder / "store", map_size_bytes=_MAP_BYTES)
        store = Store(engine)
        self.items: list[Item] = [
            item for cls, table in TABLE_OF.items() for _, item in store.scan(table, cls, _CORPUS)
        ]
        self.rows: list[Row] = [row for table in self._tables() for row in _rows_of(store, table)]
        engine.close()

    @staticmethod
    def _tables() -> Iterator[str]:
        yield from TABLE_OF.values()
        yield from (name for name in LAYOUT if name.startswith("idx/") and name != "idx/answer")

    def through_the_store(self, *, durable: bool) -> Callable[[Path], float]:
        """Seconds of ``put_items`` into a new store."""

        def work(path: Path) -> float:
            engine = LmdbEngine(path, map_size_bytes=_MAP_BYTES, durable=durable)
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

        def work(path: Path) -> float:
            engine = LmdbEngine(path, map_size_bytes=_MAP_BYTES, durable=durable)
            started_s = time.perf_counter()
            for begin in range(0, len(self.rows), self._batch):

                def body(transaction: Transaction, begin: int = begin) -> None:
                    for key, value in self.rows[begin : begin + self._batch]:
                        transaction.set(key, value)

                engine.run(body)
            taken_s = time.perf_counter() - started_s
            engine.close()
            return taken_s

        return work

    def through_raw_lmdb(self, *, durable: bool) -> Callable[[Path], float]:
        """Seconds of the finished rows through the library alone."""

        def work(path: Path) -> float:
            with lmdb.open(str(path), map_size=_MAP_BYTES, sync=durable, metasync=durable) as environment:
                started_s = time.perf_counter()
                for begin in range(0, len(self.rows), self._batch):
                    with environment.begin(write=True) as transaction:
                        for key, value in self.rows[begin : begin + self._batch]:
                            transaction.put(key, value)
                return time.perf_counter() - started_s

        return work


def _rows_of(store: Store, table: str) -> Iterator[Row]:
    for page in store.pages(*store.keys.bounds(table)):
        yield from page
