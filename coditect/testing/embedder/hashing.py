"""A small embedder for tests: no files, no model, and it counts what it is asked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from snowballstemmer.english_stemmer import EnglishStemmer

from coditect.errors import ModelError
from coditect.models.cards import card_for
from coditect.models.port import FloatArray, ModelCard

__all__ = ["HashingEmbedder"]

_WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Texts that share stems are near each other; an :class:`~coditect.models.port.Embedder`.

    Each stem of a text adds one to the dimension that its hash names, or takes one away. Texts without a word have a vector of
    zeros.

    Args:
        dimension: of the vectors, > 0.
        model_id: what its vectors are stored under; also part of the hash, so that two ids give different vectors.
        fails_at: the number of the call, from 1, that raises :class:`~coditect.errors.ModelError`; 0: none.

    Attributes:
        calls: of :meth:`embed` so far.
        texts: every text that was embedded, in the order of the calls; those of a failed call are not.
    """

    def __init__(self, dimension: int = 64, model_id: str = "hashing@000000000000", *, fails_at: int = 0) -> None:
        self.calls = 0
        self.texts: list[str] = []
        self._card = card_for(model_id, dimension, name="feature hashing, for tests")
        self._fails_at = fails_at

    @property
    def card(self) -> ModelCard:
        """The general figures under the given id."""
        return self._card

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """Vectors of texts.

        Args:
            texts: any length.
            query: makes no difference.
        Returns:
            shape (len(texts), dimension), float32, rows of unit length or zeros.
        Raises:
            ModelError: this was the call that fails.
        """
        self.calls += 1
        if self.calls == self._fails_at:
            raise ModelError("the embedder failed as it was told to", call=self.calls)
        self.texts += texts
        vectors = np.zeros((len(texts), self._card.dimension), np.float64)
        for row, text in enumerate(texts):
            for word in _WORD.findall(text.casefold()):
                place, sign = self._feature(word)
                vectors[row, place] += sign
            # The words of a text may cancel out; only one without words is nothing.
            if not vectors[row].any() and _WORD.search(text):
                vectors[row, self._feature(text)[0]] = 1.0
            vectors[row] /= max(float(np.sqrt(vectors[row] @ vectors[row])), 1e-12)
        return vectors.astype(np.float32)

    def _feature(self, word: str) -> tuple[int, float]:
        digest = _digest(f"{self._card.model_id}\0{_stem(word)}")
        return int.from_bytes(digest[:8], "big") % self._card.dimension, 1.0 if digest[8] & 1 else -1.0


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return str(EnglishStemmer().stemWord(word))


@lru_cache(maxsize=100_000)
def _digest(feature: str) -> bytes:
    return hashlib.sha256(feature.encode("utf-8", "surrogatepass")).digest()
