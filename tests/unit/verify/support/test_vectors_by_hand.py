"""Measures of vectors, computed by hand for an embedder that counts letters."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from coditect.models.port import FloatArray, ModelCard
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.support.features import measure
from coditect.verify.support.vectors import VECTORS, measure_vectors

LETTERS = "aeiou"
EVIDENCE = ("The clerk opens a letter each morning.", "A truck must stop behind the gate.")


class Vowels:
    """A text's vector counts its vowels, at unit length; what has none is the first axis."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    @property
    def card(self) -> ModelCard:
        """Of no model."""
        return ModelCard("vowels", len(LETTERS))

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """One vector a text, and what was asked is remembered."""
        self.asked.append(list(texts))
        rows = [[float(text.lower().count(letter)) for letter in LETTERS] for text in texts]
        return np.array([np.array(row) / np.linalg.norm(row) if any(row) else np.eye(5)[0] for row in rows], np.float32)


def _cosine(one: str, other: str) -> float:
    a, b = ([text.lower().count(letter) for letter in LETTERS] for text in (one, other))
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def _measured(claim: str, evidence: Sequence[str]) -> tuple[dict[str, float], Vowels]:
    embedder = Vowels()
    return measure_vectors(measure(claim, EvidenceIndex(evidence)), claim, embedder), embedder


def test_whole_claim_beside_sentences() -> None:
    """The nearest sentence, the mean of the three nearest (here of both), and all of them together."""
    claim = "The clerk opens the mail each morning."
    found, embedder = _measured(claim, EVIDENCE)
    near = [_cosine(claim, text) for text in EVIDENCE]
    assert found["v_best"] == pytest.approx(max(near), abs=1e-6)
    assert found["v_top"] == pytest.approx(sum(near) / 2, abs=1e-6)
    vectors = Vowels().embed([claim, *EVIDENCE])
    middle = vectors[1] + vectors[2]
    assert found["v_all"] == pytest.approx(float(vectors[0] @ middle / np.linalg.norm(middle)), abs=1e-6)
    assert embedder.asked[-1][0] == claim
    assert tuple(found) == VECTORS


def test_a_word_is_held_as_near_as_the_nearest_word_of_a_sentence() -> None:
    """The word "igloo" stands nowhere; it is held by the word that is most like it, and the words that stand there whole."""
    found, _ = _measured("Igloo.", EVIDENCE)
    words = [["clerk", "opens", "letter", "morning"], ["truck", "stop", "behind", "gate"]]
    nearest = [max(_cosine("igloo", word) for word in each) for each in words]
    assert found["soft_one"] == pytest.approx(max(nearest), abs=1e-6)
    assert found["soft_all_low"] == pytest.approx(max(nearest), abs=1e-6)
    assert _measured("The clerk opens a letter.", EVIDENCE)[0]["soft_one"] == 1.0


def test_a_number_is_held_only_where_it_stands() -> None:
    """Numbers are not like each other: 3 is not 30, whatever their vectors."""
    assert _measured("12", ["Within 12 days."])[0]["soft_one"] == 1.0
    assert _measured("12", ["Within 13 days."])[0]["soft_one"] == 0.0


def test_blank_evidence_is_measured_as_an_empty_text() -> None:
    """Nothing is near: what would be no number is 0."""
    found, embedder = _measured("A clerk waits.", [""])
    assert embedder.asked[-1] == ["A clerk waits.", ""]
    assert all(math.isfinite(value) for value in found.values())
    assert found["soft_one"] == 0.0
