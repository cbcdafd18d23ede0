"""How much the calls of a build may take.

The budget is asked before each call, with the most that the call can take, so that it stops a build before the limit and not behind
it. It belongs to one event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from coditect.agents.asking.prices import Prices
from coditect.errors import BudgetExceeded
from coditect.models.llm import CacheTtl, LlmRequest, Usage

__all__ = ["Budget", "Reservation", "predicted_input_tokens"]

_BYTES_PER_TOKEN = 3
_CENT_FRACTIONS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Reservation:
    """What a call may take at most, set aside for it. Give it back with :meth:`Budget.settle`.

    Attributes:
        role: who calls.
        model: the model, as it is asked for.
        tokens: that the call may take, input and output together.
        usd: 0 if the budget has no limit in dollars.
        batched: whether the call is part of a batch, at its price.
        cache: how long is kept what the request writes to the service's cache.
    """

    role: str
    model: str
    tokens: int
    usd: float
    batched: bool
    cache: CacheTtl


class Budget:
    """How much the calls of a build may take: input and output tokens, in all and by role, and dollars.

    What a call may take at most is set aside before it, and what it took is counted after it.

    Args:
        tokens: of all roles together; None: no limit.
        usd: of all roles together; None: no limit.
        role_tokens: by role name; a role that is not there has no limit of its own.
        prices: needed for a limit in dollars.
    """

    def __init__(
        self,
        tokens: int | None = None,
        usd: float | None = None,
        role_tokens: Mapping[str, int] | None = None,
        prices: Prices | None = None,
    ) -> None:
        self._limits: dict[str, float] = {f"tokens of the {role}": limit for role, limit in (role_tokens or {}).items()}
        if tokens is not None:
            self._limits["tokens"] = tokens
        if usd is not None:
            self._limits["dollars"] = usd
        self._prices = prices if prices is not None or usd is None else Prices.load()
        self._spent: dict[str, float] = dict.fromkeys(self._limits, 0)
        self._reserved: dict[str, float] = dict.fromkeys(self._limits, 0)
        self._open: dict[Reservation, None] = {}
        self._waiting: list[asyncio.Future[None]] = []

    def reserve(
        self, role: str, request: LlmRequest, predicted_input_tokens: int, *, batched: bool = False
    ) -> Reservation:
        """Set aside what a call may take: its predicted input and the longest answer that it allows.

        Args:
            role: who calls.
            request: to be sent.
            predicted_input_tokens: of it, > 0.
            batched: in a batch.

        Raises:
            BudgetExceeded: the call could exceed a limit, as things stand; nothing is set aside.
            UsageError: there is a limit in dollars, and no price for the model.
        """
        reservation = self._wanted(role, request, predicted_input_tokens, batched)
        self._check(reservation, self._reserved)
        self._set_aside(reservation)
        return reservation

    async def reserve_in_turn(self, role: str, request: LlmRequest, predicted_input_tokens: int) -> Reservation:
        """As :meth:`reserve`, but waits while only what is set aside for calls under way stands against it.

        Raises:
            BudgetExceeded: the call could exceed a limit, whatever those calls take.
            UsageError: there is a limit in dollars, and no price for the model.
        """
        reservation = self._wanted(role, request, predicted_input_tokens, batched=False)
        while True:
            self._check(reservation, {})
            try:
                self._check(reservation, self._reserved)
            except BudgetExceeded:
                settled: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.append(settled)
                await settled
            else:
                self._set_aside(reservation)
                return reservation

    def settle(self, reservation: Reservation, usage: Usage | None) -> None:
        """The call is over: give back what was set aside, and count what it took.

        Args:
            reservation: of the call; settling it twice does nothing.
            usage: as the service counted; None if it is not known that the call took anything.
        """
        if reservation not in self._open:
            return
        del self._open[reservation]
        for name in self._reserved:
            # Nothing is left over from adding and taking away dollars once no call is under way.
            self._reserved[name] = self._reserved[name] - _share(reservation, name) if self._open else 0
        if usage is not None:
            self.spend(reservation.role, reservation.model, usage, batched=reservation.batched, cache=reservation.cache)
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.done():
                each.set_result(None)

    def spend(self, role: str, model: str, usage: Usage, *, batched: bool = False, cache: CacheTtl = "5m") -> None:
        """Count what a call took for which nothing was set aside, as in a batch that an earlier process handed in."""
        tokens = usage.total_input_tokens + usage.output_tokens
        for name in ("tokens", f"tokens of the {role}"):
            if name in self._spent:
                self._spent[name] += tokens
        if "dollars" in self._spent and self._prices is not None and self._prices.knows(model):
            self._spent["dollars"] += self._prices.usd(model, usage, batched=batched, cache=cache or "5m")

    def _wanted(self, role: str, request: LlmRequest, input_tokens: int, batched: bool) -> Reservation:
        cache = request.longest_cache
        usd = 0.0
        if "dollars" in self._limits and self._prices is not None:
            usd = self._prices.usd_at_most(
                request.model, input_tokens, request.max_tokens, batched=batched, cache=cache
            )
        return Reservation(role, request.model, input_tokens + request.max_tokens, usd, batched, cache)

    def _set_aside(self, reservation: Reservation) -> None:
        self._open[reservation] = None
        for name in self._reserved:
            self._reserved[name] += _share(reservation, name)

    def _check(self, wanted: Reservation, reserved: Mapping[str, float]) -> None:
        for name, limit in self._limits.items():
            need = _share(wanted, name)
            taken = self._spent[name] + reserved.get(name, 0)
            if need and taken + need > limit:
                raise BudgetExceeded(
                    "the next call could exceed the budget",
                    hint="Raise the budget and run this again: what was answered is not asked again.",
                    role=wanted.role,
                    of=name,
                    budget=limit,
                    taken=round(taken, _CENT_FRACTIONS),
                    call=round(need, _CENT_FRACTIONS),
                )


def _share(reservation: Reservation, name: str) -> float:
    """What a reservation takes of a limit."""
    if name == "dollars":
        return reservation.usd
    return reservation.tokens if name in ("tokens", f"tokens of the {reservation.role}") else 0


def predicted_input_tokens(request: LlmRequest) -> int:
    """Input tokens of a request, rather too many than too few for European languages: three bytes of text are a token.

    ``Llm.count_tokens`` says it exactly, and takes a call.
    """
    texts = request.texts
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    if request.output_schema is not None:
        size += len(orjson.dumps(request.output_schema))
    return -(-size // _BYTES_PER_TOKEN) + len(texts)
