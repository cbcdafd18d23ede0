"""Which cells of a workbook hold questions, and where their answers go."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING

from coditect.errors import ReadError
from coditect.schemas import AskedQuestion

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

__all__ = ["ANSWER_HEADS", "QuestionSheet", "asked_in", "question_sheets"]

ANSWER_HEADS = ("Answer", "Evidence", "Source", "Confidence", "Needs a person")
"""Heads of the columns that are filled."""

_QUESTION = re.compile(r"\b(?:question|questions|requirement|inquiry|query|control specification)\b", re.IGNORECASE)
_ANSWER = {
    "Answer": re.compile(r"^\W*(?:answer|response|reply|vendor response|caiq answer)\b", re.IGNORECASE),
    "Evidence": re.compile(r"\b(?:evidence|comment|comments|explanation|implementation description)\b", re.IGNORECASE),
    "Source": re.compile(r"^\W*(?:source|reference|references|document)\b", re.IGNORECASE),
    "Confidence": re.compile(r"^\W*confidence\b", re.IGNORECASE),
    "Needs a person": re.compile(r"^\W*(?:needs a person|follow.?up)\b", re.IGNORECASE),
}
_NUMBER = re.compile(
    r"^\W*(?:(?:question|control|item|requirement|ref(?:erence)?)\W*)?(?:no|nr|num|number|id|ref|reference|#)\W*$|^\W*[#№]\W*$",
    re.IGNORECASE,
)
_LONGEST_NUMBER = 30
_HEAD_ROWS = 30
_MOST_ROWS = 100_000
_LEAST_WORDS = 3


@dataclass(frozen=True, slots=True)
class QuestionSheet:
    """A sheet with questions.

    Attributes:
        name: of the sheet.
        head: the row of the columns' heads, from 1; the first, where they stand in several.
        column: of the questions, from 1.
        answers: column by head of :data:`ANSWER_HEADS`, from 1; the sheet's own where it has one, else behind its last column.
        made: heads whose columns are not there yet.
        questions: (row, words), in order.
        numbers: by row, what the sheet numbers its question by.
    """

    name: str
    head: int
    column: int
    answers: dict[str, int]
    made: tuple[str, ...]
    questions: tuple[tuple[int, str], ...]
    numbers: dict[int, str] = field(default_factory=dict)


def asked_in(sheets: Iterable[QuestionSheet]) -> list[AskedQuestion]:
    """The questions of all sheets, in order."""
    return [
        AskedQuestion(sheet=each.name, row=row, number=each.numbers.get(row, ""), question=words)
        for each in sheets
        for row, words in each.questions
    ]


def question_sheets(
    raw: bytes, name: str, *, sheet: str | None = None, column: str | None = None
) -> list[QuestionSheet]:
    """The sheets of a workbook that hold questions.

    Args:
        raw: the file.
        name: its name, for errors.
        sheet: looks at this sheet only.
        column: letter of the questions' column; None: the one whose head says so.
    Raises:
        ReadError: no workbook; or none of its sheets has a column of questions.
    """
    from openpyxl import load_workbook
    from openpyxl.utils import column_index_from_string
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(BytesIO(raw), data_only=True)
        wanted = None if column is None else column_index_from_string(column.upper())
    except (InvalidFileException, zipfile.BadZipFile, KeyError, OSError) as error:
        raise ReadError(
            "not a workbook", name=name, hint="Give an .xlsx or .xlsm file; save an .xls as one."
        ) from error
    except ValueError as error:
        raise ReadError("not a column or a damaged workbook", name=name, column=column, hint=str(error)) from error
    if sheet is not None and sheet not in book.sheetnames:
        raise ReadError(
            "the workbook has no such sheet", name=name, sheet=sheet, hint=f"Its sheets: {', '.join(book.sheetnames)}."
        )
    found = [
        each
        for title in ([sheet] if sheet is not None else book.sheetnames)
        if hasattr(book[title], "iter_rows") and (each := _sheet(book[title], wanted)) is not None
    ]
    if not found:
        raise ReadError(
            "no column of questions found",
            name=name,
            hint="Name it: --column B, and --sheet where there are several.",
        )
    return found


def _sheet(sheet: Worksheet, wanted: int | None) -> QuestionSheet | None:
    head = _head(sheet, wanted)
    if head is None:
        return None
    row, column = head
    last_head = _merged(sheet, row, column)[0]
    # Of heads in two rows, "Response" over "Answer" and "Evidence", the lower ones say which column is which.
    heads = {
        int(cell.column): str(cell.value)
        for each in range(row, last_head + 1)
        for cell in sheet[each]
        if cell.value is not None
    }
    answers: dict[str, int] = {}
    last = max(sheet.max_column, column)
    made = []
    for name in ANSWER_HEADS:
        taken = set(answers.values())
        fits = (at for at, said in heads.items() if at > column and at not in taken and _ANSWER[name].search(said))
        there = next(fits, None)
        if there is None:
            last += 1
            made.append(name)
        answers[name] = there or last
    own = {answers[name] for name in ANSWER_HEADS if name not in made}
    questions = tuple(
        (at, words)
        for at, words in _questions(sheet, last_head, column)
        # What is merged over the answer's cell is a heading: "A. Access control".
        if words.endswith("?") or not any(column < each <= _merged(sheet, at, column)[1] for each in own)
    )
    if not questions:
        return None
    numbers = _numbers(sheet, heads, column, [at for at, _ in questions])
    return QuestionSheet(sheet.title, row, column, answers, tuple(made), questions, numbers)


def _numbers(sheet: Worksheet, heads: Mapping[int, str], column: int, rows: Iterable[int]) -> dict[int, str]:
    """What the sheet numbers its questions by, by row: the nearest column before them whose head says so."""
    at = next((each for each in sorted(heads, reverse=True) if each < column and _NUMBER.search(heads[each])), None)
    if at is None:
        return {}
    found = {}
    for row in rows:
        value = sheet.cell(row, at).value
        value = int(value) if isinstance(value, float) and value.is_integer() else value
        said = "" if value is None else str(value).strip()
        if said and len(said) <= _LONGEST_NUMBER:
            found[row] = said
    return found


def _merged(sheet: Worksheet, row: int, column: int) -> tuple[int, int]:
    """The last row and column of the cell that begins there; its own where it is not merged."""
    for area in sheet.merged_cells.ranges:
        if (area.min_row, area.min_col) == (row, column):
            return int(area.max_row), int(area.max_col)
    return row, column


def _head(sheet: Worksheet, wanted: int | None) -> tuple[int, int] | None:
    """(row, column) of the head of the questions; the row above the first text where only the column is known.

    Of several heads in a row the first is meant below which questions stand: "Question ID" is above their numbers.
    """
    for row, cells in enumerate(sheet.iter_rows(max_row=min(_HEAD_ROWS, sheet.max_row)), 1):
        heads = [
            int(cell.column)
            for cell in cells
            if isinstance(cell.value, str) and (cell.column == wanted or wanted is None) and _is_head(cell.value)
        ]
        if heads:
            return row, next((each for each in heads if any(_questions(sheet, row + 1, each))), heads[0])
    if wanted is None:
        return None
    first = next((row for row in range(1, sheet.max_row + 1) if sheet.cell(row, wanted).value), None)
    return None if first is None else (max(first - 1, 1), wanted)


def _is_head(value: str) -> bool:
    return len(value) < 60 and not value.rstrip().endswith("?") and bool(_QUESTION.search(value))


def _questions(sheet: Worksheet, head: int, column: int) -> Iterator[tuple[int, str]]:
    rows = sheet.iter_rows(min_row=head, max_row=min(sheet.max_row, _MOST_ROWS), min_col=column, max_col=column)
    for row, (cell,) in enumerate(rows, head):
        words = " ".join(str(cell.value).split()) if isinstance(cell.value, str) else ""
        asks = words.endswith("?")
        if asks or (row > head and len(words.split()) >= _LEAST_WORDS):
            yield row, words
