"""A checked mapping as a table: a row for each claim, with its verdict and the words of both sides."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import BinaryIO

from coditect.reports.registers.tables import TableFormat, unformulated, workbook_of
from coditect.schemas.crosswalk import MappingCheck

__all__ = ["CLAIM_COLUMNS", "write_claims"]

_CLAIM = (
    "document", "requirement", "relationship", "verdict", "reason", "found_document", "requirement_id", "parts", "parts_spoken_to",
    "document_probability", "rank", "part_id", "part_text", "part_start", "part_end",
)  # fmt: skip
_EVIDENCE = ("label", "probability", "text", "heading", "locator", "char_start", "char_end", "item_id", "version_id")

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
    if form == "jsonl":
        for each in checked.claims:
            file.write(each.model_dump_json().encode() + b"\n")
        return len(checked.claims)
    if form == "xlsx":
        return workbook_of(CLAIM_COLUMNS, _cells(checked), file, "claims")
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="", write_through=True)
    try:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(CLAIM_COLUMNS)
        for cells in _cells(checked):
            writer.writerow([unformulated(each) if isinstance(each, str) else each for each in cells])
        return len(checked.claims)
    finally:
        text.detach()


def _cells(checked: MappingCheck) -> Iterator[list[str | int | float | None]]:
    for each in checked.claims:
        own = [getattr(each, name) for name in _CLAIM]
        yield [*own, *(getattr(each.evidence, name) if each.evidence is not None else None for name in _EVIDENCE)]
