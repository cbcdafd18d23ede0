"""The probability of support once the rules have found no contradiction: the combiner's, calibrated again for those claims.

The combiner is fitted on all kinds of errors, many of them edits of a single word, which it can hardly see: even a sentence that
stands in its evidence word for word is not sure for it. The rules see most of those edits. What passes them is more often right
than the combiner says, the more of its words the evidence holds. Fitted by ``benchmarks/tier4/calibrate.py``.
"""

from __future__ import annotations

from math import exp, log

from coditect.verify.support import Support

__all__ = ["CALIBRATION_VERSION", "FEATURES", "SERIOUS", "calibrated", "features"]

SERIOUS = 0.5
"""Severity from which a contradiction keeps a claim from being published; below it is a remark."""

CALIBRATION_VERSION = "staged-1"

FEATURES = ("log_odds", "coverage", "novel", "remark", "copied", "log_odds_copied", "best", "near", "away")
"""Log odds of the combiner; share of the claim's worst part that the evidence holds, 0..1; words that are new in every form,
squeezed into 0..1; severity of the worst remark; share of the claim that runs along one evidence sentence; the first times it;
share of the claim that its best evidence sentence holds by itself; how near to each other its words stand there; share of words
that stand elsewhere."""

INTERCEPT = -0.5906
COEFFICIENTS = {
    "log_odds": 0.5456,
    "coverage": 0.0815,
    "novel": -0.9292,
    "remark": -1.4193,
    "copied": 0.6869,
    "log_odds_copied": -0.4228,
    "best": 2.3073,
    "near": 0.0,
    "away": 0.0,
}


def features(found: Support, worst: float) -> tuple[float, ...]:
    """The measures of a claim, in the order of :data:`FEATURES`.

    Args:
        found: of stage 2, readable.
        worst: severity of the worst contradiction, below 0.5.
    """
    p = min(0.999, max(0.001, found.probability))
    coverage = min((part.coverage for part in found.parts), default=0.0)
    novel = sum(len(part.novel) for part in found.parts)
    odds, measured = log(p / (1.0 - p)), found.features
    copied = measured["common_sequence"]
    alone = measured["covered_best"], measured["near_min"], measured["away_words"]
    return odds, coverage, novel / (1.0 + novel), worst, copied, odds * copied, *alone


def calibrated(found: Support, worst: float) -> float:
    """The probability that the evidence supports all of a claim, 0..1.

    Args:
        found: of stage 2.
        worst: severity of the worst contradiction; from :data:`SERIOUS` on the combiner's own probability is given.
    """
    if found.unreadable:
        return 0.0
    if worst >= SERIOUS:
        return found.probability
    total = INTERCEPT + sum(
        COEFFICIENTS[name] * value for name, value in zip(FEATURES, features(found, worst), strict=True)
    )
    return 1.0 / (1.0 + exp(-total))
