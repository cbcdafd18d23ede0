"""What words and vectors propose to answer a question, each proposal scored by both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from coditect.models.port import FloatArray, IntArray
from coditect.retrieve.local.lexical import LexicalIndex, WordRanking
from coditect.retrieve.local.meaning.dense import DenseIndex
from coditect.retrieve.port import Filter, Request, unit_number
from coditect.retrieve.words import FIELD_BOOSTS, FieldBoosts, Words

__all__ = ["Candidates", "Scored", "Scores"]

Numbers = npt.NDArray[np.int64]
Scores = npt.NDArray[np.float64]

CANDIDATES = 200
"""Units that each part proposes."""

WITHIN = 64
"""Units that each part proposes from a document that is searched by itself."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Candidates with what each part says of them; arrays of shape (n,).

    Attributes:
        numbers: of the units (:func:`~coditect.retrieve.port.unit_number`).
        rows: of their vectors; -1 for none.
        bm25: 0 where no word is in common.
        cosine: 0 where there is no vector.
    """

    numbers: Numbers
    rows: IntArray
    bm25: Scores
    cosine: Scores


class Candidates:
    """The candidates of one question over one granularity.

    Args:
        lexical: its words.
        matrix: its vectors.
        request: the question.
        allowed: rows of the vectors that may answer, increasing; None: all.
        boosts: what a word counts for by the field that it stands in.

    Attributes:
        wide: how many each part proposes.
    """

    def __init__(
        self,
        lexical: LexicalIndex,
        matrix: DenseIndex,
        request: Request,
        allowed: IntArray | None,
        boosts: FieldBoosts = FIELD_BOOSTS,
    ) -> None:
        self.lexical = lexical
        self.matrix = matrix
        self.request = request
        self.wide = max(CANDIDATES, request.limit)
        self._allowed = allowed
        self._boosts = boosts

    def by_words(self, words: Words) -> WordRanking:
        """Rank units by words alone."""
        return self.lexical.ranked(words, self.wide, boosts=self._boosts, only=self.request.only)

    def by_meaning(self, vector: FloatArray, limit: int) -> list[tuple[int, float]]:
        """Rank units by meaning alone: (row, cosine) pairs, nearest first."""
        return self.matrix.search(vector, limit, self._allowed)

    def unread(self, ranking: WordRanking) -> Scored:
        """The best by words, before anything is known of their meaning."""
        rows = self.matrix.rows_of(ranking.numbers)
        return Scored(ranking.numbers, rows, ranking.scores, np.zeros(len(rows)))

    def scored(
        self, words: Words, vector: FloatArray, documents: Sequence[str], ranking: WordRanking | None = None
    ) -> Scored:
        """What either part proposes from everywhere, and from some documents alone, each scored by both.

        Args:
            words: what is looked for.
            vector: its meaning.
            documents: searched by themselves, too.
            ranking: what the words alone find everywhere, where it is known.
        """
        ranking = ranking or self.by_words(words)
        known = dict(zip(ranking.numbers.tolist(), ranking.scores.tolist(), strict=True))
        proposed = [number for number, _ in ranking.settled(self.wide, self.item_ids)]
        near = [self.matrix.nearest(vector, self.wide, self._allowed)]
        proposed += self.matrix.numbers[near[0][0]].tolist()
        if documents:
            inside, more = self._inside(words, vector, documents, near, known.keys())
            known.update(zip(inside.numbers.tolist(), inside.scores.tolist(), strict=True))
            proposed += more
        numbers = np.asarray(list(dict.fromkeys(proposed)), dtype=np.int64)
        rows = self.matrix.rows_of(numbers)
        if not documents:
            others = self.lexical.scores(words, [each for each in proposed if each not in known], boosts=self._boosts)
            known.update(zip(others.numbers.tolist(), others.scores.tolist(), strict=True))
        # What is not known by now has no word in common.
        bm25 = np.asarray([known.get(number, 0.0) for number in numbers.tolist()], dtype=np.float64)
        return Scored(numbers, rows, bm25, self._cosines(vector, rows, near))

    def _cosines(self, vector: FloatArray, rows: IntArray, near: Sequence[tuple[IntArray, FloatArray]]) -> Scores:
        """Cosines of rows, 0 of -1; of those that were found near what was found then, which is the same to the last bit."""
        known_rows, known = (np.concatenate(each) for each in zip(*near, strict=True))
        order = np.argsort(known_rows, kind="stable")
        known_rows, known = known_rows[order], known[order]
        at = np.searchsorted(known_rows, rows)
        at[at == len(known_rows)] = 0
        is_known = known_rows[at] == rows if len(known_rows) else np.zeros(len(rows), np.bool_)
        cosine = np.zeros(len(rows), dtype=np.float64)
        cosine[is_known] = known[at[is_known]]
        others = (rows >= 0) & ~is_known
        cosine[others] = self.matrix.cosines(vector, rows[others])
        return cosine

    def _inside(
        self,
        words: Words,
        vector: FloatArray,
        documents: Sequence[str],
        near: list[tuple[IntArray, FloatArray]],
        known: Set[int],
    ) -> tuple[WordRanking, list[int]]:
        """(all that shares a word in some documents or was found near, numbers that each of these documents proposes by itself).

        One search scores both: what lies between the units that are asked for is passed over once.

        Args:
            words: what is looked for.
            vector: its meaning.
            documents: that are searched by themselves.
            near: what was found near so far; what is found in these documents is added.
            known: numbers of units whose words are known.
        """
        places = [self.matrix.document_rows(each) for each in documents]
        only = replace(self.request.only or Filter(), documents=frozenset(documents))
        asked = [each for each in self.matrix.numbers[near[0][0]].tolist() if each not in known]
        most = sum(after - first for first, after in places) + len(asked)
        found = self.lexical.ranked(words, most, boosts=self._boosts, only=only, units=asked)
        rows = self.matrix.rows_of(found.numbers)
        limit = max(WITHIN, self.request.limit)
        proposed: list[int] = []
        for document_id, (first, after) in zip(documents, places, strict=True):
            own = found.among((first <= rows) & (rows < after), limit)
            proposed += [number for number, _ in own.settled(limit, self.item_ids)]
            if self._allowed is None:
                near.append(self.matrix.nearest_of(document_id, vector, limit))
            else:
                inside = self._allowed[slice(*np.searchsorted(self._allowed, (first, after)))]
                near.append(self.matrix.nearest(vector, limit, inside))
            proposed += self.matrix.numbers[near[-1][0]].tolist()
        return found, proposed

    def item_ids(self, numbers: Sequence[int]) -> list[str]:
        """The item ids of units by their numbers, in order."""
        rows = self.matrix.rows_of(np.asarray(numbers, np.int64))
        known = iter(self.matrix.item_ids.of(rows[rows >= 0]))
        return [
            next(known) if row >= 0 else self.lexical.names(number)[0]
            for number, row in zip(numbers, rows.tolist(), strict=True)
        ]

    def documents(self, scored: Scored) -> list[str]:
        """The document id of each candidate, or ""."""
        if (scored.rows >= 0).all():
            return self.matrix.documents_of(scored.rows)
        return [
            self.matrix.document_ids[row] if row >= 0 else self.lexical.names(number)[1]
            for number, row in zip(scored.numbers.tolist(), scored.rows.tolist(), strict=True)
        ]

    def best_of_documents(self, scored: Scored, scores: Scores) -> dict[str, float]:
        """The highest score of the candidates of each document.

        Args:
            scored: the candidates.
            scores: theirs, shape (n,).
        """
        has_row = scored.rows >= 0
        best = self.matrix.document_ids.highest(scored.rows[has_row], scores[has_row])
        for number, score in zip(scored.numbers[~has_row].tolist(), scores[~has_row].tolist(), strict=True):
            document_id = self.lexical.names(number)[1]
            best[document_id] = max(best.get(document_id, score), score)
        return best

    def cosines(self, vector: FloatArray, item_ids: Iterable[str]) -> dict[str, tuple[int, float]]:
        """(0, cosine) of the units that have a vector: the gate looks at it wherever it stands in the list of the nearest."""
        ids = list(item_ids)
        rows = self.matrix.rows_of(np.asarray([unit_number(each) for each in ids], dtype=np.int64))
        known = np.flatnonzero(rows >= 0)
        values = self.matrix.cosines(vector, rows[known]).tolist()
        return {ids[at]: (0, value) for at, value in zip(known.tolist(), values, strict=True)}
