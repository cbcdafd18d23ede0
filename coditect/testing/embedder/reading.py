"""The small embedder for tests, which gives the vectors of tokens, too."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

import numpy as np

from coditect.models.port import FloatArray, ReadTokens
from coditect.models.rows import unit_rows
from coditect.testing.embedder.hashing import HashingEmbedder

__all__ = ["ReadingHashingEmbedder"]

_WORD = re.compile(r"\w+")
_WIDTH = 16


class ReadingHashingEmbedder(HashingEmbedder):
    """A :class:`~coditect.models.port.ReadingEmbedder` whose tokens are words; what one means depends on the one before it, too."""

    reading = "hashing1"

    def read(self, texts: Sequence[str], *, query: bool = False) -> tuple[FloatArray, tuple[ReadTokens, ...]]:
        """Vectors of texts and of their words.

        Args:
            texts: any length.
            query: makes no difference.
        Raises:
            ModelError: this was the call that fails.
        """
        return self.embed(texts, query=query), tuple(_read(_WORD.findall(text.casefold())) for text in texts)


def _read(words: Sequence[str]) -> ReadTokens:
    ids = np.asarray([int.from_bytes(_digest(word)[:2], "big") for word in words], np.int64)
    own = np.asarray([_features(word) for word in words], np.float32).reshape(-1, _WIDTH)
    before = np.vstack([np.zeros((1, _WIDTH), np.float32), own[:-1]])[: len(own)]
    return ReadTokens(ids, unit_rows(own + np.float32(0.25) * before))


def _features(word: str) -> list[float]:
    return [1.0 if byte & 1 else -1.0 for byte in _digest(word)[:_WIDTH]]


def _digest(word: str) -> bytes:
    return hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
