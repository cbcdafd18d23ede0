"""Worksheets: a formula that nobody computed is told as lost."""

from __future__ import annotations

import io
from collections.abc import Sequence

from openpyxl import Workbook

from coditect.documents.readers import read_source


def _bytes(rows: Sequence[Sequence[object]]) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


ROWS: list[list[object]] = [
    ["ID", "Requirement", "Owner"],
    ["AC-01", "Access must be reviewed every quarter.", "Security"],
    [None, "Accounts of leavers must be disabled within 24 hours.", "People"],
    ["AC-02", "Keys must be changed.", "Security"],
]


def test_formula_without_a_value_is_told_as_lost() -> None:
    """A program that writes workbooks does not compute them: the cell is left out, and the intake says how many."""
    source = read_source(_bytes([*ROWS, ["AC-03", '=CONCATENATE("Back","ups")', "IT"]]), "a.xlsx")
    (warning,) = source.warnings
    assert warning.startswith("1 cell has a formula and no value in sheet 'Sheet'")
    assert read_source(_bytes(ROWS), "a.xlsx").warnings == ()
