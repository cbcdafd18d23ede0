"""The part of the ``fdb`` binding that the engine uses, over a cluster in memory that fails on order.

::

    cluster = FakeCluster(each=(Fault(1007, at="read"), Fault(1020), Fault(1021, applied=True)))
    engine = FoundationDbEngine(cluster_file, binding=FakeFdb(cluster))

Its transactions behave as FoundationDB's: they read at one version, see their own writes, conflict, refuse with
FoundationDB's error numbers and at the place where FoundationDB does (a write that is too long is refused by the next read
or by the commit), and must be reset by ``on_error`` after an error. The engine's conformance suite runs on this and on a
live cluster; ``tests/contract/test_fake_fdb.py`` compares the two call by call.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from typing import Final, Literal

from coditect.testing.fake_fdb.cluster import FakeCluster, Fault, FdbError, Mutation, Span, added
from coditect.testing.fake_fdb.results import FakeFuture, FakeKeyValue, FakeRange, FakeWatch

__all__ = ["FakeCluster", "FakeFdb", "Fault", "FdbError"]

KEY_BYTES: Final = 10_000
VALUE_BYTES: Final = 100_000
SIZE_BYTES: Final = 10_000_000
# What the 7.3 client counts for a mutation and for a conflict range beyond their bytes (get_approximate_size).
_MUTATION_BYTES = 44
_SPAN_BYTES = 24
TAG_BYTES: Final = 16
_END = b"\xff"
_STAMP_BYTES = 10
# Those after which FoundationDB lets the same transaction start again.
_RETRYABLE = frozenset({1007, 1009, 1020, 1021, 1037, 1038, 1042, 1051, 1078, 1213, 1223})


class FakeOptions:
    """Options of a transaction.

    Attributes:
        timeout_ms: 0 for none.
        retry_limit: -1 for none.
        max_retry_delay_ms: kept, not used: nothing here waits.
        size_limit: of the commit.
        batch: whether it has batch priority.
        tags: by which it may be throttled.
    """

    def __init__(self) -> None:
        self.timeout_ms = 0
        self.retry_limit = -1
        self.max_retry_delay_ms = 1000
        self.forget()

    def forget(self) -> None:
        """What on_error does to options that do not persist."""
        self.size_limit = SIZE_BYTES
        self.batch = False
        self.tags: set[str] = set()

    def set_timeout(self, milliseconds: int, /) -> None:
        """See the binding."""
        self.timeout_ms = milliseconds

    def set_retry_limit(self, retries: int, /) -> None:
        """See the binding."""
        self.retry_limit = retries

    def set_max_retry_delay(self, milliseconds: int, /) -> None:
        """See the binding."""
        self.max_retry_delay_ms = milliseconds

    def set_size_limit(self, size_bytes: int, /) -> None:
        """See the binding."""
        self.size_limit = size_bytes

    def set_priority_batch(self) -> None:
        """See the binding."""
        self.batch = True

    def set_auto_throttle_tag(self, tag: str, /) -> None:
        """See the binding."""
        if len(tag) <= TAG_BYTES:  # the client drops a longer one without a word
            self.tags.add(tag)


class FakeReader:
    """The reads of a transaction, with or without read conflicts."""

    def __init__(self, transaction: FakeTransaction, *, snapshot: bool) -> None:
        self._transaction = transaction
        self._conflicting = not snapshot

    def get(self, key: bytes) -> FakeFuture[bytes | None]:
        """See the binding."""
        transaction = self._transaction
        transaction.ask()
        return FakeFuture(lambda: transaction.look_up(key, conflicting=self._conflicting), transaction.answer)

    def get_range(
        self, begin: bytes, end: bytes, limit: int = 0, reverse: bool = False, streaming_mode: int = -1
    ) -> FakeRange:
        """See the binding."""

        def rows() -> list[FakeKeyValue]:
            if streaming_mode == FakeStreamingMode.exact and limit == 0:
                raise FdbError(2210)
            return self._transaction.look_through(begin, end, limit, reverse=reverse, conflicting=self._conflicting)

        self._transaction.ask()
        return FakeRange(FakeFuture(rows, self._transaction.answer))


class FakeTransaction(FakeReader):
    """See the binding. Not made by hand: :meth:`FakeDatabase.create_transaction`."""

    def __init__(self, cluster: FakeCluster) -> None:
        super().__init__(self, snapshot=False)
        self.snapshot = FakeReader(self, snapshot=True)
        self.options = FakeOptions()
        self._cluster = cluster
        self._attempt = 0
        self._start()

    def _start(self) -> None:
        each = self._cluster.each
        self._fault = each[self._attempt] if self._attempt < len(each) else None
        self._version: int | None = None
        self._mutations: list[Mutation] = []
        # The newest own write of each key: a value, None for cleared, or the operands of ADD that wait for the base.
        self._own: dict[bytes, bytes | list[bytes] | None] = {}
        self._cleared: list[Span] = []
        self._unreadable: list[Span] = []
        self._reads: list[Span] = []
        self._asked = 0
        self._trips = 0
        self._deferred: int | None = None
        self._committing = False
        self._watches: list[tuple[bytes, bytes | None, FakeWatch]] = []

    # Reads

    def ask(self) -> None:
        """Send a request; those that are sent before an answer is waited for make one round trip."""
        self._trips += not self._asked
        self._asked += 1

    def answer(self) -> None:
        """Note that an answer was waited for."""
        self._asked -= 1

    def look_up(self, key: bytes, *, conflicting: bool) -> bytes | None:
        """The value of a key now, own writes included. Raises FdbError."""
        self._before_read(key, key)
        if any(begin <= key < end for begin, end in self._unreadable):
            raise FdbError(1036)
        own = self._own.get(key, [])
        if not isinstance(own, list):
            return own
        base = None
        if not self._is_cleared(key):
            base = self._cluster.value_at(key, self._read_version())
            if conflicting:
                self._reads.append((key, key + b"\x00"))
        return _with(base, own)

    def look_through(
        self, begin: bytes, end: bytes, limit: int, *, reverse: bool, conflicting: bool
    ) -> list[FakeKeyValue]:
        """Rows now, own writes included. Raises FdbError."""
        self._before_read(begin, end)
        if begin >= end:
            return []
        if any(begin < to and since < end for since, to in self._unreadable):
            raise FdbError(1036)
        rows: dict[bytes, bytes | None] = dict(self._cluster.rows_at(begin, end, self._read_version()))
        for since, to in self._cleared:
            ordered = sorted(rows)
            for key in ordered[bisect_left(ordered, since) : bisect_left(ordered, to)]:
                del rows[key]
        for key, own in self._own.items():
            if begin <= key < end:
                rows[key] = _with(rows.get(key), own) if isinstance(own, list) else own
        found = sorted((FakeKeyValue(k, v) for k, v in rows.items() if v is not None), key=_key, reverse=reverse)
        if limit and len(found) > limit:
            found = found[:limit]
            begin, end = (found[-1].key, end) if reverse else (begin, found[-1].key + b"\x00")
        if conflicting:
            self._reads.append((begin, end))
        return found

    def _before_read(self, begin: bytes, end: bytes) -> None:
        self._check_usable()
        if begin > _END or end > _END or (begin == end == _END):
            raise FdbError(2004)
        fault = self._cluster.fault_now("read")
        if fault is None and self._fault is not None and self._fault.at == "read":
            fault = self._fault
        if fault is not None:
            raise FdbError(fault.code)
        lasts = self._cluster.trips_per_snapshot
        if lasts is not None and self._trips > lasts:
            raise FdbError(1007)

    def _read_version(self) -> int:
        if self._version is None:
            if self._cluster.no_room and self.options.batch:
                raise FdbError(1051)
            if self._cluster.throttled & self.options.tags:
                raise FdbError(1213)
            self._version = self._cluster.version
            self._cluster.begun[self.options.batch, *sorted(self.options.tags)] += 1
            self._cluster.travel()
        return self._version

    def _is_cleared(self, key: bytes) -> bool:
        return any(begin <= key < end for begin, end in self._cleared)

    def _check_usable(self) -> None:
        if self._cluster.stopped:
            if not self.options.timeout_ms:
                raise AssertionError("a transaction without a timeout would wait for ever")
            raise FdbError(1031)
        if self._committing:
            raise FdbError(2017)
        if self._deferred is not None:
            raise FdbError(self._deferred)

    # Writes

    def set(self, key: bytes, value: bytes) -> None:
        """See the binding."""
        self._write("set", key, value)
        self._own[key] = value

    def clear(self, key: bytes) -> None:
        """See the binding."""
        self._write("clear", key, key + b"\x00")
        self._own[key] = None

    def clear_range(self, begin: bytes, end: bytes) -> None:
        """See the binding."""
        if begin > end:
            self._deferred = self._deferred or 2005
            return
        self._write("clear", begin, end)
        for key in [key for key in self._own if begin <= key < end]:
            del self._own[key]
        self._cleared.append((begin, end))

    def add(self, key: bytes, param: bytes) -> None:
        """See the binding."""
        self._write("add", key, param)
        own = self._own.get(key, [])
        if isinstance(own, list) and not self._is_cleared(key):
            self._own[key] = [*own, param]
        else:
            self._own[key] = added(None if isinstance(own, list) else own, param)

    def set_versionstamped_key(self, key: bytes, param: bytes) -> None:
        """See the binding."""
        (place,) = struct.unpack("<L", key[-4:])
        if place + _STAMP_BYTES > len(key) - 4:
            self._deferred = self._deferred or 2000
            return
        self._write("stamp", key[:-4], param, place)
        rest = key[place + _STAMP_BYTES : -4]
        lowest = key[:place] + bytes(_STAMP_BYTES) + rest
        self._unreadable.append((lowest, key[:place] + b"\xff" * _STAMP_BYTES + rest + b"\x00"))

    def _write(self, kind: Literal["set", "clear", "add", "stamp"], key: bytes, value: bytes, place: int = 0) -> None:
        # The binding's writes return nothing; what is wrong with them comes out at the next read or at the commit.
        if key >= _END or (kind == "clear" and value > _END):
            self._deferred = self._deferred or 2004
        elif len(key) > KEY_BYTES:
            self._deferred = self._deferred or 2102
        elif kind != "clear" and len(value) > VALUE_BYTES:
            self._deferred = self._deferred or 2103
        self._mutations.append(Mutation(kind, key, value, place))

    def watch(self, key: bytes) -> FakeWatch:
        """See the binding."""
        found = self.look_up(key, conflicting=True)
        self._watches.append((key, found, watch := FakeWatch()))
        return watch

    # The end

    def commit(self) -> FakeFuture[None]:
        """See the binding."""
        if self._mutations:
            self._cluster.count_under_way(1)
            return FakeFuture(self._commit, lambda: self._cluster.count_under_way(-1))
        return FakeFuture(self._commit)

    def _commit(self) -> None:
        try:
            self._apply()
        except FdbError as error:
            for _, _, watch in self._watches:
                watch.end(error.code)
            raise
        self._cluster.watch(self._watches)

    def _apply(self) -> None:
        self._check_usable()
        self._committing = True
        if not self._mutations:
            return
        self._read_version()
        self._cluster.travel()
        if self._size() > self.options.size_limit:
            raise FdbError(2101)
        fault = self._cluster.fault_now("commit") or self._fault
        if fault is None or fault.applied:
            self._cluster.commit(self._version, self._reads, self._mutations)
        if fault is not None:
            raise FdbError(fault.code)

    def _size(self) -> int:
        size = sum(_SPAN_BYTES + len(begin) + len(end) for begin, end in self._reads)
        for each in self._mutations:
            last = each.value if each.kind == "clear" else each.key + b"\x00"
            size += _MUTATION_BYTES + len(each.key) + len(each.value) + _SPAN_BYTES + len(each.key) + len(last)
        return size

    def on_error(self, error: int) -> FakeFuture[None]:
        """See the binding; the pause is not made, but counted."""
        return FakeFuture(lambda: self._on_error(error))

    def _on_error(self, code: int) -> None:
        limit = self.options.retry_limit
        if code not in _RETRYABLE or 0 <= limit <= self._attempt:
            raise FdbError(code)
        if self._cluster.stopped:
            raise FdbError(1031)
        self._attempt += 1
        self._cluster.pauses += 1
        self._cluster.errors[code] += 1
        self.options.forget()
        self._start()


class FakeDatabase:
    """See the binding."""

    def __init__(self, cluster: FakeCluster) -> None:
        self.cluster = cluster

    def create_transaction(self) -> FakeTransaction:
        """See the binding."""
        return FakeTransaction(self.cluster)


class FakeStreamingMode:
    """The binding's numbers."""

    want_all: Final = -2
    iterator: Final = -1
    exact: Final = 0


class FakeFdb:
    """In place of the module ``fdb``, after ``api_version``.

    Args:
        cluster: what every cluster file leads to.
    """

    FDBError = FdbError
    StreamingMode = FakeStreamingMode

    def __init__(self, cluster: FakeCluster | None = None) -> None:
        self.cluster = cluster or FakeCluster()

    def open(self, cluster_file: str) -> FakeDatabase:
        """See the binding."""
        return FakeDatabase(self.cluster)


def _with(base: bytes | None, operands: list[bytes]) -> bytes | None:
    for operand in operands:
        base = added(base, operand)
    return base


def _key(row: FakeKeyValue) -> bytes:
    return row.key
