"""The sample corpus says what PLANTED.md promises, and nothing else that is wrong."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from coditect.sample import sample_files, sample_folder
from tests.tool_modules import tool_module

FOLDER = sample_folder()
PLANTED: dict[str, Any] = json.loads((FOLDER.parent / "planted.json").read_text(encoding="utf-8"))
ENTRIES: list[dict[str, Any]] = PLANTED["planted"]
INTERVALS: list[dict[str, Any]] = PLANTED["review_intervals"]

TITLES = {
    "Information Security Policy": "information-security-policy.md",
    "Access Control Policy": "access-control-policy.md",
    "Incident Response Policy": "incident-response-policy.md",
    "Privacy Policy": "privacy-policy.html",
    "Acceptable Use Policy": "acceptable-use-policy.html",
    "Vendor Management Policy": "vendor-management-policy.docx",
    "Business Continuity Policy": "business-continuity-policy.docx",
    "Data Retention Policy": "data-retention-policy.md",
    "Remote Working Policy": "remote-working-policy.md",
    "Encryption Standard": "encryption-standard.md",
    "Change Management Procedure": "change-management-procedure.md",
}


@cache
def text_of(name: str) -> str:
    """The text of a sample file as the product reads it, white space squeezed."""
    from coditect.documents.readers import read_source

    return " ".join(read_source((FOLDER / name).read_bytes(), name).text.split())


def generator() -> ModuleType:
    """tools/make_sample.py, which is in the repository but not in the package."""
    return tool_module("make_sample")


def members(raw: bytes) -> dict[str, bytes]:
    """The contents of a zip file; how they are compressed depends on the machine's zlib."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_sample_files_cover_every_format_and_stay_small() -> None:
    """Sixteen documents in seven formats, ordered by name, below 400 KB together."""
    files = sample_files()
    assert len(files) == 16
    assert [path.name for path in files] == sorted(path.name for path in files)
    assert {path.suffix for path in files} == {".csv", ".docx", ".html", ".md", ".pdf", ".txt", ".xlsx"}
    assert sum(path.stat().st_size for path in files) < 400_000


def test_sample_import_loads_nothing_heavy() -> None:
    """Asking for the folder loads no reader and no document library."""
    code = (
        "import sys, coditect.sample as s; assert s.sample_files();"
        "print([m for m in ('docx', 'openpyxl', 'lxml', 'numpy', 'pypdfium2', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3]
    )
    assert done.stdout.strip() == "[]"


def test_planted_list_is_long_enough_and_well_formed() -> None:
    """At least six contradictions, each between two or more files, and at least eight gaps; ids are unique."""
    kinds = [entry["kind"] for entry in ENTRIES]
    assert kinds.count("contradiction") >= 6
    assert kinds.count("gap") >= 8
    assert len({entry["id"] for entry in ENTRIES}) == len(ENTRIES)
    for entry in ENTRIES:
        places = {anchor["file"] for anchor in entry["anchors"]}
        assert places == set(entry["files"])
        assert len(places) >= (2 if entry["kind"] == "contradiction" else 1), entry["id"]


@pytest.mark.parametrize(
    ("name", "heading", "anchor"),
    [
        pytest.param(a["file"], a["heading"], a["text"], id=f"{e['id']}-{a['file']}")
        for e in ENTRIES
        for a in e["anchors"]
    ],
)
def test_planted_anchor_stands_once_under_its_heading(name: str, heading: str, anchor: str) -> None:
    """Each anchor stands verbatim and only once in its file, after the heading that the list names."""
    text = text_of(name)
    assert text.count(anchor) == 1
    label = heading.rpartition(", ")[2]
    assert 0 <= text.find(label) < text.find(anchor)


@pytest.mark.parametrize("row", [pytest.param(row, id=row["file"]) for row in INTERVALS])
def test_review_interval_is_what_the_document_says(row: dict[str, Any]) -> None:
    """The sentence that sets the review interval is in the document, or none is; so is the date of the next review."""
    text = text_of(row["file"])
    found = re.findall(r"This (?:policy|standard|procedure) shall be reviewed at least [a-z ]+\.", text)
    assert found == ([row["sentence"]] if row["sentence"] else [])
    due = re.findall(r"Next review due\W+(\d{4}-\d{2}-\d{2})", text)
    assert due == ([row["next_review_due"]] if row["next_review_due"] else [])


def test_review_intervals_give_a_telling_statistic() -> None:
    """Nine of eleven documents of the framework set an interval, seven of them annual."""
    stated = [row["interval"] for row in INTERVALS if row["interval"]]
    assert (len(INTERVALS), len(stated), stated.count("annually")) == (11, 9, 7)
    assert {row["file"] for row in INTERVALS} == set(TITLES.values())


def test_section_references_lead_somewhere_except_the_planted_ones() -> None:
    """Every "section n of the Document" leads to a section that exists; only the planted reference does not."""
    titles = "|".join(TITLES)
    forward = re.compile(rf"[Ss]ections? (\d+(?:\.\d+)?) of the ({titles})")
    backward = re.compile(rf"({titles}), section (\d+(?:\.\d+)?)")
    dangling, seen = [], 0
    for path in sample_files():
        text = text_of(path.name)
        references = [(m[2], m[1]) for m in forward.finditer(text)] + [(m[1], m[2]) for m in backward.finditer(text)]
        seen += len(references)
        for title, number in references:
            if not re.search(rf"(?<![\w.]){re.escape(number)} [A-Z]", text_of(TITLES[title])):
                dangling.append((path.name, title, number))
    assert seen >= 60
    assert dangling == [("incident-response-policy.md", "Access Control Policy", "9.4")]


def test_clause_references_lead_somewhere_except_the_planted_one() -> None:
    """Inside the contract only Clause 15.2 is missing."""
    text = text_of("data-processing-agreement.pdf")
    cited = set(re.findall(r"Clauses? (\d+\.\d+)", text))
    assert {number for number in cited if not re.search(rf"(?<![\w.]){number} [A-Z]", text)} == {"15.2"}
    assert {"10.1", "12.2"} <= cited


def test_document_names_exist_except_the_planted_ones() -> None:
    """Every document that the framework names by title is in the corpus; two standards are planted as missing."""
    known = set(TITLES)
    pattern = re.compile(r"\b(?:[A-Z][a-z]+ )+(?:Policy|Standard|Procedure)\b(?! Change)")
    named: set[str] = set()
    for file in TITLES.values():
        named |= {m[0].removeprefix("The ") for m in pattern.finditer(text_of(file))}
    missing = {name for name in named if not any(name.endswith(title) for title in known)}
    assert missing == {"Cryptographic Key Management Standard", "Secure Development Standard"}


def test_planted_markdown_is_up_to_date() -> None:
    """PLANTED.md is what the generator makes of planted.json."""
    made: str = generator().make_planted()
    assert (FOLDER.parent / "PLANTED.md").read_text(encoding="utf-8") == made


@pytest.mark.parametrize("name", ["vendor-management-policy", "business-continuity-policy"])
def test_word_files_are_what_the_generator_writes(name: str) -> None:
    """The shipped Word files match their plain source, and two runs give the same bytes."""
    make = generator()
    made = make.make_docx(make.read_pieces(name))
    assert made == make.make_docx(make.read_pieces(name))
    assert members(made) == members((FOLDER / f"{name}.docx").read_bytes())


def test_register_is_what_the_generator_writes() -> None:
    """The shipped workbook matches its plain source, and two runs give the same bytes."""
    make = generator()
    made = make.make_xlsx()
    assert made == make.make_xlsx()
    assert members(made) == members((FOLDER / "control-register.xlsx").read_bytes())
