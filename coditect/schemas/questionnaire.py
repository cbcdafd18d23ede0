"""Questionnaires: what somebody asks in a workbook, and what the documents answer."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["AnsweredQuestion", "AnsweredQuestionnaire", "AskedQuestion", "QuestionStatus", "QuotedAnswer"]

QuestionStatus = Literal["answered", "person", "not found"]
"""``answered``: words of the documents speak to it; ``person``: some may, or they differ in force, and somebody has to look;
``not found``: nothing in the documents speaks to it."""


class AskedQuestion(Record):
    """A question, and where it stands."""

    sheet: str = Field(default="", max_length=200, description="Name of the sheet.")
    row: int = Field(default=1, ge=1, le=2**20, description="Of the sheet, from 1.")
    number: str = Field(default="", max_length=100, description="As the sheet numbers it.")
    question: str = Field(min_length=1, max_length=32_767)


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
    role: str = Field(
        default="", description="What its document is: law, policy, record …; empty where that is not known."
    )
    standing: tuple[str, ...] = Field(
        default=(),
        description="Why its document does not bind on the day: 'superseded by …', 'not in force before …', 'in force until …'; "
        "empty where it does.",
    )


class AnsweredQuestion(Record):
    """A question with what the documents say."""

    sheet: str = ""
    row: int = Field(ge=1)
    number: str = Field(default="", description="As the sheet numbers it; empty where it does not.")
    question: str
    status: QuestionStatus
    reason: str = Field(description="Why it has this status, in words.")
    quotes: tuple[QuotedAnswer, ...] = Field(
        default=(), description="Best first; what is not in force is behind what is."
    )
    conflicts: tuple[str, ...] = Field(
        default=(), description="Ids of published claims that say that documents differ on it."
    )


class AnsweredQuestionnaire(Record):
    """All questions of a workbook, in their order."""

    format: Literal["questionnaire/2"] = Field(
        default="questionnaire/2",
        description="Of reports that tell the day, numbers of questions, and role and standing of what they quote; former ones "
        "named none.",
    )
    corpus_id: str
    generation: int
    build_id: str
    today: str = Field(default="", description="The day that documents' dates were held against, ISO 8601.")
    documents: tuple[str, ...] = Field(
        default=(), description="Names of the documents that might answer, where that was restricted; empty: all."
    )
    questions: tuple[AnsweredQuestion, ...]
    warnings: tuple[str, ...] = ()
