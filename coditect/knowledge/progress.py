"""How use cases tell what they are doing, without knowing who listens."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

__all__ = ["Clock", "Progress", "Stopwatch", "silent", "utc_now"]

Progress = Callable[[str, int, int], None]
"""(stage, done, total), called often; total is 0 where it is not known."""

Clock = Callable[[], str]
"""Gives the time now, RFC 3339, UTC."""


def silent(stage: str, done: int, total: int) -> None:
    """Progress that nobody listens to."""


def utc_now() -> str:
    """The time now, to the second, RFC 3339, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class Stopwatch:
    """Seconds by stage, for the report of a build; never stored.

    Args:
        seconds: added to; None begins a new account.
    """

    def __init__(self, seconds: dict[str, float] | None = None) -> None:
        self.seconds: dict[str, float] = {} if seconds is None else seconds

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time inside to a stage."""
        begin = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = round(self.seconds.get(name, 0.0) + time.perf_counter() - begin, 3)
