"""How the work of a function grows with its input, in processor seconds of one thread, which other programs do not change."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

__all__ = ["cpu_seconds", "require_linear"]

_TIMES = 4
"""How much larger the larger input is. Linear work takes four times as long, quadratic work sixteen."""

_ALLOWED = 9.0
"""Between both, so that caches and allocation, which make linear work a little more than linear, are no failure."""

_MEASURABLE_S = 0.02
"""Work that takes less is too little to compare: such a pair of runs says that the larger input is no burden."""

_TRIES = 8
"""Runs of the larger input, the best of which counts: caches that other programs fill make any of them slow."""


def cpu_seconds(work: Callable[[], object]) -> float:
    """Processor seconds that this thread spends on some work, without collecting garbage."""
    gc.disable()  # and no collection before: it would go through all that the tests of this process hold
    try:
        begin = time.thread_time()
        work()
        return time.thread_time() - begin
    finally:
        gc.enable()


def require_linear(work: Callable[[int], Callable[[], object]], size: int) -> None:
    """Require that four times the input is not much more than four times the work.

    Args:
        work: makes the work on an input of a size; making it is not measured.
        size: of the larger input.
    Raises:
        AssertionError: the work grows faster than its input; says both times.
    """
    small = min(cpu_seconds(work(size // _TIMES)) for _ in range(3))
    most = max(_MEASURABLE_S, _ALLOWED * max(small, _MEASURABLE_S / _TIMES))
    large = cpu_seconds(work(size))
    for _ in range(_TRIES - 1):
        if large <= most:
            return
        large = min(large, cpu_seconds(work(size)))  # a busy machine disturbs several runs, growth disturbs all
    assert large <= most, (
        f"{_TIMES} times the input took {large / small:.1f} times the work: {small:.3f} s and {large:.3f} s"
    )
