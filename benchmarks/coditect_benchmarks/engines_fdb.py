"""The FoundationDB part of ``coditect_benchmarks.engines``: our engine and the official binding, batched alike, in turns."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from coditect.engine.foundationdb.client import load_binding
from coditect.engine.foundationdb.engine import FoundationDbEngine
from coditect.engine.port import Transaction

__all__ = ["ClusterRates"]

Batches = list[list[tuple[bytes, bytes]]]
Rate = tuple[str, float, float]

_READ_BATCHES = 10
"""Batches whose keys are read: one after the other they cost a round trip each."""


class ClusterRates:
    """Records per second on a cluster, as (name, through the engine, through the binding).

    Neither side does anything for the other: both make one transaction for each batch, and wait for its commit.

    Args:
        cluster_file: of a cluster that may be written to, below a prefix of this run's own.
        runs: the best of how many counts.
    """

    def __init__(self, cluster_file: Path, *, runs: int) -> None:
        self._engine = FoundationDbEngine(cluster_file)
        self._fdb: Any = load_binding()
        self._raw = self._fdb.open(str(cluster_file))
        self._runs = runs
        self._prefix = b"coditect-benchmark/" + uuid.uuid4().hex.encode() + b"/"

    def writes(self, batches: Batches) -> Iterator[Rate]:
        """Sets, a transaction for each batch."""
        moved = self._below_prefix(batches)
        yield self._compare(
            "set", sum(map(len, moved)), lambda: self._engine_sets(moved), lambda: self._raw_sets(moved)
        )
        self._clear()

    def reads(self, batches: Batches, *, page: int) -> Iterator[Rate]:
        """Single reads, pipelined reads, and scans by pages, a transaction for each batch or page."""
        moved = self._below_prefix(batches)
        self._engine_sets(moved)
        wanted = [[key for key, _ in batch] for batch in moved[:_READ_BATCHES]]
        count, everything = sum(map(len, wanted)), sum(map(len, moved))
        yield self._compare("get", count, lambda: self._engine_gets(wanted), lambda: self._raw_gets(wanted))
        yield self._compare("get_many", count, lambda: self._engine_many(wanted), lambda: self._raw_many(wanted))
        for name, reverse in (("scan", False), ("scan backwards", True)):
            yield self._compare(
                name,
                everything,
                lambda reverse=reverse: self._engine_scan(page, reverse=reverse),  # type: ignore[misc]
                lambda reverse=reverse: self._raw_scan(page, reverse=reverse),  # type: ignore[misc]
            )
        self._clear()

    def _compare(self, name: str, count: int, ours: Callable[[], int], theirs: Callable[[], int]) -> Rate:
        best = [float("inf"), float("inf")]
        for _ in range(self._runs):
            for place, work in enumerate((ours, theirs)):
                started_s = time.perf_counter()
                done = work()
                best[place] = min(best[place], time.perf_counter() - started_s)
                assert done == count, (name, done, count)
        return name, count / best[0], count / best[1]

    def _below_prefix(self, batches: Batches) -> Batches:
        return [[(self._prefix + key, value) for key, value in batch] for batch in batches]

    def _clear(self) -> None:
        self._engine.run(lambda transaction: transaction.clear_range(self._prefix, self._prefix + b"\xff"))

    def _engine_sets(self, batches: Batches) -> int:
        for batch in batches:

            def body(transaction: Transaction, batch: list[tuple[bytes, bytes]] = batch) -> None:
                for key, value in batch:
                    transaction.set(key, value)

            self._engine.run(body)
        return sum(map(len, batches))

    def _raw_sets(self, batches: Batches) -> int:
        for batch in batches:
            transaction = self._raw.create_transaction()
            for key, value in batch:
                transaction.set(key, value)
            transaction.commit().wait()
        return sum(map(len, batches))

    def _engine_gets(self, batches: list[list[bytes]]) -> int:
        def body(transaction: Transaction, keys: list[bytes]) -> int:
            return sum(transaction.get(key) is not None for key in keys)

        return sum(self._engine.read(lambda transaction, keys=keys: body(transaction, keys)) for keys in batches)  # type: ignore[misc]

    def _raw_gets(self, batches: list[list[bytes]]) -> int:
        found = 0
        for keys in batches:
            reader = self._raw.create_transaction().snapshot
            found += sum(reader.get(key).value is not None for key in keys)
        return found

    def _engine_many(self, batches: list[list[bytes]]) -> int:
        def body(transaction: Transaction, keys: list[bytes]) -> int:
            return sum(value is not None for value in transaction.get_many(keys))

        return sum(self._engine.read(lambda transaction, keys=keys: body(transaction, keys)) for keys in batches)  # type: ignore[misc]

    def _raw_many(self, batches: list[list[bytes]]) -> int:
        found = 0
        for keys in batches:
            reader = self._raw.create_transaction().snapshot
            found += sum(future.value is not None for future in [reader.get(key) for key in keys])
        return found

    def _engine_scan(self, page_rows: int, *, reverse: bool) -> int:
        found = 0
        after: bytes | None = None
        while True:
            page = self._engine.read(
                lambda transaction, after=after: transaction.range(  # type: ignore[misc]
                    self._prefix, self._prefix + b"\xff", limit=page_rows, reverse=reverse, continuation=after
                )
            )
            found += len(page.rows)
            after = page.continuation
            if after is None:
                return found

    def _raw_scan(self, page_rows: int, *, reverse: bool) -> int:
        begin, end = self._prefix, self._prefix + b"\xff"
        exact = self._fdb.StreamingMode.exact
        found = 0
        while True:
            reader = self._raw.create_transaction().snapshot
            rows = list(reader.get_range(begin, end, limit=page_rows, reverse=reverse, streaming_mode=exact))
            found += len(rows)
            if len(rows) < page_rows:
                return found
            begin, end = (begin, rows[-1].key) if reverse else (rows[-1].key + b"\x00", end)
