"""Processes that begin with the package imported: who starts some waits for their work, not for a second of imports each.

They are forked from a server process of the standard library (``forkserver``), which imports once and does nothing else. As with
``spawn``, nothing of the test's process is shared, and what a process is told to do is pickled. What only a new interpreter shows,
such as programs that nothing guards, is tested with one.
"""

from __future__ import annotations

import os
import runpy
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import chdir
from multiprocessing.context import ForkServerContext, ForkServerProcess
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from typing import Any

__all__ = ["WARM", "run_warm"]

_CHECKOUT = Path(__file__).resolve().parents[1]


class _WarmProcess(ForkServerProcess):
    """A process with the environment and the folder of whoever starts it, as one that is spawned has."""

    def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401 - what a process takes
        super().__init__(*given, **named)
        self._environment = dict(os.environ)
        self._folder = os.getcwd()  # noqa: PTH109 - for chdir

    def start(self) -> None:
        """Begin, with the first of all also the server, which finds the tests by its folder."""
        with chdir(_CHECKOUT):
            ensure_running()
        super().start()

    def run(self) -> None:
        """Do what is asked."""
        os.environ.clear()
        os.environ.update(self._environment)
        os.chdir(self._folder)
        super().run()


class _WarmContext(ForkServerContext):
    Process = _WarmProcess


WARM = _WarmContext()
"""For :class:`concurrent.futures.ProcessPoolExecutor`, and whoever starts processes by themselves."""

WARM.set_forkserver_preload(["tests.warmed"])


def run_warm(words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Run ``python -m coditect`` with these words; its exit code, and what it prints on both streams, as it comes.

    Args:
        words: of the command line, without the program's name.
        folder: in which it runs.
        environment: all of its variables.
    """
    with tempfile.NamedTemporaryFile() as said:
        process = WARM.Process(target=_program, args=(tuple(words), folder, dict(environment), said.name))
        process.start()
        process.join()
        if process.exitcode is None:
            raise AssertionError("the program has not ended")
        return process.exitcode, Path(said.name).read_text(encoding="utf-8")


def _program(words: tuple[str, ...], folder: Path, environment: dict[str, str], said: str) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    with open(said, "wb") as output, open(os.devnull, "rb") as nothing:  # noqa: PTH123 - as the line below
        for number, file in enumerate((nothing, output, output)):
            os.dup2(file.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = (open(number, mode) for number, mode in enumerate("rww"))  # noqa: PTH123, SIM115
    sys.argv = ["coditect", *words]
    try:
        runpy.run_module("coditect", run_name="__main__")
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
