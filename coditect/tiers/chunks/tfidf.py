"""Sentences as unit TF-IDF vectors, their cosines, and the TF-IDF way to rank them.

The weights come from the sentences of one document, never from a corpus: a change in one document then leaves what was
selected in every other untouched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["SPARSE_FROM", "FloatArray", "SentenceVectors", "cosines", "document_idf", "salience", "sentence_vectors"]

FloatArray = npt.NDArray[np.float64]

SPARSE_FROM = 128
"""Number of sentences from which sparse matrices are faster than dense ones (measured: ``coditect_benchmarks.selection``)."""

LENGTH_EXPONENT = 0.75
"""Between a sum (0: long sentences win) and a mean (1: short ones win); see ADR 0013."""


@dataclass(frozen=True, slots=True)
class SentenceVectors:
    """Sentences in the space of their terms.

    Attributes:
        rows: shape (n_sentences, n_terms), each row of unit length, or all zero for a sentence without terms;
            a dense array, or a ``scipy.sparse.csr_array`` from :data:`SPARSE_FROM` sentences on.
        counts: the same shape and kind, how often each term occurs.
        idf: shape (n_terms,), > 0.
    """

    rows: Any
    counts: Any
    idf: FloatArray


def document_idf(sentence_terms: Sequence[Sequence[str]]) -> dict[str, float]:
    """Smoothed inverse document frequency over the sentences of one document.

    Args:
        sentence_terms: the terms of each of the document's sentences.

    Returns:
        For each term ``ln((1 + n) / (1 + df)) + 1``, at least 1, where ``n`` counts the sentences and ``df`` those that
        hold the term; in order of first occurrence.
    Source: the smoothing of scikit-learn's TfidfTransformer.
    """
    frequency: Counter[str] = Counter()
    for sentence in sentence_terms:
        frequency.update(dict.fromkeys(sentence, 1))
    numerator = 1 + len(sentence_terms)
    by_frequency = {count: log(numerator / (1 + count)) + 1.0 for count in sorted(set(frequency.values()))}
    return {term: by_frequency[count] for term, count in frequency.items()}


def sentence_vectors(
    sentence_terms: Sequence[Sequence[str]], idf: Mapping[str, float], *, sparse: bool | None = None
) -> SentenceVectors:
    """Weigh each sentence's terms by (1 + ln tf) * idf and scale it to unit length.

    Args:
        sentence_terms: the terms of each sentence.
        idf: weight of each term, > 0; a term that it lacks counts as the rarest one in it (1 if it is empty).
        sparse: force one kind of matrix; None chooses by the number of sentences.

    Returns:
        The vectors. Both kinds hold the same numbers.
    """
    n = len(sentence_terms)
    index: dict[str, int] = {}
    columns = [index.setdefault(term, len(index)) for sentence in sentence_terms for term in sentence]
    weights = _weights(index, idf)
    rows = np.repeat(np.arange(n), [len(sentence) for sentence in sentence_terms])
    if n >= SPARSE_FROM if sparse is None else sparse:
        return _sparse_vectors(rows, columns, weights, n)
    flat = np.bincount(rows * len(index) + np.asarray(columns, dtype=np.int64), minlength=n * len(index))
    counts = flat.reshape(n, len(index)).astype(np.float64)
    weighted = counts * weights
    repeated = counts > 1
    if repeated.any():
        weighted[repeated] *= (1.0 + np.log(counts[repeated])) / counts[repeated]
    length = np.sqrt((weighted * weighted).sum(axis=1))
    length[length == 0.0] = 1.0
    return SentenceVectors(weighted / length[:, None], counts, weights)


def _sparse_vectors(rows: npt.NDArray[np.int64], columns: list[int], weights: FloatArray, n: int) -> SentenceVectors:
    import scipy.sparse as sp  # loading it takes longer than reading a short document, which has no use for it

    ones = np.ones(len(columns))
    counts = sp.csr_array((ones, (rows, np.asarray(columns, dtype=np.int64))), shape=(n, len(weights)))
    counts.sum_duplicates()
    weighted = counts.copy()
    weighted.data = (1.0 + np.log(counts.data)) * weights[counts.indices]
    length = np.sqrt(np.asarray((weighted * weighted).sum(axis=1)).ravel())
    length[length == 0.0] = 1.0
    weighted.data /= np.repeat(length, np.diff(weighted.indptr))
    return SentenceVectors(weighted, counts, weights)


def _weights(index: Mapping[str, int], idf: Mapping[str, float]) -> FloatArray:
    weights = [idf.get(term, 0.0) for term in index]
    if 0.0 in weights:
        rarest = max(idf.values(), default=1.0)
        weights = [weight or rarest for weight in weights]
    return np.array(weights, dtype=np.float64)


def cosines(vectors: SentenceVectors) -> Any:  # noqa: ANN401 - a dense array or a scipy sparse one
    """The cosine between every two sentences, 0 between a sentence and itself.

    Args:
        vectors: n sentences.

    Returns:
        shape (n, n), symmetric, 0..1, the diagonal 0; dense or ``csr_array`` as the vectors are.
    """
    if isinstance(vectors.rows, np.ndarray):
        similarity: FloatArray = vectors.rows @ vectors.rows.T
        np.fill_diagonal(similarity, 0.0)
        return similarity
    import scipy.sparse as sp

    product = (vectors.rows @ vectors.rows.T).tocoo()
    between = product.row != product.col
    edges = (product.data[between], (product.row[between], product.col[between]))
    return sp.csr_array(edges, shape=product.shape)


def salience(
    vectors: SentenceVectors, prior: FloatArray, *, content: float = 1.0, exponent: float = LENGTH_EXPONENT
) -> FloatArray:
    """Rank sentences by the weight of the terms that the whole passage is about.

    A term weighs (1 + ln of its count in the passage) * idf, so that words which the passage repeats and the document
    does not lead. A sentence scores the sum over its distinct terms, divided by their number to the power ``exponent``,
    and scaled so that all sentences sum to 1. The prior is mixed in as TextRank's fresh starts are.

    Args:
        vectors: n sentences.
        prior: shape (n,), > 0.
        content: share of the terms in the score, 0..1; the rest is the prior's.
        exponent: 0 is the sum, 1 the mean.

    Returns:
        shape (n,), >= 0, summing to 1; the prior alone when no sentence has a term.
    """
    held = vectors.counts > 0
    passage_counts = np.asarray(vectors.counts.sum(axis=0)).ravel()
    distinct = np.asarray(held.sum(axis=1), dtype=np.float64).ravel()
    total = held @ ((1.0 + np.log(passage_counts)) * vectors.idf)
    scores: FloatArray = np.asarray(total).ravel() / np.maximum(distinct, 1.0) ** exponent
    mass = float(scores.sum())
    start = prior / prior.sum()
    mixed: FloatArray = content * scores / mass + (1.0 - content) * start if mass > 0.0 else start
    return mixed
