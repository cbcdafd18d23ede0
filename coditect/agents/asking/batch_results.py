"""Reading batches: what they brought is stored, counted and paid for, and then they are forgotten.

A batch that the service does not have any more ends like one that brought nothing: its requests are asked in the ordinary way.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from coditect.agents.asking.budget import Reservation
from coditect.agents.asking.finishing import to_the_end
from coditect.agents.asking.pace import backoff_s
from coditect.agents.asking.remembered import Asker
from coditect.errors import Malformed, ModelError, RateLimited, Refused, Unreachable
from coditect.models.llm import BatchEntry, LlmBatches, LlmRequest, Usage
from coditect.schemas import ModelAnswer, OpenBatch
from coditect.store.answers.records import failed_answer, model_answer
from coditect.store.answers.requests import portions_of
from coditect.telemetry import Logger

__all__ = ["BatchReader", "WaitingBatch"]

CALL_ATTEMPTS = 6
"""Calls for one thing of a service that is not there or asks to slow down."""

_FIRST_POLL_S = 0.25

T = TypeVar("T")

log = Logger(__name__)


@dataclass(slots=True)
class WaitingBatch:
    """A batch under way.

    Attributes:
        batch: as the store remembers it.
        requests: of it, by hash, as far as this run knows them.
        reservations: what the budget set aside for them; those that are settled are gone.
        is_gone: the service does not have it any more.
    """

    batch: OpenBatch
    requests: dict[str, LlmRequest] = field(default_factory=dict)
    reservations: dict[str, Reservation] = field(default_factory=dict)
    is_gone: bool = False


class BatchReader:
    """What one run reads from the batches of one role.

    Attributes:
        stored: results so far: answers, refusals and answers that cannot be used.

    Args:
        asker: its store, ledger and budget.
        batches: the service that answers them.
        role: whose requests are read.
        poll_s: seconds between two looks, at most.
        progress: told ``stored`` after each batch.
    """

    def __init__(
        self, asker: Asker, batches: LlmBatches, role: str, poll_s: float, progress: Callable[[int], object] | None
    ) -> None:
        self.stored = 0
        self._asker = asker
        self._batches = batches
        self._role = role
        self._poll_s = poll_s
        self._progress = progress
        self._looks = 0

    async def look(self, open_: list[WaitingBatch]) -> None:
        """Read the batches that have ended, and take them from ``open_``; if none has, wait a while.

        Args:
            open_: what is waited for, not empty.

        Raises:
            ModelError: the service refuses, or was not there for too long.
            StoreError: the store failed.
        """
        ended = False
        for waiting in list(open_):
            try:
                entries = await self._results(waiting)
            except ModelError as error:
                if not _is_gone(error):
                    raise
                log.warning("batch_gone", batch_id=waiting.batch.batch_id, role=self._role)
                entries, waiting.is_gone = [], True
            if entries is not None:
                ended = True
                await self._keep(waiting, entries)
                open_.remove(waiting)
        self._looks = 0 if ended else self._looks + 1
        if not ended:  # a small batch may be answered in seconds, a large one takes hours
            await self._asker.sleep(min(self._poll_s, _FIRST_POLL_S * 2.0 ** min(self._looks, 16)))

    async def patiently(self, call: Callable[[], Awaitable[T]]) -> T:
        """Call the service, again after a growing wait if it is not there or asks to slow down.

        Raises:
            ModelError: the service refuses, or was not there for too long.
        """
        for attempt in range(1, CALL_ATTEMPTS):
            try:
                return await call()
            except RateLimited as limited:
                wait_s = limited.context.get("retry_after_s")
                await self._asker.sleep(wait_s if isinstance(wait_s, int | float) else backoff_s(attempt, 0))
            except Unreachable:
                await self._asker.sleep(backoff_s(attempt, 0))
        return await call()

    async def _results(self, waiting: WaitingBatch) -> Sequence[BatchEntry] | None:
        """What a batch brought; None while it is under way."""
        batch_id = waiting.batch.batch_id
        if await self.patiently(lambda: self._batches.state(batch_id)) != "ended":
            return None
        return await self.patiently(lambda: self._batches.results(batch_id, waiting.requests))

    async def _keep(self, waiting: WaitingBatch, entries: Sequence[BatchEntry]) -> None:
        """Store what a batch brought, count it, and forget the batch; requests that nobody asked for here stay open in it."""
        for some in portions_of(entries):
            records = [record for entry in some if (record := self._record(entry, waiting)) is not None]
            await to_the_end(self._asker.answers.put_many, records, self._asker.owner)
            for entry in some:
                self._count(entry, waiting)
            self.stored += len(records)
            self._asker.prefetched.update(record.request_sha256 for record in records)
        for reservation in waiting.reservations.values():
            self._asker.budget.settle(reservation, None)
        batch = waiting.batch
        rest = () if waiting.is_gone else tuple(each for each in batch.requests if each not in waiting.requests)
        await to_the_end(self._asker.answers.close_batch, batch, rest)
        if self._progress is not None:
            self._progress(self.stored)

    def _record(self, entry: BatchEntry, waiting: WaitingBatch) -> ModelAnswer | None:
        """A result as it is stored; None for what may be asked again."""
        asker = self._asker
        if entry.request_sha256 not in waiting.requests:
            return None
        if entry.answer is not None:
            return model_answer(replace(entry.answer, batched=True), asker.answers.corpus_id, self._role, asker.at())
        if isinstance(entry.error, Refused | Malformed) and _usage(entry) is not None:
            place = (entry.request_sha256, asker.answers.corpus_id, self._role, asker.at())
            return failed_answer(entry.error, *place, batched=True)
        return None

    def _count(self, entry: BatchEntry, waiting: WaitingBatch) -> None:
        asker, request = self._asker, waiting.requests.get(entry.request_sha256)
        if request is None:
            return
        usage = _usage(entry)
        reservation = waiting.reservations.pop(entry.request_sha256, None)
        if reservation is not None:
            asker.budget.settle(reservation, usage)
        elif usage is not None:
            asker.budget.spend(self._role, request.model, usage, batched=True, cache=request.longest_cache)
        if usage is not None:
            asker.ledger.paid(self._role, request.model, usage, batched=True, cache=request.longest_cache)
        if entry.answer is None and not isinstance(entry.error, Refused | Malformed):
            asker.ledger.count(self._role, "interrupted")


def _usage(entry: BatchEntry) -> Usage | None:
    """What a request of a batch took; None if it is not known to have taken anything."""
    if entry.answer is not None:
        return entry.answer.usage
    usage = entry.error.context.get("usage") if entry.error is not None else None
    return usage if isinstance(usage, Usage) else None


def _is_gone(error: ModelError) -> bool:
    """Whether the service does not have the batch or its results any more; a wrong key, say, is something else."""
    return type(error) is ModelError and error.context.get("type", "not_found_error") == "not_found_error"
