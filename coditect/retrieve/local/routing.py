"""From a question to documents: which are meant, and which of its words only say so.

"Consider the Reseller Agreement between A and B: when does it end?" names a document with most of its words. They find the
document, and inside it they find its preamble. So the document is found first; then words that stand in what names it (title,
file name, beginning) count for little, the less the surer it is that this document is meant (ADR 0017).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from coditect.retrieve.local.lexical import LexicalIndex, WordRanking
from coditect.retrieve.local.names import Names
from coditect.retrieve.local.parameters import RANKING, RankingParameters
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.port import Background, Filter, unit_number
from coditect.retrieve.recent import Recent
from coditect.retrieve.units import HEAD_CHARACTERS, head_of
from coditect.retrieve.words import FieldBoosts, Words, stems
from coditect.store.view import View

__all__ = ["Closeness", "Route", "Router"]

DOCUMENTS = 50
"""Documents that are scored as a whole."""

SEARCHED = 3
"""Best documents that are searched by themselves."""

HEAD_WEIGHT = 0.5
"""What a word of a document's beginning counts for, beside its text."""

NAMED_FROM = 0.3
"""Likelihood of a document from which it is read as named."""

LEAST_FACTOR = 0.01
"""A word that only names the document still tells its passages apart where nothing else does."""

DROPPED_BELOW = 0.5
"""Words that count for less are not embedded."""

LONG = 5 * HEAD_CHARACTERS
"""Characters from which a document has a beginning that names it, and a rest that is searched."""

KEPT_HEADS = 2_000
"""Documents whose beginnings are kept in memory."""

KEPT_NUMBERS = 4
"""Generations whose documents are kept in memory by number."""

_TEXT = FieldBoosts(text=1.0, heading=0.0, context=0.0, title=0.0)
_HEAD = FieldBoosts(text=0.0, heading=1.0, context=0.0, title=0.0)
_NAMED = FieldBoosts(text=1.0, heading=HEAD_WEIGHT, context=0.0, title=0.0)


@dataclass(frozen=True, slots=True)
class Closeness:
    """How close whole documents are to a question.

    Attributes:
        scores: by document id, BM25 of text and beginning by their maxima, higher is closer; documents without one have 0.
        likely: by document id, how likely the question means this one of all by the names in it, 0..1; of those that may
            answer and are long enough to have a beginning that names them.
        said: by document id, what share of the question its name says, 0..1; documents without one have 0.
    """

    scores: Mapping[str, float]
    likely: Mapping[str, float]
    said: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Route:
    """The documents that a question is about, and what its words count for inside them.

    Attributes:
        scores: by document id, what being in it adds to a passage's score; documents without one have 0.
        best: the best few, best first; empty where the question names none.
        factors: by stem, what a word of the question counts for inside the documents; words that are not named count whole.
    """

    scores: Mapping[str, float]
    best: tuple[str, ...]
    factors: Mapping[str, float]

    @property
    def dropped(self) -> frozenset[str]:
        """Stems that only say which document is meant."""
        return frozenset(stem for stem, factor in self.factors.items() if factor < DROPPED_BELOW)


class Router:
    """Routes questions to documents. Safe for threads.

    Args:
        replicas: hold the index of whole documents.
        ranking: what a document counts for beside its passage's score.
    """

    def __init__(self, replicas: Replicas, ranking: RankingParameters = RANKING) -> None:
        self.replicas = replicas
        self._ranking = ranking
        self._heads: Recent[str, frozenset[str]] = Recent(KEPT_HEADS)
        self._names = Names()
        self._numbered: Recent[str, dict[int, str]] = Recent(KEPT_NUMBERS)

    def closeness(
        self, view: View, words: Words, allowed: frozenset[str] | None, asked: Background | None = None
    ) -> Closeness:
        """How close whole documents are to a question.

        Args:
            view: the generation.
            words: of the question.
            allowed: documents that may answer; None: all.
            asked: what the question's words are worth among the units that are searched; None: names say nothing.
        """
        index = self.replicas.index(view, "document")
        only = None if allowed is None else Filter(documents=allowed)
        scores: dict[str, float] = {}
        for boosts, weight in ((_TEXT, 1.0), (_HEAD, HEAD_WEIGHT)):
            found = self._found(view, index.ranked(words, DOCUMENTS, boosts=boosts, only=only))
            highest = max(found.values(), default=1.0)
            for document_id, score in found.items():
                scores[document_id] = scores.get(document_id, 0.0) + weight * score / highest
        # Among all documents: that a question is limited to one makes no word a name. A short one begins with all that it says.
        likely = _likely(self._found(view, index.ranked(_names(index, words), DOCUMENTS, boosts=_NAMED)))
        named = {each: p for each, p in likely.items() if view.document(each).text_length >= LONG}
        likely = {each: p for each, p in named.items() if allowed is None or each in allowed}
        return Closeness(scores, likely, {} if asked is None else self._names.said(view, index, self._ids(view), asked))

    def route(self, view: View, words: Words, passages: Mapping[str, float], close: Closeness) -> Route:
        """Which documents a question is about.

        Args:
            view: the generation.
            words: of the question.
            passages: the score of the best passage of a document, by document id.
            close: what :meth:`closeness` says of the question.
        """
        own = self._ranking
        scores = _weighed(passages, close, own.closeness_named, 1.0)
        best = sorted(scores, key=lambda document: (-scores[document], document))[:SEARCHED]
        factors = self._factors(view, words, best[0], close.likely.get(best[0], 0.0)) if best else {}
        if factors:
            return Route(scores, tuple(best), factors)
        return Route(_weighed(passages, close, own.closeness_other, own.likely_other, own.said_other), (), {})

    def _found(self, view: View, ranking: WordRanking) -> dict[str, float]:
        """Whole documents by id, best first, with their BM25."""
        ids = self._ids(view)
        found = ranking.settled(DOCUMENTS, lambda numbers: [ids[number] for number in numbers])
        return {ids[number]: score for number, score in found}

    def _ids(self, view: View) -> dict[int, str]:
        """The documents of a generation by number; kept for the next question."""
        return self._numbered.get(view.shown_as, lambda: {unit_number(each): each for each in view.entries})

    def _factors(self, view: View, words: Words, document_id: str, likelihood: float) -> dict[str, float]:
        """What the words of the question that stand in a document's beginning count for inside it; none: it is not named.

        They only say which document is meant as surely as it is this one. If all words stand there, they keep their proportions.
        """
        if likelihood < NAMED_FROM or len(view.entries) < 2:
            return {}
        head = self._head(view, document_id)
        return {stem: max(1 - likelihood, LEAST_FACTOR) for stem in words.weights if stem in head}

    def _head(self, view: View, document_id: str) -> frozenset[str]:
        version = view.document(document_id)
        return self._heads.get(version.version_id, lambda: frozenset(stems(head_of(version, view.text_of(version)))))


def _weighed(
    passages: Mapping[str, float], close: Closeness, closeness: float, likely: float, said: float = 0.0
) -> dict[str, float]:
    """What being in a document adds to a passage's score, by document id."""
    return {
        each: closeness * (passages.get(each, 0.0) + close.scores.get(each, 0.0))
        + likely * close.likely.get(each, 0.0)
        + said * close.said.get(each, 0.0)
        for each in dict.fromkeys(chain(passages, close.scores, close.likely, close.said))
    }


def _names(index: LexicalIndex, words: Words) -> Words:
    """The words of a question, as far as they are names.

    A name stands at the beginning of nearly every document that holds it, a topic at that of few: each word counts for the share.

    Args:
        index: of whole documents.
        words: of the question.
    """
    shares = {}
    for stem in words.weights:
        inside = index.frequency("text", stem)
        shares[stem] = min(1.0, index.frequency("heading", stem) / inside) if inside else 0.0
    return replace(words.weighted(shares), phrases=())


def _likely(named: Mapping[str, float]) -> dict[str, float]:
    """How likely a question means each document by the names in it, summing to 1.

    BM25 is a sum of logarithms of odds, so its exponential is the odds: if a name stands in one document alone, nearly all of the
    likelihood is there. Names that stand in all leave it spread over all.

    Args:
        named: BM25 of the names in text and beginning together, by document id.
    """
    highest = max(named.values(), default=0.0)
    odds = {each: math.exp(score - highest) for each, score in named.items()}
    total = sum(odds.values())
    return {each: value / total for each, value in odds.items()}
