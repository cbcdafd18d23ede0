"""How often tests repeat themselves: in part whenever somebody waits for them, in full in ``make soak``."""

from __future__ import annotations

import os

__all__ = ["FULL", "times"]

FULL = os.environ.get("TEST_EFFORT", "") == "full"
"""Whether every repetition is wanted: random examples, moments at which a program is killed, rounds of threads."""

_SHARE = 5


def times(full: int, *, least: int = 1) -> int:
    """How often to repeat something that is random, or cut into equal parts.

    Args:
        full: how often where nobody waits.
        least: how often in any case, since fewer would show nothing.
    """
    return full if FULL else max(least, round(full / _SHARE))
