"""Training the classifier of readings, and what it makes of families of claims that it was not trained on.

Boosted trees that may only count a measure in the direction that it has by its meaning, where it has one. Thresholds are
those of least cost, where a false claim that is supported counts :data:`COSTS` times a review. Both are chosen without the
families that are judged: the trees by leaving them out, the thresholds by leaving out further families in turn.
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

VERSION = "readings/2"
_EDITED_SHARE = 0.2
_UNSEEN = 3.0
"""How much more claims count, for thresholds, that no rule was developed on: on the others the rules look better than they are."""
_TREES = 120
_LEAVES = 8
_RATE = 0.06
_FEWEST = 20
_PULL = 5.0
_ASKED = 0.3
_SEED = 0
_FOLDS = 6
_STEPS = 41
_DIGITS = 6

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Weights:
    """Fitted trees.

    Attributes:
        base: log odds.
        trees: of each the arrays "measure" (a column, -1 of a leaf), "threshold", "left", "right" and "value" (log odds; of a node
            that is no leaf the mean of the claims under it).
    """

    base: float
    trees: tuple[dict[str, list[Any]], ...]


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
    """Fit the trees, on one core; families count by the root of their size.

    Args:
        claims: true and false ones.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    boosted = HistGradientBoostingClassifier(
        max_iter=_TREES,
        learning_rate=_RATE,
        max_leaf_nodes=_LEAVES,
        min_samples_leaf=_FEWEST,
        l2_regularization=_PULL,
        max_features=_ASKED,
        monotonic_cst=[0 if name in FREE else SIGNS[name] for name in NAMES],
        random_state=_SEED,
        early_stopping=False,
    )
    # Trees of a few leaves: threads that wait for each other take a hundred times as long on a busy machine.
    with threadpool_limits(limits=1):
        boosted.fit(claims.values, claims.labels, sample_weight=_counts(claims.families))
    trees = tuple(_tree(predictors[0].nodes) for predictors in boosted._predictors)
    return Weights(round(float(boosted._baseline_prediction.ravel()[0]), _DIGITS), trees)


def _tree(nodes: Any) -> dict[str, list[Any]]:  # noqa: ANN401 - a structured array of scikit-learn
    """A tree as arrays, each node that is no leaf with the mean of its leaves by how many claims came there."""
    leaf, count = nodes["is_leaf"].astype(bool), nodes["count"].astype(np.float64)
    left, right, value = nodes["left"].astype(np.int64), nodes["right"].astype(np.int64), nodes["value"].copy()
    for node in range(len(nodes) - 1, -1, -1):  # children stand behind their parents
        if not leaf[node]:
            sides = [left[node], right[node]]
            value[node] = (value[sides] * count[sides]).sum() / count[sides].sum()
    return {
        "measure": np.where(leaf, -1, nodes["feature_idx"].astype(np.int64)).tolist(),
        "threshold": [round(float(each), _DIGITS) for each in np.where(leaf, 0.0, nodes["num_threshold"])],
        "left": np.where(leaf, 0, left).tolist(),
        "right": np.where(leaf, 0, right).tolist(),
        "value": [round(float(each), _DIGITS) for each in value],
    }


def _counts(families: npt.NDArray[np.str_]) -> Floats:
    """How much each claim counts in the fit; 1 on the average."""
    counts = np.zeros(len(families), np.float64)
    for family in np.unique(families):
        inside = families == family
        counts[inside] = (_EDITED_SHARE if family == EDITED else 1.0) / np.sqrt(inside.sum())
    return np.asarray(counts / counts.mean(), np.float64)


def probabilities(weights: Weights, claims: MeasuredClaims) -> Floats:
    """The probability of every claim, shape (claims,)."""
    odds = np.full(len(claims.labels), weights.base)
    for tree in weights.trees:
        measure, left, right = (np.array(tree[name], np.int64) for name in ("measure", "left", "right"))
        threshold, value = (np.array(tree[name], np.float64) for name in ("threshold", "value"))
        node = np.zeros(len(odds), np.int64)
        while (inner := measure[node] >= 0).any():
            is_small = claims.values[np.arange(len(node)), measure[node]] <= threshold[node]
            node = np.where(inner, np.where(is_small, left[node], right[node]), node)
        odds += value[node]
    return np.asarray(1.0 / (1.0 + np.exp(-odds)), np.float64)


def settle(found: Floats, claims: MeasuredClaims, refuses_to: float, supports_from: float) -> npt.NDArray[np.int64]:
    """What rules and classifier say together, as the product joins them: 1 supported, 0 a person decides, -1 unsupported."""
    refused = np.where(found <= refuses_to, -1, 0)
    return np.where(claims.ruled == 1, np.where(found >= supports_from, 1, 0), refused)


def thresholds(found: Floats, claims: MeasuredClaims, unseen: Collection[str]) -> tuple[float, float]:
    """The thresholds of least cost: up to which the classifier refuses, and from which it supports.

    Args:
        found: probabilities by trees that were fitted without the claim's family.
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
    """Probabilities of judged claims by trees that were fitted without their families, a sixth of them at a time."""
    judged = sorted(set(claims.families.tolist()) - {EDITED})
    found = np.full(len(claims.labels), np.nan)
    for fold in range(_FOLDS):
        inside = np.isin(claims.families, judged[fold::_FOLDS])
        if inside.any():
            found[inside] = probabilities(fit(claims.take(~inside)), claims.take(inside))
    return found


def hold_out(claims: MeasuredClaims, unseen: Collection[str], groups: Collection[Collection[str]] = ()) -> HeldOut:
    """Judge every family by trees and thresholds that were chosen without it.

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
        chosen = _chosen(rest, unseen)
        found[inside] = probabilities(fit(rest), judged)
        said[inside] = settle(found[inside], judged, *chosen)
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
    row = {
        "format": FORMAT,
        "version": VERSION,
        "base": fitted.base,
        "refuses_to": round(low, _DIGITS),
        "supports_from": round(high, _DIGITS),
        "measures": list(NAMES),
        "trees": list(fitted.trees),
        "trained_on": dict(sorted(Counter(claims.families.tolist()).items())),
        "costs": list(COSTS),
        **provenance,
    }
    payload = (json.dumps(row, separators=(",", ":"), sort_keys=True) + "\n").encode()
    ReadingClassifier.parse(payload)
    return payload
