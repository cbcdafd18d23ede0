"""A build with every role over many documents: wall time against the service's own limit, memory, and each saving alone.

usage: python -m coditect_benchmarks.agents --data ../shared/data [--documents 1000] [--latency 0.3] [--concurrency 10]
    [--chars 18000] [--only time|costs] [--json FILE]

The service is the tests' fake in a process of its own: latency as asked for, tokens counted as the real one counts them, a token
being four characters. Prices are the package's. The peer is one call for each smallest passage and reading role, without the
service's cache and at the full price: what a first version of such a program does.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from coditect.agents.asking.prices import Prices
from coditect.compose import open_knowledge
from coditect.knowledge.labour.workers import available_cores
from coditect.knowledge.service import Knowledge
from coditect.schemas import BuildSettings
from coditect.settings import Settings
from coditect_benchmarks.agents.material import documents_from
from coditect_benchmarks.agents.savings import Savings, naive_usd, savings_of
from tests.llm_server import LlmProcess, llm_process

CORPUS = "measured"
PILOT = 20
"""Documents of the corpus before."""


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--latency", type=float, default=0.3)
    parser.add_argument("--concurrency", type=int, default=10)
    parser.add_argument("--chars", type=int, default=18_000, help="of a document, about")
    parser.add_argument("--only", choices=("time", "costs"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    print(
        f"machine: {available_cores()} cores, {platform.machine()}, Python {platform.python_version()}, commit {commit}"
    )
    with tempfile.TemporaryDirectory(prefix="coditect-bench-") as work:
        folder = Path(work)
        count = documents_from(options, folder / "in", folder / "pilot", PILOT)
        result: dict[str, Any] = {"documents": count, "chars": options.chars}
        if options.only != "costs":
            result["time"] = _timed(folder, options)
        if options.only != "time":
            result["costs"] = _costs(folder)
    print(json.dumps(result, indent=2))
    if options.json:
        options.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


def _settings(folder: Path, server: LlmProcess, **further: Any) -> Settings:  # noqa: ANN401 - settings of any kind
    chosen: dict[str, Any] = {
        "cache": folder / "cache",
        "llm": "claude",
        "api_key": "sk-of-benchmarks",
        "llm_base_url": server.base_url,
        "embedder": "none",
        **further,
    }
    return Settings(**chosen)


def _timed(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """One build, call by call: the stages in which the service is asked, against calls x latency / concurrency."""
    with llm_process(folder / "calls.jsonl", latency_s=options.latency) as server:
        settings = _settings(folder, server, store=f"lmdb://{folder / 'timed'}", agent_concurrency=options.concurrency)
        with open_knowledge(settings) as knowledge:
            # A first small corpus of other documents tells the forecast how long answers are.
            knowledge.ingest("pilot", [folder / "pilot"])
            knowledge.build("pilot", BuildSettings())
            before = len(server.messages)
            knowledge.ingest(CORPUS, [folder / "in"])
            forecast = knowledge.forecast(CORPUS, BuildSettings())
            begin = time.perf_counter()
            report = knowledge.build(CORPUS, BuildSettings())
            wall_s = time.perf_counter() - begin
        calls = [call for call in server.messages[before:] if call.endpoint == "messages"]
    asked = report.seconds["agents read"] + report.seconds["agents situate"] + report.seconds["sections and summary"]
    ideal = len(calls) * options.latency / options.concurrency
    roles: dict[str, Any] = {}
    for role in sorted({call.role for call in calls}):
        own = [call for call in calls if call.role == role]
        span = max(call.ended for call in own) - min(call.began for call in own)
        limit = len(own) * options.latency / options.concurrency
        roles[role] = {"calls": len(own), "seconds": round(span, 1), "over_limit": round(span / limit, 2)}
    return {
        "calls": len(calls),
        "wall_s": round(wall_s, 1),
        "asking_s": round(asked, 1),
        "limit_s": round(ideal, 1),
        "wall_over_limit": round(wall_s / ideal, 3),
        "asking_over_limit": round(asked / ideal, 3),
        "roles": roles,
        "partial": report.partial,
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "forecast": _compared(forecast.agents["total"], report.agents["total"]),
        "seconds": report.seconds,
    }


def _compared(predicted: dict[str, Any], actual: dict[str, Any]) -> dict[str, Any]:
    """The dry run against the build."""

    def tokens(account: dict[str, Any]) -> int:
        return sum(account["paid"].values())

    return {
        "tokens": tokens(predicted),
        "tokens_used": tokens(actual),
        "tokens_ratio": round(tokens(predicted) / tokens(actual), 3),
        "usd": predicted["usd"],
        "usd_used": actual["usd"],
        "usd_ratio": round(predicted["usd"] / actual["usd"], 3),
        "calls": predicted["sent"],
        "calls_made": actual["sent"],
    }


def _costs(folder: Path) -> dict[str, Any]:
    """The same build in batches: what its input cost, against the peer, each saving alone."""
    prices = Prices.load()
    with llm_process(folder / "batched.jsonl", batch_s=0.2) as server:
        settings = _settings(folder, server, store=f"lmdb://{folder / 'batched'}", batch=True)
        with open_knowledge(settings) as knowledge:
            knowledge.ingest(CORPUS, [folder / "in"])
            report = knowledge.build(CORPUS, BuildSettings())
            naive = _naive(knowledge, prices)
        calls = [call for call in server.answered if call.role in ("mapper", "selector", "contextualiser")]
    found: Savings = savings_of(calls, naive, report.agents, prices)
    return found.report()


def _naive(knowledge: Knowledge, prices: Prices) -> dict[str, Any]:
    return naive_usd(knowledge.view(CORPUS), prices)


if __name__ == "__main__":
    main()
