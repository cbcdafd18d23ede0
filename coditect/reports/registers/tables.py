"""A register as CSV, as a workbook, or as JSON Lines: written as rows come, so that its length does not matter."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, BinaryIO, Literal

from coditect.schemas import RegisterRow

__all__ = ["COLUMNS", "Sheet", "TableFormat", "unformulated", "workbook_of", "workbook_of_sheets", "write_register"]

TableFormat = Literal["csv", "xlsx", "jsonl"]

COLUMNS: tuple[str, ...] = tuple(RegisterRow.model_fields)
"""Names of the columns, in order: the fields of a row."""

_MOST_CELL = 32_767
"""Characters that a cell of a workbook holds."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet program takes for the beginning of a formula in a CSV file."""

_WIDE = {
    "text": 80,
    "action": 48,
    "heading": 32,
    "document": 32,
    "conditions": 40,
    "exceptions": 40,
    "meaning": 48,
    "item_id": 18,
    "finding": 80,
    "quote": 80,
    "place": 40,
    "title": 40,
    "file": 40,
    "reason": 60,
    "topic": 32,
    "what": 60,
    "SHA-256": 40,
}


def write_register(rows: Iterable[RegisterRow], file: BinaryIO, form: TableFormat) -> int:
    """Write a register.

    Args:
        rows: in their order.
        file: open for writing bytes.
        form: of the file. CSV is UTF-8 with a byte order mark, which spreadsheet programs ask for; a cell that would be taken for a
            formula begins with an apostrophe there. In a workbook all texts are texts, cut at 32,767 characters; the same rows make
            the same bytes but for the dates that the format itself keeps.

    Returns:
        How many rows there were.
    """
    writers: Mapping[str, Callable[[Iterable[RegisterRow], BinaryIO], int]] = {
        "csv": _write_csv,
        "xlsx": _write_workbook,
        "jsonl": _write_lines,
    }
    return writers[form](rows, file)


def _write_lines(rows: Iterable[RegisterRow], file: BinaryIO) -> int:
    count = 0
    for row in rows:
        file.write(row.model_dump_json().encode() + b"\n")
        count += 1
    return count


def _write_csv(rows: Iterable[RegisterRow], file: BinaryIO) -> int:
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="", write_through=True)
    try:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(COLUMNS)
        count = 0
        for row in rows:
            writer.writerow([unformulated(each) if isinstance(each, str) else each for each in _cells(row)])
            count += 1
        return count
    finally:
        text.detach()


def unformulated(cell: str) -> str:
    """A cell of a CSV file that no spreadsheet program takes for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _cells(row: RegisterRow) -> list[str | int | float | None]:
    values = (getattr(row, name) for name in COLUMNS)
    return ["; ".join(value) if isinstance(value, tuple) else value for value in values]


def _write_workbook(rows: Iterable[RegisterRow], file: BinaryIO) -> int:
    return workbook_of(COLUMNS, map(_cells, rows), file, "register")


def workbook_of(columns: Sequence[str], rows: Iterable[Sequence[Cell]], file: BinaryIO, title: str) -> int:
    """Write rows of cells as a workbook with a frozen head and filters; all texts are texts, never formulas.

    Args:
        columns: their names.
        rows: cells in the order of the columns.
        file: open for writing bytes.
        title: of the sheet.

    Returns:
        How many rows there were.
    """
    return workbook_of_sheets([(title, columns, rows)], file)


Cell = str | int | float | None

Sheet = tuple[str, Sequence[str], Iterable[Sequence[Cell]]]
"""Title, names of the columns, and rows of cells in the order of the columns."""


def workbook_of_sheets(sheets: Iterable[Sheet], file: BinaryIO) -> int:
    """Write sheets, each with a frozen head and filters. See :func:`workbook_of`."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    count = sum(_write_sheet(book.create_sheet(title), columns, rows) for title, columns, rows in sheets)
    book.save(file)
    return count


def _write_sheet(sheet: Any, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> int:  # noqa: ANN401 - its stub is wrong
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    sheet.freeze_panes = "A2"
    for number, name in enumerate(columns, 1):
        sheet.column_dimensions[get_column_letter(number)].width = _WIDE.get(name, 14)
    heads = []
    for name in columns:
        head = WriteOnlyCell(sheet, name.replace("_", " "))
        head.font = Font(bold=True)
        heads.append(head)
    sheet.append(heads)
    wrapped = Alignment(wrap_text=True, vertical="top")
    count = 0
    for row in rows:
        cells = []
        for value in row:
            if isinstance(value, str):
                cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", value)[:_MOST_CELL])
                cell.data_type = "s"  # what begins with "=" is a text, not a formula
            else:
                cell = WriteOnlyCell(sheet, value)
            cell.alignment = wrapped
            cells.append(cell)
        sheet.append(cells)
        count += 1
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(columns))}{count + 1}"
    return count
