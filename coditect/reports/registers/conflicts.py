"""Possible conflicts as a table, a row each: in what two sentences differ, and both with their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from coditect.reports.registers.tables import TableFormat, write_table
from coditect.reports.registers.workbooks import Cell
from coditect.schemas import ConflictRow, ConflictSide

__all__ = ["CONFLICT_COLUMNS", "differences_told", "place_of_side", "write_conflicts"]

_SIDE = ("document", "role", "place", "page", "quote", "item")
CONFLICT_COLUMNS = (
    "nearness",
    "differs_in",
    "first_has",
    "second_has",
    *(f"{side}_{name}" for side in ("first", "second") for name in _SIDE),
)
"""Names of the columns, in order."""

_FAMILIES = {"approval": "who decides", "polarity": "what is ruled out", "count": "number"}


def write_conflicts(rows: Iterable[ConflictRow], file: BinaryIO, form: TableFormat) -> int:
    """Write possible conflicts, and say how many; see :func:`coditect.reports.registers.tables.write_table`."""
    return write_table(rows, CONFLICT_COLUMNS, _cells, file, form, "possible conflicts")


def differences_told(row: ConflictRow) -> str:
    """In what two sentences differ, for people: "time: 14 days / three weeks"."""
    told = (
        f"{_FAMILIES.get(each.family, each.family)}: {each.first or 'nothing'} / {each.second or 'nothing'}"
        for each in row.differences
    )
    return "; ".join(told)


def place_of_side(side: ConflictSide) -> str:
    """Where a sentence stands, for people: document, number or heading, and page."""
    page = "" if side.page is None else f"page {side.page}"
    return " · ".join(filter(None, (side.document, side.locator or side.heading, page)))


def _cells(row: ConflictRow) -> Iterator[list[Cell]]:
    first = "; ".join(each.first for each in row.differences)
    second = "; ".join(each.second for each in row.differences)
    families = ", ".join(_FAMILIES.get(each.family, each.family) for each in row.differences)
    yield [row.nearness, families, first, second, *_side_cells(row.first), *_side_cells(row.second)]


def _side_cells(side: ConflictSide) -> list[Cell]:
    page: Cell = "" if side.page is None else side.page
    return [side.document, side.role, side.locator or side.heading, page, side.text, side.item_id]
