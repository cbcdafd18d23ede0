"""Leases on requests to language models, as rows: who is sending a request, and until when others wait for the answer.

A lease lives until ``expires_at``, which its owner moves on while it lives, so that the leases of a killed process are free
again soon. Everything here happens inside a transaction of the caller's. Clocks of machines that share a store must agree to
a few seconds; where they do not, a request may be sent twice, and the first answer counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from coditect.engine.port import Transaction
from coditect.keyspace import Part
from coditect.schemas import Asked, ModelAnswer
from coditect.store.rows import open_row
from coditect.store.store import Store

__all__ = ["LeaseOutcome", "LeaseRows"]


@dataclass(frozen=True, slots=True)
class LeaseOutcome:
    """What became of a lease; it was granted if there is neither an answer nor another holder.

    Attributes:
        answer: the request is answered already.
        holder: somebody else is sending it.
    """

    answer: ModelAnswer | None = None
    holder: Asked | None = None

    @property
    def granted(self) -> bool:
        """Whether the caller is to send it."""
        return self.answer is None and self.holder is None


class LeaseRows:
    """The leases of one tenant, as the build of one corpus sees them; whoever asked, they hold for all its corpora.

    Args:
        store: the store of the tenant.
        corpus_id: the corpus whose build asks; new leases stand under it.
    """

    def __init__(self, store: Store, corpus_id: str) -> None:
        self._store = store
        self._corpus_id = corpus_id

    def acquire(self, transaction: Transaction, wanted: Asked, now: float) -> LeaseOutcome:
        """Write a lease unless somebody else's lives; what has expired goes.

        Args:
            transaction: to write in.
            wanted: the lease.
            now: seconds since 1970.
        """
        for place, lease in self._of(transaction, wanted.request_sha256):
            if lease.owner != wanted.owner:
                if lease.expires_at > now:
                    return LeaseOutcome(holder=lease)
                transaction.clear(self._store.keys.key("asked", *place))
        self._store.write_record(transaction, "asked", wanted, wanted.request_sha256, self._corpus_id)
        return LeaseOutcome()

    def renew(
        self, transaction: Transaction, requests: Iterable[str], owner: str, expires_at: float, batch_id: str
    ) -> None:
        """Move the end of ``owner``'s leases, never to an earlier time; those that it has lost stay lost.

        Args:
            transaction: to write in.
            requests: hashes.
            owner: of the leases.
            expires_at: seconds since 1970.
            batch_id: whose the leases are from now on; "" leaves that as it is.
        """
        for sha256 in requests:
            for place, lease in self._of(transaction, sha256):
                if lease.owner == owner:
                    moved = lease.model_copy(
                        update={
                            "expires_at": max(lease.expires_at, expires_at),
                            "batch_id": batch_id or lease.batch_id,
                        }
                    )
                    self._store.write_record(transaction, "asked", moved, *place)

    def release(self, transaction: Transaction, requests: Iterable[str], owner: str) -> None:
        """Give up ``owner``'s leases on these requests; "" owns none."""
        for sha256 in requests if owner else ():
            for place, lease in self._of(transaction, sha256):
                if lease.owner == owner:
                    transaction.clear(self._store.keys.key("asked", *place))

    def release_batch(self, transaction: Transaction, requests: Iterable[str], batch_id: str) -> None:
        """Give up a batch's leases on these requests, whoever made them."""
        for sha256 in requests:
            for place, lease in self._of(transaction, sha256):
                if lease.batch_id == batch_id:
                    transaction.clear(self._store.keys.key("asked", *place))

    def _of(self, transaction: Transaction, sha256: str) -> list[tuple[tuple[Part, ...], Asked]]:
        keys = self._store.keys
        found: list[tuple[tuple[Part, ...], Asked]] = []
        for key, value in transaction.range(*keys.bounds("asked", sha256)).rows:
            place = keys.parts("asked", key)
            found.append((place, open_row(transaction, keys, "asked", place, key, value, Asked)))
        return found
