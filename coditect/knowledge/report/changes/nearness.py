"""How near texts come word for word: for each word that is looked for the best of the words that a text has.

A mean of all words hides the one that tells. "Ships are examined prior to leaving" and "Each vessel is inspected before departure"
share no word, but each word of the one is near a word of the other. Each token of a sentence has the best cosine of its static
vector to those of a text's tokens; the mean of these by how few texts hold the token, less what is expected of the length alone
(late interaction, as for the best passages of a search: ADR 76).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from coditect.knowledge.report.rankings import Scores
from coditect.models.port import FloatArray, IntArray, TokenVectors

__all__ = ["GROWTH", "TokenRanking"]

GROWTH = 0.09
"""What nearness grows by with the logarithm of the number of tokens, by chance alone; measured on passages (ADR 76)."""

_AT_ONCE = 64
"""Tokens that are compared with all texts at once: bounds memory (30 MB for 2,000 texts of 60 tokens)."""


class TokenRanking:
    """Nearness of some texts, word for word.

    What was found for a token is kept: four bytes for each different token that was asked for and each text.

    Args:
        texts: those that are ranked; at least one.
        vectors: takes texts apart.
    """

    def __init__(self, texts: Sequence[str], vectors: TokenVectors) -> None:
        self._vectors = vectors
        held = vectors.tokens(texts)
        self._lengths = np.array([len(each) for each in held], np.int64)
        self._with_words = np.flatnonzero(self._lengths)
        everything = np.concatenate([np.zeros(0, np.int64), *held])
        self._different, self._place = np.unique(everything, return_inverse=True)
        self._held = np.bincount(everything.astype(np.int64), minlength=1)
        self._rows: dict[int, int] = {}
        self._best: list[FloatArray] = []

    def scores(self, asked: Sequence[str]) -> Scores:
        """How near each text comes to each of some others.

        Args:
            asked: texts that are looked for.

        Returns:
            shape (len(asked), texts), a mean of cosines less what the length makes of it; a row of a text without tokens is the
            latter alone.
        """
        tokens = self._vectors.tokens(asked)
        self._read(np.unique(np.concatenate([np.zeros(0, np.int64), *tokens])))
        rows = np.repeat(np.arange(len(asked)), [len(each) for each in tokens])
        columns = [self._rows[token] for each in tokens for token in each.tolist()]
        worth = [self._worth(each) for each in tokens]
        weights = sparse.csr_matrix(
            (np.concatenate([np.zeros(0), *worth]), (rows, columns)), shape=(len(asked), len(self._best))
        )
        near = weights @ np.array(self._best, np.float64).reshape(len(self._best), len(self._lengths))
        return np.asarray(near - GROWTH * np.log(self._lengths + 1), dtype=np.float64)

    def _worth(self, tokens: IntArray) -> npt.NDArray[np.float64]:
        """What each token of a text counts for, by how few texts hold it; together 1."""
        held = np.where(tokens < len(self._held), self._held[np.minimum(tokens, len(self._held) - 1)], 0)
        rarity = np.log(1.0 + (len(self._lengths) - held + 0.5) / (held + 0.5))
        return np.asarray(rarity / max(float(rarity.sum()), 1e-9), dtype=np.float64)

    def _read(self, tokens: IntArray) -> None:
        """The best cosine of each text for tokens that were not asked for yet."""
        new = [token for token in tokens.tolist() if token not in self._rows]
        begins = np.cumsum(self._lengths[self._with_words]) - self._lengths[self._with_words]
        known = self._vectors.vectors(self._different)
        for first in range(0, len(new), _AT_ONCE):
            some = new[first : first + _AT_ONCE]
            cosines = self._vectors.vectors(np.asarray(some, np.int64)) @ known.T
            best = np.zeros((len(some), len(self._lengths)), np.float32)
            if len(begins):
                best[:, self._with_words] = np.maximum.reduceat(cosines[:, self._place], begins, axis=1)
            for token, row in zip(some, best, strict=True):
                self._rows[token] = len(self._best)
                self._best.append(row)
