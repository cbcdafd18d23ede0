"""Published mappings as claims: each gets a verdict with the words of both sides."""

from __future__ import annotations

import io
import json
from pathlib import Path

import openpyxl
import pytest

from coditect.cli.exit_codes import ExitCode
from coditect.schemas import MappingCheck
from tests.integration.crosswalk.house import run


def _checked(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> MappingCheck:
    capsys.readouterr()
    told = ["crosswalk", "--corpus-id", "policies", "--framework-corpus", "house", "--check-mapping", str(path)]
    assert run(*told, "--format", "json", *words) == ExitCode.OK
    return MappingCheck.model_validate_json(capsys.readouterr().out)


def _refused(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> str:
    capsys.readouterr()
    told = ["crosswalk", "--corpus-id", "policies", "--framework-corpus", "house", "--check-mapping", str(path), *words]
    assert run(*told) != ExitCode.OK
    return capsys.readouterr().err


def _procedures(*standards: tuple[str, list[str]]) -> str:
    said = [{"standard": name, "requirements": ids} for name, ids in standards]
    return json.dumps({"procedures": [{"id": "access", "implements": said}, {"id": "gone", "implements": said[:1]}]})


def test_claims_of_procedures_are_checked(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What holds is supported with verbatim words of both sides; what is not here is said to be not here."""
    path = corpora / "mapping.json"
    path.write_text(_procedures(("House", ["AC-1", "AC-9"])))
    found = _checked(capsys, path)
    verdicts = {(each.document, each.requirement): each.verdict for each in found.claims}
    assert verdicts == {
        ("access", "AC-1"): "supported",
        ("access", "AC-9"): "cannot be checked",
        ("gone", "AC-1"): "cannot be checked",
        ("gone", "AC-9"): "cannot be checked",
    }
    held = found.claims[0]
    assert held.evidence is not None
    assert held.evidence.text == "User access rights must be reviewed quarterly."
    assert "Reviews user access rights" in held.part_text
    assert (held.parts, held.parts_spoken_to, held.rank) == (2, 1, 1)
    assert found.verdicts == {"cannot be checked": 3, "supported": 1}


def test_claims_of_a_mapping_collection_are_checked_whichever_side_is_ours(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The requirement may be source or target; ids of parts count for their requirement."""
    ends = [("access.md", "ac-1"), ("AC-1", "access"), ("access", "ac-1_smt.b")]
    maps = [
        {
            "relationship": "equal-to",
            "sources": [{"type": "control", "id-ref": a}],
            "targets": [{"type": "control", "id-ref": b}],
        }
        for a, b in ends
    ]
    path = corpora / "mapping.json"
    path.write_text(json.dumps({"mapping-collection": {"mappings": [{"maps": maps}]}}))
    found = _checked(capsys, path)
    assert [each.verdict for each in found.claims] == ["supported"] * 3
    assert {each.relationship for each in found.claims} == {"equal-to"}
    assert {each.found_document for each in found.claims} == {"access.md"}


def test_our_own_mapping_collection_comes_in_as_claims(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its sentences are found again by their ids."""
    capsys.readouterr()
    run("crosswalk", "--corpus-id", "policies", "--framework-corpus", "house", "--format", "oscal")
    path = corpora / "mapping.json"
    path.write_text(capsys.readouterr().out)
    found = _checked(capsys, path)
    assert [each.verdict for each in found.claims] == ["supported", "no evidence"]  # the second map is of the gap


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_claims_of_a_table_are_checked(corpora: Path, capsys: pytest.CaptureFixture[str], ending: str) -> None:
    """Several ids in a cell are several claims; a document that is merged over rows counts for each."""
    rows = [("Policy", "Control"), ("access", "AC-1; AC-9"), ("" if ending == "xlsx" else "access", "ac-1")]
    path = corpora / f"mapping.{ending}"
    if ending == "csv":
        path.write_text("\n".join(",".join(row) for row in rows))
    else:
        book = openpyxl.Workbook()
        sheet = book.active
        assert sheet is not None
        for row in rows:
            sheet.append(row)
        sheet.merge_cells("A2:A3")
        file = io.BytesIO()
        book.save(file)
        path.write_bytes(file.getvalue())
    found = _checked(capsys, path, "--mapping-columns", "document=Policy,requirement=Control")
    assert [each.verdict for each in found.claims] == ["supported", "cannot be checked", "supported"]


def test_verdicts_are_tables_and_text_too(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same claims in all forms; cells are no formulas."""
    path = corpora / "mapping.json"
    path.write_text(_procedures(("House", ["AC-1", "=1+1"])))
    told = ["crosswalk", "--corpus-id", "policies", "--framework-corpus", "house", "--check-mapping", str(path)]
    for form in ("csv", "xlsx", "jsonl"):
        output = corpora / f"claims.{form}"
        assert run(*told, "--format", form, "--output", str(output)) == ExitCode.OK
        assert output.stat().st_size
    assert "'=1+1" in (corpora / "claims.csv").read_text(encoding="utf-8-sig")
    assert len((corpora / "claims.jsonl").read_text().splitlines()) == 4
    capsys.readouterr()
    assert run(*told) == ExitCode.OK
    shown = capsys.readouterr().out
    assert "supported" in shown
    assert "User access rights must be reviewed quarterly." in shown


def test_a_mapping_of_several_standards_needs_one(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message lists them; with one named, only its claims are checked."""
    path = corpora / "mapping.json"
    path.write_text(_procedures(("House", ["AC-1"]), ("Other", ["X-1"])))
    assert "House; Other" in _refused(capsys, path)
    assert "House; Other" in _refused(capsys, path, "--standard", "Third")
    assert {each.requirement for each in _checked(capsys, path, "--standard", "House").claims} == {"AC-1"}


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("broken.json", "{", "no JSON"),
        ("list.json", "[]", "not a mapping"),
        ("other.json", "{}", "not a mapping"),
        ("malformed.json", '{"mapping-collection": {"mappings": [{"maps": [{"sources": 1}]}]}}', "malformed"),
        ("empty.json", '{"procedures": []}', "no claim"),
        ("table.csv", "a,b\n1,2\n", "columns"),
        ("broken.xlsx", "PK", "save it again"),
    ],
)
def test_what_is_no_mapping_is_refused(
    corpora: Path, capsys: pytest.CaptureFixture[str], name: str, content: str, told: str
) -> None:
    """Each with what is wrong and the way out."""
    path = corpora / name
    path.write_text(content)
    columns = ["--mapping-columns", "document=a,requirement=b"] if name.endswith("xlsx") else []
    assert told in _refused(capsys, path, *columns)
