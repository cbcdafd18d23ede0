"""Worksheets: merged cells say in each row what the sheet shows there, and a formula that nobody computed is told as lost."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from openpyxl import Workbook

from coditect.documents.readers import read_source, worksheet
from coditect.documents.readers.worksheet import SheetMarks, filled


def _bytes(rows: Sequence[Sequence[object]], *merged: str) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    for each in merged:
        sheet.merge_cells(each)
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


ROWS: list[list[object]] = [
    ["ID", "Requirement", "Owner"],
    ["AC-01", "Access must be reviewed every quarter.", "Security"],
    [None, "Accounts of leavers must be disabled within 24 hours.", "People"],
    ["AC-02", "Keys must be changed.", "Security"],
]


def test_merged_cell_is_said_in_each_of_its_rows() -> None:
    """A row that is quoted alone has the number of its control; without a merge an empty cell stays empty."""
    lines = read_source(_bytes(ROWS, "A2:A3"), "a.xlsx").text.split("\n")
    assert "ID: AC-01 | Requirement: Accounts of leavers must be disabled within 24 hours. | Owner: People" in lines
    assert "ID: AC-02 | Requirement: Keys must be changed. | Owner: Security" in lines
    plain = read_source(_bytes(ROWS), "a.xlsx").text.split("\n")
    assert "Requirement: Accounts of leavers must be disabled within 24 hours. | Owner: People" in plain


def test_caption_that_is_merged_to_the_side_is_said_once() -> None:
    """Only what is merged downwards is said again."""
    text = read_source(_bytes([["Register", None, None], *ROWS], "A1:C1"), "a.xlsx").text
    assert text.count("Register") == 1


def test_rows_that_are_empty_but_for_a_merged_cell_stay_empty() -> None:
    """A merge over nothing makes no row."""
    marks = SheetMarks({1: [(0, 4)]})
    assert list(filled([["A", "x"], ["", ""], ["", "y"], ["", "z"], ["", "w"]], marks)) == [
        ["A", "x"],
        ["", ""],
        ["A", "y"],
        ["A", "z"],
        ["", "w"],
    ]


def test_formula_without_a_value_is_told_as_lost() -> None:
    """A program that writes workbooks does not compute them: the cell is left out, and the intake says how many."""
    source = read_source(_bytes([*ROWS, ["AC-03", '=CONCATENATE("Back","ups")', "IT"]]), "a.xlsx")
    (warning,) = source.warnings
    assert warning.startswith("1 cell has a formula and no value in sheet 'Sheet'")
    assert read_source(_bytes(ROWS), "a.xlsx").warnings == ()


def test_merges_without_end_are_filled_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few bytes that merge a million rows cost no more than what a person can have merged."""
    monkeypatch.setattr(worksheet, "MOST_FILLED", 1)
    lines = read_source(_bytes([*ROWS, [None, "More.", "IT"]], "A2:A3", "A4:A5"), "a.xlsx").text.split("\n")
    assert sum(line.startswith("ID: ") for line in lines) == 3
