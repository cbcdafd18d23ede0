"""The server under load.

usage: python -m coditect_benchmarks.serving --store lmdb:///folder --cache FOLDER --corpus-id contracts --queries FILE
           --files FOLDER [--only ratios,overload,slow,idle,killed,steady] [--minutes 10] [--json FILE]

The store holds a built corpus; it is read, a token is made in it, and nothing else is written to it. The kill trial has a store of
its own. Latency counts from the moment at which a request was meant to begin (open loop, Poisson arrivals), and Python is asked the
same at the same moments in the same run. On a machine that others use, look at the ratios and at the load average beside them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from coditect.compose import open_knowledge
from coditect.settings import Settings
from coditect_benchmarks.serving import trials
from coditect_benchmarks.serving.mix import Questions, items_only, mixed
from coditect_benchmarks.serving.process import ServerProcess, load_average, new_token

TRIALS = ("ratios", "overload", "slow", "idle", "killed", "steady")
PLACES = 16


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--corpus-id", required=True)
    parser.add_argument("--queries", type=Path, required=True, help="JSON lines with 'query'")
    parser.add_argument(
        "--files", type=Path, required=True, help="documents for the kill trial; the first 24 are taken"
    )
    parser.add_argument("--only", default=",".join(TRIALS))
    parser.add_argument("--rate", type=float, default=50.0)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    found: dict[str, Any] = {"commit": commit.stdout.strip(), "load_average_before": load_average()}
    for name, result in measured(options):
        found[name] = result
        print(json.dumps({name: result}, indent=2), flush=True)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def measured(options: argparse.Namespace) -> Any:  # noqa: ANN401 - an iterator of pairs
    """(name, result) of each trial that is asked for."""
    only = set(options.only.split(","))
    settings = Settings(store=options.store, cache=options.cache)
    if "killed" in only:
        yield "killed", _killed(options.files)
    if only == {"killed"}:
        return
    token = new_token(settings)
    lines = options.queries.read_text(encoding="utf-8").splitlines()
    queries = [json.loads(line)["query"].rpartition(";")[2].strip() for line in lines[:: max(len(lines) // 300, 1)]]
    with tempfile.TemporaryDirectory() as work, open_knowledge(settings) as knowledge:
        questions = Questions(knowledge, options.corpus_id, queries, seed=1)
        server = ServerProcess(settings, Path(work))
        try:
            for name, trial in _trials(options, server, token, questions).items():
                if name.partition(" ")[0] in only:
                    yield name, trial()
        finally:
            print(f"exit code {server.stop()}; said: {server.said()[-2000:]}")


def _trials(
    options: argparse.Namespace, server: ServerProcess, token: str, questions: Questions
) -> dict[str, Callable[[], dict[str, Any]]]:
    def mix(count: int) -> list[Any]:
        return mixed(questions, count, seed=count)

    rate, seconds = options.rate, options.seconds
    big = questions.make("text").asked.path
    return {
        "ratios mix": lambda: trials.ratios(server, token, mix, rate, seconds, PLACES),
        "ratios items": lambda: trials.ratios(
            server, token, lambda count: items_only(questions, count), 4 * rate, seconds, PLACES
        ),
        "overload": lambda: trials.overload(server, token, mix, 5.0, seconds, PLACES),
        "slow": lambda: trials.slow(server, token, mix, big, rate / 2, 20.0),
        "idle": lambda: trials.idle(server, token, mix, options.idle, rate / 2, 15.0),
        "steady": lambda: trials.steady(server, token, mix, 2 * rate, options.minutes),
    }


def _killed(folder: Path) -> dict[str, Any]:
    files = sorted(each for each in folder.iterdir() if each.is_file())[:24]
    with tempfile.TemporaryDirectory() as work:
        settings = Settings(store=f"lmdb://{work}/store", cache=Path(work, "cache"))
        with open_knowledge(settings, must_exist=False):
            pass
        token = new_token(settings)
        return trials.killed(
            lambda port: ServerProcess(settings, Path(work, "work"), port), token, files, 3, {"today": "2026-06-01"}
        )


if __name__ == "__main__":
    main()
