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
    """
    with applied(mutation, copy):
        for path in tests:
            if not (copy / path.partition("::")[0]).exists():
                return f"odd: no tests at {path}"
            try:
                done = subprocess.run(
                    [sys.executable, "-m", "pytest", "-x", *PYTEST, path],
                    cwd=copy,
                    env=environment(copy),
                    capture_output=True,
                    text=True,
                    timeout=timeout_s,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return "killed (time)"
            if done.returncode in (_FAILURE, _INTERRUPTED):
                failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
                return f"killed by {failed[1]}" if failed else f"odd: {done.stdout[-200:]!r}"
            if done.returncode not in _NO_FAILURE:
                return f"odd: pytest ended with {done.returncode}"
    return SURVIVED
