"""``coditect knowledge references``, from end to end."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest

from tests.command_line import invoke

POLICY = """Conduct Policy

1 Law

1.1 The firm shall meet section 58 of the Financial Services and Markets Regulations 2015.

1.2 Staff must not breach section 58 of the Financial Services and Markets Regulations 2015.
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a policy that cites a law which is not there; nothing here changes it."""
    folder = tmp_path_factory.mktemp("references")
    (folder / "documents").mkdir()
    (folder / "documents" / "conduct.txt").write_text(POLICY)
    for words in (("ingest", "--corpus-id", "c", str(folder / "documents")), ("build", "--corpus-id", "c")):
        assert invoke(folder / "store", *words).exit_code == 0
    return folder / "store"


@pytest.mark.parametrize("form", ["csv", "xlsx", "jsonl"])
def test_absent_documents_as_tables(place: Path, tmp_path: Path, form: str) -> None:
    """A row for each law, with its places and an example; JSON Lines are the targets of the JSON."""
    told = json.loads(invoke(place, "references", "--corpus-id", "c", "--format", "json").stdout)["absent"]
    (law,) = told
    file = tmp_path / f"references.{form}"
    ran = invoke(place, "references", "--corpus-id", "c", "--format", form, "--output", str(file))
    assert ran.exit_code == 0, ran.stderr
    if form == "jsonl":
        assert [json.loads(line) for line in file.read_text().splitlines()] == told
        return
    if form == "csv":
        (row,) = csv.DictReader(io.StringIO(file.read_bytes().decode("utf-8-sig"), newline=""))
    else:
        head, cells = openpyxl.load_workbook(file)["references"].iter_rows(values_only=True)
        row = {str(name).replace(" ", "_"): str(cell) for name, cell in zip(head, cells, strict=True)}
    assert (row["name"], row["references"], row["documents"]) == (law["name"], "2", "conduct.txt")
    assert "58 (2)" in row["places"]
    assert POLICY[int(row["example_char_start"]) :].startswith(row["example_text"])


def test_a_file_is_for_tables(place: Path, tmp_path: Path) -> None:
    """Text and JSON go to the standard output; the error says what to add."""
    refused = invoke(place, "references", "--corpus-id", "c", "--output", str(tmp_path / "x"))
    assert refused.exit_code == 2
    assert "--format csv, xlsx or jsonl" in refused.stderr
