"""Records as a table: CSV, a workbook, or JSON Lines, written as they come, so that their number does not matter."""

from __future__ import annotations

import codecs
import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import BinaryIO, Literal, TypeVar

from coditect.reports.registers.workbooks import Cell, workbook_of
from coditect.schemas.record import Record

__all__ = ["EncodedFile", "TableFormat", "unformulated", "write_table"]

R = TypeVar("R", bound=Record)

TableFormat = Literal["csv", "xlsx", "jsonl"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet program takes for the beginning of a formula in a CSV file."""


def write_table(
    records: Iterable[R],
    columns: Sequence[str],
    cells: Callable[[R], Iterable[Sequence[Cell]]],
    file: BinaryIO,
    form: TableFormat,
    title: str,
) -> int:
    """Write records.

    Args:
        records: in their order.
        columns: names of the columns.
        cells: rows of a record, each in the order of the columns; a record may have several.
        file: open for writing bytes.
        form: of the file. JSON Lines has a whole record a line. CSV is UTF-8 with a byte order mark, which spreadsheet programs ask
            for; a cell that would be taken for a formula begins with an apostrophe there. In a workbook all texts are texts, cut at
            32,767 characters; the same rows make the same bytes but for the dates that the format itself keeps.
        title: of a workbook's sheet.

    Returns:
        How many rows there were; of JSON Lines, how many records.
    """
    if form == "jsonl":
        return _write_lines(records, file)
    rows = (row for each in records for row in cells(each))
    return workbook_of(columns, rows, file, title) if form == "xlsx" else _write_csv(columns, rows, file)


def unformulated(cell: str) -> str:
    """A cell of a CSV file that no spreadsheet program takes for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def _write_lines(records: Iterable[Record], file: BinaryIO) -> int:
    count = 0
    for each in records:
        file.write(each.model_dump_json().encode() + b"\n")
        count += 1
    return count


def _write_csv(columns: Sequence[str], rows: Iterator[Sequence[Cell]], file: BinaryIO) -> int:
    file.write(codecs.BOM_UTF8)
    writer = csv.writer(EncodedFile(file), lineterminator="\r\n")
    writer.writerow(columns)
    count = 0
    for row in rows:
        writer.writerow([unformulated(each) if isinstance(each, str) else each for each in row])
        count += 1
    return count


class EncodedFile:
    """Takes text for a file of bytes that stays somebody else's: a text wrapper would close it when it breaks off.

    Args:
        file: open for writing bytes.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write a row."""
        return self._file.write(text.encode())
