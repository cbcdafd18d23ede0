"""The command: ``python -m coditect_benchmarks.verification --data FOLDER``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from coditect.errors import CoditectError, UsageError
from coditect_benchmarks.retrieval.embedders import embedder_of
from coditect_benchmarks.verification import quotes
from coditect_benchmarks.verification.adapters import load
from coditect_benchmarks.verification.measures import measured
from coditect_benchmarks.verification.report import PRODUCTS, Report, as_html, as_json, as_text
from coditect_benchmarks.verification.run import held_out_documents, run
from coditect_benchmarks.verification.speed import measure_speed
from coditect_benchmarks.verification.systems import Fixed, Product, System, TfidfRegression, overlap, similarity

_FAILED = 1
_USAGE = 2
_EPILOG = """\
FOLDER holds scifact, wice, expertqa, summedits and healthver as their authors publish them, any of them, and sets of your own
as FILE.jsonl: {"claim": text, "evidence": [sentences], "label": "supported" or "unsupported"} and optionally "group", "kind",
"domain". Each set is judged by systems that saw only the others, edited summaries domain by domain; sets of your own are judged
and never trained on. Exit codes: 2 for a folder without sets to train on, 1 for a set that cannot be read.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        report = _report(options.data, options.sets, options.embedder, options.speed)
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return _USAGE
    except (CoditectError, OSError, KeyError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return _FAILED
    print(as_text(report), end="")
    if options.json:
        options.json.write_text(json.dumps(as_json(report), indent=2) + "\n", "utf-8")
    if options.html:
        options.html.write_text(as_html(report), "utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m coditect_benchmarks.verification",
        description=__doc__,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--sets", nargs="*", default=[], metavar="NAME", help="hold out only these")
    parser.add_argument(
        "--embedder", default="wordllama", metavar="FOLDER", help="a folder with a model instead of wordllama"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page with reliability plots")
    parser.add_argument("--no-speed", dest="speed", action="store_false", help="do not measure claims a second")
    return parser


def _report(data: Path, wanted: Sequence[str], model: str, speed: bool) -> Report:
    if not data.is_dir():
        raise UsageError("this is no folder", hint="see --help", path=str(data))
    sets = load(data)
    if len(sets) < 2:
        raise UsageError(
            "at least two sets are needed, one to train on and one to judge", hint="see --help", path=str(data)
        )
    unknown = sorted(set(wanted) - set(sets))
    if unknown:
        raise UsageError("there is no such set", hint=f"sets: {', '.join(sorted(sets))}", sets=unknown)
    cases = [case for each in sets.values() for case in each]
    embedder = embedder_of(model)
    rows = measured(sets, embedder)
    made = measured(quotes.made(sets), embedder, made=True)
    words = Product(rows.without_vectors(), made.without_vectors())
    systems: dict[str, System] = {
        PRODUCTS[0]: words,
        PRODUCTS[1]: Product(rows, made),
        "word overlap": Fixed([overlap(case) for case in cases]),
        "TF-IDF + regression": TfidfRegression(cases, rows),
        "embedding similarity": Fixed(similarity(sets, embedder)),
    }
    results = run(rows, systems, wanted)
    calibrations = []
    if not wanted:
        calibrations = [
            held_out_documents(rows.without_vectors(), made.without_vectors(), PRODUCTS[0]),
            held_out_documents(rows, made, PRODUCTS[1]),
        ]
    return Report(tuple(results), tuple(calibrations), measure_speed(cases) if speed else None)


if __name__ == "__main__":
    sys.exit(main())
