"""Whoever does something under one name takes turns; other names do not wait."""

from __future__ import annotations

from threading import Lock
from weakref import WeakValueDictionary

__all__ = ["Turns"]


class Turns:
    """A lock for each name, as long as somebody holds or awaits it. Safe for threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._held: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    def of(self, name: str) -> Lock:
        """The lock of a name."""
        with self._lock:
            return self._held.setdefault(name, Lock())
