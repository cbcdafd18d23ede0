"""Cells of tables that stand beside several rows: each row is read with them, and no text is written twice."""

from __future__ import annotations

import io
from typing import Any

import docx
import pytest
from openpyxl import Workbook

from coditect.documents.readers import read_source
from coditect.schemas import DocumentVersion, Extraction
from coditect.tiers.chunks.summaries import chunk_records
from coditect.tiers.extractions.document import extraction_records, read_document
from coditect.tiers.findings.gaps import find_gaps
from coditect.tiers.findings.said.spanning import filled_columns
from tests.unit.tiers.corpora import version_of

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


REGISTER = ("Control", "Title", "Owner", "Evidence")
OWNED = ("C-2", "C-3", "C-4")
"""Rows beside the one cell of their owner; that of C-7 is empty."""
CONTROLS = tuple(
    (f"C-{n}", f"Title {n}", "" if n in (3, 4, 7) else "Ada" if n == 2 else "Ben", f"Export {n}") for n in range(1, 10)
)


def _owners_html() -> bytes:
    """Cells of web pages are rows of a register where they name their column themselves."""
    lines = ["".join(f"<th>{label}</th>" for label in REGISTER)]
    for row in CONTROLS:
        span = ' rowspan="3"' if row[0] == "C-2" else ""
        told = [(label, cell) for label, cell in zip(REGISTER, row, strict=True) if cell]
        lines.append("".join(f"<td{span if label == 'Owner' else ''}>{label}: {cell}</td>" for label, cell in told))
    return f"<html><body><h1>Controls</h1><table><tr>{'<tr>'.join(lines)}</table></body></html>".encode()


def _owners_docx() -> bytes:
    document = docx.Document()
    document.add_heading("Controls", 1)
    table = document.add_table(rows=len(CONTROLS) + 1, cols=len(REGISTER))
    for row, cells in zip(table.rows, (REGISTER, *CONTROLS), strict=True):
        for cell, label, text in zip(row.cells, REGISTER, cells, strict=True):
            cell.text = text if text == label or not text else f"{label}: {text}"
    table.cell(2, 2).merge(table.cell(4, 2))
    kept = io.BytesIO()
    document.save(kept)
    return kept.getvalue()


def _owners_xlsx(*titles: str, owner: str = "Ada", merged: str = "C") -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for title in titles:
        sheet.append([title])
    for row in (REGISTER, *CONTROLS):
        cells = [owner if row[0] == "C-2" and cell == "Ada" else cell for cell in row]
        if merged == "A":
            cells[0], cells[2] = ("" if row[0] in OWNED[1:] else cells[0]), cells[2] or "Ben"
        sheet.append([cell or None for cell in cells])
    first = len(titles) + 3
    sheet.merge_cells(f"{merged}{first}:{merged}{first + 2}")
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


def _told(raw: bytes, name: str) -> list[tuple[str, str]]:
    """The rows of which an empty cell is told, each with its label."""
    version = version_of("a.md", "Of a document.").model_copy(update={"name": name})
    reading = read_document(read_source(raw, name))
    records = list(extraction_records(version, reading, "tier1"))
    chunks = list(chunk_records(version, reading, "tier2", records, "textrank"))
    gaps = find_gaps(chunks, {version.document_id: version})["empty"]
    return [(gap.words["row"].partition(" | ")[0], gap.words["label"]) for gap in gaps]


OWNERS = [("a.html", _owners_html()), ("a.docx", _owners_docx()), ("a.xlsx", _owners_xlsx())]


@pytest.mark.parametrize(("name", "raw"), OWNERS, ids=["html", "docx", "xlsx"])
def test_cell_from_above_fills_its_column(name: str, raw: bytes) -> None:
    """The layout tells which rows the owner stands beside, whether the format prints an empty cell there or none."""
    source = read_source(raw, name)
    filled = filled_columns(source.text, source.blocks)
    rows = {source.text[start:].partition(" | ")[0]: labels for start, labels in filled.items()}
    assert rows == {"Control: C-3": REGISTER, "Control: C-4": REGISTER}


@pytest.mark.parametrize(("name", "raw"), [OWNERS[0], OWNERS[2]], ids=["html", "xlsx"])
def test_cell_that_one_from_above_covers_is_not_told_as_empty(name: str, raw: bytes) -> None:
    """Beside the merged cell nothing is missing; the row that has no owner at all is told."""
    assert _told(raw, name) == [("Control: C-7", "Owner")]


def test_register_of_word_with_merged_cells_tells_none_of_them() -> None:
    """Word prints empty cells, of which rows without labels of their own say nothing."""
    assert _told(_owners_docx(), "a.docx") == []


def test_merged_cells_below_a_title_of_the_sheet_are_known() -> None:
    """The labels are those of the nearest row without any, not of the first."""
    assert _told(_owners_xlsx("Register of controls", "Of the year"), "a.xlsx") == [("Control: C-7", "Owner")]


def test_merged_cell_without_words_leaves_each_of_its_rows_empty() -> None:
    """What nobody filled is missing, in one cell as in three."""
    register = _owners_xlsx("Register", owner="")
    source = read_source(register, "a.xlsx")
    assert [block.level for block in source.blocks if block.level > 1] == [0b100, 0b100]
    assert filled_columns(source.text, source.blocks) == {}


def test_rows_beside_a_merged_first_cell_are_of_the_same_table() -> None:
    """A register whose ids are merged is one table, of which the row without an owner is compared with all others."""
    source = read_source(_owners_xlsx(merged="A"), "a.xlsx")
    filled = filled_columns(source.text, source.blocks)
    assert [source.text[start:].partition(" | ")[0] for start in filled] == ["Title: Title 3", "Title: Title 4"]
    assert set(filled.values()) == {REGISTER}


def test_columns_that_span_do_not_move_the_cells_behind_them() -> None:
    """A cell over two columns leaves a cell from above in its own column."""
    html = (
        "<table><tr><th>Family</th><th>Rule</th><th>Owner</th></tr>"
        "<tr><td>Access</td><td rowspan='2'>Staff must lock every door.</td><td>Porter</td></tr>"
        "<tr><td>Keys</td><td>Desk</td></tr></table>"
    )
    rows = [block for block in read_source(html.encode(), "a.html").blocks if block.kind == "table_row"]
    assert [row.level for row in rows] == [0, 0, 0b010]
