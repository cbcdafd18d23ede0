"""Work spread over processes: results in input order, bounded in flight, and one crash costs one result.

Processes are started with ``spawn`` (:data:`STARTS`): a forked child would share the parent's open store. Small jobs run in this
process, where starting others would cost more than it saves.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from coditect.errors import UsageError

__all__ = ["STARTS", "available_cores", "end_with_parent", "run_ordered"]

A = TypeVar("A")
B = TypeVar("B")

STARTS = multiprocessing.get_context("spawn")
"""How processes are started."""

IN_FLIGHT = 3
"""Tasks handed out for each process: enough to keep it busy, few enough to bound memory."""


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_ordered(fn: Callable[[A], B], tasks: Iterable[A], *, jobs: int, crashed: Callable[[A], B]) -> Iterator[B]:
    """Run ``fn`` on each task and give the results in order.

    Args:
        fn: a module-level function; it returns failures as results and does not raise.
        tasks: consumed as results are taken.
        jobs: how many processes; 1 runs everything in this one.
        crashed: gives the result of a task that took its process down.
    Raises:
        UsageError: no process can start, whatever its task is: the program that calls runs anew in each of them.
    """
    if jobs <= 1:
        yield from map(fn, tasks)
        return
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        # This is a process of a pool, still importing the caller's program, which has come here again because nothing guards it.
        # The standard library would print a traceback in each process; the one that started it tells once, below.
        raise SystemExit(1)
    pool = _Pool(fn, crashed, jobs)
    try:
        for task in tasks:
            pool.submit(task)
            if len(pool.pending) >= jobs * IN_FLIGHT:
                yield pool.take()
        while pool.pending:
            yield pool.take()
    finally:
        pool.close()


class _Pool(Generic[A, B]):
    """Processes, replaced when one of them dies.

    Attributes:
        pending: tasks handed out and not yet taken, in order; a task whose future is None waits for processes.
    """

    def __init__(self, fn: Callable[[A], B], crashed: Callable[[A], B], jobs: int) -> None:
        self.fn = fn
        self.crashed = crashed
        self.jobs = jobs
        self.pending: deque[tuple[A, Future[B] | None]] = deque()
        self.processes = _processes(jobs)
        self._starts = False

    def submit(self, task: A) -> None:
        """Hand out a task."""
        self.pending.append((task, self._future(task)))

    def _future(self, task: A) -> Future[B] | None:
        try:
            with _interrupts_held():
                return self.processes.submit(self.fn, task)
        except BrokenProcessPool:  # noticed here before the task that broke it was taken
            return None

    def take(self) -> B:
        """The first result."""
        task, future = self.pending.popleft()
        if future is not None:
            try:
                return future.result()
            except BrokenProcessPool:
                pass
        # Any task in flight may have taken the processes down; alone in one, the guilty one shows itself.
        self.processes.shutdown(wait=False, cancel_futures=True)
        with _processes(1) as alone:
            try:
                with _interrupts_held():
                    future = alone.submit(self.fn, task)
                result = future.result()
            except BrokenProcessPool:
                self._require_a_start()
                result = self.crashed(task)
        self.processes = _processes(self.jobs)
        waiting = [each for each, _ in self.pending]
        self.pending.clear()
        for each in waiting:
            self.submit(each)
        return result

    def _require_a_start(self) -> None:
        """See once that a process starts at all, before a task is blamed for its end."""
        if self._starts:
            return
        with _processes(1) as alone:
            try:
                with _interrupts_held():
                    begun = alone.submit(os.getpid)
                begun.result()
            except BrokenProcessPool as error:
                raise UsageError(
                    "no worker process can start",
                    hint="A script that builds or ingests with several processes keeps its work under "
                    "if __name__ == '__main__':, since each process imports the script first; or give jobs=1.",
                ) from error
        self._starts = True

    def close(self) -> None:
        """End the processes; tasks that have not begun are dropped."""
        self.processes.shutdown(wait=True, cancel_futures=True)


def _processes(count: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(count, mp_context=STARTS, initializer=_begin, initargs=(gc.get_threshold(),))


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back: processes that are started meanwhile inherit that, and are not interrupted before they can end quietly.

    What another thread is told of in the meantime the main thread hears of behind it, too: it would leave a process half started.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    with _interrupts_put_off() if threading.current_thread() is threading.main_thread() else nullcontext():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _interrupts_put_off() -> Iterator[None]:
    """In the main thread: Ctrl-C is handled at the end."""
    came: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if usual is None else usual)
        for number in came[:1]:
            signal.raise_signal(number)


def _begin(collected_from: tuple[int, int, int]) -> None:
    """Make a worker end with its parent: quietly at Ctrl-C, which the parent tells of, and when the parent is gone.

    Workers wait for tasks on a pipe that they hold open themselves: without this, a killed parent leaves them for ever.

    Args:
        collected_from: the parent's thresholds of garbage collection; the usual ones cost a worker a fifteenth of its time.
    """
    gc.set_threshold(*collected_from)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    end_with_parent()


def end_with_parent() -> None:
    """Make this process end when the one that started it is gone; nothing where none did."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_wait_and_exit, args=(parent,), daemon=True).start()


def _wait_and_exit(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
