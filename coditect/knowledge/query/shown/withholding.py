"""The relevance gate over an answer: what is not relevant is left out, and what is doubtful is looked at again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from coditect.knowledge.query.calibrated import fitted_gate
from coditect.knowledge.query.items import Ranked, heading_of, text_of
from coditect.knowledge.query.opened import Opened
from coditect.knowledge.query.shown.limiting import asks_for_leave, forbids
from coditect.retrieve.gate.relevance import (
    CORRECT_COVERAGE,
    KnownQuestion,
    RelevanceJudgement,
    judge,
    judge_again,
    typical,
)
from coditect.retrieve.port import Answer, Found, Part
from coditect.retrieve.words import read_words
from coditect.schemas import Chunk, Claim, Extraction, Passage, Section

if TYPE_CHECKING:
    from coditect.models.port import GateParameters
    from coditect.schemas import Calibration, Item, Relevance, SearchOptions

__all__ = ["best_of", "gated"]


def gated(
    opened: Opened,
    query: str,
    answer: Answer,
    options: SearchOptions,
    ranked: Ranked,
    items: list[Item],
    calibration: Calibration | None = None,
) -> tuple[Ranked, list[Item], list[Relevance]]:
    """What the relevance gate lets through; ambiguous hits are judged again with the passage that holds them."""
    if not options.gate:
        return ranked, items, []
    gate = fitted_gate(calibration, answer.embedder)
    asked = read_words(answer.read_as or query)
    words = asked.weighted(dict.fromkeys(answer.naming, 0.0)) or asked
    cosines = [_cosine(found) for found, _ in ranked]
    background = answer.background or typical(max((each for each in cosines if each is not None), default=None))
    known = KnownQuestion.of(words, background)
    for_leave = asks_for_leave(query)
    kept: Ranked = []
    left: list[Item] = []
    judged: list[Relevance] = []
    for (found, is_exact), item, cosine in zip(ranked, items, cosines, strict=True):
        relevance: Relevance = "correct"
        probability = None
        if not is_exact:
            text = f"{heading_of(item)} {_searched(opened, item)}"
            verdict = judge(known, text, cosine, gate)
            if verdict.relevance == "ambiguous" and isinstance(item, Extraction | Passage | Chunk):
                above = " ".join(f"{each.heading} {each.text}" for each in opened.enclosures.around(item, "passage"))
                verdict = judge_again(known, verdict, above, gate)
            if verdict.relevance == "correct" and isinstance(item, Section | Claim):
                verdict = _by_quotes(known, item, verdict, cosine, gate)
            relevance, probability = verdict.relevance, verdict.probability
            if relevance == "incorrect" and for_leave and forbids(text, known.wanted):
                relevance = "ambiguous"  # what limits an answer is read beside it
        if relevance != "incorrect":
            kept.append((_judged(found, relevance, probability), is_exact))
            left.append(item)
            judged.append(relevance)
    return kept, left, judged or ["incorrect"]


def _by_quotes(
    known: KnownQuestion,
    item: Section | Claim,
    whole: RelevanceJudgement,
    cosine: float | None,
    gate: GateParameters | None,
) -> RelevanceJudgement:
    """The judgement of a section by what it quotes, and of a claim by its own sentence and what it is asked as.

    Words that stand in several quotes together are no answer, nor is a quote that has few of the words that were asked for:
    passages are asked then (ADR 152).
    """
    said = (
        [item.text] if isinstance(item, Claim) else [part.content for part in item.content if part.citation is not None]
    )
    for each in said:
        verdict = judge(known, f"{heading_of(item)} {each}", cosine, gate)
        if verdict.relevance == "correct" and verdict.coverage >= CORRECT_COVERAGE:
            return whole
    return replace(whole, relevance="ambiguous")


def _judged(found: Found, relevance: Relevance, probability: float | None) -> Found:
    """A unit with what the gate says of it, as a part that adds nothing to its score."""
    part = Part("gate", None, 0.0 if probability is None else probability, 1.0, 0.0)
    parts = found.parts if probability is None else (*found.parts, part)
    return replace(found, relevance=relevance, probability=probability, parts=parts)


def _searched(opened: Opened, item: Item) -> str:
    """The words that an item was found by: of a chunk all of its stretch, and not the key sentences that are shown of it."""
    if isinstance(item, Chunk):
        start, end = item.char_offset_start, item.char_offset_end
        return opened.sources.stretch(item.document_id, "chunk", item.chunk_id, item.heading, start, end).text
    return text_of(opened, item)


def best_of(judged: list[Relevance]) -> Relevance | None:
    """The relevance of an answer, which is that of its best hit; None where nothing was judged."""
    return next((each for each in ("correct", "ambiguous", "incorrect") if each in judged), None)


def _cosine(found: Found) -> float | None:
    return next((part.score for part in found.parts if part.name == "dense"), None)
