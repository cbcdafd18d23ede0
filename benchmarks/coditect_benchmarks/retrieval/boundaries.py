"""Where passages should end: the same search over each way to cut.

Run ``python -m coditect_benchmarks.retrieval.boundaries --data FOLDER``."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import get_args

from coditect.errors import CoditectError, UsageError
from coditect.schemas import BuildSettings, PassageSettings, SearchOptions
from coditect.schemas.passage import BoundaryMethod
from coditect_benchmarks.retrieval.adapters import find_sets
from coditect_benchmarks.retrieval.bootstrap import difference
from coditect_benchmarks.retrieval.report import as_text
from coditect_benchmarks.retrieval.runner import Table, run, sampled
from coditect_benchmarks.retrieval.system import System

WAYS: tuple[BoundaryMethod, ...] = get_args(BoundaryMethod)
DEFAULT = PassageSettings().boundaries
MEASURES = ("nDCG@10", "char R@8", "token R@5", "token P@5", "token IoU@5")
_FAILED, _USAGE = 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        found = find_sets(options.data)
        if unknown := [name for name in options.sets.split(",") if name not in found]:
            raise UsageError("no such set in the folder", sets=unknown, hint=f"There are: {', '.join(found)}.")
        for reader, folder in (found[name] for name in options.sets.split(",")):
            with ExitStack() as stack:
                temporary = tempfile.TemporaryDirectory(prefix="coditect-bench-")
                place = options.cache or Path(stack.enter_context(temporary))
                data = replace(sampled(reader(folder), options.sample), also_within=False)
                (table,) = run(data, [_search(stack, place, options.embedder, way) for way in WAYS])
                print("\n".join([as_text(table), "", *against_default(table), ""]), flush=True)
    except CoditectError as error:
        print(f"error: {error}", file=sys.stderr)
        return _USAGE if isinstance(error, UsageError) else _FAILED
    return 0


def against_default(table: Table) -> Iterator[str]:
    """Each other way to cut against the default: a line for each measure that is defined."""
    default = table.row(DEFAULT)
    for row in table.rows:
        for measure in MEASURES:
            if default is None or row is default or measure not in row.values:
                continue
            gap = difference(row.values[measure], default.values[measure])
            yield f"{row.system} minus {DEFAULT}, {measure}: {gap.mean:+.4f} [{gap.low:+.4f}, {gap.high:+.4f}] {gap.verdict}"


def _search(stack: ExitStack, place: Path, embedder: str, way: BoundaryMethod) -> System:
    # Half a second that neither --help nor a wrong option need wait for.
    from coditect_benchmarks.retrieval.product import Product, ProductSearch

    build = BuildSettings(passages=PassageSettings(boundaries=way))
    return ProductSearch(way, stack.enter_context(Product(place, embedder, build)), SearchOptions(gate=False))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coditect_benchmarks.retrieval.boundaries", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="a folder of sets")
    parser.add_argument("--sets", default="chroma,policyqa", help="by name, with commas between")
    parser.add_argument("--sample", type=int, metavar="N", help="ask N random questions of each set")
    parser.add_argument("--embedder", default="wordllama", help="wordllama, or the folder of a model")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep built stores here and use them again")
    return parser


if __name__ == "__main__":
    sys.exit(main())
