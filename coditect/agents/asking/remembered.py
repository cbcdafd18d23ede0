"""Asking a language model so that nothing is paid twice: by this process, a later one, or another that shares the store.

What was answered stands in the store under the request's hash and is returned from there. What is not is leased, asked
once, and stored before anybody sees it. Whoever finds a living lease waits for the answer instead of asking, too. Refusals and
answers that cannot be used are stored as well: they are paid for, and would come again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from coditect.agents.asking.budget import Budget, predicted_input_tokens
from coditect.agents.asking.finishing import Together, ended, to_the_end
from coditect.agents.asking.ledger import Ledger
from coditect.agents.asking.pace import Sleep
from coditect.errors import CoditectError, Malformed, RateLimited, Refused, StoreError, Unreachable, UsageError
from coditect.models.llm import Llm, LlmAnswer, LlmRequest, Usage
from coditect.schemas import ModelAnswer
from coditect.store.answers.leases import LeaseOutcome
from coditect.store.answers.records import (
    answer_usage,
    failed_answer,
    llm_answer,
    llm_usage,
    model_answer,
    stored_error,
)
from coditect.store.answers.requests import AnswerStore
from coditect.telemetry import Logger

__all__ = ["MOST_ATTEMPTS", "Asker", "Check"]

Check = Callable[[LlmAnswer], object]
"""Raises ``Malformed`` for an answer that its role cannot read."""

MOST_ATTEMPTS = 2
"""Calls for a request whose answers cannot be used, by whatever process."""

_FIRST_POLL_S = 0.05
_LONGEST_POLL_S = 2.0

log = Logger(__name__)


@dataclass(frozen=True, slots=True)
class _Received:
    """What a call brought, and what it took as far as that is known."""

    outcome: LlmAnswer | CoditectError
    usage: Usage | None


class Asker:
    """Asks, and remembers. Belongs to one event loop; several askers may share a store.

    Args:
        llm: the model that answers.
        answers: of the corpus that is built.
        ledger: told what was paid and what was not.
        budget: asked before each call.
        owner: of the leases; unique to this asker, not empty.
        now: seconds since 1970, as other machines have them.
        at: the same as RFC 3339, UTC.
        sleep: waits so many seconds.
        lease_s: how long a lease outlives its owner, > 0; it is renewed while a call is under way.
        predict: input tokens of a request, for the budget.
        gone: whether the owner of a lease is known not to run any more; its lease need not be waited for.

    Raises:
        UsageError: no owner, or no lease.
    """

    def __init__(
        self,
        llm: Llm,
        answers: AnswerStore,
        *,
        ledger: Ledger,
        budget: Budget,
        owner: str,
        now: Callable[[], float],
        at: Callable[[], str],
        sleep: Sleep = asyncio.sleep,
        lease_s: float = 60.0,
        predict: Callable[[LlmRequest], int] = predicted_input_tokens,
        gone: Callable[[str], bool] = lambda owner: False,
    ) -> None:
        if not owner or lease_s <= 0:
            raise UsageError("a lease has an owner and a length", owner=owner, lease_s=lease_s)
        self.llm = llm
        self.answers = answers
        self.ledger = ledger
        self.budget = budget
        self.owner = owner
        self.now = now
        self.at = at
        self.sleep = sleep
        self.lease_s = lease_s
        self.predict = predict
        self.gone = gone
        self.prefetched: set[str] = set()
        """Hashes of what this asker was answered in batches and nobody has asked for yet."""
        self._lease_all = Together(self._lease_some)
        self._put_all: Together[ModelAnswer, ModelAnswer] = Together(self._put_some)
        self._unusable: set[str] = set()
        self._under_way: dict[str, asyncio.Future[None]] = {}

    async def ask(self, role: str, request: LlmRequest, *, check: Check | None = None) -> LlmAnswer:
        """The answer to a request: from the store, from whoever is asking at the moment, or from one call.

        An answer that cannot be used is not asked for again by the first :meth:`ask` of a process that finds it, but by the next
        one, and once at most; so repeating is up to the caller (:class:`coditect.agents.asking.pool.Pool`).
        While the request is part of an open batch of another process, this waits for that batch.

        Args:
            role: who asks, for the ledger and the budget.
            request: what.
            check: reads the answer; an answer that it raises ``Malformed`` for cannot be used.

        Raises:
            Refused, Malformed: now, or when it was asked; stored.
            RateLimited, Unreachable: not answered; may be asked again.
            ModelError: not answered, and will not be.
            BudgetExceeded: the call could exceed the budget; it was not made.
            StoreError: the store failed.
        """
        sha256 = request.sha256
        async with self._alone(sha256):
            stored = await to_the_end(self.answers.find, sha256)
            while stored is not None:
                error = _error_in(stored, check)
                if not self._worth_another(stored, error):
                    return await self._remembered(role, stored, error)
                async with self._holding(sha256, stored.attempts) as other:
                    if other is None:
                        return await self._call(role, request, check, stored)
                stored = other
            async with self._holding(sha256, 0) as other:
                if other is None:
                    return await self._call(role, request, check, None)
            return await self._remembered(role, other, _error_in(other, check))

    @asynccontextmanager
    async def renewing(self, requests: Sequence[str]) -> AsyncIterator[None]:
        """Keep this asker's leases on requests alive while the block runs."""
        renewing = asyncio.create_task(self._renew(requests))
        try:
            yield
        finally:
            renewing.cancel()
            await ended(renewing)

    # from the store

    def _worth_another(self, stored: ModelAnswer, error: CoditectError | None) -> bool:
        """Whether a stored answer cannot be used, the caller knows it, and a second one was not asked for yet."""
        return (
            isinstance(error, Malformed)
            and stored.outcome != "truncated"
            and stored.attempts < MOST_ATTEMPTS
            and stored.request_sha256 in self._unusable
        )

    async def _remembered(self, role: str, stored: ModelAnswer, error: CoditectError | None) -> LlmAnswer:
        """Return the stored answer, or raise the error that is stored in its place."""
        sha256 = stored.request_sha256
        if sha256 in self.prefetched:  # paid for in this build
            self.prefetched.discard(sha256)
            self._count(role, error)
        elif sha256 not in self._unusable:
            self.ledger.reused(role, llm_usage(stored))
            self._count(role, error)
        if stored.corpus_id != self.answers.corpus_id:
            await to_the_end(self.answers.adopt, stored)
        if error is not None:
            if isinstance(error, Malformed):
                self._unusable.add(sha256)
            raise error
        return llm_answer(stored)

    def _count(self, role: str, error: CoditectError | None) -> None:
        match error:
            case None:
                return
            case Refused():
                self.ledger.count(role, "refused")
            case Malformed():
                self.ledger.count(role, "malformed")
            case RateLimited() | Unreachable():
                self.ledger.count(role, "interrupted")
            case _:
                self.ledger.count(role, "failed")

    # from the service

    async def _call(self, role: str, request: LlmRequest, check: Check | None, before: ModelAnswer | None) -> LlmAnswer:
        """One call for a leased request, its answer stored."""
        async with self.renewing([request.sha256]):
            reservation = await self.budget.reserve_in_turn(role, request, self.predict(request))
            usage: Usage | None = None
            try:
                self.ledger.count(role, "sent")
                task = asyncio.ensure_future(self.llm.complete(request))
                cancelled: asyncio.CancelledError | None = None
                try:
                    await asyncio.wait({task})
                except asyncio.CancelledError as error:
                    task.cancel()
                    await ended(task)
                    if task.cancelled() or not isinstance(task.exception(), CoditectError | None):
                        raise
                    cancelled = error  # the answer was there at that very moment: it is paid for
                received = _received(task, check)
                usage = received.usage
                await self._keep(role, request, received, before)
                if cancelled is not None:
                    raise cancelled
            finally:
                self.budget.settle(reservation, usage)
        if isinstance(received.outcome, CoditectError):
            raise received.outcome
        return received.outcome

    async def _keep(self, role: str, request: LlmRequest, received: _Received, before: ModelAnswer | None) -> None:
        """Store what a call brought, and give up the lease in the same transaction; count it."""
        outcome = received.outcome
        if received.usage is not None:
            self.ledger.paid(role, request.model, received.usage, cache=request.longest_cache)
        if isinstance(outcome, CoditectError):
            self._count(role, outcome)
        if isinstance(outcome, Malformed):
            self._unusable.add(request.sha256)
        place = (self.answers.corpus_id, role, self.at())
        if isinstance(outcome, LlmAnswer):
            record = model_answer(outcome, *place)
        elif isinstance(outcome, Refused | Malformed) and received.usage is not None:
            record = failed_answer(outcome, request.sha256, *place)
        else:
            return
        if before is not None:
            usage = llm_usage(before) + llm_usage(record)
            record = record.model_copy(
                update={"attempts": before.attempts + record.attempts, "usage": answer_usage(usage)}
            )
        await self._put_all(record)

    # leases

    @asynccontextmanager
    async def _holding(self, sha256: str, attempts: int) -> AsyncIterator[ModelAnswer | None]:
        """Hold the lease on a request while the block runs; yields an answer instead if somebody else has got it."""
        poll_s = _FIRST_POLL_S
        try:
            while True:
                mine = True  # also if this is cancelled before the store says so
                lease = await self._lease_all((sha256, attempts))
                mine = lease.granted
                if mine or lease.answer is not None:
                    break
                if await self._freed(sha256, lease):
                    continue
                await self.sleep(poll_s)
                poll_s = min(2 * poll_s, _LONGEST_POLL_S)
            yield lease.answer
            # A call that ended well has stored its answer and given up the lease with it.
            mine = False
        finally:
            if mine:
                await to_the_end(self.answers.release, [sha256], self.owner)

    async def _freed(self, sha256: str, lease: LeaseOutcome) -> bool:
        """Give up a lease for a process that is known to be gone; what it asked in a batch is still to come."""
        holder = lease.holder
        if holder is None or holder.batch_id or not self.gone(holder.owner):
            return False
        await to_the_end(self.answers.release, [sha256], holder.owner)
        return True

    def _lease_some(self, wanted: Sequence[tuple[str, int]]) -> list[LeaseOutcome]:
        """Leases on requests, each with the attempts that its answer must have taken more of."""
        now = self.now()
        leases: dict[str, LeaseOutcome] = {}
        for attempts in sorted({attempts for _, attempts in wanted}):
            some = [sha256 for sha256, least in wanted if least == attempts]
            leases |= self.answers.lease_many(some, self.owner, now, now + self.lease_s, attempts)
        return [leases[sha256] for sha256, _ in wanted]

    def _put_some(self, records: Sequence[ModelAnswer]) -> list[ModelAnswer]:
        return self.answers.put_many(records, self.owner)

    async def _renew(self, requests: Sequence[str]) -> None:
        while True:
            await self.sleep(self.lease_s / 3)
            try:
                await to_the_end(self.answers.renew, requests, self.owner, self.now() + self.lease_s)
            except StoreError as error:  # the lease may be lost, the answer is not
                log.warning("leases_not_renewed", requests=len(requests), reason=error.message)

    @asynccontextmanager
    async def _alone(self, sha256: str) -> AsyncIterator[None]:
        """Let one coroutine of this asker at a time ask for a request: leases do not tell them apart."""
        while (other := self._under_way.get(sha256)) is not None:
            await asyncio.wait({other})
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._under_way[sha256] = over
        try:
            yield
        finally:
            del self._under_way[sha256]
            over.set_result(None)


def _received(task: asyncio.Future[LlmAnswer], check: Check | None) -> _Received:
    """What a finished call brought."""
    try:
        answer = task.result()
    except CoditectError as error:
        usage = error.context.get("usage")
        return _Received(error, usage if isinstance(usage, Usage) else None)
    try:
        if check is not None:
            check(answer)
    except Malformed as error:
        error.context |= {"usage": answer.usage, "model": answer.model, "request_id": answer.request_id}
        return _Received(error, answer.usage)
    return _Received(answer, answer.usage)


def _error_in(stored: ModelAnswer, check: Check | None) -> CoditectError | None:
    """Why a stored answer cannot be returned."""
    error = stored_error(stored)
    if error is None and check is not None:
        try:
            check(llm_answer(stored))
        except Malformed as unreadable:
            return unreadable
    return error
