"""Erasure, holds and retention from the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import click.testing
import pytest

from coditect.cli import coditect
from coditect.compose import compactions_owed, open_knowledge
from coditect.server import running
from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.integration.server.served import settings_at
from tests.places import ON_CLUSTER, options_at

WHO = ("--reason", "Art. 17 request", "--by", "A. Officer")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A store with a corpus that was taken in and built."""
    folder_of(tmp_path / "documents", DOCUMENTS)
    for words in (("ingest", "--corpus-id", CORPUS, str(tmp_path / "documents")), ("build", "--corpus-id", CORPUS)):
        assert invoke(tmp_path / "store", *words).exit_code == 0
    return tmp_path / "store"


def _coditect(place: Path, *words: str) -> click.testing.Result:
    """Any command of the program."""
    return click.testing.CliRunner().invoke(coditect, [*options_at(place), "--cache", f"{place}-cache", *words])


def _json(place: Path, *words: str, code: int = 0) -> Any:  # noqa: ANN401 - whatever the command prints
    result = invoke(place, *words, "--format", "json")
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def test_erase_says_what_would_go_and_then_erases(built: Path) -> None:
    """Dry run, erasure with a certificate, list; questions go on, without the document, before and after the next build."""
    erase = ("erase", "--corpus-id", CORPUS, "--document", "access.md", *WHO)
    shown = invoke(built, *erase)
    assert shown.exit_code == 0
    assert "Nothing was written" in shown.output
    assert invoke(built, "query", "--corpus-id", CORPUS, "--query", "access rights review").exit_code == 0
    found = _json(built, *erase, "--yes")
    assert found["state"] == "done"
    assert found["certificate"]["scan"]["found"] == []
    assert "compacted" in found["space"] or ON_CLUSTER
    (listed,) = _json(built, "erasures")
    assert listed["certificate"] == found["certificate"]
    assert listed["log_index"] > 0
    for _ in range(2):
        answer = invoke(
            built, "query", "--corpus-id", CORPUS, "--query", "access rights review", "--tier", "extraction"
        )
        assert answer.exit_code == 0
        assert "access.md" not in answer.output
        assert invoke(built, "validate", "--corpus-id", CORPUS).exit_code == 0
        assert (
            invoke(built, "report", "--corpus-id", CORPUS, "--output", str(built.parent / "report.html")).exit_code == 0
        )
        assert invoke(built, "build", "--corpus-id", CORPUS).exit_code == 0
    assert invoke(built, *erase).exit_code == 2


@pytest.mark.skipif(ON_CLUSTER, reason="a cluster uses freed space again by itself")
def test_erasure_that_another_command_carries_out_leaves_no_freed_page(built: Path) -> None:
    """A report that lay about kept it from its certificate; the next ingest gives that, and writes the store's file anew."""
    report = built.parent / "report.html"
    assert invoke(built, "report", "--corpus-id", CORPUS, "--output", str(report)).exit_code == 0
    erase = ("erase", "--corpus-id", CORPUS, "--document", "access.md", *WHO, "--yes", "--search", str(report))
    assert _json(built, *erase, code=1)["state"] == "words left"
    report.unlink()
    before = (built / "data.mdb").stat().st_size
    done = invoke(built, "ingest", "--corpus-id", CORPUS, str(built.parent / "documents"))
    assert "An erasure was carried out; compacted: " in done.stderr
    assert (built / "data.mdb").stat().st_size < before
    (listed,) = _json(built, "erasures")
    assert listed["certificate"] is not None
    again = invoke(built, "ingest", "--corpus-id", CORPUS, str(built.parent / "documents"))
    assert "compacted" not in again.stderr


@pytest.mark.skipif(ON_CLUSTER, reason="a cluster uses freed space again by itself")
def test_compaction_that_a_program_could_not_do_is_remembered(built: Path) -> None:
    """A server erases with the file open, or is killed behind the certificate: the store says so until a command has compacted."""
    words = b"access rights"
    with open_knowledge(settings_at(built)) as knowledge:
        outcome = knowledge.erase(CORPUS, ["access.md"], reason="r", by="b")
        assert outcome.state == "done"
        busy = invoke(built, "build", "--corpus-id", CORPUS)
        assert busy.exit_code == 0
        assert "still to be compacted after an erasure; not compacted, freed pages keep the words" in busy.stderr
    size = (built / "data.mdb").stat().st_size
    owed = _json(built, "validate", "--corpus-id", CORPUS)
    assert owed["clean"]
    assert [outcome.erasure.erasure_id in each for each in owed["compaction_owed"]] == [True]
    checked = json.loads(_coditect(built, "store", "check", "--format", "json").stdout)
    assert checked["compaction_owed"] == owed["compaction_owed"]
    assert "Compaction owed" in _coditect(built, "store", "check").stdout
    assert "coditect store compact" in invoke(built, "validate", "--corpus-id", CORPUS).stdout
    assert invoke(built, "documents", "--corpus-id", CORPUS).stderr == ""  # who only reads does not wait for it
    done = invoke(built, "build", "--corpus-id", CORPUS)
    assert "The store's file was still to be compacted after an erasure; compacted: " in done.stderr
    assert (built / "data.mdb").stat().st_size < size
    assert words not in (built / "data.mdb").read_bytes()
    assert _json(built, "validate", "--corpus-id", CORPUS)["compaction_owed"] == []
    assert "compacted" not in invoke(built, "build", "--corpus-id", CORPUS).stderr


@pytest.mark.skipif(ON_CLUSTER, reason="a cluster uses freed space again by itself")
def test_a_server_compacts_what_is_owed_before_it_opens_the_store(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Afterwards it has the file open for as long as it runs; 'store compact' clears what is owed, too."""
    seen: list[int] = []
    monkeypatch.setattr(running, "run", lambda settings, serving, say: seen.append(len(compactions_owed(settings))))
    for words, told in ((("serve",), "compacted: "), (("store", "compact"), "compacted")):
        with open_knowledge(settings_at(built)) as knowledge:
            name = sorted(knowledge.view(CORPUS).documents.values(), key=lambda each: each.name)[0].name
            assert knowledge.erase(CORPUS, [name], reason="r", by="b").state == "done"
        assert len(compactions_owed(settings_at(built))) == 1
        ran = _coditect(built, *words)
        assert ran.exit_code == 0, ran.output
        assert told in ran.output
        assert compactions_owed(settings_at(built)) == []
    assert seen == [0]


def test_hold_refuses_and_release_carries_out(built: Path) -> None:
    """Exit code 3 with who and why; what was asked is done at the release."""
    (hold,) = _json(built, "hold", "--corpus-id", CORPUS, "--document", "access.md", "--matter", "Doe v. Acme", *WHO)
    assert [each["hold_id"] for each in _json(built, "holds")] == [hold["hold_id"]]
    assert "policies, 1 document  hold_" in invoke(built, "holds").output
    refused = invoke(built, "erase", "--corpus-id", CORPUS, "--document", "access.md", *WHO, "--yes")
    assert refused.exit_code == 3
    assert "Doe v. Acme" in refused.output
    asked = invoke(built, "erase", "--corpus-id", CORPUS, "--document", "access.md", *WHO)
    assert (asked.exit_code, "waits already" in asked.stderr) == (3, True)
    assert invoke(built, "sweep", "--corpus-id", CORPUS, "--keep-generations", "1", "--apply").exit_code == 3
    (status,) = _json(built, "status", "--corpus-id", CORPUS)["corpora"]
    assert [each["hold_id"] for each in status["outlook"]["holds"]] == [hold["hold_id"]]
    assert [each["by"] for each in status["outlook"]["erasures"]] == ["A. Officer"]
    shown = invoke(built, "status", "--corpus-id", CORPUS).output
    assert "Doe v. Acme: 1 document" in shown
    assert "waits for the end of a hold" in shown
    done = _json(built, "release", "--corpus-id", CORPUS, "--hold", hold["hold_id"], *WHO)
    assert [each["state"] for each in done["erasures"]] == ["done"]
    assert "compacted" in done["space"] or ON_CLUSTER
    assert "waits" not in invoke(built, "status", "--corpus-id", CORPUS).output
    assert invoke(built, "validate", "--corpus-id", CORPUS).exit_code == 0


@pytest.mark.skipif(ON_CLUSTER, reason="a cluster is not copied as a folder")
def test_restored_backups_come_up_erased(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the store's folder, and an archive, both of before: with the list beside them they are erased when opened."""
    archive, kept, restored = built.parent / "a.jsonl", built.parent / "erasures.jsonl", built.parent / "restored"
    assert invoke(built, "export", "--corpus-id", CORPUS, "--output", str(archive)).exit_code == 0
    shutil.copytree(built, restored)
    erase = ("erase", "--corpus-id", CORPUS, "--document", "access.md", *WHO, "--yes")
    assert _json(built, *erase, "--search", str(archive), code=1)["found"] == [str(archive)]
    assert invoke(built, "erasures", "--output", str(kept)).exit_code == 0
    monkeypatch.setenv("CODITECT_ERASURES", str(kept))
    logging_first: list[bool] = []  # else the first line of the erasure is rendered twice
    monkeypatch.setattr("coditect.cli.session._set_up_logging", lambda _level, *, now: logging_first.append(now))
    assert "access.md" in archive.read_text("utf-8")
    for place, words in ((restored, ("status",)), (built.parent / "imported", ("import", str(archive)))):
        assert invoke(place, *words).exit_code == 0
        assert "access.md" not in invoke(place, "documents", "--corpus-id", CORPUS).output
        assert invoke(place, "validate", "--corpus-id", CORPUS).exit_code == 0
        (listed,) = _json(place, "erasures")
        assert listed["certificate"] is not None
    assert len(logging_first) > 0
    assert all(logging_first)
