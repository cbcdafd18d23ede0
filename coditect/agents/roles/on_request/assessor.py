"""The assessor (crosswalks): reads parts of a requirement beside sentences of documents, and quotes both sides.

A verdict that rests on words which one of the sides does not have is no verdict: what rules said stays. So it is with "meets"
where any text that the request shows speaks to a model. The assessor answers by numbers and cannot bring in a part, a sentence or a
pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from coditect.agents.roles.answers import AssessedPair, AssessorAnswer, parsed
from coditect.agents.roles.fences import Fence, addresses_model, one_line
from coditect.agents.roles.quotes import LEAST_QUOTED, LONGEST_REASON, find_words, letters_in
from coditect.agents.roles.role import Role
from coditect.models.llm import LlmAnswer, LlmRequest, TextBlock
from coditect.schemas.crosswalk import AssessedVerdict

__all__ = [
    "AskedPart",
    "AssessorQuestion",
    "PairVerdict",
    "ShownSentence",
    "assessor_request",
    "read_assessments",
]

_QUOTED: frozenset[AssessedVerdict] = frozenset(("meets", "partly", "contradicts"))
"""Verdicts that need words of both sides."""


@dataclass(frozen=True, slots=True)
class AskedPart:
    """A part of a requirement.

    Attributes:
        part_id: that the framework gives.
        text: its words; of an item of a list with those that lead to it.
        open_parameters: what it leaves to the organisation.
    """

    part_id: str
    text: str
    open_parameters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """A sentence of a document, with what stands around it.

    Attributes:
        document: the name of the document.
        text: its words; of an item of a list with those that lead to it.
        title: of the document; "" where it has none.
        kind: of the document, as it is declared or printed; "" where that is not known.
        headings: above the sentence, joined.
        before: what stands in front of it, cut.
        behind: what stands behind it, cut.
    """

    document: str
    text: str
    title: str = ""
    kind: str = ""
    headings: str = ""
    before: str = ""
    behind: str = ""


@dataclass(frozen=True, slots=True)
class AssessorQuestion:
    """A requirement, and the pairs of a part and a sentence that are asked about.

    Attributes:
        requirement_id: that the framework gives.
        title: of the requirement.
        family: the heading above it.
        framework: the name of its document.
        parts: numbered from 1 in this order; at least one.
        sentences: numbered from 1 in this order; at least one.
        pairs: (index of the part, index of the sentence), 0-based, no two alike; numbered from 1 in this order.
    """

    requirement_id: str
    title: str
    family: str
    framework: str
    parts: tuple[AskedPart, ...]
    sentences: tuple[ShownSentence, ...]
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """What the assessor says of a pair.

    Attributes:
        verdict: the model's own; None where it gave none.
        reason: the model's, on one line, at most 500 code points; synthetic.
        part_words: as they stand in the part.
        sentence_words: as they stand in the sentence.
        problem: why the verdict counts for nothing, or "".
    """

    verdict: AssessedVerdict | None
    reason: str
    part_words: tuple[str, ...]
    sentence_words: tuple[str, ...]
    problem: str = ""


def assessor_request(role: Role, question: AssessorQuestion) -> LlmRequest:
    """Ask what sentences say of parts of a requirement.

    Args:
        role: the assessor, with its model and limits.
        question: what is asked.
    """
    fence = Fence.around(_texts(question))
    parts = "\n".join(
        fence.wrap("part", each.text, n=n, id=each.part_id, **_given(open="; ".join(each.open_parameters)))
        for n, each in enumerate(question.parts, 1)
    )
    asked = fence.wrap(
        "requirement",
        parts,
        id=question.requirement_id,
        **_given(title=question.title, family=question.family, framework=question.framework),
    )
    shown = [_shown(fence, n, each) for n, each in enumerate(question.sentences, 1)]
    pairs = "\n".join(
        f"{n}: part {part + 1}, sentence {sentence + 1}" for n, (part, sentence) in enumerate(question.pairs, 1)
    )
    return role.request(TextBlock("\n\n".join((asked, *shown, f"Judge these pairs:\n{pairs}"))))


def read_assessments(answer: LlmAnswer, question: AssessorQuestion) -> tuple[PairVerdict, ...]:
    """The verdicts of an answer, in the order of the pairs, each with what of its quotes bears out.

    Args:
        answer: what came back to the request.
        question: what the request asked.

    Raises:
        Malformed: not of the asked-for shape.
    """
    found = parsed(answer, AssessorAnswer, "assessor")
    given: dict[int, AssessedPair] = {}
    for each in found.pairs:
        given.setdefault(each.pair, each)
    often = Counter(each.pair for each in found.pairs)
    addressed = any(map(addresses_model, _texts(question)))
    return tuple(
        _verdict(given[n], often[n], question.parts[part].text, question.sentences[sentence].text, addressed)
        if n in given
        else PairVerdict(None, "", (), (), "no verdict")
        for n, (part, sentence) in enumerate(question.pairs, 1)
    )


def _verdict(raw: AssessedPair, often: int, part: str, sentence: str, addressed: bool) -> PairVerdict:
    """What a verdict is worth; ``addressed``: a text that the request shows, whichever, speaks to a model."""
    asked, said = _places(raw.part_words, part), _places(raw.sentence_words, sentence)
    problem = ""
    if often > 1:
        problem = "two verdicts on one pair"
    elif None in asked:
        problem = "a quote that the part does not have"
    elif None in said:
        problem = "a quote that the sentence does not have"
    elif raw.verdict in _QUOTED and not (asked and said):
        problem = f"“{raw.verdict}” without words of both sides"
    elif raw.verdict == "meets" and not (_says_enough(asked, part) and _says_enough(said, sentence)):
        problem = "“meets” by words that say too little"
    elif raw.verdict == "meets" and addressed:
        problem = "a text that was shown speaks to a model"
    return PairVerdict(
        raw.verdict,
        one_line(raw.reason, LONGEST_REASON),
        tuple(each for each in asked if each is not None),
        tuple(each for each in said if each is not None),
        problem,
    )


def _places(words: Sequence[str], text: str) -> tuple[str | None, ...]:
    """Quotes as they stand in a text; None for each that does not stand there."""
    places = [find_words(each, text) for each in words]
    return tuple(dict.fromkeys(None if place is None else text[place[0] : place[1]] for place in places))


def _says_enough(quotes: Sequence[str | None], text: str) -> bool:
    return letters_in(*filter(None, quotes)) >= min(LEAST_QUOTED, letters_in(text))


def _shown(fence: Fence, number: int, sentence: ShownSentence) -> str:
    """A sentence with what stands around it, each between tags of its own."""
    inner = [
        fence.wrap(tag, text)
        for tag, text in (("before", sentence.before), ("words", sentence.text), ("behind", sentence.behind))
        if text
    ]
    told = _given(title=sentence.title, kind=sentence.kind, headings=sentence.headings)
    return fence.wrap("sentence", "\n".join(inner), n=number, document=sentence.document, **told)


def _given(**attributes: str) -> dict[str, str]:
    return {name: value for name, value in attributes.items() if value}


def _texts(question: AssessorQuestion) -> tuple[str, ...]:
    """All that others wrote, so that the code of the fence stands in none of it."""
    parts = (text for each in question.parts for text in (each.part_id, each.text, *each.open_parameters))
    sentences = (
        text
        for each in question.sentences
        for text in (each.document, each.title, each.kind, each.headings, each.before, each.text, each.behind)
    )
    return (question.requirement_id, question.title, question.family, question.framework, *parts, *sentences)
