"""Questionnaires: what somebody asks in a workbook, and what the documents answer."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["AnsweredQuestion", "AnsweredQuestionnaire", "QuestionStatus", "QuotedAnswer"]

QuestionStatus = Literal["answered", "person", "not found"]
"""``answered``: words of the documents speak to it; ``person``: some may, or they differ in force, and somebody has to look;
``not found``: nothing in the documents speaks to it."""


class QuotedAnswer(Record):
    """Words that speak to a question."""

    item_id: str = Field(description="What 'coditect knowledge drilldown' takes.")
    document: str
    locator: str = ""
    page: int | None = Field(default=None, ge=1)
    text: str = Field(description="Verbatim.")
    char_start: int | None = None
    char_end: int | None = None
    probability: float | None = Field(
        default=None, ge=0.0, le=1.0, description="That it answers; absent where nothing was judged."
    )


class AnsweredQuestion(Record):
    """A question with what the documents say."""

    sheet: str = ""
    row: int = Field(ge=1)
    question: str
    status: QuestionStatus
    reason: str = Field(description="Why it has this status, in words.")
    quotes: tuple[QuotedAnswer, ...] = Field(default=(), description="Best first.")
    conflicts: tuple[str, ...] = Field(
        default=(), description="Ids of published claims that say that documents differ on it."
    )


class AnsweredQuestionnaire(Record):
    """All questions of a workbook, in their order."""

    corpus_id: str
    generation: int
    build_id: str
    questions: tuple[AnsweredQuestion, ...]
    warnings: tuple[str, ...] = ()
