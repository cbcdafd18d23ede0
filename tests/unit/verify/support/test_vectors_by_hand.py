"""Measures of vectors, computed by hand for an embedder that counts letters."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from coditect.models.port import FloatArray, ModelCard
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.support.features import measure
from coditect.verify.support.vectors import measure_vectors

LETTERS = "aeiou"


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


EVIDENCE = ("The clerk opens a letter each morning.", "A truck must stop behind the gate.")


def test_whole_claim_and_its_sentences_beside_each_text() -> None:
    """The best text for the claim; of its sentences the mean of their best, and the worst; and all texts together."""
    first, second = "The clerk opens the mail each morning.", "Every truck stops behind the yard gate."
    claim = f"{first} {second}"
    found, embedder = _measured(claim, EVIDENCE)
    best = [max(_cosine(part, text) for text in EVIDENCE) for part in (first, second)]
    assert found["v_best"] == pytest.approx(max(_cosine(claim, text) for text in EVIDENCE), abs=1e-6)
    assert found["v_parts_mean"] == pytest.approx(sum(best) / 2, abs=1e-6)
    assert found["v_parts_min"] == pytest.approx(min(best), abs=1e-6)
    vectors = Vowels().embed([claim, *EVIDENCE])
    middle = vectors[1] + vectors[2]
    assert found["v_all"] == pytest.approx(float(vectors[0] @ middle / np.linalg.norm(middle)), abs=1e-6)
    assert embedder.asked[0][0] == claim
    assert [text.rstrip(".") for text in embedder.asked[0][1:3]] == [first.rstrip("."), second.rstrip(".")]
    assert embedder.asked[0][3:] == list(EVIDENCE)


def test_without_new_words_nothing_of_them_is_asked() -> None:
    """They are as near as can be, and there is no gap."""
    found, embedder = _measured(EVIDENCE[0], EVIDENCE)
    told = {name: found[name] for name in ("v_local_mean", "v_local_min", "v_any_mean", "v_any_min", "v_gap", "v_low")}
    assert told == {"v_local_mean": 1, "v_local_min": 1, "v_any_mean": 1, "v_any_min": 1, "v_gap": 0, "v_low": 0}
    assert len(embedder.asked) == 1


def test_new_words_beside_those_of_their_sentence_and_of_all() -> None:
    """Near: among the words of the sentence where they belong that the claim has not; anywhere: among all."""
    found, embedder = _measured("The clerk opens a zipper and an igloo each morning.", EVIDENCE)
    known, novel = embedder.asked[1], embedder.asked[2]
    assert novel == ["zipper", "igloo"]
    assert set(known) >= {"letter", "truck", "gate"}
    anywhere = [max(_cosine(word, each) for each in known) for word in novel]
    near = [_cosine(word, "letter") for word in novel]
    assert found["v_local_mean"] == pytest.approx(sum(near) / 2, abs=1e-6)
    assert found["v_local_min"] == pytest.approx(min(near), abs=1e-6)
    assert found["v_any_mean"] == pytest.approx(sum(anywhere) / 2, abs=1e-6)
    assert found["v_any_min"] == pytest.approx(min(anywhere), abs=1e-6)
    assert found["v_gap"] == pytest.approx(max(a - b for a, b in zip(anywhere, near, strict=True)), abs=1e-6)
    assert found["v_low"] == sum(each < 0.35 for each in anywhere)


def test_new_words_of_no_sentence_are_near_nothing() -> None:
    """Where no neighbour is known, the word belongs nowhere; what is unlike all words is counted."""
    found, embedder = _measured("Zulu tutu.", ["The clerk sees the letter."])
    assert embedder.asked[2] == ["zulu", "tutu"]
    assert found["v_local_mean"] == found["v_local_min"] == 0.0
    assert found["v_any_min"] < 0.35
    assert found["v_low"] == 2.0


def test_only_the_first_texts_words_and_new_words_are_asked() -> None:
    """200 texts, 400 words of the evidence, and 40 new words."""
    evidence = [f"Item {'abcdefghij'[n // 26 % 10]}{chr(97 + n % 26)}x stands in hall ka{n}la." for n in range(260)]
    claim = " ".join(f"Zo{chr(97 + n % 26)}u{chr(97 + n // 26)}k moves." for n in range(50))
    _, embedder = _measured(claim, evidence)
    texts = embedder.asked[0]
    assert [text for text in texts if text.startswith("Item ")] == evidence[:200]
    assert len(embedder.asked[2]) == 40


def test_blank_evidence_is_measured_as_an_empty_text() -> None:
    """No text at all still gives numbers."""
    found, embedder = _measured("The clerk opens a letter.", [])
    assert embedder.asked[0][-1] == ""
    assert found["v_low"] == 0.0
    assert all(map(math.isfinite, found.values()))
