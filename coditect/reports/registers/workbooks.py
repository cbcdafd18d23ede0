"""Workbooks: sheets of cells with a frozen head and filters, in which every text is a text."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any, BinaryIO

__all__ = ["Cell", "Sheet", "workbook_of", "workbook_of_sheets"]

Cell = str | int | float | None

Sheet = tuple[str, Sequence[str], Iterable[Sequence[Cell]]]
"""Title, names of the columns, and rows of cells in the order of the columns."""

_MOST_CELL = 32_767
"""Characters that a cell of a workbook holds."""

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
    "name": 40,
    "documents": 40,
    "places": 40,
    "sentence": 80,
    "duty_fields": 60,
    "what": 60,
    "SHA-256": 40,
}


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


def workbook_of_sheets(sheets: Iterable[Sheet], file: BinaryIO) -> int:
    """Write sheets, each with a frozen head and filters. See :func:`workbook_of`."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    count = sum(_write_sheet(book.create_sheet(title), columns, rows) for title, columns, rows in sheets)
    made = io.BytesIO()  # not the file: where that takes no more, openpyxl's archive complains again when it is let go
    book.save(made)
    file.write(made.getbuffer())
    return count


def _write_sheet(sheet: Any, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> int:  # noqa: ANN401 - its stub is wrong
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    sheet.freeze_panes = "A2"
    for number, name in enumerate(columns, 1):
        sheet.column_dimensions[get_column_letter(number)].width = _width(name)
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


def _width(column: str) -> int:
    """In characters; both sides of a comparison and examples are as wide as what they are of."""
    plain = column.removesuffix("_before").removesuffix("_after").removeprefix("evidence_").removeprefix("example_")
    return _WIDE.get(plain, 14)
