"""What the port asks of an engine beyond single transactions, for engines whose writers wait for each other anyway."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, TypeVar, cast

from coditect.engine.port import Engine, Transaction

__all__ = ["WATCH_S", "SequentialEngine"]

T = TypeVar("T")

WATCH_S: Final = 0.25
"""How often a watched key is looked at, in seconds; a look at an embedded store takes microseconds."""


class SequentialEngine:
    """Many bodies one after the other, bulk work like any other, and keys that are watched by looking at them.

    An engine inherits from it and adds the rest of :class:`coditect.engine.port.Engine`.
    """

    keeps_removed = False
    """Nothing is kept, unless an engine says so."""

    if TYPE_CHECKING:

        def run(self, fn: Callable[[Transaction], T]) -> T:
            """The engine's own."""
            ...

        def read(self, fn: Callable[[Transaction], T]) -> T:
            """The engine's own."""
            ...

    def run_many(self, bodies: Iterable[Callable[[Transaction], object]]) -> None:
        """Run each body in a transaction of its own, in their order."""
        for body in bodies:
            self.run(body)

    def bulk(self, tag: str, tenant: str = "") -> Engine:
        """This engine: readers never wait, and writers take turns."""
        return cast("Engine", self)

    def watch(self, key: bytes, seen: bytes | None, timeout_s: float) -> bytes | None:
        """Look at the key every :data:`WATCH_S` seconds."""
        end = time.monotonic() + timeout_s
        while True:
            found = self.read(lambda transaction: transaction.get(key))
            rest = end - time.monotonic()
            if found != seen or rest <= 0:
                return found
            time.sleep(min(WATCH_S, rest))
