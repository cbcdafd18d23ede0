"""Ctrl-C while worker processes are started waits until they are."""

from __future__ import annotations

import signal
import threading

import pytest

from coditect.knowledge.labour import workers

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals cannot be held back here")


def test_interrupt_that_another_thread_is_told_of_is_heard_behind_the_start() -> None:
    """A process would be half started else: Python handles signals in the main thread, whichever thread was told."""
    reached: list[str] = []
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            _start_while_interrupted(reached)
        assert len(reached) == 1_000
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, set())
    finally:
        signal.signal(signal.SIGINT, usual)


def _start_while_interrupted(reached: list[str]) -> None:
    with workers._interrupts_held():
        thread = threading.Thread(target=_interrupt)
        thread.start()
        thread.join()
        reached.extend(str(number) for number in range(1_000))  # bytecode, between which a handler would run


def _interrupt() -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    # To this thread: any of the process' threads may be told of what is sent to the process, and later than here.
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)


def test_nothing_is_heard_where_nobody_interrupts() -> None:
    """The handler of before stands again."""
    before = signal.getsignal(signal.SIGINT)
    with workers._interrupts_held():
        pass
    assert signal.getsignal(signal.SIGINT) is before
