"""``verify PATH...``: folders of texts, as annotations, as test results, and as exit codes."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import junitparser
import pytest
import sarif_pydantic  # type: ignore[import-untyped]

from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of

TRUE = "Employees must report an incident to the security team within 4 hours."
FALSE = "Employees must report an incident to the security team within 9 hours."


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on disk with the small corpus; nothing here changes it."""
    place = tmp_path_factory.mktemp("gateway")
    folder_of(place / "documents", DOCUMENTS)
    for words in (("ingest", "--corpus-id", CORPUS, str(place / "documents")), ("build", "--corpus-id", CORPUS)):
        assert invoke(place / "store", *words).exit_code == 0
    return place / "store"


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of texts below the place where the command runs: a true one, a false one, and one that cannot be read."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "some answers"
    (folder / "deep").mkdir(parents=True)
    (folder / "true.md").write_text(f"# Answer\n\n{TRUE}\n", encoding="utf-8")
    (folder / "deep" / "false.md").write_text(f"# Answer\n\n## Note\n\n{TRUE} {FALSE}\n", encoding="utf-8")
    return folder


def _verify(store: Path, *words: str) -> tuple[int, str, str]:
    result = invoke(store, "verify", "--corpus-id", CORPUS, *words)
    assert "Traceback" not in result.stderr
    return result.exit_code, result.stdout, result.stderr


def test_exit_code_says_what_was_found_and_what_was_left_out(store: Path, texts: Path) -> None:
    """0 where all is supported, 1 where a sentence fails, 3 where only a file could not be read; a bad file costs itself alone."""
    assert _verify(store, "some answers/true.md")[0] == 0
    assert _verify(store, "some answers")[0] == 1
    (texts / "deep" / "false.md").unlink()
    (texts / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    code, shown, _ = _verify(store, "some answers")
    assert code == 3
    assert "some answers/broken.pdf  could not be read" in shown
    assert "some answers/true.md  1 supported" in shown


def test_sarif_points_at_the_line_and_the_statement(store: Path, texts: Path) -> None:
    """One result, at the false sentence alone; the log is read by a second program."""
    (texts / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    code, shown, _ = _verify(store, "some answers", "--format", "sarif")
    assert code == 1
    log = json.loads(shown)
    assert len(sarif_pydantic.Sarif.model_validate(log).runs) == 1  # a second program reads it
    (run,) = log["runs"]
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "some%20answers/deep/false.md"
    assert (place["region"]["startLine"], place["region"]["startColumn"]) == (5, len(TRUE) + 2)
    assert (result["ruleId"], result["level"]) == ("unsupported", "error")
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "unsupported"
    assert "“9 hours”" in result["message"]["text"]
    assert result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "incident.md"
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert "broken.pdf" in notification["message"]["text"]
    assert run["invocations"][0]["executionSuccessful"] is False
    (texts / "deep" / "false.md").write_text(f"# Answer\n\nMore.\n\nLines.\n\n{FALSE}\n", encoding="utf-8")
    again = json.loads(_verify(store, "some answers", "--format", "sarif")[1])["runs"][0]["results"]
    assert result["partialFingerprints"] in [each["partialFingerprints"] for each in again]


def test_junit_has_a_case_for_each_sentence(store: Path, texts: Path, tmp_path: Path) -> None:
    """Failures with their reason, errors of files that could not be read, and the sums."""
    (texts / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    code, shown, _ = _verify(store, "some answers", "--format", "junit", "--output", str(tmp_path / "results.xml"))
    assert code == 1
    assert shown.strip() == str(tmp_path / "results.xml")
    root = ET.parse(tmp_path / "results.xml").getroot()
    assert {suite.get("name") for suite in root} == {
        "some answers/broken.pdf",
        "some answers/deep/false.md",
        "some answers/true.md",
    }
    failures = root.findall(".//failure")
    assert [each.get("type") for each in failures] == ["unsupported"]
    assert FALSE in str(failures[0].text)
    assert (root.get("errors"), root.get("failures")) == ("1", "1")
    read = junitparser.JUnitXml.fromfile(str(tmp_path / "results.xml"))  # a second program reads it
    assert sum(suite.failures for suite in read) == 1
    assert int(str(root.get("tests"))) == len(root.findall(".//testcase"))


def test_json_has_every_report_and_every_error(store: Path, texts: Path) -> None:
    """For programs: all files by name, read or not."""
    (texts / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    found = json.loads(_verify(store, "some answers", "--format", "json")[1])
    assert found["format"] == "text-reports/1"
    told = {each["file"]: (each["report"] or {}).get("label") for each in found["files"]}
    assert told == {
        "some answers/broken.pdf": None,
        "some answers/deep/false.md": "unsupported",
        "some answers/true.md": "supported",
    }


def test_mildest_failing_verdict_can_be_chosen(store: Path, texts: Path) -> None:
    """What only needs review may pass; what is unsupported never does."""
    (texts / "true.md").write_text("The cafeteria on the ground floor serves soup.\n", encoding="utf-8")
    label = json.loads(_verify(store, "some answers/true.md", "--format", "json")[1])["files"][0]["report"]["label"]
    strict, mild = (
        _verify(store, "some answers/true.md", "--fail-on", each)[0] for each in ("needs_review", "unsupported")
    )
    assert (strict, mild) == (1, 0 if label == "needs_review" else 1)
    assert _verify(store, "some answers/deep/false.md", "--fail-on", "unsupported")[0] == 1


def test_wrong_use_ends_with_two(store: Path, texts: Path) -> None:
    """No file, two things at once, a page for many, annotations for what has no file, a corpus that is not there."""
    (texts / "empty").mkdir()
    for words in (
        ["some answers/empty"],
        ["nothing.md"],
        ["some answers", "--claim", TRUE],
        ["some answers", "--format", "html"],
        ["--claim", TRUE, "--format", "sarif"],
        ["some answers", "--as-of", "9"],
    ):
        assert _verify(store, *words)[0] == 2, words
