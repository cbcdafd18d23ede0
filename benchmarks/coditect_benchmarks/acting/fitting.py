"""Fits the weights: two models that teach each other, and how far each of them counts.

What the tables know of a subject teaches which acts are those of somebody; what the acts say teaches, beside the tables, what else
such a subject is called; and so on, three times. Source: co-training (Blum and Mitchell 1998) with soft labels (Nigam and Ghani
2000); logistic regression throughout, whose optimum is one, so that the same input gives the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from coditect.language.norms.actors.acting import ActingWeights, act_features, name_features
from coditect_benchmarks.acting.clauses import ActingClause, LabelledClause

__all__ = ["ActingModel", "Judged", "combine", "cross_validate", "fit_views"]

Floats = NDArray[np.float64]

VERSION = "acting/1"
_ROUNDS = 3
_STRENGTH = 0.5
"""Inverse of the penalty on the weights of either model; that of the two that combine them is 1."""
_LEAST = 0.1
"""Weights that say less than this, in log-odds, are left out of the file."""


class _View:
    """One of the two models: features of one side of a clause."""

    def __init__(self, features: Sequence[Sequence[str]]) -> None:
        self._names = DictVectorizer(dtype=np.float64)
        self.matrix: csr_matrix = self._names.fit_transform([dict.fromkeys(each, 1.0) for each in features])
        self._model = LogisticRegression(C=_STRENGTH, max_iter=5_000)

    def fit(self, rows: NDArray[np.int64], likely: Floats, weights: Floats) -> None:
        """Learn from rows that are somebody with some likelihood, and a thing with the rest."""
        there = self.matrix[rows]
        wanted = np.r_[np.ones(len(rows)), np.zeros(len(rows))]
        self._model.fit(vstack([there, there]), wanted, np.r_[likely * weights, 1.0 - likely])

    def likely(self) -> Floats:
        """How likely each clause's subject is somebody."""
        found: Floats = self._model.predict_proba(self.matrix)[:, 1]
        return found

    def weights(self) -> tuple[float, dict[str, float]]:
        """The bias and the weight of each feature."""
        names = self._names.get_feature_names_out()
        return float(self._model.intercept_[0]), dict(zip(names, map(float, self._model.coef_[0]), strict=True))


@dataclass(frozen=True, slots=True)
class ActingModel:
    """Both models, not yet combined: bias and weights by feature."""

    names: tuple[float, dict[str, float]]
    acts: tuple[float, dict[str, float]]

    def scores(self, clause: ActingClause) -> tuple[float, float]:
        """The log-odds that either model gives a clause: of its act, of its subject's name."""
        of_act = self.acts[0] + sum(self.acts[1].get(each, 0.0) for each in act_features(clause.act, clause.modality))
        of_name = self.names[0] + sum(self.names[1].get(each, 0.0) for each in name_features(clause.name))
        return of_act, of_name


@dataclass(frozen=True, slots=True)
class Judged:
    """What cross-validation found of the clauses whose subject the tables take for no agent."""

    found: int
    wrong: int
    left: int

    def __str__(self) -> str:
        return f"{self.found} holders found, {self.wrong} invented, {self.left} left"


def fit_views(clauses: Sequence[ActingClause]) -> ActingModel:
    """Let the two models teach each other on clauses without labels."""
    known = np.array([np.nan if each.known is None else float(each.known) for each in clauses])
    sure, unsure = np.flatnonzero(~np.isnan(known)), np.flatnonzero(np.isnan(known))
    by_name = _View([list(name_features(each.name)) for each in clauses])
    by_act = _View([list(act_features(each.act, each.modality)) for each in clauses])
    # Persons are many and things few: both sides count alike.
    share = _balance(known[sure])
    by_act.fit(sure, known[sure], np.full(len(sure), share))
    for _ in range(_ROUNDS):
        likely = np.r_[known[sure], by_act.likely()[unsure]]
        by_name.fit(np.r_[sure, unsure], likely, np.r_[np.full(len(sure), share), np.ones(len(unsure))])
        told = np.where(np.isnan(known), by_name.likely(), known)
        by_act.fit(np.arange(len(clauses)), told, np.full(len(clauses), _balance(told)))
    return ActingModel(by_name.weights(), by_act.weights())


def _balance(likely: Floats) -> float:
    """What somebody has to weigh so that all of them weigh as much as all things."""
    return float((len(likely) - likely.sum()) / likely.sum())


def combine(model: ActingModel, labelled: Sequence[LabelledClause]) -> ActingWeights:
    """Fit on labels how far the act and the name count; subjects of one document together count like the root of their number."""
    fitted = _fit(model, labelled)
    (of_act, of_name), bias = fitted.coef_[0], float(fitted.intercept_[0])
    weights = {key: of_act * value for key, value in model.acts[1].items()}
    weights |= {key: of_name * value for key, value in model.names[1].items()}
    bias += float(of_act * model.acts[0] + of_name * model.names[0])
    kept = {key: round(float(value), 2) for key, value in sorted(weights.items()) if abs(value) >= _LEAST}
    return ActingWeights(VERSION, round(bias, 3), kept)


def cross_validate(model: ActingModel, labelled: Sequence[LabelledClause]) -> Judged:
    """Judge each clause by what was fitted on the labels of all other families."""
    found = wrong = left = 0
    for family in sorted({each.family for each in labelled}):
        fitted = _fit(model, [each for each in labelled if each.family != family])
        for each in labelled:
            if each.family == family:
                told = bool(fitted.predict([model.scores(each.clause)])[0])
                found += told and each.holds
                wrong += told and not each.holds
                left += each.holds and not told
    return Judged(found, wrong, left)


def _fit(model: ActingModel, labelled: Sequence[LabelledClause]) -> LogisticRegression:
    alike = [(each.document, each.clause.name) for each in labelled]
    weights = [alike.count(each) ** -0.5 for each in alike]
    scores = [model.scores(each.clause) for each in labelled]
    return LogisticRegression(C=1.0).fit(scores, [each.holds for each in labelled], weights)
