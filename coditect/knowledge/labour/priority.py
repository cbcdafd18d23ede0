"""Work that steps back: a process, and those that it starts, leave the cores to whoever answers questions."""

from __future__ import annotations

import os

__all__ = ["STEPS_BACK", "step_back"]

STEPS_BACK = 10
"""By how much such a process is nicer than it was: where all cores are asked for, a tenth of one is left to it."""


def step_back() -> bool:
    """Make this process nicer, and with it every process that it starts from now on; nobody else's.

    No session of its own: Linux shares cores among sessions first, and what is nicer steps back within its own alone. Where the
    disk's scheduler heeds priorities, Linux derives that of reads and writes from the same figure.

    Returns:
        False on a system that knows no niceness (Windows), where nothing is changed.
    """
    if not hasattr(os, "nice"):
        return False
    os.nice(STEPS_BACK)
    return True
