"""The probability of support once the rules have found no contradiction: the combiner's, calibrated again for those claims.

The combiner is fitted on all kinds of errors, many of them edits of a single word, which it can hardly see: even a sentence that
stands in its evidence word for word is not sure for it. The rules see most of those edits. What passes them is more often right
than the combiner says, the more of its words the evidence holds. Fitted by ``benchmarks/coditect_benchmarks/tier4/calibrate.py``.
"""

from __future__ import annotations

from math import exp, log

from coditect.schemas import SupportFigures
from coditect.verify.support.assessment import Support

__all__ = ["CALIBRATION_VERSION", "FEATURES", "SERIOUS", "SHIPPED", "SIGNS", "calibrated", "features"]

SERIOUS = 0.5
"""Severity from which a contradiction keeps a claim from being published; below it is a remark."""

CALIBRATION_VERSION = "staged-3"

FEATURES = ("log_odds", "novel", "remark", "copied", "best", "near", "away")
"""Log odds of the combiner; words that are new in every form, squeezed into 0..1; severity of the worst remark; share of the claim
that runs along one evidence sentence; share of it that its best evidence sentence holds by itself; how near to each other its
words stand there; share of its words that stand elsewhere."""

INTERCEPT = -1.2624
COEFFICIENTS = {
    "log_odds": 0.111,
    "novel": -0.2072,
    "remark": -1.4443,
    "copied": 1.1156,
    "best": 1.8604,
    "near": 1.0908,
    "away": -0.4705,
}

AGREED = 0.75
"""Share of what each sentence of a claim says that must have a counterpart for both readings to agree."""
AGREED_PROBABILITY = 0.85
APART_PROBABILITY = 0.6

SIGNS = dict(zip(FEATURES, (1, -1, -1, 1, 1, 1, -1), strict=True))
"""Which way each measure may count: more of it never makes a claim less (1), or more (-1), probable."""

SHIPPED = SupportFigures(version=CALIBRATION_VERSION, intercept=INTERCEPT, coefficients=COEFFICIENTS)
"""What is read where nobody switched to figures that were fitted on reviews of their own."""


def features(found: Support, worst: float) -> tuple[float, ...]:
    """The measures of a claim, in the order of :data:`FEATURES`.

    Args:
        found: what stage 2 found of a claim that can be read.
        worst: severity of the worst contradiction, below 0.5; 0 where there is none.
    """
    p = min(0.999, max(0.001, found.probability))
    novel = sum(len(part.novel) for part in found.parts)
    measured = found.features
    alone = measured["common_sequence"], measured["covered_best"], measured["near_min"], measured["away_words"]
    return log(p / (1.0 - p)), novel / (1.0 + novel), worst, *alone


def calibrated(found: Support, worst: float, figures: SupportFigures = SHIPPED) -> float:
    """The probability that the evidence supports all of a claim, 0..1.

    Args:
        found: what stage 2 found of the claim.
        worst: severity of the worst contradiction; from :data:`SERIOUS` on the combiner's own probability is given.
        figures: of the regression.
    """
    if found.unreadable:
        return 0.0
    if worst >= SERIOUS:
        return found.probability
    total = figures.intercept + sum(
        figures.coefficients.get(name, 0.0) * value
        for name, value in zip(FEATURES, features(found, worst), strict=True)
    )
    probability = 1.0 / (1.0 + exp(-max(-60.0, min(60.0, total))))
    held, strange = found.features["held_least"], found.features["strange_names"]
    if held >= AGREED and not strange:
        return max(probability, AGREED_PROBABILITY)
    return min(probability, APART_PROBABILITY)
