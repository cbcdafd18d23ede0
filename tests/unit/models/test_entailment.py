"""A reranker read as a judge: the best sentence of the evidence decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from coditect.models.flag.entailment import CrossEncoderEntailment
from coditect.models.port import Entailed


class Scores:
    """A reranker that scores a text by its length, and remembers what it was asked."""

    model_id = "scores/1"

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    def scores(self, query: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """A tenth for each character."""
        self.asked.append((query, tuple(texts)))
        return np.asarray([len(text) / 10 for text in texts], np.float32)


def test_best_sentence_of_the_evidence_decides() -> None:
    """Its score and its place are told, and no contradiction: a reranker knows none."""
    reranker = Scores()
    found = CrossEncoderEntailment(reranker).entails("Logs are kept.", ["a", "abcd", "ab"])
    assert found == Entailed(float(np.float32(0.4)), 0.0, 1)
    assert reranker.asked == [("Logs are kept.", ("a", "abcd", "ab"))]
    assert CrossEncoderEntailment(reranker).model_id == "scores/1"


def test_nothing_follows_from_no_evidence() -> None:
    """The model is not asked about nothing."""
    reranker = Scores()
    assert CrossEncoderEntailment(reranker).entails("Logs are kept.", []) == Entailed(0.0, 0.0, None)
    assert reranker.asked == []
