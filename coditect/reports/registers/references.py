"""What a corpus refers to and does not hold as a table: a row for each law, rulebook, standard or other document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from coditect.reports.registers.tables import TableFormat, write_table
from coditect.reports.registers.workbooks import Cell
from coditect.schemas import AbsentTarget

__all__ = ["REFERENCE_COLUMNS", "write_references"]

_EXAMPLE = ("document", "sentence", "text", "char_start", "extraction_id")

REFERENCE_COLUMNS = ("name", "references", "documents", "places", *(f"example_{each}" for each in _EXAMPLE))
"""Names of the columns, in order."""


def write_references(targets: Iterable[AbsentTarget], file: BinaryIO, form: TableFormat) -> int:
    """Write what is referred to, and say how many rows there were.

    JSON Lines has all of a target's examples, the tables the first of them. See
    :func:`coditect.reports.registers.tables.write_table`.
    """
    return write_table(targets, REFERENCE_COLUMNS, _cells, file, form, "references")


def _cells(target: AbsentTarget) -> Iterator[list[Cell]]:
    places = "; ".join(f"{place} ({times})" for place, times in target.sections)
    example = target.examples[0] if target.examples else None
    told = [getattr(example, name) if example is not None else None for name in _EXAMPLE]
    yield [target.name, target.references, "; ".join(target.documents), places, *told]
