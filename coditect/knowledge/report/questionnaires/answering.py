"""What the documents answer to a question: words, how sure that is, and when a person has to look."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from coditect.errors import UsageError
from coditect.knowledge.query.shown.notes import LEFT_OUT
from coditect.knowledge.report.questionnaires.about import DocumentFacts
from coditect.knowledge.report.questionnaires.admitting import AdmittedPapers
from coditect.knowledge.report.questionnaires.bound import BoundParties
from coditect.knowledge.report.questionnaires.differing import Conflicts
from coditect.knowledge.report.questionnaires.speaking import StatedValues, speaking
from coditect.schemas import AnsweredQuestion, AskedQuestion, Hit, QueryResult, QuestionStatus, QuotedAnswer
from coditect.store.view import View

__all__ = ["MOST_QUOTES", "SURE", "AnswerGrounds", "answer_question", "answers"]

MOST_QUOTES = 3
"""Quotes of one answer, at most."""

SURE = 0.5
"""Probability that the best quote answers, from which a question counts as answered."""

LONGEST_QUERY = 1_000
"""Code points of a question that are asked: a cell may hold a page of instructions."""

_OPENING = re.compile(
    r"^\W*(?:\d[\d.]*\W+)?(?:please\s+(?:describe|explain|state|list|confirm)\s+(?:how|whether|if|that|your)?\s*"
    r"|(?:do|does|is|are|has|have|can|will|did)\s+(?:you|your\s+(?:organi[sz]ation|company|firm)|the\s+(?:organi[sz]ation|company|firm))\b\s*)",
    re.IGNORECASE,
)
"""What a question opens with that no document says: "Do you", "Please describe how"."""


@dataclass(frozen=True, slots=True)
class AnswerGrounds:
    """What answers are held against; None: they are not.

    Attributes:
        conflicts: where one bears on the answer, a person has to look.
        bound: a sentence that binds somebody else than is asked about stands behind the others, and where it is the best there is,
            a person has to look.
        values: where statements that speak to a question give different values, a person has to look.
        about: what documents tell of themselves answers who owns one, and when it is reviewed.
        admission: an exception is no answer, and what is not in force stands behind what is.
    """

    conflicts: Conflicts | None = None
    bound: BoundParties | None = None
    values: StatedValues | None = None
    about: DocumentFacts | None = None
    admission: AdmittedPapers | None = None

    @classmethod
    def of(cls, view: View, admission: AdmittedPapers) -> AnswerGrounds:
        """All of them, of one generation."""
        conflicts = Conflicts(view, admission.documents)
        return cls(conflicts, BoundParties(view), StatedValues(view), DocumentFacts(view, admission), admission)


_NO_GROUNDS = AnswerGrounds()


def answers(
    asked: Iterable[AskedQuestion], ask: Callable[[str], QueryResult], grounds: AnswerGrounds = _NO_GROUNDS
) -> Iterator[AnsweredQuestion]:
    """Each question with its answer, in order.

    Args:
        asked: the questions.
        ask: answers words with sentences of the documents, best first.
        grounds: of the same generation.
    """
    for each in asked:
        told = answer_question(each.sheet, each.row, each.question, ask, grounds)
        yield told.model_copy(update={"number": each.number})


def answer_question(
    sheet: str, row: int, question: str, ask: Callable[[str], QueryResult], grounds: AnswerGrounds = _NO_GROUNDS
) -> AnsweredQuestion:
    """What the documents say to one question.

    Args:
        sheet: its sheet.
        row: its row.
        question: as it is printed.
        ask: answers words with sentences of the documents, best first.
        grounds: of the same generation.
    """
    told = None if grounds.about is None else grounds.about.answer(sheet, row, question)
    if told is not None:
        return told
    words = _OPENING.sub("", " ".join(question.split()))[:LONGEST_QUERY] or question[:LONGEST_QUERY]
    try:
        result = ask(words)
    except UsageError as error:
        return AnsweredQuestion(
            sheet=sheet, row=row, question=question, status="person", reason=f"it cannot be asked: {error.message}"
        )
    found, excused = _admitted(question, _telling(result.hits), grounds.admission)
    others = {} if grounds.bound is None else {hit.rank: grounds.bound.binds_another(question, hit) for hit in found}
    former = {hit.rank: _standing(hit, grounds.admission) for hit in found}
    telling = sorted(found, key=lambda hit: (bool(former[hit.rank]), bool(others.get(hit.rank)), hit.rank))
    hits = speaking(words, telling)[:MOST_QUOTES]  # beyond the first only what speaks to the question, too
    is_sure = bool(telling) and (telling[0].probability or 0.0) >= SURE
    binding = [hit for hit in telling if not former[hit.rank]] or telling
    differ = grounds.values.differing(words, binding) if grounds.values is not None and is_sure else None
    if differ is not None and differ[1] not in hits:
        hits = [*hits[: MOST_QUOTES - 1], differ[1]]
    quotes = tuple(_quote(hit, grounds.admission) for hit in hits)
    speak = speaking(words, hits)
    status, reason = _judged(result, speak, quotes)
    on_record = next((hit for hit in excused if hit in speaking(words, [*hits[:1], hit])), None) if hits else None
    if on_record is not None:
        status, reason = "person", f"an exception is on record: {_place(on_record)}"
    if hits and (another := others.get(hits[0].rank)):
        status, reason = "person", another
    if hits and (why := former[hits[0].rank]):
        status, reason = "person", f"the closest words are {why[0]}"
    if differ is not None:
        status, reason = "person", differ[0]
    differing = () if grounds.conflicts is None else grounds.conflicts.on(speak)
    if grounds.conflicts is not None and differing:
        status, reason = "person", f"the documents differ: {grounds.conflicts.texts[differing[0]]}"
    return AnsweredQuestion(
        sheet=sheet, row=row, question=question, status=status, reason=reason, quotes=quotes, conflicts=differing
    )


def _admitted(question: str, hits: Iterable[Hit], admission: AdmittedPapers | None) -> tuple[list[Hit], list[Hit]]:
    """(what may answer, exceptions that somebody holds): who is excused from a rule is no answer to what the rule is."""
    if admission is None:
        return list(hits), []
    kept, excused = [], []
    for hit in hits:
        exception = admission.exception(question, hit)
        if exception is None:
            kept.append(hit)
        elif admission.holds(exception):
            excused.append(hit)
    return kept, excused


def _standing(hit: Hit, admission: AdmittedPapers | None) -> tuple[str, ...]:
    return () if admission is None else admission.standing(hit.item.document_id)


def _place(hit: Hit) -> str:
    return f"{hit.item.document_name} {hit.item.locator}".strip()


def _telling(hits: Iterable[Hit]) -> list[Hit]:
    """The hits that say something, each wording once: "Are audit trails maintained?" in a checklist answers nothing."""
    told: dict[str, Hit] = {}
    for hit in hits:
        words = " ".join(re.findall(r"\w+", hit.item.text.casefold()))
        if not hit.item.text.rstrip().endswith("?"):
            told.setdefault(words, hit)
    return list(told.values())


def _why_none(note: str) -> str:
    """Why nothing answers, for whoever gets the questionnaire: what a search offers beside is no advice there."""
    return "no sentence of the documents answers it" if note in ("", LEFT_OUT) else note


def _judged(result: QueryResult, hits: Iterable[Hit], quotes: tuple[QuotedAnswer, ...]) -> tuple[QuestionStatus, str]:
    if not quotes:
        return "not found", _why_none(result.note)
    best = quotes[0].probability
    kinds = {hit.item.kind for hit in hits}
    if {"prohibition"} < kinds:
        return "person", "some of the words forbid and others require or permit"
    if best is None:
        return "person", "how well the words fit was not judged"
    if result.relevance != "correct" or best < SURE:
        return "person", f"the closest words fit with a probability of {best:.0%}"
    return "answered", f"the closest words fit with a probability of {best:.0%}"


def _quote(hit: Hit, admission: AdmittedPapers | None) -> QuotedAnswer:
    item = hit.item
    return QuotedAnswer(
        item_id=item.item_id,
        document=item.document_name,
        locator=item.locator or item.heading,
        page=item.page,
        text=item.text,
        char_start=item.char_offset_start,
        char_end=item.char_offset_end,
        probability=hit.probability,
        role="" if admission is None else admission.role(item.document_id),
        standing=_standing(hit, admission),
    )
