"""What a worksheet says of its cells beside their values: which are merged, and which formulas were never computed.

The library that gives the values as a stream gives neither. Both are looked up in the sheet's XML, whose size the archive's check
has bounded.
"""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass, field

from coditect.documents.source import MOST_SPANNED

__all__ = ["SheetMarks", "marks_of"]

LARGEST_SHEET_BYTES = 64 * 1024 * 1024
"""A larger sheet is streamed for its values alone: it is a table that a program wrote."""

_MOST_MERGED = 200_000
"""Cells of a sheet that are merged with one above them, at most: what a person can have merged, and no bomb."""

_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref=\"([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})\"")
_UNCOMPUTED = re.compile(
    rb"<(?:\w+:)?f(?:\s[^<>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v\s*>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)


@dataclass(frozen=True, slots=True)
class SheetMarks:
    """Marks of one worksheet.

    Attributes:
        merged: by row, counted from 1, the columns whose cell is merged with the one above, the first column 0.
        uncomputed: formulas whose value is not stored.
    """

    merged: dict[int, frozenset[int]] = field(default_factory=dict)
    uncomputed: int = 0


def marks_of(archive: zipfile.ZipFile, member: str) -> SheetMarks:
    """The marks of a worksheet.

    Args:
        archive: the workbook, whose sizes were checked.
        member: the sheet's part in it; one that is not there, or too large for a person to have made, has none.
    """
    try:
        xml = archive.read(member) if archive.getinfo(member).file_size <= LARGEST_SHEET_BYTES else b""
    except KeyError:
        return SheetMarks()
    merged: dict[int, set[int]] = {}
    left = _MOST_MERGED
    for found in _MERGED.finditer(xml):
        column, first, last = _column(found[1]), int(found[2]), int(found[3])
        left -= max(0, last - first)
        if left < 0:
            break
        for row in range(first + 1, last + 1) if column < MOST_SPANNED else ():
            merged.setdefault(row, set()).add(column)
    rows = {row: frozenset(columns) for row, columns in merged.items()}
    return SheetMarks(rows, sum(1 for _ in _UNCOMPUTED.finditer(xml)))


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number - 1
