"""How many processes read the files of an ingest."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coditect.knowledge.ingest import intake
from coditect.store.store import Store

CORES = 7


@pytest.mark.parametrize(
    ("size_bytes", "count", "asked", "jobs"),
    [
        (2_000_000, 2, None, 1),
        (2_000_001, 2, None, 2),
        (2_000_001, 9, None, CORES),
        (10, 2, 5, 2),
        (10, 9, 5, 5),
        (10, 0, None, 1),
    ],
)
def test_files_are_read_by_several_processes_from_four_megabytes_on(
    memory: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    size_bytes: int,
    count: int,
    asked: int | None,
    jobs: int,
) -> None:
    """Below that, starting them takes longer than reading; whoever asks for a number gets it, one for each file at most."""
    started: list[int] = []

    def read_files(tasks: list[Any], *, jobs: int, budget: object) -> Iterator[Any]:
        started.append(jobs)
        return iter(())

    monkeypatch.setattr(intake, "read_files", read_files)
    monkeypatch.setattr(intake, "available_cores", lambda: CORES)
    folder = tmp_path / "files"
    folder.mkdir()
    for number in range(count):
        (folder / f"{number}.txt").write_bytes(b"%d " % number + b"x" * (size_bytes - 2))
    intake.ingest(memory, "c", [folder], jobs=asked)
    assert started == [jobs]
