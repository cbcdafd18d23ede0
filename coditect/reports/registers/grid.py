"""Contracts beside a standard text as a table: a row for each clause and contract; a workbook has the grid itself in front."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from coditect.reports.registers.tables import TableFormat, write_table
from coditect.reports.registers.workbooks import Cell, workbook_of_sheets
from coditect.schemas.grid import ClauseCell, ClauseRow, ContractGrid

__all__ = ["GRID_COLUMNS", "deviation_of", "write_grid"]

GRID_COLUMNS = (
    *("clause", "place", "standard_text", "standard_values"),
    *("document", "status", "duty", "values", "deviation", "contract_place", "contract_text", "page", "char_start", "char_end"),
)  # fmt: skip
"""Names of the columns, in order."""


def write_grid(found: ContractGrid, file: BinaryIO, form: TableFormat) -> int:
    """Write a grid, and say how many rows there were.

    Args:
        found: the grid.
        file: open for writing bytes.
        form: of the file. JSON Lines has a clause a line, with all of its cells; CSV a clause of a contract a row; a workbook that,
            too, behind a sheet with a column for each contract.
    """
    if form == "xlsx":
        grid = ([row.clause, row.standard.place, *(_told(each) for each in row.cells)] for row in found.rows)
        rows = (cells for row in found.rows for cells in _cells(row))
        return workbook_of_sheets(
            [("grid", ("clause", "place", *found.documents), grid), ("clauses", GRID_COLUMNS, rows)], file
        )
    return write_table(found.rows, GRID_COLUMNS, _cells, file, form, "clauses")


def _told(cell: ClauseCell) -> str:
    """A cell of the grid: the values where there are some, and how it stands to the standard text."""
    values = "; ".join(cell.values)
    return f"{cell.status}: {values}" if values else cell.status


def _cells(row: ClauseRow) -> Iterator[list[Cell]]:
    for each in row.cells:
        side = each.found
        yield [
            row.clause, row.standard.place, row.standard.text, "; ".join(row.values),
            each.document, each.status, each.duty, "; ".join(each.values), deviation_of(each),
            *((side.place, side.text, side.page, side.char_start, side.char_end) if side is not None else (None,) * 5),
        ]  # fmt: skip


def deviation_of(cell: ClauseCell) -> str:
    """What of the duty differs, or else which words, in one line."""
    if cell.fields:
        return "; ".join(f"{each.field}: {each.before or '–'} -> {each.after or '–'}" for each in cell.fields)
    return "; ".join(f"{each.before or '–'} -> {each.after or '–'}" for each in cell.words)
