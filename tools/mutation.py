"""Mutations of significant lines, and whether the tests of their room notice them.

Run ``python tools/mutation.py --count 40 --seed 1``. A mutation changes one comparison, number, connective, truth value or sign in
the body of a function, or a threshold of a module. Each is made in a copy of the checkout, the tests of its room run there until
the first failure, and what survives is listed with its line. Nothing is changed in the checkout itself.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_PINS = "tests/integration/test_pinned_derivations.py"
_READINGS = "tests/unit/tiers/test_pinned_readings.py"
_JUDGEMENTS = "tests/unit/verify/test_pinned_judgements.py"
_BUILDS = (_PINS, "tests/integration/test_build_incremental.py", "tests/integration/test_build_generations.py")
TESTS: dict[str, tuple[str, ...]] = {
    "agents": (
        "tests/unit/agents",
        "tests/unit/models/claude/test_roles.py",
        "tests/integration/test_agents_build.py",
    ),
    "cli": (
        "tests/unit/cli",
        "tests/unit/api",
        "tests/e2e/test_cli_commands.py",
        "tests/e2e/test_verify_cli.py",
        "tests/e2e/test_store_cli.py",
        "tests/e2e/test_decisions_cli.py",
        "tests/e2e/test_cli_archive.py",
        "tests/e2e/test_calibrate_cli.py",
        "tests/e2e/test_feed_cli.py",
        "tests/e2e/test_sessions.py",
    ),
    "documents": (
        "tests/unit/documents/test_pinned_structures.py",
        "tests/unit/documents",
        _READINGS,
        _PINS,
        "tests/integration/test_ingest_files.py",
        "tests/integration/test_hierarchy.py",
        "tests/hostile",
    ),
    "documents/profile": (
        "tests/unit/documents/profile",
        "tests/unit/tiers",
        _PINS,
        "tests/integration/test_manifest.py",
    ),
    "engine": ("tests/unit/engine", "tests/contract", "tests/integration/test_lmdb_processes.py"),
    "engine/foundationdb": (
        "tests/contract/test_engine_foundationdb.py",
        "tests/contract/test_fake_fdb.py",
        "tests/integration/test_fdb_bulk.py",
        "tests/integration/test_fdb_faults.py",
    ),
    "integrity": (
        "tests/unit/integrity",
        "tests/integration/test_validate.py",
        "tests/integration/test_decisions.py",
        "tests/integration/test_report.py",
        "tests/integration/test_indexes.py",
        "tests/property/test_tamper.py",
    ),
    "integrity/indexing": (
        "tests/unit/integrity",
        "tests/integration/test_indexes.py",
        "tests/integration/test_evolution.py",
        "tests/property/test_index_answers.py",
    ),
    "integrity/sweeping": ("tests/unit/integrity", "tests/integration/test_sweep.py", "tests/property/test_sweep.py"),
    "keyspace": (
        "tests/unit/keyspace",
        "tests/property/test_tuples.py",
        "tests/property/test_keyspace.py",
        "tests/unit/store",
    ),
    "knowledge": (
        "tests/unit/knowledge",
        "tests/integration/test_async_store.py",
        "tests/integration/test_threads.py",
        "tests/e2e/test_cli_commands.py",
    ),
    "knowledge/archive": (
        "tests/unit/knowledge",
        "tests/integration/test_archive.py",
        "tests/integration/test_archive_damage.py",
        "tests/integration/test_evolution.py",
    ),
    "knowledge/building": (
        "tests/unit/knowledge",
        *_BUILDS,
        "tests/integration/test_build_stepwise.py",
        "tests/integration/test_hierarchy.py",
    ),
    "knowledge/calibration": ("tests/unit/knowledge", "tests/integration/test_calibration.py"),
    "knowledge/derivation": (
        "tests/unit/knowledge",
        *_BUILDS,
        "tests/integration/test_build_hostile.py",
        "tests/integration/test_decisions.py",
        "tests/integration/test_ray.py",
    ),
    "knowledge/ingest": (
        "tests/unit/knowledge",
        "tests/integration/test_ingest_files.py",
        "tests/integration/test_ingest_copies.py",
        "tests/integration/test_manifest.py",
        "tests/integration/test_ingest_workers.py",
    ),
    "knowledge/model_roles": ("tests/unit/knowledge", "tests/integration/test_agents_build.py"),
    "knowledge/query": (
        "tests/unit/knowledge",
        "tests/integration/test_search.py",
        "tests/integration/test_hierarchy.py",
        "tests/integration/test_routing.py",
        "tests/integration/test_decisions.py",
        "tests/integration/test_retrieval_settings.py",
    ),
    "knowledge/report": (
        "tests/unit/knowledge",
        "tests/integration/test_report.py",
        "tests/integration/test_decisions.py",
        "tests/integration/test_manifest.py",
    ),
    "knowledge/review": (
        "tests/unit/knowledge",
        "tests/integration/test_verify_review.py",
        "tests/integration/test_verify_replay.py",
        "tests/integration/test_verify_text.py",
        "tests/integration/test_decisions.py",
    ),
    "language": (_READINGS, "tests/unit/language", "tests/unit/tiers", _PINS, "tests/unit/documents/profile"),
    "language/reading": (_JUDGEMENTS, "tests/unit/language/reading", "tests/unit/verify", "tests/unit/tiers"),
    "models": (
        "tests/unit/models",
        "tests/integration/test_flag_models.py",
        "tests/integration/test_verify_entailment.py",
        "tests/integration/test_retrieval_settings.py",
    ),
    "models/claude": ("tests/unit/models/claude", "tests/unit/agents/asking"),
    "reports": ("tests/unit/reports", "tests/integration/test_report.py", "tests/e2e/test_verify_cli.py"),
    "retrieve": (
        "tests/unit/retrieve",
        "tests/integration/test_search.py",
        "tests/integration/test_routing.py",
        "tests/integration/test_hierarchy.py",
        "tests/integration/test_retrieval_settings.py",
    ),
    "retrieve/qdrant": ("tests/unit/retrieve/qdrant", "tests/integration/test_qdrant.py"),
    "schemas": (
        "tests/unit/schemas",
        "tests/unit/api",
        "tests/unit/store",
        "tests/integration/test_validate.py",
        "tests/integration/test_evolution.py",
    ),
    "store": (
        "tests/unit/store",
        "tests/unit/keyspace",
        "tests/property/test_keyspace.py",
        "tests/integration/test_build_generations.py",
        "tests/integration/test_validate.py",
        "tests/integration/test_evolution.py",
        "tests/integration/test_sweep.py",
    ),
    "store/indexes": (
        "tests/unit/store",
        "tests/integration/test_indexes.py",
        "tests/integration/test_evolution.py",
        "tests/property/test_index_answers.py",
    ),
    "tiers": (
        _READINGS,
        "tests/unit/tiers",
        _PINS,
        "tests/integration/test_planted.py",
        "tests/integration/test_invisible_words.py",
        "tests/integration/test_manifest.py",
    ),
    "tiers/decisions": ("tests/unit/tiers", "tests/integration/test_decisions.py", "tests/property/test_decisions.py"),
    "verify": (
        _JUDGEMENTS,
        "tests/unit/verify",
        "tests/integration/test_verify_text.py",
        "tests/integration/test_claims_attacked.py",
        "tests/integration/test_verify_entailment.py",
    ),
}
"""The tests of each room, the quick ones first; of a room inside another its own."""

_COMPARISONS = {
    "Lt": "<=", "LtE": "<", "Gt": ">=", "GtE": ">", "Eq": "!=", "NotEq": "==",
    "In": "not in", "NotIn": "in", "Is": "is not", "IsNot": "is",
}  # fmt: skip
_SIGNS = {"Add": "-", "Sub": "+", "Mult": "+", "Div": "*", "FloorDiv": "*", "Mod": "*"}


_ERRORS = frozenset(
    each.name
    for each in ast.parse((ROOT / "coditect" / "errors.py").read_text(encoding="utf-8")).body
    if isinstance(each, ast.ClassDef)
)


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
        parts = Path(self.path).parts[1:]
        inner = "/".join(parts[:2])
        return inner if inner in TESTS else parts[0]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.was.strip()} -> {self.text.strip()}"


def mutations(path: Path) -> Iterator[Mutation]:
    """Every mutation of a module."""
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
        return Mutation(path.relative_to(ROOT).as_posix(), line, begin, end, text, source[begin:end])

    tree = ast.parse(source)
    for statement in tree.body:  # thresholds
        value = statement.value if isinstance(statement, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Constant) and type(value.value) in (int, float):
            yield made(value.lineno, *span(value), repr(value.value * 2 or 1))
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in (each for statement in function.body for each in _significant(statement)):
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


def _significant(statement: ast.stmt) -> Iterator[ast.AST]:
    """What a statement computes: not its annotations, not the words of an error or a log line, and nothing that it asserts."""
    if isinstance(statement, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom | ast.FunctionDef | ast.ClassDef):
        return
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.Call) and _tells(node.func):
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


def _tells(function: ast.expr) -> bool:
    """Whether a call makes an error of ours, raised or not, or a line of the log."""
    if isinstance(function, ast.Attribute):
        return isinstance(function.value, ast.Name) and function.value.id in ("log", "logger")
    return isinstance(function, ast.Name) and function.id in _ERRORS


def _numeric(node: ast.BinOp) -> bool:
    """Whether a sum is one of numbers, as far as can be seen: texts and lists are added as well."""
    sides = (node.left, node.right)
    counted = any(isinstance(side, ast.Constant) and isinstance(side.value, int | float) for side in sides)
    return counted or not isinstance(node.op, ast.Add | ast.Mod | ast.Mult)


def chosen(count: int, seed: int, rooms: set[str]) -> list[Mutation]:
    """So many mutations, spread over the rooms by turns, the same ones for a seed."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    by_room: dict[str, list[Mutation]] = {}
    for path in sorted((ROOT / "coditect").rglob("*.py")):
        room = path.relative_to(ROOT / "coditect").parts[0]
        if room in TESTS and (not rooms or room in rooms):
            by_room.setdefault(room, []).extend(mutations(path))
    for found in by_room.values():
        dice.shuffle(found)
    taken: list[Mutation] = []
    while len(taken) < count and any(by_room.values()):
        for room in sorted(by_room):
            if by_room[room] and len(taken) < count:
                taken.append(by_room[room].pop())
    return taken


def noticed(mutation: Mutation, copy: Path, timeout_s: float) -> str:
    """What came of it, after the tests of the room have run on a copy of the checkout: the test that noticed, or "SURVIVED"."""
    target = copy / mutation.path
    source = target.read_text(encoding="utf-8")
    target.write_text(source[: mutation.begin] + mutation.text + source[mutation.end :], encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": f"{copy}{os.pathsep}{copy / 'benchmarks'}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DEBUG_TEMPROOT": str(
            copy.parent
        ),  # another run on this machine clears away what it finds in the shared one
    }
    try:
        for tests in TESTS[mutation.room]:
            if not (copy / tests).exists():
                continue
            words = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
            try:
                done = subprocess.run(
                    [*words, "-m", "not slow", tests],
                    cwd=copy,
                    env=environment,
                    capture_output=True,
                    text=True,
                    timeout=timeout_s,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return "killed (time)"
            if done.returncode not in (0, 5):
                failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
                return f"killed by {failed[1].rpartition('/')[2]}" if failed else "killed"
        return "SURVIVED"
    finally:
        target.write_text(source, encoding="utf-8")


def main() -> int:
    """Make mutations, run tests, and print what survives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--room", action="append", default=[], choices=sorted(room for room in TESTS if "/" not in room)
    )
    parser.add_argument("--timeout", type=float, default=400.0, help="seconds for each group of tests")
    parser.add_argument("--list", action="store_true", help="name the mutations, and run nothing")
    options = parser.parse_args()
    wanted = chosen(options.count, options.seed, set(options.room))
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "checkout"
        ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, copy, ignore=ignored)
        for number, mutation in enumerate(wanted, 1):
            verdict = "" if options.list else noticed(mutation, copy, options.timeout)
            survivors += verdict == "SURVIVED"
            print(f"{number:3} {mutation}: {verdict}", flush=True)
    if not options.list:
        print(f"{len(wanted) - survivors} of {len(wanted)} killed, seed {options.seed}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
