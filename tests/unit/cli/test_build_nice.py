"""``build --nice``: who steps back, and who does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from coditect.knowledge.labour.priority import STEPS_BACK
from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.places import lmdb_only

LARGEST = 19
"""Nobody is nicer."""

PROGRAM = """
import sys
from coditect.cli.app import coditect
from coditect.knowledge.labour.workers import run_ordered
from tests.deadly_tasks import crashed, niceness

for options in ([], ["--nice"]):
    assert coditect.main([*sys.argv[1:], *options], standalone_mode=False) == 0
    print(niceness(0), *run_ordered(niceness, [1, 2], jobs=2, crashed=crashed))
"""
"""Builds, and builds nicely; tells each time how nice this process is and what it starts after that."""


@lmdb_only("a process of its own")
def test_nice_build_and_what_it_starts_step_back_and_nobody_else(tmp_path: Path) -> None:
    """The process of the command and the workers that it starts; the one that called it stays as it was."""
    store = tmp_path / "store"
    files = folder_of(tmp_path / "files", DOCUMENTS)
    assert invoke(store, "ingest", "--corpus-id", CORPUS, str(files)).exit_code == 0
    before = os.getpriority(os.PRIO_PROCESS, 0)
    words = ["knowledge", "--store", f"lmdb://{store}", "build", "--corpus-id", CORPUS, "--jobs", "1"]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *words], check=True, capture_output=True, text=True)
    told = [line.split() for line in done.stdout.splitlines() if line.replace(" ", "").isdigit()]
    assert told == [[str(before)] * 3, [str(min(LARGEST, before + STEPS_BACK))] * 3]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


def test_nice_build_where_no_system_knows_niceness_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It would take the cores that somebody asked it to leave; nothing is built."""
    monkeypatch.delattr(os, "nice")
    done = invoke(tmp_path / "store", "build", "--corpus-id", CORPUS, "--nice")
    assert done.exit_code == 2
    assert "this system knows no niceness" in done.stderr
    assert "--jobs 1" in done.stderr
