"""What a worksheet says of its cells beside their values: which are merged, and which formulas were never computed.

The library that gives the values as a stream gives neither. Both are looked up in the sheet's XML, whose size the archive's check
has bounded.
"""

from __future__ import annotations

import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

__all__ = ["SheetMarks", "filled", "marks_of"]

MOST_FILLED = 200_000
"""Cells of a sheet that get the value of the merged cell above them, at most: what a person can have merged, and no bomb."""

LARGEST_BYTES = 64 * 1024 * 1024
"""A larger part is streamed for its values alone, and has no marks: it is a table that a program wrote."""

_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref=\"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})\"")
_UNCOMPUTED = re.compile(
    rb"<(?:\w+:)?f(?:\s[^<>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v\s*>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)


@dataclass(frozen=True, slots=True)
class SheetMarks:
    """Marks of one worksheet.

    Attributes:
        merged: by the first row of cells that are merged downwards, (0-based column, last row); rows begin with 1.
        uncomputed: formulas whose value is not stored.
    """

    merged: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    uncomputed: int = 0


def marks_of(archive: zipfile.ZipFile, member: str) -> SheetMarks:
    """The marks of a worksheet.

    Args:
        archive: the workbook.
        member: the sheet's part in it; one that is not there, or too large, has no marks.
    """
    try:
        xml = archive.read(member) if archive.getinfo(member).file_size <= LARGEST_BYTES else b""
    except KeyError:
        return SheetMarks()
    merged: dict[int, list[tuple[int, int]]] = defaultdict(list)
    left = MOST_FILLED
    for match in _MERGED.finditer(xml):
        first, last = int(match[2]), int(match[4])
        left -= last - first
        if left < 0:
            break
        if last > first:
            merged[first].append((_column(match[1]), last))
    return SheetMarks(dict(merged), sum(1 for _ in _UNCOMPUTED.finditer(xml)))


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number - 1


def filled(rows: Iterable[list[str]], marks: SheetMarks) -> Iterator[list[str]]:
    """Rows in which each cell that is merged with one above it says what that one says, as the sheet shows it.

    Args:
        rows: from the first row on, none left out.
        marks: of their sheet.
    """
    open_below: dict[int, tuple[int, str]] = {}
    for number, row in enumerate(rows, 1):
        for column, (last, value) in list(open_below.items()):
            if number > last:
                del open_below[column]
            elif any(row) and not (row[column] if column < len(row) else ""):
                row.extend([""] * (column + 1 - len(row)))
                row[column] = value
        for column, last in marks.merged.get(number, ()):
            if column < len(row) and row[column]:
                open_below[column] = last, row[column]
        yield row
