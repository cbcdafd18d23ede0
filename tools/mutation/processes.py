"""Mutations decided by a pytest of its own for each: slow, and the check of the fast way."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from .checkout import applied, environment
from .drawing import Mutation

__all__ = ["PYTEST", "SURVIVED", "verdict_of_process"]

PYTEST = ("-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-m", "not slow")
"""The same tests in the same order, whoever runs them."""

SURVIVED = "SURVIVED"
_NO_FAILURE = (0, 5)  # passed, and nothing collected
_FAILURE = 1  # others say that pytest itself went wrong
_INTERRUPTED = 2  # a module of tests could not be imported


def verdict_of_process(mutation: Mutation, copy: Path, tests: Sequence[str], timeout_s: float) -> str:
    """What came of a mutation, after each group of tests has run until its first failure.

    Args:
        mutation: to decide.
        copy: a copy of the checkout, the same again afterwards.
        tests: paths relative to it.
        timeout_s: for each of them.

    Returns:
        "killed by" a test that fails with the mutation and passes without it, "SURVIVED", or "odd" and why it cannot be told.
    """
    for path in tests:
        if not (copy / path.partition("::")[0]).exists():
            return f"odd: no tests at {path}"
        failing: list[str] = []  # without the mutation, too
        while True:
            with applied(mutation, copy):
                failed = _first_failure(copy, [path, *(f"--deselect={name}" for name in failing)], timeout_s)
            if failed is None:
                break
            if failed.startswith(("odd", "killed")):
                return failed
            if _first_failure(copy, [failed], timeout_s) is None:
                return f"killed by {failed}"
            failing.append(failed)
    return SURVIVED


def _first_failure(copy: Path, words: Sequence[str], timeout_s: float) -> str | None:
    """The first test that fails, a verdict where that cannot be told, or None where all pass."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", *PYTEST, *words],
            cwd=copy,
            env=environment(copy),
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "killed (time)"
    if done.returncode in _NO_FAILURE:
        return None
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    if done.returncode in (_FAILURE, _INTERRUPTED) and failed:
        return failed[1]
    return f"odd: pytest ended with {done.returncode}"
