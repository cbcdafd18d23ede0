"""Tasks for worker processes, some of which kill theirs. Apart from the tests, since every process that is started imports this."""

from __future__ import annotations

import gc
import os

__all__ = ["collected_from", "crashed", "double", "niceness"]


def double(task: int) -> int:
    """Twice the task; dies of every one that ends in 7."""
    if task % 10 == 7:
        os._exit(3)
    return 2 * task


def crashed(task: int) -> int:
    """What a task that killed its process gives: itself, negative."""
    return -task


def collected_from(number: int) -> tuple[int, int, int]:
    """The thresholds of garbage collection of the process that runs the task."""
    del number
    return gc.get_threshold()


def niceness(number: int) -> int:
    """How nice the process is that runs the task."""
    del number
    return os.getpriority(os.PRIO_PROCESS, 0)
