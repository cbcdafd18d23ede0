"""The main job on real corpora: seconds by stage, memory, rebuilds, queries at every tier, and what validation finds.

usage: python -m coditect_benchmarks.corpus --data ../shared/data [--only contracts] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from coditect.compose import open_knowledge
from coditect.knowledge.labour.workers import available_cores
from coditect.knowledge.service import Knowledge
from coditect.schemas import TIER_NAMES, BuildSettings
from coditect.settings import Settings

CORPORA = {"contracts": "contracts/docs", "policies": "policies", "pdf": "pdf", "cfpb": "cfpb", "nist": "nist"}
QUERIES = 300
FALLBACK = [
    "incident reporting",
    "termination for convenience",
    "notice period",
    "encryption",
    "audit rights",
    "revenue growth",
]


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", choices=CORPORA, action="append")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    print(
        f"machine: {available_cores()} cores, {platform.machine()}, Python {platform.python_version()}, commit {commit or 'none'}"
    )
    results = {}
    for name in options.only or ["contracts", "policies", "pdf"]:
        folder = options.data / CORPORA[name]
        if not folder.is_dir():
            print(f"{name}: {folder} is not here, skipped")
            continue
        results[name] = measure(name, folder, _queries(options.data) if name == "contracts" else FALLBACK)
        print(json.dumps({name: results[name]}, indent=2))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


def _queries(data: Path) -> list[str]:
    path = data / "contracts" / "queries.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    step = max(len(lines) // QUERIES, 1)
    return [json.loads(line)["query"].rpartition(";")[2].strip() for line in lines[::step]][:QUERIES] or FALLBACK


def measure(name: str, folder: Path, queries: list[str]) -> dict[str, Any]:
    """Everything about one corpus, in a store of its own."""
    work = Path(tempfile.mkdtemp(prefix="coditect-bench-"))
    try:
        source = work / "source"
        shutil.copytree(folder, source, copy_function=shutil.copyfile)
        for path in (source, *source.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        with open_knowledge(Settings(store=f"lmdb://{work / 'store'}", cache=work / "cache")) as knowledge:
            return _measure(knowledge, name, source, work, queries)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _measure(knowledge: Knowledge, name: str, source: Path, work: Path, queries: list[str]) -> dict[str, Any]:
    begin = time.perf_counter()
    ingested = knowledge.ingest(name, [source])
    built = knowledge.build(name, BuildSettings())
    total = time.perf_counter() - begin
    # Now: a process that is started later counts as a child with its parent's memory.
    usage = {"main": resource.RUSAGE_SELF, "largest worker": resource.RUSAGE_CHILDREN}
    peak = {label: resource.getrusage(who).ru_maxrss // 1024 for label, who in usage.items()}
    begin = time.perf_counter()
    knowledge.ingest(name, [source])
    again = knowledge.build(name, BuildSettings())
    unchanged = time.perf_counter() - begin
    changed = next(
        path for path in sorted(source.rglob("*")) if path.suffix in (".txt", ".tmpl", ".xml", ".json", ".pdf")
    )
    if changed.suffix == ".pdf":
        changed.unlink()
    else:
        changed.write_bytes(
            changed.read_bytes() + b"\n\nThe parties shall review this document at least every two years.\n"
        )
    begin = time.perf_counter()
    knowledge.ingest(name, [source], sync=True)
    one = knowledge.build(name, BuildSettings())
    one_changed = time.perf_counter() - begin
    result: dict[str, Any] = {
        "files": len(ingested.outcomes),
        "failed": ingested.count("failed"),
        "megabytes": round(sum(p.stat().st_size for p in source.rglob("*") if p.is_file()) / 1e6, 1),
        "ingest_and_build_s": round(total, 1),
        "ingest_s": ingested.seconds,
        "build_s": built.seconds,
        "counts": built.counts,
        "unchanged_s": round(unchanged, 2),
        "unchanged_is_noop": not again.changed,
        "one_changed_s": round(one_changed, 2),
        "one_changed_derived": one.derived,
        "one_changed_reused": one.reused,
        "store_megabytes": round(sum(p.stat().st_size for p in (work / "store").rglob("*.mdb")) / 1e6),
        "queries_ms": {tier: _latency(knowledge, name, queries, tier) for tier in TIER_NAMES},
        "cli_query_s": _cli(work, name, queries[0]),
    }
    report = knowledge.validate(name)
    view = knowledge.view(name)
    result["validate_s"] = report.seconds
    result["findings"] = len(report.findings)
    result["max_synthesis_ratio"] = max(section.synthesized_content_ratio for section in view.sections)
    result["sections_from_one_document_though_more_speak"] = sum(
        section.quoted_document_count == 1 < section.document_count for section in view.sections
    )
    result["published_claims_without_citation"] = sum(not view.claims[c].citations for c in view.summary.claims)
    result["peak_rss_megabytes_of_ingest_and_build"] = peak
    return result


def _latency(knowledge: Knowledge, corpus_id: str, queries: list[str], tier: Any) -> dict[str, float]:  # noqa: ANN401 - a tier name
    knowledge.query(corpus_id, queries[0], tier=tier, include_sources=True)
    seconds = []
    for query in queries:
        begin = time.perf_counter()
        knowledge.query(corpus_id, query, tier=tier, include_sources=True)
        seconds.append(time.perf_counter() - begin)
    seconds.sort()
    return {"p50": round(seconds[len(seconds) // 2] * 1e3, 2), "p99": round(seconds[int(len(seconds) * 0.99)] * 1e3, 2)}


def _cli(work: Path, corpus_id: str, query: str) -> dict[str, float]:
    """Whole processes: the median of five of ``--help`` and of one query."""
    base = [sys.executable, "-m", "coditect"]
    place = ["--store", f"lmdb://{work / 'store'}", "--cache", str(work / "cache")]
    runs = {
        "help": [*base, "--help"],
        "query": [*base, *place, "knowledge", "query", "--corpus-id", corpus_id, "--query", query],
    }
    found = {}
    for label, command in runs.items():
        seconds = []
        for _ in range(5):
            begin = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            seconds.append(time.perf_counter() - begin)
        found[label] = round(sorted(seconds)[2], 3)
    return found


if __name__ == "__main__":
    main()
