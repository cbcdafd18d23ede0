"""Which cells of a workbook ask something, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

import pytest
from openpyxl import Workbook
from openpyxl.chart import BarChart

from coditect.errors import ReadError
from coditect.reports.questionnaires.questions import QuestionSheet, question_sheets

Cells = Mapping[str, str | int]
ASKED = "Do you train staff?"
HEAD_59 = "Question" + " x" * 25 + "y"
HEAD_60 = HEAD_59 + "z"


def book(**sheets: Cells) -> bytes:
    """A workbook of sheets with these cells."""
    made = Workbook()
    for title, cells in sheets.items():
        sheet = made.create_sheet(title)
        for place, value in cells.items():
            sheet[place] = value
    made.remove(made["Sheet"])
    out = BytesIO()
    made.save(out)
    return out.getvalue()


def found(cells: Cells, column: str | None = None) -> QuestionSheet | None:
    """The questions of a workbook with one sheet."""
    try:
        (sheet,) = question_sheets(book(One=cells), "q.xlsx", column=column)
    except ReadError as error:
        if "no column of questions" not in str(error):
            raise
        return None
    return sheet


@pytest.mark.parametrize(
    ("cells", "place"),
    [
        ({"A1": "Question", "A2": ASKED}, (1, 1)),
        ({"B2": "Requirement", "B3": ASKED}, (2, 2)),
        ({"A30": "Question", "A31": ASKED}, (30, 1)),
        ({"A31": "Question", "A32": ASKED}, None),
        ({"A1": "Question?", "A2": ASKED}, None),
        ({"A1": "Question? ", "A2": ASKED}, None),
        ({"A1": "Questionable", "A2": ASKED}, None),
        ({"A1": HEAD_59, "A2": ASKED}, (1, 1)),
        ({"A1": HEAD_60, "A2": ASKED}, None),
        ({"A1": 7, "B1": "Query", "B2": ASKED}, (1, 2)),
        ({"A1": "Question ID", "B1": "Question Text", "A2": "Q-1", "B2": ASKED}, (1, 2)),
        ({"A1": "Question", "B1": "Requirement", "A2": ASKED, "B2": ASKED}, (1, 1)),
        ({"A1": "Control", "B1": "Question", "C1": "Requirement", "B2": ASKED}, (1, 2)),
    ],
    ids=str,
)
def test_head_is_a_short_text_among_the_first_thirty_rows(cells: Cells, place: tuple[int, int] | None) -> None:
    """The first cell, row by row, that speaks of questions and asks none itself; shorter than sixty characters."""
    sheet = found(cells)
    assert (None if sheet is None else (sheet.head, sheet.column)) == place


@pytest.mark.parametrize(
    ("cells", "head", "rows"),
    [
        ({"B1": "Question", "C1": "Question", "C2": ASKED}, 1, (2,)),
        ({"C1": ASKED}, 1, (1,)),
        ({"C1": "On what is asked", "C5": ASKED}, 1, (5,)),
        ({"C2": ASKED, "C3": "Of all the staff"}, 1, (2, 3)),
        ({"C6": ASKED}, 5, (6,)),
        ({"A1": "Question", "C6": ASKED}, 5, (6,)),
        ({"C2": "Of all the staff", "A9": "x"}, 1, (2,)),
        ({"A1": "x"}, None, ()),
    ],
    ids=str,
)
def test_a_named_column_needs_no_head(cells: Cells, head: int | None, rows: tuple[int, ...]) -> None:
    """Its own head where it has one, else the row above its first text, at the highest the first row."""
    sheet = found(cells, "c")
    assert (None if sheet is None else sheet.head) == head
    assert (() if sheet is None else tuple(row for row, _ in sheet.questions)) == rows
    assert sheet is None or sheet.column == 3


@pytest.mark.parametrize(
    ("words", "asks"),
    [("Train?", True), ("Train the", False), ("Train\n the  staff", True), ("", False), (12, False), ("1 2 ?", True)],
)
def test_a_question_ends_as_one_or_has_three_words(words: str | int, asks: bool) -> None:
    """Below the head; numbers and shorter texts are headings of parts, or nothing."""
    sheet = found({"A1": "Question", "A2": ASKED, "A4": words, "B5": "x"})
    assert sheet is not None
    said = " ".join(str(words).split())
    assert sheet.questions == ((2, ASKED), *(((4, said),) if asks else ()))


def test_a_long_head_is_no_question() -> None:
    """Three words in the row of the heads ask nothing."""
    sheet = found({"A1": "Question of the customer", "A2": ASKED})
    assert sheet is not None
    assert sheet.questions == ((2, ASKED),)


def test_rows_behind_the_hundred_thousandth_are_left_out() -> None:
    """A sheet whose last row is far away is read up to there."""
    sheet = found({"A1": "Question", "A100000": ASKED, "A100001": ASKED})
    assert sheet is not None
    assert sheet.questions == ((100_000, ASKED),)


@pytest.mark.parametrize(
    ("heads", "answers", "made"),
    [
        ("Question", "23456", "Answer Evidence Source Confidence Needs"),
        ("Question|Answer|Comments|Reference|Confidence|Follow-up", "23456", ""),
        ("Question|Response|Answer", "24567", "Evidence Source Confidence Needs"),
        ("Question|Evidence|Answer", "32456", "Source Confidence Needs"),
        ("Answer|Question", "34567", "Answer Evidence Source Confidence Needs"),
        ("Question||Answer|x", "35678", "Evidence Source Confidence Needs"),
        ("Question|Answer with comments", "23456", "Evidence Source Confidence Needs"),
        ("Question|No answer|Documented", "45678", "Answer Evidence Source Confidence Needs"),
    ],
)
def test_columns_of_answers_are_the_sheets_own_or_stand_behind_its_last(heads: str, answers: str, made: str) -> None:
    """Only behind the questions, the first that fits, each for one purpose."""
    cells = {f"{letter}1": head for letter, head in zip("ABCDEF", heads.split("|"), strict=False) if head}
    question = "AB"[heads.split("|").index("Question")]
    sheet = found({**cells, f"{question}2": ASKED})
    assert sheet is not None
    assert "".join(str(each) for each in sheet.answers.values()) == answers
    assert " ".join(each.split()[0] for each in sheet.made) == made


def test_sheets_with_questions_are_found_and_one_can_be_named() -> None:
    """Sheets without any are passed over; of a name only that one; charts hold none; formulas ask by what they gave."""
    raw = book(One={"A1": "Question", "A2": ASKED}, Two={"A1": "Notes"}, Three={"B1": "Inquiry", "B2": ASKED})
    assert [each.name for each in question_sheets(raw, "q.xlsx")] == ["One", "Three"]
    assert [each.name for each in question_sheets(raw, "q.xlsx", sheet="Three")] == ["Three"]
    with pytest.raises(ReadError, match="no column of questions"):
        question_sheets(raw, "q.xlsx", sheet="Two")
    made = Workbook()
    made.create_chartsheet("Chart").add_chart(BarChart())
    assert made.active is not None
    made.active["A1"] = "Question"
    made.active["A2"] = ASKED
    made.active["A3"] = '="Do you encrypt data?"'
    out = BytesIO()
    made.save(out)
    (sheet,) = question_sheets(out.getvalue(), "q.xlsx")
    assert sheet.questions == ((2, ASKED),)
