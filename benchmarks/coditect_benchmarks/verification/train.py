"""Fit the shipped weights: ``python -m coditect_benchmarks.verification.train --data ../shared/data``. Same data, same bytes.

With ``--contexts FOLDER`` those for a model that reads words in context are fitted instead, from its folder."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from coditect_benchmarks.retrieval.embedders import embedder_of
from coditect_benchmarks.verification import adapters, quotes
from coditect_benchmarks.verification.fitting import SEED, Floats, Rows, fit, held_out
from coditect_benchmarks.verification.measures import measured

__all__ = ["calibrated", "main", "shipped"]

VERSIONS = {"words": "5", "vectors": "6", "contexts": "2"}
_KNOTS = 24


def calibrated(scores: Floats, rows: Rows) -> tuple[list[float], list[float]]:
    """Isotonic calibration as knots, strictly ascending, and probabilities.

    Args:
        scores: held out.
        rows: their cases; every case counts once, what was made as well, so that a quote gets what a quote deserves.
    """
    from sklearn.isotonic import IsotonicRegression

    order = np.argsort(scores, kind="stable")
    bins = [each for each in np.array_split(order, _KNOTS) if len(each)]
    middles = [float(scores[each].mean()) for each in bins]
    rates = [float((rows.labels[each].sum() + 1.0) / (len(each) + 2.0)) for each in bins]
    smooth = IsotonicRegression(y_min=0.01, y_max=0.99).fit(middles, rates).predict(middles)
    knots: list[float] = []
    values: list[float] = []
    for middle, value in zip(middles, smooth.tolist(), strict=True):
        if not knots or middle > knots[-1] + 1e-5:
            knots.append(round(middle, 6))
            values.append(round(value, 6))
    return knots, values


def shipped(rows: Rows, made: Rows, name: str, embedder: str = "") -> dict[str, Any]:
    """The weights as they are shipped, with what they were made of.

    Args:
        rows: all of the training sets.
        made: from their evidence.
        name: "words", "vectors" or "contexts".
        embedder: id of the model that gave the vectors.
    """
    both = rows.joined(made)
    row = fit(both, adapters.EDITED)
    row["knots"], row["values"] = calibrated(held_out(both, adapters.EDITED), both)
    row["version"] = f"{name}/{VERSIONS[name]}"
    row["fitted_on"] = dict(sorted(Counter(rows.domains.tolist()).items()))
    row["fitted_on"]["made from their evidence"] = len(made.labels)
    row["embedder"] = embedder
    row["scikit_learn"] = version("scikit-learn")
    row["seed"] = SEED
    return row


def main() -> None:
    """Fit the variants and write them beside the package's combiner."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).parents[3] / "coditect" / "verify" / "support" / "weights"
    )
    parser.add_argument("--embedder", default="wordllama", metavar="FOLDER", help="of the weights with vectors")
    parser.add_argument("--contexts", metavar="FOLDER", help="fit the weights of this model, and no others")
    arguments = parser.parse_args()
    sets = adapters.load(arguments.data, sorted(adapters.ADAPTERS))
    embedder = embedder_of(arguments.contexts or arguments.embedder)
    everything = measured(sets, embedder)
    made = measured(quotes.made(sets), embedder, made=True)
    arguments.out.mkdir(parents=True, exist_ok=True)
    own = "contexts" if arguments.contexts else "vectors"
    variants = [(own, everything, made, embedder.card.model_id)]
    if own == "vectors":
        variants.insert(0, ("words", everything.without_vectors(), made.without_vectors(), ""))
    for name, rows, more, model in variants:
        text = json.dumps(shipped(rows, more, name, model), sort_keys=True, separators=(",", ":")) + "\n"
        (arguments.out / f"{name}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
