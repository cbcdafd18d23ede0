"""The relevance gate: whether a hit answers at all, and how probably. No hits is an answer.

A logistic regression over what a hit shares with the question, fitted per embedder on development data and stored with the model's
card (:class:`~coditect.models.port.GateParameters`, ``python -m benchmarks.retrieval.gate``). Its probabilities hold where a
question is as likely to have no answer as to have one. Without one the thresholds below decide, and no probability is stated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from coditect.models.port import GateParameters
from coditect.retrieve.words import Words, stems
from coditect.schemas import Relevance

__all__ = ["FEATURES", "Judgement", "features", "judge", "judge_again", "probability_of"]

CORRECT_COVERAGE = 0.5
"""Share of the question's words that a relevant text has, where nothing was fitted."""

NEAR = 0.6
"""Cosine from which a text is relevant whatever its words are, where nothing was fitted."""

FAR = 0.35
"""Cosine below which a text without a word in common does not answer, where nothing was fitted."""

WINDOW = 8
"""Words between which two neighbours of the question stand together."""

FEATURES = ("coverage", "together", "cosine")
"""What the regression sees; :func:`features` says what they are."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gate says of a text.

    Attributes:
        coverage: share of the question's telling words that stand in it, 0..1.
        cosine: of question and text; None without an embedder.
        relevance: correct, ambiguous (to be read with what holds it), or incorrect.
        probability: that it is relevant, 0..1; None where nothing was fitted.
    """

    coverage: float
    cosine: float | None
    relevance: Relevance
    probability: float | None = None


def judge(words: Words, text: str, cosine: float | None, *, gate: GateParameters | None = None) -> Judgement:
    """Judge a hit by its own words.

    Args:
        words: of the question, without those that only name the document.
        text: of the hit, with its heading.
        cosine: of question and hit.
        gate: fitted for the embedder, or for none; None: the general thresholds.
    """
    seen = features(words, text, cosine)
    coverage = seen["coverage"]
    if gate is not None:
        probability = probability_of(gate, seen)
        return Judgement(coverage, cosine, _relevance(gate, probability), probability)
    if coverage >= CORRECT_COVERAGE or (cosine is not None and cosine >= NEAR):
        return Judgement(coverage, cosine, "correct")
    if coverage == 0.0 and (cosine is None or cosine < FAR):
        return Judgement(coverage, cosine, "incorrect")
    return Judgement(coverage, cosine, "ambiguous")


def judge_again(words: Words, first: Judgement, parent: str, *, gate: GateParameters | None = None) -> Judgement:
    """Judge an ambiguous hit by what holds it: a clause under "Data retention" need not say "retention" itself.

    Args:
        words: of the question.
        first: what the hit's own words say.
        parent: text of what holds it.
        gate: as in :func:`judge`.
    Returns:
        correct, with the probability of both read together, or as it was.
    """
    if first.relevance != "ambiguous":
        return first
    second = judge(words, parent, first.cosine, gate=gate)
    if second.relevance == "correct":
        return second
    return Judgement(second.coverage, first.cosine, "ambiguous", first.probability)


def features(words: Words, text: str, cosine: float | None) -> dict[str, float]:
    """What the regression sees of a hit, by name; all 0..1.

    * ``coverage``: share of the question's words that stand in it.
    * ``together``: share of the question's neighbouring words that stand within eight words of each other in it.
    * ``cosine``: of both, negative ones as 0; 0 without an embedder.

    Args:
        words: of the question.
        text: of the hit.
        cosine: of both; None without an embedder.
    """
    places: dict[str, list[int]] = {}
    wanted = [stem for stem, weight in words.weights.items() if weight > 0]
    for at, stem in enumerate(stems(text)):
        if stem in words.weights:
            places.setdefault(stem, []).append(at)
    pairs = list(pairwise(wanted))
    return {
        "coverage": sum(stem in places for stem in wanted) / len(wanted) if wanted else 0.0,
        "together": sum(_near(places.get(a, ()), places.get(b, ())) for a, b in pairs) / len(pairs) if pairs else 0.0,
        "cosine": max(0.0, cosine or 0.0),
    }


def probability_of(gate: GateParameters, seen: Mapping[str, float]) -> float:
    """The logistic regression.

    Args:
        gate: bias and weights; weights of unknown features count for nothing.
        seen: features by name.
    Returns:
        0..1, rounded to 6 digits.
    """
    logit = gate.bias + sum(weight * seen.get(name, 0.0) for name, weight in gate.weights.items())
    return round(1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, logit)))), 6)


def _relevance(gate: GateParameters, probability: float) -> Relevance:
    if probability >= gate.correct:
        return "correct"
    return "incorrect" if probability < gate.incorrect else "ambiguous"


def _near(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two increasing lists of places have places within the window."""
    a = b = 0
    while a < len(first) and b < len(second):
        gap = first[a] - second[b]
        if abs(gap) <= WINDOW:
            return True
        if gap < 0:
            a += 1
        else:
            b += 1
    return False
