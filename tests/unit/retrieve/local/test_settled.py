"""The order of units that match by words: by score, and by id where scores are equal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from coditect.retrieve.gate.relevance import KnownQuestion, judge, typical
from coditect.retrieve.local.lexical import WordRanking
from coditect.retrieve.words import read_words


def _ranking(*scores: float) -> WordRanking:
    return WordRanking(np.arange(len(scores), dtype=np.int64), np.asarray(scores))


class Names:
    """Ids in the opposite order of the numbers, and which were asked for."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def __call__(self, numbers: Sequence[int]) -> list[str]:
        self.asked += numbers
        return [f"unit_{99 - number}" for number in numbers]


@pytest.mark.parametrize(
    ("scores", "limit", "order", "asked"),
    [
        ((3.0, 2.0, 1.0), 3, [0, 1, 2], []),
        ((3.0, 2.0, 2.0, 1.0), 4, [0, 2, 1, 3], [1, 2]),
        ((3.0, 3.0, 2.0, 2.0), 4, [1, 0, 3, 2], [0, 1, 2, 3]),
        ((3.0, 3.0, 3.0), 1, [2], [0, 1, 2]),
        ((3.0, 2.0, 2.0), 1, [0], []),
        ((3.0, 2.0, 2.0), 2, [0, 2], [1, 2]),
        ((2.00001, 2.0), 2, [1, 0], [0, 1]),
        ((2.001, 2.0), 2, [0, 1], []),
        ((), 3, [], []),
    ],
)
def test_equal_scores_stand_in_the_order_of_ids(
    scores: tuple[float, ...], limit: int, order: list[int], asked: list[int]
) -> None:
    """To four decimals; only those that are equal are named, and only where some of them are shown."""
    names = Names()
    assert [number for number, _ in _ranking(*scores).settled(limit, names)] == order
    assert names.asked == asked


@pytest.mark.parametrize(
    ("text", "cosine", "relevance"),
    [
        ("audit log", None, "correct"),
        ("audit visitor", None, "correct"),
        ("visitor", None, "incorrect"),
        ("visitor", 0.34, "incorrect"),
        ("visitor", 0.35, "ambiguous"),
        ("visitor", 0.59, "ambiguous"),
        ("visitor", 0.6, "correct"),
        ("audit log", 0.1, "correct"),
    ],
)
def test_hit_is_judged_by_half_of_the_words_or_by_its_nearness(text: str, cosine: float | None, relevance: str) -> None:
    """Where nothing was fitted: half of the words, or a cosine of 0.6; neither words nor 0.35 is no answer."""
    asked = KnownQuestion.of(read_words("audit log"), typical(cosine))
    assert judge(asked, text, cosine).relevance == relevance


def test_one_word_in_three_is_read_with_what_holds_it() -> None:
    """Some of the words, too few of them: ambiguous, whatever the cosine up to 0.6."""
    for cosine in (None, 0.1, 0.59):
        asked = KnownQuestion.of(read_words("audit log retention"), typical(cosine))
        assert judge(asked, "audit", cosine).relevance == "ambiguous"
