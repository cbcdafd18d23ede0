"""Command line: make the pairs, show some, measure the checks on them."""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from coditect_benchmarks.edits.check import check
from coditect_benchmarks.edits.pairs import EditPair, generate
from coditect_benchmarks.edits.report import as_json, as_text
from coditect_benchmarks.edits.source import documents

COUNT = 4000
SEED = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; 0, or 2 where the folder has nothing to edit."""
    parser = argparse.ArgumentParser(prog="python -m coditect_benchmarks.edits", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds contracts/docs and cfpb")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the pairs here, as JSON lines")
    parser.add_argument(
        "--count", type=int, default=COUNT, help=f"pairs to make, of both families; {COUNT} unless told"
    )
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--rules-only", action="store_true", help="do not measure the statistics")
    parser.add_argument("--samples", type=int, default=0, metavar="N", help="print N pairs of the dev family")
    options = parser.parse_args(arguments)
    files = documents(options.data)
    if not files:
        print(f"{options.data}: neither contracts/docs nor cfpb are here", file=sys.stderr)
        return 2
    pairs = list(generate(files, options.count, options.seed))
    if options.output:
        lines = (json.dumps(pair.record(), ensure_ascii=False, sort_keys=True) for pair in pairs)
        options.output.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    if options.samples:
        _show([pair for pair in pairs if pair.family == "dev"], options.samples, options.seed)
    report = check(pairs, statistics=not options.rules_only)
    print(as_text(report, statistics=not options.rules_only))
    if options.json:
        options.json.write_text(json.dumps(as_json(report), indent=2) + "\n", encoding="utf-8")
    return 0


def _show(pairs: list[EditPair], number: int, seed: int) -> None:
    for pair in random.Random(seed).sample(pairs, min(number, len(pairs))):  # noqa: S311 - a seeded choice
        print(f"{pair.label} · {pair.kind}\n  source: {pair.source}\n  claim:  {pair.claim}")


if __name__ == "__main__":
    sys.exit(main())
