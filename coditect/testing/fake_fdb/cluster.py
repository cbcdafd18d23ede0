"""The cluster behind :mod:`coditect.testing.fake_fdb.client`: versions, conflicts, and misfortune on order.

Rows keep their history, so a transaction reads at the version it began with, however much was committed since. A commit
is refused with 1020 if a key that it read was written after that version, and with 1007 if the version is older than 5 s.
Versions stand still unless a test lets time pass, so the same test always meets the same errors.
"""

from __future__ import annotations

import threading
import time
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

__all__ = ["FakeCluster", "Fault", "FdbError", "Mutation", "Span", "added"]

Span = tuple[bytes, bytes]
"""Keys from the first, inclusive, to the second, exclusive."""

VERSIONS_PER_SECOND: Final = 1_000_000
"""How fast FoundationDB's versions advance."""

SNAPSHOT_S: Final = 5
"""How long a version can be read."""

_PLACE = 2

DESCRIPTIONS: Final = {
    1007: "Transaction is too old to perform reads or be committed",
    1009: "Request for future version",
    1020: "Transaction not committed due to conflict with another transaction",
    1021: "Transaction may or may not have committed",
    1025: "Operation aborted because the transaction was cancelled",
    1031: "Operation aborted because the transaction timed out",
    1036: "Read or wrote an unreadable key",
    1037: "Storage process does not have recent mutations",
    1051: "Batch GRV request rate limit exceeded",
    1213: "Transaction tag is being throttled",
    2004: "Key outside legal range",
    2005: "Range begin key larger than end key",
    2017: "Operation issued while a commit was outstanding",
    2101: "Transaction exceeds byte limit",
    2102: "Key length exceeds limit",
    2103: "Value length exceeds limit",
    2210: "Limits must be specified with the exact streaming mode",
}


class FdbError(Exception):
    """As ``fdb.FDBError``.

    Attributes:
        code: FoundationDB's error number.
    """

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code

    @property
    def description(self) -> bytes:
        """FoundationDB's words."""
        return DESCRIPTIONS.get(self.code, "An unknown error occurred").encode()

    def __str__(self) -> str:
        """The words and the code."""
        return f"{self.description!r} ({self.code})"


@dataclass(frozen=True, slots=True)
class Fault:
    """A misfortune.

    Attributes:
        code: the error that the transaction gets.
        at: "read" strikes the reads of an attempt, and its commit if it reads nothing; "commit" the commit of writes.
        applied: whether the commit is made all the same, as may be with 1021.
    """

    code: int
    at: Literal["read", "commit"] = "commit"
    applied: bool = False


@dataclass(frozen=True, slots=True)
class Mutation:
    """One write of a transaction.

    Attributes:
        kind: set, clear (of ``key`` up to ``value``), add, or stamp (a set whose key the commit completes).
        key: its key, or the first of a range.
        value: its value, operand, or the end of a range.
        place: where the stamp goes into the key.
    """

    kind: Literal["set", "clear", "add", "stamp"]
    key: bytes
    value: bytes
    place: int = 0


class Watch(Protocol):
    """Somebody who waits for a change."""

    def end(self, code: int = 0) -> None:
        """Tell him; an error number where the wait was in vain."""
        ...


class FakeCluster:
    """One database.

    Args:
        each: what meets every transaction: its n-th attempt meets the n-th fault, later ones none.

    Attributes:
        commits: how many commits with writes were made.
        pauses: how often a transaction started again.
        errors: the same by the error that was the reason.
        stopped: whether the cluster is silent; a transaction without a timeout would then wait for ever.
        round_trip_s: how long the first read of a transaction and its commit take, in seconds, so that threads meet.
        trips_per_snapshot: round trips of reads after which a snapshot is too old, as on a slow cluster; None: it lasts.
        no_room: whether transactions of batch priority are turned away.
        throttled: tags whose transactions are turned away.
        begun: how many transactions got a read version, by (batch priority, tags …).
        most_under_way: the most commits of writes that somebody had not looked at yet.
    """

    def __init__(self, each: Sequence[Fault] = ()) -> None:
        self.each = tuple(each)
        self.commits = 0
        self.pauses = 0
        self.errors: Counter[int] = Counter()
        self.stopped = False
        self.round_trip_s = 0.0
        self.trips_per_snapshot: int | None = None
        self.no_room = False
        self.throttled: set[str] = set()
        self.begun: Counter[tuple[bool | str, ...]] = Counter()
        self.most_under_way = 0
        self._under_way = 0
        self._watches: list[tuple[bytes, bytes | None, Watch]] = []
        self._lock = threading.RLock()
        self._version = VERSIONS_PER_SECOND * 10
        self._keys: list[bytes] = []
        self._history: dict[bytes, list[tuple[int, bytes | None]]] = {}
        self._written: list[tuple[int, tuple[Span, ...]]] = []
        self._scheduled: dict[tuple[str, int], Fault] = {}
        self._seen = {"read": 0, "commit": 0}

    def schedule(self, nth: int, fault: Fault) -> None:
        """Let the ``nth`` read or commit from now on, 1 being the next, meet a fault."""
        with self._lock:
            self._scheduled[fault.at, self._seen[fault.at] + nth] = fault

    def pass_time(self, seconds: float) -> None:
        """Let time pass, as far as versions are concerned."""
        with self._lock:
            self._version += int(seconds * VERSIONS_PER_SECOND)

    def fault_now(self, at: Literal["read", "commit"]) -> Fault | None:
        """Count a read or a commit, and return what was scheduled for it."""
        with self._lock:
            self._seen[at] += 1
            return self._scheduled.pop((at, self._seen[at]), None)

    def count_under_way(self, change: int) -> None:
        """Note that a commit began, or that somebody looked at its outcome."""
        with self._lock:
            self._under_way += change
            self.most_under_way = max(self.most_under_way, self._under_way)

    def watch(self, watches: Sequence[tuple[bytes, bytes | None, Watch]]) -> None:
        """Tell whoever made them when a key has another value than that; at once where it has one already."""
        with self._lock:
            self._watches += watches
            changed = [each for each in self._watches if self._value(each[0], self._version) != each[1]]
            self._watches = [each for each in self._watches if each not in changed]
        for _, _, each in changed:
            each.end()

    def travel(self) -> None:
        """Let other threads run for the time of a round trip."""
        if self.round_trip_s:
            time.sleep(self.round_trip_s)

    @property
    def version(self) -> int:
        """The newest commit version."""
        with self._lock:
            return self._version

    def check_age(self, version: int) -> None:
        """Refuse a version that is no longer kept.

        Raises:
            FdbError: 1007.
        """
        if version < self.version - SNAPSHOT_S * VERSIONS_PER_SECOND:
            raise FdbError(1007)

    def value_at(self, key: bytes, version: int) -> bytes | None:
        """The value of a key as it was at a version."""
        with self._lock:
            self.check_age(version)
            return self._value(key, version)

    def rows_at(self, begin: bytes, end: bytes, version: int) -> dict[bytes, bytes]:
        """The rows of a range as they were at a version."""
        with self._lock:
            self.check_age(version)
            keys = self._keys[bisect_left(self._keys, begin) : bisect_left(self._keys, end)]
            found = ((key, self._value(key, version)) for key in keys)
            return {key: value for key, value in found if value is not None}

    def _value(self, key: bytes, version: int) -> bytes | None:
        for since, value in reversed(self._history.get(key, ())):
            if since <= version:
                return value
        return None

    def commit(self, version: int | None, reads: Sequence[Span], mutations: Sequence[Mutation]) -> None:
        """Apply the writes of a transaction in one new version.

        Args:
            version: what it read at; None if it read nothing.
            reads: what it read.
            mutations: its writes, in order.

        Raises:
            FdbError: 1007 or 1020; nothing was applied.
        """
        with self._lock:
            if version is not None and reads:
                self.check_age(version)
                self._check_conflicts(version, reads)
            now = self._version + 1
            changed = self._outcome(mutations, now)
            for key, value in changed.items():
                if key not in self._history:
                    insort(self._keys, key)
                self._history.setdefault(key, []).append((now, value))
            cleared = [(m.key, m.value) for m in mutations if m.kind == "clear"]
            self._written.append((now, (*((key, key + b"\x00") for key in changed), *cleared)))
            self._version = now
            self.commits += 1
        self.watch(())

    def _check_conflicts(self, version: int, reads: Sequence[Span]) -> None:
        newer = self._written[bisect_right(self._written, version, key=lambda commit: commit[0]) :]
        for _, written in newer:
            if any(begin < to and since < end for begin, end in reads for since, to in written):
                raise FdbError(1020)

    def _outcome(self, mutations: Sequence[Mutation], now: int) -> dict[bytes, bytes | None]:
        stamp = now.to_bytes(8, "big") + bytes(_PLACE)
        changed: dict[bytes, bytes | None] = {}
        for each in mutations:
            if each.kind == "set":
                changed[each.key] = each.value
            elif each.kind == "stamp":
                changed[each.key[: each.place] + stamp + each.key[each.place + len(stamp) :]] = each.value
            elif each.kind == "add":
                before = changed[each.key] if each.key in changed else self._value(each.key, now)
                changed[each.key] = added(before, each.value)
            else:
                changed.update((key, None) for key in changed if each.key <= key < each.value)
                changed.update((key, None) for key in self.rows_at(each.key, each.value, now))
        return changed


def added(stored: bytes | None, operand: bytes) -> bytes:
    """FoundationDB's ADD: unsigned little-endian, the stored value cut or extended to the operand's length."""
    length = len(operand)
    total = int.from_bytes((stored or b"")[:length], "little") + int.from_bytes(operand, "little")
    return (total % (1 << 8 * length)).to_bytes(length, "little")
