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
from coditect.documents.readers.worksheet import SheetMarks, marks_of
from coditect.documents.source import MOST_SPANNED, SourceText

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
                    marks = marks_of(archive, str(vars(sheet).get("_worksheet_path", "")))
                    if marks.uncomputed:
                        notes.append(_uncomputed(marks.uncomputed, sheet.title))
                    _sheet(writer, _rows(sheet.iter_rows(values_only=True)), sheet.title, marks)
            finally:
                archive.close()
                book.close()
    except LIBRARY_FAILURES as error:
        raise broken(
            "the workbook is damaged", name, error, "Open it in its program and save it again, or export it as .csv."
        ) from error
    return writer.finish(_XLSX, "xlsx/3", title=title, warnings=tuple(notes))


def _uncomputed(count: int, sheet: str) -> str:
    cells = "cell has a formula and no value" if count == 1 else "cells have formulas and no values"
    return f"{count} {cells} in sheet {sheet!r}: left out; open the workbook in its program and save it"


def _sheet(writer: LayoutWriter, rows: Iterable[list[str]], sheet: str, marks: SheetMarks) -> None:
    lines = _described((row, marks.merged.get(number, frozenset())) for number, row in enumerate(rows, 1))
    first = next(lines, None)
    if first is not None:
        writer.add(sheet, "heading", 1, sheet)
        for line, spanned in itertools.chain((first,), lines):
            writer.add(line, "table_row", spanned)


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
        for line, _ in _described(([collapse(canonicalize(cell)) for cell in row], frozenset()) for row in rows):
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


def _described(rows: Iterable[tuple[list[str], frozenset[int]]]) -> Iterator[tuple[str, int]]:
    """Rows as self-describing lines, with the columns that go on from the row above; rows without any value are left out.

    Args:
        rows: the cells of each, with the columns whose cell is merged with the one above.

    Yields:
        The line, and its columns as bits, counted among those that the header names.
    """
    filled = (each for each in rows if any(each[0]))
    head = list(itertools.islice(filled, _MAX_CAPTION_ROWS + 1))
    at = next((n for n, (row, _) in enumerate(head) if sum(map(bool, row)) > 1), None)
    if at is None or not _is_header(head[at][0]) or at + 1 >= len(head):
        for row, _ in itertools.chain(head, filled):
            yield " | ".join(cell for cell in row if cell), 0
        return
    header = head[at][0]
    places = {column: place for place, column in enumerate(n for n, label in enumerate(header) if label)}
    for row, _ in head[: at + 1]:
        yield " | ".join(cell for cell in row if cell), 0
    for row, merged in itertools.chain(head[at + 1 :], filled):
        named = itertools.zip_longest(header, row, fillvalue="")
        spanned = sum(1 << places[column] for column in merged if places.get(column, MOST_SPANNED) < MOST_SPANNED)
        yield " | ".join(f"{label}: {cell}" if label else cell for label, cell in named if cell), spanned


def _is_header(row: list[str]) -> bool:
    """Whether a row names columns: short, distinct, and none of its cells a number."""
    cells = [cell for cell in row if cell]
    short = all(len(cell) <= _MAX_HEADER_CHARS for cell in cells)
    return short and len(set(cells)) == len(cells) and not any(_NUMERIC.fullmatch(cell) for cell in cells)
