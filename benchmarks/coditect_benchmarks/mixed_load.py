"""Readers beside a build: how much longer answers take while one store is written.

usage: python -m coditect_benchmarks.mixed_load --store lmdb:///folder --cache FOLDER --corpus-id contracts --queries FILE
           --files FOLDER [--readers 4] [--rate 50] [--seconds 20] [--turns 2] [--documents 24] [--json FILE]

Each reader is a process that asks questions at the tier of extractions (open loop, Poisson arrivals; latency counts from the moment
at which a question was meant to begin). Turns without and with a build follow each other. The build is a process, too: it takes
documents into a corpus of its own in the same store, builds it, and begins again with another. So the store is written to: give one
that nobody needs.

Beside the latency stands how long an answer takes once it is begun, and that without the time in which the reader waited for a core
though it could have gone on (``/proc/self/schedstat``): what is left is computing, and waiting for a disk or a lock of the store.
On a machine that others use, too, only the last says what a build does to readers.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import multiprocessing.connection
import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from coditect.compose import open_knowledge
from coditect.schemas import BuildSettings
from coditect.settings import Settings
from coditect_benchmarks.serving.load import arrivals, percentile

WARM = 30
"""Questions that a reader asks before it is measured."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", required=True)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--corpus-id", required=True)
    parser.add_argument("--queries", type=Path, required=True, help="JSON lines with 'query'")
    parser.add_argument("--files", type=Path, required=True, help="documents for the build")
    parser.add_argument("--documents", type=int, default=24, help="how many of them make a corpus")
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--rate", type=float, default=50.0, help="questions per second and reader")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument(
        "--nice",
        type=int,
        default=10,
        help="by how much the build steps back behind the readers, 0 to 19; as the jobs of a server do by default",
    )
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    settings = Settings(store=options.store, cache=options.cache, jobs=1)
    lines = options.queries.read_text(encoding="utf-8").splitlines()
    queries = [json.loads(line)["query"].rpartition(";")[2].strip() for line in lines[:: max(len(lines) // 300, 1)]]
    rows = measured(settings, options, queries)
    print("\n".join(table(rows)))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 0


def measured(settings: Settings, options: argparse.Namespace, queries: Sequence[str]) -> list[dict[str, Any]]:
    """A row for each turn, those without and with a build one after the other."""
    spawn = multiprocessing.get_context("spawn")
    readers = []
    for seed in range(options.readers):
        ours, theirs = spawn.Pipe()
        reader = spawn.Process(target=_read, args=(theirs, settings, options.corpus_id, queries, seed), daemon=True)
        reader.start()
        readers.append((reader, ours))
    for _, pipe in readers:
        pipe.recv()  # ready
    rows = []
    for turn in range(options.turns):
        for is_built in (False, True):
            ended = spawn.Event()
            builder = spawn.Process(target=_build, args=(ended, settings, options, turn))
            if is_built:
                builder.start()
            for _, pipe in readers:
                pipe.send((options.rate, options.seconds, turn))
            found = [pipe.recv() for _, pipe in readers]
            ended.set()
            if is_built:
                builder.join()
            rows.append(row(found, is_built=is_built))
            print(rows[-1], file=sys.stderr, flush=True)
    for reader, pipe in readers:
        pipe.send(None)
        reader.join()
    return rows


def _read(
    pipe: multiprocessing.connection.Connection, settings: Settings, corpus_id: str, queries: Sequence[str], seed: int
) -> None:
    """A reader: asks as it is told to, and tells latencies and where its time went."""
    chance = random.Random(seed)  # noqa: S311 - drawn for a benchmark
    with open_knowledge(settings) as knowledge:
        for _ in range(WARM):
            knowledge.query(corpus_id, chance.choice(queries), tier="extraction")
        pipe.send("ready")
        while (told := pipe.recv()) is not None:
            rate, seconds, turn = told
            begin = time.perf_counter()
            rows = []
            for moment in arrivals(rate, seconds, seed + 100 * turn):
                time.sleep(max(0.0, moment - (time.perf_counter() - begin)))
                since, before = time.perf_counter(), _schedstat()
                knowledge.query(corpus_id, chance.choice(queries), tier="extraction")
                after, now = _schedstat(), time.perf_counter()
                ran, waited = (b - a for a, b in zip(before, after, strict=True))
                rows.append((now - begin - moment, now - since, ran, waited))
            pipe.send(rows)


def _build(ended: Any, settings: Settings, options: argparse.Namespace, turn: int) -> None:  # noqa: ANN401 - an event
    """Corpora of some documents, one after the other, until the readers are done."""
    os.nice(options.nice)
    paths = sorted(each for each in options.files.iterdir() if each.is_file())
    count, number = options.documents, 0
    with open_knowledge(settings) as knowledge:
        while not ended.is_set():
            corpus = f"beside-{turn}-{number}"
            begin = number * count % max(len(paths) - count, 1)
            knowledge.ingest(corpus, paths[begin : begin + count])
            if not ended.is_set():
                knowledge.build(corpus, BuildSettings(today="2026-01-01"))
            number += 1


def _schedstat() -> tuple[float, float]:
    """(seconds that this process computed, seconds that it waited for a core); zeros where the system does not say."""
    try:
        ran, waited, *_ = Path("/proc/self/schedstat").read_text(encoding="ascii").split()
    except OSError:
        return 0.0, 0.0
    return int(ran) / 1e9, int(waited) / 1e9


def row(found: Sequence[Sequence[tuple[float, ...]]], *, is_built: bool) -> dict[str, Any]:
    """The row of a turn: of each reader's answers (latency, time of answering, of computing, of waiting for a core), seconds."""
    rows = [each for own in found for each in own]
    latencies, served, ran, waited = (list(each) for each in zip(*rows, strict=True))
    own = [whole - queued for whole, queued in zip(served, waited, strict=True)]
    told = {"latency": latencies, "answering": served, "answering without waiting for a core": own, "computing": ran}
    return {
        "build": is_built,
        "questions": len(rows),
        **{
            f"{name}, p{100 * share:.0f} ms": round(1e3 * percentile(values, share), 1)
            for name, values in told.items()
            for share in (0.5, 0.99)
        },
        "waited for a core, of the time of answering": round(sum(waited) / sum(served), 2),
        "load average": round(os.getloadavg()[0], 1),
    }


def table(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Lines of Markdown, and the ratio of the worst percentiles with and without a build."""
    names = list(rows[0])
    lines = ["| " + " | ".join(names) + " |", "|---" * len(names) + "|"]
    lines += ["| " + " | ".join(str(row[name]) for name in names) + " |" for row in rows]
    for name in (each for each in names if each.endswith("p99 ms")):
        quiet, busy = (sum(row[name] for row in rows if row["build"] is is_built) for is_built in (False, True))
        lines.append(f"{name} with a build by without: {busy / quiet:.2f}" if quiet else "")
    return lines


if __name__ == "__main__":
    sys.exit(main())
