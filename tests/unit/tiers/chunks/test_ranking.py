"""TextRank and TF-IDF as mathematics."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.tiers.chunks import textrank, tfidf
from coditect.tiers.chunks.tfidf import FloatArray, cosines, document_idf, sentence_vectors

WORDS = ["vendor", "report", "breach", "notifi", "audit", "record", "24", "shall", "not", "term"]
sentences = st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=12)
dampings = st.sampled_from([0.0, 0.3, 0.6, 0.85])
TIGHT = 1e-13


def graph(words: list[list[str]]) -> FloatArray:
    similarity: FloatArray = cosines(sentence_vectors(words, document_idf(words), sparse=False))
    return similarity


def priors(n: int) -> FloatArray:
    return np.array([1.0 + i % 3 for i in range(n)])


def stationary(similarity: FloatArray, prior: FloatArray, damping: float) -> FloatArray:
    """The left eigenvector to eigenvalue 1 of the Google matrix, written out cell by cell."""
    n = len(prior)
    google = np.empty((n, n))
    for i in range(n):
        out = similarity[i].sum()
        for j in range(n):
            step = similarity[i, j] / out if out > 0 else 1.0 / n
            google[i, j] = damping * step + (1.0 - damping) * prior[j] / prior.sum()
    values, vectors = np.linalg.eig(google.T)
    leading = np.real(vectors[:, np.argmin(np.abs(values - 1.0))])
    return np.asarray(leading / leading.sum(), dtype=np.float64)


@given(sentences, dampings)
@settings(deadline=None)
def test_rank_agrees_with_the_eigenvector_of_the_google_matrix(words: list[list[str]], damping: float) -> None:
    """Power iteration ends at the stationary distribution that linear algebra finds."""
    similarity, prior = graph(words), priors(len(words))
    ranking = textrank.rank(similarity, prior, damping=damping, tolerance=TIGHT, max_iterations=1000)
    assert ranking.converged
    assert ranking.scores == pytest.approx(stationary(similarity, prior, damping), abs=1e-9)


@given(sentences, dampings)
@settings(deadline=None)
def test_rank_scores_are_a_distribution(words: list[list[str]], damping: float) -> None:
    """Scores are positive and sum to 1."""
    scores = textrank.rank(graph(words), priors(len(words)), damping=damping).scores
    assert (scores > 0).all()
    assert scores.sum() == pytest.approx(1.0, abs=1e-12)


@given(sentences, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_rank_is_invariant_under_permutation(words: list[list[str]], random: object) -> None:
    """The order in which sentences are given does not change what each scores."""
    order = list(range(len(words)))
    random.shuffle(order)  # type: ignore[attr-defined]
    prior = priors(len(words))
    direct = textrank.rank(graph(words), prior, tolerance=TIGHT, max_iterations=1000).scores
    shuffled = textrank.rank(
        graph([words[i] for i in order]), prior[order], tolerance=TIGHT, max_iterations=1000
    ).scores
    assert shuffled == pytest.approx(direct[order], abs=1e-10)


@given(sentences, st.sampled_from([0.3, 0.85]))
@settings(deadline=None)
def test_rank_dense_and_sparse_agree(words: list[list[str]], damping: float) -> None:
    """Both kinds of matrix give the same cosines, scores and TF-IDF salience to 1e-9."""
    idf, prior = document_idf(words), priors(len(words))
    dense, sparse = sentence_vectors(words, idf, sparse=False), sentence_vectors(words, idf, sparse=True)
    left, right = cosines(dense), cosines(sparse)
    assert right.toarray() == pytest.approx(left, abs=1e-12)
    for tolerance in (1e-6, TIGHT):
        both = [
            textrank.rank(g, prior, damping=damping, tolerance=tolerance, max_iterations=999) for g in (left, right)
        ]
        assert both[0].scores == pytest.approx(both[1].scores, abs=1e-9)
    assert tfidf.salience(dense, prior) == pytest.approx(tfidf.salience(sparse, prior), abs=1e-12)


@given(sentences, st.booleans())
@settings(deadline=None)
def test_cosines_are_symmetric_bounded_and_without_self_loops(words: list[list[str]], sparse: bool) -> None:
    """No sentence is similar to itself; all other cosines are mutual and within 0..1."""
    found = cosines(sentence_vectors(words, document_idf(words), sparse=sparse))
    matrix = found.toarray() if sparse else found
    assert (np.diag(matrix) == 0).all()
    assert matrix == pytest.approx(matrix.T, abs=1e-12)
    assert matrix.min() >= 0
    assert matrix.max() <= 1 + 1e-12


def test_rank_isolated_sentence_keeps_its_fresh_starts() -> None:
    """A sentence that nothing is similar to scores its share of fresh starts and of stranded readers, exactly."""
    words = [["audit", "record"], ["audit", "term"], ["breach"]]
    lonely = textrank.rank(graph(words), np.ones(3), damping=0.6, tolerance=TIGHT).scores[2]
    # x = 0.4 / 3 + 0.6 * x / 3
    assert lonely == pytest.approx(0.4 / 3 / (1 - 0.2), abs=1e-12)


def test_rank_prior_moves_the_scores() -> None:
    """Of two sentences that the graph cannot tell apart, the one with the larger prior scores more."""
    words = [["audit", "record"], ["audit", "record"], ["record", "term"]]
    scores = textrank.rank(graph(words), np.array([1.0, 2.0, 1.0])).scores
    assert scores[1] > scores[0]


def test_rank_reports_that_iterations_ran_out() -> None:
    """Too few iterations are reported, not raised, and the scores are still a distribution."""
    words = [["a", "b"], ["b", "c"], ["c", "d"], ["d", "e"]]
    ranking = textrank.rank(graph(words), np.array([9.0, 1.0, 1.0, 1.0]), tolerance=1e-12, max_iterations=2)
    assert (ranking.converged, ranking.iterations) == (False, 2)
    assert ranking.residual > 1e-12
    assert ranking.scores.sum() == pytest.approx(1.0)


def test_rank_nothing_gives_nothing() -> None:
    """No sentences have no scores."""
    assert textrank.rank(np.zeros((0, 0)), np.zeros(0)).scores.shape == (0,)


@settings(deadline=None)
@given(sentences)
def test_sentence_vectors_are_those_of_scikit_learn(words: list[list[str]]) -> None:
    """The same weights and cosines as its vectoriser gives, which ADR 30 measured and did not take."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    if not any(words):
        return
    rows = TfidfVectorizer(analyzer=list, sublinear_tf=True).fit_transform(words).toarray()
    theirs = rows @ rows.T
    np.fill_diagonal(theirs, 0.0)
    np.testing.assert_allclose(graph(words), theirs, atol=1e-12)


def test_document_idf_counts_sentences_not_occurrences() -> None:
    """IDF is ln((1 + n) / (1 + df)) + 1, a term repeated in a sentence counting once."""
    found = document_idf([["audit", "audit"], ["audit", "breach"], []])
    assert found == pytest.approx({"audit": log(4 / 3) + 1, "breach": log(4 / 2) + 1})


def test_sentence_vectors_unknown_term_weighs_as_the_rarest() -> None:
    """A term that the document's weights lack is taken for its rarest."""
    found = sentence_vectors([["audit", "unseen"]], {"audit": 1.0, "breach": 2.5})
    assert found.idf.tolist() == [1.0, 2.5]


def test_salience_prefers_what_the_passage_is_about() -> None:
    """Sentences made of the passage's repeated terms lead those made of terms that occur once."""
    words = [["audit", "record"], ["breach", "term"], ["audit", "record", "vendor"], ["audit", "record", "report"]]
    scores = tfidf.salience(sentence_vectors(words, dict.fromkeys(WORDS, 1.0)), np.ones(4))
    assert int(np.argmin(scores)) == 1
    assert scores.sum() == pytest.approx(1.0)


def test_salience_without_terms_is_the_prior() -> None:
    """Where no sentence has a term, the prior alone decides."""
    scores = tfidf.salience(sentence_vectors([[], []], {}), np.array([1.0, 3.0]))
    assert scores.tolist() == [0.25, 0.75]
