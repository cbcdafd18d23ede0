"""The BM25 libraries in Python: rank_bm25 and bm25s, over the same passages and the same words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import snowballstemmer

from coditect.errors import UsageError
from coditect.language.terms import STOPWORDS
from coditect_benchmarks.retrieval.cuts import Cut
from coditect_benchmarks.retrieval.formats import Document
from coditect_benchmarks.retrieval.system import Span, optional

__all__ = ["Bm25s", "RankBm25", "words_of"]

_WORD = re.compile(r"[a-z0-9]+")
_SLOW_QUERIES = 200

_stemmer = snowballstemmer.stemmer("english")
_stems: dict[str, str] = {}


def words_of(text: str) -> list[str]:
    """Lower-cased words without stop words, stemmed; both libraries are given these, which is more than their defaults do."""
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in STOPWORDS]


def _stem(word: str) -> str:
    known = _stems.get(word)
    if known is None:
        known = _stems[word] = _stemmer.stemWord(word)
    return known


class _Arrays:
    """Passages as lists of words, scores as one array."""

    def __init__(self, cut: Cut) -> None:
        self._cut = cut
        self._passages: list[Span] = []
        self._of_document: dict[str, npt.NDArray[np.int64]] = {}

    def _take(self, documents: Sequence[Document]) -> Iterator[list[str]]:
        texts = {document.id: document.text for document in documents}
        labels = {document.id: words_of(document.label.replace("_", " ")) for document in documents}
        self._passages = self._cut(documents)
        numbers: dict[str, list[int]] = {}
        for number, passage in enumerate(self._passages):
            numbers.setdefault(passage.document, []).append(number)
        self._of_document = {name: np.array(listed, dtype=np.int64) for name, listed in numbers.items()}
        for passage in self._passages:
            yield [*labels[passage.document], *words_of(texts[passage.document][passage.start : passage.end])]

    def _best(self, scores: npt.NDArray[np.float64], k: int, within: str | None) -> list[Span]:
        """The best passages by score, equal ones in document order."""
        numbers = np.arange(len(scores)) if within is None else self._of_document.get(within, np.empty(0, np.int64))
        own = scores[numbers]
        if len(own) > k:
            kept = np.sort(np.argpartition(-own, k)[:k])
            numbers, own = numbers[kept], own[kept]
        order = np.argsort(-own, kind="stable")
        found = []
        for at in order:
            if own[at] > 0:
                passage = self._passages[int(numbers[at])]
                found.append(Span(passage.document, passage.start, passage.end, float(own[at])))
        return found


class RankBm25(_Arrays):
    """rank_bm25's BM25Okapi, which scores every passage in Python.

    Args:
        cut: makes the passages.
    Raises:
        UsageError: it is not installed.
    """

    name = "rank_bm25, 500 characters"
    most_queries: int | None = _SLOW_QUERIES

    def __init__(self, cut: Cut) -> None:
        super().__init__(cut)
        self._module = optional("rank_bm25")
        if self._module is None:
            raise UsageError("rank_bm25 is not installed")
        self._model: Any = None

    def index(self, documents: Sequence[Document]) -> None:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        assert self._module is not None
        self._model = self._module.BM25Okapi(list(self._take(documents)))

    def search(self, query: str, k: int, within: str | None = None) -> list[Span]:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        words = words_of(query)
        if within is None:
            return self._best(np.asarray(self._model.get_scores(words), dtype=np.float64), k, None)
        numbers = self._of_document.get(within, np.empty(0, np.int64))
        scores = np.zeros(len(self._passages))
        scores[numbers] = self._model.get_batch_scores(words, numbers.tolist())
        return self._best(scores, k, within)


class Bm25s(_Arrays):
    """bm25s with its default variant, which scores ahead into a sparse matrix.

    Args:
        cut: makes the passages.
    Raises:
        UsageError: it is not installed.
    """

    name = "bm25s, 500 characters"
    most_queries: int | None = None

    def __init__(self, cut: Cut) -> None:
        super().__init__(cut)
        self._module = optional("bm25s")
        if self._module is None:
            raise UsageError("bm25s is not installed")
        self._model: Any = None

    def index(self, documents: Sequence[Document]) -> None:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        assert self._module is not None
        self._model = self._module.BM25()
        self._model.index(list(self._take(documents)), show_progress=False)

    def search(self, query: str, k: int, within: str | None = None) -> list[Span]:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        words = words_of(query)
        if not words:
            return []
        return self._best(np.asarray(self._model.get_scores(words), dtype=np.float64), k, within)
