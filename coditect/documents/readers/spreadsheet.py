"""Tables: xlsx workbooks, and csv or tsv files. Every row reads alone, as "Header: value | Header: value".

A row that is quoted as evidence must say what its cells mean, so a header row is printed once and then repeated, cell
by cell, in front of the values.
"""

from __future__ import annotations

import csv
import datetime
import io
import itertools
import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator

from coditect.documents.readers.archive import check_archive
from coditect.documents.readers.canonical import canonicalize, collapse, decode
from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.layout import LayoutWriter
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import SourceText

__all__ = ["read"]

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_SNIFFED_CHARS = 65_536
_DELIMITERS = (",", ";", "\t", "|")
_MAX_CELLS = 30_000_000  # empty ones included
_MAX_ROWS = 1_048_576  # of a sheet, in every program that writes them: ECMA-376 18.3.1.73
_MAX_CAPTION_ROWS = 10
_MAX_HEADER_CHARS = 100
_NUMERIC = re.compile(r"[-+$€£(]?[\d.,]*\d[\d.,]*[%)]?")


def read(raw: bytes, name: str, limits: ReadLimits) -> SourceText:
    """Read an xlsx workbook if the content is a zip archive, else delimited text.

    Args:
        raw: the bytes of the file.
        name: its relative name.
        limits: the bounds on what is read.

    Raises:
        ReadError: damaged, encrypted, a zip bomb, not text, or without any cell.
    """
    suffix = name.lower().rsplit(".", 1)[-1]
    if raw.startswith(b"PK") or suffix in ("xlsx", "xlsm"):
        return _workbook(raw, name, limits)
    return _delimited(raw, name, limits, tabs=suffix == "tsv")


LARGEST_SHEET_BYTES = 64 * 1024 * 1024
"""A larger sheet is streamed for its values alone: it is a table that a program wrote."""

_UNCOMPUTED = re.compile(
    rb"<(?:\w+:)?f(?:\s[^<>]*)?(?:/>|>[^<]*</(?:\w+:)?f>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v\s*>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)


def _workbook(raw: bytes, name: str, limits: ReadLimits) -> SourceText:
    check_archive(raw, name, "xl/workbook.xml", limits)
    from openpyxl import load_workbook

    writer = LayoutWriter(name, limits)
    notes: list[str] = []
    try:
        # openpyxl warns about extensions (validation, sparklines) that hold no text.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
            archive = zipfile.ZipFile(io.BytesIO(raw))
            try:
                title = str(book.properties.title or "")
                for sheet in book.worksheets:
                    sheet.reset_dimensions()  # declared sizes may lie
                    if sheet.sheet_state != "visible":
                        notes.append(f"sheet {sheet.title!r} is hidden and was read")
                    if missing := _formulas_without_value(archive, str(vars(sheet).get("_worksheet_path", ""))):
                        notes.append(_uncomputed(missing, sheet.title))
                    _sheet(writer, _rows(sheet.iter_rows(values_only=True)), sheet.title)
            finally:
                archive.close()
                book.close()
    except LIBRARY_FAILURES as error:
        raise broken(
            "the workbook is damaged", name, error, "Open it in its program and save it again, or export it as .csv."
        ) from error
    return writer.finish(_XLSX, "xlsx/2", title=title, warnings=tuple(notes))


def _formulas_without_value(archive: zipfile.ZipFile, member: str) -> int:
    """How many formulas of a sheet have no stored value: the library that streams values gives nothing for them.

    Args:
        archive: the workbook, whose sizes were checked.
        member: the sheet's part in it; one that is not there, or too large for a person to have made, counts as none.
    """
    try:
        xml = archive.read(member) if archive.getinfo(member).file_size <= LARGEST_SHEET_BYTES else b""
    except KeyError:
        return 0
    return sum(1 for _ in _UNCOMPUTED.finditer(xml))


def _uncomputed(count: int, sheet: str) -> str:
    cells = "cell has a formula and no value" if count == 1 else "cells have formulas and no values"
    return f"{count} {cells} in sheet {sheet!r}: left out; open the workbook in its program and save it"


def _sheet(writer: LayoutWriter, rows: Iterable[list[str]], sheet: str) -> None:
    lines = _described(rows)
    first = next(lines, None)
    if first is not None:
        writer.add(sheet, "heading", 1, sheet)
        for line in itertools.chain((first,), lines):
            writer.add(line, "table_row")


def _rows(rows: Iterable[tuple[object, ...]]) -> Iterator[list[str]]:
    """Rows as text. openpyxl makes up the rows and cells that a sheet leaves out, however far away the next one is.

    Raises:
        ValueError: so far that no worksheet program would; readers translate it.
    """
    cells = 0
    for number, row in enumerate(rows, 1):
        cells += len(row) + 1
        if cells > _MAX_CELLS or number > _MAX_ROWS:
            raise ValueError(f"a sheet spans more than {_MAX_ROWS} rows or {_MAX_CELLS} cells")
        yield [_cell(value) for value in row]


def _cell(value: object) -> str:
    """A cell as one line: dates in ISO 8601, whole numbers without ``.0``."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return value.date().isoformat() if midnight else value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    return collapse(canonicalize(str(value)))


def _delimited(raw: bytes, name: str, limits: ReadLimits, *, tabs: bool) -> SourceText:
    decoded, notes = decode(raw, name)
    text = decoded.replace("\r\n", "\n").replace("\r", "\n")
    delimiter = "\t" if tabs else _delimiter(text[:_SNIFFED_CHARS])
    writer = LayoutWriter(name, limits)
    # The module's limit is global to the process and guards nothing here: the file's size is bounded already.
    csv.field_size_limit(max(csv.field_size_limit(), limits.max_file_bytes))
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        for line in _described([collapse(canonicalize(cell)) for cell in row] for row in rows):
            writer.add(line, "table_row")
    except LIBRARY_FAILURES as error:
        raise broken(
            "the table cannot be parsed", name, error, "Check its quotes, or save it as .txt to read it as plain text."
        ) from error
    media_type = "text/tab-separated-values" if delimiter == "\t" else "text/csv"
    return writer.finish(media_type, "csv/1", warnings=notes)


def _delimiter(sample: str) -> str:
    """The delimiter that cuts most lines into the same number of cells, more than one.

    ``csv.Sniffer`` takes a quotation inside a cell for a quoted cell, and its patterns are quadratic in the sample.
    """
    best, best_score = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        try:
            rows = list(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter))
        except csv.Error:
            continue
        whole = rows[:-1] or rows  # the sample may end inside a row
        widths = Counter(len(row) for row in whole if row)
        width, count = widths.most_common(1)[0] if widths else (0, 0)
        score = (count / len(whole), width) if width > 1 else (0.0, 0)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _described(rows: Iterable[list[str]]) -> Iterator[str]:
    """Rows as self-describing lines; rows without any value are left out."""
    filled = (row for row in rows if any(row))
    head = list(itertools.islice(filled, _MAX_CAPTION_ROWS + 1))
    at = next((n for n, row in enumerate(head) if sum(map(bool, row)) > 1), None)
    if at is None or not _is_header(head[at]) or at + 1 >= len(head):
        for row in itertools.chain(head, filled):
            yield " | ".join(cell for cell in row if cell)
        return
    header = head[at]
    for row in head[: at + 1]:
        yield " | ".join(cell for cell in row if cell)
    for row in itertools.chain(head[at + 1 :], filled):
        named = itertools.zip_longest(header, row, fillvalue="")
        yield " | ".join(f"{label}: {cell}" if label else cell for label, cell in named if cell)


def _is_header(row: list[str]) -> bool:
    """Whether a row names columns: short, distinct, and none of its cells a number."""
    cells = [cell for cell in row if cell]
    short = all(len(cell) <= _MAX_HEADER_CHARS for cell in cells)
    return short and len(set(cells)) == len(cells) and not any(_NUMERIC.fullmatch(cell) for cell in cells)
