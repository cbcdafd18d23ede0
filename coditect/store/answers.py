"""Answers of language models by request, and the claims that keep a request from being sent twice.

An answer stands under its request's hash and the corpus whose build asked; it is found across the tenant's corpora. A
refusal and an answer that cannot be used are answers, too: they are paid for, and the same would come again. Before
a request is sent it is claimed, and whoever finds a living claim waits for the answer. A claim lives until ``expires_at``,
which its owner moves on while it lives, so that the claims of a killed process are free again soon. Clocks of machines that
share a store must agree to a few seconds; where they do not, a request may be sent twice, and the first answer counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from coditect.engine.limits import TRANSACTION_BYTES
from coditect.engine.port import Transaction
from coditect.errors import Malformed, ModelError, Refused, UsageError
from coditect.keyspace import Part
from coditect.models.llm import CitedSpan, LlmAnswer, TextPart, Usage
from coditect.schemas import AnswerCitation, AnswerPart, AnswerUsage, Asked, ModelAnswer, OpenBatch
from coditect.store.blobs import Row, put_rows
from coditect.store.rows import answer_row, open_row, seal_record
from coditect.store.store import Store

__all__ = [
    "AnswerStore",
    "Claimed",
    "answer_usage",
    "failed_answer",
    "llm_answer",
    "llm_usage",
    "model_answer",
    "stored_error",
]

REQUESTS_AT_ONCE = 200
"""Requests that one transaction looks at."""

ANSWER_BYTES_AT_ONCE = TRANSACTION_BYTES // 2
"""Bytes of answers that one transaction stores; index entries and claims come on top."""


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


class AnswerStore:
    """The answers and claims of one tenant, as the build of one corpus sees them. Safe to use from several threads.

    Args:
        store: the tenant's.
        corpus_id: whose build asks.
    """

    def __init__(self, store: Store, corpus_id: str) -> None:
        self._store = store
        self.corpus_id = corpus_id

    def find(self, request_sha256: str) -> ModelAnswer | None:
        """The answer to a request, whichever corpus of the tenant asked.

        Raises:
            Corrupt: it was changed.
        """
        return self.find_many([request_sha256]).get(request_sha256)

    def find_many(self, requests: Sequence[str]) -> dict[str, ModelAnswer]:
        """The answers there are, by request."""
        found: dict[str, ModelAnswer] = {}
        for some in _portions(requests):
            found |= self._store.engine.read(lambda transaction, some=some: self._answers(transaction, some))  # type: ignore[misc]
        return found

    def put(self, answer: ModelAnswer, owner: str = "") -> ModelAnswer:
        """Store an answer. See :meth:`put_many`."""
        return self.put_many([answer], owner)[0]

    def put_many(self, answers: Sequence[ModelAnswer], owner: str = "") -> list[ModelAnswer]:
        """Store answers for this corpus, and give up ``owner``'s claims in the same transactions.

        Args:
            answers: to different requests.
            owner: of claims; "" for nobody's.

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
        stored: list[ModelAnswer] = []
        begin = size = 0
        for end, (_, row, _) in enumerate(prepared):
            if size + len(row[1]) > ANSWER_BYTES_AT_ONCE or end - begin == REQUESTS_AT_ONCE:
                stored += self._put_some(prepared[begin:end], owner)
                begin, size = end, 0
            size += len(row[1])
        return stored + self._put_some(prepared[begin:], owner)

    def _prepared(self, answer: ModelAnswer, first: ModelAnswer | None) -> tuple[ModelAnswer, Row, tuple[Row, ...]]:
        """What is to be stored, its row, and the rows of what does not fit into that."""
        if first is not None and first.attempts >= answer.attempts:
            answer = first.model_copy(update={"corpus_id": self.corpus_id})
        keys = self._store.keys
        key = keys.key("answers", self.corpus_id, answer.request_sha256)
        return answer, *seal_record(keys, self.corpus_id, key, answer.payload())

    def _put_some(self, prepared: Sequence[tuple[ModelAnswer, Row, tuple[Row, ...]]], owner: str) -> list[ModelAnswer]:
        """Store answers in one transaction; what does not fit into their rows is stored before."""
        keys = self._store.keys
        put_rows(self._store.engine, [row for _, _, blobs in prepared for row in blobs])

        def body(transaction: Transaction) -> list[ModelAnswer]:
            self._free(transaction, [answer.request_sha256 for answer, _, _ in prepared], owner)
            stored: list[ModelAnswer] = []
            for answer, row, _ in prepared:
                there = transaction.get(row[0])
                if there is not None:
                    before = open_row(transaction, keys, self.corpus_id, row[0], there, ModelAnswer)
                    if before.attempts >= answer.attempts:
                        stored.append(before)
                        continue
                transaction.set(*row)
                transaction.set(*answer_row(keys, answer))
                stored.append(answer)
            return stored

        return self._store.update(body)

    def adopt(self, answer: ModelAnswer) -> ModelAnswer:
        """Keep another corpus' answer for this one, too, so that each corpus is whole by itself."""
        if answer.corpus_id == self.corpus_id:
            return answer
        return self.put(answer.model_copy(update={"corpus_id": self.corpus_id}))

    # claims

    def claim(self, request_sha256: str, owner: str, now: float, expires_at: float, attempts: int = 0) -> Claimed:
        """Ask to be the one who sends a request. See :meth:`claim_many`."""
        return self.claim_many([request_sha256], owner, now, expires_at, attempts)[request_sha256]

    def claim_many(
        self, requests: Sequence[str], owner: str, now: float, expires_at: float, attempts: int = 0
    ) -> dict[str, Claimed]:
        """Ask to be the one who sends each of these requests.

        Args:
            requests: hashes.
            owner: unique to the caller, not empty.
            now: seconds since 1970.
            expires_at: when others may take the claim; renew it before.
            attempts: an answer that took no more than these does not count: the caller wants another.

        Returns:
            by request: answered, held by somebody else, or granted.
        """
        claims: dict[str, Claimed] = {}
        for some in _portions(requests):

            def body(transaction: Transaction, some: Sequence[str] = some) -> dict[str, Claimed]:
                answers = self._answers(transaction, some)
                return {
                    sha256: Claimed(answer=answers[sha256])
                    if sha256 in answers and answers[sha256].attempts > attempts
                    else self._claim(transaction, Asked(request_sha256=sha256, owner=owner, expires_at=expires_at), now)
                    for sha256 in some
                }

            claims |= self._store.update(body)
        return claims

    def renew(self, requests: Iterable[str], owner: str, expires_at: float, batch_id: str = "") -> None:
        """Move the end of ``owner``'s claims, never to an earlier time; those that it has lost stay lost.

        Args:
            requests: hashes.
            owner: of the claims.
            expires_at: seconds since 1970.
            batch_id: whose the claims are from now on; "" leaves that as it is.
        """
        for some in _portions(tuple(requests)):

            def body(transaction: Transaction, some: Sequence[str] = some) -> None:
                for sha256 in some:
                    for place, claim in self._claims(transaction, sha256):
                        if claim.owner == owner:
                            moved = claim.model_copy(
                                update={
                                    "expires_at": max(claim.expires_at, expires_at),
                                    "batch_id": batch_id or claim.batch_id,
                                }
                            )
                            self._store.write_record(transaction, "asked", moved, *place)

            self._store.update(body)

    def release(self, requests: Iterable[str], owner: str) -> None:
        """Give up ``owner``'s claims on these requests."""
        for some in _portions(tuple(requests)):
            self._store.update(lambda transaction, some=some: self._free(transaction, some, owner))  # type: ignore[misc]

    # batches

    def open_batches(self) -> list[OpenBatch]:
        """Batches of this corpus that are not yet read to their end, oldest first."""
        batches = [batch for _, batch in self._store.scan("batches", OpenBatch, self.corpus_id)]
        return sorted(batches, key=lambda batch: (batch.submitted_at, batch.batch_id))

    def put_batch(self, batch: OpenBatch) -> None:
        """Remember that a batch was handed in."""
        self._store.put("batches", batch, self.corpus_id, batch.batch_id)

    def close_batch(self, batch: OpenBatch, rest: Sequence[str] = ()) -> None:
        """Forget a batch whose results are stored, and give up its claims, whoever made them.

        Args:
            batch: as it was remembered.
            rest: requests of it whose results are not stored: the batch stays open for these.
        """
        left = frozenset(rest)
        for some in _portions([sha256 for sha256 in batch.requests if sha256 not in left]):

            def body(transaction: Transaction, some: Sequence[str] = some) -> None:
                for sha256 in some:
                    for place, claim in self._claims(transaction, sha256):
                        if claim.batch_id == batch.batch_id:
                            transaction.clear(self._store.keys.key("asked", *place))

            self._store.update(body)
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
                found[sha256] = open_row(transaction, keys, self.corpus_id, key, value, ModelAnswer)
                continue
            for entry, _ in transaction.range(*keys.bounds("idx/answer", sha256), limit=1).rows:
                corpus = keys.parts("idx/answer", entry)[1]
                other = keys.key("answers", corpus, sha256)
                sealed = transaction.get(other)
                if sealed is not None:
                    owner = corpus if isinstance(corpus, bytes) else str(corpus)
                    found[sha256] = open_row(transaction, keys, owner, other, sealed, ModelAnswer)
        return found

    def _claims(self, transaction: Transaction, sha256: str) -> list[tuple[tuple[Part, ...], Asked]]:
        keys = self._store.keys
        found: list[tuple[tuple[Part, ...], Asked]] = []
        for key, value in transaction.range(*keys.bounds("asked", sha256)).rows:
            place = keys.parts("asked", key)
            found.append((place, open_row(transaction, keys, self.corpus_id, key, value, Asked)))
        return found

    def _claim(self, transaction: Transaction, wanted: Asked, now: float) -> Claimed:
        for place, claim in self._claims(transaction, wanted.request_sha256):
            if claim.owner != wanted.owner:
                if claim.expires_at > now:
                    return Claimed(holder=claim)
                transaction.clear(self._store.keys.key("asked", *place))
        self._store.write_record(transaction, "asked", wanted, wanted.request_sha256, self.corpus_id)
        return Claimed()

    def _free(self, transaction: Transaction, requests: Sequence[str], owner: str) -> None:
        for sha256 in requests:
            for place, claim in self._claims(transaction, sha256) if owner else ():
                if claim.owner == owner:
                    transaction.clear(self._store.keys.key("asked", *place))


def model_answer(answer: LlmAnswer, corpus_id: str, role: str, at: str) -> ModelAnswer:
    """An answer as it is stored.

    Args:
        answer: from the service.
        corpus_id: whose build asked.
        role: who asked.
        at: when, RFC 3339.
    """
    parts = tuple(
        AnswerPart(
            text=part.text,
            citations=tuple(
                AnswerCitation(document=c.document, start=c.start, end=c.end, cited_text=c.cited_text)
                for c in part.citations
            ),
        )
        for part in answer.parts
    )
    return ModelAnswer(
        request_sha256=answer.request_sha256,
        corpus_id=corpus_id,
        role=role,
        model=answer.model,
        parts=parts,
        usage=answer_usage(answer.usage),
        stop_reason=answer.stop_reason,
        service_request_id=answer.request_id,
        batched=answer.batched,
        answered_at=at,
    )


def failed_answer(
    error: Refused | Malformed, request_sha256: str, corpus_id: str, role: str, at: str, *, batched: bool = False
) -> ModelAnswer:
    """What came instead of an answer, as it is stored.

    Args:
        error: from the service; its context has ``usage``, and ``model`` and ``request_id`` where they are known.
        request_sha256: of what was asked.
        corpus_id: whose build asked.
        role: who asked.
        at: when, RFC 3339.
        batched: it came in a batch.
    """
    outcome: Literal["refused", "truncated", "malformed"] = "malformed"
    if isinstance(error, Refused):
        outcome = "refused"
    elif error.context.get("truncated"):
        outcome = "truncated"
    usage = error.context.get("usage")
    return ModelAnswer(
        request_sha256=request_sha256,
        corpus_id=corpus_id,
        role=role,
        model=str(error.context.get("model") or ""),
        outcome=outcome,
        usage=answer_usage(usage if isinstance(usage, Usage) else Usage()),
        service_request_id=str(error.context.get("request_id") or ""),
        batched=batched,
        answered_at=at,
    )


def answer_usage(usage: Usage) -> AnswerUsage:
    """Token counts as they are stored."""
    return AnswerUsage(
        input_tokens=usage.input_tokens,
        cache_creation_input_tokens=usage.cache_creation_input_tokens,
        cache_read_input_tokens=usage.cache_read_input_tokens,
        output_tokens=usage.output_tokens,
    )


def llm_usage(stored: ModelAnswer) -> Usage:
    """Token counts of a stored answer, all attempts together."""
    return Usage(**stored.usage.model_dump())


def stored_error(stored: ModelAnswer) -> ModelError | None:
    """Refused or Malformed, as when it came, for what is stored instead of an answer; None for an answer."""
    if stored.outcome == "answered":
        return None
    took: dict[str, Any] = {"model": stored.model, "request_id": stored.service_request_id, "usage": llm_usage(stored)}
    if stored.outcome == "refused":
        return Refused("the model declined to answer", request=stored.request_sha256, **took)
    if stored.outcome == "truncated":
        return Malformed(
            "an answer was cut off",
            hint="Allow more tokens, or ask for less at once.",
            truncated=True,
            request=stored.request_sha256,
            **took,
        )
    return Malformed("an answer cannot be used", truncated=False, request=stored.request_sha256, **took)


def llm_answer(stored: ModelAnswer) -> LlmAnswer:
    """A stored answer as the service gave it; its usage is that of all attempts.

    Raises:
        Refused, Malformed: what is stored is not an answer.
    """
    error = stored_error(stored)
    if error is not None:
        raise error
    parts = tuple(
        TextPart(part.text, tuple(CitedSpan(c.document, c.start, c.end, c.cited_text) for c in part.citations))
        for part in stored.parts
    )
    return LlmAnswer(
        request_sha256=stored.request_sha256,
        model=stored.model,
        parts=parts,
        usage=llm_usage(stored),
        stop_reason=stored.stop_reason,
        request_id=stored.service_request_id,
        batched=stored.batched,
    )


def _portions(requests: Sequence[str]) -> Iterable[Sequence[str]]:
    for begin in range(0, len(requests), REQUESTS_AT_ONCE):
        yield requests[begin : begin + REQUESTS_AT_ONCE]
