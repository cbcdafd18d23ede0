"""Word documents, workbooks and delimited tables."""

from __future__ import annotations

import datetime
import io
import struct
import zipfile

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from openpyxl import Workbook

from coditect.documents.readers import ReadLimits, read_source
from coditect.errors import ReadError
from tests.unit.documents.documents import archive, assert_well_formed, blocks


def _docx_bytes(document: object) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)  # type: ignore[attr-defined]
    return buffer.getvalue()


def _xlsx_bytes(book: Workbook) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_docx_gives_headings_lists_and_tables_in_document_order() -> None:
    """Styles become kinds and levels; numbers of automatic lists are printed; a table stands where it stood."""
    document = docx.Document()
    document.core_properties.title = "Access policy"
    document.add_heading("Title", 0)
    document.add_heading("Scope", 2)
    document.add_paragraph("Everyone  shall comply.")
    document.add_paragraph("first", style="List Number")
    document.add_paragraph("second", style="List Number")
    document.add_paragraph("dot", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip((c for row in table.rows for c in row.cells), ("H", "I", "1", "2"), strict=True):
        cell.text = text
    document.add_paragraph("Quoted.", style="Quote")
    document.add_paragraph("After.")
    document.sections[0].header.paragraphs[0].text = "Running header"
    source = read_source(_docx_bytes(document), "a.docx")
    assert_well_formed(source)
    assert source.title == "Access policy"
    assert blocks(source) == [
        ("heading", 1, "Title"),
        ("heading", 2, "Scope"),
        ("paragraph", 0, "Everyone  shall comply."),
        ("list_item", 1, "1. first"),
        ("list_item", 1, "2. second"),
        ("list_item", 1, "dot"),
        ("table_row", 0, "H | I"),
        ("table_row", 0, "1 | 2"),
        ("quote", 0, "Quoted."),
        ("paragraph", 0, "After."),
    ]


def test_docx_reads_inserted_and_drops_deleted_text() -> None:
    """A tracked change reads as if it were accepted."""
    document = docx.Document()
    document.add_paragraph("x")._p.addnext(
        parse_xml(
            f"<w:p {nsdecls('w')}><w:r><w:t>within </w:t></w:r><w:del><w:r><w:delText>30</w:delText></w:r></w:del>"
            "<w:ins><w:r><w:t>10</w:t></w:r></w:ins>"
            "<w:r><w:t xml:space='preserve'> days</w:t><w:br/><w:t>of it</w:t></w:r></w:p>"
        )
    )
    assert blocks(read_source(_docx_bytes(document), "a.docx"))[1] == ("paragraph", 0, "within 10 days\nof it")


def test_docx_numbering_counts_levels_restarts_and_letters() -> None:
    """A multi-level list prints the numbers above it; a deeper level starts again under the next item."""
    document = docx.Document()
    numbering = document.part.numbering_part.element
    levels = "".join(
        f"<w:lvl w:ilvl='{n}'><w:start w:val='1'/><w:numFmt w:val='{style}'/><w:lvlText w:val='{text}'/></w:lvl>"
        for n, style, text in (
            (0, "decimal", "%1."),
            (1, "decimal", "%1.%2"),
            (2, "lowerLetter", "(%3)"),
            (3, "upperRoman", "%4)"),
        )
    )
    numbering.insert(0, parse_xml(f"<w:abstractNum {nsdecls('w')} w:abstractNumId='77'>{levels}</w:abstractNum>"))
    numbering.append(parse_xml(f"<w:num {nsdecls('w')} w:numId='77'><w:abstractNumId w:val='77'/></w:num>"))
    for level in (0, 1, 1, 2, 2, 3, 0, 1):
        paragraph = document.add_paragraph("x")
        number = f"<w:numPr {nsdecls('w')}><w:ilvl w:val='{level}'/><w:numId w:val='77'/></w:numPr>"
        paragraph._p.get_or_add_pPr().append(parse_xml(number))
    texts = [text for _, _, text in blocks(read_source(_docx_bytes(document), "a.docx"))]
    assert texts == ["1. x", "1.1 x", "1.2 x", "(a) x", "(b) x", "I) x", "2. x", "2.1 x"]


def test_xlsx_rows_read_alone() -> None:
    """Each row repeats the header; dates are ISO, whole numbers have no fraction, hidden sheets are named."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Controls"
    sheet.append(["Control", "Due", "Days", "Rate", "Met"])
    sheet.append(["AC-2", datetime.date(2024, 5, 1), 30.0, 0.5, True])
    sheet.append([None, datetime.datetime(2024, 5, 1, 8, 30), 7, None, False])
    hidden = book.create_sheet("Old")
    hidden.append(["only\na note"])
    hidden.sheet_state = "hidden"
    book.create_sheet("Empty")
    source = read_source(_xlsx_bytes(book), "a.xlsx")
    assert_well_formed(source)
    assert blocks(source) == [
        ("heading", 1, "Controls"),
        ("table_row", 0, "Control | Due | Days | Rate | Met"),
        ("table_row", 0, "Control: AC-2 | Due: 2024-05-01 | Days: 30 | Rate: 0.5 | Met: TRUE"),
        ("table_row", 0, "Due: 2024-05-01 08:30:00 | Days: 7 | Met: FALSE"),
        ("heading", 1, "Old"),
        ("table_row", 0, "only a note"),
    ]
    assert [b.label for b in source.blocks if b.kind == "heading"] == ["Controls", "Old"]
    assert source.warnings == ("sheet 'Old' is hidden and was read",)


def test_xlsx_with_a_row_far_away_is_refused_fast() -> None:
    """A row number that no sheet has does not make the reader count up to it."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["a"])
    with zipfile.ZipFile(io.BytesIO(_xlsx_bytes(book))) as package:
        members = {name: package.read(name) for name in package.namelist()}
    far = members["xl/worksheets/sheet1.xml"].replace(b'<row r="1"', b'<row r="99999999999"')
    assert far != members["xl/worksheets/sheet1.xml"]
    with pytest.raises(ReadError, match="workbook is damaged"):
        read_source(archive({**members, "xl/worksheets/sheet1.xml": far}), "a.xlsx")


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b'id,claim\n1,"a, ""b"""\n2,c\n', "a.csv"),
        (b'id;claim\n1;a, "b"\n2;c\n', "a.csv"),
        (b'id\tclaim\n1\ta, "b"\n2\tc\n', "a.tsv"),
        (b'id|claim\r\n1|a, "b"\r\n2|c\r\n', "a.csv"),
    ],
)
def test_csv_delimiter_is_found(raw: bytes, name: str) -> None:
    """Comma, semicolon, tab and bar are told apart."""
    source = read_source(raw, name)
    assert source.text == 'id | claim\nid: 1 | claim: a, "b"\nid: 2 | claim: c'


def test_csv_without_header_and_with_caption() -> None:
    """A first row with numbers is no header; a lone caption above the header is a row of its own."""
    assert read_source(b"1,2\n3,4\n", "a.csv").text == "1 | 2\n3 | 4"
    assert read_source(b"Caption,\nA,B\n1,2\n", "a.csv").text == "Caption\nA | B\nA: 1 | B: 2"


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx"])
def test_office_files_that_are_none_have_their_own_messages(name: str) -> None:
    """Not a zip, a zip of something else, and an encrypted file are told apart."""
    with pytest.raises(ReadError, match="office file is damaged"):
        read_source(b"PK\x03\x04 broken", name)
    with pytest.raises(ReadError, match="not the office file that its name says"):
        read_source(archive({"other.txt": b"x"}), name)
    with pytest.raises(ReadError, match="encrypted or in a format from before 2007"):
        read_source(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), name)
    member = "word/document.xml" if name == "a.docx" else "xl/workbook.xml"
    with pytest.raises(ReadError, match="damaged"):
        read_source(archive({member: b"<x"}), name)


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx"])
def test_office_zip_bombs_are_refused_by_ratio_and_by_total(name: str) -> None:
    """A small file that unpacks to much is refused before any library sees it."""
    member = "word/document.xml" if name == "a.docx" else "xl/workbook.xml"
    bomb = archive({member: bytes(40_000_000)})
    assert len(bomb) < 100_000
    with pytest.raises(ReadError, match="expands to more than is allowed"):
        read_source(bomb, name)
    with pytest.raises(ReadError, match="expands to more than is allowed"):
        read_source(bomb, name, ReadLimits(max_expansion_ratio=10**6, max_expanded_bytes=10**6))


def test_office_zip_bombs_that_lie_about_their_size_are_refused() -> None:
    """The declared size is not believed: what comes out is counted, and a lie is damage."""
    bomb = bytearray(archive({"word/document.xml": bytes(40_000_000)}))
    directory = bomb.rindex(b"PK\x01\x02")
    struct.pack_into("<I", bomb, directory + 24, 10)
    struct.pack_into("<I", bomb, 22, 10)
    with pytest.raises(ReadError, match=r"expands to more|damaged"):
        read_source(bytes(bomb), "a.docx")


def test_docx_entity_bombs_are_harmless() -> None:
    """Entities in a document part are not expanded."""
    document = docx.Document()
    document.add_paragraph("x")
    raw = _docx_bytes(document)
    with zipfile.ZipFile(io.BytesIO(raw)) as package:
        members = {name: package.read(name) for name in package.namelist()}
    declared = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    head, _, body = members["word/document.xml"].partition(b"?>")
    members["word/document.xml"] = head + b"?>" + declared + body.replace(b">x<", b">x&b;<")
    try:
        text = read_source(archive(members), "a.docx").text
    except ReadError:
        return
    assert "aaaa" not in text
