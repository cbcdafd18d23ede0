"""The cluster engine: a FoundationDB 7.3 database, shared by any number of machines.

FoundationDB is what the port was cut from, so little is added: the shared limits (:mod:`coditect.engine.budget`), one
retry loop with one place where errors are translated (:mod:`coditect.engine.foundationdb.client`), and appends that wait for
the end of the body (:mod:`coditect.engine.foundationdb.transaction`).

An appended key is its prefix, then 10 bytes versionstamp (8 bytes commit version, 2 bytes place of the transaction among
those of that version) and 2 bytes place of the append within the transaction, all big-endian. Commit versions belong to
a cluster: appended keys that are copied to another cluster may lie above those which that one will assign.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from coditect.engine.budget import refuse_nesting
from coditect.engine.foundationdb.client import (
    NOT_COMMITTED,
    TIMED_OUT,
    Binding,
    NativeDatabase,
    NativeError,
    NativeTransaction,
    check_cluster_file,
    load_binding,
    translated,
)
from coditect.engine.foundationdb.transaction import Snapshot, Writer
from coditect.engine.port import Transaction
from coditect.errors import Unavailable, UsageError

__all__ = ["FoundationDbEngine"]

T = TypeVar("T")

_LONGEST_MS = 2**31 - 1
_RETRY_DELAY_MS = 1000
# FoundationDB's own limit. The port's budget is a tenth of it, but the client counts about 70 B and the key twice more for
# each write, and 25 B and the key twice for each read: bodies that write 100,000 rows of under 10 B would be refused here.
_NATIVE_BYTES = 10_000_000

# The cluster files on which a thread has a transaction.
_local = threading.local()


class FoundationDbEngine:
    """A store on a FoundationDB cluster. See :class:`coditect.engine.port.Engine`.

    Rules of the client library:

    - **One network per process.** The first engine starts the client's network thread, a daemon; it serves every later
      engine and stops when the interpreter exits. Closing an engine does not stop it, because a stopped network cannot
      be started again.
    - **Spawn, never fork.** A forked child inherits the library without its thread, and would wait for ever. An engine
      that finds itself in another process than it was opened in raises ``Unavailable``, and so does opening one there.
    - **Not on an event loop.** Every call blocks its thread: a coroutine calls it through an executor.
    - **Bounded waits.** Every transaction, the one that opening makes to see whether the cluster answers among them,
      ends within ``timeout_ms``, its retries included, with a result or an error.

    A snapshot lasts 5 s; a body that takes longer starts again on a new one. A body runs again after 1020 (a
    conflict), 1007 (too old), 1009 and 1037 (a server behind), and also after 1021 (commit unknown), when it may have
    committed: bodies are idempotent, as the port demands.

    Args:
        cluster_file: the file that names the cluster's coordinators.
        timeout_ms: the longest that a ``run`` or ``read`` waits for the cluster, 1..2**31-1.
        retry_limit: how often a body runs again at most, >= 0.
        binding: instead of the official one; for tests.

    Raises:
        UsageError: an argument out of range.
        Unavailable: no client library, no cluster file, or the cluster does not answer in time.
    """

    def __init__(
        self,
        cluster_file: Path,
        *,
        timeout_ms: int = 10_000,
        retry_limit: int = 100,
        binding: Binding | None = None,
    ) -> None:
        if not 1 <= timeout_ms <= _LONGEST_MS:
            raise UsageError("a timeout is out of range", timeout_ms=timeout_ms, lowest=1, highest=_LONGEST_MS)
        if not 0 <= retry_limit <= _LONGEST_MS:
            raise UsageError("a retry limit is out of range", retry_limit=retry_limit, lowest=0, highest=_LONGEST_MS)
        path = Path(cluster_file).absolute()
        self._url = f"fdb://{path}"
        # Two names of one file are one store, which matters to the check for nested transactions.
        self._place = str(path.resolve())
        self._timeout_ms = timeout_ms
        self._retry_limit = retry_limit
        self._pid = os.getpid()
        check_cluster_file(path)
        self._binding = load_binding() if binding is None else binding
        try:
            self._database: NativeDatabase | None = self._binding.open(str(path))
        except self._binding.FDBError as error:
            raise translated(error, self._url) from error
        # Not a read(): a body may open another handle, and this looks at nothing that the body could have written.
        self._attempt(self._opened(), lambda raw: raw.snapshot.get(b"\x00").value)

    @property
    def url(self) -> str:
        """What it was opened with: ``fdb://`` and the absolute path of the cluster file."""
        return self._url

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` in a transaction and commit; run it again on a conflict or when the commit's outcome is unknown.

        Raises:
            UsageError: called from within another body on this store.
            Conflict: other writers came first, each time.
            TooLarge: over a limit; nothing was written.
            Unavailable: closed, forked, or the cluster does not answer in time; where it fell silent during the commit,
                that may have been made.
        """

        def once(raw: NativeTransaction) -> T:
            body = Writer(raw, self._binding.StreamingMode.exact)
            try:
                result = fn(body)
                body.store_appended()
            finally:
                body.finish()
            raw.commit().wait()
            return result

        return self._retry(once)

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` on a snapshot. Raises as :meth:`run` does, and UsageError for a write."""

        def once(raw: NativeTransaction) -> T:
            # Read conflicts matter to a commit only, and this makes none: all its reads are of one version anyway.
            body = Snapshot(raw.snapshot, self._binding.StreamingMode.exact)
            try:
                return fn(body)
            finally:
                body.finish()

        return self._retry(once)

    def close(self) -> None:
        """Release the store; bodies of other threads that are running end in peace. Closing twice is fine.

        Raises:
            UsageError: called from within a body on this store.
        """
        if self._place in _inside():
            refuse_nesting()
        self._database = None

    def _opened(self) -> NativeDatabase:
        database = self._database
        if database is None:
            raise Unavailable("the store is closed", hint="open it again", url=self._url)
        if os.getpid() != self._pid:
            raise Unavailable(
                "the store was opened before a fork",
                hint="start the process with spawn and open the store in it",
                url=self._url,
            )
        return database

    def _retry(self, once: Callable[[NativeTransaction], T]) -> T:
        database = self._opened()
        with _entered(self._place):
            return self._attempt(database, once)

    def _attempt(self, database: NativeDatabase, once: Callable[[NativeTransaction], T]) -> T:
        raw = self._begin(database)
        while True:
            try:
                return once(raw)
            except self._binding.FDBError as error:
                self._recover(raw, error)

    def _begin(self, database: NativeDatabase) -> NativeTransaction:
        raw = database.create_transaction()
        raw.options.set_timeout(self._timeout_ms)
        raw.options.set_retry_limit(self._retry_limit)
        raw.options.set_max_retry_delay(_RETRY_DELAY_MS)
        raw.options.set_size_limit(_NATIVE_BYTES)
        return raw

    def _recover(self, raw: NativeTransaction, error: NativeError) -> None:
        """Reset the transaction for the next run of its body, after FoundationDB's own pause, or say why there is none."""
        try:
            raw.on_error(error.code).wait()
        except self._binding.FDBError as final:
            # Time that ran out between conflicts was used up by the other writers, not by a silent cluster.
            lost = error if final.code == TIMED_OUT and error.code == NOT_COMMITTED else final
            raise translated(lost, self._url) from error


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
