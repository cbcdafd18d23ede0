"""From which probability a hit is relevant, and below which it is not: the gate's two promises, kept on hits that were held out."""

from __future__ import annotations

import numpy as np

from coditect.knowledge.calibration.cases import Floats, Labels

__all__ = ["LOST", "PRECISION", "thresholds"]

LOST = 0.035
"""Share of relevant hits that may be withheld."""

PRECISION = 0.9
"""Share of relevant ones among the hits that are judged correct."""

_DIGITS = 4


def thresholds(probabilities: Floats, labels: Labels) -> tuple[float, float]:
    """(correct, incorrect) that keep both promises; the same two as the shipped gates keep on development data.

    Args:
        probabilities: held out, shape (cases,).
        labels: 1 relevant.
    Returns:
        the least probability from which :data:`PRECISION` of the hits are relevant, 1 where there is none; and the greatest below
        which no more than :data:`LOST` of the relevant hits lie, at most the first.
    """
    order = np.argsort(-probabilities, kind="stable")
    precision = np.cumsum(labels[order]) / np.arange(1, len(order) + 1)
    precise = np.flatnonzero(precision >= PRECISION)
    correct = float(probabilities[order][precise[-1]]) if len(precise) else 1.0
    relevant = np.sort(probabilities[labels == 1])
    incorrect = float(relevant[int(LOST * len(relevant))]) if len(relevant) else 0.0
    floor = 10.0**-_DIGITS
    # Rounded down, so that the hit that sets a threshold still reaches it.
    correct, incorrect = (float(np.floor(each / floor) * floor) for each in (correct, min(incorrect, correct)))
    return round(correct, _DIGITS), round(incorrect, _DIGITS)
