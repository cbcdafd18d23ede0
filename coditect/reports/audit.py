"""The audit trail as files that other programs open: CSV, JSON Lines and one JSON document; written as entries come."""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Iterable
from typing import BinaryIO, Literal

from coditect.reports.registers.tables import EncodedFile, unformulated
from coditect.schemas import AuditEntry

__all__ = ["AUDIT_COLUMNS", "AuditFormat", "write_audit"]

AuditFormat = Literal["csv", "json", "jsonl"]

AUDIT_COLUMNS: tuple[str, ...] = tuple(AuditEntry.model_fields)
"""Names of the columns, in order: the fields of an entry. Values before and after are JSON in their cells."""


def write_audit(entries: Iterable[AuditEntry], file: BinaryIO, form: AuditFormat) -> int:
    """Write an audit trail.

    Args:
        entries: in their order.
        file: open for writing bytes.
        form: of the file. CSV is UTF-8 with a byte order mark; a cell that would be taken for a formula begins with an apostrophe.

    Returns:
        How many entries there were.
    """
    if form == "csv":
        return _write_csv(entries, file)
    count = 0
    if form == "json":
        file.write(b'{"entries":[')
    for count, entry in enumerate(entries, 1):
        if form == "json" and count > 1:
            file.write(b",")
        file.write(entry.model_dump_json().encode())
        if form == "jsonl":
            file.write(b"\n")
    if form == "json":
        file.write(b"]}\n")
    return count


def _write_csv(entries: Iterable[AuditEntry], file: BinaryIO) -> int:
    file.write(codecs.BOM_UTF8)
    writer = csv.writer(EncodedFile(file), lineterminator="\r\n")
    writer.writerow(AUDIT_COLUMNS)
    count = 0
    for entry in entries:
        writer.writerow([_cell(getattr(entry, name)) for name in AUDIT_COLUMNS])
        count += 1
    return count


def _cell(value: object) -> str | int:
    if isinstance(value, int):
        return value
    if value is None:
        return ""
    return unformulated(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True))
