"""What the documents answer to a question: words, how sure that is, and when a person has to look."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from coditect.errors import UsageError
from coditect.knowledge.query.shown.notes import LEFT_OUT
from coditect.knowledge.report.questionnaires.bound import BoundParties
from coditect.knowledge.report.questionnaires.differing import Conflicts
from coditect.schemas import AnsweredQuestion, Hit, QueryResult, QuestionStatus, QuotedAnswer

__all__ = ["MOST_QUOTES", "Asked", "answer_question", "answers"]

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

Asked = tuple[str, int, str]
"""(sheet, row, question)."""


def answers(
    asked: Iterable[Asked],
    ask: Callable[[str], QueryResult],
    conflicts: Conflicts | None = None,
    bound: BoundParties | None = None,
) -> Iterator[AnsweredQuestion]:
    """Each question with its answer, in order.

    Args:
        asked: the questions.
        ask: answers words with sentences of the documents, best first.
        conflicts: of the same generation; None: answers are not held against them.
        bound: of the same generation; None: whom an answer binds is not looked at.
    """
    for sheet, row, question in asked:
        yield answer_question(sheet, row, question, ask, conflicts, bound)


def answer_question(
    sheet: str,
    row: int,
    question: str,
    ask: Callable[[str], QueryResult],
    conflicts: Conflicts | None = None,
    bound: BoundParties | None = None,
) -> AnsweredQuestion:
    """What the documents say to one question.

    Args:
        sheet: its sheet.
        row: its row.
        question: as it is printed.
        ask: answers words with sentences of the documents, best first.
        conflicts: of the same generation; where one bears on the answer, a person has to look.
        bound: of the same generation; a sentence that binds somebody else than is asked about stands behind the others, and where
            it is the best there is, a person has to look.
    """
    words = _OPENING.sub("", " ".join(question.split()))[:LONGEST_QUERY] or question[:LONGEST_QUERY]
    try:
        result = ask(words)
    except UsageError as error:
        return AnsweredQuestion(
            sheet=sheet, row=row, question=question, status="person", reason=f"it cannot be asked: {error.message}"
        )
    found = _telling(result.hits)
    others = {} if bound is None else {hit.rank: bound.binds_another(question, hit) for hit in found}
    hits = sorted(found, key=lambda hit: (bool(others.get(hit.rank)), hit.rank))
    quotes = tuple(_quote(hit) for hit in hits)
    status, reason = _judged(result, hits, quotes)
    if hits and (another := others.get(hits[0].rank)):
        status, reason = "person", another
    differing = () if conflicts is None else conflicts.on(words, hits)
    if conflicts is not None and differing:
        status, reason = "person", f"the documents differ: {conflicts.texts[differing[0]]}"
    return AnsweredQuestion(
        sheet=sheet, row=row, question=question, status=status, reason=reason, quotes=quotes, conflicts=differing
    )


def _telling(hits: Iterable[Hit]) -> list[Hit]:
    """The best hits that say something, each wording once: "Are audit trails maintained?" in a checklist answers nothing."""
    told: dict[str, Hit] = {}
    for hit in hits:
        words = " ".join(re.findall(r"\w+", hit.item.text.casefold()))
        if not hit.item.text.rstrip().endswith("?"):
            told.setdefault(words, hit)
    return list(told.values())[:MOST_QUOTES]


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


def _quote(hit: Hit) -> QuotedAnswer:
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
    )
