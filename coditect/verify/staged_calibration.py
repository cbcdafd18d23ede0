"""The probability of support once the rules have found no contradiction: the combiner's, calibrated again for those claims.

The combiner is fitted on all kinds of errors, many of them edits of a single word, which it can hardly see: even a sentence that
stands in its evidence word for word is not sure for it. The rules see most of those edits. What passes them is more often right
than the combiner says, the more of its words the evidence holds. Fitted by ``benchmarks/tier4/calibrate.py``.
"""

from __future__ import annotations

from math import exp, log

from coditect.verify.support import Support

__all__ = ["CALIBRATION_VERSION", "FEATURES", "calibrated", "features"]

CALIBRATION_VERSION = "staged-1"

FEATURES = ("log_odds", "coverage", "novel", "remark", "copied", "log_odds_copied")
"""Log odds of the combiner; share of the claim's worst part that the evidence holds, 0..1; words that are new in every form, squeezed
into 0..1; severity of the worst remark; share of the claim that runs along one evidence sentence; the product of the first and it."""

INTERCEPT = 0.0
COEFFICIENTS = {name: float(name == "log_odds") for name in FEATURES}


def features(found: Support, worst: float) -> tuple[float, ...]:
    """The measures of a claim, in the order of :data:`FEATURES`.

    Args:
        found: of stage 2, readable.
        worst: severity of the worst contradiction, below 0.5.
    """
    p = min(0.999, max(0.001, found.probability))
    coverage = min((part.coverage for part in found.parts), default=0.0)
    novel = sum(len(part.novel) for part in found.parts)
    odds, copied = log(p / (1.0 - p)), found.features["common_sequence"]
    return odds, coverage, novel / (1.0 + novel), worst, copied, odds * copied


def calibrated(found: Support, worst: float) -> float:
    """The probability that the evidence supports all of a claim, 0..1.

    Args:
        found: of stage 2.
        worst: severity of the worst contradiction; from 0.5 on the combiner's own probability is given.
    """
    if found.unreadable:
        return 0.0
    if worst >= 0.5:  # noqa: PLR2004 - staged.SERIOUS, which imports this module
        return found.probability
    total = INTERCEPT + sum(
        COEFFICIENTS[name] * value for name, value in zip(FEATURES, features(found, worst), strict=True)
    )
    return 1.0 / (1.0 + exp(-total))
