"""Glossaries as people lay them out: tables of Word, workbooks, web pages and PDFs, headings, typed columns, words run in."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import docx
import pytest
from openpyxl import Workbook

from coditect.documents.readers import read_source
from coditect.schemas import DefinitionData, DocumentVersion
from coditect.tiers.extractions.document import extraction_records, read_document
from tests.unit.documents.documents import pdf

_VERSION: dict[str, Any] = {"corpus_id": "c", "document_id": "d", "version_id": "v"}
Rows = Sequence[Sequence[str]]


def _defined(raw: bytes, name: str) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """Form, meaning and other names of each term that a document defines."""
    version = DocumentVersion.model_construct(**_VERSION, name=name)
    records = extraction_records(version, read_document(read_source(raw, name)), "derivation")
    found = [each.read_as(DefinitionData) for each in records if each.extraction_kind == "definition"]
    return {str(data.term): (str(data.form), data.definition or "", data.aliases or ()) for data in found}


def _word(heading: str, rows: Rows, merged: Sequence[tuple[tuple[int, int], tuple[int, int]]] = ()) -> bytes:
    document = docx.Document()
    document.add_heading(heading, 1)
    table = document.add_table(rows=len(rows), cols=max(map(len, rows)))
    for row, cells in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    for first, last in merged:
        table.cell(*first).merge(table.cell(*last))
    document.add_paragraph("A carrier must keep the list.")
    kept = io.BytesIO()
    document.save(kept)
    return kept.getvalue()


def _sheet(title: str, rows: Rows) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for row in rows:
        sheet.append([cell or None for cell in row])
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()


CARRIER = ("meaning", "A firm that moves goods.", ())
QUAY = ("meaning", "A wall at which ships lie.", ())

SHORT = (
    ("Term", "Abbreviation", "Meaning"),
    ("Free on board", "FOB", "The seller loads the ship."),
    ("Carrier", "", CARRIER[1]),
)
GROUPED = (
    ("Group", "Term", "Definition"),
    ("People", "Carrier", CARRIER[1]),
    ("", "Crew", "All who row."),
    ("Places", "Quay", QUAY[1]),
)
COUNTED = (("No.", "Term", "Description"), ("1", "Carrier", CARRIER[1]), ("2", "Quay", QUAY[1]))
HEADLESS = (("“Carrier”", "means a firm that moves goods."), ("“Quay”", "has the meaning given in rule 4."))
ROLES = (("Role", "Description"), ("Carrier", CARRIER[1]), ("Porter", "Carries what the carrier leaves."))

SPANNED = f"""<h1>Code</h1><table><tr><th>Area</th><th>Term</th><th>What it means</th></tr>
<tr><td rowspan="2">Port</td><td>Carrier</td><td>{CARRIER[1]}</td></tr><tr><td>Quay</td><td>{QUAY[1]}</td></tr></table>"""
PLACING = f"""<table><tr><td><h1>Code</h1></td></tr><tr><td><table><tr><td><b>Word</b></td><td><b>Meaning</b></td></tr>
<tr><td>Carrier</td><td>{CARRIER[1]}</td></tr></table></td></tr><tr><td><p>A carrier must keep the list.</p></td></tr></table>"""
LIST = f"""<h2>Article 3 Definitions</h2><p>In this code:</p>
<dl><dt>Carrier</dt><dd>{CARRIER[1]}</dd><dt>Quay</dt><dd>{QUAY[1]}</dd></dl>"""
HEADED = (
    f"# Code\n\n## Glossary\n\n### Carrier\n\n{CARRIER[1]}\n\n### Quay\n\n{QUAY[1]}\n\n"
    "## Rules\n\n### Carrier\n\nIt keeps the list.\n"
)
TYPED = f"""CODE

2. Terms

  Term        Definition
  ----------  ----------------------------
  Carrier     {CARRIER[1]}
  Quay        {QUAY[1]}

3. Ports

  Port        Use
  North       For ships with grain only
"""
RUN_IN = f"Glossary\n\nCarrier {CARRIER[1]}\n\nQuay {QUAY[1]}\n"
DASHED = (
    f"Glossary\n\n  Carrier - {CARRIER[1]}\n  Quay - {QUAY[1]}\n\nLimits\n\n  Small loads - up to a ton of goods.\n"
)
PRINTED = pdf(
    [
        [
            (72, 700, "1.2 Glossary"),
            (72, 670, "#"),
            (90, 670, "Term"),
            (160, 670, "Definition"),
            (72, 650, "1"),
            (90, 650, "Carrier"),
            (160, 650, "A firm that"),
            (160, 638, "moves goods."),
            (72, 618, "2"),
            (90, 618, "Very long quay"),
            (160, 618, QUAY[1]),
            (72, 570, "2 Duties"),
            (72, 540, "A carrier must keep the list."),
        ]
    ]
)

LAYOUTS = [
    (
        "short.docx",
        _word("Terms", SHORT),
        {"Free on board": ("meaning", "The seller loads the ship.", ("FOB",)), "Carrier": CARRIER},
    ),
    (
        "grouped.docx",
        _word("Code", GROUPED, [((1, 0), (2, 0))]),
        {"Carrier": CARRIER, "Crew": ("meaning", "All who row.", ()), "Quay": QUAY},
    ),
    ("counted.docx", _word("Glossary", COUNTED), {"Carrier": CARRIER, "Quay": QUAY}),
    (
        "headless.docx",
        _word("1 Interpretation", HEADLESS),
        {"Carrier": ("meaning", "a firm that moves goods.", ()), "Quay": ("reference", "given in rule 4.", ())},
    ),
    ("roles.docx", _word("Roles", ROLES), {}),
    (
        "counted.xlsx",
        _sheet("Definitions", [("Words of the port", "", ""), *COUNTED]),
        {"Carrier": CARRIER, "Quay": QUAY},
    ),
    ("spanned.html", SPANNED.encode(), {"Carrier": CARRIER, "Quay": QUAY}),
    ("placing.html", PLACING.encode(), {"Carrier": CARRIER}),
    ("list.html", LIST.encode(), {"Carrier": CARRIER, "Quay": QUAY}),
    ("headed.md", HEADED.encode(), {"Carrier": CARRIER, "Quay": QUAY}),
    ("typed.txt", TYPED.encode(), {"Carrier": CARRIER, "Quay": QUAY}),
    ("run_in.txt", RUN_IN.encode(), {"Carrier": CARRIER, "Quay": QUAY}),
    ("dashed.txt", DASHED.encode(), {"Carrier": CARRIER, "Quay": QUAY}),
    ("printed.pdf", PRINTED, {"Carrier": CARRIER, "Very long quay": QUAY}),
]


@pytest.mark.parametrize(("name", "raw", "defined"), LAYOUTS, ids=[name for name, _, _ in LAYOUTS])
def test_glossary_is_read_in_the_layout_it_has(
    name: str, raw: bytes, defined: dict[str, tuple[str, str, tuple[str, ...]]]
) -> None:
    """Heads of tables say what columns hold; headings, gaps and capitals tell terms; what is no glossary defines nothing."""
    assert _defined(raw, name) == defined


def test_row_defines_although_its_meaning_binds() -> None:
    """Below a head that names terms, what a term means may speak of what somebody must do."""
    rows = "| Term | Definition |\n|---|---|\n| Watch | Two mates must stay awake. |\n| Means test | A sum. |\n"
    assert set(_defined(rows.encode(), "a.md")) == {"Watch", "Means test"}


def test_row_of_several_sentences_is_one_row() -> None:
    """Its second sentence neither defines nor ends the table."""
    rows = f"| Term | Definition |\n|---|---|\n| Crew | All who row. They row at night. |\n| Quay | {QUAY[1]} |\n"
    assert set(_defined(rows.encode(), "a.md")) == {"Crew", "Quay"}


def test_title_between_tight_entries_is_no_term() -> None:
    """Where meanings stand right below their terms, a line with a blank line below it ends the glossary."""
    text = f"Glossary\n\nCarrier\n{CARRIER[1]}\n\nQuay\n{QUAY[1]}\n\nYard rules\n\nFeeding\nHorses eat at six in the morning.\n"
    assert set(_defined(text.encode(), "a.txt")) == {"Carrier", "Quay"}


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        (
            'The firm logs access ("Security Measures"). The Security Measures include locks.',
            ["Security Measures", "Security Measures"],
        ),
        ("The Security Measures include locks.", []),
        ("In this Part—\nberth includes a pontoon;\n", ["berth"]),
    ],
)
def test_inclusion_defines_what_is_a_term_already(text: str, terms: list[str]) -> None:
    """What a term includes is said of it where it was defined before, or where a line says that definitions follow."""
    version = DocumentVersion.model_construct(**_VERSION, name="a.txt")
    records = extraction_records(version, read_document(read_source(text.encode(), "a.txt")), "derivation")
    assert [each.tier1_data.fields()["term"] for each in records if each.extraction_kind == "definition"] == terms
