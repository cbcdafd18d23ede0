"""The default may lose to plain BM25 nowhere: ``python -m coditect_benchmarks.families --data FOLDER``.

Every family (:func:`~coditect_benchmarks.retrieval.adapters_guidance.find_families`) is asked in several wordings; the default is
compared with tantivy's BM25 and with bm25s over the same passages, and with its own parts, question by question. Exit code 1 where
it is worse than a BM25 in any case beyond the noise of a paired bootstrap; 2 for wrong options.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from coditect.errors import CoditectError, UsageError
from coditect.retrieve.local.parameters import RANKING
from coditect_benchmarks.retrieval.adapters_guidance import find_families
from coditect_benchmarks.retrieval.bootstrap import Interval, difference
from coditect_benchmarks.retrieval.families import Family, scores_of_system
from coditect_benchmarks.retrieval.folders import working_folder
from coditect_benchmarks.retrieval.peers_bm25 import Bm25s
from coditect_benchmarks.retrieval.peers_tantivy import TantivyBm25
from coditect_benchmarks.retrieval.product import Product
from coditect_benchmarks.retrieval.system import System

__all__ = ["DEFAULT", "Comparison", "comparisons", "main", "means"]

Values = npt.NDArray[np.float64]

DEFAULT = "default"
PLAIN = ("tantivy", "bm25s")
_JUDGED = ("recall@10", "MAP@10")
_JUDGED_BY_CHARACTERS = ("char R@8", "char P@1")
"""Where answers are clauses of long documents, what is read counts, too."""

_FAILED, _USAGE = 1, 2


@dataclass(frozen=True, slots=True)
class Comparison:
    """The default beside one rival in one case.

    Attributes:
        case: family and wording.
        measure: by which.
        rival: its name.
        own: mean of the default.
        other: mean of the rival.
        gap: the default minus the rival, with the bootstrap's interval.
    """

    case: str
    measure: str
    rival: str
    own: float
    other: float
    gap: Interval

    @property
    def is_lost(self) -> bool:
        """Whether the default is worse than a plain BM25 beyond noise."""
        return self.rival in PLAIN and self.gap.verdict == "worse"

    def __str__(self) -> str:
        return (
            f"{self.case:38} {self.measure:10} {self.own:.3f}  {self.rival:8} {self.other:.3f}  "
            f"{self.gap.mean:+.3f} [{self.gap.low:+.3f}, {self.gap.high:+.3f}] {self.gap.verdict}"
        )


def comparisons(
    case: str, measured: Mapping[str, Mapping[str, Values]], measures: Sequence[str] = _JUDGED
) -> Iterator[Comparison]:
    """The default beside each rival, by the measures that a case is judged by.

    Args:
        case: its name.
        measured: each question's measures, by system; the default is among them.
        measures: those that it is judged by.
    """
    own = measured[DEFAULT]
    for measure in measures:
        for rival, values in measured.items():
            if rival != DEFAULT:
                gap = difference(own[measure], values[measure])
                means = float(np.nanmean(own[measure])), float(np.nanmean(values[measure]))
                yield Comparison(case, measure, rival, *means, gap)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print, and return the exit code."""
    options = _parser().parse_args(arguments)
    try:
        found = {name: each for folder in options.data for name, each in find_families(folder).items()}
        names = [name for name in options.sets.split(",") if name] or list(found)
        if unknown := [name for name in names if name not in found]:
            raise UsageError("no such set in the folder", sets=unknown, hint=f"There are: {', '.join(found)}.")
        lost = []
        with working_folder(options.cache) as place:
            for name in names:
                with Product(place, options.embedder) as product:
                    for each in _compared(Family.open(found, name, product, options.sample)):
                        print(each, flush=True)
                        lost += [each] if each.is_lost else []
    except CoditectError as error:
        print(f"error: {error}", file=sys.stderr)
        return _USAGE if isinstance(error, UsageError) else _FAILED
    if lost:
        print(f"\nthe default loses to plain BM25 in {len(lost)} cases:", *lost, sep="\n", file=sys.stderr)
    return _FAILED if lost else 0


def _compared(family: Family) -> Iterator[Comparison]:
    peers = {}
    for name, system in _plain(family.product):
        system.index(family.data.documents)
        peers[name] = scores_of_system(system, family.cases)
    for case in family.cases:
        measured = {
            DEFAULT: family.ranked_by(RANKING, case),
            "words": family.ranked_by(RANKING, case, "lexical"),
            "meaning": family.ranked_by(RANKING, case, "dense"),
            **{name: found[case.name] for name, found in peers.items()},
        }
        judged = (*_JUDGED, *(_JUDGED_BY_CHARACTERS if family.data.also_within else ()))
        for line in means(case.name, measured):
            print(line, flush=True)
        yield from comparisons(case.name, measured, judged)


def means(case: str, measured: Mapping[str, Mapping[str, Values]]) -> Iterator[str]:
    """A line for each measure that the questions of a case have: each system's mean with the bootstrap's interval over questions.

    Args:
        case: its name.
        measured: each question's measures, by system; the default is among them.
    """
    for measure, values in measured[DEFAULT].items():
        if not np.isnan(values).all():
            told = []
            for name, own in measured.items():
                mean = difference(own[measure], np.zeros_like(own[measure]))
                told.append(f"{name} {mean.mean:.3f} [{mean.low:.3f}, {mean.high:.3f}]")
            yield f"{case:38} {measure:10} {'  '.join(told)}"


def _plain(product: Product) -> Iterator[tuple[str, System]]:
    yield PLAIN[0], TantivyBm25("tantivy BM25", product.passages)
    with suppress(UsageError):  # not installed
        yield PLAIN[1], Bm25s(product.passages)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coditect_benchmarks.families", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, action="append", metavar="FOLDER", help="sets; repeatable")
    parser.add_argument("--sets", default="", help="only these, by name, with commas between")
    parser.add_argument("--sample", type=int, default=150, metavar="N", help="questions of each family (default: 150)")
    parser.add_argument("--embedder", default="wordllama", help="wordllama, or the folder of a model")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep built stores here and use them again")
    return parser


if __name__ == "__main__":
    sys.exit(main())
