"""How well log odds put decisions in order and state their probability, with intervals over documents."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from coditect.knowledge.calibration.cases import Floats, Labels
from coditect.schemas import Interval, ReliabilityBin

__all__ = ["DRAWS", "Measure", "auroc", "concordance", "intervals", "log_loss", "probability", "reliability"]

DRAWS = 1000
BINS = 10
_DIGITS = 4
_EDGES = (2.5, 97.5)

Measure = Callable[[Floats, Labels], float]


def probability(log_odds: Floats) -> Floats:
    """The logistic function."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -60.0, 60.0))), np.float64)


def auroc(scores: Floats, labels: Labels) -> float:
    """Share of pairs of a positive and a negative case that scores put in order, ties half; NaN for none."""
    positive, negative = scores[labels == 1], np.sort(scores[labels == 0])
    if not len(positive) or not len(negative):
        return float("nan")
    below = np.searchsorted(negative, positive, "left") + np.searchsorted(negative, positive, "right")
    return float(below.mean() / 2 / len(negative))


def concordance(scores: Floats, labels: Labels) -> float:
    """Of cases that are differences: share of those labelled 1 whose score is above 0, ties half; NaN for none.

    It is the AUROC within questions, where each case is a pair of hits of one question.
    """
    own = scores[labels == 1]
    return float(((own > 0).mean() + (own >= 0).mean()) / 2) if len(own) else float("nan")


def log_loss(log_odds: Floats, labels: Labels) -> float:
    """Mean negative logarithm of the probability that was given to what people decided."""
    signed = np.where(labels == 1, log_odds, -log_odds)
    return float(np.logaddexp(0.0, -signed).mean())


def intervals(
    before: Floats, after: Floats, labels: Labels, groups: Labels, measure: Measure, seed: int
) -> tuple[Interval, Interval, Interval]:
    """A measure before, after, and their difference, each with the 95 % interval of a bootstrap that draws whole groups.

    Args:
        before: scores of each case.
        after: scores of the same cases.
        labels: 1 decided for.
        groups: number of each case's document.
        measure: of scores and labels.
        seed: of the draws.
    """
    generator = np.random.default_rng(seed)
    members = [np.flatnonzero(groups == each) for each in np.unique(groups)]
    drawn = []
    for _ in range(DRAWS):
        chosen = np.concatenate([members[at] for at in generator.integers(0, len(members), len(members))])
        pair = measure(before[chosen], labels[chosen]), measure(after[chosen], labels[chosen])
        if np.isfinite(pair).all():
            drawn.append((*pair, pair[1] - pair[0]))
    stated = measure(before, labels), measure(after, labels)
    values = (*stated, stated[1] - stated[0])
    edges = np.percentile(np.asarray(drawn), _EDGES, axis=0).T if drawn else [(value, value) for value in values]
    one, other, difference = (
        Interval(value=round(value, _DIGITS), low=round(float(low), _DIGITS), high=round(float(high), _DIGITS))
        for value, (low, high) in zip(values, edges, strict=True)
    )
    return one, other, difference


def reliability(stated: Floats, labels: Labels) -> tuple[ReliabilityBin, ...]:
    """Stated probability against the observed share, in bins of equal width; empty ones are left out."""
    places = np.minimum((stated * BINS).astype(np.int64), BINS - 1)
    return tuple(
        ReliabilityBin(
            cases=int((places == place).sum()),
            stated=round(float(stated[places == place].mean()), _DIGITS),
            observed=round(float(labels[places == place].mean()), _DIGITS),
        )
        for place in sorted(set(places.tolist()))
    )
