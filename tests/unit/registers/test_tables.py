"""Registers as files that other programs open."""

from __future__ import annotations

import csv
import gc
import io
import json
from typing import Literal

import openpyxl
import pytest

from coditect.reports.registers.calendar import write_calendar
from coditect.reports.registers.statements import REGISTER_COLUMNS, write_register
from coditect.schemas import RegisterRow

ROWS = [
    RegisterRow(
        item_id="extraction_1",
        kind="obligation",
        document="a.md",
        locator="4.1",
        force="mandatory",
        actor="The officer",
        action="review the log",
        frequency="every three months",
        per_year=4.0,
        conditions=("if asked", "where possible"),
        text='The officer shall, "if asked",\nreview the log.',
        char_start=10,
        char_end=60,
    ),
    RegisterRow(item_id="extraction_2", kind="quantity", document="=a.md", text="=SUM(A1:A9)", due="2026-03-31"),
    RegisterRow(
        item_id="extraction_3",
        kind="obligation",
        document="b.md",
        text="Report\x0b within 72 hours.",
        deadline_hours=72.0,
    ),
]


def test_lines_of_json_hold_every_field() -> None:
    """A row a line; each is the row again."""
    file = io.BytesIO()
    assert write_register(ROWS, file, "jsonl") == 3
    lines = file.getvalue().decode().splitlines()
    assert [RegisterRow.model_validate_json(line) for line in lines] == ROWS
    assert list(json.loads(lines[0])) == list(REGISTER_COLUMNS)


class _Broken(io.BytesIO):
    """A file whose reader goes away in between."""

    def write(self, content: object) -> int:
        """Take the first row, and no more."""
        if self.tell():
            raise BrokenPipeError
        return super().write(content)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_file_that_breaks_off_stays_its_owners(form: Literal["csv", "jsonl"]) -> None:
    """It is not closed behind their back: a standard output that was closed is a traceback at the end of the program."""
    file = _Broken()
    with pytest.raises(BrokenPipeError):
        write_register(ROWS, file, form)
    gc.collect()
    assert not file.closed


def test_csv_is_read_back_and_runs_no_formula() -> None:
    """Quotes and line breaks come back; what a spreadsheet program would compute begins with an apostrophe."""
    file = io.BytesIO()
    assert write_register(ROWS, file, "csv") == 3
    assert file.getvalue().startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(file.getvalue().decode("utf-8-sig"), newline="")))
    assert rows[0]["text"] == ROWS[0].text
    assert rows[0]["conditions"] == "if asked; where possible"
    assert (rows[1]["text"], rows[1]["document"]) == ("'=SUM(A1:A9)", "'=a.md")
    assert rows[2]["deadline_hours"] == "72.0"


def test_workbook_holds_texts_and_numbers() -> None:
    """Texts are texts whatever they begin with, numbers are numbers, characters that XML cannot hold are replaced."""
    file = io.BytesIO()
    assert write_register(ROWS, file, "xlsx") == 3
    sheet = openpyxl.load_workbook(file).active
    assert sheet is not None
    cells = {name: number for number, name in enumerate(REGISTER_COLUMNS, 1)}
    assert [cell.value for cell in sheet[1]] == [name.replace("_", " ") for name in REGISTER_COLUMNS]
    assert sheet.freeze_panes == "A2"
    assert sheet.cell(3, cells["text"]).value == "=SUM(A1:A9)"
    assert sheet.cell(3, cells["text"]).data_type == "s"
    assert sheet.cell(2, cells["per_year"]).value == 4
    assert sheet.cell(4, cells["text"]).value == "Report\N{REPLACEMENT CHARACTER} within 72 hours."


def test_calendar_holds_what_recurs_and_what_is_dated() -> None:
    """A second program reads it: a rule for what recurs, a day for what is dated, nothing for what runs from an event."""
    icalendar = pytest.importorskip("icalendar")
    file, again = io.BytesIO(), io.BytesIO()
    dates = [("to be reviewed", "a.md", "2026-12-01")]
    for each in (file, again):
        count = write_calendar(ROWS, dates, each, first_day="2026-01-15", made_at="2026-01-10T09:00:00Z")
        assert count == 3
    assert file.getvalue() == again.getvalue()
    recurring, dated, review = icalendar.Calendar.from_ical(file.getvalue()).walk("VEVENT")
    assert (recurring["rrule"]["freq"], recurring["rrule"]["interval"]) == (["MONTHLY"], [3])
    assert recurring.decoded("dtstart").isoformat() == "2026-01-15"
    assert str(recurring["summary"]) == "The officer: review the log"
    assert "rrule" not in dated
    assert dated.decoded("dtstart").isoformat() == "2026-03-31"
    assert (str(review["summary"]), review.decoded("dtstart").isoformat()) == ("a.md: to be reviewed", "2026-12-01")


@pytest.mark.parametrize(
    ("words", "kept"),
    [("x" * 90, "x" * 90), ("x" * 88 + " yy", "x" * 88 + "…"), ("x" * 91, "x" * 89 + "…"), ("x y", "x y")],
)
def test_calendar_cuts_a_summary_behind_ninety_characters_between_words(words: str, kept: str) -> None:
    """Ninety characters stay; of more the last whole word that leaves room for the mark; the description has them all."""
    icalendar = pytest.importorskip("icalendar")
    file = io.BytesIO()
    row = RegisterRow(item_id="extraction_1", kind="quantity", document="a.md", text=words, due="2026-03-31")
    made = {"first_day": "2026-01-15", "made_at": "2026-01-10T09:00:00Z"}
    assert write_calendar([row], [], file, **made) == 1
    (event,) = icalendar.Calendar.from_ical(file.getvalue()).walk("VEVENT")
    assert str(event["summary"]) == kept
    assert str(event["description"]).startswith(words)


def test_workbook_holds_as_much_of_a_text_as_a_cell_does() -> None:
    """32,767 characters; more would make the file one that does not open."""
    file = io.BytesIO()
    row = RegisterRow(item_id="extraction_1", kind="quantity", document="a.md", text="x" * 32_768)
    write_register([row], file, "xlsx")
    sheet = openpyxl.load_workbook(file).active
    assert sheet is not None
    assert len(str(sheet.cell(2, REGISTER_COLUMNS.index("text") + 1).value)) == 32_767
    assert sheet.cell(1, 1).font.bold
    assert sheet.cell(2, REGISTER_COLUMNS.index("text") + 1).alignment.wrap_text
