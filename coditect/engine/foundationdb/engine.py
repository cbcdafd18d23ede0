"""The cluster engine: a FoundationDB 7.3 database, shared by any number of machines.

FoundationDB is what the port was cut from, so little is added: the shared limits (:mod:`coditect.engine.budget`), one
retry loop with one place where errors are translated (:mod:`coditect.engine.foundationdb.attempts`), and appends that wait
for the end of the body (:mod:`coditect.engine.foundationdb.transaction`).

An appended key is its prefix, then 10 bytes versionstamp (8 bytes commit version, 2 bytes place of the transaction among
those of that version) and 2 bytes place of the append within the transaction, all big-endian. Commit versions belong to
a cluster: appended keys that are copied to another cluster may lie above those which that one will assign.
"""

from __future__ import annotations

import copy
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from coditect.engine.foundationdb.attempts import Attempts, OpenDatabase
from coditect.engine.foundationdb.client import Binding, Future, NativeTransaction, check_cluster_file, load_binding
from coditect.engine.foundationdb.errors import translated
from coditect.engine.foundationdb.transaction import Snapshot, Writer
from coditect.engine.limits import TRANSACTION_BYTES
from coditect.engine.port import Transaction
from coditect.engine.tags import kind_tag, tenant_tag

__all__ = ["COMMITS_UNDER_WAY", "FoundationDbEngine"]

T = TypeVar("T")

COMMITS_UNDER_WAY: Final = 16
"""Most transactions of one ``run_many`` that are being committed at once."""

BYTES_UNDER_WAY: Final = 8 * TRANSACTION_BYTES
"""Most keys and values in them."""

_LOST_WATCH_S = 1.0


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
      ends within ``timeout_ms``, its retries included, with a result or an error; those of bulk work within
      ``bulk_timeout_ms``. A watch, and what ``run_many`` waits for one after the other, may last longer.
    - **Bulk work** has FoundationDB's batch priority, which a busy cluster serves last and may not serve at all, and the
      tag ``coditect/<kind>``, or ``coditect:<tenant's hash>`` where an operator asks for that, by which it throttles whoever makes
      it busy, and an operator whom he likes. It has one tag, since FoundationDB holds transactions to one of theirs alone.

    A snapshot lasts 5 s; a body that takes longer starts again on a new one. A body runs again after 1020 (a
    conflict), 1007 (too old), 1009 and 1037 (a server behind), and also after 1021 (commit unknown), when it may have
    committed: bodies are idempotent, as the port demands.

    Args:
        cluster_file: the file that names the cluster's coordinators.
        timeout_ms: the longest that a ``run`` or ``read`` waits for the cluster, 1..2**31-1.
        bulk_timeout_ms: the longest that bulk work waits: a cluster may have no room for it for a while, 1..2**31-1.
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
        bulk_timeout_ms: int = 60_000,
        retry_limit: int = 100,
        binding: Binding | None = None,
    ) -> None:
        path = Path(cluster_file).absolute()
        self._url = f"fdb://{path}"
        check_cluster_file(path)
        loaded = load_binding() if binding is None else binding
        self._opened = OpenDatabase(self._url, str(path.resolve()), loaded, None, os.getpid())
        self._attempts = Attempts(self._opened, timeout_ms, retry_limit)
        self._bulk = replace(self._attempts, timeout_ms=bulk_timeout_ms)
        try:
            self._opened.database = loaded.open(str(path))
        except loaded.FDBError as error:
            raise translated(error, self._url) from error
        # Also within a body, which may open another handle.
        self._attempts.beside(self._opened.usable(), lambda raw: raw.snapshot.get(b"\x00").value)

    keeps_removed = False
    """A cluster uses freed space again by itself."""

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
        return self._attempts.run(partial(self._commit, fn))

    def _commit(self, fn: Callable[[Transaction], T], raw: NativeTransaction) -> T:
        result, commit, _ = self._send(fn, raw)
        commit.wait()
        return result

    def _send(self, fn: Callable[[Transaction], T], raw: NativeTransaction) -> tuple[T, Future, int]:
        """(what the body returned, the commit that is under way, bytes that it writes)."""
        body = Writer(raw, self._opened.binding.StreamingMode.exact)
        try:
            result = fn(body)
            body.store_appended()
        finally:
            body.finish()
        return result, raw.commit(), body.size_bytes

    def run_many(self, bodies: Iterable[Callable[[Transaction], object]]) -> None:
        """Run each body in a transaction of its own; while some are being committed, the next ones run. Raises as :meth:`run`."""
        under_way: deque[_Commit] = deque()
        size_bytes = 0
        try:
            for fn in bodies:
                while under_way and (
                    len(under_way) == COMMITS_UNDER_WAY or size_bytes + TRANSACTION_BYTES > BYTES_UNDER_WAY
                ):
                    size_bytes -= self._settle(under_way.popleft())
                under_way.append(self._attempts.run(partial(self._started, fn)))
                size_bytes += under_way[-1].size_bytes
            while under_way:
                self._settle(under_way.popleft())
        except Exception:
            # Also what a body raises, or whoever makes the bodies: raised again, behind what is under way.
            for each in under_way:  # who is told of an error finds nothing that is still being written
                with suppress(self._opened.binding.FDBError):
                    each.future.wait()
            raise

    def _started(self, fn: Callable[[Transaction], object], raw: NativeTransaction) -> _Commit:
        _, future, size_bytes = self._send(fn, raw)
        return _Commit(fn, raw, future, size_bytes)

    def _settle(self, commit: _Commit) -> int:
        """Wait for a commit, and run its body again where that is called for; returns its bytes."""
        try:
            commit.future.wait()
        except self._opened.binding.FDBError as error:
            # In a new transaction: the time of that one may be up, because nobody looked at it meanwhile.
            self._attempts.run(partial(self._commit, commit.body), after=error)
        return commit.size_bytes

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` on a snapshot. Raises as :meth:`run` does, and UsageError for a write."""

        def once(raw: NativeTransaction) -> T:
            # Read conflicts matter to a commit only, and this makes none: all its reads are of one version anyway.
            body = Snapshot(raw.snapshot, self._opened.binding.StreamingMode.exact)
            try:
                return fn(body)
            finally:
                body.finish()

        return self._attempts.run(once)

    def bulk(self, tag: str, tenant: str = "") -> FoundationDbEngine:
        """The same store with batch priority, a tag, and the patience that these ask for. See the port."""
        other = copy.copy(self)
        other._attempts = replace(self._bulk, tag=tenant_tag(tenant) if tenant else kind_tag(tag))
        return other

    def watch(self, key: bytes, seen: bytes | None, timeout_s: float) -> bytes | None:
        """Wait for a change of the key; the cluster tells of it. See the port."""
        end = time.monotonic() + timeout_s
        while True:
            found, change = self._attempts.run(partial(_watched, key, seen))
            if change is None:
                return found
            rest = max(end - time.monotonic(), 0.0)
            changed = threading.Event()
            change.on_ready(lambda _, changed=changed: changed.set())  # type: ignore[misc]
            try:
                if not changed.wait(rest):
                    return found
                change.wait()
            except self._opened.binding.FDBError:  # whether the cluster is there is found out by looking again
                if not rest:
                    return found
                time.sleep(min(_LOST_WATCH_S, rest))
            finally:
                change.cancel()

    def close(self) -> None:
        """Release the store; bodies of other threads that are running end in peace. Closing twice is fine.

        Raises:
            UsageError: called from within a body on this store.
        """
        self._opened.close()


@dataclass(frozen=True, slots=True)
class _Commit:
    """A commit that is under way.

    Attributes:
        body: runs again where the commit was not made, or nobody knows.
        raw: its transaction, without which the commit would be cancelled.
        future: of the commit.
        size_bytes: keys and values.
    """

    body: Callable[[Transaction], object]
    raw: NativeTransaction
    future: Future
    size_bytes: int


def _watched(key: bytes, seen: bytes | None, raw: NativeTransaction) -> tuple[bytes | None, Future | None]:
    """(the value under a key, the future of its change); None for a future where it is not the one that was seen."""
    found = raw.snapshot.get(key).value
    change = raw.watch(key) if found == seen else None
    raw.commit().wait()  # it is watched from here on
    return found, change
