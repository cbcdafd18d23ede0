"""A copy of the checkout in which modules are changed."""

from __future__ import annotations

import compileall
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from py_compile import PycInvalidationMode

from .drawing import Mutation
from .rooms import folder, outermost

__all__ = ["applied", "copied", "environment"]


def copied(root: Path, copy: Path) -> Path:
    """Copy a checkout.

    Its bytecode is checked by hashes: a mutation may keep the size of a file, and be made within the second.
    """
    ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(root, copy, ignore=ignored)
    for package in ("coditect", *(folder(room) for room in outermost() if not folder(room).startswith("coditect"))):
        compileall.compile_dir(copy / package, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
    return copy


@contextmanager
def applied(mutation: Mutation, copy: Path) -> Iterator[None]:
    """A copy with a mutation on disk, where the programs that tests start find it."""
    target = copy / mutation.path
    source = target.read_text(encoding="utf-8")
    target.write_text(mutation.mutated(source), encoding="utf-8")
    try:
        yield
    finally:
        target.write_text(source, encoding="utf-8")


def environment(copy: Path) -> dict[str, str]:
    """What tests of a copy run with: modules of the copy, one thread for small matrices, and temporary folders beside the copy."""
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, (copy, copy / "benchmarks", copy / "verifier"))),
        "PYTHONDONTWRITEBYTECODE": "1",
        # Another run on this machine clears away what it finds in the shared folder.
        "PYTEST_DEBUG_TEMPROOT": str(copy.parent),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
