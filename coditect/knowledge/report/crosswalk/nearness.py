"""How near texts are to the requirements of a framework: by words, by meaning, by what they are headed, and by family.

A requirement is its own words with its title and the heading above it. Four rankings are made of it: BM25 and the cosine of the
whole text, and the same of the text's heading. Each is standardised over the framework (mean 0, deviation 1), they are summed, and
the mean of a requirement's family is added: a text on one matter speaks to several requirements of it. Nothing is fitted.
How rare a word is, is counted in the framework alone, so that what a document answers depends on no other document (ADR 55).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coditect.knowledge.report.rankings import Groups, Scores, TextRanking, standardised
from coditect.models.port import Embedder, FloatArray

__all__ = ["NEARNESS", "RequirementIndex", "RequirementText", "Scores", "nearest", "speaks_to"]

NEARNESS = "nearness/1"
"""Version of what is computed here."""

_BIAS, _SCORE, _RANK = -1.7035, 0.0932, -0.7876


@dataclass(frozen=True, slots=True)
class RequirementText:
    """What a requirement says, for ranking.

    Attributes:
        statement: all of its parts.
        title: of the requirement.
        family: the heading above it.
    """

    statement: str
    title: str
    family: str

    @property
    def whole(self) -> str:
        """Heading, title and statement."""
        return " ".join(filter(None, (self.family, self.title, self.statement)))


class RequirementIndex:
    """The requirements of a framework, ready to be ranked.

    Args:
        requirements: in the framework's order; at least one.
        embedder: None leaves meaning out.
    """

    def __init__(self, requirements: Sequence[RequirementText], embedder: Embedder | None) -> None:
        self._embedder = embedder
        whole = [each.whole for each in requirements]
        self._words = TextRanking(whole)
        self._vectors: FloatArray | None = embedder.embed(whole) if embedder is not None else None
        self._families = Groups([each.family for each in requirements])
        self._count = len(whole)

    def scores(self, texts: Sequence[str], titles: Sequence[str]) -> Scores:
        """How near each text is to each requirement.

        Args:
            texts: a statement, a section or a whole document each.
            titles: what each is headed; "" counts as the text itself.

        Returns:
            shape (len(texts), requirements); higher is nearer, comparable within a row.
        """
        if not texts:
            return np.zeros((0, self._count))
        heads = [title or text for text, title in zip(texts, titles, strict=True)]
        total = standardised(self._words.scores(texts)) + standardised(self._words.scores(heads))
        if self._embedder is not None and self._vectors is not None:
            for each in (texts, heads):
                vectors = self._embedder.embed(each)
                total += standardised((vectors @ self._vectors.T).astype(np.float64))
        return np.asarray(total + self._families.means(total), dtype=np.float64)


def nearest(scores: Scores, limit: int) -> list[int]:
    """The numbers of the highest scores of one row, best first, equal ones in order."""
    return [int(each) for each in np.argsort(-np.round(scores, 9), kind="stable")[:limit]]


def speaks_to(scores: Scores) -> Scores:
    """The probability that a document speaks to each requirement of a framework.

    A logistic regression on the score and on the rank, fitted on the mapping of procedures to seven standards that the module
    ``coditect_benchmarks.crosswalk`` names, its development half: 35,861 pairs, of which 2.2 % are mapped. With each standard left
    out in turn AUROC is 0.87; of pairs at 0.2 to 0.3 people had mapped 23 %, at 0.4 to 0.5 46 %, at 0.6 to 0.7 62 %.

    Args:
        scores: of a whole document, shape (requirements,).
    """
    rank = np.empty(len(scores))
    rank[nearest(scores, len(scores))] = np.arange(len(scores))
    return np.asarray(1.0 / (1.0 + np.exp(-(_BIAS + _SCORE * scores + _RANK * np.log1p(rank)))), dtype=np.float64)
