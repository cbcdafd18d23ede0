"""One store of a given size: it is built in a process of its own, and one document of it is changed in another."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from coditect.compose import open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings
from coditect.settings import Settings
from coditect_benchmarks.growth.material import changed_document, documents
from coditect_benchmarks.growth.phases import Account, cpu_seconds, measured

__all__ = ["CORPUS", "build_all", "build_changed", "in_process"]

CORPUS = "contracts"
NO_DAY = "2026-01-01"
"""The day against which dates are held: the same in every run."""


def in_process(what: str, work: Path, data: Path, count: int) -> dict[str, Any]:
    """Run one part in a process of its own, so that its memory is its own and nothing is remembered.

    Args:
        what: "full" or "changed".
        work: folder of the store.
        data: of the public material.
        count: documents.
    """
    command = [sys.executable, "-m", "coditect_benchmarks.growth", what, "--work", str(work), "--data", str(data)]
    done = subprocess.run([*command, "--sizes", str(count)], check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def build_all(work: Path, data: Path, count: int) -> dict[str, Any]:
    """Make the corpus and build it from nothing.

    Args:
        work: a folder that is emptied.
        data: of the public material.
        count: documents.
    """
    shutil.rmtree(work, ignore_errors=True)
    source = work / "source"
    source.mkdir(parents=True)
    for name, text in documents(data / "contracts" / "docs", count):
        (source / name).write_text(text, encoding="utf-8")
    with _knowledge(work) as knowledge:
        knowledge.ingest(CORPUS, [source])
        return _built(knowledge, count)


def build_changed(work: Path, data: Path, count: int) -> dict[str, Any]:
    """Change one document of a corpus that was built, and build it again."""
    name, text = changed_document(data / "contracts" / "docs")
    (work / "source" / name).write_text(text, encoding="utf-8")
    with _knowledge(work) as knowledge:
        begin = cpu_seconds()
        knowledge.ingest(CORPUS, [work / "source"], sync=True)
        ingest = cpu_seconds() - begin
        return {**_built(knowledge, count), "ingest_s": round(ingest, 3)}


def _knowledge(work: Path) -> AbstractContextManager[Knowledge]:
    return open_knowledge(Settings(store=f"lmdb://{work / 'store'}", cache=work / "cache", jobs=1))


def _built(knowledge: Knowledge, count: int) -> dict[str, Any]:
    account = Account()
    with measured(account):
        report = knowledge.build(CORPUS, BuildSettings(today=NO_DAY))
    return {
        "documents": count,
        "build_id": report.build_id,
        "counts": report.counts,
        "derived": dict(report.derived),
        "cpu_s": round(sum(account.seconds.values()), 3),
        "phases_s": {name: round(spent, 3) for name, spent in account.seconds.items()},
        "peak_mib": dict(account.peak_mib),
        "own_mib": dict(account.own_mib),
    }
