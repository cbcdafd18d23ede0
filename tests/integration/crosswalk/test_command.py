"""Crosswalks of a small catalogue and small policies: verbatim on both sides, nothing left out, asked once."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest

from coditect.cli.app import coditect
from coditect.cli.exit_codes import ExitCode
from coditect.knowledge.report.crosswalk.evidence import Inquiry, PartEvidence
from coditect.reports.registers.crosswalk import CROSSWALK_COLUMNS, write_crosswalk
from coditect.reports.registers.mapping.writing import mapping_collection
from coditect.schemas import Crosswalk
from tests.integration.crosswalk.house import run, stored


def _crosswalk(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert run("crosswalk", "--corpus-id", "policies", "--framework-corpus", "house", *words) == ExitCode.OK
    return capsys.readouterr().out


def test_crosswalk_lays_each_part_beside_its_sentences(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The open frequency is filled, the absent part has no evidence, guidance is no requirement, and text is verbatim."""
    found = Crosswalk.model_validate_json(_crosswalk(capsys, "--format", "json"))
    assert [row.part_id for row in found.rows] == ["ac-1_smt.a", "ac-1_smt.b"]
    met, absent = found.rows
    assert met.label == "meets"
    assert "quarterly" in met.evidence[0].reason
    assert met.open_parameters == ("organization-defined frequency",)
    assert run("document", "--corpus-id", "policies", "--name", "access.md") == ExitCode.OK
    text = capsys.readouterr().out
    assert text[met.evidence[0].char_start : met.evidence[0].char_end] == met.evidence[0].text
    assert (absent.label, absent.evidence) == ("no evidence", ())
    assert found.orphans
    assert found.coverage[0].parts == 2
    assert {row.family for row in found.rows} == {"Access Control"}


def test_crosswalk_from_the_cache_is_the_same(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is kept is found again, and what is damaged is asked again."""
    first = _crosswalk(capsys, "--format", "json")
    kept = list((corpora / "cache" / "crosswalk").rglob("*.json"))
    assert kept
    assert _crosswalk(capsys, "--format", "json") == first
    for path in kept:
        path.write_bytes(b'[["ac-1_smt.a", {"label": "meets"')
    assert _crosswalk(capsys, "--format", "json") == first


def test_crosswalk_as_tables_and_for_people(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The tables hold a row for the gap, too, and no cell is a formula."""
    found = Crosswalk.model_validate_json(_crosswalk(capsys, "--format", "json"))
    forged = found.rows[0].model_copy(update={"title": '=HYPERLINK("http://x")'})
    found = found.model_copy(update={"rows": (forged, *found.rows[1:])})
    table, book = io.BytesIO(), io.BytesIO()
    count = write_crosswalk(found, table, "csv")
    assert write_crosswalk(found, book, "xlsx") == count
    rows = list(csv.reader(io.StringIO(table.getvalue().decode("utf-8-sig"))))
    assert tuple(rows[0]) == CROSSWALK_COLUMNS
    assert len(rows) == count + 1
    assert rows[1][CROSSWALK_COLUMNS.index("requirement_title")].startswith("'=")
    sheet = openpyxl.load_workbook(io.BytesIO(book.getvalue())).active
    assert sheet is not None
    assert sheet.freeze_panes == "A2"
    assert all(cell.data_type != "f" for row in sheet.iter_rows() for cell in row)
    assert "no evidence" in _crosswalk(capsys, "--gaps")


def test_crosswalk_as_mapping_collection_names_gaps(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every sentence is a map with both texts; a requirement that nothing speaks to is in the gap summary."""
    found = Crosswalk.model_validate_json(_crosswalk(capsys, "--format", "json"))
    collection = mapping_collection(found, "2026-01-01T00:00:00Z")["mapping-collection"]
    maps = collection["mappings"][0]["maps"]
    expected = [r.part_id for r in found.rows for _ in r.evidence or (None,)]
    assert [each["targets"][0]["id-ref"] for each in maps] == expected
    absent = [each for each in maps if each["relationship"] == "no-relationship"]
    assert [each["targets"][0]["id-ref"] for each in absent] == ["ac-1_smt.b"]
    assert "target-gap-summary" not in collection["mappings"][0]
    bare = found.model_copy(update={"rows": tuple(r.model_copy(update={"evidence": ()}) for r in found.rows)})
    mapping = mapping_collection(bare, "2026-01-01T00:00:00Z")["mapping-collection"]["mappings"][0]
    assert mapping["target-gap-summary"]["unmapped-controls"] == [{"with-ids": ["ac-1"]}]
    assert len(mapping["maps"]) == len(bare.rows)  # OSCAL forbids a mapping without maps


def test_mapping_collection_of_a_regulation_has_ids_that_oscal_takes(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A printed number that is no token of OSCAL becomes one, of its own, and is kept beside it."""
    found = Crosswalk.model_validate_json(_crosswalk(capsys, "--format", "json"))
    printed = ["1002.9(a)", "1002.9 a"]
    rows = [
        row.model_copy(update={"evidence": (), "label": "no evidence", "requirement_id": name})
        for row, name in zip(found.rows, printed, strict=True)
    ]
    collection = mapping_collection(found.model_copy(update={"rows": tuple(rows)}), "2026-01-01T00:00:00Z")
    mapping = collection["mapping-collection"]["mappings"][0]
    ids = mapping["target-gap-summary"]["unmapped-controls"][0]["with-ids"]
    assert len(set(ids)) == 2
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]*", each) for each in ids)
    assert {each["class"]: each["value"] for each in mapping["props"] if "class" in each} == dict(
        zip(ids, sorted(printed), strict=True)
    )


def test_crosswalk_needs_a_framework(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a framework, or with one that leaves nothing to compare, the error says what to name."""
    assert coditect.main(["knowledge", "crosswalk", "--corpus-id", "policies"], standalone_mode=False) == ExitCode.USAGE
    words = ["knowledge", "crosswalk", "--corpus-id", "policies", "--framework", "*"]
    assert coditect.main(words, standalone_mode=False) == ExitCode.USAGE
    assert "--framework-corpus" in capsys.readouterr().err


def test_only_what_changed_is_asked_again(
    corpora: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rebuild asks nothing again; a changed policy asks its own statements alone, and others' rows stay."""
    stored(corpora, "policies", "gate.md", "# Gate\n\nGuests must be announced at the gate.\n")
    asked: list[str] = []
    own = Inquiry._asked

    def noted(self: Inquiry, document_id: str) -> Iterator[PartEvidence]:
        asked.append(self._view.documents[document_id].name)
        return own(self, document_id)

    monkeypatch.setattr(Inquiry, "_asked", noted)
    first = Crosswalk.model_validate_json(_crosswalk(capsys, "--format", "json"))
    assert asked == ["access.md", "gate.md"]
    asked.clear()
    assert run("build", "--corpus-id", "policies") == ExitCode.OK
    assert Crosswalk.model_validate_json(_crosswalk(capsys, "--format", "json")).rows == first.rows
    assert asked == []
    stored(corpora, "policies", "gate.md", "# Gate\n\nGuests must be announced and escorted at the gate.\n")
    again = Crosswalk.model_validate_json(_crosswalk(capsys, "--format", "json"))
    assert asked == ["gate.md"]
    assert again.rows[0].evidence == first.rows[0].evidence


def test_a_review_of_a_sentence_survives_rebuilds(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who accepted a sentence is named with it, also after a build and though the answer came from the cache."""
    item = Crosswalk.model_validate_json(_crosswalk(capsys, "--format", "json")).rows[0].evidence[0].item_id
    words = ["review", "--corpus-id", "policies", "--item", item, "--decision", "accept"]
    assert run(*words, "--by", "A. Auditor", "--reason", "read it") == ExitCode.OK
    assert run("build", "--corpus-id", "policies") == ExitCode.OK
    found = Crosswalk.model_validate_json(_crosswalk(capsys, "--format", "json"))
    assert found.rows[0].evidence[0].reviewed_by == "A. Auditor"


def test_orphans_are_binding_statements_that_answer_nothing(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reverse view: what answers a part is none, what only stands there is."""
    found = Crosswalk.model_validate_json(_crosswalk(capsys, "--format", "json"))
    assert found.rows[0].evidence[0].item_id not in found.orphans
    assert len(found.orphans) == 1
