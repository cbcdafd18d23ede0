"""Training the classifier of readings, and what it makes of families of claims that it was not trained on.

A logistic regression whose weights may only have the sign that their measure has by its meaning, where it has one. Thresholds are
those of least cost, where a false claim that is supported counts :data:`COSTS` times a review. Both are chosen without the
family that is judged: the weights by leaving it out, the thresholds by leaving out further families in turn.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.verify.learned.classifier import FORMAT, ReadingClassifier
from coditect.verify.learned.measures import FREE, SIGNS
from coditect_benchmarks.claims.measuring import NAMES, MeasuredClaims

__all__ = ["COSTS", "EDITED", "HeldOut", "Weights", "as_weights", "fit", "hold_out", "probabilities", "settle"]

COSTS = (10.0, 5.0, 1.0)
"""Of a false claim that is supported, a true one that is unsupported, and a review."""

EDITED = "edits"
"""The family of sentences that were edited by templates: it is trained on and never judged."""

VERSION = "readings/1"
_EDITED_SHARE = 0.2
_UNSEEN = 3.0
"""How much more claims count, for thresholds, that no rule was developed on: on the others the rules look better than they are."""
_STRENGTH = 0.03
_FARTHEST = 4.0
_FOLDS = 5
_STEPS = 41
_DIGITS = 6

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Weights:
    """A fitted regression.

    Attributes:
        mean: shape (measures,).
        scale: shape (measures,), > 0.
        weights: shape (measures,), log odds for one scale.
        intercept: log odds.
    """

    mean: Floats
    scale: Floats
    weights: Floats
    intercept: float


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What was said of claims whose family was left out.

    Attributes:
        probabilities: shape (claims,), NaN of families that are not judged.
        labels: shape (claims,), with the rules: 1 supported, 0 a person decides, -1 unsupported.
    """

    probabilities: Floats
    labels: npt.NDArray[np.int64]


def fit(claims: MeasuredClaims) -> Weights:
    """Fit the regression; families count by the root of their size.

    Args:
        claims: true and false ones.
    """
    from scipy.optimize import minimize
    from threadpoolctl import threadpool_limits

    mean, scale = claims.values.mean(axis=0), claims.values.std(axis=0) + 1e-6
    rows = np.clip((claims.values - mean) / scale, -_FARTHEST, _FARTHEST)
    sides = np.where(claims.labels == 1, 1.0, -1.0)
    counts = _counts(claims.families)

    def loss(guess: Floats) -> tuple[float, Floats]:
        odds = sides * (rows @ guess[:-1] + guess[-1])
        pull = -_STRENGTH * counts * sides / (1.0 + np.exp(np.clip(odds, -60.0, 60.0)))
        value = _STRENGTH * float((counts * np.logaddexp(0.0, -odds)).sum()) + 0.5 * float((guess[:-1] ** 2).sum())
        return value, np.append(rows.T @ pull + guess[:-1], pull.sum())

    bounds = [(None, None) if n in FREE else (0, None) if SIGNS[n] > 0 else (None, 0) for n in NAMES]
    with threadpool_limits(limits=1):
        found = minimize(
            loss,
            np.zeros(len(NAMES) + 1),
            jac=True,
            bounds=[*bounds, (None, None)],
            method="L-BFGS-B",
            options={"maxiter": 500},
        ).x
    return Weights(mean, scale, np.asarray(found[:-1], np.float64), float(found[-1]))


def _counts(families: npt.NDArray[np.str_]) -> Floats:
    """How much each claim counts in the fit; 1 on the average."""
    counts = np.zeros(len(families), np.float64)
    for family in np.unique(families):
        inside = families == family
        counts[inside] = (_EDITED_SHARE if family == EDITED else 1.0) / np.sqrt(inside.sum())
    return np.asarray(counts / counts.mean(), np.float64)


def probabilities(weights: Weights, claims: MeasuredClaims) -> Floats:
    """The probability of every claim, shape (claims,)."""
    rows = np.clip((claims.values - weights.mean) / weights.scale, -_FARTHEST, _FARTHEST)
    return np.asarray(1.0 / (1.0 + np.exp(-(rows @ weights.weights + weights.intercept))), np.float64)


def settle(found: Floats, claims: MeasuredClaims, refuses_to: float, supports_from: float) -> npt.NDArray[np.int64]:
    """What rules and classifier say together, as the product joins them: 1 supported, 0 a person decides, -1 unsupported."""
    joint = np.where(found <= refuses_to, -1, 0)
    joint = np.where(claims.ruled == 1, np.where(found >= supports_from, 1, 0), joint)
    return np.where(claims.hard, -1, joint)


def thresholds(found: Floats, claims: MeasuredClaims, unseen: Collection[str]) -> tuple[float, float]:
    """The thresholds of least cost: up to which the classifier refuses, and from which it supports.

    Args:
        found: probabilities by weights that were fitted without the claim's family.
        claims: the same claims.
        unseen: families that no rule was developed on.
    """
    counts = np.where(np.isin(claims.families, list(unseen)), _UNSEEN, 1.0)
    steps = np.unique(np.quantile(found, np.linspace(0.0, 1.0, _STEPS)))
    tried = []
    for low in steps:
        for high in steps[steps > low]:
            said = settle(found, claims, low, high)
            cost = COSTS[0] * ((said == 1) & (claims.labels == 0)) + COSTS[1] * ((said == -1) & (claims.labels == 1))
            tried.append((float((counts * (cost + COSTS[2] * (said == 0))).sum()), float(low), float(high)))
    return min(tried)[1:]


def _out_of_fold(claims: MeasuredClaims) -> Floats:
    """Probabilities of judged claims by weights that were fitted without their families, a fifth of them at a time."""
    judged = sorted(set(claims.families.tolist()) - {EDITED})
    found = np.full(len(claims.labels), np.nan)
    for fold in range(_FOLDS):
        inside = np.isin(claims.families, judged[fold::_FOLDS])
        if inside.any():
            found[inside] = probabilities(fit(claims.take(~inside)), claims.take(inside))
    return found


def hold_out(claims: MeasuredClaims, unseen: Collection[str], groups: Collection[Collection[str]] = ()) -> HeldOut:
    """Judge every family by weights and thresholds that were chosen without it.

    Args:
        claims: of several families.
        unseen: families that no rule was developed on.
        groups: families that are left out together; each by itself unless told.
    """
    count = len(claims.labels)
    found, said = np.full(count, np.nan), np.zeros(count, np.int64)
    for group in groups or [[family] for family in sorted(set(claims.families.tolist()) - {EDITED})]:
        inside = np.isin(claims.families, list(group))
        rest, judged = claims.take(~inside), claims.take(inside)
        low, high = _chosen(rest, unseen)
        found[inside] = probabilities(fit(rest), judged)
        said[inside] = settle(found[inside], judged, low, high)
    return HeldOut(found, said)


def _chosen(claims: MeasuredClaims, unseen: Collection[str]) -> tuple[float, float]:
    inner = _out_of_fold(claims)
    known = ~np.isnan(inner)
    return thresholds(inner[known], claims.take(known), unseen)


def as_weights(claims: MeasuredClaims, unseen: Collection[str], provenance: dict[str, Any]) -> bytes:
    """The weights as they are shipped, fitted on all claims; the same claims give the same bytes.

    Args:
        claims: of several families.
        unseen: families that no rule was developed on.
        provenance: what the training claims were.
    """
    low, high = _chosen(claims, unseen)
    fitted = fit(claims)
    columns = zip(NAMES, fitted.mean.tolist(), fitted.scale.tolist(), fitted.weights.tolist(), strict=True)
    row = {
        "format": FORMAT,
        "version": VERSION,
        "intercept": round(fitted.intercept, _DIGITS),
        "refuses_to": round(low, _DIGITS),
        "supports_from": round(high, _DIGITS),
        "weights": {
            name: {"mean": round(mean, _DIGITS), "scale": round(scale, _DIGITS), "weight": round(weight, _DIGITS)}
            for name, mean, scale, weight in columns
            if round(weight, _DIGITS)
        },
        "trained_on": dict(sorted(Counter(claims.families.tolist()).items())),
        "costs": list(COSTS),
        **provenance,
    }
    payload = (json.dumps(row, indent=1, sort_keys=True) + "\n").encode()
    ReadingClassifier.parse(payload)
    return payload
