"""Work in a thread of its own behind a server."""

from __future__ import annotations

from abc import ABC, abstractmethod
from threading import Event, Thread

__all__ = ["Behind"]


class Behind(ABC):
    """Work that begins when the server does, and stops at its next turn when the server ends.

    Args:
        name: of its thread.
    """

    def __init__(self, name: str) -> None:
        self._stopped = Event()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def begin(self) -> None:
        """Begin; called once."""
        self._thread.start()

    def close(self) -> None:
        """Stop behind the corpus that is under way, and wait for it."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join()

    @abstractmethod
    def _run(self) -> None:
        """Do the work, turn by turn, until it is stopped."""
