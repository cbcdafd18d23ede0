"""The relevance gate: whether a hit answers at all, and how probably. No hits is an answer.

A logistic regression over what a hit shares with the question, and over what the question says by itself
(:mod:`coditect.retrieve.gate.background`), fitted per embedder on development data and stored with the model's card
(:class:`~coditect.models.port.GateParameters`, ``coditect_benchmarks.retrieval.gate``). Its probabilities hold where a question is
as likely to have no answer as to have one. Without one the thresholds below decide, and no probability is stated.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from coditect.models.port import GateParameters
from coditect.retrieve.gate.together import nats_together
from coditect.retrieve.port import Background
from coditect.retrieve.words import Words, function_stems, stems
from coditect.schemas import Relevance

__all__ = [
    "CORRECT_COVERAGE",
    "FEATURES",
    "SHORT",
    "KnownQuestion",
    "RelevanceJudgement",
    "features",
    "judge",
    "judge_again",
    "probability_of",
    "telling",
    "typical",
]

CORRECT_COVERAGE = 0.5
"""Share of the question's words that a relevant text has, where nothing was fitted; a quote of a section has it in any case."""

NEAR = 0.6
"""Cosine from which a text is relevant whatever its words are, where nothing was fitted."""

FAR = 0.35
"""Cosine below which a text without a word in common does not answer, where nothing was fitted."""

OWN_COSINE = 0.15
"""Weight of a hit's own cosine in its nearness, beside the nearest units'. It puts an answer's hits in order; the nearest units say
whether there is an answer at all. With 0.5, a tenth more of the foreign questions are answered."""

SHORT = 4
"""Words of a question that tell something, up to which a hit that holds them all is never left out."""

MOST_SURPLUS = 1.5
"""Beyond it a match is certain anyway."""

MOST_PAIRS = 3
"""So many words side by side as in the question are no chance."""

TYPICAL_RARITY = 4.5
TYPICAL_ORDINARY = 0.2
TYPICAL_COMMON = 0.1
TYPICAL_AROUND = 0.9
TYPICAL_UNITS = 10_000
"""What stands in for the background where a searcher does not know it: chosen so that answers stay, at the cost of foreign ones.
What is around a question is told as a share of the nearest cosine."""

FEATURES: Mapping[str, int] = {
    "near": 1,
    "ordinary": -1,
    "missing": -1,
    "surplus": 1,
    "asked": -1,
    "common": 1,
    "pairs": 1,
    "named": 1,
    "together": 1,
    "unheard": -1,
    "around": 1,
}
"""What the regression sees, each with the sign that its weight must have; :func:`features` says what they are."""


@dataclass(frozen=True, slots=True)
class RelevanceJudgement:
    """The gate's judgement of a text.

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


def judge(
    asked: KnownQuestion, text: str, cosine: float | None, gate: GateParameters | None = None
) -> RelevanceJudgement:
    """Judge a hit by its own words.

    Args:
        asked: the question.
        text: of the hit, with its heading.
        cosine: of question and hit.
        gate: fitted for the embedder, or for none; None: the general thresholds.
    """
    seen = _seen(asked, text, cosine)
    coverage = seen["coverage"]
    if gate is not None:
        probability = probability_of(gate, seen)
        relevance = _relevance(gate, probability)
        if relevance == "incorrect" and coverage >= 1.0 and len(asked.wanted) <= SHORT:
            relevance = "ambiguous"  # what holds all that was asked for is no other field's
        return RelevanceJudgement(coverage, cosine, relevance, probability)
    if coverage >= CORRECT_COVERAGE or (cosine is not None and cosine >= NEAR):
        return RelevanceJudgement(coverage, cosine, "correct")
    if coverage == 0.0 and (cosine is None or cosine < FAR):
        return RelevanceJudgement(coverage, cosine, "incorrect")
    return RelevanceJudgement(coverage, cosine, "ambiguous")


def judge_again(
    asked: KnownQuestion, first: RelevanceJudgement, parent: str, gate: GateParameters | None = None
) -> RelevanceJudgement:
    """Judge an ambiguous hit by what holds it: a clause under "Data retention" need not say "retention" itself.

    Args:
        asked: the question.
        first: what the hit's own words say.
        parent: text of what holds it.
        gate: as in :func:`judge`.
    Returns:
        correct, with the probability of both read together, or as it was.
    """
    if first.relevance != "ambiguous":
        return first
    second = judge(asked, parent, first.cosine, gate)
    if second.relevance == "correct":
        return second
    return RelevanceJudgement(second.coverage, first.cosine, "ambiguous", first.probability)


def features(words: Words, text: str, cosine: float | None, background: Background | None = None) -> dict[str, float]:
    """What the regression sees of a hit, by name, and the share of words that the general thresholds look at.

    * ``near``: cosine of the nearest units of all, and a little of the hit's own, 0..1; 0 without an embedder.
    * ``ordinary``: cosine of everyday words, 0..1; 0 without an embedder.
    * ``missing``: nats of information in the question's words that do not stand in the hit, for each of its words, >= 0.
    * ``surplus``: how often the words that stand in it would single out one unit of so many, beyond once, 0..1.5: so much is not in
      common by chance.
    * ``asked``: the logarithm of the nats of information in all words of the question, >= 0: the more is asked, the more of it any
      text holds by chance.
    * ``common``: mean cosine of the question and all units, 0..1; 0 without an embedder.
    * ``pairs``: words of the question that stand side by side in the hit as in it, function words aside, 0..3.
    * ``named``: how often the words that only name a document would single out one unit of so many, beyond once, 0..1: who names a
      document of the corpus asks of this corpus.
    * ``together``: as ``surplus``, of words that stand within eight words of each other in it, function words aside, 0..1.5.
      Words that are scattered over a text are there by chance more often (ADR 118).
    * ``unheard``: share of the question's words that no unit has at all, 0..1.
    * ``around``: mean cosine of the question and the nearest units, one in 200, 0..1; a typical share of the nearest where it is
      not told, 0 without an embedder.
    * ``coverage``: share of the question's words that stand in it, 0..1.

    Args:
        words: of the question, without those that only name the document.
        text: of the hit.
        cosine: of both; None without an embedder.
        background: of the question; None: a typical one.
    """
    return _seen(KnownQuestion.of(words, background or typical(cosine)), text, cosine)


@dataclass(frozen=True, slots=True)
class KnownQuestion:
    """What the gate knows of a question before it sees a hit; the hits of an answer are judged by one.

    Attributes:
        background: of the question.
        wanted: stems that say what it is about.
        counted: of these, with their nats, those that are no everyday words that lead to terms.
        spoken: terms that such words lead to, with their nats.
        worth: nats of each stem that says what is asked.
        said_by: the way of speaking that a stem is a term of.
        pairs: stems that stand side by side in it.
        whole: features that are the same for every hit.
    """

    background: Background
    wanted: Sequence[str]
    counted: Sequence[tuple[str, float]]
    spoken: Sequence[Mapping[str, float]]
    worth: Mapping[str, float]
    said_by: Mapping[str, str]
    pairs: Set[tuple[str, str]]
    whole: Mapping[str, float]

    @staticmethod
    def of(words: Words, background: Background) -> KnownQuestion:
        """What is known of a question.

        Args:
            words: of the question, without those that only name the document.
            background: of the question.
        """
        told = {
            stem: background.rarity.get(stem, TYPICAL_RARITY) for stem, weight in words.weights.items() if weight > 0
        }
        wanted = telling(words, background)
        spoken = [terms for own, terms in background.spoken if not own.isdisjoint(words.weights) and terms]
        own = {stem for stems_said, _ in background.spoken for stem in stems_said}
        counted = [(stem, told[stem]) for stem in wanted if stem not in own]
        one_unit = math.log(max(2, background.units + 1))
        naming = sum(nats for stem, nats in background.rarity.items() if stem not in words.weights)
        unheard = sum(nats >= _nobody_has(background) for _, nats in counted)
        whole = {
            "ordinary": max(0.0, background.ordinary or 0.0),
            "asked": math.log1p(sum(told[stem] for stem in wanted)),
            "common": max(0.0, background.common or 0.0),
            "named": min(1.0, max(0.0, naming / one_unit - 1)),
            "unheard": unheard / max(1, len(counted) + len(spoken)),
            "around": max(0.0, _around(background)),
        }
        worth, said_by = _told(told, wanted, own, spoken)
        return KnownQuestion(background, wanted, counted, spoken, worth, said_by, _pairs(words, wanted), whole)


def _seen(asked: KnownQuestion, text: str, cosine: float | None) -> dict[str, float]:
    """What :func:`features` tells of a hit."""
    background = asked.background
    in_order = stems(text)
    text_stems = set(in_order)
    rarity = [nats for _, nats in asked.counted]
    held = [stem in text_stems for stem, _ in asked.counted]
    for terms in asked.spoken:
        # One word, whichever of its terms the text has: worth its rarest there, or the commonest of all that it lacks.
        has = [nats for stem, nats in terms.items() if stem in text_stems]
        held.append(bool(has))
        rarity.append(max(has) if has else min(terms.values()))
    function = function_stems()
    telling_order = [stem for stem in in_order if stem not in function]
    shared = sum(nats for nats, has in zip(rarity, held, strict=True) if has)
    missing = sum(nats for nats, has in zip(rarity, held, strict=True) if not has)
    one_unit = math.log(max(2, background.units + 1))
    near = 0.0
    if cosine is not None:
        nearest = cosine if background.nearest is None else max(cosine, background.nearest)
        near = max(0.0, (1 - OWN_COSINE) * nearest + OWN_COSINE * cosine)
    together = nats_together(telling_order, asked.worth, asked.said_by)
    whole = asked.whole
    return {
        "near": near,
        "ordinary": whole["ordinary"],
        "missing": missing / max(1, len(held)),
        "surplus": min(MOST_SURPLUS, max(0.0, shared / one_unit - 1)),
        "asked": whole["asked"],
        "common": whole["common"],
        "pairs": float(min(MOST_PAIRS, len(asked.pairs & set(pairwise(telling_order))) if asked.pairs else 0)),
        "named": whole["named"],
        "together": min(MOST_SURPLUS, max(0.0, together / one_unit - 1)),
        "unheard": whole["unheard"],
        "around": whole["around"],
        "coverage": sum(held) / max(1, len(held)),
    }


def _around(background: Background) -> float:
    """What is around a question; where a searcher tells the nearest cosine alone, a typical share of it."""
    if background.around is None:
        return TYPICAL_AROUND * (background.nearest or 0.0)
    return background.around


def _nobody_has(background: Background) -> float:
    """The nats of a word that no unit has, as :func:`~coditect.retrieve.gate.background.rarity_of` counts them; rounding aside."""
    return math.log((background.units + 1) / 0.5) - 1e-9


def _pairs(words: Words, wanted: Sequence[str]) -> set[tuple[str, str]]:
    """Telling words that stand side by side in a question, function words aside."""
    told = set(wanted)
    return {pair for pair in pairwise(words.weights) if told.issuperset(pair)}


def _told(
    told: Mapping[str, float], wanted: Sequence[str], own: Set[str], spoken: Sequence[Mapping[str, float]]
) -> tuple[dict[str, float], dict[str, str]]:
    """(nats of each stem that says what is asked, the way of speaking that a stem is a term of)."""
    worth = {stem: max(0.0, told[stem]) for stem in wanted if stem not in own}
    said_by: dict[str, str] = {}
    for number, terms in enumerate(spoken):
        for stem, nats in terms.items():
            if stem not in worth:
                worth[stem], said_by[stem] = nats, f"{number} spoken"
    return worth, said_by


def telling(words: Words, background: Background) -> list[str]:
    """The stems of a question that say what it is about; all of them where none does."""
    told = {stem: background.rarity.get(stem, TYPICAL_RARITY) for stem, weight in words.weights.items() if weight > 0}
    return [stem for stem, nats in told.items() if nats > 0] or list(told)


def typical(nearest: float | None) -> Background:
    """A background for a question of which the searcher does not tell one.

    Args:
        nearest: the highest cosine that is known; None without an embedder.
    """
    if nearest is None:
        return Background(TYPICAL_UNITS, {})
    return Background(
        TYPICAL_UNITS, {}, nearest, TYPICAL_ORDINARY, common=TYPICAL_COMMON, around=TYPICAL_AROUND * nearest
    )


def probability_of(gate: GateParameters, seen: Mapping[str, float]) -> float:
    """Compute the logistic regression.

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
