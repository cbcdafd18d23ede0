"""The measures of ranked lists, on lists small enough to count by hand."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from coditect_benchmarks.retrieval.bootstrap import difference
from coditect_benchmarks.retrieval.formats import Gold
from coditect_benchmarks.retrieval.metrics import (
    CHARACTER_DEPTHS,
    RANKS,
    as_documents,
    average_precision,
    character_overlap,
    document_first,
    measures,
    ndcg,
    recall,
    token_overlap,
    union,
)
from coditect_benchmarks.retrieval.system import Span
from hypothesis import given
from hypothesis import strategies as st

from coditect.errors import UsageError

HITS = [Span("a", 0, 10), Span("b", 0, 10), Span("a", 5, 20), Span("a", 30, 40)]
GOLD = [Gold("a", 8, 12), Gold("a", 38, 50)]

spans = st.builds(
    lambda document, start, length: Span(document, start, start + length),
    st.sampled_from("abc"),
    st.integers(0, 50),
    st.integers(1, 30),
)
gold_spans = st.builds(
    lambda document, start, length: Gold(document, start, start + length),
    st.sampled_from("abc"),
    st.integers(0, 50),
    st.integers(1, 30),
)
gold_items = st.one_of(gold_spans, st.builds(Gold, st.sampled_from("abcd")))


def test_recall_counts_gold_items_that_are_touched() -> None:
    """A gold span is hit by a passage that shares a character with it; touching ends share none."""
    assert recall(HITS, GOLD, 1) == 0.5
    assert recall(HITS, GOLD, 3) == 0.5
    assert recall(HITS, GOLD, 4) == 1.0
    assert recall([Span("a", 0, 8)], [Gold("a", 8, 12)], 1) == 0.0


def test_ndcg_gives_no_gain_for_a_second_passage_of_the_same_gold() -> None:
    """Ranks 1 and 4 hit new gold; rank 3 hits what rank 1 did."""
    ideal = 1 / log2(2) + 1 / log2(3)
    assert ndcg(HITS, GOLD, 10) == pytest.approx((1 / log2(2) + 1 / log2(5)) / ideal)
    assert ndcg(HITS, GOLD, 3) == pytest.approx((1 / log2(2)) / ideal)


def test_average_precision_is_the_mean_at_ranks_of_new_gold() -> None:
    """Precision is 1/1 at rank 1 and 2/4 at rank 4; missed gold counts as zero."""
    assert average_precision(HITS, GOLD, 10) == pytest.approx((1 + 0.5) / 2)
    assert average_precision(HITS, GOLD, 3) == pytest.approx(1 / 2)


def test_one_passage_over_all_gold_is_perfect() -> None:
    """A passage that holds every gold span leaves nothing that an ideal list could do better."""
    whole = [Span("a", 0, 60)]
    assert ndcg(whole, GOLD, 10) == average_precision(whole, GOLD, 10) == recall(whole, GOLD, 1) == 1.0


def test_document_gold_ranks_documents_not_passages() -> None:
    """Three passages of one document take one place."""
    hits = [Span("a", 0, 5), Span("a", 5, 9), Span("a", 9, 12), Span("b", 0, 5)]
    found = measures(hits, [Gold("b")])
    assert [hit.document for hit in as_documents(hits)] == ["a", "b"]
    assert found["nDCG@10"] == pytest.approx(1 / log2(3))
    assert found["MAP@10"] == 0.5
    assert (found["recall@1"], found["recall@5"], found["document first"]) == (0.0, 1.0, 0.0)
    assert not any(name.startswith(("char", "token")) for name in found)


def test_ideal_list_is_not_longer_than_the_cut() -> None:
    """With more gold documents than places, filling the places is perfect."""
    gold = [Gold(str(n)) for n in range(12)]
    hits = [Span(str(n), 0, 1) for n in range(10)]
    assert ndcg(hits, gold, 10) == pytest.approx(1.0)
    assert average_precision(hits, gold, 10) == pytest.approx(1.0)


def test_characters_are_counted_once_where_passages_overlap() -> None:
    """The union of the first three passages is a[0,20) and b[0,10); four of its thirty characters are gold, of sixteen."""
    assert character_overlap(HITS, GOLD, 3) == pytest.approx((4 / 30, 4 / 16))
    assert character_overlap(HITS, GOLD, 4) == pytest.approx((6 / 40, 6 / 16))


def test_tokens_are_counted_twice_where_passages_overlap() -> None:
    """The evaluation's own counting: 35 retrieved with the overlap, 4 of 16 gold covered, 12 left over."""
    assert token_overlap(HITS, GOLD, 3) == pytest.approx((4 / 16, 4 / 35, 4 / 47))


def test_nothing_found_scores_zero() -> None:
    """An empty list has no precision, no recall and no first document."""
    found = measures([], GOLD)
    assert set(found.values()) == {0.0}
    assert document_first([], GOLD) == 0.0


def test_union_merges_touching_ranges_and_drops_empty_ones() -> None:
    """Ranges come back sorted and disjoint."""
    found = union([("a", 5, 9), ("a", 0, 5), ("a", 12, 12), ("a", 20, 21), ("b", 1, 2), ("a", 6, 7)])
    assert found == {"a": [(0, 9), (20, 21)], "b": [(1, 2)]}


@given(st.lists(spans, max_size=20), st.lists(gold_items, min_size=1, max_size=6))
def test_measures_lie_between_zero_and_one(hits: list[Span], gold: list[Gold]) -> None:
    """Every measure is a share, except the count of characters."""
    assert all(0.0 <= value <= 1.0 + 1e-12 for name, value in measures(hits, gold).items() if name != "chars@8")


@given(st.lists(spans, max_size=80), st.lists(gold_spans, min_size=1, max_size=6))
def test_recall_does_not_fall_with_depth(hits: list[Span], gold: list[Gold]) -> None:
    """More passages never cover less."""
    found = measures(hits, gold)
    items = [found[f"recall@{k}"] for k in RANKS]
    characters = [found[f"char R@{k}"] for k in CHARACTER_DEPTHS]
    assert items == sorted(items)
    assert characters == sorted(characters)


@given(st.lists(spans, min_size=1, max_size=12), st.lists(gold_spans, min_size=1, max_size=5))
def test_character_measures_agree_with_sets(hits: list[Span], gold: list[Gold]) -> None:
    """Counting ranges gives what counting the characters themselves gives."""
    found = {(hit.document, at) for hit in hits[:5] for at in range(hit.start, hit.end)}
    golden = {(item.document, at) for item in gold for at in range(item.start or 0, item.end or 0)}
    expected = (len(found & golden) / len(found), len(found & golden) / len(golden))
    assert character_overlap(hits, gold, 5) == pytest.approx(expected)


@given(st.lists(gold_spans, min_size=1, max_size=5))
def test_gold_itself_is_perfect(gold: list[Gold]) -> None:
    """A list of the gold spans scores one on every rank measure, and covers all characters and no others."""
    hits = [Span(item.document, item.start or 0, item.end or 0) for item in gold]
    assert recall(hits, gold, 10) == 1.0
    assert character_overlap(hits, gold, 10) == (1.0, 1.0)
    assert ndcg(hits[:1], gold[:1], 10) == 1.0


def test_difference_sees_a_clear_gap_and_not_noise() -> None:
    """A constant gap has a narrow interval above zero; a symmetric one includes zero."""
    base = np.linspace(0.0, 1.0, 200)
    assert difference(base + 0.1, base).verdict == "better"
    assert difference(base, base + 0.1).verdict == "worse"
    noise = np.tile([0.3, -0.3], 100)
    assert difference(base + noise, base).verdict == "same within noise"


def test_difference_is_the_same_each_time_and_over_common_questions() -> None:
    """The seed is fixed, and questions that one side was not asked do not count."""
    first = np.array([1.0, np.nan, 0.0, 1.0])
    second = np.array([0.0, 1.0, 0.0, np.nan])
    found = difference(first, second)
    assert found == difference(first, second)
    assert (found.n, found.mean) == (2, 0.5)
    assert difference(np.array([np.nan]), np.array([1.0])).n == 0


def test_difference_refuses_unpaired_samples() -> None:
    """Arrays of different length are not the same questions."""
    with pytest.raises(UsageError):
        difference(np.zeros(3), np.zeros(4))
