"""Jobs in processes of their own.

A build computes for minutes. In the server's process it would hold the interpreter while questions wait for it, and a library that
takes the process down would take the server along. So a job has a process, which steps back behind whoever answers questions.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coditect.errors import CoditectError
from coditect.knowledge.labour.workers import end_with_parent
from coditect.knowledge.progress import Progress
from coditect.server.jobs.records import Job
from coditect.server.jobs.work import carry_out
from coditect.server.problems import Problem, as_problem

if TYPE_CHECKING:
    from coditect.settings import Settings

__all__ = ["STEPS_BACK", "Task", "carry_out_apart"]

log = logging.getLogger(__name__)

STEPS_BACK = 10
"""By how much the process of a job, and those that it starts, are nicer than the server: where all cores are asked for, a tenth of
one is left to it."""

_TOLD_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class Task:
    """What a job's process has to know.

    Attributes:
        settings: which store of which tenant, which models.
        caller: in whose name.
        job: what is asked.
        folder: what was uploaded for it.
        out: the file that comes of it, which is there and empty; None where none does.
        cache: a folder where answers of crosswalks are kept.
    """

    settings: Settings
    caller: str
    job: Job
    folder: Path
    out: Path | None
    cache: Path


def carry_out_apart(task: Task, progress: Progress) -> Any:  # noqa: ANN401 - any JSON value
    """Do a job in a process of its own, and wait for it.

    Args:
        task: what is done.
        progress: told as it goes on, ten times a second at most.

    Raises:
        Problem: what went wrong, as the caller is told of it; 500 where the process ended without a word.
    """
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(task, there), name=f"job {task.job.kind}")
    process.start()
    there.close()
    try:
        while True:
            kind, *told = here.recv()
            if kind == "progress":
                progress(*told)
            elif kind == "done":
                return told[0]
            else:
                status, title, detail, reason = told
                log.warning("a job failed: %s", reason)
                raise Problem(status, title, detail)
    except EOFError:
        process.join()
        log.error("the process of a job ended without a word, exit code %s", process.exitcode)
        raise Problem(500, "the server could not do it", "The process that was at it ended.") from None
    finally:
        here.close()
        process.join()


def _work(task: Task, told: Connection) -> None:
    """The process: do the job, and say what became of it."""
    _step_back()
    end_with_parent()
    try:
        told.send(("done", _result(task, _seldom(told))))
    except CoditectError as error:
        problem = as_problem(error)
        told.send(("failed", problem.status, problem.title, problem.detail, str(error)))
    except BaseException:  # noqa: BLE001 - told to the one who waits
        # Faults of ours, and panics of libraries in Rust, which are no Exceptions: the job says that it failed, the log why.
        told.send(("failed", 500, "the server could not do it", "", traceback.format_exc()))


def _step_back() -> None:
    """Leave the cores to the server, and signals that are meant for it, too: it waits for the job at work.

    No session of its own: Linux shares cores among sessions first, and what is nicer steps back within its own alone.
    """
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    if hasattr(os, "nice"):  # POSIX
        os.nice(STEPS_BACK)


def _result(task: Task, progress: Progress) -> Any:  # noqa: ANN401 - any JSON value
    from coditect.compose import open_knowledge

    with open_knowledge(task.settings, must_exist=False) as own:
        knowledge = own.on_behalf_of(task.caller)
        try:
            if task.out is None:
                return carry_out(knowledge, task.job, task.folder, None, progress, task.cache)
            with task.out.open("r+b") as out:
                return carry_out(knowledge, task.job, task.folder, out, progress, task.cache)
        finally:
            knowledge.flush_reads()


def _seldom(told: Connection, clock: Callable[[], float] = time.monotonic) -> Progress:
    """Progress that is told where its step changes or ends, and now and then between."""
    last = ("", 0.0)

    def progress(step: str, done: int, total: int = 0) -> None:
        nonlocal last
        now = clock()
        if step != last[0] or done == total or now - last[1] >= _TOLD_EVERY_S:
            last = (step, now)
            told.send(("progress", step, done, total))

    return progress
