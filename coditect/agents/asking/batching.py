"""Asking many things at half the price: in batches, which are answered within a day and outlive the process.

A batch that was handed in is remembered in the store until its results are there, so that a later run reads it instead of
paying again. Between the service's taking a batch and the store's remembering it lies one write; a process that is killed
right there loses what that batch costs, and so does one whose connection breaks before it hears the batch's id. Nothing else is
paid twice.

What a batch leaves unanswered (expired, failed) is asked in the ordinary way: the build asks everything through
:meth:`coditect.agents.asking.remembered.Asker.ask` afterwards, and finds stored what was answered here.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress

import orjson

from coditect.agents.asking.batch_results import BatchReader, WaitingBatch
from coditect.agents.asking.budget import Reservation
from coditect.agents.asking.finishing import finish, to_the_end
from coditect.agents.asking.remembered import Asker
from coditect.errors import BudgetExceeded, ModelError, StoreError, UsageError
from coditect.models.llm import LlmBatches, LlmRequest
from coditect.schemas import OpenBatch
from coditect.store.answers.requests import portions_of
from coditect.telemetry import Logger

__all__ = ["MOST_BYTES", "MOST_REQUESTS", "answer_in_batches", "request_bytes"]

MOST_REQUESTS = 10_000
MOST_BYTES = 100_000_000
MOST_OPEN = 4
"""Batches that wait at a time, beside those of earlier runs: what they ask is kept in memory."""

BATCH_LEASE_S = 25 * 3600.0
"""Seconds that a batch's leases live: the service gives a batch a day."""

POLL_S = 30.0
_ENVELOPE_BYTES = 200

log = Logger(__name__)


async def answer_in_batches(
    asker: Asker,
    role: str,
    requests: Iterable[LlmRequest],
    *,
    poll_s: float = POLL_S,
    progress: Callable[[int], object] | None = None,
    most: int = MOST_REQUESTS,
    most_bytes: int = MOST_BYTES,
    most_open: int = MOST_OPEN,
) -> int:
    """Have requests answered in batches, and store what they bring. Returns when no batch is left to wait for.

    Batches of this corpus and role that an earlier run handed in are read, too; what they answer is not handed in again. Neither
    is what is stored, or asked by somebody else at the moment. What the budget has no room for is left out.

    Args:
        asker: its model, store, ledger and budget; ask the same requests through it afterwards.
        role: who asks.
        requests: taken as there is room for them; the same one may come twice.
        poll_s: seconds between two looks at the batches, at most; the first looks follow each other sooner.
        progress: told how many requests have a stored result, after each batch.
        most: requests of a batch, > 0.
        most_bytes: of a batch; a longer request is a batch of its own.
        most_open: batches that wait at a time, > 0.

    Returns:
        results that were stored: answers, refusals and answers that cannot be used.

    Raises:
        UsageError: the model has no batches, or a number is out of range.
        ModelError: the service refuses a batch.
        RateLimited, Unreachable: it kept refusing, or was not there, for too long. What was handed in is read by the next run.
        StoreError: the store failed.
    """
    batches = asker.llm.batches
    if batches is None:
        raise UsageError("this model has no batches", hint="Leave --batch out.")
    if min(most, most_bytes, most_open) < 1:
        raise UsageError(
            "a batch has at least one request",
            most=most,
            most_bytes=most_bytes,
            most_open=most_open,
            hint="Choose 1 or more.",
        )
    reader = BatchReader(asker, batches, role, poll_s, progress)
    run = _BatchPass(asker, batches, role, reader)
    try:
        await run.resume()
        await run.hand_in_all(requests, most, most_bytes, most_open)
        await run.wait_for_all()
    finally:
        run.settle_all()
    return reader.stored


class _BatchPass:
    """One pass over the requests of a role: what is open from earlier runs, what is handed in, what is waited for."""

    def __init__(self, asker: Asker, batches: LlmBatches, role: str, reader: BatchReader) -> None:
        self._asker = asker
        self._batches = batches
        self._role = role
        self._reader = reader
        self._resumed: list[WaitingBatch] = []
        self._open: list[WaitingBatch] = []
        self._no_budget = False

    async def resume(self) -> None:
        """Find what earlier runs handed in."""
        found = await to_the_end(self._asker.answers.open_batches)
        self._resumed = [WaitingBatch(batch) for batch in found if batch.role == self._role]

    # handing in

    async def hand_in_all(self, requests: Iterable[LlmRequest], most: int, most_bytes: int, most_open: int) -> None:
        """Hand in what is neither answered nor in a batch, in portions."""
        resumed = {sha256: waiting for waiting in self._resumed for sha256 in waiting.batch.requests}
        portion: dict[str, LlmRequest] = {}
        size = 0
        async for sha256, request in self._unanswered(requests, resumed):
            bytes_ = request_bytes(request)
            if portion and (len(portion) == most or size + bytes_ > most_bytes):
                await self._hand_in(portion, most_open)
                portion, size = {}, 0
            portion[sha256] = request
            size += bytes_
        await self._hand_in(portion, most_open)

    async def _unanswered(
        self, requests: Iterable[LlmRequest], resumed: Mapping[str, WaitingBatch]
    ) -> AsyncIterator[tuple[str, LlmRequest]]:
        """Each request once that the store has no answer to; those of earlier batches are kept for reading these."""
        seen: set[str] = set()
        for some in portions_of(requests):
            new: dict[str, LlmRequest] = {}
            for request in some:
                sha256 = request.sha256
                if sha256 in resumed:
                    resumed[sha256].requests[sha256] = request
                elif sha256 not in seen and not self._no_budget:
                    seen.add(sha256)
                    new[sha256] = request
            known = await to_the_end(self._asker.answers.find_many, list(new))
            for sha256, request in new.items():
                if sha256 not in known:
                    yield sha256, request

    async def _hand_in(self, portion: Mapping[str, LlmRequest], most_open: int) -> None:
        """Hand in a portion as the budget allows, if need be in several batches, one after another's results."""
        asker = self._asker
        while portion and not self._no_budget:
            while len(self._open) >= most_open:
                await self._reader.look(self._open)
            now = asker.now()
            held = list(portion)
            try:
                leases = await to_the_end(asker.answers.lease_many, held, asker.owner, now, now + asker.lease_s)
                granted = {sha256: request for sha256, request in portion.items() if leases[sha256].granted}
                reservations = self._reserve(granted)
                batch = {sha256: granted[sha256] for sha256 in reservations}
                portion = {sha256: request for sha256, request in granted.items() if sha256 not in batch}
                if batch:
                    await self._submit(batch, reservations)
            finally:
                in_batches = {sha256 for waiting in self._open for sha256 in waiting.requests}
                await to_the_end(asker.answers.release, [each for each in held if each not in in_batches], asker.owner)
            if portion and not batch:
                if not self._open:
                    self._no_budget = True
                    log.warning("batches_without_budget", role=self._role)
                    return
                await self._reader.look(self._open)

    def _reserve(self, granted: Mapping[str, LlmRequest]) -> dict[str, Reservation]:
        """Set aside what the first of these requests may take, as far as the budget goes."""
        reservations: dict[str, Reservation] = {}
        for sha256, request in granted.items():
            try:
                reservations[sha256] = self._asker.budget.reserve(
                    self._role, request, self._asker.predict(request), batched=True
                )
            except BudgetExceeded:
                break
        return reservations

    async def _submit(self, batch: dict[str, LlmRequest], reservations: dict[str, Reservation]) -> None:
        waiting: list[WaitingBatch] = []

        async def once() -> None:
            batch_id = await self._batches.submit(list(batch.values()))
            opened = OpenBatch(
                corpus_id=self._asker.answers.corpus_id,
                batch_id=batch_id,
                role=self._role,
                requests=tuple(sorted(batch)),
                submitted_at=self._asker.at(),
            )
            try:
                await to_the_end(self._remember, opened)
            except StoreError:
                with suppress(ModelError):
                    await self._batches.cancel(batch_id)
                raise
            waiting.append(WaitingBatch(opened, batch, reservations))

        try:
            async with self._asker.renewing(list(batch)):
                # A batch that the service has taken is remembered before anything else, even a cancellation.
                await self._reader.patiently(lambda: finish(once()))
        finally:
            self._open += waiting
            for reservation in reservations.values():
                if waiting:
                    self._asker.ledger.count(self._role, "sent")
                else:
                    self._asker.budget.settle(reservation, None)

    def _remember(self, batch: OpenBatch) -> None:
        answers = self._asker.answers
        answers.put_batch(batch)
        answers.renew(batch.requests, self._asker.owner, self._asker.now() + BATCH_LEASE_S, batch.batch_id)

    # reading

    async def wait_for_all(self) -> None:
        """Read every batch that has something of what is wanted."""
        self._open += [waiting for waiting in self._resumed if waiting.requests]
        self._resumed = []
        while self._open:
            await self._reader.look(self._open)

    def settle_all(self) -> None:
        """Give back what is set aside for batches that are not read."""
        for waiting in self._open:
            for reservation in waiting.reservations.values():
                self._asker.budget.settle(reservation, None)


def request_bytes(request: LlmRequest) -> int:
    """About how long a request is on its way, in bytes."""
    size = _ENVELOPE_BYTES + sum(len(text.encode("utf-8", "replace")) + _ENVELOPE_BYTES for text in request.texts)
    return size + (len(orjson.dumps(request.output_schema)) if request.output_schema is not None else 0)
