"""``coditect knowledge feed``, from end to end: what happened, from where one stopped, and what comes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.places import options_at


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A store with a corpus that was taken in and built."""
    folder_of(tmp_path / "documents", DOCUMENTS)
    for words in (("ingest", "--corpus-id", CORPUS, str(tmp_path / "documents")), ("build", "--corpus-id", CORPUS)):
        assert invoke(tmp_path / "store", *words).exit_code == 0
    return tmp_path / "store"


def _events(place: Path, *words: str) -> list[dict[str, object]]:
    result = invoke(place, "feed", "--corpus-id", CORPUS, "--format", "json", *words)
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["corpus_id"] == CORPUS
    events: list[dict[str, object]] = found["events"]
    return events


def test_feed_shows_what_happened(built: Path) -> None:
    """As lines for people, and as one document for programs; behind a cursor only what came after it."""
    shown = invoke(built, "feed", "--corpus-id", CORPUS).stdout.splitlines()
    assert ["ingested" in shown[0], "generation 1" in shown[1]] == [True, True]
    first, second = _events(built)
    assert [line.split()[0] for line in shown] == [first["cursor"], second["cursor"]]
    assert _events(built, "--after", str(first["cursor"])) == [second]
    assert _events(built, "--after", str(second["cursor"])) == []
    assert _events(built, "--count", "1") == [first]


def test_feed_refuses_what_it_cannot_follow(built: Path) -> None:
    """An unknown corpus, and a cursor that is none."""
    assert invoke(built, "feed", "--corpus-id", "unknown").exit_code == 2
    assert invoke(built, "feed", "--corpus-id", CORPUS, "--after", "yesterday").exit_code == 2


def test_feed_follows(built: Path, tmp_path: Path) -> None:
    """A process that follows writes a line when another process has taken something in."""
    last = str(_events(built)[-1]["cursor"])
    words = ["feed", "--corpus-id", CORPUS, "--after", last, "--follow", "--count", "1", "--format", "json"]
    following = subprocess.Popen(
        [sys.executable, "-m", "coditect", *options_at(built), "knowledge", *words],
        stdout=subprocess.PIPE,
        text=True,
    )
    folder = folder_of(tmp_path / "more", {"more.txt": "The clerk shall sign."})
    assert invoke(built, "ingest", "--corpus-id", CORPUS, str(folder)).exit_code == 0
    told, _ = following.communicate(timeout=120)
    assert following.returncode == 0
    (line,) = told.splitlines()
    assert json.loads(line) == _events(built)[-1]
