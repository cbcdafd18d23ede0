"""Worker processes: results in order, and a process that dies costs the task that killed it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from coditect.knowledge.workers import run_ordered


def _double(task: int) -> int:
    """Dies of every task that ends in 7."""
    if task % 10 == 7:
        os._exit(3)
    return 2 * task


def _crashed(task: int) -> int:
    return -task


@pytest.mark.parametrize("jobs", [1, 2])
def test_run_ordered_keeps_the_order(jobs: int) -> None:
    """Results come as tasks went."""
    assert list(run_ordered(_double, range(6), jobs=jobs, crashed=_crashed)) == [0, 2, 4, 6, 8, 10]


def test_run_ordered_without_tasks_ends() -> None:
    """Nothing to do."""
    assert list(run_ordered(_double, [], jobs=2, crashed=_crashed)) == []


def test_run_ordered_where_tasks_kill_their_process_loses_those_alone() -> None:
    """Several killers, next to each other, first and last; the innocent ones in flight are done again."""
    tasks = [7, 1, 2, 17, 27, 3, 4, 37]
    assert list(run_ordered(_double, tasks, jobs=2, crashed=_crashed)) == [-7, 2, 4, -17, -27, 6, 8, -37]


def test_run_ordered_hands_out_tasks_after_a_process_has_died() -> None:
    """A task that comes when the processes are already gone waits for new ones."""

    def slowly() -> Iterator[int]:
        yield 7
        time.sleep(2.0)  # by now its process is dead, and the pool knows
        yield from range(3)

    assert list(run_ordered(_double, slowly(), jobs=2, crashed=_crashed)) == [-7, 0, 2, 4]
