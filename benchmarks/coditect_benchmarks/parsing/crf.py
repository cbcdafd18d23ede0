"""A linear-chain conditional random field, fitted by L-BFGS; numpy and scipy alone, the same weights for the same input.

Source: Lafferty, McCallum and Pereira 2001, with an L2 prior.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

__all__ = ["Model", "fit"]

Floats = npt.NDArray[np.float64]
Tokens = Sequence[Sequence[str]]
"""The names of the features of each token."""


@dataclass(frozen=True, slots=True)
class Model:
    """Weights of features and of transitions between labels.

    Attributes:
        labels: the labels, in the order of the columns.
        features: row of each feature.
        weights: of shape (features, labels).
        transitions: of shape (labels, labels), from row to column.
    """

    labels: tuple[str, ...]
    features: dict[str, int]
    weights: Floats
    transitions: Floats

    def label(self, tokens: Tokens, favoured: Sequence[str] | None = None, by: float = 0.0) -> list[str]:
        """The best labels of a sentence (Viterbi).

        Args:
            tokens: the features of each token.
            favoured: a label for each token that is made likelier.
            by: how much, as a log of odds.
        """
        if not tokens:
            return []
        emissions = np.zeros((len(tokens), len(self.labels)))
        for row, names in enumerate(tokens):
            known = [self.features[name] for name in names if name in self.features]
            if known:
                emissions[row] = self.weights[known].sum(axis=0)
        for row, label in enumerate(favoured or ()):
            if label in self.labels:
                emissions[row, self.labels.index(label)] += by
        best = emissions[0]
        back = np.zeros(emissions.shape, dtype=np.int64)
        for row in range(1, len(tokens)):
            reached = best[:, None] + self.transitions
            back[row] = reached.argmax(axis=0)
            best = reached.max(axis=0) + emissions[row]
        at = int(best.argmax())
        found = [at]
        for row in range(len(tokens) - 1, 0, -1):
            at = int(back[row, at])
            found.append(at)
        return [self.labels[each] for each in reversed(found)]


def fit(
    sentences: Sequence[Tokens],
    wanted: Sequence[Sequence[str]],
    *,
    strength: float = 1.0,
    least: int = 2,
    rounds: int = 60,
) -> Model:
    """Fit a model.

    Args:
        sentences: the features of the tokens of each sentence.
        wanted: their labels.
        strength: of the prior: the weight of half the sum of all squared weights.
        least: how many sentences a feature must stand in.
        rounds: of the optimiser, at most.
    """
    order = sorted(range(len(sentences)), key=lambda n: -len(sentences[n]))
    order = [n for n in order if sentences[n]]
    lengths = np.array([len(sentences[n]) for n in order])
    labels = tuple(sorted({label for n in order for label in wanted[n]}))
    column = {label: number for number, label in enumerate(labels)}
    seen = Counter(name for n in order for name in {name for token in sentences[n] for name in token})
    features = {name: row for row, name in enumerate(sorted(name for name, count in seen.items() if count >= least))}
    matrix, gold, rows = _matrix(sentences, wanted, order, features, column)
    shape = len(features), len(labels)
    observed = np.asarray(matrix.T @ np.eye(len(labels))[gold])
    pairs = np.zeros((len(labels), len(labels)))
    for begin, size in zip(rows, lengths, strict=True):
        np.add.at(pairs, (gold[begin : begin + size - 1], gold[begin + 1 : begin + size]), 1.0)

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights, transitions = (
            flat[: shape[0] * shape[1]].reshape(shape),
            flat[shape[0] * shape[1] :].reshape(pairs.shape),
        )
        emissions = np.asarray(matrix @ weights)
        total, marginals, expected = _expectations(emissions, transitions, rows, lengths)
        score = float((weights * observed).sum() + (transitions * pairs).sum()) - total
        gradient = np.concatenate(
            [
                (matrix.T @ marginals - observed).ravel() + strength * weights.ravel(),
                (expected - pairs).ravel() + 0.1 * transitions.ravel(),
            ]
        )
        return -score + 0.5 * strength * float((weights**2).sum()) + 0.05 * float((transitions**2).sum()), gradient

    start = np.zeros(shape[0] * shape[1] + pairs.size)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": rounds}).x
    return Model(
        labels, features, found[: shape[0] * shape[1]].reshape(shape), found[shape[0] * shape[1] :].reshape(pairs.shape)
    )


def _matrix(
    sentences: Sequence[Tokens],
    wanted: Sequence[Sequence[str]],
    order: Sequence[int],
    features: dict[str, int],
    column: dict[str, int],
) -> tuple[csr_matrix, npt.NDArray[np.int64], list[int]]:
    """All tokens as rows: features, labels, and the first row of each sentence."""
    indices: list[int] = []
    pointers, rows = [0], []
    gold: list[int] = []
    for number in order:
        rows.append(len(gold))
        for token, label in zip(sentences[number], wanted[number], strict=True):
            indices += sorted({features[name] for name in token if name in features})
            pointers.append(len(indices))
            gold.append(column[label])
    matrix = csr_matrix((np.ones(len(indices)), indices, pointers), shape=(len(gold), len(features)))
    return matrix, np.array(gold, dtype=np.int64), rows


def _expectations(
    emissions: Floats, transitions: Floats, rows: Sequence[int], lengths: npt.NDArray[np.int64]
) -> tuple[float, Floats, Floats]:
    """Log partition of all sentences, the marginals of each token, and the expected transitions; longest sentence first."""
    first = np.array(rows)
    longest, count = int(lengths[0]), emissions.shape[1]
    active = [int((lengths > step).sum()) for step in range(longest)]
    forward = np.zeros_like(emissions)
    forward[first] = emissions[first]
    for step in range(1, longest):
        at = first[: active[step]] + step
        reached = forward[at - 1][:, :, None] + transitions[None]
        top = reached.max(axis=1)
        forward[at] = np.log(np.exp(reached - top[:, None, :]).sum(axis=1)) + top + emissions[at]
    ends = forward[first + lengths - 1]
    top = ends.max(axis=1)
    partition = np.log(np.exp(ends - top[:, None]).sum(axis=1)) + top
    backward = np.zeros_like(emissions)
    expected = np.zeros((count, count))
    for step in range(longest - 2, -1, -1):
        n = active[step + 1]
        at = first[:n] + step
        reached = transitions[None] + (emissions[at + 1] + backward[at + 1])[:, None, :]
        top = reached.max(axis=2)
        backward[at] = np.log(np.exp(reached - top[:, :, None]).sum(axis=2)) + top
        expected += np.exp(forward[at][:, :, None] + reached - partition[:n, None, None]).sum(axis=0)
    sizes = np.zeros(len(emissions))
    for begin, size, log in zip(rows, lengths, partition, strict=True):
        sizes[begin : begin + size] = log
    return float(partition.sum()), np.exp(forward + backward - sizes[:, None]), expected
