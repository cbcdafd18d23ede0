"""A workbook's questions asked, and their answers put into it, whoever answers: a corpus at hand, or a server's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coditect.reports.questionnaires.filling import fill
from coditect.reports.questionnaires.questions import asked_in, question_sheets
from coditect.schemas import AnsweredQuestionnaire, AskedQuestion

__all__ = ["answered_workbook"]


def answered_workbook(
    workbook: bytes,
    name: str,
    answer: Callable[[Sequence[AskedQuestion]], AnsweredQuestionnaire],
    *,
    sheet: str | None = None,
    column: str | None = None,
) -> tuple[AnsweredQuestionnaire, bytes]:
    """The questions of a workbook with their answers, and the workbook with these in it, in its own formatting.

    Args:
        workbook: the bytes of an .xlsx or .xlsm file.
        name: of the file, for errors.
        answer: gives the answers to all questions, in their order.
        sheet: only this sheet; None: every sheet with a column of questions.
        column: letter of the questions' column; None: the one whose head says so.
    Raises:
        ReadError: no workbook, or none of its sheets has a column of questions.
    """
    sheets = question_sheets(workbook, name, sheet=sheet, column=column)
    report = answer(asked_in(sheets))
    filled, warnings = fill(workbook, name, sheets, report.questions)
    return report.model_copy(update={"warnings": warnings}), filled
