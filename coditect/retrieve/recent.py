"""Values that were looked at recently, shared by threads."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

__all__ = ["Recent"]

Key = TypeVar("Key")
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Values by key, those that were looked at last. Safe to use from several threads.

    Args:
        most: how many are kept, at least 1.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def kept(self, key: Key) -> Value | None:
        """The value of a key, if it is kept; it counts as looked at.

        Args:
            key: of the value.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of a key, made if it is not kept.

        Others do not wait while it is made. Where two threads make the same one at once, both get the one that was there first.

        Args:
            key: of the value.
            make: gives the value; what it raises is passed on, and nothing is kept.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()
        with self._lock:
            value = self._kept.setdefault(key, made)
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
            return value

    def put(self, key: Key, value: Value) -> None:
        """Keep a value in the place of the one that is kept.

        Args:
            key: of the value.
            value: of today.
        """
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
