"""The line in which jobs wait: first come, first served within a tenant, and tenants by turns."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from threading import Lock
from typing import Generic, TypeVar

from coditect.server.problems import Problem

__all__ = ["WaitingLine"]

T = TypeVar("T")


class WaitingLine(Generic[T]):
    """What waits, by tenant: whoever asks for a hundred builds at once delays another's upload by one of them. Safe for threads.

    Args:
        granted: how much of each tenant may wait at one time; None: see ``most``.
        most: how much may wait of all tenants. Where there are several, none of them takes more than half of it.
    """

    def __init__(self, granted: Mapping[str, int | None], most: int) -> None:
        self._granted = dict(granted)
        self._most = most
        self._lock = Lock()
        self._waiting: dict[str, deque[T]] = {}
        """By tenant, the one that was served longest ago first."""

    def require_room(self, tenant: str) -> None:
        """Whether one more of a tenant may wait.

        Raises:
            Problem: 503, as much of all waits as may; 429, as much of the tenant.
        """
        granted = self._granted.get(tenant)
        fair = max(1, self._most // 2) if len(self._granted) > 1 else self._most
        with self._lock:
            own = len(self._waiting.get(tenant, ()))
            every = sum(map(len, self._waiting.values()))
        if every >= self._most:
            raise Problem(503, "too many jobs wait", "Ask again later.", {"Retry-After": "30"})
        if own >= (fair if granted is None else granted):
            raise Problem(429, "too many jobs of the tenant wait", "Ask again later.", {"Retry-After": "30"})

    def add(self, tenant: str, what: T) -> None:
        """Let something wait."""
        with self._lock:
            self._waiting.setdefault(tenant, deque()).append(what)

    def take(self) -> T:
        """What is next; its tenant goes behind the others. Something waits whenever this is called."""
        with self._lock:
            tenant = next(name for name, own in self._waiting.items() if own)
            own = self._waiting.pop(tenant)
            what = own.popleft()
            self._waiting[tenant] = own
            return what
