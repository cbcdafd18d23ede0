"""The program as a process: start-up, streams, pipes and completion."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import click
import pytest

from coditect.cli.app import knowledge
from tests.corpora import CORPUS, DOCUMENTS, folder_of

HEAVY = ("numpy", "scipy", "sklearn", "pydantic", "lmdb", "tantivy", "rich", "structlog", "orjson", "lxml")

PROBE = """
import sys
from coditect.cli import main
sys.argv = ["coditect", *sys.argv[1:]]
try:
    main()
finally:
    print("\\n".join(sorted(set(sys.modules))), file=sys.stderr)
"""


def coditect(*words: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run ``python -m coditect`` without a terminal."""
    environment = {**os.environ, **variables}
    return subprocess.run([sys.executable, "-m", "coditect", *words], capture_output=True, env=environment, timeout=120)


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["knowledge", "-h"], ["knowledge", "build", "--help"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    """Help is instant: no library of the store, the search or the reports is loaded."""
    done = subprocess.run([sys.executable, "-c", PROBE, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert not set(HEAVY) & set(done.stderr.split())


def test_help_takes_less_than_a_fifth_of_a_second() -> None:
    """Processor time, the best of five: other work on the machine is not ours."""

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert coditect("--help").returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert min(seconds() for _ in range(5)) < 0.2


def test_program_runs_from_ingest_to_answer(tmp_path: Path) -> None:
    """Real processes, one after the other; stdout holds text without colour, stderr nothing, ids stay whole."""
    folder = folder_of(tmp_path / "documents", DOCUMENTS)
    for words in (
        ["ingest", "--corpus-id", CORPUS, str(folder)],
        ["build", "--corpus-id", CORPUS, "--topic", "incident"],
    ):
        done = coditect("knowledge", *words)
        assert (done.returncode, done.stderr) == (0, b"")
    # A narrow window and a locale without UTF-8 change nothing about what is written to a pipe, but quotation marks.
    variables = {"COLUMNS": "20", "FORCE_COLOR": "1", "PYTHONIOENCODING": "ascii"}
    done = coditect("knowledge", "query", "--corpus-id", CORPUS, "--query", "incident", **variables)
    assert done.returncode == 0
    assert b"\x1b" not in done.stdout
    assert any(
        len(line.split(b"section_", 1)[1].split()[0]) == 40 for line in done.stdout.splitlines() if b"section_" in line
    )


def test_output_into_a_closed_pipe_is_quiet() -> None:
    """'coditect … | head' ends without a message."""
    words = [sys.executable, "-m", "coditect", "knowledge", "status", "--format", "json"]
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        done = subprocess.run(words, stdout=write_end, stderr=subprocess.PIPE, timeout=120)
    finally:
        os.close(write_end)
    assert (done.returncode, done.stderr) == (141, b"")


def test_undecodable_argument_is_wrong_use(tmp_path: Path) -> None:
    """Bytes that are no text do not crash the program."""
    words = [
        sys.executable.encode(),
        b"-m",
        b"coditect",
        b"knowledge",
        b"ingest",
        b"--corpus-id",
        b"a\xff",
        bytes(tmp_path),
    ]
    done = subprocess.run(words, capture_output=True, timeout=120)
    assert done.returncode == 2
    assert done.stderr.startswith(b"error: Invalid value for '--corpus-id'")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_calls_the_program_back(shell: str) -> None:
    """Each shell gets click's own script."""
    done = coditect("completion", shell)
    assert done.returncode == 0
    assert b"_CODITECT_COMPLETE=" + shell.encode() in done.stdout


def test_completion_offers_commands_and_choices() -> None:
    """What the script asks the program for."""

    def offered(line: str) -> list[str]:
        words = ["-c", "from coditect.cli import main; main()"]
        place = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1), "_CODITECT_COMPLETE": "bash_complete"}
        done = subprocess.run(
            [sys.executable, *words], capture_output=True, text=True, env={**os.environ, **place}, timeout=60
        )
        return [each.partition(",")[2] for each in done.stdout.split()]

    assert offered("coditect knowledge ") == list(knowledge.list_commands(click.Context(knowledge)))
    assert offered("coditect knowledge query --tier ") == [
        "corpus",
        "section",
        "chunk",
        "extraction",
        "passage",
        "proposition",
    ]
    assert "--corpus-id" in offered("coditect knowledge query --")
