"""What the transparency log costs, against the goals of its design, in one run.

usage: python -m coditect_benchmarks.log [--entries 10000000] [--cluster-entries 1000000] [--documents 25] [--turns 3]
                                         [--data FOLDER] [--format text|json]

Where FDB_CLUSTER_FILE names a live cluster, the same is measured there. Ratios are of processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import uuid
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

from coditect.compose import open_engine
from coditect.settings import Settings
from coditect.transparency.notes import SigningKey
from coditect_benchmarks.log.corpora import question_costs, run_costs
from coditect_benchmarks.log.long_log import LongLog

KEY = SigningKey("log.example.com/benchmark", bytes(range(32)))
GOALS = {"made": 1.0, "together": 1.0, "verified": 1.0, "signed": 20.0}
"""Milliseconds."""
MOST_RATIO, MOST_EVENT_BYTES = 1.05, 1024


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m coditect_benchmarks.log", description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000_000)
    parser.add_argument("--cluster-entries", type=int, default=1_000_000)
    parser.add_argument("--documents", type=int, default=25)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--proofs", type=int, default=300)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    given = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory(prefix="coditect-log-") as name:
        folder = _documents(given.data / "contracts", Path(name) / "documents", given.documents)
        engines = {"lmdb": given.entries}
        if os.environ.get("FDB_CLUSTER_FILE"):
            engines["fdb"] = given.cluster_entries
        for engine, entries in engines.items():
            found[engine] = _measured(engine, entries, folder, Path(name), given)
            print(f"measured on {engine}", file=sys.stderr, flush=True)
    print(json.dumps(found, indent=2) if given.format == "json" else _text(found))
    return 0


def _documents(source: Path, folder: Path, count: int) -> Path:
    files = sorted(source.rglob("*.txt"))
    folder.mkdir()
    for each in files[:: max(1, len(files) // count)][:count]:
        shutil.copy(each, folder / each.name)
    return folder


def _measured(engine: str, entries: int, folder: Path, base: Path, given: argparse.Namespace) -> dict[str, Any]:
    run = uuid.uuid4().hex[:8]
    on_cluster = engine == "fdb"

    def url(name: str) -> str:
        return f"fdb://{os.environ['FDB_CLUSTER_FILE']}" if on_cluster else f"lmdb://{base}/{engine}-{name}"

    def tenant(name: str) -> str:
        return f"benchmark-{run}-{name}" if on_cluster else "default"

    with closing(open_engine(url("proofs"))) as opened:
        times = LongLog(opened, tenant("proofs"), entries, KEY).times(given.proofs, given.seed)
    cache = base / f"cache-{engine}"
    costs = run_costs(url, tenant, folder, cache, KEY, given.turns)
    name = f"turn-{2 * given.turns - 1}"
    settings = Settings(store=url(name), tenant=tenant(name), cache=cache / name, jobs=1, embedder="none")
    questions = [f"who may {verb} the {noun}" for verb in _VERBS for noun in _NOUNS]
    ratio, rounds = question_costs(settings, questions, 2 * given.turns + 1)
    last = costs.logged[-1]
    return {
        "proofs": asdict(times),
        "ingest and build": {"ratio": round(costs.ratio, 3), **asdict(costs)},
        "bytes an event": round(last.bytes / max(1, last.events), 1),
        "questions": {"ratio": round(ratio, 3), "rounds": [round(each, 3) for each in rounds]},
    }


_VERBS = ("terminate", "assign", "renew", "license", "disclose")
_NOUNS = ("agreement", "software", "information", "territory", "payment", "warranty")


def _text(found: dict[str, dict[str, Any]]) -> str:
    lines = []
    for engine, told in found.items():
        proofs = told["proofs"]
        lines.append(f"{engine}, {proofs['entries']:,} entries")
        for name, goal in GOALS.items():
            median, high = proofs[name]
            lines.append(f"  {name:9} median {median:8.3f} ms  p99 {high:8.3f} ms  goal {goal:g} ms")
        build = told["ingest and build"]
        pairs = zip(build["unlogged"], build["logged"], strict=True)
        turns = "; ".join(f"{a['cpu_s']} -> {b['cpu_s']}" for a, b in pairs)
        lines.append(
            f"  ingest and build with a log {build['ratio']:.3f} x without (goal {MOST_RATIO}); s of processor: {turns}"
        )
        lines.append(f"  log {told['bytes an event']:.0f} bytes an event (goal {MOST_EVENT_BYTES})")
        rounds = told["questions"]["rounds"]
        lines.append(
            f"  questions with a log of reads {told['questions']['ratio']:.3f} x without (goal {MOST_RATIO}); "
            f"rounds {min(rounds):.3f} to {max(rounds):.3f}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
