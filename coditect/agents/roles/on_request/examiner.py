"""The examiner: a model that reads a claim of somebody else beside passages of the corpus, part by part, and has to quote each.

What it says counts only as far as its quotes bear it: support needs words of the passages for every part of the claim, and parts
that leave no word of the claim out; a contradiction needs words that contradict. Anything else becomes ``needs_review``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coditect.agents.roles.answers import ExaminerAnswer, ExaminerPart, ExaminerVerdict, VerdictLabel, parsed
from coditect.agents.roles.fences import Fence, addresses_model, one_line
from coditect.agents.roles.quotes import (
    LEAST_QUOTED,
    LONGEST_REASON,
    find_quotes,
    find_words,
    leaves_out,
    letters_in,
)
from coditect.agents.roles.role import Role
from coditect.language.terms import STOPWORDS
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock

__all__ = ["ExaminedClaim", "ExaminedPart", "PassageQuote", "PassageShown", "examiner_request", "read_examination"]

NEAR_BEFORE = 25
"""Code points before a quote in which a "not" turns it round; one further away may be of another clause, and rules look for it."""

_LABELS: dict[ExaminerVerdict, VerdictLabel] = {"supported": "supported", "contradicted": "unsupported"}
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class PassageShown:
    """A passage that a claim is read beside.

    Attributes:
        document_name: the document that it stands in.
        heading: that it stands under, or "".
        text: its words, verbatim.
    """

    document_name: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class PassageQuote:
    """Words of a passage that decide a part of a claim.

    Attributes:
        passage: its index, 0-based.
        start: first code point in its text.
        end: one past the last.
    """

    passage: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ExaminedPart:
    """Words of a claim with what is quoted for just them.

    Attributes:
        start: first code point in the claim.
        end: one past the last.
        quotes: for these words.
    """

    start: int
    end: int
    quotes: tuple[PassageQuote, ...]


@dataclass(frozen=True, slots=True)
class ExaminedClaim:
    """What the examiner says of a claim.

    Attributes:
        label: "supported", "unsupported" or "needs_review": what its quotes bear.
        given: the model's own verdict.
        reason: the model's, on one line, at most 500 code points; synthetic.
        quotes: that were found in the passages; of a contradiction those that contradict.
        downgraded: why its verdict was not taken as given, or "".
        parts: of a claim that its quotes bear, which of them are for which words; empty otherwise.
    """

    label: VerdictLabel
    given: ExaminerVerdict
    reason: str
    quotes: tuple[PassageQuote, ...]
    downgraded: str = ""
    parts: tuple[ExaminedPart, ...] = ()


def examiner_request(role: Role, claim: str, passages: Sequence[PassageShown]) -> LlmRequest:
    """Ask what passages say of a claim.

    Args:
        role: the examiner, with its model and limits.
        claim: one sentence.
        passages: numbered from 1 in this order; at least one.
    """
    fence = Fence.around(_texts(claim, passages))
    shown = [
        fence.wrap("evidence", each.text, n=n, document=each.document_name, heading=each.heading)
        for n, each in enumerate(passages, 1)
    ]
    asked = "\n\n".join((*shown, fence.wrap("claim", claim), "What do the passages say of the claim?"))
    return role.request(TextBlock(asked))


def _texts(claim: str, passages: Sequence[PassageShown]) -> tuple[str, ...]:
    """All that others wrote."""
    return (claim, *(text for each in passages for text in (each.document_name, each.heading, each.text)))


def read_examination(answer: LlmAnswer, claim: str, passages: Sequence[PassageShown]) -> ExaminedClaim:
    """What an answer says, as far as its quotes bear it.

    Args:
        answer: what came back to the request.
        claim: what the request asked about.
        passages: what the request showed, in its order.

    Raises:
        Malformed: not of the asked-for shape.
    """
    found = parsed(answer, ExaminerAnswer, "examiner")
    decisive = [each for each in found.parts if found.verdict != "contradicted" or each.finding == "contradicted"]
    quotes, problem = _located(decisive, passages)
    if not problem and found.verdict == "supported":
        problem = _unproven(claim, found.parts, quotes, passages)
    elif not problem and found.verdict == "contradicted" and not quotes:
        problem = "a contradiction without a quote"
    if not problem and found.verdict in _LABELS:
        problem = _addressed(_texts(claim, passages))
    label = "needs_review" if problem else _LABELS.get(found.verdict, "needs_review")
    parts = _parts(claim, found.parts, passages) if label == "supported" else ()
    return ExaminedClaim(label, found.verdict, one_line(found.reason, LONGEST_REASON), quotes, problem, parts)


def _located(parts: Iterable[ExaminerPart], passages: Sequence[PassageShown]) -> tuple[tuple[PassageQuote, ...], str]:
    """Where the quotes of parts stand, each once, and what is wrong with the first that stands nowhere."""
    quotes = ((quote.evidence, quote.text) for part in parts for quote in part.quotes)
    places, problem = find_quotes(quotes, [each.text for each in passages], "passages")
    return tuple(PassageQuote(*place) for place in places), problem


def _unproven(
    claim: str, parts: Sequence[ExaminerPart], quotes: Sequence[PassageQuote], passages: Sequence[PassageShown]
) -> str:
    """Why support cannot be taken at its word, or ""."""
    if not quotes:
        return "supported without a quote"
    if any(each.finding != "stated" for each in parts):
        return "supported although a part is not stated"
    if any(not each.quotes for each in parts if _content(each.words)):
        return "supported with a part that has no quote"
    passed_over = _passed_over(claim, parts)
    if passed_over:
        return f"“{passed_over}” of the claim was passed over"
    texts = [passages[each.passage].text[each.start : each.end] for each in quotes]
    if letters_in(*texts) < LEAST_QUOTED:
        return "supported by quotes that say too little"
    return _cut(quotes, texts, passages)


def _content(words: str) -> list[str]:
    return [word for word in _WORD.findall(words) if word.casefold() not in STOPWORDS]


def _passed_over(claim: str, parts: Sequence[ExaminerPart]) -> str:
    """The first word of substance that no part has; all of a claim where a part is not in it."""
    covered = [place for place in _places(claim, parts) if place is not None]
    for word in _WORD.finditer(claim):
        if word.group().casefold() in STOPWORDS:
            continue
        if not any(start <= word.start() and word.end() <= end for start, end in covered):
            return word.group()
    return ""


def _places(claim: str, parts: Sequence[ExaminerPart]) -> list[tuple[int, int] | None]:
    """Where the words of each part stand in a claim: behind those of the part before it, if they do; None where nowhere."""
    found: list[tuple[int, int] | None] = []
    at = 0
    for part in parts:
        place = find_words(part.words, claim[at:]) if at else None
        start = at
        if place is None:
            place, start = find_words(part.words, claim), 0
        found.append(None if place is None else (start + place[0], start + place[1]))
        if place is not None:
            at = start + place[1]
    return found


def _parts(claim: str, parts: Sequence[ExaminerPart], passages: Sequence[PassageShown]) -> tuple[ExaminedPart, ...]:
    """The parts that stand in a claim and have quotes, in order."""
    found = []
    for part, place in zip(parts, _places(claim, parts), strict=True):
        quotes, _ = _located((part,), passages)
        if place is not None and quotes:
            found.append(ExaminedPart(*place, quotes))
    return tuple(found)


def _cut(quotes: Sequence[PassageQuote], texts: Sequence[str], passages: Sequence[PassageShown]) -> str:
    """A quote that is cut where its sentence goes on to turn or limit it, and no other quote has the words that do."""
    for each in quotes:
        seen = max(0, each.start - NEAR_BEFORE)
        limit = leaves_out(passages[each.passage].text[seen:], each.start - seen, each.end - seen)
        others = (text for other, text in zip(quotes, texts, strict=True) if other.passage == each.passage)
        if limit and not any(limit.casefold() in text.casefold() for text in others):
            return f"a quote leaves out “{one_line(limit)}”, which limits it"
    return ""


def _addressed(texts: Iterable[str]) -> str:
    return "the claim or a passage speaks to a model" if any(map(addresses_model, texts)) else ""
