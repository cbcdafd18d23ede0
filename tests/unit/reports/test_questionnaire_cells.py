"""Answers in the XML of a sheet: rows and cells between their neighbours, widths, heights, and what is left alone."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO

import pytest
from lxml import etree

from coditect.errors import ReadError
from coditect.reports.questionnaires.filling import fill
from coditect.reports.questionnaires.questions import ANSWER_HEADS, QuestionSheet
from coditect.schemas import AnsweredQuestion, QuotedAnswer

_SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OF = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def book(sheet: str, target: str = "worksheets/sheet1.xml", head: str = "") -> bytes:
    """A workbook of the least parts, whose one sheet is this XML."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr(
            "xl/workbook.xml",
            f'{head}<workbook xmlns="{_SPACE}" xmlns:r="{_OF}"><sheets><sheet name="One" r:id="r1"/></sheets></workbook>',
        )
        file.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="r1" Target="{target}"/></Relationships>',
        )
        file.writestr("xl/worksheets/sheet1.xml", f'{head}<worksheet xmlns="{_SPACE}">{sheet}</worksheet>')
    return out.getvalue()


def asked(*rows: int, made: tuple[str, ...] = (), first: int = 3) -> QuestionSheet:
    """Questions in column B, answers from a column on."""
    answers = {head: number for number, head in enumerate(ANSWER_HEADS, first)}
    return QuestionSheet("One", 1, 2, answers, made, tuple((row, "Which?") for row in rows))


def answered(row: int = 2, *quotes: QuotedAnswer, status: str = "answered", reason: str = "why") -> AnsweredQuestion:
    """What is written into a row."""
    return AnsweredQuestion.model_validate(
        {"sheet": "One", "row": row, "question": "Which?", "status": status, "reason": reason, "quotes": quotes}
    )


def quoted(text: str = "It is so.", **more: object) -> QuotedAnswer:
    """A quote of a document."""
    return QuotedAnswer.model_validate({"item_id": "extraction_1", "document": "p.md", "text": text, **more})


def filled(raw: bytes, sheet: QuestionSheet, *answers: AnsweredQuestion) -> tuple[str, tuple[str, ...]]:
    """The XML of the sheet without its declaration and namespaces, and the warnings."""
    made, warnings = fill(raw, "q.xlsx", [sheet], answers)
    with zipfile.ZipFile(BytesIO(made)) as file:
        text = file.read("xl/worksheets/sheet1.xml").decode()
    declared, _, rest = text.partition("\n")
    assert declared == "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>"
    etree.fromstring(rest.encode())
    return re.sub(r' xmlns(:\w+)?="[^"]*"| xml:space="preserve"', "", rest), warnings


def cell(place: str, text: str, style: str = "") -> str:
    """A cell with a text, as it is written."""
    return f'<c r="{place}"{style} t="inlineStr"><is><t>{text}</t></is></c>'


def test_cells_are_made_between_their_neighbours_in_the_format_of_the_question() -> None:
    """Rows and cells stay in order; what is not a cell or a row stays behind; a format that is not there is not made up."""
    data = '<sheetData><row r="1"/><row r="2" spans="1:9"><c r="B2" s="7"/><c r="H2"/><extLst/></row><row r="9"/></sheetData>'
    text, warnings = filled(
        book(data), asked(2, 5, 12), answered(2, quoted()), answered(5, status="not found"), answered(12, quoted())
    )
    assert warnings == ()
    style = ' s="7"'
    evidence = "\u201cIt is so.\u201d"
    row_2 = "".join(
        (
            '<c r="B2" s="7"/>',
            cell("C2", "see evidence", style),
            cell("D2", evidence, style),
            cell("E2", "p.md", style),
            '<c r="H2"/><extLst/>',
        )
    )
    assert text == (
        f'<worksheet><sheetData><row r="1"/><row r="2" ht="30" customHeight="1">{row_2}</row>'
        f'<row r="5" ht="30" customHeight="1">{cell("C5", "not found")}{cell("G5", "why")}</row><row r="9"/>'
        f'<row r="12" ht="30" customHeight="1">{cell("C12", "see evidence")}{cell("D12", evidence)}{cell("E12", "p.md")}</row>'
        "</sheetData></worksheet>"
    )


@pytest.mark.parametrize(
    ("there", "taken"),
    [
        ('<c r="C2"/>', False),
        ('<c r="C2" t="s"><v/></c>', False),
        ('<c r="C2"><v> </v></c>', False),
        ('<c r="C2"><v>0</v></c>', True),
        ('<c r="C2"><f>A1</f></c>', True),
        ('<c r="C2"><f/></c>', True),
        ('<c r="C2"><f>A1</f><v>1</v></c>', True),
    ],
)
def test_only_empty_cells_are_written(there: str, taken: bool) -> None:
    """A value or a formula, computed or not, stays, and is told; a cell without words is empty."""
    row = '<row r="2" customHeight="1">'
    raw = book(f"<sheetData>{row}{there}</row></sheetData>")
    text, warnings = filled(raw, asked(2), answered(2, status="not found", reason=""))
    assert warnings == (("One C2 is not empty: its answer was left out",) if taken else ())
    assert (
        text
        == f"<worksheet><sheetData>{row}{there if taken else cell('C2', 'not found')}</row></sheetData></worksheet>"
    )


@pytest.mark.parametrize(
    ("quotes", "status", "texts"),
    [
        ((), "answered", ("see evidence", None, None, None, None)),
        ((), "person", ("to be answered by a person", None, None, None, "why")),
        ((quoted(),), "answered", ("see evidence", "“It is so.”", "p.md", None, None)),
        ((quoted(probability=0.5),), "person", ("to be answered by a person", "“It is so.”", "p.md", "50%", "why")),
        (
            (quoted("a", probability=0.0, page=3), quoted("b", probability=1.0, locator="4.2"), quoted("c", page=3)),
            "answered",
            ("see evidence", "“a”\n“b”\n“c”", "p.md, page 3\np.md 4.2", "0%", None),
        ),
    ],
)
def test_answers_are_told_by_their_quotes_sources_and_the_best_probability(
    quotes: tuple[QuotedAnswer, ...], status: str, texts: tuple[str | None, ...]
) -> None:
    """Each quote that may answer, each source once; the reason where a person is needed; nothing where nothing is to be said."""
    text, _ = filled(book('<sheetData><row r="2"/></sheetData>'), asked(2), answered(2, *quotes, status=status))
    shown = dict(re.findall(r'<c r="(\w)2"[^>]*><is><t>([^<]*)</t></is></c>', text))
    assert shown == {letter: told for letter, told in zip("CDEFG", texts, strict=True) if told is not None}


def test_a_cell_holds_no_more_than_a_cell_can() -> None:
    """32,767 characters, and none that XML does not know."""
    text, _ = filled(book('<sheetData><row r="2"/></sheetData>'), asked(2), answered(2, quoted("a\x0b" + "b" * 40_000)))
    (written,) = re.findall(r'<c r="D2"[^>]*><is><t>([^<]*)</t>', text)
    assert len(written) == 32_767
    assert written.startswith("“a\N{REPLACEMENT CHARACTER}b")


@pytest.mark.parametrize(
    ("columns", "row", "quote", "height"),
    [
        ((), "", "x" * 6, None),
        ((), "", "x" * 7, "30!"),
        (((4, 4, "5"),), "", "x" * 3, None),
        (((3, 3, "5"), (4, 4, "5")), "", "x" * 4, "30!"),
        (((1, 3, "99"), (4, 9, "1")), "", "x" * 18, "300!"),
        (((1, 9, "0"),), "", "x" * 18, "300!"),
        (((1, 3, "99"), (5, 9, "99")), "", "x" * 7, "30!"),
        (((1, 9, "20"),), "", "x" * 38, "30!"),
        (((1, 9, "20"),), "", "x" * 39, "45!"),
        (((1, 9, "20"),), "", "x\n\ny", "45!"),
        (((1, 9, "20"),), ' ht="45"', "x\n\ny", "45"),
        (((1, 9, "20"),), ' ht="44"', "x\n\ny", "45!"),
        (((1, 9, "20"),), ' ht="12" customHeight="true"', "x\n\ny", "12"),
        (((1, 9, "20"),), ' ht="12" customHeight="0"', "x\n\ny", "45!"),
        (((1, 9, "10"),), "", "x" * 10 * 26, "405!"),
        (((1, 9, "10"),), "", "x" * 10 * 27, "409!"),
    ],
)
def test_rows_are_as_high_as_their_longest_cell(
    columns: tuple[tuple[int, int, str], ...], row: str, quote: str, height: str | None
) -> None:
    """Fifteen points a line, as many as the words need in a column of its width, or of 8.43 characters; at most 409 points.

    A height that was set is marked by "!".
    """
    given = "".join(f'<col min="{least}" max="{most}" width="{width}"/>' for least, most, width in columns)
    raw = book(f'<cols>{given}<col min="40" max="41" width="99"/></cols><sheetData><row r="2"{row}/></sheetData>')
    sheet = QuestionSheet("One", 1, 2, {**asked().answers, "Answer": 40, "Source": 41}, (), ((2, "Which?"),))
    text, _ = filled(raw, sheet, answered(2, quoted(quote)))
    (head,) = re.findall(r"<row ([^>]*)>", text)
    found = dict(re.findall(r'(\w+)="([^"]*)"', head))
    assert found.get("ht") == (None if height is None else height.rstrip("!"))
    assert (found.get("customHeight") == "1") == (height or "").endswith("!")


COLUMN = '<col min="3" max="3" width="14.0" customWidth="1"/><col min="4" max="4" width="70.0" customWidth="1"/>'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", f"<cols>{COLUMN}</cols>"),
        ("<sheetPr/>", f"<sheetPr/><cols>{COLUMN}</cols>"),
        ("<sheetPr/><sheetFormatPr/>", f"<sheetPr/><sheetFormatPr/><cols>{COLUMN}</cols>"),
        ("<dimension/>", f"<cols>{COLUMN}</cols>"),
        ('<cols><col min="1" max="2"/></cols>', f'<cols><col min="1" max="2"/>{COLUMN}</cols>'),
        (
            '<cols><col min="1" max="3"/></cols>',
            f'<cols><col min="1" max="3"/>{COLUMN.partition("/>")[2]}</cols>',
        ),
        ('<cols><col min="1" max="4"/></cols>', '<cols><col min="1" max="4"/></cols>'),
    ],
)
def test_columns_that_are_made_get_a_width_where_the_sheet_gives_none(before: str, after: str) -> None:
    """Columns stand behind what describes the sheet; widths that somebody gave stay; the used range is not told any more."""
    text, _ = filled(book(f"{before}<sheetData/>"), asked(made=("Answer", "Evidence")), answered(2, status="not found"))
    heads = f'<sheetData><row r="1">{cell("C1", "Answer")}{cell("D1", "Evidence")}</row></sheetData>'
    assert text == f"<worksheet>{after}{heads}</worksheet>"


def test_nothing_is_widened_where_nothing_is_made() -> None:
    """A sheet with its own columns keeps them as they are."""
    text, _ = filled(book("<sheetData/>"), asked(), answered())
    assert text == "<worksheet><sheetData/></worksheet>"


@pytest.mark.parametrize(
    ("merged", "first", "place", "place_2"),
    [
        ("C2:C3", 3, "C2", None),
        ("B1:C2", 3, "B1", "C3"),
        ("C2", 3, "C2", "C3"),
        ("D2:F3", 3, "C2", "C3"),
        ("AA2:AC3", 28, "AA2", None),
        ("Z2:AB3", 28, "Z2", None),
        ("ZZ10:AAA11", 703, "AAA2", "AAA3"),
        ("ZY2:ZZ3", 703, "AAA2", "AAA3"),
    ],
)
def test_what_falls_into_a_merged_range_stands_in_its_first_cell(
    merged: str, first: int, place: str, place_2: str | None
) -> None:
    """Its last row and column belong to it, the next ones do not; letters of columns go on behind Z and ZZ."""
    raw = book(f'<sheetData><row r="2"/><row r="3"/></sheetData><mergeCells><mergeCell ref="{merged}"/></mergeCells>')
    nothing = {"status": "not found", "reason": ""}
    text, warnings = filled(raw, asked(2, 3, first=first), answered(2, **nothing), answered(3, **nothing))
    assert re.findall(r'<c r="(\w+)"', text) == [each for each in (place, place_2) if each]
    assert warnings == (() if place_2 else (f"One {place} is not empty: its answer was left out",))


def test_sheets_are_found_by_their_relations_wherever_they_are_named_from() -> None:
    """From the folder of the workbook, or from the root of the package."""
    for target in ("worksheets/sheet1.xml", "/xl/worksheets/sheet1.xml", "../xl/worksheets/sheet1.xml"):
        text, _ = filled(book("<sheetData/>", target), asked(2), answered(2, quoted()))
        assert "see evidence" in text


def test_entities_of_a_file_are_not_followed() -> None:
    """A sheet that would take in a file of this machine does not."""
    head = '<!DOCTYPE worksheet [<!ENTITY inside "taken in">]>'
    raw = book('<sheetData><row r="2"><c r="A2"><v>&inside;</v></c></row></sheetData>', head=head)
    made, _ = fill(raw, "q.xlsx", [asked(2)], [answered(2, quoted())])
    with zipfile.ZipFile(BytesIO(made)) as file:
        assert b"<v>&inside;</v>" in file.read("xl/worksheets/sheet1.xml")


def test_signed_and_broken_workbooks_are_told() -> None:
    """A signature that does not hold any more is named; a sheet without rows and a package without sheets are refused."""
    raw = BytesIO(book("<sheetData/>"))
    with zipfile.ZipFile(raw, "a") as file:
        file.writestr("_xmlsignatures/origin.sigs", b"")
    _, (warning,) = fill(raw.getvalue(), "q.xlsx", [asked()], [])
    assert warning.startswith("the workbook was signed")
    with pytest.raises(ReadError, match="a sheet without rows"):
        fill(book(""), "q.xlsx", [asked()], [])
    empty = BytesIO()
    with zipfile.ZipFile(empty, "w") as file:
        file.writestr("x", b"")
    with pytest.raises(ReadError, match="without its list of sheets"):
        fill(empty.getvalue(), "q.xlsx", [asked()], [])
