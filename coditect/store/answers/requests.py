"""Answers of language models by request, and the leases that keep a request from being sent twice.

An answer stands under its request's hash and the corpus whose build asked; it is found across the tenant's corpora. A
refusal and an answer that cannot be used are answers, too: they are paid for, and the same would come again. Before
a request is sent it is leased (:mod:`coditect.store.answers.leases`), and whoever finds a living lease waits for the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from coditect.engine.batches import batches
from coditect.engine.limits import TRANSACTION_BYTES
from coditect.engine.port import Transaction
from coditect.errors import UsageError
from coditect.keyspace import Part
from coditect.schemas import Asked, ModelAnswer, OpenBatch, sha256_hex
from coditect.store.answers.leases import LeaseOutcome, LeaseRows
from coditect.store.blobs import Row, put_blobs
from coditect.store.rows import index_rows, open_row, payload_of, record_rows
from coditect.store.store import Store
from coditect.store.work import registered
from coditect.transparency.events import append_event, event_of

__all__ = ["AnswerStore", "portions_of"]

T = TypeVar("T")

REQUESTS_AT_ONCE = 200
"""Requests that one transaction looks at."""

ANSWER_BYTES_AT_ONCE = TRANSACTION_BYTES // 2
"""Bytes of answers that one transaction stores; index entries and leases come on top."""


class AnswerStore:
    """The answers and leases of one tenant, as the build of one corpus sees them. Safe to use from several threads.

    Args:
        store: the store of the tenant.
        corpus_id: the corpus whose build asks.
    """

    def __init__(self, store: Store, corpus_id: str) -> None:
        self._store = store
        self._leases = LeaseRows(store, corpus_id)
        self.corpus_id = corpus_id

    def find(self, request_sha256: str) -> ModelAnswer | None:
        """The answer to a request, whichever corpus of the tenant asked.

        Raises:
            Corrupt: it was changed.
        """
        return self.find_many([request_sha256]).get(request_sha256)

    def find_many(self, requests: Sequence[str]) -> dict[str, ModelAnswer]:
        """The answers that the store has to some of these requests, by request."""
        found: dict[str, ModelAnswer] = {}
        for some in portions_of(requests):
            found |= self._store.engine.read(lambda transaction, some=some: self._answers(transaction, some))  # type: ignore[misc]
        return found

    def put(self, answer: ModelAnswer, owner: str = "") -> ModelAnswer:
        """Store an answer. See :meth:`put_many`."""
        return self.put_many([answer], owner)[0]

    def put_many(self, answers: Sequence[ModelAnswer], owner: str = "") -> list[ModelAnswer]:
        """Store answers for this corpus, and give up ``owner``'s leases in the same transactions.

        Args:
            answers: to different requests.
            owner: of leases; "" for nobody's.

        Returns:
            what is stored, in their order: the answer, or the one that was there before, in any corpus. The first one stays,
            unless the new one took more attempts.

        Raises:
            UsageError: an answer of another corpus; nothing is stored.
        """
        for answer in answers:
            if answer.corpus_id != self.corpus_id:
                raise UsageError(
                    "an answer belongs to another corpus", corpus_id=answer.corpus_id, expected=self.corpus_id
                )
        known = self.find_many([answer.request_sha256 for answer in answers])
        prepared = [self._prepared(answer, known.get(answer.request_sha256)) for answer in answers]
        portions = batches(prepared, _size_bytes, ANSWER_BYTES_AT_ONCE, REQUESTS_AT_ONCE)
        return [answer for some in portions for answer in self._put_some(some, owner)]

    def _prepared(self, answer: ModelAnswer, first: ModelAnswer | None) -> tuple[ModelAnswer, Row, tuple[Row, ...]]:
        """What is to be stored, its row, and the rows of what does not fit into that."""
        if first is not None and first.attempts >= answer.attempts:
            answer = first.model_copy(update={"corpus_id": self.corpus_id})
        return answer, *record_rows(self._store.keys, "answers", answer)

    def _put_some(self, prepared: Sequence[tuple[ModelAnswer, Row, tuple[Row, ...]]], owner: str) -> list[ModelAnswer]:
        """Store answers in one transaction; what does not fit into their rows is stored before."""
        keys = self._store.keys

        def body(transaction: Transaction) -> list[ModelAnswer]:
            self._leases.release(transaction, [answer.request_sha256 for answer, _, _ in prepared], owner)
            stored: list[ModelAnswer] = []
            for answer, row, _ in prepared:
                there, replaced = transaction.get(row[0]), ""
                if there is not None:
                    place = (self.corpus_id, answer.request_sha256)
                    before = open_row(transaction, keys, "answers", place, row[0], there, ModelAnswer)
                    if before.attempts >= answer.attempts:
                        stored.append(before)
                        continue
                    replaced = sha256_hex(payload_of(transaction, keys, place, row[0], there))
                transaction.set(*row)
                # No entry names a request: who guesses a short one would know a document's words.
                event = event_of("answer", self.corpus_id, answer, subject=replaced, by=self._store.acting.by)
                append_event(transaction, keys, event)
                for entry in index_rows(keys, answer):
                    transaction.set(*entry)
                stored.append(answer)
            return stored

        blobs = [row for _, _, own in prepared for row in own]
        if not blobs:
            return self._store.update(body)
        # Nothing names a blob before its answer is stored, whoever asked for it: no sweep may come between them.
        with registered(self._store, self.corpus_id, "answers") as store:
            put_blobs(store.engine, keys, blobs)
            return store.update(body)

    def adopt(self, answer: ModelAnswer) -> ModelAnswer:
        """Keep another corpus' answer for this one, too, so that each corpus is whole by itself."""
        if answer.corpus_id == self.corpus_id:
            return answer
        return self.put(answer.model_copy(update={"corpus_id": self.corpus_id}))

    # leases

    def lease(self, request_sha256: str, owner: str, now: float, expires_at: float, attempts: int = 0) -> LeaseOutcome:
        """Ask to be the one who sends a request. See :meth:`lease_many`."""
        return self.lease_many([request_sha256], owner, now, expires_at, attempts)[request_sha256]

    def lease_many(
        self, requests: Sequence[str], owner: str, now: float, expires_at: float, attempts: int = 0
    ) -> dict[str, LeaseOutcome]:
        """Ask to be the one who sends each of these requests.

        Args:
            requests: hashes.
            owner: unique to the caller, not empty.
            now: seconds since 1970.
            expires_at: when others may take the lease; renew it before.
            attempts: an answer that took no more than these does not count: the caller wants another.

        Returns:
            by request: answered, held by somebody else, or granted.
        """
        leases: dict[str, LeaseOutcome] = {}
        for some in portions_of(requests):

            def body(transaction: Transaction, some: Sequence[str] = some) -> dict[str, LeaseOutcome]:
                answers = self._answers(transaction, some)
                return {
                    sha256: LeaseOutcome(answer=answers[sha256])
                    if sha256 in answers and answers[sha256].attempts > attempts
                    else self._leases.acquire(
                        transaction, Asked(request_sha256=sha256, owner=owner, expires_at=expires_at), now
                    )
                    for sha256 in some
                }

            leases |= self._store.update(body)
        return leases

    def renew(self, requests: Iterable[str], owner: str, expires_at: float, batch_id: str = "") -> None:
        """Move the end of ``owner``'s leases, never to an earlier time; those that it has lost stay lost.

        Args:
            requests: hashes.
            owner: of the leases.
            expires_at: seconds since 1970.
            batch_id: whose the leases are from now on; "" leaves that as it is.
        """
        for some in portions_of(requests):
            self._store.update(
                lambda transaction, some=some: self._leases.renew(transaction, some, owner, expires_at, batch_id)  # type: ignore[misc]
            )

    def release(self, requests: Iterable[str], owner: str) -> None:
        """Give up ``owner``'s leases on these requests."""
        for some in portions_of(requests):
            self._store.update(lambda transaction, some=some: self._leases.release(transaction, some, owner))  # type: ignore[misc]

    # batches

    def open_batches(self) -> list[OpenBatch]:
        """Batches of this corpus that are not yet read to their end, oldest first."""
        batches = [batch for _, batch in self._store.scan("batches", OpenBatch, self.corpus_id)]
        return sorted(batches, key=lambda batch: (batch.submitted_at, batch.batch_id))

    def put_batch(self, batch: OpenBatch) -> None:
        """Remember that a batch was handed in."""
        self._store.put("batches", batch, self.corpus_id, batch.batch_id)

    def close_batch(self, batch: OpenBatch, rest: Sequence[str] = ()) -> None:
        """Forget a batch whose results are stored, and give up its leases, whoever made them.

        Args:
            batch: as it was remembered.
            rest: requests of it whose results are not stored: the batch stays open for these.
        """
        left = frozenset(rest)
        for some in portions_of([sha256 for sha256 in batch.requests if sha256 not in left]):
            self._store.update(
                lambda transaction, some=some: self._leases.release_batch(transaction, some, batch.batch_id)  # type: ignore[misc]
            )
        if left:
            self.put_batch(batch.model_copy(update={"requests": tuple(rest)}))
        else:
            self._store.remove("batches", self.corpus_id, batch.batch_id)

    # inside transactions

    def _answers(self, transaction: Transaction, requests: Sequence[str]) -> dict[str, ModelAnswer]:
        keys = self._store.keys
        own = [keys.key("answers", self.corpus_id, sha256) for sha256 in requests]
        found: dict[str, ModelAnswer] = {}
        for sha256, key, value in zip(requests, own, transaction.get_many(own), strict=True):
            if value is not None:
                place: tuple[Part, ...] = (self.corpus_id, sha256)
                found[sha256] = open_row(transaction, keys, "answers", place, key, value, ModelAnswer)
                continue
            for entry, _ in transaction.range(*keys.bounds("idx/answer", sha256), limit=1).rows:
                corpus = keys.parts("idx/answer", entry)[1]
                other = keys.key("answers", corpus, sha256)
                sealed = transaction.get(other)
                if sealed is not None:
                    place = (corpus, sha256)
                    found[sha256] = open_row(transaction, keys, "answers", place, other, sealed, ModelAnswer)
        return found


def _size_bytes(prepared: tuple[ModelAnswer, Row, tuple[Row, ...]]) -> int:
    """What an answer takes of a transaction."""
    _, (_, value), _ = prepared
    return len(value)


def portions_of(items: Iterable[T]) -> Iterator[list[T]]:
    """As many as one transaction looks at, taken from ``items`` as they are wanted."""
    iterator = iter(items)
    while some := list(islice(iterator, REQUESTS_AT_ONCE)):
        yield some
