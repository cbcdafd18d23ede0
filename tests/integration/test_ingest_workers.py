"""Worker processes: results in order, and a process that dies costs the task or the file that killed it."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from coditect.documents.sandbox.budget import ReadBudget
from coditect.knowledge.ingest.intake import IngestReport, ingest
from coditect.knowledge.labour.workers import run_ordered
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, DOCUMENTS, clock, folder_of, rows
from tests.deadly_tasks import collected_from, crashed, double
from tests.hostile.catalogue import KINDS


@pytest.mark.parametrize("jobs", [1, 2])
def test_run_ordered_keeps_the_order(jobs: int) -> None:
    """Results come as tasks went."""
    assert list(run_ordered(double, range(6), jobs=jobs, crashed=crashed)) == [0, 2, 4, 6, 8, 10]


def test_run_ordered_without_tasks_ends() -> None:
    """Nothing to do."""
    assert list(run_ordered(double, [], jobs=2, crashed=crashed)) == []


def test_run_ordered_where_tasks_kill_their_process_loses_those_alone() -> None:
    """Several killers, next to each other, first and last; the innocent ones in flight are done again."""
    tasks = [7, 1, 2, 17, 27, 3, 4, 37]
    assert list(run_ordered(double, tasks, jobs=2, crashed=crashed)) == [-7, 2, 4, -17, -27, 6, 8, -37]


def test_run_ordered_collects_garbage_in_workers_as_rarely_as_here() -> None:
    """What this process chose holds for the work that it hands out, too."""
    usual = gc.get_threshold()
    gc.set_threshold(50_001, 11, 12)
    try:
        found = list(run_ordered(collected_from, [1, 2], jobs=2, crashed=collected_from))
    finally:
        gc.set_threshold(*usual)
    assert found == [(50_001, 11, 12)] * 2


def test_run_ordered_hands_out_tasks_after_a_process_has_died() -> None:
    """A task that comes when the processes are already gone waits for new ones."""

    def slowly() -> Iterator[int]:
        yield 7
        time.sleep(2.0)  # by now its process is dead, and the pool knows
        yield from range(3)

    assert list(run_ordered(double, slowly(), jobs=2, crashed=crashed)) == [-7, 0, 2, 4]


def test_ingest_of_a_bomb_costs_one_file_whoever_reads_it(tmp_path: Path) -> None:
    """Several processes or one: the files before, beside and behind it are taken in, with the same records."""
    bomb = next(kind for kind in KINDS if kind.name == "pdf-forms").make(9)
    folder = folder_of(
        tmp_path, {**DOCUMENTS, "b.pdf": bomb, "j.json": bomb, "z.json": b'{"duty": "The clerk shall sign."}'}
    )

    def ingested(jobs: int) -> tuple[Store, IngestReport]:
        store = Store(MemoryEngine())
        budget = ReadBudget(memory_mb=128)
        return store, ingest(store, CORPUS, [folder], clock=clock, jobs=jobs, budget=budget)

    (one, told), (several, told_too) = ingested(1), ingested(3)
    assert {o.name: o.message for o in told.outcomes if o.status == "failed"} == {
        "b.pdf": "reading the file takes more memory than is allowed (limit_mb=128)",
        "j.json": "not text although its name says so (reason='it starts like a PDF or an office file')",
    }
    assert told.outcomes == told_too.outcomes
    assert told.count("added") == len(DOCUMENTS) + 1
    assert rows(one) == rows(several)


UNGUARDED = """
from coditect.knowledge.labour.workers import run_ordered
from tests.deadly_tasks import crashed, double

print(list(run_ordered(double, range(9), jobs=2, crashed=crashed)))
"""


def test_run_ordered_in_a_program_without_a_guard_tells_so_once(tmp_path: Path) -> None:
    """No task is blamed for a process that cannot start, and the processes themselves print nothing."""
    script = tmp_path / "unguarded.py"
    script.write_text(UNGUARDED, encoding="utf-8")
    path = os.pathsep.join(each for each in sys.path if each)
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path}, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("coditect.errors.UsageError: no worker process can start") == 1
    assert "__name__ == '__main__'" in done.stderr
    assert "bootstrapping phase" not in done.stderr


def test_run_ordered_blames_a_task_for_its_process_where_others_start() -> None:
    """A process that dies of its task is no sign of a program without a guard."""
    assert list(run_ordered(double, [7], jobs=2, crashed=crashed)) == [-7]
