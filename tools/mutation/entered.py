"""Which functions of the product a test enters, and whether it starts programs."""

from __future__ import annotations

import ast
import multiprocessing.util
import sys
import threading
from bisect import bisect_right
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

__all__ = ["Function", "Recorder", "function_at"]

Function = tuple[str, int]
"""A module's path, relative to the checkout, and the line on which an outermost function begins with its decorators; 0 of none."""

_STARTS = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn"}


class Recorder:
    """Records what is entered while it is switched on, in every thread that starts meanwhile, too; made once a process.

    Attributes:
        entered: the code objects of the product, since ``clear``.
        started: whether a program was started since then.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        # Of a room beside the product its tests lie in the same folder, and enter nothing that is mutated.
        self._product = tuple(f"{root / part}/" for part in ("coditect", "benchmarks", "verifier"))
        self.entered: set[CodeType] = set()
        self.started = False
        sys.addaudithook(self._audit)
        spawn = multiprocessing.util.spawnv_passfds

        def noted(*words: Any) -> Any:  # noqa: ANN401 - what it wraps takes
            self.started = True
            return spawn(*words)

        multiprocessing.util.spawnv_passfds = noted

    def _audit(self, event: str, _words: tuple[object, ...]) -> None:
        if event in _STARTS:
            self.started = True

    def _called(self, frame: FrameType, _event: str, _argument: object) -> None:
        self.entered.add(frame.f_code)

    def clear(self) -> None:
        """Forget what was recorded."""
        self.entered.clear()
        self.started = False

    def switch_on(self) -> None:
        """Record from now on."""
        threading.settrace(self._called)
        sys.settrace(self._called)

    @staticmethod
    def switch_off() -> None:
        """Record nothing more, in this thread and those that start from now on."""
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]

    def functions(self) -> set[Function]:
        """The outermost functions of the product among what was entered."""
        inside = [code for code in tuple(self.entered) if code.co_filename.startswith(self._product)]
        return {
            function_at(self._root, Path(code.co_filename).relative_to(self._root).as_posix(), code.co_firstlineno)
            for code in inside
        }


def function_at(root: Path, path: str, line: int) -> Function:
    """The outermost function that holds a line of a module."""
    begins, ends = _outermost(root / path)
    index = bisect_right(begins, line) - 1
    return path, begins[index] if index >= 0 and line <= ends[index] else 0


@cache
def _outermost(path: Path) -> tuple[list[int], list[int]]:
    """First and last lines of the functions and methods of a module that are in no other function, ascending."""
    found: list[tuple[int, int]] = []
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))] if path.suffix == ".py" else []
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                begin = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                found.append((begin, node.end_lineno or begin))
            else:
                waiting.append(node)
    found.sort()
    return [begin for begin, _ in found], [end for _, end in found]
