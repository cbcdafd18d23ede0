"""The gate's logistic regression: fitting, thresholds, and how far its probabilities can be relied on."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from coditect.errors import UsageError
from coditect.models.port import GateParameters
from coditect.retrieve.gate.relevance import FEATURES
from coditect_benchmarks.retrieval.gate_evidence import Evidence

__all__ = [
    "LOST",
    "PRECISION",
    "SUPERSEDED",
    "WORDS_ALONE",
    "Fit",
    "Flags",
    "Floats",
    "auroc",
    "calibration_error",
    "fit",
    "fit_answers",
    "left_out",
    "lost",
    "probabilities",
    "thresholds",
]

RIDGE = 1e-3
"""Penalty on squared weights, per row."""

STEPS = 50
BINS = 10

ROUNDS = 3
"""Of choosing the best hit of each answer by the weights so far, and fitting on these; further ones change nothing (ADR 123)."""

LOST = 0.01
"""Share of the questions with gold of each set that may be left without any hit."""

PRECISION = 0.9
"""Share of the hits judged correct that are on gold, of those on gold and foreign ones in equal parts."""

SUPERSEDED = frozenset(("surplus", "common"))
"""Features of earlier cards that a fit does not look at: words that stand together say more than words anywhere in a hit, and the
nearest part of a corpus more than all of it."""

WORDS_ALONE = frozenset(("unheard",))
"""Features that a fit looks at where words alone are searched: what nobody says in the question's word may be said in another."""

_STEP = 0.0025

_DIGITS = 4

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Fit:
    """A logistic regression.

    Attributes:
        bias: its intercept.
        weights: shape (features,).
    """

    bias: float
    weights: Floats

    def probabilities(self, seen: Floats) -> Floats:
        """Of each row, 0..1."""
        return _sigmoid(seen @ self.weights + self.bias)

    def parameters(self, correct: float, incorrect: float) -> GateParameters:
        """What a card holds, to four digits; features without weight are left out."""
        weights = {name: round(float(w), _DIGITS) for name, w in zip(FEATURES, self.weights, strict=True) if w}
        return GateParameters(round(self.bias, _DIGITS), weights, round(correct, _DIGITS), round(incorrect, _DIGITS))


def fit(seen: Floats, relevant: Flags, weights: Floats, ridge: float = RIDGE, without: Set[str] = frozenset()) -> Fit:
    """Fit by Newton's method, features of no spread left out.

    More in common never makes a hit less probable: a feature whose weight would have the wrong sign is left out.

    Args:
        seen: shape (n, features), in the order of :data:`~coditect.retrieve.gate.relevance.FEATURES`.
        relevant: shape (n,).
        weights: shape (n,), >= 0, mean 1.
        ridge: penalty, > 0, on weights of features divided by their deviation.
        without: names of features that get no weight.
    Raises:
        UsageError: there is nothing of one of both kinds.
    """
    if not relevant.any() or relevant.all():
        raise UsageError(
            "a regression needs relevant hits and others", relevant=int(relevant.sum()), hits=len(relevant)
        )
    signs = np.asarray(list(FEATURES.values()), np.float64)
    scale = seen.std(axis=0)
    used = [at for at, name in enumerate(FEATURES) if scale[at] > 0 and name not in without]
    while True:
        found = _newton(seen[:, used] / scale[used], relevant.astype(np.float64), weights, ridge)
        signed = found[:-1] * signs[used]
        if not (signed < 0).any():
            break
        del used[int(signed.argmin())]
    full = np.zeros(seen.shape[1])
    full[used] = found[:-1] / scale[used]
    return Fit(float(found[-1]), full)


def _newton(seen: Floats, relevant: Floats, weights: Floats, ridge: float) -> Floats:
    """Weights, and the intercept last, which is not penalised."""
    design = np.column_stack([seen, np.ones(len(seen))])
    penalty = np.full(design.shape[1], ridge * len(seen))
    penalty[-1] = 0.0
    found = np.zeros(design.shape[1])
    for _ in range(STEPS):
        expected = _sigmoid(design @ found)
        gradient = design.T @ (weights * (relevant - expected)) - penalty * found
        curvature = (design * (weights * expected * (1 - expected))[:, None]).T @ design + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curvature, gradient)
        found += step
        if np.abs(step).max() < 1e-9:
            break
    return found


def fit_answers(evidence: Evidence, without: Set[str] = frozenset()) -> Fit:
    """Fit on what decides whether a question is answered: its best hit, own questions against foreign ones.

    A first fit on hits chooses the best of each answer, and a fit on these chooses again (a bag is what its best instance is:
    Andrews, Tsochantaridis and Hofmann, NIPS 2002). Gold has no say in which hit of an own question that is:
    gold is incomplete.

    Args:
        evidence: of one set at least, with foreign questions.
        without: as in :func:`fit`.
    """
    found = fit(evidence.seen, evidence.relevant, evidence.weights, without=without)
    for _ in range(ROUNDS):
        order = np.lexsort((-found.probabilities(evidence.seen), evidence.questions))
        _, first = np.unique(evidence.questions[order], return_index=True)
        best = evidence.where(order[first])
        best = replace(best, relevant=~best.foreign)
        found = fit(best.seen, best.relevant, best.weights, without=without)
    # A probability stays that of a hit, as before: one slope and one intercept over all hits keep their order.
    logits = evidence.seen @ found.weights + found.bias
    slope, intercept = _newton(logits[:, None], evidence.relevant.astype(np.float64), evidence.weights, 0.0)
    return Fit(float(slope * found.bias + intercept), found.weights * slope)


def left_out(evidence: Evidence, seen: Floats | None = None, without: Set[str] = SUPERSEDED) -> Floats:
    """Probabilities of the rows of each set's documents from a regression without its documents and its questions.

    Args:
        evidence: of at least three sets.
        seen: features to judge, if not those that are fitted on.
        without: names of features that get no weight.
    """
    judged = evidence.seen if seen is None else seen
    found = np.full(len(evidence.sets), np.nan)
    for name in np.unique(evidence.corpora):
        others = evidence.where((evidence.sets != name) & (evidence.corpora != name))
        own = evidence.corpora == name
        fitted = fit_answers(others, without)
        found[own] = fitted.probabilities(judged[own])
    return found


def thresholds(found: Floats, evidence: Evidence) -> tuple[float, float]:
    """(correct, incorrect) that keep both promises.

    Args:
        found: probabilities of each row.
        evidence: the rows.
    Returns:
        the least probability from which :data:`PRECISION` of the hits are on gold, and the greatest, in steps of 0.0025, below
        which no more than :data:`LOST` of the questions with gold have all their hits, of any set.
    """
    names = np.unique(evidence.sets[evidence.relevant])
    steps = np.arange(_STEP, 1.0, _STEP)
    answered = [(evidence.sets == name) & ~evidence.foreign for name in names]
    shares = [max(lost(found, evidence, rows, step, ~evidence.foreign) for rows in answered) for step in steps]
    kept = np.flatnonzero(np.asarray(shares) <= LOST)
    incorrect = float(steps[kept[-1]]) if len(kept) else 0.0
    order = np.argsort(-found, kind="stable")
    weights = evidence.weights[order]
    order, weights = order[weights > 0], weights[weights > 0]
    precision = np.cumsum(weights * evidence.relevant[order]) / np.cumsum(weights)
    precise = np.flatnonzero(precision >= PRECISION)
    correct = float(found[order][precise[-1]]) if len(precise) else 1.0
    return correct, min(incorrect, correct)


def lost(found: Floats, evidence: Evidence, rows: Flags, least: float, kind: Flags | None = None) -> float:
    """Share of the questions with hits of a kind whose hits of that kind are all less probable; NaN for none.

    Args:
        found: probabilities of each row.
        evidence: the rows.
        rows: which of them.
        least: probability.
        kind: which hits count; None: those on gold.
    """
    chosen = rows & (evidence.relevant if kind is None else kind)
    asked = np.unique(evidence.questions[chosen])
    kept = np.unique(evidence.questions[chosen & (found >= least)])
    return 1 - len(kept) / len(asked) if len(asked) else float("nan")


def auroc(found: Floats, relevant: Flags) -> float:
    """Share of pairs of a relevant hit and another in which the first has the higher probability, ties half; NaN for none."""
    positive, negative = found[relevant], np.sort(found[~relevant])
    if not len(positive) or not len(negative):
        return float("nan")
    below = np.searchsorted(negative, positive, "left") + np.searchsorted(negative, positive, "right")
    return float(below.mean() / 2 / len(negative))


def calibration_error(found: Floats, relevant: Flags, weights: Floats, bins: int = BINS) -> float:
    """Expected calibration error: mean distance of probability and share of relevant hits over bins of equal width, 0..1.

    Source: Naeini, Cooper and Hauskrecht, AAAI 2015.
    """
    places = np.minimum((found * bins).astype(np.int64), bins - 1)
    mass = np.bincount(places, weights, bins)
    stated = np.bincount(places, weights * found, bins)
    true = np.bincount(places, weights * relevant, bins)
    return float(np.abs(stated - true).sum() / mass.sum()) if mass.sum() > 0 else float("nan")


def probabilities(gate: GateParameters, seen: Floats) -> Floats:
    """What a card's gate says of rows."""
    weights = np.asarray([gate.weights.get(name, 0.0) for name in FEATURES])
    return Fit(gate.bias, weights).probabilities(seen)


def _sigmoid(values: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(values, -60.0, 60.0))), np.float64)
