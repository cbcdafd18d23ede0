"""Folders that a measurement works in."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["working_folder"]


@contextmanager
def working_folder(kept: Path | None) -> Iterator[Path]:
    """A folder for stores and replicas.

    Args:
        kept: made if it is not there, and used again by later runs; None: one that is gone at the end.
    """
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with tempfile.TemporaryDirectory(prefix="coditect-bench-") as folder:
        yield Path(folder)
