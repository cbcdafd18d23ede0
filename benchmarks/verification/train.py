"""Fit the shipped weights: ``python -m benchmarks.verification.train --data ../shared/data``. Same data, same bytes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from benchmarks.verification import adapters
from benchmarks.verification.fitting import Floats, Rows, fit, held_out
from benchmarks.verification.measures import measured
from coditect.models.wordllama import WordLlamaEmbedder

__all__ = ["calibrated", "main"]

VERSION = "1"
_KNOTS = 24


def calibrated(scores: Floats, rows: Rows) -> tuple[list[float], list[float]]:
    """Isotonic calibration as knots and probabilities, strictly ascending knots.

    Args:
        scores: held-out log odds.
        rows: their cases; every case counts once, so the probability is that of the pooled sets.
    """
    from sklearn.isotonic import IsotonicRegression

    order = np.argsort(scores, kind="stable")
    bins = np.array_split(order, _KNOTS)
    middles = [float(scores[each].mean()) for each in bins]
    rates = [float((rows.labels[each].sum() + 1.0) / (len(each) + 2.0)) for each in bins]
    smooth = IsotonicRegression(y_min=0.01, y_max=0.99).fit(middles, rates).predict(middles)
    knots: list[float] = []
    values: list[float] = []
    for middle, value in zip(middles, smooth.tolist(), strict=True):
        if not knots or middle > knots[-1] + 1e-6:
            knots.append(round(middle, 6))
            values.append(round(value, 6))
    return knots, values


def main() -> None:
    """Fit both variants and write them beside the package's combiner."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path(__file__).parents[2] / "coditect" / "verify" / "weights")
    arguments = parser.parse_args()
    sets = adapters.load(arguments.data)
    for name, embedder in (("words", None), ("vectors", WordLlamaEmbedder())):
        rows = measured(sets, embedder)
        row = fit(rows)
        row["knots"], row["values"] = calibrated(held_out(rows), rows)
        row["version"] = f"{name}/{VERSION}"
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / f"{name}.json").write_text(json.dumps(row, sort_keys=True, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
