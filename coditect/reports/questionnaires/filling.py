"""Answers written into the workbook that asked, and nothing else in it touched.

Cells are put into the sheets' own XML: formulas, charts, pictures, validations and macros stay the bytes that they were, which a
library that reads a workbook into a model of its own and writes that one does not promise. Formats stay, and those that wrap the
lines of what is written stand behind them (:mod:`coditect.reports.questionnaires.wrapping`).
"""

from __future__ import annotations

import math
import posixpath
import re
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from coditect.errors import ReadError
from coditect.reports.questionnaires.questions import QuestionSheet
from coditect.reports.questionnaires.wrapping import Wrapping
from coditect.schemas import AnsweredQuestion, QuotedAnswer

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["fill"]

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_BEFORE_COLS = ("sheetPr", "dimension", "sheetViews", "sheetFormatPr")
_MOST_CELL = 32_767
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WIDTHS = {"Answer": 14.0, "Evidence": 70.0, "Source": 36.0, "Confidence": 12.0, "Needs a person": 40.0}
_WIDTH = 8.43
"""Characters of a column that nobody has made wider."""
_LINE_HEIGHT = 15.0
_MOST_HEIGHT = 409.0
"""Points; no row is higher."""
_SHOWN_FROM = 0.5
"""Probability that a quote answers, from which what is quoted stands in the columns that go out to somebody else."""
_TOLD = {"answered": "see evidence", "person": "to be answered by a person", "not found": "not found"}


def fill(
    raw: bytes, name: str, sheets: Sequence[QuestionSheet], answers: Sequence[AnsweredQuestion]
) -> tuple[bytes, tuple[str, ...]]:
    """(the workbook with its answers, what could not be written where).

    Args:
        raw: the file.
        name: its name, for errors.
        sheets: which cells hold questions, and where answers go.
        answers: to all of them.
    Raises:
        ReadError: the parts of the file do not fit together.
    """
    by_place = {(each.sheet, each.row): each for each in answers}
    warnings: list[str] = []
    with zipfile.ZipFile(BytesIO(raw)) as source:
        paths = _sheet_paths(source, name)
        written: dict[str, bytes] = {}
        wrapping = Wrapping(source)
        for sheet in sheets:
            writer = _SheetWriter(source.read(paths[sheet.name]), sheet, warnings, wrapping)
            for row, _ in sheet.questions:
                writer.answer(row, by_place[sheet.name, row])
            written[paths[sheet.name]] = writer.finish()
        written |= wrapping.parts
        if any(each.startswith("_xmlsignatures/") for each in source.namelist()):
            warnings.append("the workbook was signed; with answers in it the signature does not hold any more")
        return _package(source, written), tuple(warnings)


def _package(source: zipfile.ZipFile, written: Mapping[str, bytes]) -> bytes:
    """The file again, with other bytes for some parts; times and order are the source's."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        for info in source.infolist():
            copied = zipfile.ZipInfo(info.filename, info.date_time)
            copied.compress_type, copied.external_attr = zipfile.ZIP_DEFLATED, info.external_attr
            target.writestr(copied, written.get(info.filename) or source.read(info))
    return out.getvalue()


def _sheet_paths(source: zipfile.ZipFile, name: str) -> dict[str, str]:
    """Part by name of the sheet."""
    try:
        book = _parse(source.read("xl/workbook.xml"))
        relations = _parse(source.read("xl/_rels/workbook.xml.rels"))
    except KeyError as error:
        raise ReadError("a workbook without its list of sheets", name=name) from error
    targets = {each.get("Id"): each.get("Target", "") for each in relations.iter(f"{{{_PACKAGE}}}Relationship")}
    found = {}
    for sheet in book.iter(f"{{{_MAIN}}}sheet"):
        target = targets.get(sheet.get(f"{{{_REL}}}id"), "")
        found[sheet.get("name", "")] = (
            target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
        )
    return found


def _parse(raw: bytes) -> _Element:
    from lxml import etree

    return etree.fromstring(raw, etree.XMLParser(resolve_entities=False))  # which reads no network, and no huge tree


def _tag(name: str) -> str:
    return f"{{{_MAIN}}}{name}"


class _SheetWriter:
    """Puts texts into the cells of one sheet."""

    def __init__(self, raw: bytes, sheet: QuestionSheet, warnings: list[str], wrapping: Wrapping) -> None:
        self._root = _parse(raw)
        self._sheet = sheet
        self._warnings = warnings
        self._wrapping = wrapping
        data = self._root.find(_tag("sheetData"))
        if data is None:
            raise ReadError("a sheet without rows", sheet=sheet.name)
        self._data = data
        self._rows = {int(row.get("r", "0")): row for row in data.findall(_tag("row"))}
        self._anchors = _anchors(self._root)
        for head in sheet.made:
            self._put(sheet.head, sheet.answers[head], head, like=sheet.column)
        self._widen()

    def answer(self, row: int, answered: AnsweredQuestion) -> None:
        """Write the answer to the question of a row."""
        best = answered.quotes[0] if answered.quotes else None
        # What answers was decided before: all of it stands here, as in every other format, or none where nothing of it is sure.
        is_sure = any(each.probability is None or each.probability >= _SHOWN_FROM for each in answered.quotes)
        is_shown = answered.status == "answered" or is_sure
        shown = answered.quotes if is_shown else ()
        reason = "" if answered.status == "answered" else answered.reason
        if answered.quotes and not shown:
            reason += "; nearest: " + "; ".join(f"\u201c{each.text}\u201d {_place(each)}" for each in answered.quotes)
        texts = {
            "Answer": _TOLD[answered.status],
            "Evidence": "\n".join(f"\u201c{quote.text}\u201d{_standing(quote)}" for quote in shown),
            "Source": "\n".join(dict.fromkeys(f"{_place(each)}{_standing(each)}" for each in shown)),
            "Confidence": f"{best.probability:.0%}" if best is not None and best.probability is not None else "",
            "Needs a person": reason,
        }
        for head, text in texts.items():
            if text:
                self._put(row, self._sheet.answers[head], text, like=self._sheet.column, wraps=True)
        self._heighten(row, texts)

    def finish(self) -> bytes:
        """The sheet's XML."""
        from lxml import etree

        dimension = self._root.find(_tag("dimension"))
        if dimension is not None:
            self._root.remove(dimension)  # optional, and not true any more
        return etree.tostring(self._root, xml_declaration=True, encoding="UTF-8", standalone=True)

    def _put(self, row: int, column: int, text: str, *, like: int, wraps: bool = False) -> None:
        """Write a text into an empty cell, in the format that it has or that another cell of its row has."""
        place = self._anchors.get((row, column), (row, column))
        cell = self._cell(*place, like)
        if cell.find(_tag("f")) is not None or (len(cell) and _text(cell)):
            self._warnings.append(f"{self._sheet.name} {_name(*place)} is not empty: its answer was left out")
            return
        for child in list(cell):
            cell.remove(child)
        cell.set("t", "inlineStr")
        if wraps and (wrapped := self._wrapping.style(cell.get("s", "0"))) != cell.get("s", "0"):
            cell.set("s", wrapped)
        inline = cell.makeelement(_tag("is"))
        holder = cell.makeelement(_tag("t"))
        holder.text = _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)[:_MOST_CELL]
        holder.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
        inline.append(holder)
        cell.append(inline)

    def _cell(self, row: int, column: int, like: int) -> _Element:
        """The cell at a place, made where it is not there, between its neighbours."""
        line = self._rows.get(row)
        if line is None:
            line = self._data.makeelement(_tag("row"), {"r": str(row)})
            self._data.insert(sorted((*self._rows, row)).index(row), line)
            self._rows[row] = line
        line.attrib.pop("spans", "")
        cells = {_column(cell.get("r", "")): cell for cell in line.findall(_tag("c"))}
        if column in cells:
            return cells[column]
        cell = line.makeelement(_tag("c"), {"r": _name(row, column)})
        if like in cells and cells[like].get("s"):
            cell.set("s", cells[like].get("s", ""))
        line.insert(sorted((*cells, column)).index(column), cell)
        return cell

    def _heighten(self, row: int, texts: Mapping[str, str]) -> None:
        """Make a row high enough for what was written, unless somebody has fixed its height.

        Not every program fits rows to wrapped text when it opens a file.
        """
        line = self._rows[row]
        if line.get("customHeight") in ("1", "true"):
            return
        needed = max(
            sum(max(1, math.ceil(len(part) / self._width(self._sheet.answers[head]))) for part in text.splitlines())
            for head, text in texts.items()
            if text
        )
        height = min(_MOST_HEIGHT, _LINE_HEIGHT * needed)
        if height > float(line.get("ht", _LINE_HEIGHT)):
            line.set("ht", f"{height:g}")
            line.set("customHeight", "1")

    def _width(self, column: int) -> float:
        """Characters that fit side by side into a column, as far as its own width says."""
        columns = self._root.find(_tag("cols"))
        given = () if columns is None else columns
        return next(
            (
                max(1.0, float(each.get("width", _WIDTH)))
                for each in given
                if int(each.get("min", "0")) <= column <= int(each.get("max", "0"))
            ),
            _WIDTH,
        )

    def _widen(self) -> None:
        """Give the columns that were made a width that can be read."""
        made = [(self._sheet.answers[head], _WIDTHS[head]) for head in self._sheet.made]
        if not made:
            return
        columns = self._root.find(_tag("cols"))
        if columns is None:
            columns = self._root.makeelement(_tag("cols"))
            before = [child for child in self._root if child.tag in map(_tag, _BEFORE_COLS)]
            self._root.insert(list(self._root).index(before[-1]) + 1 if before else 0, columns)
        given = [int(each.get("max", "0")) for each in columns]
        for number, width in ((number, width) for number, width in made if all(number > each for each in given)):
            widths = {"min": str(number), "max": str(number), "width": str(width), "customWidth": "1"}
            columns.append(columns.makeelement(_tag("col"), widths))


def _standing(quote: QuotedAnswer) -> str:
    """What stands behind words that are not in force: " (superseded by …)"."""
    return f" ({'; '.join(quote.standing)})" if quote.standing else ""


def _place(quote: QuotedAnswer) -> str:
    return f"{quote.document} {quote.locator}".strip() + (f", page {quote.page}" if quote.page else "")


def _anchors(root: _Element) -> dict[tuple[int, int], tuple[int, int]]:
    """The first cell of each merged range, by each of its cells."""
    found = {}
    for merged in root.iter(_tag("mergeCell")):
        first, _, last = merged.get("ref", "").partition(":")
        top, left = _row(first), _column(first)
        for row in range(top, _row(last or first) + 1):
            for column in range(left, _column(last or first) + 1):
                found[row, column] = (top, left)
    return found


def _text(cell: _Element) -> str:
    return "".join(str(part) for part in cell.itertext()).strip()


def _row(place: str) -> int:
    return int("0" + "".join(filter(str.isdigit, place)))


def _column(place: str) -> int:
    number = 0
    for letter in place:
        if letter.isalpha():
            number = number * 26 + ord(letter.upper()) - ord("A") + 1
    return number


def _name(row: int, column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"
