"""A checked mapping as a table: a row for each claim, with its verdict and the words of both sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from coditect.reports.registers.tables import TableFormat, write_table
from coditect.reports.registers.workbooks import Cell
from coditect.schemas.crosswalk import CheckedClaim, MappingCheck

__all__ = ["CLAIM_COLUMNS", "write_claims"]

_CLAIM = (
    "document", "requirement", "relationship", "verdict", "reason", "found_document", "requirement_id", "parts", "parts_spoken_to",
    "document_probability", "rank", "part_id", "part_text", "part_start", "part_end",
)  # fmt: skip
_EVIDENCE = ("label", "text", "heading", "locator", "char_start", "char_end", "item_id", "version_id")

CLAIM_COLUMNS = (*_CLAIM, *(f"evidence_{each}" for each in _EVIDENCE))
"""Names of the columns, in order."""


def write_claims(checked: MappingCheck, file: BinaryIO, form: TableFormat) -> int:
    """Write the claims of a mapping.

    Args:
        checked: the mapping.
        file: open for writing bytes.
        form: of the file. Cells that a spreadsheet program would take for a formula are texts.

    Returns:
        How many rows there were.
    """
    return write_table(checked.claims, CLAIM_COLUMNS, _cells, file, form, "claims")


def _cells(claim: CheckedClaim) -> Iterator[list[Cell]]:
    own = [getattr(claim, name) for name in _CLAIM]
    yield [*own, *(getattr(claim.evidence, name) if claim.evidence is not None else None for name in _EVIDENCE)]
