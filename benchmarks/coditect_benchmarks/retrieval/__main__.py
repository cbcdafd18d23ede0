"""The command: ``python -m coditect_benchmarks.retrieval --data FOLDER``."""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from coditect.errors import CoditectError, UsageError
from coditect.schemas import BuildSettings, PassageSettings
from coditect_benchmarks.retrieval.adapters import Found, find_sets
from coditect_benchmarks.retrieval.embedders import embedder_of
from coditect_benchmarks.retrieval.folders import working_folder
from coditect_benchmarks.retrieval.formats import RetrievalSet
from coditect_benchmarks.retrieval.peers import peers
from coditect_benchmarks.retrieval.report import DEFAULT, PARTS, as_json, as_text
from coditect_benchmarks.retrieval.runner import Table, run, sampled
from coditect_benchmarks.retrieval.system import System

_FAILED = 1
_USAGE = 2
_EPILOG = """\
FOLDER is one retrieval set, or holds several as its subfolders. A set is contracts, policyqa, chroma or scifact as their
authors publish them, or two files of JSON lines: documents.jsonl {"id", "title", "text"} and queries.jsonl
{"query", "gold": [{"document", "start", "end"} or {"document"}], "within"}; see benchmarks/retrieval/formats.py.
rank_bm25 and LlamaIndex are slow: they are asked the first 200 and 100 of the questions, which are in random order with a
fixed seed; ratios and differences are over the questions that both sides were asked. Exit codes: 2 for a folder that holds
no set and for wrong options, 1 for a set or a model that cannot be read.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        found = _chosen(find_sets(options.data), options.sets)
        tables = list(_tables(options, found))
        if options.format == "json":
            print(json.dumps({"embedder": options.embedder, "sets": [as_json(table) for table in tables]}, indent=2))
            return 0
    except UsageError as error:
        print(f"error: {error}", file=sys.stderr)
        return _USAGE
    except CoditectError as error:
        print(f"error: {error}", file=sys.stderr)
        return _FAILED
    if not options.sets:
        _regulations(options.data)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m coditect_benchmarks.retrieval",
        description=__doc__,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="a set, or a folder of sets")
    parser.add_argument("--sets", default="", help="only these, by name, with commas between")
    parser.add_argument(
        "--sample", type=_positive, metavar="N", help="ask N random questions of each set, the same ones to all"
    )
    parser.add_argument("--embedder", default="wordllama", help="wordllama, or the folder of a model")
    parser.add_argument(
        "--levels",
        type=_levels,
        metavar="N,N,...",
        help="tokens of the product's passages at each level, smallest first",
    )
    parser.add_argument("--peers", action=argparse.BooleanOptionalAction, default=True, help="measure the peers, too")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep built stores here and use them again")
    return parser


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError("a whole number from 1")
    return number


def _levels(text: str) -> BuildSettings:
    """Settings of a build with these levels."""
    try:
        return BuildSettings(passages=PassageSettings(chunk_levels=tuple(int(each) for each in text.split(","))))
    except ValueError as error:
        raise argparse.ArgumentTypeError("1 to 6 whole numbers, increasing, 16 to 32768") from error


def _chosen(found: Found, sets: str) -> Found:
    names = [name.strip() for name in sets.split(",") if name.strip()]
    unknown = [name for name in names if name not in found]
    if unknown:
        raise UsageError("no such set in the folder", sets=unknown, hint=f"There are: {', '.join(found)}.")
    return {name: found[name] for name in names or found}


def _tables(options: argparse.Namespace, found: Found) -> Iterator[Table]:
    """One set after another; text is printed as soon as it is there."""
    for reader, folder in found.values():
        data = sampled(reader(folder), options.sample)
        # Half a second that neither --help nor a damaged set need wait for.
        from coditect_benchmarks.retrieval.product import Product, ways

        with working_folder(options.cache) as place, ExitStack() as stack:
            product = stack.enter_context(Product(place, options.embedder, options.levels))
            systems: list[System] = [*ways(product, DEFAULT, *PARTS)]
            if options.peers:
                others, missing = peers(data, embedder_of(options.embedder), product.passages)
                systems += others
                for line in missing:
                    print(line, file=sys.stderr)
            for table in (_unscored(each, data) for each in run(data, systems)):
                if options.format == "text":
                    print(as_text(table), end="\n\n", flush=True)
                yield table


def _unscored(table: Table, data: RetrievalSet) -> Table:
    if not data.unscored:
        return table
    more = f"{data.unscored} questions have no gold and are left out"
    return replace(table, note=f"{table.note}; {more}" if table.note else more)


def _regulations(data: Path) -> None:
    """Definitions and cross-references of the regulations, where the folder has them."""
    if (data / "cfpb").is_dir() and importlib.util.find_spec("coditect_benchmarks.references"):
        print("## cfpb: defined terms and cross-references", flush=True)
        subprocess.run([sys.executable, "-m", "coditect_benchmarks.references", "--data", str(data)], check=False)


if __name__ == "__main__":
    sys.exit(main())
