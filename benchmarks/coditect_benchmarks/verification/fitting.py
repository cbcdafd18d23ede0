"""Fitting the combiner's two halves.

*Covered* is a linear model of claims that others judged as they stood: the signs of its weights are given, each set is centred on
itself (what makes one set's claims longer or better covered than another's is not what makes a claim supported), and it is
regularised so strongly that the weights are almost the measures' covariances with the label: this carries over to new sets where
free weights and trees do not. *Kept* is a linear model and boosted trees of summaries that were edited on purpose.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.verify.support.combiner import Combiner
from coditect.verify.support.contexts import CONTEXTS
from coditect.verify.support.vectors import VECTORS
from coditect.verify.support.windows import WINDOWS

__all__ = ["SEED", "Floats", "Rows", "fit", "held_out", "scores", "weights"]

Floats = npt.NDArray[np.float64]

_RISES = frozenset(
    [
        *("covered", "covered_plain", "covered_related", "covered_best", "covered_three_mean", "covered_three_min"),
        *("two", "three", "four", "pairs", "pairs_known", "common_sequence", "poles_agree"),
        *("near_mean", "near_min", "near_low", "near_exact_mean", "near_exact_min", "strength_mean", "strength_min"),
        *WINDOWS,
        *VECTORS,
        *CONTEXTS,
    ]
)
"""Measures that can only speak for a claim's being covered."""
_FALLS = frozenset(
    [
        *("novel_run", "novel_numbers", "novel_names", "novel_words", "novel_share", "novel_word_share"),
        *("novel_families", "novel_number_share", "novel_name_share", "novel_context", "pairs_reversed"),
        *("away_names", "away_numbers", "away_words", "poles_clash", "poles_clash_any", "poles_far"),
        *("family_clash", "family_far", "negation_added", "negation_dropped", "negation_novel"),
        *("contradiction_worst", "contradiction_sum", "contradictions_hard"),
    ]
)
"""Measures that can only speak against it."""
_SIZES = frozenset(["claim_words", "claim_content", "claim_parts", "claim_names", "claim_numbers"]) | {
    "evidence_sentences",
    "evidence_words",
}
"""Measures of size, which tell sets apart rather than labels: neither half reads them."""
_COVERED, _KEPT = 1e-4, 0.01
_TREE_SHARE = 0.5
_MADE = 0.4
_COVERED_GAIN, _COVERED_SHIFT = 2.0, -0.6
_MEANT = frozenset((*VECTORS, *CONTEXTS))
_PLACES = frozenset((*WINDOWS, *VECTORS))
"""All that the first half reads where there are vectors of words by themselves, and nothing is added to it then."""
_SHORT = frozenset(("v_best", "v_top", "v_all"))
"""What it reads of these where the evidence is one sentence."""
_SHORT_CONTEXTS = frozenset(
    name for name in CONTEXTS if name in ("c_best", "ctx_one", "ctx_part") or name.startswith("phrase_")
)
"""The same where words are read in context; the others are read of long evidence."""
_LENGTHS = (1.0, 8.0)
"""Sentences of short evidence and of long (ADR 93); between them both are mixed."""
_KEPT_GAIN, _KEPT_SHIFT = 0.75, 0.5
"""Chosen among families (ADR 82): whether a claim is covered decides, and among claims that are, whether it is kept."""
_COVERED_SHIFT_BESIDE_CONTEXTS, _KEPT_SHIFT_BESIDE_CONTEXTS = -0.3, 1.5
"""The same where words are read in context, which alone then say whether a claim is covered (ADR 88 and 93)."""
SEED = 0
_DIGITS = 7
_FARTHEST = 4.0


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
        made: whether a case was made from evidence by quoting or editing it; trained on, never judged.
    """

    names: tuple[str, ...]
    values: Floats
    labels: npt.NDArray[np.int64]
    sets: npt.NDArray[np.str_]
    domains: npt.NDArray[np.str_]
    groups: npt.NDArray[np.str_]
    kinds: npt.NDArray[np.str_]
    made: npt.NDArray[np.bool_]

    def without_vectors(self) -> Rows:
        """The same cases without the measures of an embedder."""
        words = np.array([name not in _MEANT for name in self.names])
        names = tuple(name for name, keep in zip(self.names, words, strict=True) if keep)
        return replace(self, names=names, values=self.values[:, words])

    def joined(self, other: Rows) -> Rows:
        """These cases, then those of the same measures."""
        pairs = [(getattr(self, name), getattr(other, name)) for name in self.__slots__ if name != "names"]
        return Rows(self.names, *(np.concatenate(pair) for pair in pairs))

    def take(self, chosen: npt.NDArray[Any]) -> Rows:
        """The chosen cases: a mask or places."""
        columns = (self.labels[chosen], self.sets[chosen], self.domains[chosen], self.groups[chosen])
        return Rows(self.names, self.values[chosen], *columns, self.kinds[chosen], self.made[chosen])


def weights(rows: Rows) -> Floats:
    """Case weights: both labels of a domain count the same, domains by the root of their size, what was made for less; mean 1."""
    found = np.zeros(len(rows.labels), np.float64)
    cells = np.where(rows.made, np.char.add(rows.domains, "+made"), rows.domains)
    for domain in np.unique(cells):
        inside = cells == domain
        for label in (0, 1):
            cell = inside & (rows.labels == label)
            if cell.any():
                found[cell] = np.sqrt(inside.sum()) / cell.sum()
    found[rows.made] *= _MADE
    return np.asarray(found / found.mean(), np.float64)


def fit(rows: Rows, edited_sets: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Weights as the combiner reads them, not calibrated: the table is the identity on probabilities that both halves hold.

    Args:
        rows: at least some of sets that were not edited.
        edited_sets: names of the sets whose claims are sources that somebody edited on purpose; only these and made cases teach the
            second half, which says nothing where there are none.
    """
    from threadpoolctl import threadpool_limits

    edited = np.isin(rows.sets, sorted(edited_sets)) | rows.made
    knots = np.linspace(-12.0, 0.0, 25)
    # Two hundred trees of a few leaves: threads that wait for each other take a hundred times as long on a busy machine.
    with threadpool_limits(limits=1):
        covered = _covered(rows.take(~edited))
        kept = _kept(rows.take(edited)) if edited.any() else _silent(len(rows.names))
    row = {
        "format": 2 if np.ndim(covered["coefficients"]) == 1 else 3,
        "features": list(rows.names),
        "covered": covered,
        "kept": kept,
        "knots": _rounded(knots),
        "values": _rounded(np.exp(knots)),
        "version": "0",
    }
    return json.loads(json.dumps(row))  # type: ignore[no-any-return]


def _standard(values: Floats) -> tuple[Floats, Floats, Floats]:
    """Mean, scale and the values so standardised, within +-4."""
    mean, deviation = values.mean(axis=0), values.std(axis=0)
    scale = np.where(deviation > 1e-9, deviation, 1.0)
    return mean, scale, np.clip((values - mean) / scale, -_FARTHEST, _FARTHEST)


def _covered(rows: Rows) -> dict[str, Any]:
    mean, scale, standard = _standard(rows.values)
    share = weights(rows)
    centred = standard.copy()
    for domain in np.unique(rows.domains):
        inside = rows.domains == domain
        centred[inside] -= np.average(centred[inside], axis=0, weights=share[inside])
    vectors, contexts = (not frozenset(each).isdisjoint(rows.names) for each in (VECTORS, CONTEXTS))
    read = (
        (_SHORT_CONTEXTS, frozenset(CONTEXTS) - _SHORT_CONTEXTS)
        if contexts
        else (_SHORT, _PLACES)
        if vectors
        else (frozenset(rows.names) - _SIZES,)
    )
    chosen = [np.array([name in each for name in rows.names]) for each in read]
    coefficients = [_COVERED_GAIN * _direction(centred, standard, rows, share, each) for each in chosen]
    half = _linear(mean, scale, coefficients[0], 0.0)
    if len(read) > 1:
        half |= {"coefficients": [_rounded(each) for each in coefficients], "lengths": list(_LENGTHS)}
    shift = _COVERED_SHIFT_BESIDE_CONTEXTS if contexts else 0.0 if vectors else _COVERED_SHIFT
    return half | {"shift": shift}


def _direction(centred: Floats, standard: Floats, rows: Rows, share: Floats, chosen: npt.NDArray[np.bool_]) -> Floats:
    """Coefficients with the given signs, scaled so that the scores have deviation 1."""
    from scipy.optimize import minimize

    names = [name for name, inside in zip(rows.names, chosen, strict=True) if inside]
    bounds = [(0.0, None) if name in _RISES else (None, 0.0) if name in _FALLS else (None, None) for name in names]
    values = np.column_stack([centred[:, chosen], np.ones(len(centred))])

    def loss(point: Floats) -> tuple[float, Floats]:
        odds = values @ point
        penalty = np.append(point[:-1], 0.0) / _COVERED
        wrong = share * (1.0 / (1.0 + np.exp(-odds)) - rows.labels)
        total = (share * (np.logaddexp(0.0, odds) - rows.labels * odds)).sum() + 0.5 * (penalty * point).sum()
        return float(total), values.T @ wrong + penalty

    start = np.zeros(values.shape[1])
    found = minimize(loss, start, jac=True, bounds=[*bounds, (None, None)], method="L-BFGS-B").x
    coefficients = np.zeros(len(rows.names), np.float64)
    coefficients[chosen] = found[:-1]
    deviation = float((standard @ coefficients).std())
    return coefficients / deviation if deviation > 0 else coefficients


def _kept(rows: Rows) -> dict[str, Any]:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression

    share = weights(rows)
    # What a model says of words in context is read by the first half alone: the second knows edits of a word, which it hardly sees.
    chosen = np.array([name not in _SIZES and name not in CONTEXTS for name in rows.names])
    mean, scale, standard = _standard(rows.values)
    linear = LogisticRegression(C=_KEPT, max_iter=3000)
    linear.fit(standard[:, chosen], rows.labels, sample_weight=share)
    coefficients = np.zeros(len(rows.names), np.float64)
    coefficients[chosen] = linear.coef_[0]
    boosted = HistGradientBoostingClassifier(
        max_iter=200,
        learning_rate=0.03,
        max_leaf_nodes=5,
        min_samples_leaf=30,
        l2_regularization=5.0,
        max_features=0.3,
        random_state=SEED,
        early_stopping=False,
    )
    boosted.fit(rows.values[:, chosen], rows.labels, sample_weight=share)
    nodes = [predictors[0].nodes for predictors in boosted._predictors]
    return _linear(mean, scale, _KEPT_GAIN * coefficients, _KEPT_GAIN * float(linear.intercept_[0])) | {
        "shift": _KEPT_SHIFT if frozenset(CONTEXTS).isdisjoint(rows.names) else _KEPT_SHIFT_BESIDE_CONTEXTS,
        "tree_base": round(_KEPT_GAIN * float(boosted._baseline_prediction.ravel()[0]), _DIGITS),
        "tree_share": _TREE_SHARE,
        "depth": max(int(each["depth"].max()) for each in nodes),
        "trees": [_tree(each, np.flatnonzero(chosen)) for each in nodes],
    }


def _linear(mean: Floats, scale: Floats, coefficients: Floats, intercept: float) -> dict[str, Any]:
    return {
        "mean": _rounded(mean),
        "scale": _rounded(scale),
        "coefficients": _rounded(coefficients),
        "intercept": round(intercept, _DIGITS),
        "tree_base": 0.0,
        "tree_share": 0.0,
        "depth": 0,
        "trees": [],
        "shift": 0.0,
    }


def _silent(count: int) -> dict[str, Any]:
    """A half that gives every claim the same."""
    return _linear(np.zeros(count), np.ones(count), np.zeros(count), 0.0)


def _tree(nodes: Any, chosen: npt.NDArray[np.int64]) -> dict[str, list[float]]:  # noqa: ANN401 - a structured array of scikit-learn
    places = np.arange(len(nodes))
    leaf = nodes["is_leaf"].astype(bool)
    return {
        "feature": np.where(leaf, 0, chosen[np.where(leaf, 0, nodes["feature_idx"])]).tolist(),
        "threshold": _rounded(np.where(leaf, 0.0, nodes["num_threshold"])),
        "left": np.where(leaf, places, nodes["left"]).tolist(),
        "right": np.where(leaf, places, nodes["right"]).tolist(),
        "value": _rounded(np.where(leaf, _KEPT_GAIN * nodes["value"], 0.0)),
    }


def _rounded(values: npt.NDArray[Any]) -> list[float]:
    return [round(float(each), _DIGITS) for each in values]


def scores(fitted: dict[str, Any], rows: Rows) -> Floats:
    """The combiner's scores of many cases, as it computes them at run time."""
    combiner = Combiner.parse(json.dumps(fitted).encode())
    return np.array([combiner.score(dict(zip(rows.names, row, strict=True))) for row in rows.values.tolist()])


def held_out(rows: Rows, edited_sets: frozenset[str] = frozenset(), folds: int = 5) -> Floats:
    """Scores of every case from weights that never saw its group; see :func:`fit`."""
    from sklearn.model_selection import GroupKFold

    found = np.zeros(len(rows.labels), np.float64)
    for train, test in GroupKFold(folds).split(rows.values, rows.labels, rows.groups):
        found[test] = scores(fit(rows.take(train), edited_sets), rows.take(test))
    return found
