"""Measures of a claim to one calibrated probability, read from JSON and evaluated with numpy.

A claim is supported where two things hold, and each has a model of its own: its content is *covered* by the evidence, and what the
evidence says is *kept*, not turned round. Each half gives log odds from a linear model, or from that and boosted trees; the score
is the logarithm of the probability that both hold, which a monotone table turns into the calibrated probability.

What shows that a claim is covered depends on how much evidence there is: one sentence says it in its own words or not, while a long
document holds most words of any claim somewhere. So coefficients may be given for several lengths; between them they are mixed.

The weights were fitted by ``benchmarks/coditect_benchmarks/verification/train.py``; on what, and with which error, stands in
``docs/verification-model-card.md``. They hold numbers and names of measures, nothing of the texts that they were fitted on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from coditect.errors import SchemaError

__all__ = ["Combiner", "CombinerKind"]

CombinerKind = Literal["words", "vectors", "contexts"]

_FORMATS = (2, 3)
"""3 has coefficients for several lengths of evidence, 2 those of any length."""
_HALVES = ("covered", "kept")
_FARTHEST = 4.0
_LENGTH = "evidence_sentences"
"""The measure that tells the length of the evidence: the logarithm of one more than its sentences."""
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
        depth: number of steps after which every path has ended.
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
class _Half:
    """One of the two models.

    Attributes:
        mean: shape (measures,).
        scale: shape (measures,), > 0.
        coefficients: shape (lengths, measures), of measures less their mean over their scale, within +-4; 0 for what it does not
            read.
        lengths: sentences of evidence that each row of coefficients is for, increasing, > 0; shape (lengths,).
        length_at: which measure tells the length of the evidence.
        intercept: log odds.
        trees: boosted trees over the same measures.
        tree_base: log odds.
        tree_share: weight of the trees, 0..1.
        shift: added to the log odds.
    """

    mean: _FLOATS
    scale: _FLOATS
    coefficients: _FLOATS
    lengths: _FLOATS
    length_at: int
    intercept: float
    trees: _Trees
    tree_base: float
    tree_share: float
    shift: float

    def log_odds(self, row: _FLOATS) -> float:
        """The half's log odds for one row of measures."""
        standard = np.clip((row - self.mean) / self.scale, -_FARTHEST, _FARTHEST)
        linear = float((standard * self._mixed(row)).sum()) + self.intercept
        trees = self.trees.sum(row) + self.tree_base if self.tree_share else 0.0
        return (1.0 - self.tree_share) * linear + self.tree_share * trees + self.shift

    def _mixed(self, row: _FLOATS) -> _FLOATS:
        """The coefficients for the length of the evidence, shape (measures,); doubling it goes as far everywhere."""
        if len(self.lengths) == 1:
            return np.asarray(self.coefficients[0])
        place = np.log(max(float(np.expm1(row[self.length_at])), 1.0))
        shares = [np.interp(place, np.log(self.lengths), each) for each in np.eye(len(self.lengths))]
        return np.asarray((np.array(shares)[:, None] * self.coefficients).sum(axis=0))


@dataclass(frozen=True, slots=True)
class Combiner:
    """Gives the probability that a claim is supported, as calibrated on held-out documents.

    Attributes:
        version: the version of the weights.
        weights_sha256: SHA-256 of the weights' file, hex.
        features: names of the measures that it reads, in order.
        embedder: id of the model that the measures of vectors were fitted with; "" where it reads none.
    """

    version: str
    weights_sha256: str
    features: tuple[str, ...]
    embedder: str
    _halves: tuple[_Half, ...]
    _knots: _FLOATS
    _values: _FLOATS

    @classmethod
    def load(cls, kind: CombinerKind = "words") -> Combiner:
        """The shipped weights; read once a process.

        Args:
            kind: "words", or which measures there are beside those of words: "vectors" of words by themselves, "contexts" of words
                where they stand.
        Raises:
            SchemaError: the file is not in the format that this version reads.
        """
        return _shipped(kind)

    @property
    def name(self) -> str:
        """The version, with the model that it was fitted with, as verdicts state it; no blanks."""
        return f"{self.version}:{self.embedder}" if self.embedder else self.version

    @classmethod
    def parse(cls, payload: bytes) -> Combiner:
        """Weights from JSON.

        Raises:
            SchemaError: they are not in the format that this version reads.
        """
        try:
            row = json.loads(payload)
            if row["format"] not in _FORMATS:
                raise ValueError(row["format"])
            combiner = _parsed(row, hashlib.sha256(payload).hexdigest())
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise SchemaError("these are no weights of the combiner", hint="reinstall the package") from error
        return combiner

    def score(self, features: Mapping[str, float]) -> float:
        """The logarithm of the probability that both halves hold, at most 0, not calibrated.

        Raises:
            SchemaError: a measure is missing or is not finite.
        """
        try:
            row = np.array([features[name] for name in self.features], np.float64)
        except KeyError as error:
            raise SchemaError(
                "a measure is missing", hint="measure with the same version", feature=error.args[0]
            ) from error
        if not np.isfinite(row).all():
            strange = [name for name, value in zip(self.features, row, strict=True) if not np.isfinite(value)]
            raise SchemaError("a measure is not finite", hint="measure again", features=strange)
        return -sum(float(np.logaddexp(0.0, -half.log_odds(row))) for half in self._halves)

    def probability(self, features: Mapping[str, float]) -> float:
        """The calibrated probability that the claim is supported, 0..1.

        Args:
            features: by name, at least those in ``self.features``.
        Raises:
            SchemaError: a measure is missing or is not finite.
        """
        return float(np.interp(self.score(features), self._knots, self._values))


def _parsed(row: Mapping[str, Any], digest: str) -> Combiner:
    names = tuple(str(name) for name in row["features"])
    knots, values = (np.array(row[name], np.float64) for name in ("knots", "values"))
    if len(knots) != len(values) or not len(knots) or (np.diff(knots) <= 0).any():
        raise ValueError("the table is damaged")
    if not (np.isfinite(knots).all() and (values >= 0).all() and (values <= 1).all()):
        raise ValueError("the table is damaged")
    halves = tuple(_half(row[name], names) for name in _HALVES)
    return Combiner(str(row["version"]), digest, names, str(row.get("embedder", "")), halves, knots, values)


def _half(row: Mapping[str, Any], names: tuple[str, ...]) -> _Half:
    count = len(names)
    mean, scale, lengths = (
        np.array(each, np.float64) for each in (row["mean"], row["scale"], row.get("lengths", [1.0]))
    )
    coefficients = np.atleast_2d(np.array(row["coefficients"], np.float64))
    if any(len(each) != count or not np.isfinite(each).all() for each in (mean, scale, *coefficients)):
        raise ValueError("the arrays are damaged")
    if len(lengths) != len(coefficients) or (np.diff(lengths) <= 0).any() or (lengths <= 0).any() or (scale <= 0).any():
        raise ValueError("the arrays are damaged")
    trees = _ensemble(row["trees"], int(row["depth"]), count)
    numbers = [float(row[name]) for name in ("intercept", "tree_base", "tree_share", "shift")]
    if not np.isfinite(numbers).all():
        raise ValueError("the numbers are damaged")
    intercept, base, share, shift = numbers
    length_at = names.index(_LENGTH) if len(lengths) > 1 else 0
    return _Half(mean, scale, coefficients, lengths, length_at, intercept, trees, base, share, shift)


def _ensemble(trees: Sequence[Mapping[str, list[float]]], depth: int, count: int) -> _Trees:
    nodes = max((len(tree["feature"]) for tree in trees), default=1)

    def table(name: str, kind: type) -> npt.NDArray[Any]:
        rows = [tree[name] + [0] * (nodes - len(tree[name])) for tree in trees]
        return np.array(rows, kind).reshape(len(trees), nodes)

    feature, left, right = (table(name, np.int64) for name in ("feature", "left", "right"))
    if any(((each < 0) | (each >= most)).any() for each, most in ((feature, count), (left, nodes), (right, nodes))):
        raise ValueError("the trees are damaged")
    return _Trees(feature, table("threshold", np.float64), left, right, table("value", np.float64), depth)


@cache
def _shipped(name: str) -> Combiner:
    return Combiner.parse((files("coditect.verify.support") / "weights" / f"{name}.json").read_bytes())
