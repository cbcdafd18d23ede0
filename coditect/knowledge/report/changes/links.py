"""Which provision a sentence of another document speaks of, by its words.

A sentence is linked to the provisions that rank first for it (BM25, over their own words and, with less weight, those of the
headings and lead-ins around them), out of *all* provisions of the documents that changed, not only of those that changed: what is
closer to something that stayed does not rest on what moved.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from coditect.language.terms import terms

__all__ = ["AS_CLOSE", "LEAST_LIKE", "ProvisionLinks"]

LEAST_LIKE = 0.25
"""Score of the best provision, as a share of the weight of the sentence's words, below which the sentence speaks of none."""

AS_CLOSE = 0.85
"""Share of the best provision's score from which another one is as close."""

_AROUND = 0.3
"""What the words of a provision together with those around it count, beside its own."""

_K1, _B = 1.2, 0.75
"""Saturation and length of BM25 as they are usually set (Robertson and Zaragoza 2009)."""


class _Ranking:
    """BM25 over some texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        counts = [Counter(terms(text)) for text in texts]
        lengths = [sum(each.values()) for each in counts]
        mean = sum(lengths) / max(len(lengths), 1) or 1.0
        self._scores: dict[str, dict[int, float]] = defaultdict(dict)
        for number, (each, length) in enumerate(zip(counts, lengths, strict=True)):
            for word, count in each.items():
                self._scores[word][number] = count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * length / mean))
        self._unknown = math.log(1.0 + (len(texts) + 0.5) / 0.5)
        self._weights = {
            word: math.log(1.0 + (len(texts) - len(found) + 0.5) / (len(found) + 0.5))
            for word, found in self._scores.items()
        }

    def add(self, words: Sequence[str], share: float, scores: dict[int, float]) -> None:
        """Add a share of what the texts score for some words."""
        for word in words:
            for number, score in self._scores.get(word, {}).items():
                scores[number] += share * self._weights[word] * score

    def weight(self, words: Sequence[str]) -> float:
        """What some words weigh together; a word that no text holds is the rarest."""
        return math.fsum(self._weights.get(word, self._unknown) for word in words)


class ProvisionLinks:
    """An index of provisions by their words.

    Args:
        texts: (the provision's own words, those of headings and lead-ins around it), by number.
    """

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        self._own = _Ranking([own for own, _ in texts])
        self._around = _Ranking([f"{around} {own}" for own, around in texts])

    def closest(self, sentence: str) -> list[tuple[int, float]]:
        """(number, likeness) of the provisions that a sentence speaks of, the closest first; none where none is close enough.

        Args:
            sentence: of another document.
        """
        words = sorted(set(terms(sentence)))
        scores: dict[int, float] = defaultdict(float)
        self._own.add(words, 1.0, scores)
        self._around.add(words, _AROUND, scores)
        weight = self._own.weight(words)
        if not scores or not weight:
            return []
        best = max(scores.values())
        if best < LEAST_LIKE * weight:
            return []
        return [
            (number, round(score / weight, 4))
            for score, number in sorted(
                ((score, number) for number, score in scores.items()), key=lambda p: (-p[0], p[1])
            )
            if score >= AS_CLOSE * best
        ]
