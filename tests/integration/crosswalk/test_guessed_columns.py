"""A framework that is a table is read by its columns everywhere, whether somebody names them or not."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from coditect.cli.exit_codes import ExitCode
from tests.integration.crosswalk.house import run, stored

TABLE = (
    "Control ID,Title,Requirement text,Domain\n"
    "A-1,Reviews,User access rights shall be reviewed quarterly.,Access\n"
    "A-2,Candles,Lavender candles shall be lit on every third Tuesday.,House\n"
)
GUESSED = "id=Control ID,title=Title,statement=Requirement text,family=Domain"


def _crosswalk(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    capsys.readouterr()
    told = ("crosswalk", "--corpus-id", "policies", "--framework-corpus", "table", "--format", "json", *options)
    assert run(*told) == ExitCode.OK
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_guessed_columns_give_the_rows_of_named_ones(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And what was guessed is told, in the record, in the text, and beside a table."""
    stored(corpora, "table", "controls.csv", TABLE)
    guessed, named = _crosswalk(capsys), _crosswalk(capsys, "--columns", GUESSED)
    assert guessed["rows"] == named["rows"]
    assert guessed["columns"] == [{"document": "controls.csv", "columns": GUESSED, "guessed": True, "left_out": []}]
    assert named["columns"] == [{"document": "controls.csv", "columns": GUESSED, "guessed": False, "left_out": []}]
    told = ("crosswalk", "--corpus-id", "policies", "--framework-corpus", "table")
    assert run(*told) == ExitCode.OK
    assert GUESSED in " ".join(capsys.readouterr().out.split())
    assert run(*told, "--format", "csv") == ExitCode.OK
    assert f"guessed from the heads; name others with --columns: {GUESSED}" in capsys.readouterr().err


def test_columns_that_cannot_be_told_are_refused(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the heads that are there and the option that names them; no row is called unmet instead."""
    stored(corpora, "table", "controls.csv", TABLE.replace("Requirement text", "Wortlaut"))
    capsys.readouterr()
    for command in ("crosswalk", "decide"):
        assert run(command, "--corpus-id", "policies", "--framework-corpus", "table") != ExitCode.OK
        shown = capsys.readouterr().err
        assert "controls.csv" in shown
        assert "Wortlaut" in shown
        assert "--columns id=HEAD,statement=HEAD" in " ".join(shown.split())
    found = _crosswalk(capsys, "--columns", "id=Control ID,statement=Wortlaut")
    assert len(found["rows"]) == 2


def test_reports_and_decisions_take_the_same_columns(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A report's findings are the crosswalk's rows; a decision finds a row that only named columns give."""
    stored(corpora, "table", "controls.csv", TABLE.replace("Requirement text", "Wortlaut"))
    columns = ("--columns", "id=Control ID,statement=Wortlaut,title=Title")
    output = corpora / "results.json"
    told = ("--corpus-id", "policies", "--framework-corpus", "table", *columns)
    assert run("report", *told, "--output", str(output), "--format", "oscal") == ExitCode.OK
    (result,) = json.loads(output.read_text())["assessment-results"]["results"]
    assert [each["target"]["status"]["state"] for each in result["findings"]] == ["satisfied", "not-satisfied"]
    assert "columns of controls.csv, as named" in result["description"].lower()
    decided = ("--part", "A-1", "--decision", "accept", "--by", "A. Auditor", "--reason", "read both")
    assert run("decide", *told, *decided) == ExitCode.OK
    first = _crosswalk(capsys, *columns)["rows"][0]
    assert first["decided"]["by"] == "A. Auditor"
    assert (
        run("report", "--corpus-id", "policies", *columns, "--output", str(output), "--format", "oscal") != ExitCode.OK
    )


def test_sheets_that_are_left_out_are_told(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whether columns are named or guessed: a sheet of which nothing was read is no sheet whose rules are all there."""
    book = openpyxl.Workbook()
    first = book.active
    assert first is not None
    for line in TABLE.splitlines():
        first.append(line.split(","))
    second = book.create_sheet("More")
    for row in (("Kennung", "Wortlaut"), ("A-3", "Guests shall be announced at the gate.")):
        second.append(row)
    content = io.BytesIO()
    book.save(content)
    stored(corpora, "table", "controls.xlsx", content.getvalue())
    for options in ((), ("--columns", GUESSED)):
        found = _crosswalk(capsys, *options)
        assert [row["requirement_id"] for row in found["rows"]] == ["A-1", "A-2"]
        assert [each["left_out"] for each in found["columns"]] == [["Kennung | Wortlaut"]]
        told = ("crosswalk", "--corpus-id", "policies", "--framework-corpus", "table", *options)
        assert run(*told) == ExitCode.OK
        assert "Left out, since they have no such columns: the sheets that begin “Kennung | Wortlaut”." in " ".join(
            capsys.readouterr().out.split()
        )


def test_a_table_that_is_no_framework_is_left_out_and_told(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Beside one that is, whether columns are named or guessed; alone it is refused."""
    stored(corpora, "table", "controls.csv", TABLE)
    stored(corpora, "table", "a-people.csv", "Name,Room\nAda,12\nBob,13\n")
    for options in ((), ("--columns", GUESSED)):
        found = _crosswalk(capsys, *options)
        assert [row["requirement_id"] for row in found["rows"]] == ["A-1", "A-2"]
        assert [(each["document"], each["columns"]) for each in found["columns"]] == [
            ("a-people.csv", ""),
            ("controls.csv", GUESSED),
        ]
        told = ("crosswalk", "--corpus-id", "policies", "--framework-corpus", "table", "--format", "csv", *options)
        assert run(*told) == ExitCode.OK
        assert "a-people.csv was left out" in " ".join(capsys.readouterr().err.split())
    alone = ("crosswalk", "--corpus-id", "policies", "--framework-corpus", "table", "--framework", "a-people.csv")
    assert run(*alone) != ExitCode.OK
    assert "cannot be told from their heads" in " ".join(capsys.readouterr().err.split())


def test_a_table_that_is_no_framework_is_compared(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the framework of its own corpus, as any other document is."""
    stored(corpora, "table", "controls.csv", TABLE)
    compared = ("crosswalk", "--corpus-id", "table", "--framework-corpus", "table", "--format", "json")
    assert run(*compared) != ExitCode.OK
    assert "no documents are left to compare" in " ".join(capsys.readouterr().err.split())
    stored(corpora, "table", "a-people.csv", "Name,Room\nAda,12\nBob,13\n")
    assert run(*compared) == ExitCode.OK
