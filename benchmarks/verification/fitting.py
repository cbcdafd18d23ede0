"""Fitting the combiner: a logistic regression and boosted trees, averaged, then calibrated on held-out groups."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Rows", "fit", "held_out", "log_odds", "weights"]

Floats = npt.NDArray[np.float64]
_TREE_SHARE = 0.6
_REGULARISATION = 0.03
_DIGITS = 7


@dataclass(frozen=True, slots=True)
class Rows:
    """Measured cases.

    Attributes:
        names: of the measures.
        values: shape (cases, measures).
        labels: shape (cases,), 1 supported.
        sets: the set of each case.
        domains: set and domain of each case.
        groups: of each case; never split.
        kinds: of each case.
    """

    names: tuple[str, ...]
    values: Floats
    labels: npt.NDArray[np.int64]
    sets: npt.NDArray[np.str_]
    domains: npt.NDArray[np.str_]
    groups: npt.NDArray[np.str_]
    kinds: npt.NDArray[np.str_]

    def take(self, chosen: npt.NDArray[Any]) -> Rows:
        """The chosen cases: a mask or places."""
        columns = (self.values, self.labels, self.sets, self.domains, self.groups, self.kinds)
        return Rows(self.names, *(column[chosen] for column in columns))  # type: ignore[arg-type]


def weights(rows: Rows) -> Floats:
    """Case weights: both labels of a domain count the same, domains by the root of their size; mean 1."""
    found = np.zeros(len(rows.labels))
    for domain in np.unique(rows.domains):
        inside = rows.domains == domain
        for label in (0, 1):
            cell = inside & (rows.labels == label)
            if cell.any():
                found[cell] = np.sqrt(inside.sum()) / cell.sum()
    return found / found.mean()


def fit(rows: Rows) -> dict[str, Any]:
    """Weights as the combiner reads them, not calibrated (knots of the identity on log odds)."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression

    share = weights(rows)
    mean = rows.values.mean(axis=0)
    scale = np.where(rows.values.std(axis=0) > 1e-9, rows.values.std(axis=0), 1.0)
    linear = LogisticRegression(C=_REGULARISATION, max_iter=3000)
    linear.fit((rows.values - mean) / scale, rows.labels, sample_weight=share)
    boosted = HistGradientBoostingClassifier(
        max_iter=120,
        learning_rate=0.05,
        max_leaf_nodes=8,
        min_samples_leaf=30,
        l2_regularization=5.0,
        max_features=0.3,
        random_state=0,
        early_stopping=False,
    )
    boosted.fit(rows.values, rows.labels, sample_weight=share)
    trees = [_tree(predictors[0].nodes) for predictors in boosted._predictors]
    row = {
        "format": 1,
        "features": list(rows.names),
        "mean": _rounded(mean),
        "scale": _rounded(scale),
        "coefficients": _rounded(linear.coef_[0]),
        "intercept": round(float(linear.intercept_[0]), _DIGITS),
        "tree_base": round(float(boosted._baseline_prediction.ravel()[0]), _DIGITS),
        "tree_share": _TREE_SHARE,
        "depth": max(int(predictors[0].nodes["depth"].max()) for predictors in boosted._predictors),
        "trees": trees,
        "knots": [-8.0, 8.0],
        "values": [0.0, 1.0],
        "version": "0",
    }
    return json.loads(json.dumps(row))  # type: ignore[no-any-return]


def _tree(nodes: Any) -> dict[str, list[float]]:  # noqa: ANN401 - a structured array of scikit-learn
    places = np.arange(len(nodes))
    leaf = nodes["is_leaf"].astype(bool)
    return {
        "feature": np.where(leaf, 0, nodes["feature_idx"]).tolist(),
        "threshold": _rounded(np.where(leaf, 0.0, nodes["num_threshold"])),
        "left": np.where(leaf, places, nodes["left"]).tolist(),
        "right": np.where(leaf, places, nodes["right"]).tolist(),
        "value": _rounded(np.where(leaf, nodes["value"], 0.0)),
    }


def _rounded(values: npt.NDArray[Any]) -> list[float]:
    return [round(float(each), _DIGITS) for each in values]


def log_odds(fitted: dict[str, Any], values: Floats) -> Floats:
    """The combiner's log odds of many cases, as it computes them at run time."""
    from coditect.verify.combiner import Combiner

    combiner = Combiner.parse(json.dumps(fitted).encode())
    return np.array([combiner.log_odds(dict(zip(combiner.features, row, strict=True))) for row in values])


def held_out(rows: Rows, folds: int = 5) -> Floats:
    """Log odds of every case from weights that never saw its group."""
    from sklearn.model_selection import GroupKFold

    found = np.zeros(len(rows.labels))
    for train, test in GroupKFold(folds).split(rows.values, rows.labels, rows.groups):
        found[test] = log_odds(fit(rows.take(train)), rows.values[test])
    return found
