"""A sweep's right to remove rows of a corpus, as long as nobody else is at work on it: see :mod:`coditect.store.work`."""

from __future__ import annotations

from coditect.engine.port import Transaction
from coditect.errors import Conflict
from coditect.schemas import Work
from coditect.store.store import Store
from coditect.store.work import REGISTRAR, SWEEP, Registrar, work_under_way

__all__ = ["SweepClaim"]


class SweepClaim:
    """A sweep's right to remove rows of a corpus: it lasts until somebody registers work, or sweeps in its turn.

    Args:
        store: the tenant's store.
        corpus_id: the corpus that is swept.
        registrar: tells the time, names, and who is at work.
    """

    def __init__(self, store: Store, corpus_id: str, registrar: Registrar = REGISTRAR) -> None:
        self._store = store
        self._corpus_id = corpus_id
        self._registrar = registrar
        owner, since = registrar.new_owner(), registrar.now()
        self._own = Work(corpus_id=corpus_id, what=SWEEP, owner=owner, since=since, expires_at=since)
        self._key = store.keys.key("work", corpus_id, SWEEP, owner)

    def take(self) -> Work | None:
        """Claim the corpus, and clear what dead work left registered.

        Returns:
            None; or, where the corpus is not to be swept now, the work that is under way.
        """
        # Whether an owner lives is asked before: bodies read no clock. Who registers after this is taken to live.
        registered_now = self._store.engine.read(
            lambda transaction: work_under_way(transaction, self._store, self._corpus_id)
        )
        dead = {work.owner for work in registered_now if not self._registrar.alive(work)}

        def body(transaction: Transaction) -> Work | None:
            for work in work_under_way(transaction, self._store, self._corpus_id):
                if work.owner not in dead:
                    return work
            transaction.clear_range(*self._store.keys.bounds("work", self._corpus_id))
            self._store.write_record(transaction, "work", self._own, self._corpus_id, SWEEP, self._own.owner)
            return None

        return self._store.update(body)

    def require(self, transaction: Transaction) -> None:
        """Look, in a transaction that removes something, whether the claim still holds.

        Raises:
            Conflict: it does not.
        """
        if transaction.get(self._key) is None:
            raise Conflict(
                "work on this corpus began while it was swept",
                corpus_id=self._corpus_id,
                hint="Sweep again when it is over; what was removed until now is gone, and the rest is whole.",
            )

    def release(self) -> None:
        """Give the claim up."""
        self._store.remove("work", self._corpus_id, SWEEP, self._own.owner)
