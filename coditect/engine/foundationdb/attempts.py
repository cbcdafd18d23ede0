"""The retry loop of the FoundationDB engine: every transaction is made here, and every error is translated here."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

from coditect.engine.budget import refuse_nesting
from coditect.engine.foundationdb.client import SPAWN_HINT, Binding, NativeDatabase, NativeError, NativeTransaction
from coditect.engine.foundationdb.errors import PASSING, TIMED_OUT, translated
from coditect.errors import Unavailable, UsageError

__all__ = ["Attempts", "OpenDatabase"]

T = TypeVar("T")

LONGEST_MS: Final = 2**31 - 1

_RETRY_DELAY_MS = 1000
# FoundationDB's own limit. The port's budget is a tenth of it, but the client counts about 70 B and the key twice more for
# each write, and 25 B and the key twice for each read: bodies that write 100,000 rows of under 10 B would be refused here.
_NATIVE_BYTES = 10_000_000

# The cluster files on which a thread has a transaction.
_local = threading.local()


@dataclass(slots=True)
class OpenDatabase:
    """What an engine and its views for bulk work share.

    Attributes:
        url: for messages.
        place: the cluster file; two names of one file are one place, which matters to the check for nested transactions.
        binding: the official one, or another for tests.
        database: None when it was closed.
        pid: the process that opened it.
    """

    url: str
    place: str
    binding: Binding
    database: NativeDatabase | None
    pid: int

    def usable(self) -> NativeDatabase:
        """The database.

        Raises:
            Unavailable: it was closed, or opened before a fork.
        """
        if self.database is None:
            raise Unavailable("the store is closed", hint="open it again", url=self.url)
        if os.getpid() != self.pid:
            raise Unavailable("the store was opened before a fork", hint=SPAWN_HINT, url=self.url)
        return self.database

    def close(self) -> None:
        """Let it go.

        Raises:
            UsageError: this thread has a transaction on it.
        """
        if self.place in _inside():
            refuse_nesting()
        self.database = None


@dataclass(frozen=True, slots=True)
class Attempts:
    """How transactions are tried.

    Attributes:
        opened: where.
        timeout_ms: the longest that a transaction takes with all its retries, 1..2**31-1.
        retry_limit: how often it is tried again at most, >= 0.
        tag: of bulk work, which has batch priority; empty: it is none.

    Raises:
        UsageError: an argument out of range.
    """

    opened: OpenDatabase
    timeout_ms: int
    retry_limit: int
    tag: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.timeout_ms <= LONGEST_MS:
            raise UsageError("a timeout is out of range", timeout_ms=self.timeout_ms, lowest=1, highest=LONGEST_MS)
        if not 0 <= self.retry_limit <= LONGEST_MS:
            raise UsageError(
                "a retry limit is out of range", retry_limit=self.retry_limit, lowest=0, highest=LONGEST_MS
            )

    def run(self, once: Callable[[NativeTransaction], T], *, after: NativeError | None = None) -> T:
        """Do something in a transaction, and again where FoundationDB calls for it.

        Args:
            once: what; commits by itself.
            after: what ended an attempt in another transaction, of which this one is the next.

        Raises:
            UsageError: this thread has a transaction on the store.
            StoreError: as FoundationDB's last word is translated.
        """
        database = self.opened.usable()
        with _entered(self.opened.place):
            return self.beside(database, once, after)

    def beside(
        self, database: NativeDatabase, once: Callable[[NativeTransaction], T], after: NativeError | None = None
    ) -> T:
        """The same, also within a body; for what looks at nothing that the body could have written."""
        raw = database.create_transaction()
        raw.options.set_timeout(self.timeout_ms)
        raw.options.set_retry_limit(self.retry_limit)
        raw.options.set_max_retry_delay(_RETRY_DELAY_MS)
        if after is not None:
            self._recover(raw, after)
        while True:
            raw.options.set_size_limit(_NATIVE_BYTES)
            if self.tag:  # forgotten by on_error, as the size limit is
                raw.options.set_priority_batch()
                raw.options.set_auto_throttle_tag(self.tag)
            try:
                return once(raw)
            except self.opened.binding.FDBError as error:
                self._recover(raw, error)

    def _recover(self, raw: NativeTransaction, error: NativeError) -> None:
        """Reset the transaction for the next attempt, after FoundationDB's own pause, or say why there is none."""
        try:
            raw.on_error(error.code).wait()
        except self.opened.binding.FDBError as final:
            # Time that ran out between conflicts was used up by the other writers, not by a silent cluster; so with throttling.
            lost = error if final.code == TIMED_OUT and error.code in PASSING else final
            raise translated(lost, self.opened.url, bulk=bool(self.tag)) from error


def _inside() -> set[str]:
    if not hasattr(_local, "inside"):
        _local.inside = set()
    places: set[str] = _local.inside
    return places


@contextmanager
def _entered(place: str) -> Iterator[None]:
    places = _inside()
    if place in places:
        refuse_nesting()
    places.add(place)
    try:
        yield
    finally:
        places.discard(place)
