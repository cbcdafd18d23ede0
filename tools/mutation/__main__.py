"""The command: draws mutations, decides them, and lists what survives."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from .checkout import copied, environment
from .drawing import Mutation, drawn
from .forks import UNDECIDED, Request
from .processes import SURVIVED, verdict_of_process
from .rooms import TESTS, outermost

ROOT = Path(__file__).resolve().parents[2]


def verdicts(
    wanted: list[Mutation], copy: Path, most_s: float | None, timeout_s: float
) -> Iterator[tuple[Mutation, str]]:
    """Decide mutations by forks, room by room, and what these cannot decide by processes."""
    rooms: dict[str, list[Mutation]] = {}
    for mutation in wanted:
        rooms.setdefault(mutation.room, []).append(mutation)
    for room, mutations in rooms.items():
        found = dict.fromkeys(mutations, "odd: its session ended before")
        found |= forked(Request(TESTS[room], tuple(mutations), most_s), copy)
        for mutation, verdict in found.items():
            if verdict == UNDECIDED:
                yield mutation, verdict_of_process(mutation, copy, TESTS[room], timeout_s)
            else:
                yield mutation, verdict


def forked(request: Request, copy: Path) -> dict[Mutation, str]:
    """What a session of forks says of its mutations, as far as it came."""
    asked, answers = copy.parent / "request.json", copy.parent / "answers.jsonl"
    asked.write_text(request.to_json(), encoding="utf-8")
    answers.write_text("", encoding="utf-8")
    words = [sys.executable, "-m", "tools.mutation.forks", str(asked), str(answers)]
    done = subprocess.run(words, cwd=copy, env=environment(copy), capture_output=True, text=True, check=False)
    said = [line for line in done.stdout.splitlines() if line.startswith("without any mutation")]
    lines = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    if len(lines) < len(request.mutations):
        said += [done.stdout[-2000:], done.stderr[-2000:]]
    for line in said:
        print(line, file=sys.stderr, flush=True)
    return {Mutation(**line["mutation"]): line["verdict"] for line in lines}


def table(decided: Iterable[tuple[Mutation, str]]) -> str:
    """Mutations and their verdicts as a table of Markdown."""
    rows = [f"| {number} | `{mutation}` | {verdict} |" for number, (mutation, verdict) in enumerate(decided, 1)]
    return "\n".join(["| | mutation | verdict |", "| --- | --- | --- |", *rows]) + "\n"


def summary(decided: Iterable[tuple[Mutation, str]], seed: int) -> str:
    """How many were killed, how many survived, and how many are neither since nothing could be made of them."""
    said = [verdict for _, verdict in decided]
    killed = sum(verdict.startswith("killed") for verdict in said)
    survived = sum(verdict.startswith(SURVIVED) for verdict in said)
    return f"{killed} of {len(said)} killed, {survived} survived, {len(said) - killed - survived} odd; seed {seed}\n"


def main() -> int:
    """Make mutations, run tests, and print what became of each."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutation", description=__doc__)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--room", action="append", default=[], choices=outermost())
    parser.add_argument("--processes", action="store_true", help="one pytest for each mutation: slow")
    parser.add_argument("--timeout", type=float, default=400.0, help="seconds for each group of tests of such a pytest")
    parser.add_argument("--most", type=float, help="seconds of tests for each mutation that is decided by a fork")
    parser.add_argument("--table", type=Path, help="a file for the table and the figures")
    parser.add_argument("--list", action="store_true", help="name the mutations, and run nothing")
    options = parser.parse_args()
    wanted = drawn(ROOT, options.count, options.seed, options.room)
    if options.list:
        print(*wanted, sep="\n")
        return 0
    decided: dict[Mutation, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = copied(ROOT, Path(folder) / "checkout")
        if options.processes:
            told = ((each, verdict_of_process(each, copy, TESTS[each.room], options.timeout)) for each in wanted)
        else:
            told = verdicts(wanted, copy, options.most, options.timeout)
        for mutation, verdict in told:
            decided[mutation] = verdict
            print(f"{len(decided):3} {mutation}: {verdict}", flush=True)
    result = [(mutation, decided[mutation]) for mutation in wanted]
    print(summary(result, options.seed), end="")
    if options.table:
        options.table.write_text(f"{table(result)}\n{summary(result, options.seed)}", encoding="utf-8")
    return 1 if any(not verdict.startswith("killed") for verdict in decided.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
