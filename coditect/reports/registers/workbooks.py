"""Workbooks: sheets of cells with a frozen head and filters, in which every text is a text."""

from __future__ import annotations

import datetime
import io
import math
import shutil
import zipfile
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
    "SHA-256": 70,
    "claim id": 70,
    "value": 40,
}

_NAMED = ("id", "ids", "item", "SHA-256")
"""What names of columns end with whose cells are not read but copied: they stay on one line."""

_WRITTEN = datetime.datetime(1980, 1, 1)
"""When all workbooks say that they were written, the first day that their archives know: the same cells are the same bytes."""

_LINE_POINTS = 15.0
_MOST_POINTS = 409.0
"""No row is higher."""

_WIDEST_PRINTED = 330
"""Characters of all columns together that are put on the width of a page; more of them would be too small to read."""


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
    """Write sheets, each with a frozen head and filters; the same cells, the same bytes. See :func:`workbook_of`."""
    from openpyxl import Workbook
    from openpyxl.writer.excel import ExcelWriter

    book = Workbook(write_only=True)
    count = sum(_write_sheet(book.create_sheet(title), columns, rows) for title, columns, rows in sheets)
    book.properties.created = book.properties.modified = _WRITTEN  # Workbook.save would tell the clock
    made = io.BytesIO()  # not the file: where that takes no more, openpyxl's archive complains again when it is let go
    ExcelWriter(book, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED)).save()
    file.write(_without_times(made))
    return count


def _without_times(made: io.BytesIO) -> memoryview:
    """The archive again, whose parts do not tell when they were written."""
    out = io.BytesIO()
    with zipfile.ZipFile(made) as source, zipfile.ZipFile(out, "w") as target:
        for each in source.infolist():
            part = zipfile.ZipInfo(each.filename, _WRITTEN.timetuple()[:6])
            part.compress_type = zipfile.ZIP_DEFLATED
            with source.open(each) as read, target.open(part, "w") as written:
                shutil.copyfileobj(read, written)
    return out.getbuffer()


def _write_sheet(sheet: Any, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> int:  # noqa: ANN401 - its stub is wrong
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    sheet.freeze_panes = "A2"
    for number, name in enumerate(columns, 1):
        sheet.column_dimensions[get_column_letter(number)].width = _width(name)
    _set_page(sheet, columns)
    heads = []
    for name in columns:
        head = WriteOnlyCell(sheet, name.replace("_", " "))
        head.font = Font(bold=True)
        heads.append(head)
    sheet.append(heads)
    wrapped, whole = Alignment(wrap_text=True, vertical="top"), Alignment(vertical="top")
    cells = []
    for name in columns:
        cell = WriteOnlyCell(sheet)
        cell.alignment = whole if name.endswith(_NAMED) else wrapped
        cells.append(cell)
    widths = [0 if name.endswith(_NAMED) else _width(name) for name in columns]
    count = 0
    for row in rows:
        for value, cell in zip(
            row, cells, strict=True
        ):  # the same cells in each row: they are written when they are appended
            if isinstance(value, str):
                cell.value = ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", value)[:_MOST_CELL]
                cell.data_type = "s"  # what begins with "=" is a text, not a formula
            else:
                cell.value = value
        # Rows are numbered from 1, below the head. What was written needs no height any more: there may be many rows.
        sheet.row_dimensions[count + 2].height = _height(row, widths)
        sheet.append(cells)
        sheet.row_dimensions.pop(count, None)
        count += 1
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(columns))}{count + 1}"
    return count


def _set_page(sheet: Any, columns: Sequence[str]) -> None:  # noqa: ANN401 - its stub is wrong
    """How it is printed: across, the head on each page, and columns side by side as far as they can be read so."""
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.paperSize = 9  # A4
    sheet.print_title_rows = "1:1"
    sheet.sheet_properties.pageSetUpPr.fitToPage = True
    sheet.page_setup.fitToWidth = math.ceil(sum(map(_width, columns)) / _WIDEST_PRINTED)
    sheet.page_setup.fitToHeight = 0


def _height(row: Sequence[Cell], widths: Sequence[int]) -> float:
    """In points, for the wrapped texts of a row; not every program fits rows to them when it opens a file."""
    lines = max(
        (
            sum(max(1, math.ceil(len(part) / width)) for part in value.splitlines())
            for value, width in zip(row, widths, strict=True)
            if width and isinstance(value, str) and value
        ),
        default=1,
    )
    return min(_MOST_POINTS, _LINE_POINTS * lines)


def _width(column: str) -> int:
    """In characters; both sides of a comparison and examples are as wide as what they are of."""
    plain = column.removesuffix("_before").removesuffix("_after").removeprefix("evidence_").removeprefix("example_")
    return _WIDE.get(plain, 14)
