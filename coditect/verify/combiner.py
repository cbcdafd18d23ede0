"""Measures of a claim to one calibrated probability: a logistic regression and boosted trees, read from JSON, evaluated with numpy.

The weights were fitted by ``benchmarks/verification/train.py``; what on, and with which error, stands in the model card beside them.
They hold numbers and names of measures, nothing of the texts that they were fitted on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.errors import SchemaError

__all__ = ["Combiner"]

_FORMAT = 1
_FLOATS = npt.NDArray[np.float64]
_INTS = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Trees:
    """Regression trees side by side; a leaf leads to itself.

    Attributes:
        feature: shape (trees, nodes), which measure is asked.
        threshold: shape (trees, nodes); at most goes left.
        left: shape (trees, nodes).
        right: shape (trees, nodes).
        value: shape (trees, nodes), log odds of leaves.
        depth: steps after which every path has ended.
    """

    feature: _INTS
    threshold: _FLOATS
    left: _INTS
    right: _INTS
    value: _FLOATS
    depth: int

    def sum(self, row: _FLOATS) -> float:
        """The trees' values for one row of measures, summed."""
        trees = np.arange(len(self.feature))
        node = np.zeros(len(self.feature), np.int64)
        for _ in range(self.depth):
            goes_left = row[self.feature[trees, node]] <= self.threshold[trees, node]
            node = np.where(goes_left, self.left[trees, node], self.right[trees, node])
        return float(self.value[trees, node].sum())


@dataclass(frozen=True, slots=True)
class Combiner:
    """Gives the probability that a claim is supported, as calibrated on held-out documents.

    Attributes:
        version: of the weights.
        weights_sha256: of the weights' file, hex.
        features: names of the measures that it reads, in order.
    """

    version: str
    weights_sha256: str
    features: tuple[str, ...]
    _mean: _FLOATS
    _scale: _FLOATS
    _coefficients: _FLOATS
    _intercept: float
    _trees: _Trees
    _tree_base: float
    _tree_share: float
    _knots: _FLOATS
    _values: _FLOATS

    @classmethod
    def load(cls, *, vectors: bool = False) -> Combiner:
        """The shipped weights; read once a process.

        Args:
            vectors: those for measures with an embedder.
        Raises:
            SchemaError: the file is not in the format that this version reads.
        """
        return _shipped("vectors" if vectors else "words")

    @classmethod
    def parse(cls, payload: bytes) -> Combiner:
        """Weights from JSON.

        Raises:
            SchemaError: they are not in the format that this version reads.
        """
        try:
            row = json.loads(payload)
            if row["format"] != _FORMAT:
                raise ValueError(row["format"])  # noqa: TRY301 - one way out
            combiner = _parsed(row, hashlib.sha256(payload).hexdigest())
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise SchemaError("these are no weights of the combiner", hint="reinstall the package") from error
        return combiner

    def log_odds(self, features: Mapping[str, float]) -> float:
        """The uncalibrated log odds.

        Raises:
            SchemaError: a measure is missing or is not finite.
        """
        try:
            row = np.array([features[name] for name in self.features], np.float64)
        except KeyError as error:
            raise SchemaError("a measure is missing", hint="measure with the same version", feature=str(error)) from error
        if not np.isfinite(row).all():
            raise SchemaError("a measure is not finite", features=[n for n, v in zip(self.features, row, strict=True) if v != v])
        linear = float(((row - self._mean) / self._scale * self._coefficients).sum()) + self._intercept
        trees = self._trees.sum(row) + self._tree_base
        return (1.0 - self._tree_share) * _clipped(linear) + self._tree_share * _clipped(trees)

    def probability(self, features: Mapping[str, float]) -> float:
        """The calibrated probability that the claim is supported, 0..1.

        Args:
            features: by name, at least those in ``self.features``.
        Raises:
            SchemaError: a measure is missing or is not finite.
        """
        return float(np.interp(self.log_odds(features), self._knots, self._values))


def _clipped(log_odds: float) -> float:
    """Log odds within +-7, so that neither half outvotes the other by being sure."""
    return min(7.0, max(-7.0, log_odds))


def _parsed(row: Mapping[str, Any], digest: str) -> Combiner:
    trees = row["trees"]
    nodes = max((len(tree["feature"]) for tree in trees), default=1)

    def table(name: str, kind: type, missing: float) -> npt.NDArray[Any]:
        rows = [tree[name] + [missing] * (nodes - len(tree[name])) for tree in trees]
        return np.array(rows, kind).reshape(len(trees), nodes)

    ensemble = _Trees(
        table("feature", np.int64, 0),
        table("threshold", np.float64, 0.0),
        table("left", np.int64, 0),
        table("right", np.int64, 0),
        table("value", np.float64, 0.0),
        int(row["depth"]),
    )
    names = tuple(str(name) for name in row["features"])
    vectors = [np.array(row[name], np.float64) for name in ("mean", "scale", "coefficients", "knots", "values")]
    lengths = [len(vector) for vector in vectors]
    inside = (ensemble.feature >= 0) & (ensemble.feature < len(names))
    if lengths[:3] != [len(names)] * 3 or lengths[3] != lengths[4] or not inside.all():
        raise ValueError("the arrays do not fit")
    if not all(np.isfinite(vector).all() for vector in vectors) or (np.diff(vectors[3]) <= 0).any():
        raise ValueError("the arrays are damaged")
    mean, scale, coefficients, knots, values = vectors
    return Combiner(
        str(row["version"]),
        digest,
        names,
        mean,
        scale,
        coefficients,
        float(row["intercept"]),
        ensemble,
        float(row["tree_base"]),
        float(row["tree_share"]),
        knots,
        values,
    )


@cache
def _shipped(name: str) -> Combiner:
    return Combiner.parse((files("coditect.verify") / "weights" / f"{name}.json").read_bytes())
