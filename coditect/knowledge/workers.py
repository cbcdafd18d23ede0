"""Work spread over processes: results in input order, bounded in flight, and one crash costs one result.

Processes are started with ``spawn``: a forked child would share the parent's open store. Small jobs run in this process,
where starting others would cost more than it saves.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

__all__ = ["available_cores", "run_ordered"]

A = TypeVar("A")
B = TypeVar("B")

IN_FLIGHT = 3
"""Tasks handed out for each process: enough to keep it busy, few enough to bound memory."""


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_ordered(fn: Callable[[A], B], tasks: Iterable[A], *, jobs: int, crashed: Callable[[A], B]) -> Iterator[B]:
    """``fn`` of each task, in order.

    Args:
        fn: a module-level function; it returns failures as results and does not raise.
        tasks: consumed as results are taken.
        jobs: processes; 1 runs everything here.
        crashed: the result for a task that took its process down.
    """
    if jobs <= 1:
        yield from map(fn, tasks)
        return
    context = multiprocessing.get_context("spawn")
    pending: deque[tuple[A, Future[B]]] = deque()
    pool = ProcessPoolExecutor(jobs, mp_context=context)
    try:
        for task in tasks:
            pending.append((task, pool.submit(fn, task)))
            if len(pending) >= jobs * IN_FLIGHT:
                result, pool = _take(pending, pool, fn, crashed, jobs)
                yield result
        while pending:
            result, pool = _take(pending, pool, fn, crashed, jobs)
            yield result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _take(
    pending: deque[tuple[A, Future[B]]],
    pool: ProcessPoolExecutor,
    fn: Callable[[A], B],
    crashed: Callable[[A], B],
    jobs: int,
) -> tuple[B, ProcessPoolExecutor]:
    """The first result, and the pool to go on with: a new one if this one broke."""
    task, future = pending.popleft()
    try:
        return future.result(), pool
    except BrokenProcessPool:
        pool.shutdown(wait=False, cancel_futures=True)
    context = multiprocessing.get_context("spawn")
    # Any task in flight may have taken the pool down; alone in a process, the guilty one shows itself.
    with ProcessPoolExecutor(1, mp_context=context) as alone:
        try:
            result = alone.submit(fn, task).result()
        except BrokenProcessPool:
            result = crashed(task)
    fresh = ProcessPoolExecutor(jobs, mp_context=context)
    waiting = [each for each, _ in pending]
    pending.clear()
    pending.extend((each, fresh.submit(fn, each)) for each in waiting)
    return result, fresh
