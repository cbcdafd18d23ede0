"""Programs that are started to be killed: a process of its own, a moment of its work, ``kill -9``, and what is left afterwards.

A program is Python source in the test. It reads its arguments from ``sys.argv``, prints "ready" when what is to be disturbed
begins, "step" after each step of it, and "done" when it is over. A moment is a number of steps, and what fits into some thousandths
of a second after them, so a busy machine changes none::

    program = Program.written(tmp_path / "work.py", SCRIPT)
    steps = program.steps(store, folder)
    assert program.killed(steps // 2, 0.001, store, folder)
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TextIO, TypeVar

from coditect.engine.port import Engine, Transaction
from coditect.integrity.validate import validate
from coditect.store.generations import generations
from coditect.store.store import Store
from tests.corpora import CORPUS, build_all
from tests.places import open_at
from tests.warm import WARM

__all__ = ["Program", "Running", "require_same_build", "tell_steps", "wait_for_group_to_end"]

T = TypeVar("T")

_DIES_WITHIN_S = 30.0


@dataclass(frozen=True, slots=True)
class Running:
    """A program that runs.

    Attributes:
        process: it.
        stdout: what it prints.
        told: the file in which it says why it failed.
    """

    process: BaseProcess
    stdout: TextIO
    told: Path

    @property
    def pid(self) -> int:
        """Of the process, and of the group that it leads."""
        if self.process.pid is None:
            raise AssertionError("the program was not started")
        return self.process.pid

    @property
    def is_at_work(self) -> bool:
        """Whether it has not ended."""
        return self.process.exitcode is None

    def failure(self) -> str:
        """Why it failed; "" where it said nothing."""
        return self.told.read_text(encoding="utf-8") if self.told.exists() else ""

    def wait(self) -> int:
        """Its exit code; negative: of a signal.

        Raises:
            AssertionError: it does not end.
        """
        self.process.join(_DIES_WITHIN_S)
        if self.process.exitcode is None:
            raise AssertionError("the program does not end")
        return self.process.exitcode

    def kill(self) -> None:
        """``kill -9`` it, and none of its workers."""
        self.process.kill()

    def kill_group(self) -> None:
        """``kill -9`` it and its workers."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)


def _run(path: Path, arguments: tuple[str, ...], stdout: Connection, failure: Path) -> None:
    """Be the program: lead a group, print into a pipe, and say why it failed, if it does."""
    os.setsid()
    os.dup2(stdout.fileno(), sys.stdout.fileno())
    stdout.close()
    sys.argv = [str(path), *arguments]
    try:
        runpy.run_path(str(path), run_name="__main__")
    except BaseException:
        failure.write_text(traceback.format_exc(), encoding="utf-8")
        raise


@dataclass(frozen=True, slots=True)
class Program:
    """Python source as a file: worker processes import it again.

    Attributes:
        path: of the file.
    """

    path: Path

    @classmethod
    def written(cls, path: Path, source: str) -> Program:
        """The program with this source, in this file."""
        path.write_text(source, encoding="utf-8")
        return cls(path)

    @contextmanager
    def running(self, *arguments: object) -> Iterator[Running]:
        """A process that is ready, in a session of its own, so that its workers die with it at the end of the block.

        Args:
            arguments: of the program, as text.
        """
        here, there = WARM.Pipe(duplex=False)
        failure = self.path.with_suffix(".failure")
        process = WARM.Process(target=_run, args=(self.path, tuple(map(str, arguments)), there, failure))
        process.start()
        there.close()
        with open(os.dup(here.fileno()), encoding="utf-8") as stdout:  # noqa: PTH123 - a descriptor
            here.close()
            running = Running(process, stdout, failure)
            try:
                if stdout.readline() != "ready\n":
                    running.wait()
                    raise AssertionError(f"the program is not ready: {running.failure()}")
                yield running
            finally:
                running.kill_group()
                process.join()
                process.close()

    def steps(self, *arguments: object) -> int:
        """Steps that the program takes from "ready" to "done"."""
        with self.running(*arguments) as process:
            *steps, last = process.stdout.read().splitlines() or [""]
            if last != "done" or set(steps) > {"step"}:
                raise AssertionError(f"the program did not come to its end: {last} {process.failure()}")
            return len(steps)

    def killed(self, steps: int, then_s: float, *arguments: object) -> bool:
        """Run, and ``kill -9`` the process and its workers so many steps, and so many seconds, after it is ready.

        Args:
            steps: that it takes; a program that ends before is not at work any more.
            then_s: thousandths, so that a kill meets the middle of a step.
            arguments: of the program, as text.

        Returns:
            Whether the process was still at work.
        """
        with self.running(*arguments) as process:
            at_work = all(process.stdout.readline() == "step\n" for _ in range(steps))
            time.sleep(then_s)
            process.kill_group()
            return process.wait() == -signal.SIGKILL and at_work

    def killed_after_s(self, after_s: float, *arguments: object) -> bool:
        """Run, and ``kill -9`` the process and its workers so many seconds after it is ready; was it at work?"""
        with self.running(*arguments) as process:
            time.sleep(after_s)
            at_work = process.is_at_work
            process.kill_group()
            process.wait()
        return at_work


def tell_steps(engine: Engine) -> None:
    """Have a program's engine print "step" after each of its writing transactions."""
    run = engine.run

    def told(body: Callable[[Transaction], T]) -> T:
        result = run(body)
        sys.stdout.write("step\n")
        sys.stdout.flush()
        return result

    engine.run = told  # type: ignore[method-assign, assignment]


def wait_for_group_to_end(group: int) -> None:
    """Return when no process of a group lives any more, whose leader is dead.

    Raises:
        AssertionError: some still do after half a minute.
    """
    ends = time.monotonic() + _DIES_WITHIN_S
    while left := _living(group):
        if time.monotonic() > ends:
            raise AssertionError(f"processes outlive their parent: {left}")
        time.sleep(0.05)


def _living(group: int) -> list[int]:
    """Processes of a group that are not zombies; [] also where there is no /proc to look at."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def require_same_build(place: Path, build_id: str) -> None:
    """Build what is at a place, and require the build that an undisturbed run gives, as the only one, in a store that is whole.

    Raises:
        AssertionError: it is not.
    """
    with closing(open_at(place)) as engine:
        store = Store(engine)
        built = build_all(store).build_id
        if built != build_id:
            raise AssertionError(f"build {built}, undisturbed {build_id}")
        if (count := len(generations(store, CORPUS))) != 1:
            raise AssertionError(f"{count} generations after the kills")
        if findings := validate(store, CORPUS).findings:
            raise AssertionError(f"the store is not whole: {findings}")
