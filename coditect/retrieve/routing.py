"""From a question to documents: which are meant, and which of its words only say so.

"Consider the Reseller Agreement between A and B: when does it end?" names a document with most of its words. They find the
document, and inside it they find its preamble. So the document is found first; then words that stand in what names it (title,
file name, beginning) and in few other documents count for little (ADR 0017).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from coditect.retrieve.lexical import FieldBoosts
from coditect.retrieve.port import Filter, unit_number
from coditect.retrieve.replica import Replicas
from coditect.retrieve.units import HEAD_CHARACTERS, head_of
from coditect.retrieve.words import Words, stems
from coditect.store.view import View

__all__ = ["Route", "Router"]

DOCUMENTS = 50
"""Documents that are scored as a whole."""

SEARCHED = 3
"""Best documents that are searched by themselves."""

HEAD_WEIGHT = 0.5
LEAST_WEIGHT, NAMED_WEIGHT = 0.3, 0.5
"""What a document's score counts for beside its passage's: always, and more if the question names it."""

SURPLUS = 1.0
"""How often a question must say over again which document it means until it surely does."""

DAMPING = 3.0
"""How fast a word that names the document loses its weight with its rarity."""

DROPPED_BELOW = 0.5
"""Words that count for less are not embedded."""

LONG = 5 * HEAD_CHARACTERS
"""Characters from which a document has a beginning that names it, and a rest that is searched."""

KEPT_HEADS = 2_000

_TEXT = FieldBoosts(text=1.0, heading=0.0, context=0.0, title=0.0)
_HEAD = FieldBoosts(text=0.0, heading=1.0, context=0.0, title=0.0)


@dataclass(frozen=True, slots=True)
class Route:
    """Which documents a question is about.

    Attributes:
        scores: by document id, higher is better; documents without one have 0.
        best: the best few, best first; empty where the question names none.
        weight: what a document's score counts for.
        factors: by stem, what a word of the question counts for inside the documents; words that are not named count whole.
    """

    scores: Mapping[str, float]
    best: tuple[str, ...]
    weight: float
    factors: Mapping[str, float]

    @property
    def dropped(self) -> frozenset[str]:
        """Stems that only say which document is meant."""
        return frozenset(stem for stem, factor in self.factors.items() if factor < DROPPED_BELOW)


class Router:
    """Routes questions to documents.

    Args:
        replicas: hold the index of whole documents.
    """

    def __init__(self, replicas: Replicas) -> None:
        self.replicas = replicas
        self._heads: dict[str, frozenset[str]] = {}
        self._numbered: tuple[str, dict[int, str]] = ("", {})

    def route(self, view: View, words: Words, passages: Mapping[str, float], allowed: frozenset[str] | None) -> Route:
        """Which documents a question is about.

        Args:
            view: the generation.
            words: of the question.
            passages: the score of the best passage of a document, by document id.
            allowed: documents that may answer; None: all.
        """
        index = self.replicas.index(view, "document")
        only = None if allowed is None else Filter(documents=allowed)
        ids = self._ids(view)
        scores = dict(passages)
        for boosts, weight in ((_TEXT, 1.0), (_HEAD, HEAD_WEIGHT)):
            ranking = index.ranked(words, DOCUMENTS, boosts=boosts, only=only)
            found = ranking.settled(DOCUMENTS, lambda numbers: [ids[number] for number in numbers])
            for number, score in found:
                scores[ids[number]] = scores.get(ids[number], 0.0) + weight * score / found[0][1]
        if not scores:
            return Route({}, (), 0.0, {})
        best = sorted(scores, key=lambda document: (-scores[document], document))[:SEARCHED]
        named, factors = self._naming(view, words, best[0])
        return Route(scores, tuple(best) if factors else (), LEAST_WEIGHT + NAMED_WEIGHT * named, factors)

    def _ids(self, view: View) -> dict[int, str]:
        """The documents of a generation by number; kept for the next question."""
        if self._numbered[0] != view.manifest.build_id:
            self._numbered = (view.manifest.build_id, {unit_number(each): each for each in view.entries})
        return self._numbered[1]

    def _naming(self, view: View, words: Words, document_id: str) -> tuple[float, dict[str, float]]:
        """(how surely the question names the document, 0..1; what the words that do so count for inside it)."""
        index = self.replicas.index(view, "document")
        total = len(view.entries)
        head = self._head(view, document_id)
        naming = {stem: index.frequency("text", stem) for stem in words.weights if stem in head}
        if total < 2 or not naming or view.document(document_id).text_length < LONG:
            return 0.0, {}
        bits = sum(math.log(1 + (total - df + 0.5) / (df + 0.5)) for df in naming.values())
        # Does the question carry the information that singles out one document of so many, several times over? Some of its
        # words stand in any document's beginning by chance.
        surplus = bits / math.log(total + 1) - 1
        named = min(1.0, max(0.0, surplus / SURPLUS))
        if named == 0.0:
            return 0.0, {}
        factors = {}
        for stem, df in naming.items():
            share = (df + 0.5) / (total + 1)
            factors[stem] = 1 - named * (1 - share / (share + DAMPING))
        return named, factors

    def _head(self, view: View, document_id: str) -> frozenset[str]:
        version = view.document(document_id)
        if version.version_id not in self._heads:
            if len(self._heads) >= KEPT_HEADS:
                self._heads.clear()
            self._heads[version.version_id] = frozenset(stems(head_of(version, view.text_of(version))))
        return self._heads[version.version_id]
