"""Fusion by rank and by score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.errors import UsageError
from coditect.retrieve.local.fusion import reciprocal_rank_fusion, score_fusion

RANKS = st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), min_size=1, max_size=40)


def test_rank_fusion_is_that_of_its_source() -> None:
    """1 / (60 + rank), summed over the lists that hold the item."""
    fused = reciprocal_rank_fusion(np.array([[1, 2, 0], [3, 0, 1]]), np.array([1.0, 0.5]))
    assert fused.tolist() == pytest.approx([1 / 61 + 0.5 / 63, 1 / 62, 0.5 / 61])


@given(RANKS)
def test_rank_fusion_is_bounded_and_better_ranks_never_lose(pairs: list[tuple[int, int]]) -> None:
    """At most the sum of the weights over k + 1; an item that is ahead in both lists is ahead."""
    ranks = np.array(pairs).T
    fused = reciprocal_rank_fusion(ranks, np.array([1.0, 1.0]))
    assert fused.max() <= 2 / 61 + 1e-12
    for a, (first, second) in enumerate(pairs):
        for b, (other_first, other_second) in enumerate(pairs):
            if 0 < first <= other_first and 0 < second <= other_second:
                assert fused[a] >= fused[b]


@pytest.mark.parametrize(
    ("ranks", "weights", "k"),
    [([[-1]], [1.0], 60.0), ([[1]], [-1.0], 60.0), ([[1]], [1.0], 0.0), ([[1]], [1.0, 1.0], 60.0)],
)
def test_rank_fusion_refuses_what_is_no_rank(ranks: list[list[int]], weights: list[float], k: float) -> None:
    """Negative ranks and weights, a damping that is not positive, and lists without weights."""
    with pytest.raises(UsageError):
        reciprocal_rank_fusion(np.array(ranks), np.array(weights), k)


def test_score_fusion_takes_words_by_their_maximum() -> None:
    """The best match by words counts 1, and meaning by its weight."""
    fused = score_fusion(np.array([10.0, 5.0, 0.0]), np.array([0.1, 0.2, 0.9]), 0.5)
    assert fused.tolist() == pytest.approx([1.05, 0.6, 0.45])


def test_score_fusion_without_any_word_is_meaning_alone() -> None:
    """No division by a maximum of nothing."""
    assert score_fusion(np.zeros(2), np.array([0.5, 1.0]), 1.0).tolist() == [0.5, 1.0]


def test_score_fusion_refuses_negative_scores() -> None:
    """BM25 is never negative; a negative one is a mistake."""
    with pytest.raises(UsageError):
        score_fusion(np.array([-1.0]), np.array([0.0]), 1.0)


def test_fusions_take_what_is_just_within_their_ranges() -> None:
    """A list that counts nothing, a damping below one, and no items at all."""
    assert reciprocal_rank_fusion(np.array([[1], [2]]), np.array([0.0, 1.0]), 0.5).tolist() == [0.4]
    assert reciprocal_rank_fusion(np.zeros((2, 0), dtype=np.int64), np.ones(2)).tolist() == []
    assert score_fusion(np.array([2.0, 1.0]), np.array([0.9, -1.0]), 0.0).tolist() == [1.0, 0.5]
    assert score_fusion(np.array([0.5, 0.25]), np.array([0.0, 0.0]), 1.0).tolist() == [1.0, 0.5]
    assert score_fusion(np.zeros(0), np.zeros(0), 1.0).tolist() == []


@pytest.mark.parametrize(
    ("bm25", "cosine", "weight"), [([1.0], [0.0], -0.1), ([1.0, 2.0], [0.0], 1.0), ([0.5, -0.1], [0.0, 0.0], 1.0)]
)
def test_score_fusion_refuses_other_weights_and_shapes(bm25: list[float], cosine: list[float], weight: float) -> None:
    """One score and one cosine for each item."""
    with pytest.raises(UsageError):
        score_fusion(np.array(bm25), np.array(cosine), weight)
