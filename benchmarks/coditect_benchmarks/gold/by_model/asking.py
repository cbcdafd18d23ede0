"""Ask a model for the passages that hold the gold's units, as the product asks it, and read the answers as the product does.

Only the provisions that a unit touches are asked about, with their surroundings: else a contract of a hundred pages would be
read for three units. A build asks about whole documents, in longer passages.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from coditect.agents.roles.reader.answers import ToldPassage, read_passage
from coditect.agents.roles.reader.passages import ReaderPassage, reader_passages, reader_request
from coditect.agents.roles.role import Role
from coditect.documents.source import SourceText
from coditect.errors import ModelError
from coditect.models.llm import Llm, LlmAnswer, LlmRequest, Usage
from coditect.tiers.extractions.document import DocumentReading, extraction_records, read_document
from coditect.tiers.readings.merging import MergeCounts
from coditect.tiers.readings.told import ReadBy, ToldDocument, ToldSentence
from coditect_benchmarks.gold.readings import Reading, readings_of, version_named
from coditect_benchmarks.gold.store import GoldUnit

__all__ = ["Question", "ReadGold", "questions_of", "read_gold"]

AT_A_TIME = 8
"""Requests that are open at once."""


@dataclass(frozen=True, slots=True)
class Question:
    """A request about one passage.

    Attributes:
        document: its name in the gold.
        passage: what is asked about.
        request: as it is sent.
    """

    document: str
    passage: ReaderPassage
    request: LlmRequest


@dataclass(slots=True)
class ReadGold:
    """What rules alone, and a model with them, read in units of the gold.

    Attributes:
        rules: by unit; none where nothing was read.
        both: by unit; where a passage was not answered, or not soundly, it is the rules' reading.
        asked: requests.
        answered: of these.
        failed: of these, by what went wrong.
        refused: provisions that were left to the rules, by reason.
        merged: what became of the rules' reading where the model read, in units and their provisions.
        usage: tokens of the answers, as the service counted them.
    """

    rules: dict[str, Reading] = field(default_factory=dict)
    both: dict[str, Reading] = field(default_factory=dict)
    asked: int = 0
    answered: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    merged: MergeCounts = field(default_factory=Counter)
    usage: Usage = field(default_factory=Usage)


def read_gold(
    gold: Sequence[GoldUnit], sources: Mapping[str, SourceText], role: Role, llm: Llm, *, partial: bool = False
) -> ReadGold:
    """Read each document of some units by rules, and with a model.

    Args:
        gold: the units.
        sources: their documents by name, as the product reads them.
        role: the reader.
        llm: answers; a request that it cannot answer leaves its passage to the rules.
        partial: read although requests are not answered; else nothing is read then, and all of them were asked.
    """
    own: dict[str, list[GoldUnit]] = defaultdict(list)
    for each in gold:
        own[each.unit.document].append(each)
    found = ReadGold()
    asked: list[tuple[str, DocumentReading, list[Question], list[LlmAnswer | None]]] = []
    with asyncio.Runner() as runner:
        for name, units in sorted(own.items()):
            reading = read_document(sources[name])
            questions = questions_of(name, units, reading, role)
            asked.append((name, reading, questions, runner.run(_answers(questions, llm, found))))
        runner.run(llm.close())
    if found.answered < found.asked and not partial:
        return found
    for name, reading, questions, answers in asked:
        told = _told(questions, answers, role, found)
        text, version = sources[name].text, version_named(name)
        found.rules |= readings_of(own[name], text, extraction_records(version, reading, "derivation"))
        merged = extraction_records(version, reading, "derivation", told=told, counts=found.merged)
        found.both |= readings_of(own[name], text, merged)
    return found


def questions_of(name: str, units: Sequence[GoldUnit], reading: DocumentReading, role: Role) -> list[Question]:
    """The requests about the passages of a document that its units touch.

    Args:
        name: of the document in the gold.
        units: of the document.
        reading: the document.
        role: the reader.
    """
    matched = reading.matched
    places = sorted((matched.position(each.unit.span[0]), matched.position(each.unit.span[1])) for each in units)
    named = name.rpartition(":")[2].rpartition("/")[2]
    passages = reader_passages(named, reading, places)
    return [Question(name, passage, reader_request(role, passage)) for passage in passages]


async def _answers(questions: Sequence[Question], llm: Llm, found: ReadGold) -> list[LlmAnswer | None]:
    """The answer to each question; None where there is none."""
    room = asyncio.Semaphore(AT_A_TIME)
    found.asked += len(questions)

    async def one(question: Question) -> LlmAnswer | None:
        async with room:
            try:
                return await llm.complete(question.request)
            except ModelError as error:
                found.failed[type(error).__name__] += 1
                return None

    answers = list(await asyncio.gather(*(one(each) for each in questions)))
    found.answered += sum(each is not None for each in answers)
    return answers


def _told(
    questions: Sequence[Question], answers: Sequence[LlmAnswer | None], role: Role, found: ReadGold
) -> ToldDocument:
    """What the answers about one document bear out."""
    sentences: dict[int, ToldSentence] = {}
    for question, answer in zip(questions, answers, strict=True):
        if answer is None:
            continue
        found.usage += answer.usage
        try:
            told: ToldPassage = read_passage(answer, question.passage)
        except ModelError as error:
            found.failed[type(error).__name__] += 1
            continue
        found.refused.update(told.rejected)
        sentences.update(told.sentences)
    return ToldDocument(ReadBy(role.name, role.version, role.model), sentences)
