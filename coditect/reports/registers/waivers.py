"""Exceptions as a table, a row each: who, from what, by whom, until when, on which condition, the sentence, and its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from coditect.reports.registers.calendar import DatedDocument
from coditect.reports.registers.tables import TableFormat, write_table
from coditect.reports.registers.workbooks import Cell
from coditect.schemas import WaiverRow

__all__ = ["WAIVER_COLUMNS", "dates_of_waivers", "days_of_waiver", "provision_of", "write_waivers"]

WAIVER_COLUMNS = (
    "status",
    "kind",
    "reference",
    "holder",
    "provision",
    "provision_place",
    "provision_quote",
    "provision_item",
    "granted_by",
    "granted_on",
    "begins",
    "ends",
    "ends_basis",
    "length",
    "days_left",
    "condition",
    "document",
    "place",
    "quote",
    "item",
    "document_id",
    "role",
)
"""Names of the columns, in order."""


def write_waivers(rows: Iterable[WaiverRow], file: BinaryIO, form: TableFormat) -> int:
    """Write exceptions, and say how many; see :func:`coditect.reports.registers.tables.write_table`."""
    return write_table(rows, WAIVER_COLUMNS, _cells, file, form, "exceptions")


def days_of_waiver(row: WaiverRow) -> str:
    """When an exception was granted, begins and ends, for people: "granted 2026-01-15; ends 2026-06-30 (stated), in 90 days"."""
    left = row.days_left
    days = "" if left is None else "1 day" if abs(left) == 1 else f"{abs(left)} days"
    when = "" if left is None else ", today" if left == 0 else f", {days} ago" if left < 0 else f", in {days}"
    ends = (
        f"{'ended' if left is not None and left < 0 else 'ends'} {row.ends} ({row.ends_basis}){when}"
        if row.ends
        else ""
    )
    length = f"holds for {row.length}" if row.length and not row.ends else ""
    granted = f"granted {row.granted_on}" if row.granted_on and row.decision == "granted" else row.granted_on
    return "; ".join(filter(None, (granted, f"begins {row.begins}" if row.begins else "", ends, length)))


def provision_of(row: WaiverRow) -> str:
    """Where in the corpus the provision stands, for people; why it was not found; "" where nothing was looked for."""
    places = dict.fromkeys(f"{each.document} {each.locator}".strip() for each in row.targets)
    return "; ".join((*places, *((f"not found: {row.unresolved}",) if row.unresolved else ())))


def dates_of_waivers(rows: Iterable[WaiverRow]) -> Iterator[DatedDocument]:
    """What of the exceptions stands in a calendar: the last days of those that were granted."""
    for row in rows:
        if row.ends and row.decision == "granted":
            who = " ".join(filter(None, (row.reference, row.holder)))
            what = f"last day of the {row.kind}{f' of {who}' if who else ''}{f' from {row.provision}' if row.provision else ''}"
            yield what, f"{row.document} {row.locator}".strip(), row.ends


def _cells(row: WaiverRow) -> Iterator[list[Cell]]:
    target = row.targets[0] if row.targets else None
    yield [
        row.status,
        row.kind,
        row.reference,
        row.holder,
        row.provision,
        provision_of(row),
        "" if target is None else target.text,
        "" if target is None else target.item_id,
        row.granted_by,
        row.granted_on,
        row.begins,
        row.ends,
        row.ends_basis,
        row.length,
        "" if row.days_left is None else row.days_left,
        row.condition,
        row.document,
        row.locator or row.heading,
        row.text,
        row.item_id,
        row.document_id,
        row.role,
    ]
