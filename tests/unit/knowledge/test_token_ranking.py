"""How near texts come word for word: with what is kept, in pieces, and where there are no words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from coditect.knowledge.report.changes import nearness as module
from coditect.knowledge.report.changes.nearness import TokenRanking
from coditect.models.port import FloatArray, IntArray
from coditect.models.wordllama.embedder import WordLlamaEmbedder

TEXTS = [
    "A vessel is inspected before departure.",
    "Invoices are kept for six years.",
    "Vessels, ships and boats are inspected, examined and looked at before departure, sailing and leaving, each day.",
]


class Angles:
    """Tokens are letters "a" to "d", whose vectors stand at 0, 30, 60 and 90 degrees."""

    tokens_id = "angles"

    def tokens(self, texts: Sequence[str]) -> list[IntArray]:
        """Each different letter."""
        return [np.array(sorted({ord(letter) - ord("a") for letter in text}), np.int64) for text in texts]

    def vectors(self, tokens: IntArray) -> FloatArray:
        """Two dimensions."""
        angles = np.radians(30.0 * tokens)
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def test_each_token_takes_the_nearest_one_less_what_length_makes_of_it() -> None:
    """A mean by how few texts hold the token; "a" is held by none of the texts and "d" by all."""
    found = TokenRanking(["bd", "d"], Angles()).scores(["a", "d", "ad"])
    length = module.GROWTH * np.log([3.0, 2.0])
    rare, common = np.log(1.0 + 2.5 / 0.5), np.log(1.0 + 0.5 / 2.5)
    near = np.cos(np.radians([30.0, 90.0]))
    assert found[0] == pytest.approx(near - length, abs=1e-6)
    assert found[1] == pytest.approx(1.0 - length, abs=1e-6)
    assert found[2] == pytest.approx((rare * near + common) / (rare + common) - length, abs=1e-6)


def test_the_nearest_text_shares_no_word() -> None:
    """By static vectors of tokens."""
    found = TokenRanking(TEXTS, WordLlamaEmbedder()).scores(["Ships are examined prior to leaving."])[0]
    assert found[0] > found[1]


def test_what_was_asked_before_or_in_pieces_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of tokens are kept."""
    asked = ["Ships are examined.", "", "Six years of invoices."]
    whole = TokenRanking(TEXTS, WordLlamaEmbedder()).scores(asked)
    monkeypatch.setattr(module, "_AT_ONCE", 2)
    ranking = TokenRanking(TEXTS, WordLlamaEmbedder())
    assert ranking.scores(asked[2:])[0] == pytest.approx(whole[2], abs=1e-6)
    assert ranking.scores(asked) == pytest.approx(whole, abs=1e-6)


def test_texts_without_words() -> None:
    """Nothing comes near them, and they come near nothing."""
    found = TokenRanking(["", "bd"], Angles()).scores(["b", ""])
    assert found[0, 0] == 0.0
    assert found[1].tolist() == pytest.approx([0.0, -module.GROWTH * np.log(3.0)])
