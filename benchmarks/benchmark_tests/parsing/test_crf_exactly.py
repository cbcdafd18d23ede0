"""The conditional random field against all labellings of short sentences, counted one by one."""

from __future__ import annotations

from itertools import pairwise, product
from math import exp, log

import numpy as np
import pytest
from coditect_benchmarks.parsing.crf import Model, _expectations, fit

LABELS = ("A", "B", "C")
RNG = np.random.default_rng(5)


def _score(emissions: np.ndarray, transitions: np.ndarray, labels: tuple[int, ...]) -> float:
    steps = sum(transitions[a, b] for a, b in pairwise(labels))
    return float(sum(emissions[row, label] for row, label in enumerate(labels)) + steps)


def test_best_labels_are_those_of_the_highest_score() -> None:
    """Of all labellings of sentences of one to five words."""
    for length in range(1, 6):
        model = Model(LABELS, {f"w{n}": n for n in range(4)}, RNG.normal(size=(4, 3)), RNG.normal(size=(3, 3)))
        tokens = [[f"w{n}" for n in RNG.integers(0, 6, 2)] for _ in range(length)]
        for favoured, by in ((None, 1.0), (["B", "none", "A", "C", "B"][:length], 0.7)):
            emissions = np.zeros((length, 3))
            for row, names in enumerate(tokens):
                for name in names:
                    emissions[row] += model.weights[model.features[name]] if name in model.features else 0.0
                if favoured and favoured[row] in LABELS:
                    emissions[row, LABELS.index(favoured[row])] += by
            best = max(product(range(3), repeat=length), key=lambda each: _score(emissions, model.transitions, each))
            assert model.label(tokens, favoured, by) == [LABELS[each] for each in best]


def test_favoured_label_is_not_favoured_unless_told_how_much() -> None:
    """Without a number it changes nothing."""
    model = Model(LABELS, {}, np.zeros((0, 3)), np.zeros((3, 3)))
    assert model.label([[], []], ["B", "C"]) == ["A", "A"]
    assert model.label([[], []], ["B", "C"], 0.1) == ["B", "C"]


def test_expectations_are_those_of_all_labellings() -> None:
    """Partition, marginals and expected transitions of sentences of several lengths, the longest first."""
    lengths = np.array([4, 3, 3, 1])
    rows = [0, 4, 7, 10]
    emissions, transitions = RNG.normal(size=(11, 3)), RNG.normal(size=(3, 3))
    total, marginals, steps = 0.0, np.zeros((11, 3)), np.zeros((3, 3))
    for begin, size in zip(rows, lengths.tolist(), strict=True):
        inside = emissions[begin : begin + size]
        scores = {each: exp(_score(inside, transitions, each)) for each in product(range(3), repeat=size)}
        whole = sum(scores.values())
        total += log(whole)
        for each, score in scores.items():
            for row, label in enumerate(each):
                marginals[begin + row, label] += score / whole
            for a, b in pairwise(each):
                steps[a, b] += score / whole
    found = _expectations(emissions, transitions, rows, lengths)
    assert found[0] == pytest.approx(total)
    assert np.allclose(found[1], marginals)
    assert np.allclose(found[2], steps)


SENTENCES = [
    [["w=the", "bias"], ["w=keeper", "bias"], ["w=must", "bias"]],
    [["w=keeper", "bias", "odd"], ["w=must", "bias", "odd"]],
    [],
    [["w=go", "bias"]],
    [["w=the", "bias"], ["w=go", "bias"], ["w=the", "bias"], ["w=must", "bias"]],
]
WANTED = [["H", "H", "O"], ["H", "O"], [], ["A"], ["H", "A", "H", "O"]]


def _loss(model: Model, weights: np.ndarray, transitions: np.ndarray, strength: float) -> float:
    """What the fit makes least: minus the log likelihood, and the priors of weights and transitions."""
    loss = strength / 2 * float((weights**2).sum()) + 0.05 * float((transitions**2).sum())
    for tokens, labels in zip(SENTENCES, WANTED, strict=True):
        emissions = np.array(
            [sum((weights[model.features[n]] for n in names if n in model.features), np.zeros(3)) for names in tokens]
        ).reshape(-1, 3)
        right = tuple(model.labels.index(label) for label in labels)
        every = [_score(emissions, transitions, each) for each in product(range(3), repeat=len(tokens))]
        loss += log(sum(map(exp, every))) - _score(emissions, transitions, right)
    return loss


@pytest.mark.parametrize("strength", [0.3, 1.0])
def test_fit_ends_where_no_weight_could_be_better(strength: float) -> None:
    """The slope of the loss is nothing there, in every direction; features of a single sentence are left out."""
    model = fit(SENTENCES, WANTED, strength=strength, rounds=500)
    assert model.labels == ("A", "H", "O")
    assert list(model.features) == ["bias", "w=go", "w=keeper", "w=must", "w=the"]
    step = 1e-4
    for table in (model.weights, model.transitions):
        for place in np.ndindex(table.shape):
            sides = []
            for sign in (1, -1):
                moved = table.copy()
                moved[place] += sign * step
                tables = (moved, model.transitions) if table is model.weights else (model.weights, moved)
                sides.append(_loss(model, *tables, strength))
            assert abs(sides[0] - sides[1]) / (2 * step) < 2e-3


def test_fit_of_its_own_accord() -> None:
    """A prior of one, features of two sentences, and at most sixty rounds."""
    told = fit(SENTENCES, WANTED, strength=1.0, least=2, rounds=60)
    assert fit(SENTENCES, WANTED).weights.tobytes() == told.weights.tobytes()
    assert set(fit(SENTENCES, WANTED, least=1).features) == {*told.features, "odd"}
    assert "w=keeper" not in fit(SENTENCES, WANTED, least=3).features
    assert fit(SENTENCES, WANTED, rounds=1).weights.tobytes() != told.weights.tobytes()
