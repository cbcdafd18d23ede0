"""A register as a table: a row for each statement, with who does what by when, and its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from coditect.reports.registers.tables import TableFormat, write_table
from coditect.reports.registers.workbooks import Cell
from coditect.schemas import RegisterRow

__all__ = ["REGISTER_COLUMNS", "write_register"]

REGISTER_COLUMNS: tuple[str, ...] = tuple(RegisterRow.model_fields)
"""Names of the columns, in order: the fields of a row."""


def write_register(rows: Iterable[RegisterRow], file: BinaryIO, form: TableFormat) -> int:
    """Write a register, and say how many rows there were. See :func:`coditect.reports.registers.tables.write_table`."""
    return write_table(rows, REGISTER_COLUMNS, _cells, file, form, "register")


def _cells(row: RegisterRow) -> Iterator[list[Cell]]:
    values = (getattr(row, name) for name in REGISTER_COLUMNS)
    yield ["; ".join(value) if isinstance(value, tuple) else value for value in values]
