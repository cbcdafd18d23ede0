"""Claims on requests to language models, as rows: who is sending a request, and until when others wait for the answer.

A claim lives until ``expires_at``, which its owner moves on while it lives, so that the claims of a killed process are free
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

__all__ = ["ClaimRows", "Claimed"]


@dataclass(frozen=True, slots=True)
class Claimed:
    """What became of a claim; it was granted if there is neither an answer nor another holder.

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


class ClaimRows:
    """The claims of one tenant, as the build of one corpus sees them; whoever asked, they hold for all its corpora.

    Args:
        store: the tenant's.
        corpus_id: whose build asks; new claims stand under it.
    """

    def __init__(self, store: Store, corpus_id: str) -> None:
        self._store = store
        self._corpus_id = corpus_id

    def take(self, transaction: Transaction, wanted: Asked, now: float) -> Claimed:
        """Write a claim unless somebody else's lives; what has expired goes.

        Args:
            transaction: to write in.
            wanted: the claim.
            now: seconds since 1970.
        """
        for place, claim in self._of(transaction, wanted.request_sha256):
            if claim.owner != wanted.owner:
                if claim.expires_at > now:
                    return Claimed(holder=claim)
                transaction.clear(self._store.keys.key("asked", *place))
        self._store.write_record(transaction, "asked", wanted, wanted.request_sha256, self._corpus_id)
        return Claimed()

    def renew(
        self, transaction: Transaction, requests: Iterable[str], owner: str, expires_at: float, batch_id: str
    ) -> None:
        """Move the end of ``owner``'s claims, never to an earlier time; those that it has lost stay lost.

        Args:
            transaction: to write in.
            requests: hashes.
            owner: the owner of the claims.
            expires_at: seconds since 1970.
            batch_id: whose the claims are from now on; "" leaves that as it is.
        """
        for sha256 in requests:
            for place, claim in self._of(transaction, sha256):
                if claim.owner == owner:
                    moved = claim.model_copy(
                        update={
                            "expires_at": max(claim.expires_at, expires_at),
                            "batch_id": batch_id or claim.batch_id,
                        }
                    )
                    self._store.write_record(transaction, "asked", moved, *place)

    def free(self, transaction: Transaction, requests: Iterable[str], owner: str) -> None:
        """Give up ``owner``'s claims on these requests; "" owns none."""
        for sha256 in requests if owner else ():
            for place, claim in self._of(transaction, sha256):
                if claim.owner == owner:
                    transaction.clear(self._store.keys.key("asked", *place))

    def free_batch(self, transaction: Transaction, requests: Iterable[str], batch_id: str) -> None:
        """Give up a batch's claims on these requests, whoever made them."""
        for sha256 in requests:
            for place, claim in self._of(transaction, sha256):
                if claim.batch_id == batch_id:
                    transaction.clear(self._store.keys.key("asked", *place))

    def _of(self, transaction: Transaction, sha256: str) -> list[tuple[tuple[Part, ...], Asked]]:
        keys = self._store.keys
        found: list[tuple[tuple[Part, ...], Asked]] = []
        for key, value in transaction.range(*keys.bounds("asked", sha256)).rows:
            place = keys.parts("asked", key)
            found.append((place, open_row(transaction, keys, self._corpus_id, key, value, Asked)))
        return found
