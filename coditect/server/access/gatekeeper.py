"""Callers by what they show, and how much each may ask."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter

from coditect.server.access.callers import Caller
from coditect.server.access.oidc import IdentityProvider
from coditect.server.access.sessions import Session, Sessions
from coditect.server.access.tokens import TokenRegister
from coditect.server.problems import Problem

__all__ = ["DEFAULT_RATE", "Keeper"]

DEFAULT_RATE = "600/minute"
"""Requests of one token; of an identity provider's caller or a session by its name."""

_FAILED = parse("20/minute")
"""Attempts to sign in that failed, of one address."""


class Keeper:
    """Knows the callers of a server. Safe for threads.

    Args:
        registers: the tokens of each tenant.
        sessions: of browsers.
        rate: requests of one caller, as the library ``limits`` writes it.
        tenant_rates: requests of all callers of a tenant together, by its name; one that is not named has no limit.
        anonymous: who asks without anything to show on loopback; None: nobody may.
        provider: an identity provider whose tokens are taken, too.
        clock_s: seconds since 1970.
    """

    def __init__(
        self,
        registers: Mapping[str, TokenRegister],
        sessions: Sessions,
        *,
        rate: str = DEFAULT_RATE,
        tenant_rates: Mapping[str, str] = MappingProxyType({}),
        anonymous: Caller | None = None,
        provider: IdentityProvider | None = None,
        clock_s: Callable[[], float] = time.time,
    ) -> None:
        self.anonymous = anonymous
        self._registers = dict(registers)
        self._sessions = sessions
        self._rate: RateLimitItem = parse(rate)
        self._tenant_rates: dict[str, RateLimitItem] = {name: parse(each) for name, each in tenant_rates.items()}
        self._provider = provider
        self._clock_s = clock_s
        self._limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def by_token(self, token: str) -> Caller | None:
        """The caller that a token is of; None where it is none, has expired or was revoked."""
        for register in self._registers.values():
            found = register.caller(token)
            if found is not None:
                return found
        return None if self._provider is None else self._provider.caller(token)

    def by_session(self, cookie: str) -> Caller | None:
        """The caller that a browser's session is of; None where it, or the token that it began with, has ended."""
        found = self._sessions.find(cookie)
        if found is None or not self._still(found.caller):
            return None
        return found.caller

    def begin_session(self, token: str, address: str) -> tuple[str, Session] | None:
        """(the cookie, the session) of a browser whose user showed a token; None where the token is none.

        Raises:
            Problem: 429, too many attempts from this address.
        """
        caller = self.by_token(token)
        if caller is None:
            if not self._limiter.hit(_FAILED, "sign-in", address):
                raise Problem(429, "too many attempts to sign in", "Try again in a minute.", {"Retry-After": "60"})
            return None
        return self._sessions.begin(caller)

    def end_session(self, cookie: str) -> None:
        """End a browser's session."""
        self._sessions.end(cookie)

    def form_token(self, cookie: str) -> str:
        """What forms of a session carry; "" where there is none."""
        found = self._sessions.find(cookie)
        return "" if found is None else found.form_token

    def is_own_form(self, cookie: str, given: str) -> bool:
        """Whether what came with a form is what the session's pages hold."""
        return self._sessions.is_own_form(cookie, given)

    def count(self, caller: Caller) -> None:
        """Count a request.

        Raises:
            Problem: 429, the caller has asked too often, or all callers of its tenant together.
        """
        if not self._limiter.hit(self._rate, caller.tenant, caller.public_id or caller.name):
            raise Problem(429, "too many requests", f"At most {self._rate}.", {"Retry-After": "10"})
        shared = self._tenant_rates.get(caller.tenant)
        if shared is not None and not self._limiter.hit(shared, "tenant", caller.tenant):
            raise Problem(
                429, "too many requests of the tenant", f"All of its callers: at most {shared}.", {"Retry-After": "10"}
            )

    def _still(self, caller: Caller) -> bool:
        if caller.until_s is not None and caller.until_s <= self._clock_s():
            return False
        register = self._registers.get(caller.tenant)
        return not caller.public_id or register is None or register.holds(caller.public_id)
