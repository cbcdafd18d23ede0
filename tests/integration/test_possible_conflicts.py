"""Possible conflicts of a built corpus: what is listed, what is left out, its files, and its errors."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner

from coditect.cli.app import coditect as program
from coditect.compose import open_knowledge
from coditect.errors import NotFound, UsageError
from coditect.knowledge.service import Knowledge
from coditect.reports.registers.conflicts import CONFLICT_COLUMNS
from coditect.schemas import BuildSettings, ConflictRow
from coditect.settings import Settings
from tests.unit.tiers.corpora import rules_tell

CORPUS = "house"
TODAY = "2026-04-01"
SECURITY = """# Information Security Policy

Effective date: 1 March 2026

1.1 A lost or stolen device must be reported to the service desk within four hours.

1.2 Backups must be restored as a trial every six months.

1.3 Data must be retained for five years.
"""
LEAFLET = """# Onboarding Procedure

Effective date: 1 April 2025

If your phone, laptop or other device is lost or stolen, tell the service desk by the following Monday.

Staff may eat in the canteen.

Data must be retained for three years.
"""
TRIALS = """# Operations Procedure

Effective date: 1 June 2025

Restoring backups is tried once a year in December.

The canteen is open to all guests.
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a policy and two procedures of one house, which differ."""
    place = tmp_path_factory.mktemp("conflicts")
    folder = place / "documents"
    folder.mkdir()
    for name, text in (("security.md", SECURITY), ("onboarding.md", LEAFLET), ("operations.md", TRIALS)):
        (folder / name).write_text(text)
    with open_knowledge(_settings(place)) as opened:
        opened.ingest(CORPUS, [folder])
        opened.build(CORPUS, BuildSettings(today=TODAY))
    return place


def _settings(place: Path, embedder: str = "wordllama") -> Settings:
    return Settings(store=f"lmdb://{place}/store", cache=place / "cache", jobs=1, embedder=embedder)


@pytest.fixture
def knowledge(store: Path) -> Iterator[Knowledge]:
    """It, open."""
    with open_knowledge(_settings(store)) as opened:
        yield opened


def _names(row: ConflictRow) -> set[str]:
    return {row.first.document, row.second.document}


def test_what_was_written_in_other_words_is_listed_with_both_sentences(knowledge: Knowledge) -> None:
    """Verbatim, at their places; days on which documents begin are no conflict; what a claim tells already is left out."""
    rows = knowledge.conflicts(CORPUS, today=TODAY)
    told = [" / ".join(sorted((row.first.text[:40], row.second.text[:40]))) for row in rows]
    assert any("lost or stolen" in each and "If your phone" in each for each in told[:2]), told
    assert any("trial" in each and "tried once a year" in each for each in told), told
    assert not any("Effective date" in each for each in told)
    view = knowledge.view(CORPUS)
    assert [claim.claim_kind for claim in rules_tell(view)].count("conflict") == 1  # retained for five, three
    assert not any("retained" in each for each in told)
    for row in rows:
        assert row.first.document_id != row.second.document_id
        for side in (row.first, row.second):
            assert view.text(side.document_id)[side.char_start : side.char_end] == side.text
            assert knowledge.item(side.item_id)
    assert [row.nearness for row in rows] == sorted((row.nearness for row in rows), reverse=True)


def test_some_documents_or_a_few_pairs_are_asked_for(knowledge: Knowledge) -> None:
    """Each pair has one of the documents; fewer pairs are the first of more; the same again."""
    rows = knowledge.conflicts(CORPUS, today=TODAY)
    assert knowledge.conflicts(CORPUS, today=TODAY) == rows
    assert knowledge.conflicts(CORPUS, today=TODAY, limit=1) == rows[:1]
    some = knowledge.conflicts(CORPUS, today=TODAY, documents=("operations*",))
    assert some
    assert all("operations.md" in _names(row) for row in some)


def test_what_cannot_be_asked_is_said(knowledge: Knowledge, store: Path) -> None:
    """A document that is not there, a number out of range, no such day, and a store that has no embedder."""
    with pytest.raises(NotFound, match="nothing"):
        knowledge.conflicts(CORPUS, documents=("nothing.md",))
    with pytest.raises(UsageError, match="how many pairs"):
        knowledge.conflicts(CORPUS, limit=0)
    with pytest.raises(UsageError):
        knowledge.conflicts(CORPUS, today="2026-02-30")
    with open_knowledge(_settings(store, "none")) as bare, pytest.raises(UsageError, match="no embedder"):
        bare.conflicts(CORPUS)


def test_the_command_prints_them_and_writes_files(store: Path, tmp_path: Path) -> None:
    """Text, JSON, CSV, a workbook and lines: the same pairs in each."""
    with open_knowledge(_settings(store)) as opened:
        rows = opened.conflicts(CORPUS, today=TODAY)
    asked = ["knowledge", "conflicts", "--corpus-id", CORPUS, "--today", TODAY, "--store", f"lmdb://{store}/store"]
    asked += ["--cache", str(store / "cache")]

    def run(*more: str) -> str:
        done = CliRunner().invoke(program, [*asked, *more])
        assert done.exit_code == 0, done.output
        return done.stdout

    refused = CliRunner().invoke(program, [*asked, "--format", "text", "--output", str(tmp_path / "none")])
    assert refused.exit_code == 2
    assert not (tmp_path / "none").exists()
    assert run("--format", "json", "--output", str(tmp_path / "whole.json")) == ""
    assert (tmp_path / "whole.json").read_text("utf-8") == run("--format", "json")
    text = run()
    assert "four hours" in text
    assert "following Monday" in text
    assert text.startswith("Possible conflicts of corpus house: 1, not published")
    found = json.loads(run("--format", "json"))
    assert found["generation"] == 1
    assert [ConflictRow.model_validate(each) for each in found["conflicts"]] == rows
    table = list(csv.reader(io.StringIO(run("--format", "csv").removeprefix("\ufeff"))))
    assert tuple(table[0]) == CONFLICT_COLUMNS
    assert len(table) == len(rows) + 1
    run("--format", "xlsx", "--output", str(tmp_path / "pairs.xlsx"))
    sheet = openpyxl.load_workbook(tmp_path / "pairs.xlsx").active
    assert sheet is not None
    assert sheet.max_row == len(rows) + 1
    lines = run("--format", "jsonl").splitlines()
    assert [ConflictRow.model_validate_json(each) for each in lines] == rows
