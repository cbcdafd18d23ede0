"""The relevance gate: whether a hit answers at all. No hits is an answer."""

from __future__ import annotations

from dataclasses import dataclass

from coditect.retrieve.words import Words, stems
from coditect.schemas import Relevance

__all__ = ["Judgement", "judge", "judge_again"]

CORRECT_COVERAGE = 0.5
"""Share of the question's words that a relevant text has."""

NEAR = 0.6
"""Cosine from which a text is relevant whatever its words are."""

FAR = 0.35
"""Cosine below which a text without a word in common does not answer."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the gate says of a text.

    Attributes:
        coverage: share of the question's telling words that stand in it, 0..1.
        cosine: of question and text; None without an embedder.
        relevance: correct, ambiguous (to be read with what holds it), or incorrect.
    """

    coverage: float
    cosine: float | None
    relevance: Relevance


def judge(words: Words, text: str, cosine: float | None) -> Judgement:
    """Judge a hit by its own words.

    Args:
        words: of the question, without those that only name the document.
        text: of the hit, with its heading.
        cosine: of question and hit.
    """
    present = set(stems(text))
    wanted = [stem for stem in words.weights if words.weights[stem] > 0]
    coverage = sum(stem in present for stem in wanted) / len(wanted) if wanted else 0.0
    if coverage >= CORRECT_COVERAGE or (cosine is not None and cosine >= NEAR):
        return Judgement(coverage, cosine, "correct")
    if coverage == 0.0 and (cosine is None or cosine < FAR):
        return Judgement(coverage, cosine, "incorrect")
    return Judgement(coverage, cosine, "ambiguous")


def judge_again(words: Words, first: Judgement, parent: str) -> Judgement:
    """Judge an ambiguous hit by what holds it: a clause under "Data retention" need not say "retention" itself."""
    if first.relevance != "ambiguous":
        return first
    second = judge(words, parent, first.cosine)
    return Judgement(second.coverage, first.cosine, second.relevance if second.relevance == "correct" else "ambiguous")
