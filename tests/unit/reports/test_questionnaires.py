"""Questionnaires: where questions stand, and what becomes of the workbook when they are answered."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation

from coditect.errors import ReadError
from coditect.reports.questionnaires.filling import fill
from coditect.reports.questionnaires.questions import question_sheets
from coditect.schemas import AnsweredQuestion, QuotedAnswer

FIRST = "Do you encrypt data at rest?"
SECOND = "Describe how access rights are reviewed"


def _book(*, answers: bool = True, merged: bool = False) -> bytes:
    """A questionnaire with a title, heads, formats, a validation, a formula and a second sheet."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Security"
    sheet["A1"] = "Supplier questionnaire"
    sheet.append([])
    sheet.append(["No", "Question", *(["Answer", "Comments"] if answers else [])])
    sheet.append([1, FIRST])
    sheet.append([2, SECOND])
    sheet.append([3, "Do you train staff?", "Yes, we do"] if answers else [3, "Do you train staff?"])
    sheet["B4"].fill = PatternFill("solid", fgColor="FFFFCC00")
    sheet["B3"].font = Font(bold=True)
    sheet["A9"] = "=COUNTA(B4:B6)"
    if answers:
        rule = DataValidation(type="list", formula1='"Yes,No,NA"')
        rule.add("C4:C6")
        sheet.add_data_validation(rule)
    if merged:
        sheet.merge_cells("C4:C5")
    book.create_sheet("Notes")["A1"] = "keep me"
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def _answer(row: int, question: str, *, text: str = "", status: str = "answered") -> AnsweredQuestion:
    quotes = (QuotedAnswer(item_id="x", document="p.md", locator="4.2", text=text, probability=0.81),) if text else ()
    return AnsweredQuestion.model_validate(
        {"sheet": "Security", "row": row, "question": question, "status": status, "reason": "because", "quotes": quotes}
    )


ANSWERS = [
    _answer(4, FIRST, text="=Data at rest shall be encrypted."),
    _answer(5, SECOND, status="not found"),
    _answer(6, "Do you train staff?", status="not found"),
]


def test_questions_and_columns_of_answers_are_found() -> None:
    """By the heads of the columns; what the sheet lacks goes behind its last column."""
    (sheet,) = question_sheets(_book(), "q.xlsx")
    assert sheet.questions == ((4, FIRST), (5, SECOND), (6, "Do you train staff?"))
    assert (sheet.head, sheet.column) == (3, 2)
    assert (sheet.answers["Answer"], sheet.answers["Evidence"]) == (3, 4)
    assert sheet.made == ("Source", "Confidence", "Needs a person")
    assert sorted(sheet.answers.values()) == [3, 4, 5, 6, 7]


def test_workbook_comes_back_filled_and_otherwise_as_it_was() -> None:
    """Formats, formulas, validations and other sheets stay; no cell that holds something is written over."""
    raw = _book()
    filled, warnings = fill(raw, "q.xlsx", question_sheets(raw, "q.xlsx"), ANSWERS)
    sheet = load_workbook(BytesIO(filled))["Security"]
    assert sheet["C4"].value == "see evidence"
    assert sheet["D4"].value == "\u201c=Data at rest shall be encrypted.\u201d"
    assert sheet["E4"].value == "p.md 4.2"
    assert sheet["F4"].value == "81%"
    assert (sheet["C5"].value, sheet["G5"].value) == ("not found", "because")
    assert sheet["C6"].value == "Yes, we do"
    assert any("C6" in each for each in warnings)
    assert sheet["B4"].fill.fgColor.rgb == "FFFFCC00"
    assert sheet["A9"].value == "=COUNTA(B4:B6)"
    assert [str(rule.sqref) for rule in sheet.data_validations.dataValidation] == ["C4:C6"]
    with zipfile.ZipFile(BytesIO(raw)) as before, zipfile.ZipFile(BytesIO(filled)) as after:
        assert before.namelist() == after.namelist()
        changed = [each for each in before.namelist() if before.read(each) != after.read(each)]
    assert sorted(changed) == [
        "xl/styles.xml",
        "xl/worksheets/sheet1.xml",
    ]  # formats with wrapped lines, put behind the others


def test_words_that_hardly_fit_are_not_written_into_what_goes_out() -> None:
    """They and their place are named to the person who has to answer."""
    raw = _book()
    quote = QuotedAnswer(item_id="x", document="p.md", locator="4.2", text="Reports are kept.", probability=0.11)
    weak = ANSWERS[0].model_copy(update={"status": "person", "reason": "11%", "quotes": (quote,)})
    filled, _ = fill(raw, "q.xlsx", question_sheets(raw, "q.xlsx"), [weak, *ANSWERS[1:]])
    sheet = load_workbook(BytesIO(filled))["Security"]
    assert (sheet["C4"].value, sheet["D4"].value, sheet["E4"].value) == ("to be answered by a person", None, None)
    assert sheet["G4"].value == "11%; nearest: “Reports are kept.” p.md 4.2"


def test_same_answers_make_the_same_bytes() -> None:
    """Nothing of the moment gets into the file."""
    raw = _book()
    sheets = question_sheets(raw, "q.xlsx")
    assert fill(raw, "q.xlsx", sheets, ANSWERS) == fill(raw, "q.xlsx", sheets, ANSWERS)


def test_sheet_without_columns_for_answers_gets_them() -> None:
    """Heads and cells take the format of the question's column."""
    raw = _book(answers=False)
    filled, warnings = fill(raw, "q.xlsx", question_sheets(raw, "q.xlsx"), ANSWERS)
    sheet = load_workbook(BytesIO(filled))["Security"]
    assert [sheet.cell(3, column).value for column in range(3, 8)] == [
        "Answer",
        "Evidence",
        "Source",
        "Confidence",
        "Needs a person",
    ]
    assert sheet.cell(3, 3).font.bold
    assert sheet.cell(4, 4).fill.fgColor.rgb == "FFFFCC00"
    assert warnings == ()


def test_answer_in_a_merged_range_stands_in_its_first_cell() -> None:
    """The second one of the range finds it taken, and says so."""
    raw = _book(merged=True)
    filled, warnings = fill(raw, "q.xlsx", question_sheets(raw, "q.xlsx"), ANSWERS)
    sheet = load_workbook(BytesIO(filled))["Security"]
    assert sheet["C4"].value == "see evidence"
    assert any("C4" in each for each in warnings)


def test_macros_and_unknown_parts_stay() -> None:
    """What no library models is copied byte for byte."""
    raw = BytesIO(_book())
    with zipfile.ZipFile(raw, "a") as file:
        file.writestr("xl/vbaProject.bin", b"\x00macro")
    filled, _ = fill(raw.getvalue(), "q.xlsm", question_sheets(raw.getvalue(), "q.xlsm"), ANSWERS)
    with zipfile.ZipFile(BytesIO(filled)) as file:
        assert file.read("xl/vbaProject.bin") == b"\x00macro"


def test_heads_in_two_rows_and_headings_between_questions_are_told() -> None:
    """The lower head names a column; what is merged over the answer's cell asks nothing."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (
        ("Question", None, "Supplier response", None),
        (None, None, "Answer", "Evidence / reference"),
        ("A. Access control and more", None, None, None),
        ("Describe how you dispose of media.", None, None, None),
        ("Who reviews the rights of access?", None, None, None),
    ):
        sheet.append(row)
    for area in ("A1:B2", "C1:D1", "A3:D3", "A4:B4", "A5:B5"):
        sheet.merge_cells(area)
    file = BytesIO()
    book.save(file)
    (found,) = question_sheets(file.getvalue(), "q.xlsx")
    assert (found.head, found.column, [row for row, _ in found.questions]) == (1, 1, [4, 5])
    assert (found.answers["Answer"], found.answers["Evidence"]) == (3, 4)
    assert found.made == ("Source", "Confidence", "Needs a person")


@pytest.mark.parametrize(
    ("raw", "options", "message"),
    [
        (b"no workbook", {}, "not a workbook"),
        (_book(), {"sheet": "Absent"}, "no such sheet"),
        (_book(), {"sheet": "Notes"}, "no column of questions"),
        (_book(), {"column": "1"}, "not a column"),
    ],
)
def test_files_without_questions_are_refused_with_the_way_out(
    raw: bytes, options: dict[str, str], message: str
) -> None:
    """Each names the file."""
    with pytest.raises(ReadError, match=message) as caught:
        question_sheets(raw, "q.xlsx", **options)
    assert "q.xlsx" in str(caught.value)


def _heights(raw: bytes) -> dict[int, float | None]:
    sheet = load_workbook(BytesIO(fill(raw, "q.xlsx", question_sheets(raw, "q.xlsx"), LONG)[0]))["Security"]
    return {row: sheet.row_dimensions[row].height for row in (4, 5, 6)}


LONG = [_answer(4, FIRST, text="word " * 60), *ANSWERS[1:]]


def test_rows_are_as_high_as_what_was_written_into_them() -> None:
    """Not every program fits rows to wrapped text; one line needs nothing."""
    heights = _heights(_book(answers=False))
    assert heights[4] == 15.0 * 5  # 302 characters in a column of 70
    assert heights[5] is None


def test_a_height_that_somebody_fixed_stays() -> None:
    """The questionnaire's own layout is its author's."""
    book = load_workbook(BytesIO(_book(answers=False)))
    book["Security"].row_dimensions[4].height = 20
    out = BytesIO()
    book.save(out)
    assert _heights(out.getvalue())[4] == 20.0


def test_what_is_written_is_wrapped_in_the_format_that_the_cell_has() -> None:
    """Rows are made high enough for wrapped lines, so lines are wrapped; colours and fonts stay, and so does what nobody wrote."""
    raw = _book()
    made, _ = fill(raw, "q.xlsx", question_sheets(raw, "q.xlsx"), ANSWERS)
    sheet = load_workbook(BytesIO(made))["Security"]
    evidence = sheet["D4"]
    assert (evidence.alignment.wrap_text, evidence.alignment.vertical) == (True, "top")
    assert evidence.fill.start_color.rgb == sheet["B4"].fill.start_color.rgb == "FFFFCC00"
    assert not sheet["B4"].alignment.wrap_text
    assert not sheet["B3"].alignment.wrap_text
    assert sheet["B3"].font.bold
    again, _ = fill(made, "q.xlsx", question_sheets(raw, "q.xlsx"), ANSWERS)
    with zipfile.ZipFile(BytesIO(made)) as first, zipfile.ZipFile(BytesIO(again)) as second:
        assert first.read("xl/styles.xml") == second.read("xl/styles.xml")


def test_comments_among_formats_are_no_formats() -> None:
    """What is put behind them has the number that it has among formats alone."""
    raw = BytesIO()
    with zipfile.ZipFile(BytesIO(_book())) as source, zipfile.ZipFile(raw, "w") as target:
        for name in source.namelist():
            part = source.read(name)
            if name == "xl/styles.xml":
                part = part.replace(b"</cellXfs>", b"<!-- ours --></cellXfs>")
            target.writestr(name, part)
    filled, _ = fill(raw.getvalue(), "q.xlsx", question_sheets(raw.getvalue(), "q.xlsx"), ANSWERS)
    sheet = load_workbook(BytesIO(filled))["Security"]
    assert sheet["D4"].alignment.wrap_text
    assert sheet["D4"].fill.start_color.rgb == "FFFFCC00"
    assert not sheet["B4"].alignment.wrap_text
