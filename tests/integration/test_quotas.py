"""Quotas as an operator and a tenant meet them: one file for commands, programs and servers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from coditect.cli.app import coditect
from tests.corpora import DOCUMENTS, folder_of


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store, two documents, and a file of quotas that the environment names."""
    folder_of(tmp_path / "files", {name: DOCUMENTS[name] for name in ("incident.md", "access.md")})
    monkeypatch.setenv("CODITECT_STORE", f"lmdb://{tmp_path / 'store'}")
    monkeypatch.setenv("CODITECT_QUOTAS", str(tmp_path / "quotas.yaml"))
    return tmp_path


def _granted(place: Path, text: str) -> None:
    (place / "quotas.yaml").write_text(f"version: 1\n{text}")


def _run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(coditect, words)
    return done.exit_code, done.stdout, done.stderr


def test_a_tenant_is_told_what_it_has_of_what_it_was_granted(place: Path) -> None:
    """A file too many is listed as failed, exit code 3; a quota that was cut down since ends with 1."""
    _granted(place, "default: {documents: 1, builds: 3}\n")
    ingest = ("knowledge", "ingest", "--corpus-id", "c", str(place / "files"), "--format", "json")
    code, shown, _ = _run(*ingest)
    told = {each["name"]: each for each in json.loads(shown)["files"]}
    assert code == 3
    assert (told["access.md"]["status"], told["incident.md"]["status"]) == ("added", "failed")
    assert "as many documents as it was granted" in told["incident.md"]["message"]
    code, shown, _ = _run("store", "quota", "--format", "json")
    found = json.loads(shown)
    assert (code, found["over"]) == (0, False)
    assert found["quota"]["documents"] == found["usage"]["documents"] == 1
    assert found["usage"]["bytes"] > len(DOCUMENTS["access.md"])
    assert found["tag"].startswith("coditect:")
    _granted(place, "default: {documents: 5}\ntenants: {default: {bytes: 10}}\n")
    code, shown, _ = _run("store", "quota")
    assert code == 1
    assert "no limit" in shown
    code, shown, _ = _run(*ingest)
    assert code == 3
    assert "more bytes than it was granted" in shown


def test_a_file_that_is_not_right_stops_every_command(place: Path) -> None:
    """Exit code 2, with the line: a limit that is mistyped is not lifted."""
    _granted(place, "default:\n  document: 1\n")
    code, _, said = _run("knowledge", "ingest", "--corpus-id", "c", str(place / "files"))
    assert code == 2
    assert "quotas.yaml" in said
    assert "line" in said
    assert "3" in said
    assert not (place / "store").exists()
