"""``list``, ``obligations``, ``definitions`` and ``deadlines``, from end to end."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a corpus that was taken in and built; nothing here changes it."""
    folder = tmp_path_factory.mktemp("registers")
    folder_of(folder / "documents", DOCUMENTS)
    for words in (("ingest", "--corpus-id", CORPUS, str(folder / "documents")), ("build", "--corpus-id", CORPUS)):
        assert invoke(folder / "store", *words).exit_code == 0
    return folder / "store"


def test_obligations_are_shown_with_place_and_words(place: Path) -> None:
    """For people with who, when and the quote; for programs with all fields; both the same rows."""
    shown = invoke(place, "obligations", "--corpus-id", CORPUS)
    found = json.loads(invoke(place, "obligations", "--corpus-id", CORPUS, "--format", "json").stdout)
    assert shown.exit_code == 0
    assert found["rows"]
    assert {row["kind"] for row in found["rows"]} <= {"obligation", "prohibition"}
    for row in found["rows"]:
        assert row["text"].splitlines()[0] in shown.stdout
        assert row["item_id"] in shown.stdout
    assert f"{len(found['rows'])} rows" in shown.stdout


@pytest.mark.parametrize("form", ["csv", "jsonl", "xlsx"])
def test_table_is_the_same_in_a_file_and_in_a_pipe(place: Path, tmp_path: Path, form: str) -> None:
    """Written whole, and told how many rows; workbooks differ by the minute in which they were made."""
    words = ("list", "--corpus-id", CORPUS, "--kind", "obligation", "--format", form)
    piped = invoke(place, *words)
    written = invoke(place, *words, "--output", str(tmp_path / "register"))
    assert (piped.exit_code, written.exit_code) == (0, 0)
    assert "rows written to" in written.stderr
    content = (tmp_path / "register").read_bytes()
    assert content[:2] == b"PK" if form == "xlsx" else content == piped.stdout_bytes
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
        assert {row["kind"] for row in rows} == {"obligation"}


def test_deadlines_as_a_calendar_and_within_a_time(place: Path) -> None:
    """An iCalendar from the library, and a list by hours."""
    calendar = invoke(place, "deadlines", "--corpus-id", CORPUS, "--format", "ical", "--today", "2026-01-01")
    assert calendar.exit_code == 0
    assert calendar.stdout.startswith("BEGIN:VCALENDAR")
    soon = json.loads(
        invoke(place, "deadlines", "--corpus-id", CORPUS, "--due-within", "3 days", "--format", "json").stdout
    )
    assert all(row["deadline_hours"] <= 72 for row in soon["rows"])


def test_wrong_use_ends_with_two_and_the_way_out(place: Path, tmp_path: Path) -> None:
    """A length of time that is none, a document that is not there, a file for a format that has none."""
    for words, hint in (
        (("deadlines", "--due-within", "soon"), "72 hours"),
        (("list", "--document", "nothing.md"), "Documents of this corpus"),
        (("list", "--output", str(tmp_path / "x")), "--format csv"),
        (("list", "--format", "csv", "--output", str(tmp_path)), "Name a file"),
    ):
        result = invoke(place, words[0], "--corpus-id", CORPUS, *words[1:])
        assert result.exit_code == 2, words
        assert hint in result.stderr
        assert "Traceback" not in result.stderr


def test_definitions_of_several_meanings_alone(place: Path) -> None:
    """The option leaves terms out that are defined once."""
    found = json.loads(invoke(place, "definitions", "--corpus-id", CORPUS, "--format", "json").stdout)["rows"]
    several = json.loads(invoke(place, "definitions", "--corpus-id", CORPUS, "--several", "--format", "json").stdout)[
        "rows"
    ]
    assert {row["item_id"] for row in several} <= {row["item_id"] for row in found}
    terms = [row["term"].casefold() for row in several]
    assert all(terms.count(term) > 1 for term in terms)
