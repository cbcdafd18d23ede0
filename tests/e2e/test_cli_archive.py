"""``export`` and ``import`` from end to end: files, pipes, messages, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click.testing
import pytest

from coditect.knowledge.archive import rows as archive_rows
from coditect.knowledge.archive.lines import TABLES
from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.places import options_at

EXPORT = ("export", "--corpus-id", CORPUS)


def parsed(result: click.testing.Result) -> Any:  # noqa: ANN401 - any JSON value
    """The one JSON document on stdout."""
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def built_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on disk with the small corpus, built."""
    place = tmp_path_factory.mktemp("cli")
    folder = folder_of(place / "documents", DOCUMENTS)
    assert invoke(place / "store", "ingest", "--corpus-id", CORPUS, str(folder)).exit_code == 0
    assert invoke(place / "store", "build", "--corpus-id", CORPUS, "--topic", "incident").exit_code == 0
    return place / "store"


@pytest.fixture(scope="module")
def archive(built_store: Path) -> Path:
    """Its archive."""
    path = built_store.parent / "policies.jsonl"
    assert invoke(built_store, *EXPORT, "--output", str(path)).exit_code == 0
    return path


def digest_of(archive: Path) -> str:
    """The digest in an archive's first line."""
    with archive.open("rb") as file:
        return str(json.loads(file.readline())["header"]["corpus_digest"])


def test_export_and_import_into_another_store_and_tenant(built_store: Path, archive: Path, tmp_path: Path) -> None:
    """The corpus answers, validates and exports there as it does here."""
    target = tmp_path / "target"
    imported = invoke(target, "import", str(archive), tenant="other")
    assert imported.exit_code == 0, imported.output
    assert imported.stdout.splitlines()[0] == f"Corpus {CORPUS}, generation 1: imported"
    assert f"Digest  {digest_of(archive)}  computed from the store" in imported.stdout
    for words in (
        ("query", "--corpus-id", CORPUS, "--query", "incident", "--include-sources"),
        ("status", "--corpus-id", CORPUS),
    ):
        here, there = invoke(built_store, *words), invoke(target, *words, tenant="other")
        assert here.exit_code == there.exit_code == 0
        assert [line for line in there.stdout.splitlines() if " ms" not in line and "enant" not in line] == [
            line for line in here.stdout.splitlines() if " ms" not in line and "enant" not in line
        ]
    assert invoke(target, "validate", "--corpus-id", CORPUS, tenant="other").exit_code == 0
    again = tmp_path / "again.jsonl"
    assert invoke(target, *EXPORT, "--output", str(again), tenant="other").exit_code == 0
    assert again.read_bytes() == archive.read_bytes()
    assert invoke(target, *EXPORT, "--output", "-").exit_code == 2  # this tenant has no such corpus


def test_export_says_what_it_wrote(built_store: Path, archive: Path, tmp_path: Path) -> None:
    """Text and JSON name the digest, the rows and the size."""
    path = tmp_path / "a.jsonl"
    text = invoke(built_store, *EXPORT, "--output", str(path))
    size = archive.stat().st_size
    assert text.stdout.splitlines()[:2] == [f"Corpus {CORPUS}, generation 1: exported, {size:,} bytes", f"  {path}"]
    assert text.stdout.splitlines()[-1] == f"Digest  {digest_of(archive)}"
    body = parsed(invoke(built_store, *EXPORT, "--output", str(path), "--format", "json"))
    assert (body["corpus_digest"], body["size_bytes"], body["generation"]) == (digest_of(archive), size, 1)
    assert list(body["rows"]) == list(TABLES)
    assert body["rows"]["documents"] == len(DOCUMENTS)


def test_import_says_what_it_did(archive: Path, tmp_path: Path) -> None:
    """JSON names digest and rows; the second time, that nothing was done."""
    first = parsed(invoke(tmp_path / "s", "import", "--format", "json", str(archive)))
    second = parsed(invoke(tmp_path / "s", "import", str(archive), "--format", "json"))
    assert (first["imported"], second["imported"]) == (True, False)
    assert first["corpus_digest"] == second["corpus_digest"] == digest_of(archive)
    assert list(first["rows"]) == list(TABLES)
    assert first["index_entries"] > 0
    text = invoke(tmp_path / "s", "import", str(archive))
    assert text.stdout.startswith(f"Corpus {CORPUS}, generation 1: the same corpus is here already; nothing was done")


def test_export_to_standard_output_keeps_words_out_of_it(built_store: Path, archive: Path, tmp_path: Path) -> None:
    """The bytes of the archive on stdout, the summary on stderr; and '-' reads them again."""
    piped = invoke(built_store, *EXPORT, "--output", "-")
    assert piped.stdout_bytes == archive.read_bytes()
    assert "Digest  " in piped.stderr
    as_json = invoke(built_store, *EXPORT, "--output", "-", "--format", "json")
    assert as_json.stdout_bytes == archive.read_bytes()
    assert json.loads(as_json.stderr)["corpus_digest"] == digest_of(archive)
    assert invoke(tmp_path / "s", "import", "-", stdin=piped.stdout_bytes).exit_code == 0
    assert not (tmp_path / "-").exists()


def test_pipe_between_two_processes(built_store: Path, tmp_path: Path) -> None:
    """``export --output - | import -``, as on a command line."""
    program = [sys.executable, "-m", "coditect", "--cache", str(tmp_path / "cache"), "knowledge"]
    out = [*program, *EXPORT, *options_at(built_store), "--output", "-"]
    into = [*program, "import", "-", *options_at(tmp_path / "s"), "--format", "json"]
    with subprocess.Popen(out, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as source:
        done = subprocess.run(into, stdin=source.stdout, capture_output=True, text=True, timeout=60)
    assert (source.returncode, done.returncode) == (0, 0), done.stderr
    assert json.loads(done.stdout)["imported"] is True


def test_import_of_a_damaged_archive_makes_nothing(archive: Path, tmp_path: Path) -> None:
    """Exit code 1, the way out, and no store that was not there before."""
    damaged = tmp_path / "damaged.jsonl"
    data = bytearray(archive.read_bytes())
    data[len(data) // 2] ^= 4
    damaged.write_bytes(data)
    result = invoke(tmp_path / "s", "import", "--format", "json", str(damaged))
    assert (result.exit_code, result.stdout) == (1, "")
    error = json.loads(result.stderr)
    assert (error["error"], bool(error["hint"])) == ("Corrupt", True)
    assert not (tmp_path / "s").exists()


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.md", b"# A policy\n", "not an archive"),
        ("a.gz", b"\x1f\x8b\x08\x00", "not an archive"),
        ("empty", b"", "not an archive"),
        ("missing", None, "the archive cannot be read"),
        (".", None, "the archive cannot be read"),
    ],
)
def test_import_of_something_else_is_wrong_use(tmp_path: Path, name: str, data: bytes | None, reason: str) -> None:
    """Exit code 2, and what to give instead."""
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    result = invoke(tmp_path / "s", "import", str(path))
    assert result.exit_code == 2
    assert f"error: {reason}" in click.unstyle(result.stderr)
    assert "hint: " in click.unstyle(result.stderr)
    assert not (tmp_path / "s").exists()


def test_import_over_another_corpus_is_refused(built_store: Path, archive: Path, tmp_path: Path) -> None:
    """Exit code 2; the corpus that is there stays, and another tenant is the way out."""
    store = tmp_path / "s"
    folder = folder_of(tmp_path / "d", {"a.md": "# A\n\nStaff shall report.\n"})
    assert invoke(store, "ingest", "--corpus-id", CORPUS, str(folder)).exit_code == 0
    refused = invoke(store, "import", str(archive), "--format", "json")
    assert refused.exit_code == 2
    assert "--tenant" in json.loads(refused.stderr)["hint"]
    assert parsed(invoke(store, "status", "--format", "json"))["corpora"][0]["generation"] == 0
    assert invoke(store, "import", str(archive), tenant="other").exit_code == 0


def test_export_of_an_unknown_corpus_leaves_the_file_that_is_there(built_store: Path, tmp_path: Path) -> None:
    """Exit code 2, no temporary file, and the old content."""
    path = tmp_path / "out" / "a.jsonl"
    path.parent.mkdir()
    path.write_text("old")
    result = invoke(built_store, "export", "--corpus-id", "nobody", "--output", str(path))
    assert result.exit_code == 2
    assert CORPUS in result.stderr
    assert [(each.name, each.read_text()) for each in path.parent.iterdir()] == [("a.jsonl", "old")]


def test_export_that_fails_halfway_leaves_the_file_that_is_there(
    built_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The archive has its name only when it is whole."""
    path = tmp_path / "out" / "a.jsonl"
    path.parent.mkdir()
    path.write_text("old")

    class FullError(OSError):
        strerror = "No space left on device"

    def fail(*_: object) -> None:
        raise FullError

    monkeypatch.setattr(os, "fsync", fail)
    result = invoke(built_store, *EXPORT, "--output", str(path))
    assert result.exit_code == 2
    assert "No space left on device" in result.stderr
    assert [(each.name, each.read_text()) for each in path.parent.iterdir()] == [("a.jsonl", "old")]


def test_export_to_a_place_that_cannot_be_is_refused_at_once(
    built_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder, and a file in a folder that is not there: said before the store is read."""
    monkeypatch.setattr(archive_rows, "corpus_pages", None)
    for output in (tmp_path, tmp_path / "no" / "a.jsonl"):
        result = invoke(built_store, *EXPORT, "--output", str(output))
        assert result.exit_code == 2
        assert "folder" in result.stderr


def test_archive_has_the_mode_of_any_new_file(built_store: Path, tmp_path: Path) -> None:
    """What the user's umask leaves."""
    before = os.umask(0o027)
    try:
        assert invoke(built_store, *EXPORT, "--output", str(tmp_path / "a.jsonl")).exit_code == 0
    finally:
        os.umask(before)
    assert (tmp_path / "a.jsonl").stat().st_mode & 0o777 == 0o640
