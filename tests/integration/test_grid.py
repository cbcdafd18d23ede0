"""Contracts beside a standard text: which clause each has, and how it deviates."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from coditect.compose import open_knowledge
from coditect.errors import NotFound, UsageError
from coditect.knowledge.report.changes.grid import contract_grid
from coditect.knowledge.service import Knowledge
from coditect.reports.registers.grid import GRID_COLUMNS, write_grid
from coditect.schemas import BuildSettings
from coditect.schemas.grid import ContractGrid
from coditect.settings import Settings

CORPUS = "contracts"
STANDARD = """# Standard Owl Services Agreement

## 1 Termination

1.1 Either party may terminate this Agreement on 30 days' written notice.

## 2 Liability

2.1 The liability of the Keeper shall not exceed EUR 1,000,000 in any year.

## 3 Audit

3.1 The Customer may audit the feeding records of the Keeper once a year at its own cost.
"""
NORTH = """# Owl Services Agreement with Northwing Ltd

## 1 Cap

1.1 The liability of the Keeper shall not exceed EUR 200,000 in any year.

## 2 Ending

2.1 Either party may terminate this Agreement on 30 days' written notice.
"""


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[Knowledge]:
    """One generation with the standard and a contract that has its clauses in another order, and no audit."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "standard.md").write_text(STANDARD)
    (folder / "north-agreement.md").write_text(NORTH)
    (folder / "cover.md").write_text("# Owls\n\nSee inside.\n")
    with open_knowledge(Settings(store=f"lmdb://{tmp_path}/store", cache=tmp_path / "cache", jobs=1)) as opened:
        opened.ingest(CORPUS, [folder])
        opened.build(CORPUS, BuildSettings())
        yield opened


def _grid(knowledge: Knowledge, *documents: str) -> ContractGrid:
    ranking = knowledge.models.ranking()
    return contract_grid(knowledge.view(CORPUS), "standard.md", ranking, documents=documents)


def test_each_clause_is_found_wherever_it_stands(knowledge: Knowledge) -> None:
    """The same words are the same under another number; another amount deviates; what is not there is not found."""
    found = _grid(knowledge, "north-agreement.md")
    cells = {row.clause: row.cells[0] for row in found.rows}
    assert {clause: cell.status for clause, cell in cells.items()} == {
        "Termination": "same",
        "Liability": "differs",
        "Audit": "not found",
    }
    assert cells["Liability"].values == ("EUR 200,000",)
    assert "amount" in {each.field for each in cells["Liability"].fields}
    side = cells["Termination"].found
    assert side is not None
    view = knowledge.view(CORPUS)
    (document_id,) = (d for d, v in view.documents.items() if v.name == "north-agreement.md")
    assert view.text(document_id)[side.char_start : side.char_end] == side.text
    assert side.place == "2.1"


def test_documents_that_are_no_contracts_stay_out(knowledge: Knowledge) -> None:
    """By default the documents whose role is that of a contract are held against the standard text, which is none of them."""
    assert _grid(knowledge).documents == ("north-agreement.md",)


def test_a_grid_needs_a_standard_and_contracts(knowledge: Knowledge) -> None:
    """Each with what is wrong."""
    with pytest.raises(UsageError, match="no contracts are left"):
        _grid(knowledge, "standard.md")
    with pytest.raises(NotFound, match="no document of this name"):
        contract_grid(knowledge.view(CORPUS), "nothing.md", None)
    with pytest.raises(UsageError, match="has no clauses"):
        contract_grid(knowledge.view(CORPUS), "cover.md", None, documents=["north-agreement.md"])


def test_the_grid_without_an_embedder_goes_by_words(knowledge: Knowledge) -> None:
    """The same clauses are found."""
    found = contract_grid(knowledge.view(CORPUS), "standard.md", None, documents=["north-agreement.md"])
    assert [row.cells[0].status for row in found.rows] == ["same", "differs", "not found"]


def test_a_grid_as_tables(knowledge: Knowledge) -> None:
    """A workbook has a column for each contract, and the clauses with their words on a second sheet."""
    found = _grid(knowledge, "north-agreement.md")
    file = io.BytesIO()
    assert write_grid(found, file, "csv") == 3
    rows = list(csv.reader(io.StringIO(file.getvalue().decode("utf-8-sig"))))
    assert tuple(rows[0]) == GRID_COLUMNS
    assert rows[2][GRID_COLUMNS.index("deviation")].endswith("EUR 1,000,000 -> EUR 200,000")
    file = io.BytesIO()
    write_grid(found, file, "xlsx")
    book = openpyxl.load_workbook(io.BytesIO(file.getvalue()))
    assert book.sheetnames == ["grid", "clauses"]
    assert list(book["grid"].iter_rows(values_only=True))[1:] == [
        ("Termination", "1.1", "same: 30 days'"),
        ("Liability", "2.1", "differs: EUR 200,000"),
        ("Audit", "3.1", "not found"),
    ]


LAWS = """# Standard

## Governing law

This Agreement is governed by the laws of the State of New York.
"""
SOUTH = """# Owl Sponsorship Agreement

9. Any notices under this Agreement shall be in writing, and until further notice go to the office in the State of New York under
the laws of the post.

10. This Agreement shall be construed in accordance with and governed by the laws of Massachusetts.
"""
EAST = """# Owl Supply Agreement

9. Any notices under this Agreement shall be in writing and go to the office in the State of New York.
"""


def test_a_clause_is_what_says_the_same_kind_of_thing_before_what_has_its_words(tmp_path: Path) -> None:
    """Whose law an agreement is under stands in the clause that says so; where none does, a notice to the same place is none."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for name, text in (("laws.md", LAWS), ("south.md", SOUTH), ("east.md", EAST)):
        (folder / name).write_text(text)
    with open_knowledge(Settings(store=f"lmdb://{tmp_path}/store", cache=tmp_path / "cache", jobs=1)) as opened:
        opened.ingest(CORPUS, [folder])
        opened.build(CORPUS, BuildSettings())
        found = contract_grid(
            opened.view(CORPUS), "laws.md", opened.models.ranking(), documents=["south.md", "east.md"]
        )
    ((east, south),) = (row.cells for row in found.rows)
    assert east.status == "not found"
    assert south.found is not None
    assert "Massachusetts" in south.found.text
