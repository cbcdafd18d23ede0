"""Fit one part, and say on documents that the fit did not see whether that is better than what is shipped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from coditect.knowledge.calibration.cases import Cases, Floats, missing
from coditect.knowledge.calibration.folds import FOLDS, held_out_folds
from coditect.knowledge.calibration.measures import (
    Measure,
    auroc,
    intervals,
    log_loss,
    probability,
    reliability,
)
from coditect.knowledge.calibration.regression import Figures, fit_by_cross_validation
from coditect.schemas import CalibrationPart, FittedPart

__all__ = ["Attempt", "attempt"]

CHANCE = 0.5
"""What figures that know nothing get, by either measure."""

_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Attempt:
    """What fitting a part gave.

    Attributes:
        told: for the report.
        figures: fitted on all cases; None where that does not improve, or there are too few.
        held_out: shape (cases,), log odds of each case from figures that saw none of its documents; empty where there are too few.
    """

    told: FittedPart
    figures: Figures | None
    held_out: Floats


def attempt(
    part: CalibrationPart, cases: Cases, shipped: Figures, noun: str, seed: int, measure: Measure = auroc
) -> Attempt:
    """Fit a part, measured by cross-validation over documents.

    Args:
        part: which.
        cases: all decisions that could be measured.
        shipped: the figures that it begins at, and is compared with.
        noun: what the decisions are called, in the plural.
        seed: of folds and intervals.
        measure: of log odds and labels; what has to improve.
    """
    counted = {
        "part": part,
        "cases": len(cases),
        "positive": int(cases.labels.sum()),
        "documents": cases.distinct_documents,
        "left_out": dict(sorted(cases.left_out.items())),
    }
    needs = missing(cases, noun)
    if needs:
        return Attempt(FittedPart(**counted, needs=needs), None, np.zeros(0))
    after = np.full(len(cases), np.nan)
    for train, test in held_out_folds(cases, seed, FOLDS):
        after[test] = fit_by_cross_validation(cases.take(train), shipped, seed).log_odds(cases.values[test])
    if np.isnan(after).any():
        needs = f"{noun} that share fewer documents: leaving one out leaves nothing to learn from"
        return Attempt(FittedPart(**counted, needs=needs), None, np.zeros(0))
    before = shipped.log_odds(cases.values)
    was, became, difference = intervals(before, after, cases.labels, cases.own, measure, seed)
    # Better than figures that rank these cases the wrong way round is not good enough: it has to be better than chance, too.
    improves = difference.low > 0.0 and became.low > CHANCE
    told = FittedPart(
        **counted,
        before=was,
        after=became,
        difference=difference,
        log_loss_before=round(log_loss(before, cases.labels), _DIGITS),
        log_loss_after=round(log_loss(after, cases.labels), _DIGITS),
        improves=improves,
        # Pairs of hits have an order, but no probability that anybody is told.
        reliability_before=reliability(probability(before), cases.labels) if measure is auroc else (),
        reliability_after=reliability(probability(after), cases.labels) if measure is auroc else (),
    )
    return Attempt(told, fit_by_cross_validation(cases, shipped, seed) if improves else None, after)
