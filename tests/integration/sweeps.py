"""Processes that die, and readers that compare, for the tests of sweeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from coditect.engine.port import Engine, Transaction
from coditect.engine.sequential import SequentialEngine
from coditect.store.store import Store
from coditect.store.view import View
from coditect.store.work import Registrar
from coditect.testing.engine.memory import MemoryEngine, MemoryStore

__all__ = ["DEAD", "CrashError", "Killed", "everything_of", "killed_at"]

T = TypeVar("T")

DEAD = Registrar(is_gone=lambda owner: True)
"""Whoever is registered is dead."""


class CrashError(Exception):
    """The process is killed."""


class Killed(SequentialEngine):
    """An engine of a process that is killed before its n-th writing transaction: none is made from then on."""

    def __init__(self, engine: Engine, at: int) -> None:
        self.engine = engine
        self.at = at
        self.runs = 0

    @property
    def url(self) -> str:
        """The engine's."""
        return self.engine.url

    def run(self, fn: Callable[[Transaction], T]) -> T:
        """The engine's, until then."""
        self.runs += 1
        if self.runs >= self.at:
            raise CrashError
        return self.engine.run(fn)

    def read(self, fn: Callable[[Transaction], T]) -> T:
        """The engine's."""
        return self.engine.read(fn)

    def close(self) -> None:
        """The engine's."""


def killed_at(memory: MemoryStore, step: Callable[[Store], object], at: int) -> bool:
    """Do something until before its n-th transaction; False if it makes fewer."""
    try:
        step(Store(Killed(MemoryEngine(memory), at)))
    except CrashError:
        return True
    return False


def everything_of(view: View) -> list[object]:
    """Everything that a generation shows."""
    return [
        [(view.text(each), view.extractions(each), view.chunks(each), view.passages(each)) for each in view.entries],
        view.sections,
        view.summary,
        view.claims,
        view.verdicts,
    ]
