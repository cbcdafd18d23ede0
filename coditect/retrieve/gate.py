"""The relevance gate: whether a hit answers at all, and how probably. No hits is an answer.

A logistic regression over what a hit shares with the question, fitted per embedder on development data and stored with the model's
card (:class:`~coditect.models.port.GateParameters`, ``python -m benchmarks.retrieval.gate``). Without one the thresholds below
decide, and no probability is stated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from coditect.models.port import GateParameters
from coditect.retrieve.words import Words, stems
from coditect.schemas import Relevance

__all__ = ["FEATURES", "Judgement", "features", "judge", "judge_again", "probability_of", "rarity_of"]

CORRECT_COVERAGE = 0.5
"""Share of the question's words that a relevant text has, where nothing was fitted."""

NEAR = 0.6
"""Cosine from which a text is relevant whatever its words are, where nothing was fitted."""

FAR = 0.35
"""Cosine below which a text without a word in common does not answer, where nothing was fitted."""

WINDOW = 8
"""Words between which two neighbours of the question stand together."""

FEATURES = ("coverage", "information", "together", "words", "standing", "cosine")
"""What the regression sees; :func:`features` says what they are."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gate says of a text.

    Attributes:
        coverage: share of the question's telling words that stand in it, 0..1.
        cosine: of question and text; None without an embedder.
        relevance: correct, ambiguous (to be read with what holds it), or incorrect.
        probability: that it is relevant, 0..1; None where nothing was fitted.
        rank: its place in the answer, 1-based.
    """

    coverage: float
    cosine: float | None
    relevance: Relevance
    probability: float | None = None
    rank: int = 1


def judge(
    words: Words,
    text: str,
    cosine: float | None,
    *,
    gate: GateParameters | None = None,
    rarity: Mapping[str, float] | None = None,
    rank: int = 1,
) -> Judgement:
    """Judge a hit by its own words.

    Args:
        words: of the question, without those that only name the document.
        text: of the hit, with its heading.
        cosine: of question and hit.
        gate: fitted for the embedder, or for none; None: the general thresholds.
        rarity: of the question's stems where it is asked (:func:`rarity_of`); None: all tell as much.
        rank: place of the hit in the answer, 1-based.
    """
    seen = features(words, text, cosine, rarity=rarity, rank=rank)
    coverage = seen["coverage"]
    if gate is not None:
        probability = probability_of(gate, seen)
        return Judgement(coverage, cosine, _relevance(gate, probability), probability, rank)
    if coverage >= CORRECT_COVERAGE or (cosine is not None and cosine >= NEAR):
        return Judgement(coverage, cosine, "correct", rank=rank)
    if coverage == 0.0 and (cosine is None or cosine < FAR):
        return Judgement(coverage, cosine, "incorrect", rank=rank)
    return Judgement(coverage, cosine, "ambiguous", rank=rank)


def judge_again(
    words: Words,
    first: Judgement,
    parent: str,
    *,
    gate: GateParameters | None = None,
    rarity: Mapping[str, float] | None = None,
) -> Judgement:
    """Judge an ambiguous hit by what holds it: a clause under "Data retention" need not say "retention" itself.

    Args:
        words: of the question.
        first: what the hit's own words say.
        parent: text of what holds it.
        gate: as in :func:`judge`.
        rarity: as in :func:`judge`.
    Returns:
        correct, with the probability of both read together, or as it was.
    """
    if first.relevance != "ambiguous":
        return first
    second = judge(words, parent, first.cosine, gate=gate, rarity=rarity, rank=first.rank)
    if second.relevance == "correct":
        return second
    return Judgement(second.coverage, first.cosine, "ambiguous", first.probability, first.rank)


def features(
    words: Words, text: str, cosine: float | None, *, rarity: Mapping[str, float] | None = None, rank: int = 1
) -> dict[str, float]:
    """What the regression sees of a hit, by name.

    * ``coverage``: share of the question's words that stand in it, 0..1.
    * ``information``: the same, each word counting for its rarity, 0..1.
    * ``together``: share of the question's neighbouring words that stand within eight words of each other in it, 0..1.
    * ``words``: natural logarithm of the number of the question's words; 0 for none.
    * ``standing``: 1 / rank, 0..1.
    * ``cosine``: -1..1; 0 without an embedder.

    Args:
        words: of the question.
        text: of the hit.
        cosine: of both; None without an embedder.
        rarity: by stem, > 0; None, or a stem that it does not name: 1.
        rank: 1-based.
    """
    places: dict[str, list[int]] = {}
    wanted = [stem for stem, weight in words.weights.items() if weight > 0]
    for at, stem in enumerate(stems(text)):
        if stem in words.weights:
            places.setdefault(stem, []).append(at)
    present = [stem for stem in wanted if stem in places]
    telling = dict.fromkeys(wanted, 1.0) | {stem: (rarity or {}).get(stem, 1.0) for stem in wanted}
    total = sum(telling.values())
    pairs = list(pairwise(wanted))
    return {
        "coverage": len(present) / len(wanted) if wanted else 0.0,
        "information": sum(telling[stem] for stem in present) / total if total > 0 else 0.0,
        "together": sum(_near(places.get(a, ()), places.get(b, ())) for a, b in pairs) / len(pairs) if pairs else 0.0,
        "words": math.log(len(wanted)) if wanted else 0.0,
        "standing": 1.0 / rank,
        "cosine": 0.0 if cosine is None else cosine,
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


def rarity_of(words: Words, frequency: Callable[[str], int], units: int) -> dict[str, float]:
    """How much each word of a question tells where it is asked.

    Args:
        words: of the question.
        frequency: units that hold a stem.
        units: how many there are.
    Returns:
        by stem, BM25's inverse document frequency divided by that of a word that stands nowhere: 0 < rarity <= 1. A question whose
        telling words stand nowhere is thereby known to ask for what is not there.
    """
    nowhere = math.log(1 + (units + 0.5) / 0.5)
    found = {}
    for stem in words.weights:
        df = min(frequency(stem), units)
        found[stem] = math.log(1 + (units - df + 0.5) / (df + 0.5)) / nowhere
    return found


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
