"""The command that fits and checks the relevance gate: ``python -m coditect_benchmarks.retrieval.gate --data FOLDER``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence, Set
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np

from coditect.errors import CoditectError, UsageError
from coditect.models.cards import gate_for
from coditect.models.port import GateParameters
from coditect_benchmarks.retrieval.adapters_guidance import find_families
from coditect_benchmarks.retrieval.folders import working_folder
from coditect_benchmarks.retrieval.formats import RetrievalSet
from coditect_benchmarks.retrieval.gate_evidence import Asked, Evidence, collect
from coditect_benchmarks.retrieval.gate_fit import (
    LOST,
    PRECISION,
    SUPERSEDED,
    WORDS_ALONE,
    Flags,
    Floats,
    auroc,
    calibration_error,
    fit_answers,
    left_out,
    lost,
    probabilities,
    thresholds,
)

FEWEST = 3
"""Sets: without one's questions and documents there must be questions that are asked of others."""

_FAILED = 1
_USAGE = 2
_EPILOG = f"""\
Every question is asked of its own set's passages, some of each other set's, and short questions on everyday matters of all. What is
printed was judged by a regression without the set's questions and documents; the parameters at the end are fitted on all of them,
and "incorrect" is chosen by them.
"incorrect" is the greatest probability at which no more than {LOST:.0%} of the questions with gold of any set are left without a
hit, "correct" the least at which {PRECISION:.0%} of the hits are on gold, where as many are foreign. Gold lost:
questions whose hits on gold were all refused. Answers empty: questions left without any hit.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        evidence, shipped = _evidence(options)
    except CoditectError as error:
        print(f"error: {error}", file=sys.stderr)
        return _USAGE if isinstance(error, UsageError) else _FAILED
    without = SUPERSEDED | (WORDS_ALONE if options.mode == "hybrid" else frozenset())
    print("\n".join(report(evidence, shipped, without)))
    return 0


def report(evidence: Evidence, shipped: GateParameters | None = None, without: Set[str] = SUPERSEDED) -> Iterator[str]:
    """Lines for people: reliability with each set left out, the fitted parameters, and the same figures for a card's gate.

    Args:
        evidence: of at least three sets.
        shipped: the gate of the model's card, or None.
        without: names of features that the fits do not look at.
    """
    hits = (
        f"{len(evidence.relevant):,} hits, {int(evidence.relevant.sum()):,} on gold, {int(evidence.foreign.sum()):,} in"
    )
    yield f"## Relevance gate, each set judged by a regression on the others: {hits} other sets' documents"
    found, held = left_out(evidence, without=without), left_out(evidence, evidence.held, without)
    own = fit_answers(evidence, without)
    correct, _ = thresholds(found, evidence)
    # What must not be lost is lost by the weights that are shipped.
    incorrect = min(correct, thresholds(own.probabilities(evidence.seen), evidence)[1])
    yield from _table(evidence, found, held, GateParameters(0.0, {}, correct, incorrect))
    yield f"\nfitted on all of them: {_as_json(own.parameters(correct, incorrect))}"
    if shipped is not None:
        yield "\n## The gate of the model's card on the same hits"
        yield from _table(
            evidence, probabilities(shipped, evidence.seen), probabilities(shipped, evidence.held), shipped
        )


_HEAD = (
    "set",
    "questions",
    "AUROC",
    "ECE",
    "gold lost",
    "own answers empty",
    "foreign answers empty",
    "gold hits refused",
    "foreign hits refused",
    "gold hits correct",
    "foreign hits correct",
)


def _table(evidence: Evidence, found: Floats, held: Floats, gate: GateParameters) -> Iterator[str]:
    refused = found < gate.incorrect
    # An ambiguous hit is read again with what holds it.
    correct = (found >= gate.correct) | (~refused & (held >= gate.correct))
    yield " | ".join(_HEAD)
    for name in (*np.unique(evidence.sets), "all"):
        rows = (evidence.sets == name) | (name == "all")
        gold, foreign = rows & evidence.relevant, rows & evidence.foreign
        counted = gold | foreign
        kinds = (evidence.relevant, ~evidence.foreign, evidence.foreign)
        cells = [
            str(name),
            f"{len(np.unique(evidence.questions[rows & ~evidence.foreign])):,}",
            f"{auroc(found[counted], evidence.relevant[counted]):.3f}",
            f"{calibration_error(found[counted], evidence.relevant[counted], evidence.weights[counted]):.3f}",
            *(f"{lost(found, evidence, rows, gate.incorrect, kind):.3f}" for kind in kinds),
            *(f"{_share(refused, part):.3f}" for part in (gold, foreign)),
            *(f"{_share(correct, part):.3f}" for part in (gold, foreign)),
        ]
        yield " | ".join(cells)


def _share(flags: Flags, rows: Flags) -> float:
    return float(flags[rows].mean()) if rows.any() else float("nan")


def _as_json(gate: GateParameters) -> str:
    return json.dumps(
        {"bias": gate.bias, "weights": dict(gate.weights), "correct": gate.correct, "incorrect": gate.incorrect}
    )


def _evidence(options: argparse.Namespace) -> tuple[Evidence, GateParameters | None]:
    found = find_families(options.data)
    names = [name for name in options.sets.split(",") if name] or list(found)
    if unknown := [name for name in names if name not in found]:
        raise UsageError("no such set in the folder", sets=unknown, hint=f"There are: {', '.join(found)}.")
    if len(names) < FEWEST:
        raise UsageError("too few sets to leave one out", sets=names, hint=f"Name at least {FEWEST} with --sets.")
    # Half a second that neither --help nor a wrong option need wait for.
    from coditect_benchmarks.retrieval.product import Product
    from coditect_benchmarks.retrieval.runner import sampled

    with working_folder(options.cache) as place, ExitStack() as stack:
        asked = []
        for reader, folder in (found[name] for name in names):
            data = _cut(sampled(reader(folder), None), options.documents, options.sample)
            product = stack.enter_context(Product(place, options.embedder))
            product.index(data.documents)
            asked.append(Asked(data, product))
        gate = gate_for("")
        if options.mode == "hybrid":
            from coditect_benchmarks.retrieval.embedders import embedder_of

            gate = embedder_of(options.embedder).card.gate
        return collect(asked, mode=options.mode, foreign=options.foreign), gate


def _cut(data: RetrievalSet, documents: int | None, sample: int) -> RetrievalSet:
    """The first documents of a set, and so many of the questions on them."""
    kept = data.documents[:documents]
    names = {document.id for document in kept}
    queries = [query for query in data.queries if all(item.document in names for item in query.gold)]
    return replace(data, documents=kept, queries=tuple(queries[:sample]))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m coditect_benchmarks.retrieval.gate",
        description=__doc__,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="a folder of sets")
    parser.add_argument("--sets", default="", help="only these, by name, with commas between")
    parser.add_argument("--sample", type=int, default=500, metavar="N", help="questions of each set; default 500")
    parser.add_argument(
        "--foreign", type=int, default=100, metavar="N", help="of them asked of each other set; default 100"
    )
    parser.add_argument("--documents", type=int, metavar="N", help="only the first N documents of each set")
    parser.add_argument("--embedder", default="wordllama", help="wordllama, or the folder of a model")
    parser.add_argument("--mode", choices=("hybrid", "lexical"), default="hybrid", help="lexical: fit without embedder")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep built stores here and use them again")
    return parser


if __name__ == "__main__":
    sys.exit(main())
