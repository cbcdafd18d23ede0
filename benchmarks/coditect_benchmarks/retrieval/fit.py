"""Choose the figures of the ranking so that no family loses by them: ``python -m coditect_benchmarks.retrieval.fit``.

Every family is asked in several wordings. The regret of a ranking in a case is what it lacks to the best of the rivals there: words
alone, meaning alone, tantivy's BM25 and bm25s over the same passages, and every other ranking of the grid. The one whose greatest
regret is least is chosen (minimax), not the one whose mean is best; and left out one family at a time, to see what it would have
been chosen without it, and what it then costs that family.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from coditect.retrieve.local.parameters import RANKING, RankingParameters
from coditect_benchmarks.retrieval.adapters import find_sets
from coditect_benchmarks.retrieval.cuts import Cut
from coditect_benchmarks.retrieval.families import Family, scores_of_system
from coditect_benchmarks.retrieval.folders import working_folder
from coditect_benchmarks.retrieval.peers_bm25 import Bm25s
from coditect_benchmarks.retrieval.peers_tantivy import TantivyBm25
from coditect_benchmarks.retrieval.product import Product
from coditect_benchmarks.retrieval.system import System

__all__ = ["chosen", "grid", "regrets"]

Means = dict[str, dict[str, float]]
"""By case and measure, what a system has there on average: {"rulebooks, keywords: MAP@10": 0.61}; by system."""

_MEASURES = ("recall@10", "MAP@10")
HEADINGS = (0.0, 0.25, 0.5, 1.5)
CLOSENESS_OTHER = ((0.0, 0.0), (0.1, 0.3), (0.3, 1.0))
DENSE_FACTORS = (0.75, 1.0, 1.25)


def grid() -> dict[str, RankingParameters]:
    """The rankings that are compared, by a name."""
    found = {}
    for heading, (closeness, likely), factor in itertools.product(HEADINGS, CLOSENESS_OTHER, DENSE_FACTORS):
        name = f"heading {heading}, closeness {closeness}/{likely}, cosine {factor}"
        found[name] = replace(
            RANKING,
            boosts=replace(RANKING.boosts, heading=heading),
            closeness_other=closeness,
            likely_other=likely,
            dense_factor=factor,
        )
    return found


def regrets(means: Means, systems: Sequence[str]) -> dict[str, dict[str, float]]:
    """What each system lacks to the best of all in each case, >= 0: by system and case.

    Args:
        means: of all that were measured, rivals included.
        systems: for which regrets are wanted.
    """
    cases = sorted({case for found in means.values() for case in found})
    best = {case: max(found[case] for found in means.values() if case in found) for case in cases}
    return {each: {case: best[case] - means[each][case] for case in cases if case in means[each]} for each in systems}


def chosen(found: Mapping[str, Mapping[str, float]]) -> tuple[str, float, float]:
    """The system whose greatest regret is least: (name, greatest regret, mean regret); the mean decides between equal ones."""
    rows = [(round(max(own.values()), 4), sum(own.values()) / len(own), name) for name, own in found.items()]
    greatest, mean, name = min(rows)
    return name, greatest, mean


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the grid and print what is chosen; returns the exit code."""
    options = _parser().parse_args(arguments)
    found = {name: each for folder in options.data for name, each in find_sets(folder).items()}
    names = [name for name in options.sets.split(",") if name] or list(found)
    rankings = grid()
    means: Means = {}
    with working_folder(options.cache) as place:
        for name in names:
            with Product(place, options.embedder) as product:
                _measure(Family.open(found, name, product, options.sample), rankings, means)
    if options.keep:
        options.keep.write_text(json.dumps(means, indent=1), encoding="utf-8")
    for line in report(means, rankings):
        print(line)
    return 0


def _measure(family: Family, rankings: Mapping[str, RankingParameters], means: Means) -> None:
    """Add a family's means."""
    print(
        f"fit: {family.data.name}, {sum(len(case.queries) for case in family.cases)} questions",
        file=sys.stderr,
        flush=True,
    )
    for case in family.cases:
        for name, ranking in rankings.items():
            _add(means, name, case.name, family.ranked_by(ranking, case))
        for mode in ("lexical", "dense"):
            _add(means, mode, case.name, family.ranked_by(RANKING, case, mode))
    for system in _peers(family.product.passages):
        system.index(family.data.documents)
        for case_name, values in scores_of_system(system, family.cases).items():
            _add(means, system.name, case_name, values)


def _peers(ours: Cut) -> Iterator[System]:
    yield TantivyBm25("tantivy BM25", ours)
    yield Bm25s(ours)


def _add(means: Means, system: str, case: str, values: Mapping[str, np.ndarray]) -> None:
    for measure in _MEASURES:
        means.setdefault(system, {})[f"{case}: {measure}"] = float(np.nanmean(values[measure]))


def report(means: Means, rankings: Mapping[str, RankingParameters]) -> Iterator[str]:
    """What is chosen with all families, and without each one."""
    every = regrets(means, list(rankings))
    name, greatest, mean = chosen(every)
    yield f"chosen: {name}; greatest regret {greatest:.3f}, mean {mean:.3f}"
    yield f"  {asdict(rankings[name])}"
    for each in sorted(every, key=lambda one: max(every[one].values()))[:10]:
        worst = max(every[each], key=every[each].__getitem__)
        yield f"  {max(every[each].values()):.3f} {sum(every[each].values()) / len(every[each]):.4f} {each} (worst: {worst})"
    families = sorted({case.partition(",")[0] for case in next(iter(every.values()))})
    for family in families:
        others = {each: {c: v for c, v in own.items() if c.partition(",")[0] != family} for each, own in every.items()}
        without, _, _ = chosen(others)
        own = [v for c, v in every[without].items() if c.partition(",")[0] == family]
        yield f"without {family}: {without}; its regret there at most {max(own):.3f}, mean {sum(own) / len(own):.3f}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m coditect_benchmarks.retrieval.fit", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, action="append", metavar="FOLDER", help="sets; repeatable")
    parser.add_argument("--sets", default="", help="only these, by name, with commas between")
    parser.add_argument("--sample", type=int, default=100, metavar="N", help="questions of each family (default: 100)")
    parser.add_argument("--embedder", default="wordllama", help="wordllama, or the folder of a model")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep built stores here and use them again")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write all means here as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
