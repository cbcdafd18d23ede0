"""Values that are kept from one question to the next, for as long as there is room."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

__all__ = ["Kept"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def _one(_value: object) -> int:
    return 1


class Kept(Generic[K, V]):
    """Values by key, safe for threads; where there is no room for another one, the oldest go.

    Unlike :func:`functools.lru_cache` it takes values that were read many at a time, and values of different sizes. Two threads
    that miss the same key both read the value; every value here is the same whoever reads it.

    Args:
        room: what all values together may cost.
        cost: what a value costs; by default one, so that ``room`` is how many are kept.
    """

    def __init__(self, room: int, cost: Callable[[V], int] = _one) -> None:
        self._room = room
        self._cost = cost
        self._lock = threading.Lock()
        self._values: dict[K, V] = {}
        self._taken = 0

    def get(self, key: K) -> V | None:
        """The value under a key, or None."""
        return self._values.get(key)

    def put(self, key: K, value: V) -> V:
        """Keep a value, and return it; one that is larger than all the room is kept alone."""
        with self._lock:
            self._drop(key)
            cost = self._cost(value)
            while self._values and self._taken + cost > self._room:
                self._drop(next(iter(self._values)))
            self._values[key] = value
            self._taken += cost
        return value

    def _drop(self, key: K) -> None:
        gone = self._values.pop(key, None)
        if gone is not None:
            self._taken -= self._cost(gone)
