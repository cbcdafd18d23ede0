"""Cells of tables that stand beside several rows: each row is read with them, and no text is written twice."""

from __future__ import annotations

import io
from typing import Any

import docx
import pytest
from openpyxl import Workbook

from coditect.documents.readers import read_source
from coditect.schemas import DocumentVersion, Extraction
from coditect.tiers.extractions.document import extraction_records, read_document

ROWS = (
    ("Access", "Staff must lock every door.", "Porter"),
    ("", "Guests must sign the book.", "Desk"),
    ("Keys", "Staff must return all keys.", "Porter"),
)
_VERSION: dict[str, Any] = {"corpus_id": "c", "document_id": "d", "version_id": "v"}
HEADS = ("Family", "Rule", "Owner")


def _html() -> bytes:
    cells = "".join(f"<th>{head}</th>" for head in HEADS)
    rows = [f"<tr>{cells}</tr>"]
    for family, *others in ROWS:
        span = ' rowspan="2"' if family == "Access" else ""
        first = f"<td{span}>{family}</td>" if family else ""
        rows.append(f"<tr>{first}{''.join(f'<td>{each}</td>' for each in others)}</tr>")
    return f"<html><body><h1>House</h1><table>{''.join(rows)}</table></body></html>".encode()


def _docx() -> bytes:
    document = docx.Document()
    document.add_heading("House", 1)
    table = document.add_table(rows=len(ROWS) + 1, cols=len(HEADS))
    for row, cells in zip(table.rows, (HEADS, *ROWS), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    kept = io.BytesIO()
    document.save(kept)
    return kept.getvalue()


def _xlsx() -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (HEADS, *ROWS):
        sheet.append([cell or None for cell in row])
    sheet.merge_cells("A2:A3")
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


def _records(raw: bytes, name: str) -> tuple[str, list[Extraction]]:
    source = read_source(raw, name)
    version = DocumentVersion.model_construct(**_VERSION, name=name)
    records = extraction_records(version, read_document(source), "derivation")
    return source.text, [each for each in records if each.extraction_kind == "obligation"]


FILES = [("a.html", _html), ("a.docx", _docx), ("a.xlsx", _xlsx)]


@pytest.mark.parametrize(("name", "made"), FILES, ids=["html", "docx", "xlsx"])
def test_row_below_a_spanning_cell_is_read_with_it(name: str, made: object) -> None:
    """The words of the cell above are put in front, as the span where they stand; a row beside another cell takes none of it."""
    assert callable(made)
    text, found = _records(made(), name)
    locks, signs, returns = found
    assert signs.standalone is not None
    assert "Access: " in signs.standalone.text
    assert "Guests must sign the book." in signs.standalone.text
    (access,) = [each for each in signs.standalone.resolutions if "Access" in each.text]
    assert text[access.source_start : access.source_end] == access.text
    assert access.source_start < locks.char_offset_end
    assert returns.standalone is None or "Access" not in returns.standalone.text


@pytest.mark.parametrize(("name", "made"), FILES, ids=["html", "docx", "xlsx"])
def test_spanning_cell_is_written_once(name: str, made: object) -> None:
    """The canonical text has the cell where it stands and nowhere else, and requirements beside it keep their own ids."""
    assert callable(made)
    text, found = _records(made(), name)
    assert text.count("Access") == 1
    assert len({each.extraction_id for each in found}) == len(found) == len(ROWS)


def test_columns_that_span_do_not_move_the_cells_behind_them() -> None:
    """A cell over two columns leaves a cell from above in its own column."""
    html = (
        "<table><tr><th>Family</th><th>Rule</th><th>Owner</th></tr>"
        "<tr><td>Access</td><td rowspan='2'>Staff must lock every door.</td><td>Porter</td></tr>"
        "<tr><td>Keys</td><td>Desk</td></tr></table>"
    )
    rows = [block for block in read_source(html.encode(), "a.html").blocks if block.kind == "table_row"]
    assert [row.level for row in rows] == [0, 0, 0b010]
