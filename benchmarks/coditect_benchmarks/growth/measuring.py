"""One store of a given size: it is built in a process of its own, and one document of it is changed in another."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from coditect.compose import open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings, Granularity
from coditect.settings import Settings
from coditect_benchmarks.growth.material import changed_document, documents
from coditect_benchmarks.growth.phases import Account, cpu_seconds, measured
from coditect_benchmarks.serving.load import percentile

__all__ = ["CORPUS", "ask", "build_all", "build_changed", "in_process"]

CORPUS = "contracts"
NO_DAY = "2026-01-01"
"""The day against which dates are held: the same in every run."""

LIVING = 3
"""Changes in the process that made the first one."""

QUESTIONS, WARM = 400, 50
"""Questions that are asked of a corpus, and how many before them, so that files are mapped and patterns compiled."""


def in_process(what: str, work: Path, data: Path, count: int, length: int | None = None) -> dict[str, Any]:
    """Run one part in a process of its own, so that its memory is its own and nothing is remembered.

    Args:
        what: "full", "changed" or "asked".
        work: folder of the store.
        data: of the public material.
        count: documents.
        length: characters of each, all of them made; None for contracts.
    """
    command = [sys.executable, "-m", "coditect_benchmarks.growth", what, "--work", str(work), "--data", str(data)]
    command += ["--sizes", str(count)] + ([] if length is None else ["--length", str(length)])
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def build_all(work: Path, data: Path, count: int, length: int | None = None) -> dict[str, Any]:
    """Make the corpus and build it from nothing.

    Args:
        work: a folder that is emptied.
        data: of the public material.
        count: documents.
        length: characters of each, all of them made; None for contracts.
    """
    shutil.rmtree(work, ignore_errors=True)
    source = work / "source"
    source.mkdir(parents=True)
    for name, text in documents(data / "contracts" / "docs", count, length=length):
        (source / name).write_text(text, encoding="utf-8")
    with _knowledge(work) as knowledge:
        knowledge.ingest(CORPUS, [source])
        return _built(knowledge, count)


def build_changed(work: Path, data: Path, count: int, length: int | None = None) -> dict[str, Any]:
    """Change one document of a corpus that was built and build it again, then with other words in the process that lives on."""
    with _knowledge(work) as knowledge:
        begin = cpu_seconds()
        _change(knowledge, work, data, length, 0)
        ingest = cpu_seconds() - begin
        first = _built(knowledge, count)
        living = []
        for change in range(1, 1 + LIVING):
            _change(knowledge, work, data, length, change)
            living.append(_built(knowledge, count)["cpu_s"])
        return {**first, "ingest_s": round(ingest, 3), "living_s": living}


def _change(knowledge: Knowledge, work: Path, data: Path, length: int | None, change: int) -> None:
    name, text = changed_document(data / "contracts" / "docs", length=length, change=change)
    (work / "source" / name).write_text(text, encoding="utf-8")
    knowledge.ingest(CORPUS, [work / "source"], sync=True)


def ask(work: Path, data: Path, count: int, length: int | None = None) -> dict[str, Any]:
    """Ask a corpus that was built, at two tiers, one question after the other: milliseconds of processor time at 50 and 99 %."""
    del length  # the questions are those of the contracts
    lines = (data / "contracts" / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["query"].rpartition(";")[2].strip() for line in lines]
    drawn = random.Random(1).choices(questions, k=WARM + QUESTIONS)  # noqa: S311 - drawn for a benchmark
    found: dict[str, Any] = {"documents": count}
    tiers: tuple[Granularity, ...] = ("extraction", "passage")
    with _knowledge(work) as knowledge:
        for tier in tiers:
            spent = []
            for question in drawn:
                begin = cpu_seconds()
                knowledge.query(CORPUS, question, tier=tier)
                spent.append(1e3 * (cpu_seconds() - begin))
            found[tier] = {f"p{100 * share:.0f}": round(percentile(spent[WARM:], share), 2) for share in (0.5, 0.99)}
    return found


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
