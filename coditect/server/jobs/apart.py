"""Long work in processes of its own.

A build computes for minutes. In the server's process it would hold the interpreter while questions wait for it, and a library that
takes the process down would take the server along. So a job has a process, which steps back behind whoever answers questions. So
has the making of a search replica that no question should wait for.
"""

from __future__ import annotations

import logging
import signal
import time
import traceback
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coditect.errors import CoditectError
from coditect.knowledge.labour import workers
from coditect.knowledge.labour.priority import step_back
from coditect.knowledge.progress import Progress, silent
from coditect.server.jobs.records import Job
from coditect.server.jobs.work import carry_out
from coditect.server.problems import Problem, as_problem

if TYPE_CHECKING:
    from coditect.knowledge.service import Knowledge
    from coditect.settings import Settings

__all__ = ["carry_out_apart", "refresh_apart"]

log = logging.getLogger(__name__)

_TOLD_EVERY_S = 0.1

Work = Callable[["Knowledge", Progress], Any]
"""What is done with the opened store; a function of a module, or a partial of one."""


def carry_out_apart(
    settings: Settings, caller: str, job: Job, folder: Path, out: Path | None, cache: Path, progress: Progress
) -> Any:  # noqa: ANN401 - any JSON value
    """Do a job in a process of its own, and wait for it.

    Args:
        settings: which store of which tenant, which models.
        caller: in whose name.
        job: what is asked.
        folder: what was uploaded for it.
        out: the file that comes of it, which is there and empty; None where none does.
        cache: a folder where answers of crosswalks are kept.
        progress: told as it goes on, ten times a second at most.

    Raises:
        Problem: what went wrong, as the caller is told of it; 500 where the process ended without a word.
    """
    return _apart(settings, caller, partial(_job, job, folder, out, cache), progress)


def refresh_apart(settings: Settings, corpus_id: str) -> None:
    """Make search of a corpus' current generation in a process of its own, and wait for it. Raises as :func:`carry_out_apart`."""
    _apart(settings, "", partial(_refresh, corpus_id), silent)


def _apart(settings: Settings, caller: str, work: Work, progress: Progress) -> Any:  # noqa: ANN401 - any JSON value
    here, there = workers.STARTS.Pipe(duplex=False)
    process = workers.STARTS.Process(target=_run, args=(settings, caller, work, there), name="job")
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
                *problem, reason = told
                log.warning("a job failed: %s", reason)
                raise Problem(*problem)
    except EOFError:
        process.join()
        log.error("the process of a job ended without a word, exit code %s", process.exitcode)
        raise Problem(500, "the server could not do it", "The process that was at it ended.") from None
    finally:
        here.close()
        process.join()


def _run(settings: Settings, caller: str, work: Work, told: Connection) -> None:
    """The process: do the work, and say what became of it."""
    _step_back()
    workers.end_with_parent()
    try:
        told.send(("done", _done(settings, caller, work, _seldom(told))))
    except CoditectError as error:
        problem = as_problem(error)
        told.send(("failed", problem.status, problem.title, problem.detail, problem.headers, str(error)))
    except BaseException:  # noqa: BLE001 - told to the one who waits
        # Faults of ours, and panics of libraries in Rust, which are no Exceptions: the job says that it failed, the log why.
        told.send(("failed", 500, "the server could not do it", "", {}, traceback.format_exc()))


def _step_back() -> None:
    """Leave the cores to the server, and signals that are meant for it, too: it waits for the job at work."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    step_back()


def _done(settings: Settings, caller: str, work: Work, progress: Progress) -> Any:  # noqa: ANN401 - any JSON value
    from coditect.compose import open_knowledge

    with open_knowledge(settings, must_exist=False) as own:
        knowledge = own.on_behalf_of(caller)
        try:
            return work(knowledge, progress)
        finally:
            knowledge.flush_reads()


def _job(job: Job, folder: Path, out: Path | None, cache: Path, knowledge: Knowledge, progress: Progress) -> Any:  # noqa: ANN401 - as above
    if out is None:
        return carry_out(knowledge, job, folder, None, progress, cache)
    with out.open("r+b") as file:
        return carry_out(knowledge, job, folder, file, progress, cache)


def _refresh(corpus_id: str, knowledge: Knowledge, progress: Progress) -> None:
    knowledge.searcher.refresh(knowledge.view(corpus_id), progress)


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
