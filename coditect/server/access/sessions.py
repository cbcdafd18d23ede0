"""Sessions of browsers: a random cookie, kept as a hash in this process, that ends by itself."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock

from coditect.server.access.callers import Caller

__all__ = ["IDLE_S", "LONGEST_S", "MOST_SESSIONS", "Session", "Sessions"]

IDLE_S = 30 * 60.0
"""Seconds after which a session that nobody uses has ended."""

LONGEST_S = 12 * 3600.0
"""Seconds after which a session has ended however it is used."""

MOST_SESSIONS = 10_000
"""Sessions at one time; the one that was used longest ago ends for a further one."""


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that is signed in.

    Attributes:
        caller: who signed in.
        form_token: what its forms carry, so that no other site's forms count as its own.
        begun_s: when it began, in seconds that only grow.
        used_s: when it was used last.
    """

    caller: Caller
    form_token: str
    begun_s: float
    used_s: float


class Sessions:
    """The sessions of this process. Safe for threads.

    Args:
        now_s: seconds that only grow.
        entropy: gives random bytes.
    """

    def __init__(
        self, now_s: Callable[[], float] = time.monotonic, entropy: Callable[[int], bytes] = secrets.token_bytes
    ) -> None:
        self._now_s = now_s
        self._entropy = entropy
        self._lock = Lock()
        self._kept: dict[str, Session] = {}

    def begin(self, caller: Caller) -> tuple[str, Session]:
        """(the cookie, the session)."""
        cookie, now = self._entropy(32).hex(), self._now_s()
        made = Session(replace(caller, session=True), self._entropy(32).hex(), now, now)
        with self._lock:
            if len(self._kept) >= MOST_SESSIONS:
                del self._kept[min(self._kept, key=lambda each: self._kept[each].used_s)]
            self._kept[_hashed(cookie)] = made
        return cookie, made

    def find(self, cookie: str) -> Session | None:
        """The session of a cookie, which counts as used; None where there is none, or it has ended."""
        key, now = _hashed(cookie), self._now_s()
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            if now - found.used_s > IDLE_S or now - found.begun_s > LONGEST_S:
                del self._kept[key]
                return None
            self._kept[key] = replace(found, used_s=now)
            return found

    def end(self, cookie: str) -> None:
        """End a session."""
        with self._lock:
            self._kept.pop(_hashed(cookie), None)

    def is_own_form(self, cookie: str, given: str) -> bool:
        """Whether what came with a form is what the session's pages hold."""
        found = self.find(cookie)
        return found is not None and hmac.compare_digest(found.form_token.encode(), given.encode("utf-8", "replace"))


def _hashed(cookie: str) -> str:
    return hashlib.sha256(cookie.encode("utf-8", "replace")).hexdigest()
