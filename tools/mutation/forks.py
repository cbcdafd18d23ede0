"""Mutations decided by forks of one process that has collected the tests of a room.

``python -m tools.mutation.forks REQUEST ANSWERS`` runs inside a copy of the checkout. The parent never runs a test: a child for
every mutation does, so nothing that one child left behind, on purpose or not, is there for another. Where there are many mutations,
a first child runs all tests and tells which functions each enters, and then only those run that enter the mutated one; where there
are few, all tests run until one fails, first those of modules that name the mutated one. A test that fails has to pass in a child
without the mutation: otherwise it says nothing.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import sys
import tempfile
import time
import types
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from .checkout import applied
from .drawing import Mutation
from .entered import Function, Recorder, function_at
from .processes import PYTEST, SURVIVED

__all__ = ["UNDECIDED", "Request", "Session"]

UNDECIDED = "undecided"
"""A fork cannot tell: what the mutation changes took effect when modules were imported, before the fork."""

_RECORDED_FROM = 5
"""How many mutations are worth a run of all tests that records what they enter."""

_FAILED = "failed"

_PROCESSOR_S = 60
_CLOCK_S = 600
"""How long a test may take: a loop without end uses the processor, on however busy a machine; a lock without end does not."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a session is to decide.

    Attributes:
        tests: paths of tests, relative to the checkout.
        mutations: of modules that these tests answer for.
        most_s: of tests for each mutation, as long as they took without it; None for all of them.
    """

    tests: tuple[str, ...]
    mutations: tuple[Mutation, ...]
    most_s: float | None = None

    def to_json(self) -> str:
        """For the process that decides it."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Request:
        """What ``to_json`` wrote."""
        fields = json.loads(text)
        made = tuple(Mutation(**each) for each in fields["mutations"])
        return cls(tuple(fields["tests"]), made, fields["most_s"])


@dataclass(slots=True)
class _Test:
    """What a test did without any mutation."""

    passed: bool
    failed: bool
    seconds: float
    functions: set[Function]
    starts: bool


class Session:
    """A plugin of pytest that decides mutations instead of running the tests once.

    Args:
        request: what to decide.
        root: the copy of the checkout, whose modules are imported.
        recorder: switched on since before the product was imported.
        told: called with each mutation and its verdict.
    """

    def __init__(self, request: Request, root: Path, recorder: Recorder, told: Callable[[Mutation, str], None]) -> None:
        self._request = request
        self._root = root
        self._recorder = recorder
        self._told = told
        self._shared: dict[tuple[str, str], set[Function]] = {}
        self._known: dict[pytest.Item, bool] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Decide every mutation."""
        if session.testsfailed:
            raise session.Interrupted("tests cannot be collected")
        self._recorder.switch_off()
        imported = self._recorder.functions()
        ran: dict[str, _Test] | None = None
        if len(self._request.mutations) >= _RECORDED_FROM:
            ran = pickle.loads(_in_child(lambda _: pickle.dumps(self._ran(session.items))))  # noqa: S301 - of our own child
            for item in session.items:
                if ran[item.nodeid].failed:
                    print(f"without any mutation: {item.nodeid} fails", flush=True)
        gc.collect()
        gc.freeze()  # less is copied in children
        for mutation in self._request.mutations:
            function = function_at(self._root, mutation.path, mutation.line)
            verdict = UNDECIDED if not function[1] else self._verdict(mutation, session.items, function, ran)
            if verdict.startswith(SURVIVED) and function in imported:
                verdict = UNDECIDED
            self._told(mutation, verdict)
        return True

    def _verdict(
        self, mutation: Mutation, items: Sequence[pytest.Item], function: Function, ran: dict[str, _Test] | None
    ) -> str:
        """What the first test says that fails with a mutation and passes without it."""
        waiting = _naming_first(mutation, items) if ran is None else self._entering_first(items, function, ran)
        count = len(waiting)
        while waiting:
            with applied(mutation, self._root):
                told = _in_child(lambda file, left=tuple(waiting): self._run(left, file, mutation))
            *begun, last = told.decode().splitlines() or [""]
            if last == SURVIVED or last.startswith("odd"):
                return last if last != SURVIVED else f"{SURVIVED} {count} tests"
            test = waiting[int(begun[-1] if last == _FAILED else last)]
            if self._passes(test):
                return f"killed by {test.nodeid}" if last == _FAILED else f"killed (stopped) by {test.nodeid}"
            waiting = waiting[waiting.index(test) + 1 :]
        return f"{SURVIVED} {count} tests"

    def _passes(self, test: pytest.Item) -> bool:
        """Whether a test passes without any mutation, when it runs alone."""
        if test not in self._known:
            told = _in_child(lambda file: self._run([test], file, None))
            self._known[test] = told.decode().endswith(SURVIVED)
            if not self._known[test]:
                print(f"without any mutation: {test.nodeid} fails", flush=True)
        return self._known[test]

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Iterator[None]:
        """What a fixture enters that several tests share is entered for all of them."""
        if fixturedef.scope == "function":
            return (yield)
        before = set(self._recorder.entered)
        self._recorder.entered.clear()
        try:
            return (yield)
        finally:
            self._shared.setdefault((fixturedef.argname, fixturedef.baseid), set()).update(self._recorder.functions())
            self._recorder.entered |= before

    def _ran(self, items: Sequence[pytest.Item]) -> dict[str, _Test]:
        """Every test, run once."""
        found: dict[str, _Test] = {}
        for item, following in zip(items, [*items[1:], None], strict=True):
            self._recorder.clear()
            begun = time.perf_counter()
            self._recorder.switch_on()
            reports = runtestprotocol(item, log=False, nextitem=following)
            self._recorder.switch_off()
            found[item.nodeid] = _Test(
                all(report.passed for report in reports),
                any(report.failed for report in reports),
                time.perf_counter() - begun,
                self._recorder.functions(),
                self._recorder.started,
            )
        for item in items:
            definitions = item._fixtureinfo.name2fixturedefs  # type: ignore[attr-defined]
            for name in getattr(item, "fixturenames", ()):
                for definition in definitions.get(name, ()):
                    found[item.nodeid].functions |= self._shared.get((name, definition.baseid), set())
        return found

    def _entering_first(
        self, items: Sequence[pytest.Item], function: Function, ran: dict[str, _Test]
    ) -> list[pytest.Item]:
        """The tests that enter a function, the quick and narrow ones first, and those that start programs, which may enter it."""
        able = [item for item in items if ran[item.nodeid].passed]
        entering = [item for item in able if function in ran[item.nodeid].functions]
        starting = [item for item in able if ran[item.nodeid].starts and item not in entering]
        entering.sort(key=lambda item: len(ran[item.nodeid].functions) * (ran[item.nodeid].seconds + 0.003))
        starting.sort(key=lambda item: ran[item.nodeid].seconds)
        found = entering + starting
        seconds = list(accumulate(ran[item.nodeid].seconds for item in found))
        most_s = self._request.most_s
        return found if most_s is None else found[: max(1, bisect_right(seconds, most_s))]

    def _run(self, items: Sequence[pytest.Item], file: int, mutation: Mutation | None) -> bytes:
        """Run tests with a mutation until one fails, in a child that ends afterwards, and tell which one is begun."""
        if mutation and not _replaced(mutation, self._root):
            return b"odd: its function was not found"
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        for position, item in enumerate(items):
            os.write(file, f"{position}\n".encode())
            signal.setitimer(signal.ITIMER_PROF, _PROCESSOR_S)
            signal.setitimer(signal.ITIMER_REAL, _CLOCK_S)
            following = items[position + 1] if position + 1 < len(items) else None
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
                return _FAILED.encode()
        return SURVIVED.encode()


def _naming_first(mutation: Mutation, items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """All tests in their order, first those of modules that import the mutated one, then those that import from its room."""
    dotted = mutation.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    sources = {item.path: item.path.read_text(encoding="utf-8") for item in items}
    room = dotted.rpartition(".")[0]
    return sorted(items, key=lambda item: (dotted not in sources[item.path], room not in sources[item.path]))


def _replaced(mutation: Mutation, root: Path) -> int:
    """Give the functions of a module their mutated code, wherever they are held, and say how many were changed."""
    path = root / mutation.path
    source = path.read_text(encoding="utf-8")  # with the mutation
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "is" with a number says so
        module = compile(source, str(path), "exec", dont_inherit=True)
    codes: dict[tuple[str, int], types.CodeType] = {}
    waiting = [module]
    while waiting:
        for code in waiting.pop().co_consts:
            if isinstance(code, types.CodeType):
                codes.setdefault((code.co_qualname, code.co_firstlineno), code)
                waiting.append(code)
    changed = 0
    gc.unfreeze()
    for function in gc.get_objects():
        if type(function) is types.FunctionType and function.__code__.co_filename == str(path):
            code = codes.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
            if code is not None and code != function.__code__:
                function.__code__ = code
                changed += 1
    return changed


def _in_child(work: Callable[[int], bytes]) -> bytes:
    """What a child of this process wrote to the file that its work is given, and what the work returned, if it came so far."""
    with tempfile.TemporaryFile() as file:
        child = os.fork()
        if not child:
            os.setsid()
            silent = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silent, 1)
            os.dup2(silent, 2)
            try:
                told = work(file.fileno())
            except BaseException as problem:  # noqa: BLE001 - the parent tells it, as no verdict
                told = f"odd: {problem!r}".encode()
            while told:
                told = told[os.write(file.fileno(), told) :]
            os._exit(0)
        os.waitpid(child, 0)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # programs that a test left running
        file.seek(0)
        return file.read()


def main() -> int:
    """Decide a request, and write a line of JSON for each verdict."""
    root = Path.cwd()
    request = Request.from_json(Path(sys.argv[1]).read_text(encoding="utf-8"))
    recorder = Recorder(root)
    with Path(sys.argv[2]).open("a", encoding="utf-8") as answers:

        def told(mutation: Mutation, verdict: str) -> None:
            answers.write(json.dumps({"mutation": asdict(mutation), "verdict": verdict}) + "\n")
            answers.flush()

        recorder.switch_on()
        return int(pytest.main([*PYTEST, *request.tests], plugins=[Session(request, root, recorder, told)]))


if __name__ == "__main__":
    sys.exit(main())
