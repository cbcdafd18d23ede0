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
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from coditect.engine.port import Engine, Transaction
from coditect.integrity.validate import validate
from coditect.store.generations import generations
from coditect.store.store import Store
from tests.corpora import CORPUS, build_all
from tests.places import open_at

__all__ = ["Program", "require_same_build", "tell_steps", "wait_for_group_to_end"]

T = TypeVar("T")

_CHECKOUT = Path(__file__).resolve().parents[1]

_DIES_WITHIN_S = 30.0


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
    def running(self, *arguments: object) -> Iterator[subprocess.Popen[str]]:
        """A process that is ready, in a session of its own, so that its workers die with it at the end of the block.

        Args:
            arguments: of the program, as text.
        """
        process = subprocess.Popen(
            [sys.executable, str(self.path), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=_CHECKOUT,
            env={**os.environ, "PYTHONPATH": str(_CHECKOUT)},
            start_new_session=True,
        )
        try:
            if process.stdout is None or process.stdout.readline() != "ready\n":
                raise AssertionError(f"the program is not ready: {process.communicate()[1]}")
            yield process
        finally:
            _kill_group(process)
            process.communicate()

    def steps(self, *arguments: object) -> int:
        """Steps that the program takes from "ready" to "done"."""
        with self.running(*arguments) as process:
            if process.stdout is None or process.stderr is None:
                raise AssertionError("the program has no output")
            # Not communicate(): it would not see what was read ahead with "ready".
            *steps, last = process.stdout.read().splitlines() or [""]
            if last != "done" or set(steps) > {"step"}:
                raise AssertionError(f"the program did not come to its end: {last} {process.stderr.read()}")
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
            if process.stdout is None:
                raise AssertionError("the program has no output")
            at_work = all(process.stdout.readline() == "step\n" for _ in range(steps))
            time.sleep(then_s)
            _kill_group(process)
            process.wait(_DIES_WITHIN_S)
            return at_work and process.returncode == -signal.SIGKILL

    def killed_after_s(self, after_s: float, *arguments: object) -> bool:
        """Run, and ``kill -9`` the process and its workers so many seconds after it is ready; was it at work?"""
        with self.running(*arguments) as process:
            time.sleep(after_s)
            at_work = process.poll() is None
            _kill_group(process)
            process.wait(_DIES_WITHIN_S)
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


def _kill_group(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


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
