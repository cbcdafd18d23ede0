"""Mutations: one comparison, number, connective, truth value or sign in the body of a function, or a threshold of a module."""

from __future__ import annotations

import ast
import random
import warnings
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .rooms import folder, innermost, outermost

__all__ = ["Mutation", "drawn", "mutations"]

_COMPARISONS = {
    "Lt": "<=", "LtE": "<", "Gt": ">=", "GtE": ">", "Eq": "!=", "NotEq": "==",
    "In": "not in", "NotIn": "in", "Is": "is not", "IsNot": "is",
}  # fmt: skip
_SIGNS = {"Add": "-", "Sub": "+", "Mult": "+", "Div": "*", "FloorDiv": "*", "Mod": "*"}


@dataclass(frozen=True, slots=True)
class Mutation:
    """One change of one line.

    Attributes:
        path: of the module, relative to the checkout.
        line: from 1.
        begin, end: offsets in the module's text, in code points.
        text: what stands there instead.
        was: what stood there.
    """

    path: str
    line: int
    begin: int
    end: int
    text: str
    was: str

    @property
    def room(self) -> str:
        """The innermost room below ``coditect`` that has tests of its own."""
        return innermost(self.path)

    def mutated(self, source: str) -> str:
        """The text of its module with the mutation."""
        return source[: self.begin] + self.text + source[self.end :]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.was.strip()} -> {self.text.strip()}"


def mutations(path: Path, root: Path) -> Iterator[Mutation]:
    """Every mutation of a module of a checkout."""
    source = path.read_text(encoding="utf-8")
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def place(line: int, column: int) -> int:
        text = source[starts[line - 1] : starts[line] - 1]
        return starts[line - 1] + len(text.encode()[:column].decode())

    def span(node: ast.expr) -> tuple[int, int]:
        return place(node.lineno, node.col_offset), place(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def made(line: int, begin: int, end: int, text: str) -> Mutation:
        return Mutation(path.relative_to(root).as_posix(), line, begin, end, text, source[begin:end])

    tree = ast.parse(source)
    for statement in tree.body:  # thresholds
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Constant) and type(value.value) in (int, float):
            yield made(value.lineno, *span(value), repr(value.value * 2 or 1))
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in (each for statement in function.body for each in _significant(statement, _errors(root))):
            if isinstance(node, ast.Compare) and len(node.ops) == 1:
                begin, end = span(node.left)[1], span(node.comparators[0])[0]
                if "(" not in source[begin:end] and ")" not in source[begin:end]:
                    yield made(node.lineno, begin, end, f" {_COMPARISONS[type(node.ops[0]).__name__]} ")
            elif isinstance(node, ast.BoolOp):
                begin, end = span(node.values[0])[1], span(node.values[1])[0]
                if "(" not in source[begin:end] and ")" not in source[begin:end]:
                    yield made(node.lineno, begin, end, " or " if isinstance(node.op, ast.And) else " and ")
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                begin = span(node)[0]
                yield made(node.lineno, begin, begin + len("not"), "")  # brackets of the operand stay
            elif isinstance(node, ast.BinOp) and type(node.op).__name__ in _SIGNS and _numeric(node):
                begin, end = span(node.left)[1], span(node.right)[0]
                if "(" not in source[begin:end] and ")" not in source[begin:end]:
                    yield made(node.lineno, begin, end, f" {_SIGNS[type(node.op).__name__]} ")
            elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
                yield made(node.lineno, *span(node), str(not node.value))
            elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
                yield made(node.lineno, *span(node), repr(node.value + 1))


def _significant(statement: ast.stmt, errors: Collection[str]) -> Iterator[ast.AST]:
    """What a statement computes: not its annotations, not the words of an error or a log line, and nothing that it asserts."""
    if isinstance(statement, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
        return
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.Call) and _tells(node.func, errors):
            continue
        asserts = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "zip"
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "type_params", "type_comment"):
                continue
            inner = value if isinstance(value, list) else [value]
            waiting += [
                each
                for each in inner
                if isinstance(each, ast.AST)
                and not isinstance(each, ast.Raise | ast.JoinedStr)
                and not (asserts and isinstance(each, ast.keyword))  # that both are of one length
            ]


def _tells(function: ast.expr, errors: Collection[str]) -> bool:
    """Whether a call makes an error of ours, raised or not, or a line of the log."""
    if isinstance(function, ast.Attribute):
        return isinstance(function.value, ast.Name) and function.value.id in ("log", "logger")
    return isinstance(function, ast.Name) and function.id in errors


def _numeric(node: ast.BinOp) -> bool:
    """Whether a sum is one of numbers, as far as can be seen: texts and lists are added as well."""
    sides = (node.left, node.right)
    counted = any(isinstance(side, ast.Constant) and isinstance(side.value, int | float) for side in sides)
    return counted or not isinstance(node.op, ast.Add | ast.Mod | ast.Mult)


@cache
def _errors(root: Path) -> frozenset[str]:
    """The names of the product's errors."""
    tree = ast.parse((root / "coditect" / "errors.py").read_text(encoding="utf-8"))
    return frozenset(each.name for each in tree.body if isinstance(each, ast.ClassDef))


def drawn(root: Path, count: int, seed: int, rooms: Collection[str] = ()) -> list[Mutation]:
    """So many mutations, spread over the rooms by turns, the same ones for a seed; those that are no Python are drawn again.

    Args:
        root: of the checkout.
        count: of all rooms together.
        seed: of the dice.
        rooms: only these outermost ones; empty: all of them.
    """
    dice = random.Random(seed)  # noqa: S311 - no secret
    by_room: dict[str, list[Mutation]] = {}
    for room in outermost():
        if not rooms or room in rooms:
            paths = sorted((root / folder(room)).rglob("*.py"))
            by_room[room] = list(dict.fromkeys(each for path in paths for each in mutations(path, root)))
            dice.shuffle(by_room[room])
    taken: list[Mutation] = []
    while len(taken) < count and any(by_room.values()):
        for found in by_room.values():
            while found and len(taken) < count:
                mutation = found.pop()
                if _is_python(mutation, root):
                    taken.append(mutation)
                    break
    return taken


def _is_python(mutation: Mutation, root: Path) -> bool:
    """Whether a module can be compiled with its mutation."""
    source = (root / mutation.path).read_text(encoding="utf-8")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "is" with a number says so
            compile(mutation.mutated(source), mutation.path, "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True
