"""How the process of a server holds memory: in few arenas, and what was freed goes back to the system.

The GNU C library makes an arena for every few threads, and each keeps what its threads had at their busiest. Under a steady load
the process then grows by steps for as long as it runs, though nothing is held; what a busy minute left between things that are held
stays, too, until it is asked for. Where the library is another one, nothing is done.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

__all__ = ["few_arenas", "give_back", "given_back_often"]

MOST_ARENAS = 2
OFTEN_S = 60.0
_ARENA_MAX = -8
"""M_ARENA_MAX of malloc.h."""


def few_arenas() -> bool:
    """Have threads that begin from now on share two arenas; whether the library does so."""
    with suppress(AttributeError, OSError):
        return bool(ctypes.CDLL(None).mallopt(_ARENA_MAX, MOST_ARENAS))
    return False


def give_back() -> bool:
    """Give what was freed back to the system; whether there was anything."""
    with suppress(AttributeError, OSError):
        return bool(ctypes.CDLL(None).malloc_trim(0))
    return False


@contextmanager
def given_back_often(every_s: float = OFTEN_S) -> Iterator[None]:
    """Give back what was freed again and again, in a thread of its own, for as long as the context is open.

    Args:
        every_s: seconds between two times.
    """
    ended = Event()

    def keep_on() -> None:
        while not ended.wait(every_s):
            give_back()

    thread = Thread(target=keep_on, name="memory", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
