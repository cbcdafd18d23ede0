"""What the calls of a build took, by role: what was paid, and what the store saved."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from coditect.agents.asking.prices import Prices
from coditect.models.llm import CacheTtl, Usage

__all__ = ["Event", "Ledger"]

_CENT_FRACTIONS = 6


Event = Literal["sent", "interrupted", "refused", "malformed", "failed"]
"""What becomes of a request: it goes out, alone or in a batch; it gets no answer and may be sent again (too fast, not reached, a
failing service); the model declines, now or when it was asked; the answer was cut off or cannot be used, now or when it came; it
fails for good, without an answer."""


@dataclass(slots=True)
class _RoleAccount:
    """What one role did."""

    events: Counter[Event] = field(default_factory=Counter)
    reused: int = 0
    paid: Usage = field(default_factory=Usage)
    saved: Usage = field(default_factory=Usage)
    usd: float = 0.0
    unpriced: int = 0
    rejected: Counter[str] = field(default_factory=Counter)

    def add(self, other: _RoleAccount) -> None:
        """Count what another role did, too."""
        self.events.update(other.events)
        self.reused += other.reused
        self.paid += other.paid
        self.saved += other.saved
        self.usd += other.usd
        self.unpriced += other.unpriced
        self.rejected.update(other.rejected)

    def report(self) -> dict[str, Any]:
        """What is counted, as JSON, by name in order; US dollars are rounded."""
        found: dict[str, Any] = {
            **{event: self.events[event] for event in get_args(Event)},
            "paid": dict(sorted(asdict(self.paid).items())),
            "rejected": dict(sorted(self.rejected.items())),
            "reused": self.reused,
            "saved": dict(sorted(asdict(self.saved).items())),
            "unpriced": self.unpriced,
            "usd": round(self.usd, _CENT_FRACTIONS),
        }
        return dict(sorted(found.items()))


class Ledger:
    """Counts, by role.

    Args:
        prices: for the dollars; None: there are none.
    """

    def __init__(self, prices: Prices | None = None) -> None:
        self._prices = prices
        self._roles: dict[str, _RoleAccount] = {}

    def count(self, role: str, event: Event) -> None:
        """Something became of a request of a role."""
        self._of(role).events[event] += 1

    def paid(self, role: str, model: str, usage: Usage, *, batched: bool = False, cache: CacheTtl = "5m") -> None:
        """The service counted tokens for a request, whether the answer is of use or not.

        Args:
            role: who asked.
            model: as it was asked for.
            usage: of that one request.
            batched: in a batch.
            cache: how long is kept what the request wrote to the service's cache.
        """
        account = self._of(role)
        account.paid += usage
        if self._prices is not None and self._prices.knows(model):
            account.usd += self._prices.usd(model, usage, batched=batched, cache=cache or "5m")
        else:
            account.unpriced += 1

    def reused(self, role: str, usage: Usage) -> None:
        """The store had the answer, which once took ``usage``."""
        account = self._of(role)
        account.reused += 1
        account.saved += usage

    def rejected(self, role: str, reason: str, count: int = 1) -> None:
        """So many things of an answer were not accepted, for a reason of a few words."""
        self._of(role).rejected[reason] += count

    def report(self) -> dict[str, Any]:
        """All of it as plain JSON, in fixed order: ``roles`` by name, and their sum in ``total``.

        Dollars are 0 for calls without a price; ``unpriced`` counts those.
        """
        total = _RoleAccount()
        for _, account in sorted(self._roles.items()):
            total.add(account)
        return {
            "prices_as_of": self._prices.as_of if self._prices is not None else "",
            "roles": {role: account.report() for role, account in sorted(self._roles.items())},
            "total": total.report(),
        }

    def _of(self, role: str) -> _RoleAccount:
        return self._roles.setdefault(role, _RoleAccount())
