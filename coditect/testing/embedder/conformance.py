# ruff: noqa: S101 - a test suite asserts
"""What every embedder must do, as tests. An embedder's own tests subclass :class:`EmbedderConformance`.

::

    class TestWordLlama(EmbedderConformance):
        @pytest.fixture(scope="class")
        def embedder(self) -> Embedder:
            return WordLlamaEmbedder()
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from coditect.models.port import Embedder

__all__ = ["AWKWARD_TEXTS", "EmbedderConformance"]

AWKWARD_TEXTS: tuple[str, ...] = (
    "The supplier shall notify the bank within 72 hours.",
    "word",
    "§ 14.2.3 (a) “notice” – naïve café, Straße, ﬁne",
    "数据处理者应当 in 72 Stunden, déclarer l'incident",
    "e\u0301 versus \u00e9, \u200bzero width\u200b, \ufeffmark, \U0001d518 and \U0001f680",
    "tab\tnewline\ncarriage\rnull\0bell\a",
    "  spaces   before and after  ",
    "<s> </s> [CLS] [SEP] [MASK] <unk>",
    "lone half \ud83d of a pair",
    "x" * 3000,
    "1.000,50 € 1,000.50 $ 10^6",
)
"""Texts with at least one word that a compliance archive may hold."""

_UNIT = 1e-5


class EmbedderConformance:
    """Subclass it, say in a fixture ``embedder`` which embedder is meant, and every test runs against it."""

    long_text_words = 3000
    """Words of the text in :meth:`test_embed_reads_a_long_text`; fewer where a model is slow."""

    trained = True
    """Whether the vectors mean anything; random weights keep every other rule."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        """The embedder under test."""
        raise NotImplementedError

    def test_card_names_the_model(self, embedder: Embedder) -> None:
        """A card holds an id that ends with digits of the weights' hash, and the dimension of the vectors."""
        name, _, digits = embedder.card.model_id.rpartition("@")
        assert name
        assert len(digits) >= 12
        assert embedder.embed(["word"]).shape == (1, embedder.card.dimension)

    def test_embed_of_no_text_is_empty(self, embedder: Embedder) -> None:
        """No text gives no row, of the right width and type."""
        vectors = embedder.embed([])
        assert vectors.shape == (0, embedder.card.dimension)
        assert vectors.dtype == np.float32

    @pytest.mark.parametrize("query", [False, True])
    def test_embed_gives_unit_rows(self, embedder: Embedder, query: bool) -> None:
        """Vectors are float32, finite and of unit length, whatever the text holds."""
        vectors = embedder.embed(AWKWARD_TEXTS, query=query)
        assert vectors.dtype == np.float32
        assert vectors.shape == (len(AWKWARD_TEXTS), embedder.card.dimension)
        assert np.isfinite(vectors).all()
        assert np.abs(np.linalg.norm(vectors, axis=1) - 1.0).max() < _UNIT

    @pytest.mark.parametrize("query", [False, True])
    def test_embed_of_an_empty_string_is_zeros(self, embedder: Embedder, query: bool) -> None:
        """An empty string has no direction, alone and among others."""
        assert not embedder.embed([""], query=query).any()
        mixed = embedder.embed(["", "word", ""], query=query)
        assert mixed.any(axis=1).tolist() == [False, True, False]

    @pytest.mark.parametrize("query", [False, True])
    def test_embed_does_not_depend_on_the_batch(self, embedder: Embedder, query: bool) -> None:
        """A text's vector has the same bytes alone, in any batch, at any place, among longer and shorter texts."""
        texts = [*AWKWARD_TEXTS, "", *(" ".join(["clause"] * count) for count in range(1, 40, 3))]
        together = embedder.embed(texts, query=query)
        alone = np.concatenate([embedder.embed([text], query=query) for text in texts])
        assert _rows(together) == _rows(alone)
        assert _rows(embedder.embed(texts[::-1], query=query)) == _rows(together)[::-1]
        assert _rows(embedder.embed(texts[3:7], query=query)) == _rows(together)[3:7]

    def test_embed_is_repeatable(self, embedder: Embedder) -> None:
        """The same call gives the same bytes."""
        assert embedder.embed(AWKWARD_TEXTS).tobytes() == embedder.embed(AWKWARD_TEXTS).tobytes()

    def test_embed_takes_any_sequence(self, embedder: Embedder) -> None:
        """A tuple of texts is as good as a list, and neither is changed."""
        texts = ["one clause", "another clause"]
        kept: Sequence[str] = tuple(texts)
        assert _rows(embedder.embed(texts)) == _rows(embedder.embed(kept))
        assert texts == list(kept)

    def test_embed_reads_a_long_text(self, embedder: Embedder) -> None:
        """A text far beyond what a model reads is no error."""
        text = " ".join(f"word{number}" for number in range(self.long_text_words))
        vectors = embedder.embed([text, "short"])
        assert np.abs(np.linalg.norm(vectors, axis=1) - 1.0).max() < _UNIT

    def test_embed_puts_like_texts_together(self, embedder: Embedder) -> None:
        """A text is nearer to a paraphrase with its words than to one about something else."""
        if not self.trained:
            pytest.skip("random weights know no meaning")
        text, near, far = embedder.embed(
            [
                "The supplier shall notify the bank of an incident within 72 hours.",
                "Incidents: suppliers shall notify banks of every incident within 72 hours.",
                "Chocolate cake recipes need butter, eggs, sugar.",
            ]
        )
        assert text @ near > text @ far


def _rows(vectors: np.ndarray) -> list[bytes]:
    return [row.tobytes() for row in vectors]
