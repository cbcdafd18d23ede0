"""Which provision a sentence of another document speaks of, by its words.

A sentence is linked to the provision that says most of it, out of *all* provisions of the documents that changed, not only of those
that changed: what is closer to something that stayed does not rest on what moved. Words weigh by how rare they are.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from coditect.language.terms import terms

__all__ = ["LEAST_SAID", "ProvisionLinks"]

LEAST_SAID = 0.4
"""Share of a sentence's words, by weight, that a provision says at least."""

AS_CLOSE = 0.97
"""Share of the best provision's score from which another one is as close."""

FEWEST = 3
"""Words that sentence and provision have in common, at least."""

_CONTEXT = 0.4
"""What a word in the headings around a provision counts, beside one of its own."""


class ProvisionLinks:
    """An index of provisions by their words.

    Args:
        texts: (the provision's own words, those of headings and lead-ins around it), by number.
    """

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        self._postings: dict[str, dict[int, float]] = defaultdict(dict)
        for number, (own, around) in enumerate(texts):
            for word in terms(around):
                self._postings[word][number] = _CONTEXT
            for word in terms(own):
                self._postings[word][number] = 1.0
        self._own = [Counter(terms(own)) for own, _ in texts]
        self._weight = {word: math.log(1.0 + len(texts) / len(found)) for word, found in self._postings.items()}
        self._unknown = math.log(1.0 + len(texts))
        self._norm = [1.0 + 0.1 * math.log(1.0 + len(each)) for each in self._own]

    def closest(self, sentence: str) -> list[tuple[int, float]]:
        """(number, share of the sentence's words that it says) of the provisions that say most of it; none that say enough.

        Args:
            sentence: of another document.
        """
        words = frozenset(terms(sentence))
        whole = math.fsum(self._weight.get(word, self._unknown) for word in words)
        said: dict[int, float] = defaultdict(float)
        shared: Counter[int] = Counter()
        for word in sorted(words):
            for number, count in self._postings.get(word, {}).items():
                said[number] += count * self._weight[word]
                shared[number] += 1
        if not said or not whole:
            return []
        scores = {number: value / self._norm[number] for number, value in said.items() if shared[number] >= FEWEST}
        if not scores:
            return []
        best = max(scores.values())
        close = sorted((-said[n], n) for n, score in scores.items() if score >= AS_CLOSE * best)
        return [(n, round(-value / whole, 4)) for value, n in close if -value / whole >= LEAST_SAID]
