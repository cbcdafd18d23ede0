"""``coditect knowledge changes``, from end to end."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest

from coditect.reports.registers.changes import AFFECTED_COLUMNS
from coditect.schemas import CorpusChanges, DutyHistory
from coditect.schemas.change import DocumentChanges
from tests.command_line import invoke

OLD = "# Access Policy\n\n## 1 Reviews\n\n1.1 The owner shall review access rights every year.\n\n1.2 Guests must sign in.\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with two generations of one policy; nothing here changes it."""
    folder = tmp_path_factory.mktemp("changes")
    documents = folder / "documents"
    documents.mkdir()
    for text in (OLD, OLD.replace("every year", "every quarter").replace("1.2 Guests must sign in.\n", "")):
        (documents / "access.md").write_text(text)
        for words in (("ingest", "--corpus-id", "c", str(documents)), ("build", "--corpus-id", "c")):
            assert invoke(folder / "store", *words).exit_code == 0
    return folder / "store"


def test_changes_are_shown_and_given_as_json(place: Path) -> None:
    """The same changes for people and for programs."""
    shown = invoke(place, "changes", "--corpus-id", "c")
    found = CorpusChanges.model_validate_json(invoke(place, "changes", "--corpus-id", "c", "--format", "json").stdout)
    assert shown.exit_code == 0
    kinds = [each.kind for document in found.documents for each in document.changes]
    assert sorted(kinds) == ["amended", "removed"]
    assert "frequency: every year -> every quarter" in shown.stdout
    assert "Guests must sign in." in shown.stdout


def test_changes_restricted_to_duties_and_to_the_work_list(place: Path) -> None:
    """--duties leaves out what changed none; --affected leaves out the documents."""
    duties = json.loads(invoke(place, "changes", "--corpus-id", "c", "--duties", "--format", "json").stdout)
    assert {each["duty"] for document in duties["documents"] for each in document["changes"]} == {"changed"}
    work = json.loads(invoke(place, "changes", "--corpus-id", "c", "--affected", "--format", "json").stdout)
    assert work["documents"] == []


def test_changes_of_states_that_are_not_there_end_with_the_way_out(place: Path) -> None:
    """Nothing before the first generation; two ways at once."""
    first = invoke(place, "changes", "--corpus-id", "c", "--to", "1")
    assert first.exit_code != 0
    assert "no earlier generation" in first.stderr
    both = invoke(place, "changes", "--corpus-id", "c", "--between", "a.md", "b.md", "--from", "1")
    assert both.exit_code != 0
    assert "--between" in both.stderr


@pytest.mark.parametrize("form", ["csv", "jsonl", "xlsx"])
def test_changes_and_the_work_list_as_tables(place: Path, tmp_path: Path, form: str) -> None:
    """A provision a row, with the words of both sides and the fields that differ; a workbook has the work list, too."""
    told = CorpusChanges.model_validate_json(invoke(place, "changes", "--corpus-id", "c", "--format", "json").stdout)
    file = tmp_path / f"changes.{form}"
    ran = invoke(place, "changes", "--corpus-id", "c", "--format", form, "--output", str(file))
    assert ran.exit_code == 0, ran.stderr
    assert "written to" in ran.stderr
    if form == "jsonl":
        assert tuple(map(DocumentChanges.model_validate_json, file.read_text().splitlines())) == told.documents
        return
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(file.read_bytes().decode("utf-8-sig"), newline="")))
    else:
        book = openpyxl.load_workbook(file)
        assert book.sheetnames == ["changes", "work list"]
        head, *cells = book["changes"].iter_rows(values_only=True)
        rows = [dict(zip((str(each).replace(" ", "_") for each in head), row, strict=True)) for row in cells]
        assert book["work list"].max_row == 1 + len(told.affected)
    amended = next(row for row in rows if row["kind"] == "amended")
    assert amended["duty_fields"] == "frequency: every year -> every quarter"
    assert "every quarter" in amended["text_after"]
    removed = next(row for row in rows if row["kind"] == "removed")
    assert removed["text_before"].endswith("Guests must sign in.")
    assert not removed["text_after"]


def test_work_list_as_a_table_and_a_file_without_a_format(place: Path, tmp_path: Path) -> None:
    """--affected writes the work list alone; a file is for tables."""
    listed = invoke(place, "changes", "--corpus-id", "c", "--affected", "--format", "csv")
    head = listed.stdout.removeprefix("\ufeff").splitlines()[0]
    assert head == ",".join(AFFECTED_COLUMNS)
    refused = invoke(place, "changes", "--corpus-id", "c", "--output", str(tmp_path / "x"))
    assert refused.exit_code == 2
    assert "--format csv, xlsx or jsonl" in refused.stderr
    assert not (tmp_path / "x").exists()


def test_duties_over_time_are_told_in_every_format(place: Path, tmp_path: Path) -> None:
    """A line a state, one JSON document, a table, and a page that a browser shows without anything else."""
    asked = ("changes", "--corpus-id", "c", "--over-time")
    shown = invoke(place, *asked)
    assert shown.exit_code == 0
    assert "generation 2  ######################################## 1 stricter, 1 removed" in shown.stdout
    assert "access.md: changed; 1 stricter, 1 removed" in shown.stdout
    found = DutyHistory.model_validate_json(invoke(place, *asked, "--format", "json").stdout)
    assert [each.duties for each in found.points] == [{"stricter": 1, "removed": 1}]
    rows = list(csv.DictReader(io.StringIO(invoke(place, *asked, "--format", "csv").stdout)))
    assert [(each["document"], each["stricter"], each["removed"]) for each in rows] == [("access.md", "1", "1")]
    page = tmp_path / "history.html"
    assert invoke(place, *asked, "--format", "html", "--output", str(page)).exit_code == 0
    assert page.read_text() == invoke(place, *asked, "--format", "html").stdout
    assert '<figure class="over-time"' in page.read_text()
    assert "No duty changed in this time." in invoke(place, *asked, "--to", "1").stdout


@pytest.mark.parametrize(
    "words",
    [
        ("--over-time", "--between", "a", "b"),
        ("--over-time", "--affected"),
        ("--over-time", "--duties"),
        ("--edition", "a*"),
        ("--format", "html"),
    ],
)
def test_duties_over_time_go_with_nothing_else(place: Path, words: tuple[str, ...]) -> None:
    """And what is only theirs is refused without them."""
    refused = invoke(place, "changes", "--corpus-id", "c", *words)
    assert refused.exit_code == 2
    assert "over-time" in refused.stderr
