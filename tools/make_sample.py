"""Write the binary files of the sample corpus, and PLANTED.md, from the plain text in tools/sample_source.

Run ``python tools/make_sample.py`` after changing a file there or ``coditect/sample/planted.json``; with ``--check`` it
writes nothing and exits 1 if a shipped file differs. Needs python-docx and openpyxl (run-time dependencies of the
package) and, for the PDF files only, reportlab. Every date, id and zip timestamp is fixed, so the same text and the
same library versions give the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import sys
import zipfile
from datetime import date, datetime
from pathlib import Path
from typing import Any

from docx import Document
from docx.document import Document as DocxDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.table import _Cell
from docx.text.paragraph import Paragraph as DocxParagraph
from openpyxl import Workbook
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet
from sample_pieces import COMPANY, INK, TINT, Piece

TOOLS = Path(__file__).resolve().parent
SOURCE = TOOLS / "sample_source"
SAMPLE = TOOLS.parent / "coditect" / "sample"
CORPUS = SAMPLE / "corpus"

MADE_AT = datetime(2026, 9, 30, 9, 0, 0)  # without a zone: both OOXML libraries want naive UTC

DOCX_NAMES = ("vendor-management-policy", "business-continuity-policy")
PDF_NAMES = ("data-processing-agreement", "internal-audit-report-ia-2026-04")
SHEETS = (("Controls", "controls.csv"), ("Vendors", "vendors.csv"))

_NUMBERED = re.compile(r"(\d+\.\d+) (.+)")
_LETTERED = re.compile(r"(\([a-zA-Z]\)) (.+)")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def parse(source: str) -> list[Piece]:
    """Split a source text: ``#`` to ``###`` headings, ``| a | b |`` rows, one paragraph a line, blank lines between."""
    pieces: list[Piece] = []
    rows: list[tuple[str, ...]] = []
    for line in [*source.splitlines(), ""]:
        if line.startswith("|"):
            rows.append(tuple(cell.strip() for cell in line.strip("|").split("|")))
            continue
        if rows:
            pieces.append(Piece("table", rows=tuple(rows)))
            rows = []
        if line:
            pieces.append(_paragraph(line))
    return pieces


def _paragraph(line: str) -> Piece:
    for mark, kind in (("# ", "title"), ("## ", "heading"), ("### ", "subheading")):
        if line.startswith(mark):
            return Piece(kind, line.removeprefix(mark))  # type: ignore[arg-type]
    if match := _NUMBERED.fullmatch(line):
        return Piece("clause", match[2], match[1])
    if match := _LETTERED.fullmatch(line):
        return Piece("item", match[2], match[1])
    return Piece("text", line)


# ---------------------------------------------------------------- zip containers


def pin_zip(raw: bytes) -> bytes:
    """Rewrite an OOXML file with fixed member times and a fixed modification date, in the order of its members."""
    out = io.BytesIO()
    stamp = MADE_AT.strftime("%Y-%m-%dT%H:%M:%SZ")
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            body = old.read(name)
            if name == "docProps/core.xml":
                # openpyxl writes the clock here whatever the workbook says.
                body = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>" + stamp.encode(), body)
            info = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # the writing machine must not show
            info.external_attr = 0o644 << 16
            new.writestr(info, body)
    return out.getvalue()


# ---------------------------------------------------------------- Word


def make_docx(pieces: list[Piece]) -> bytes:
    """A Word document with real heading styles, tables, a header and page numbers."""
    title = next(piece.text for piece in pieces if piece.kind == "title")
    document = Document()
    _docx_styles(document)
    _docx_furniture(document, title)
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        if piece.kind == "table":
            _docx_table(document, piece.rows)
        elif piece.kind == "title":
            document.add_paragraph(piece.text, style="Title")
        elif piece.kind in ("heading", "subheading"):
            document.add_heading(piece.text, level=1 if piece.kind == "heading" else 2)
        else:
            paragraph = _docx_paragraph(document, piece)
            # An introduction stays with what it introduces.
            introduces = following is not None and following.kind in ("item", "table")
            paragraph.paragraph_format.keep_with_next = True if introduces and piece.kind != "item" else None
    buffer = io.BytesIO()
    document.save(buffer)
    return pin_zip(buffer.getvalue())


def _docx_styles(document: DocxDocument) -> None:
    sizes = {"Normal": 10.5, "Title": 22, "Heading 1": 13, "Heading 2": 11}
    for name, size in sizes.items():
        style: Any = document.styles[name]
        style.font.name = "Calibri"
        style.font.size = Pt(size)
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            # The template's theme fonts would win over the name set above.
            fonts.attrib.pop(qn(f"w:{theme}"), None)
        if name != "Normal":
            style.font.color.rgb = RGBColor.from_string(INK)
            style.font.bold = True
    normal: Any = document.styles["Normal"]
    normal.paragraph_format.space_after = Pt(6)
    normal.paragraph_format.line_spacing = 1.1
    heading: Any = document.styles["Heading 1"]
    heading.paragraph_format.space_before = Pt(14)
    heading.paragraph_format.space_after = Pt(4)


def _docx_furniture(document: DocxDocument, title: str) -> None:
    properties = document.core_properties
    properties.title, properties.author, properties.last_modified_by = title, COMPANY, COMPANY
    properties.comments, properties.language = "", "en-IE"
    properties.created = properties.modified = MADE_AT
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21.0), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.5)
    section.top_margin = section.bottom_margin = Cm(2.3)
    section.header.paragraphs[0].text = f"{COMPANY} · {title}"
    footer = section.footer.paragraphs[0]
    footer.alignment = WD_ALIGN_PARAGRAPH.CENTER
    footer.add_run("Page ")
    _docx_field(footer, "PAGE")
    footer.add_run(" of ")
    _docx_field(footer, "NUMPAGES")
    for paragraph in (section.header.paragraphs[0], footer):
        for run in paragraph.runs:
            run.font.size = Pt(8.5)


def _docx_field(paragraph: DocxParagraph, instruction: str) -> None:
    run = paragraph.add_run()
    for kind in ("begin", "", "end"):
        element = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            element.set(qn("w:fldCharType"), kind)
        else:
            element.text = instruction
        run._r.append(element)


def _docx_paragraph(document: DocxDocument, piece: Piece) -> DocxParagraph:
    paragraph = document.add_paragraph()
    hang = {"clause": (1.1, 1.1), "item": (1.9, 0.8)}.get(piece.kind)
    if hang is None:
        paragraph.add_run(piece.text)
        return paragraph
    left, first = hang
    paragraph.paragraph_format.left_indent = Cm(left)
    paragraph.paragraph_format.first_line_indent = Cm(-first)
    paragraph.paragraph_format.tab_stops.add_tab_stop(Cm(left))
    paragraph.add_run(f"{piece.number}\t{piece.text}")
    return paragraph


def _docx_table(document: DocxDocument, rows: tuple[tuple[str, ...], ...]) -> None:
    control = rows[0] == ("Document control", "")
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
    table.autofit = False
    widths = [Cm(5), Cm(11)] if control else [Cm(16 / len(rows[0]))] * len(rows[0])
    if rows[0][0] == "Tier":
        widths = [Cm(1.8), Cm(7.4), Cm(6.8)]
    for y, row in enumerate(rows):
        for x, text in enumerate(row):
            _docx_cell(table.cell(y, x), text, header=y == 0, width=widths[x])
    document.add_paragraph().paragraph_format.space_after = Pt(2)


def _docx_cell(cell: _Cell, text: str, *, header: bool, width: Cm) -> None:
    cell.width = width
    paragraph = cell.paragraphs[0]
    paragraph.paragraph_format.space_before = paragraph.paragraph_format.space_after = Pt(2)
    run = paragraph.add_run(text)
    run.font.size = Pt(9.5)
    run.bold = header
    if header:
        shade = OxmlElement("w:shd")
        for name, value in (("val", "clear"), ("color", "auto"), ("fill", TINT)):
            shade.set(qn(f"w:{name}"), value)
        cell._tc.get_or_add_tcPr().append(shade)


# ---------------------------------------------------------------- Excel


def make_xlsx() -> bytes:
    """The control register: one sheet per CSV source, with a header row that stays in view and real date cells."""
    workbook = Workbook()
    workbook.remove(workbook.worksheets[0])
    workbook.properties.title = "Control Register"
    workbook.properties.creator = workbook.properties.lastModifiedBy = COMPANY
    workbook.properties.created = MADE_AT
    for name, source in SHEETS:
        with (SOURCE / source).open(encoding="utf-8", newline="") as lines:
            _xlsx_sheet(workbook.create_sheet(name), list(csv.reader(lines)))
    buffer = io.BytesIO()
    workbook.save(buffer)
    return pin_zip(buffer.getvalue())


def _xlsx_sheet(sheet: Worksheet, rows: list[list[str]]) -> None:
    for row in rows:
        sheet.append([date.fromisoformat(cell) if _ISO_DATE.fullmatch(cell) else cell or None for cell in row])
    for cells in sheet.iter_rows():
        for cell in cells:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if isinstance(cell.value, date):
                cell.number_format = "yyyy-mm-dd"
            if cell.row == 1:
                cell.font = Font(bold=True, color="FFFFFF")
                cell.fill = PatternFill("solid", fgColor=INK)
    for index, column in enumerate(zip(*rows, strict=True)):
        width = min(48, max(12, *(len(cell) + 2 for cell in column)))
        sheet.column_dimensions["ABCDEFGHIJ"[index]].width = width
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = sheet.dimensions
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)


# ---------------------------------------------------------------- the list of what is planted


def make_planted() -> str:
    """PLANTED.md, from planted.json."""
    record = json.loads((SAMPLE / "planted.json").read_text(encoding="utf-8"))
    lines = [
        "# What is planted in the sample corpus",
        "",
        f"Written by `tools/make_sample.py` from `planted.json`. The corpus is to be read as of {record['as_of']}.",
        "Verrowen Health Payments, its customers and its vendors are invented. Everything that is not listed here is",
        "meant to be consistent; the texts in quotation marks stand verbatim in the files.",
    ]
    for kind, heading in (("contradiction", "Contradictions"), ("gap", "Gaps")):
        lines += ["", f"## {heading}", "", "| id | what | where | why it matters |", "|---|---|---|---|"]
        for entry in record["planted"]:
            if entry["kind"] == kind:
                quoted = (f"`{a['file']}`, {a['heading']}: “{a['text']}”" for a in entry["anchors"])
                places = "<br>".join(quoted).replace("|", r"\|")
                lines.append(f"| {entry['id']} | {entry['topic']} | {places} | {entry['why']} |")
    stated = [row for row in record["review_intervals"] if row["interval"]]
    annual = [row for row in stated if row["interval"] == "annually"]
    lines += [
        "",
        "## Review intervals",
        "",
        f"{len(stated)} of {len(record['review_intervals'])} documents of the policy framework set a review interval; "
        f"{len(annual)} of them annual.",
        "",
        "| document | interval | next review due |",
        "|---|---|---|",
    ]
    for row in record["review_intervals"]:
        lines.append(f"| `{row['file']}` | {row['interval'] or 'none'} | {row['next_review_due'] or 'none'} |")
    return "\n".join(lines) + "\n"


# ---------------------------------------------------------------- command line


def read_pieces(name: str) -> list[Piece]:
    """The source text ``name`` (without suffix), split."""
    return parse((SOURCE / f"{name}.md").read_text(encoding="utf-8"))


def make_all() -> dict[Path, bytes]:
    """Every generated file and its bytes."""
    from sample_pdf import make_pdf  # needs reportlab, which the other formats do without

    made = {CORPUS / f"{name}.docx": make_docx(read_pieces(name)) for name in DOCX_NAMES}
    made |= {CORPUS / f"{name}.pdf": make_pdf(read_pieces(name)) for name in PDF_NAMES}
    made[CORPUS / "control-register.xlsx"] = make_xlsx()
    made[SAMPLE / "PLANTED.md"] = make_planted().encode()
    return made


def main() -> int:
    """Write the files, or compare them; 0 when all is well."""
    parser = argparse.ArgumentParser(description="Write the generated files of the sample corpus.")
    parser.add_argument("--check", action="store_true", help="compare only; exit 1 on a difference")
    check = parser.parse_args().check
    stale = 0
    for path, body in make_all().items():
        same = path.exists() and path.read_bytes() == body
        stale += not same
        if not check and not same:
            path.write_bytes(body)
        state = "same" if same else "differs" if check else "written"
        sys.stdout.write(f"{state:8} {path.relative_to(TOOLS.parent)} {len(body):,} bytes\n")
    return 1 if check and stale else 0


if __name__ == "__main__":
    raise SystemExit(main())
