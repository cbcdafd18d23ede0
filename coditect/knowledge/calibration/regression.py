"""A logistic regression that begins at known figures and leaves them only as far as decisions call for it.

The log odds of the known figures are one input, which may be scaled and shifted freely (Platt's calibration); the measures
themselves are others, and their weights are penalised. So few decisions only scale what is shipped, and many may weigh the measures
otherwise. All of it is one linear model again, in the form that is shipped.

Source: Platt, Probabilistic outputs for support vector machines, 1999.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coditect.knowledge.calibration.cases import Cases, Floats
from coditect.knowledge.calibration.folds import held_out_folds
from coditect.knowledge.calibration.measures import log_loss

__all__ = ["STRENGTHS", "Figures", "fit", "fit_by_cross_validation"]

STRENGTHS = (0.001, 0.01, 0.1, 1.0)
"""Freedom of the measures' own weights, as the inverse of their penalty: which of these, cross-validation says."""

INNER_FOLDS = 3
DIGITS = 6
_NARROWEST = 0.1
"""Least deviation that a measure is divided by: what few cases have at all must not get a weight that others then suffer from."""

_UNPENALISED = 100.0
"""So many times wider than the measures, the known log odds pay next to nothing for their weight."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A logistic regression.

    Attributes:
        intercept: log odds.
        coefficients: shape (measures,).
        signs: shape (measures,), 1 or -1: the sign that each coefficient may have.
    """

    intercept: float
    coefficients: Floats
    signs: Floats

    def log_odds(self, values: Floats) -> Floats:
        """Of rows of measures, shape (cases,)."""
        return np.asarray(values @ self.coefficients + self.intercept, np.float64)


def fit(cases: Cases, known: Figures, strength: float) -> Figures:
    """Fit on all cases. A measure whose weight would have the wrong sign is left out: more in common never speaks against a claim.

    Args:
        cases: with decisions of both kinds.
        known: the figures to begin at.
        strength: one of :data:`STRENGTHS`.
    """
    used = [at for at in range(cases.values.shape[1]) if float(cases.values[:, at].std()) > 0.0]
    while True:
        intercept, coefficients = _fit(cases, known, strength, used)
        signed = coefficients[used] * known.signs[used]
        if not used or not (signed < 0).any():
            break
        del used[int(signed.argmin())]
    return Figures(round(intercept, DIGITS), np.round(coefficients, DIGITS) + 0.0, known.signs)


def _fit(cases: Cases, known: Figures, strength: float, used: Sequence[int]) -> tuple[float, Floats]:
    """Intercept and coefficients in units of the measures; those of unused measures are 0."""
    from sklearn.linear_model import LogisticRegression

    coefficients = np.zeros(cases.values.shape[1])
    if not used:
        share = float(cases.labels.mean())
        return float(np.log(share / (1.0 - share))), coefficients
    values, begin = cases.values[:, used], known.coefficients[used]
    mean, scale = values.mean(axis=0), np.maximum(values.std(axis=0), _NARROWEST)
    stated = values @ begin
    middle, spread = float(stated.mean()), float(stated.std())
    columns = [(values - mean) / scale]
    if spread > 0.0:
        columns.append(_UNPENALISED * (stated - middle)[:, None] / spread)
    model = LogisticRegression(C=strength, solver="newton-cholesky", max_iter=200)
    model.fit(np.hstack(columns), cases.labels)
    weights = model.coef_[0]
    own = weights[: len(used)] / scale
    kept = _UNPENALISED * float(weights[-1]) / spread if spread > 0.0 else 0.0
    coefficients[used] = own + kept * begin
    return float(model.intercept_[0]) - float(own @ mean) - kept * middle, coefficients


def fit_by_cross_validation(cases: Cases, known: Figures, seed: int) -> Figures:
    """Fit with the strength whose log loss on documents held out is least; the weaker one of equals.

    Args:
        cases: decisions of both kinds.
        known: the figures to begin at.
        seed: of the folds.
    """
    folds = list(held_out_folds(cases, seed, INNER_FOLDS))
    losses = []
    for strength in STRENGTHS:
        found = [
            log_loss(fit(cases.take(train), known, strength).log_odds(cases.values[test]), cases.labels[test])
            for train, test in folds
        ]
        losses.append(round(float(np.mean(found)), DIGITS) if found else 0.0)
    return fit(cases, known, STRENGTHS[int(np.argmin(losses))])
