"""Mapping collections: valid by NIST's own schema, and read back without loss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from coditect.cli.exit_codes import ExitCode
from coditect.errors import ReadError
from coditect.reports.registers.mapping.reading import read_mapping_collection
from coditect.reports.registers.mapping.writing import OSCAL_VERSION, mapping_collection
from coditect.schemas import Crosswalk
from coditect.schemas.crosswalk import MappingCheck
from tests.integration.crosswalk.house import run

SCHEMA = Path(__file__).parents[2] / "golden" / "oscal" / f"mapping_schema_{OSCAL_VERSION}.json"
AT = "2026-01-01T00:00:00Z"


def _schema() -> dict[str, Any]:
    """The schema, with the classes of letters and digits that Python's expressions do not know in a form that they do."""
    read: dict[str, Any] = json.loads(SCHEMA.read_text().replace(r"\\p{L}", "[A-Za-z]").replace(r"\\p{N}", "[0-9]"))
    return read


def _found(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert run("crosswalk", "--corpus-id", "policies", "--framework-corpus", "house", *words) == ExitCode.OK
    return capsys.readouterr().out


def _errors(document: object) -> list[str]:
    return [each.message for each in jsonschema.Draft7Validator(_schema()).iter_errors(document)]


def test_mapping_collection_is_valid_by_the_official_schema(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As the command writes it; and the schema is not one that takes everything."""
    document = json.loads(_found(capsys, "--format", "oscal"))
    assert _errors(document) == []
    del document["mapping-collection"]["mappings"][0]["maps"][0]["relationship"]
    assert _errors(document)


def test_mapping_collection_loses_nothing(corpora: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is read back is what was written, figures, places, gaps and orphans included."""
    found = Crosswalk.model_validate_json(_found(capsys, "--format", "json"))
    document = json.loads(json.dumps(mapping_collection(found, AT)))
    assert read_mapping_collection(document) == found


def test_mapping_collection_of_our_own_can_be_checked(
    corpora: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each line gets the verdict that the crosswalk has; of a gap all documents are asked."""
    found = Crosswalk.model_validate_json(_found(capsys, "--format", "json"))
    file = tmp_path / "ours.json"
    file.write_text(json.dumps(mapping_collection(found, AT)))
    checked = MappingCheck.model_validate_json(_found(capsys, "--check-mapping", str(file), "--format", "json"))
    assert "cannot be checked" not in checked.verdicts
    gaps = {row.part_id for row in found.rows if row.label == "no evidence"}
    told = {each.requirement: each.verdict for each in checked.claims if each.document == found.corpus_id}
    assert set(told.values()) == {"no evidence"}
    assert told.keys() == gaps
    evidence = {each.item_id for row in found.rows for each in row.evidence}
    assert {each.document for each in checked.claims} - {found.corpus_id} <= evidence


def test_mapping_collection_of_hard_texts_is_valid_and_loses_nothing(
    corpora: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines, edges of white space, ids that are no tokens, and what looks like our own mark for remarks."""
    found = Crosswalk.model_validate_json(_found(capsys, "--format", "json"))
    row = found.rows[0]
    hard = row.model_copy(
        update={
            "requirement_id": "CIS Safeguard 3.9 (a)",
            "part_id": "CIS Safeguard 3.9 (a)",
            "title": " two\nlines ",
            "family": "see-remarks",
            "open_parameters": ("x\ny", "z"),
            "evidence": tuple(
                each.model_copy(update={"heading": "\tedge", "composed": "a:\n* b", "probability": None})
                for each in row.evidence
            ),
        }
    )
    found = found.model_copy(update={"rows": (hard, *found.rows[1:])})
    document = json.loads(json.dumps(mapping_collection(found, AT)))
    assert _errors(document) == []
    assert read_mapping_collection(document) == found


def test_mapping_collection_of_others_is_not_read_as_ours(corpora: Path) -> None:
    """It has none of our properties; the message says what to do with it."""
    with pytest.raises(ReadError) as error:
        read_mapping_collection({"mapping-collection": {"mappings": [{"maps": []}]}}, "theirs.json")
    assert "--check-mapping" in str(error.value)
