"""Nearness of texts to requirements: the published formulas, computed here a second time and word by word."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

import numpy as np
import pytest

from coditect.knowledge.report.crosswalk.nearness import RequirementIndex, RequirementText, nearest, speaks_to
from coditect.language.terms import terms
from coditect.testing.embedder.hashing import HashingEmbedder

REQUIREMENTS = [
    RequirementText("Records of access are kept, and records of changes are kept.", "Records", "Logging"),
    RequirementText("Access is reviewed.", "Reviews", "Logging"),
    RequirementText("Candles are extinguished before the observatory closes at night.", "Candles", "House"),
]
TEXTS = ["Records are kept of access to records and of candles.", "Reviews of access by night", "Nothing at all"]
TITLES = ["Records", "", "Observatory"]


def _bm25(text: str, documents: Sequence[Sequence[str]]) -> list[float]:
    """Robertson and Zaragoza 2009, with k1 = 1.2 and b = 0.75 and an idf that is never negative."""
    mean = statistics.fmean(map(len, documents))
    scores = []
    for document in documents:
        score = 0.0
        for term in terms(text):
            held = sum(term in each for each in documents)
            idf = math.log((len(documents) - held + 0.5) / (held + 0.5) + 1)
            count = document.count(term)
            score += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len(document) / mean))
        scores.append(score)
    return scores


def _standard(scores: Sequence[float]) -> list[float]:
    mean, deviation = statistics.fmean(scores), statistics.pstdev(scores)
    return [(each - mean) / deviation if deviation else 0.0 for each in scores]


def _expected(*rankings: Sequence[float]) -> list[float]:
    """The sum of rankings, and the mean of each requirement's family on top."""
    summed = [sum(each) for each in zip(*map(_standard, rankings), strict=True)]
    families = [each.family for each in REQUIREMENTS]
    means = {
        name: statistics.fmean(score for score, family in zip(summed, families, strict=True) if family == name)
        for name in families
    }
    return [score + means[family] for score, family in zip(summed, families, strict=True)]


def test_nearness_by_words_is_bm25_of_text_and_heading_and_the_mean_of_the_family() -> None:
    """A heading that is missing is the text itself, and a text without any word of the framework is near to nothing."""
    documents = [terms(each.whole) for each in REQUIREMENTS]
    found = RequirementIndex(REQUIREMENTS, None).scores(TEXTS, TITLES)
    for row, text, title in zip(found, TEXTS, TITLES, strict=True):
        assert row == pytest.approx(_expected(_bm25(text, documents), _bm25(title or text, documents)))
    assert found[2] == pytest.approx(_expected([0, 0, 0], _bm25("observatory", documents)))


def test_nearness_by_meaning_adds_the_cosines_of_text_and_heading() -> None:
    """With an embedder there are four rankings, each standardised for itself."""
    embedder = HashingEmbedder()
    documents = [terms(each.whole) for each in REQUIREMENTS]
    found = RequirementIndex(REQUIREMENTS, embedder).scores(TEXTS, TITLES)
    whole = embedder.embed([each.whole for each in REQUIREMENTS])
    for row, text, title in zip(found, TEXTS, TITLES, strict=True):
        head = title or text
        cosines = [(embedder.embed([each]) @ whole.T)[0].tolist() for each in (text, head)]
        expected = _expected(_bm25(text, documents), _bm25(head, documents), *cosines)
        assert row == pytest.approx(expected, abs=1e-5)


def test_nearness_of_no_texts_is_a_table_without_rows() -> None:
    """It keeps its columns, so that it can be joined with others."""
    assert RequirementIndex(REQUIREMENTS, None).scores([], []).shape == (0, 3)


def test_nearness_to_requirements_without_words_is_nothing() -> None:
    """A framework of empty rows tells nothing apart, and nothing is divided by zero."""
    empty = [RequirementText("", "", ""), RequirementText("the", "", "of")]
    assert RequirementIndex(empty, None).scores(["Records"], [""]).tolist() == [[0.0, 0.0]]


def test_nearest_are_the_highest_and_of_equal_ones_the_first() -> None:
    """What differs in the tenth decimal is equal: machines round differently."""
    assert nearest(np.array([0.5, 0.7, 0.5 + 4e-10, 0.9]), 3) == [3, 1, 0]
    assert nearest(np.array([0.5, 0.5 + 1e-8]), 2) == [1, 0]


def test_probability_of_speaking_to_a_requirement_falls_with_the_rank() -> None:
    """The logistic regression that was fitted: of the first with a score of 4, that is 0.209, and of the second with 3, 0.122."""
    found = speaks_to(np.array([3.0, 4.0, -1.0]))
    by_hand = [
        1 / (1 + math.exp(1.7035 - 0.0932 * score + 0.7876 * math.log(1 + rank)))
        for score, rank in ((3.0, 1), (4.0, 0), (-1.0, 2))
    ]
    assert found == pytest.approx(by_hand)
    assert found[:2] == pytest.approx([0.1224, 0.2090], abs=1e-4)
