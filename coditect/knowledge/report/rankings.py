"""Rankings of texts by words and by meaning, as crosswalks and work lists use them: BM25 in matrices, and how scores are joined.

How rare a word is, is counted in the texts that are ranked alone: what a sentence ranks depends on no other document.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from coditect.language.terms import terms

__all__ = ["Groups", "Scores", "TextRanking", "standardised"]

Scores = npt.NDArray[np.float64]

# Robertson and Zaragoza 2009, the usual values.
_K1 = 1.2
_B = 0.75


class TextRanking:
    """BM25 over some texts.

    Args:
        texts: those that are ranked; at least one.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(terms(each)) for each in texts]
        frequency = Counter(word for each in counts for word in each)
        self._words = {word: number for number, word in enumerate(sorted(frequency))}
        lengths = [each.total() for each in counts]
        mean = sum(lengths) / max(1, len(counts)) or 1.0
        self._rarity = {word: _rarity(len(counts), held) for word, held in frequency.items()}
        self._unknown = _rarity(len(counts), 0)
        rows, columns, values = [], [], []
        for number, each in enumerate(counts):
            norm = _K1 * (1.0 - _B + _B * lengths[number] / mean)
            for word, count in sorted(each.items()):
                rows.append(self._words[word])
                columns.append(number)
                values.append(self._rarity[word] * count * (_K1 + 1.0) / (count + norm))
        self._weights = sparse.csr_matrix((values, (rows, columns)), shape=(len(self._words), len(counts)))

    def scores(self, asked: Sequence[str]) -> Scores:
        """What each text scores for each of some others.

        Args:
            asked: texts that are looked for.

        Returns:
            shape (len(asked), texts), >= 0.
        """
        rows, columns, values = [], [], []
        for number, text in enumerate(asked):
            for word, count in Counter(terms(text)).items():
                at = self._words.get(word)
                if at is not None:
                    rows.append(number)
                    columns.append(at)
                    values.append(float(count))
        found = sparse.csr_matrix((values, (rows, columns)), shape=(len(asked), len(self._words)))
        return np.asarray((found @ self._weights).todense(), dtype=np.float64)

    def weight(self, words: Sequence[str]) -> float:
        """How rare some words are together; one that no text has is the rarest."""
        return math.fsum(self._rarity.get(word, self._unknown) for word in words)


def _rarity(texts: int, holding: int) -> float:
    return math.log(1.0 + (texts - holding + 0.5) / (holding + 0.5))


class Groups:
    """Which texts belong together: the requirements of a family, the provisions of a section.

    Args:
        names: the group of each text.
    """

    def __init__(self, names: Sequence[str]) -> None:
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        self._member = np.zeros((len(numbers), len(names)))
        for at, name in enumerate(names):
            self._member[numbers[name], at] = 1.0
        self._mean = self._member / self._member.sum(axis=1, keepdims=True)

    def means(self, scores: Scores) -> Scores:
        """For each text the mean score of its group; of the same shape."""
        return np.asarray((scores @ self._mean.T) @ self._member, dtype=np.float64)


def standardised(scores: Scores) -> Scores:
    """Each row with mean 0 and deviation 1; a row that tells nothing apart is all zeros."""
    deviation = scores.std(axis=1, keepdims=True)
    return np.asarray(
        np.divide(
            scores - scores.mean(axis=1, keepdims=True), deviation, out=np.zeros_like(scores), where=deviation > 1e-9
        ),
        dtype=np.float64,
    )
