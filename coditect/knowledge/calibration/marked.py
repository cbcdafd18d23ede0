"""Relevance marks as cases: what the gate and the fusion see of a marked item when its question is asked again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from coditect.errors import Corrupt
from coditect.knowledge.calibration.cases import Cases, Floats
from coditect.knowledge.calibration.marks import marks_in_force
from coditect.knowledge.calibration.regression import Figures
from coditect.knowledge.query.items import heading_of, items_of, text_of
from coditect.knowledge.query.opened import Opened
from coditect.models.port import FusionParameters, GateParameters
from coditect.retrieve.gate.relevance import FEATURES, features, typical
from coditect.retrieve.port import Answer, Found, Request, Searcher
from coditect.retrieve.words import read_words
from coditect.schemas import Granularity, RelevanceMark

__all__ = ["REACH", "MarkedHit", "MarkedHits", "known_fusion", "known_gate", "marked_hits"]

REACH = 200
"""Hits of a question among which a marked item is looked for."""

_PAIRS_OF_A_QUESTION = 20
"""Pairs of a relevant and another hit of one question, at most: a question with many marks is still one question."""


@dataclass(frozen=True, slots=True)
class MarkedHit:
    """A marked item as its question finds it today.

    Attributes:
        mark: what was said of it.
        seen: what the gate's regression sees, in the order of its features.
        words: what the words contribute to its score, 0..1; None where the searcher joins scores by a rule of its own.
        cosine: of question and item; likewise.
    """

    mark: RelevanceMark
    seen: tuple[float, ...]
    words: float | None
    cosine: float | None


@dataclass(frozen=True, slots=True)
class MarkedHits:
    """All marks in force that could be measured.

    Attributes:
        hits: by question, then item.
        embedder: id of the model that took part in the search; "" for none.
        left_out: marks that could not be measured, by reason.
    """

    hits: tuple[MarkedHit, ...]
    embedder: str
    left_out: Mapping[str, int]

    @property
    def gate_cases(self) -> Cases:
        """One case for each hit: is it relevant?"""
        return Cases(
            np.asarray([hit.seen for hit in self.hits], np.float64).reshape(-1, len(FEATURES)),
            np.asarray([hit.mark.relevant for hit in self.hits], np.int64),
            tuple((*hit.mark.documents, _question(hit.mark)) for hit in self.hits),
            self.left_out,
        )

    @property
    def fusion_cases(self) -> Cases:
        """Each pair of a relevant and another hit of one question, and its mirror image: is the first the relevant one?"""
        by_question: dict[tuple[str, str], list[MarkedHit]] = defaultdict(list)
        for hit in self.hits:
            if hit.words is not None and hit.cosine is not None:
                by_question[hit.mark.query, hit.mark.tier].append(hit)
        rows: list[Floats] = []
        documents: list[tuple[str, ...]] = []
        for hits in by_question.values():
            pairs = product([h for h in hits if h.mark.relevant], [h for h in hits if not h.mark.relevant])
            for one, other in list(pairs)[:_PAIRS_OF_A_QUESTION]:
                rows.append(_ranked_by(one) - _ranked_by(other))
                documents.append((*one.mark.documents, *other.mark.documents, _question(one.mark)))
        ahead = np.asarray(rows, np.float64).reshape(-1, 2)
        labels = np.repeat(np.asarray([1, 0], np.int64), len(rows))
        unpaired = {"of a question without hits of both kinds": len(self.hits)} if not rows and self.hits else {}
        return Cases(np.concatenate([ahead, -ahead]), labels, (*documents, *documents), unpaired)


def known_gate(gate: GateParameters) -> Figures:
    """A gate as a regression can begin at it."""
    weights = np.asarray([gate.weights.get(name, 0.0) for name in FEATURES])
    return Figures(gate.bias, weights, np.asarray(list(FEATURES.values()), np.float64))


def known_fusion(fusion: FusionParameters) -> Figures:
    """A fusion by score as a regression on differences can begin at it: of what words contribute, and of cosines."""
    return Figures(0.0, np.asarray([1.0, fusion.dense_weight]), np.ones(2))


def marked_hits(opened: Opened, searcher: Searcher, corpus_id: str, embedder: str = "") -> MarkedHits:
    """Ask the question of every mark in force again, with the shipped figures, and measure the marked items.

    Args:
        opened: the generation that is asked.
        searcher: finds items.
        corpus_id: of the marks.
        embedder: id of the configured model, for where nothing is marked and so nothing asked.
    Raises:
        Corrupt: a stored record was changed, or the search replica does not fit the store.
    """
    left_out: Counter[str] = Counter()
    by_question: dict[tuple[str, Granularity], list[RelevanceMark]] = defaultdict(list)
    for made in marks_in_force(opened.view.store, corpus_id).values():
        if len({each.relevant for each in made}) > 1:
            left_out["of people who disagree"] += 1
        else:
            by_question[made[-1].query, made[-1].tier].append(made[-1])
    hits: list[MarkedHit] = []
    for (query, tier), marks in by_question.items():
        answer = searcher.search(opened.view, Request(query, tier, REACH))
        embedder = answer.embedder
        found = {each.item_id: each for each in answer.found}
        present = [each for each in marks if each.judged_id in found]
        left_out["of items that are not among the first 200 hits any more"] += len(marks) - len(present)
        hits += _measured(opened, query, tier, answer, present, found)
    return MarkedHits(tuple(hits), embedder, {reason: count for reason, count in left_out.items() if count})


def _measured(
    opened: Opened,
    query: str,
    tier: Granularity,
    answer: Answer,
    marks: Sequence[RelevanceMark],
    found: Mapping[str, Found],
) -> list[MarkedHit]:
    words = read_words(query).weighted(dict.fromkeys(answer.naming, 0.0)) or read_words(query)
    nearest = max((part.score for each in answer.found for part in each.parts if part.name == "dense"), default=None)
    background = answer.background or typical(nearest)
    hits = []
    for each, item in zip(marks, items_of(opened.view, tier, [found[m.judged_id] for m in marks]), strict=True):
        if item.item_id != each.judged_id:
            raise Corrupt("the search replica does not fit the store", item_id=each.judged_id)
        parts = {part.name: part for part in found[each.judged_id].parts}
        dense = parts.get("dense")
        text = f"{heading_of(item)} {text_of(opened, item)}"
        seen = features(words, text, None if dense is None else dense.score, background)
        lexical = parts.get("lexical")
        summed = dense is not None and abs(dense.contribution - dense.weight * dense.score) < 1e-6
        hits.append(
            MarkedHit(
                each,
                tuple(seen[name] for name in FEATURES),
                (lexical.contribution if lexical is not None else 0.0) if summed else None,
                dense.score if dense is not None and summed else None,
            )
        )
    return hits


def _ranked_by(hit: MarkedHit) -> Floats:
    return np.asarray([hit.words or 0.0, hit.cosine or 0.0])


def _question(made: RelevanceMark) -> str:
    """A question beside documents: hits of one question are never on both sides of a fold either."""
    return f"question {made.query}"
