"""The storage port: an ordered, transactional map from bytes to bytes.

It says no more than LMDB and FoundationDB can both honour. Both engines enforce the stricter of both sets of
limits (:mod:`coditect.engine.limits`), so what the embedded engine accepts never fails on the cluster.

Rules for the bodies passed to :meth:`Engine.run`: they may run more than once, *even after they have committed*
(FoundationDB's ``commit_unknown_result``, 1021). So a body is idempotent, makes no id, reads no clock, logs nothing and
calls no service; whatever it needs is computed before and captured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

__all__ = ["Engine", "Page", "Transaction"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a range read.

    Attributes:
        rows: (key, value) pairs, in the order asked for.
        continuation: opaque; pass it to the next :meth:`Transaction.range` with the same bounds; None at the end.
    """

    rows: tuple[tuple[bytes, bytes], ...]
    continuation: bytes | None


class Transaction(Protocol):
    """A serialisable view of the map, and the writes to apply to it at commit. Reads see its own writes."""

    def get(self, key: bytes) -> bytes | None:
        """The value under ``key``, or None."""
        ...

    def get_many(self, keys: Sequence[bytes], *, snapshot: bool = False) -> list[bytes | None]:
        """The values under ``keys``, in their order, in one round trip; None where there is none.

        Args:
            keys: the keys.
            snapshot: read without a conflict: the transaction commits although another wrote these keys meanwhile. For rows
                that say the same whoever writes them; whoever uses it names what holds instead. The values are of the
                transaction's own snapshot all the same, its own writes included.
        """
        ...

    def range(
        self,
        begin: bytes,
        end: bytes,
        *,
        limit: int = 1000,
        reverse: bool = False,
        continuation: bytes | None = None,
    ) -> Page:
        """Rows with ``begin <= key < end``, at most ``limit`` (1..10,000) of them.

        Args:
            begin: first key, inclusive.
            end: last key, exclusive.
            limit: rows in this page.
            reverse: from the end.
            continuation: what the page before returned; resumes by key, never by offset.

        Raises:
            UsageError: limit out of range.
        """
        ...

    def set(self, key: bytes, value: bytes) -> None:
        """Store ``value`` under ``key``.

        Raises:
            TooLarge: key over 500 B, value over 100,000 B, or the transaction over its byte budget.
        """
        ...

    def clear(self, key: bytes) -> None:
        """Remove ``key``; absent keys are fine.

        Raises:
            UsageError: the transaction appends where the key lies; see :meth:`append`.
        """
        ...

    def clear_range(self, begin: bytes, end: bytes) -> None:
        """Remove every key with ``begin <= key < end``.

        Raises:
            UsageError: the transaction appends within the range; see :meth:`append`.
        """
        ...

    def add(self, key: bytes, delta: int) -> None:
        """Add to a signed 64-bit little-endian counter without a read conflict; absent counts as 0.

        Not idempotent: a body that is re-run after a commit adds twice. Use it only where that is harmless.
        """
        ...

    def append(self, prefix: bytes, value: bytes) -> None:
        """Store ``value`` under ``prefix`` + a 12-byte sequence that the engine assigns.

        Sequences grow in commit order, and within a transaction in call order (a versionstamp on FoundationDB).
        The key cannot be read before commit. A body that is re-run appends twice: readers must tolerate duplicates.
        No transaction clears what lies under a prefix and appends there as well.

        Raises:
            UsageError: it has cleared there.
        """
        ...

    @property
    def size_bytes(self) -> int:
        """Bytes of keys and values affected so far; the budget is ``limits.TRANSACTION_BYTES``."""
        ...


class Engine(Protocol):
    """A store, opened. Safe to use from several threads; open it again in a child process (``spawn``, never ``fork``)."""

    @property
    def url(self) -> str:
        """What it was opened with."""
        ...

    @property
    def keeps_removed(self) -> bool:
        """Whether what was removed stands in the store's file until that is compacted."""
        ...

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` in a transaction and commit durably; retry on conflict. ``fn`` may run more than once.

        Raises:
            Conflict: retries ran out.
            TooLarge: over a limit; nothing was written.
            Unavailable: the store cannot be reached.
        """
        ...

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """Run ``fn`` on a snapshot; writes in it raise ``UsageError``. Readers never block."""
        ...

    def run_many(self, bodies: Iterable[Callable[[Transaction], object]]) -> None:
        """Run each body as :meth:`run` does, in a transaction of its own, some of them under way at once.

        In which order they commit is not said: what must come after others is run after this has returned. Bodies are taken
        one after the other, so they may be made while earlier ones commit; making them may read.

        Raises:
            as :meth:`run` does, when those under way have ended. The first body that failed says why, later ones are not
            begun, and which of the others were committed is not known.
        """
        ...

    def bulk(self, tag: str, tenant: str = "") -> Engine:
        """The same store, for work that nobody waits for at a terminal: its transactions give way to all others.

        They wait longer where the store has no room for them, before they fail. Closing either closes both.

        Args:
            tag: what kind of work it is, by which operators see and slow it: at most 7 ASCII characters.
            tenant: whose work it is, where they are to see and slow that instead: a transaction has one tag; "": nobody's.
        """
        ...

    def watch(self, key: bytes, seen: bytes | None, timeout_s: float) -> bytes | None:
        """Wait until the value under ``key`` is another than ``seen``, or the time is up.

        A value that changes and changes back meanwhile may go unnoticed.

        Returns:
            The value then.

        Raises:
            UsageError: called from within a body.
            Unavailable: the store cannot be reached.
        """
        ...

    def close(self) -> None:
        """Release the store. Closing twice is fine."""
        ...
