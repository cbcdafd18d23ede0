"""The program as a process: start-up, streams, pipes and completion."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import click
import pytest

from coditect.cli.app import knowledge
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.store.store import Store
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.places import ON_CLUSTER
from tests.read_only import run_where_only_reading_is_allowed

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
        len(line.split(b"section_", 1)[1].split()[0]) == 52 for line in done.stdout.splitlines() if b"section_" in line
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


@pytest.mark.parametrize("words", [["status", "--format", "json"], ["status"]], ids=["json", "text"])
def test_output_to_a_full_device_is_one_error(words: list[str]) -> None:
    """What cannot be written is said once, without a traceback, also where it shows when the program ends."""
    with Path("/dev/full").open("wb") as full:
        line = [sys.executable, "-m", "coditect", "knowledge", *words]
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, timeout=120)
    assert done.returncode == 2
    assert b"No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr


def test_text_into_a_closed_pipe_is_quiet() -> None:
    """Text is written when the program ends, or when much of it has come together; both end without a message."""
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        line = [sys.executable, "-m", "coditect", "knowledge", "status"]
        done = subprocess.run(line, stdout=write_end, stderr=subprocess.PIPE, timeout=120)
    finally:
        os.close(write_end)
    assert (done.returncode, done.stderr) == (141, b"")


INTERRUPTED_AT = """
import os, pathlib, signal, sys, threading, time
import importlib.abc
MOMENT = sys.argv.pop(1)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts background programs without

class Interrupter(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == MOMENT:
            sys.meta_path.remove(self)
            os.killpg(0, signal.SIGINT)

def when_workers_start():
    import multiprocessing
    # Late enough that the interpreter of a worker answers signals, and early enough that it is still importing what it needs.
    def imports(worker):
        return "pydantic_core" in pathlib.Path(f"/proc/{worker.pid}/maps").read_text()
    while not any(map(imports, multiprocessing.active_children())):
        time.sleep(0.001)
    os.killpg(0, signal.SIGINT)

if __name__ == "__main__":
    if MOMENT == "workers":
        threading.Thread(target=when_workers_start, daemon=True).start()
    else:
        sys.meta_path.insert(0, Interrupter())
    from coditect.__main__ import main
    main()
"""


@pytest.mark.parametrize(
    "moment",
    ["coditect.cli.app", "click", "coditect.cli.ingest", "pydantic", "fdb" if ON_CLUSTER else "lmdb", "workers"],
)
def test_interruption_ends_in_one_line(tmp_path: Path, moment: str) -> None:
    """Ctrl-C while modules load and while processes start: the program and its workers say one thing, and it is no traceback."""
    folder = folder_of(tmp_path / "documents", {f"{n}.md": f"# Rule {n}\n\nStaff shall report.\n" for n in range(60)})
    program = tmp_path / "program.py"
    program.write_text(INTERRUPTED_AT)
    words = ["--jobs", "2", "knowledge", "ingest", "--corpus-id", "c", str(folder)]
    if moment == "workers":  # a build has some; small files are read where the program runs
        assert coditect(*words).returncode == 0
        words = ["--jobs", "2", "knowledge", "build", "--corpus-id", "c"]
    done = subprocess.run(
        [sys.executable, str(program), moment, *words],
        capture_output=True,
        text=True,
        timeout=120,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 130, done.stderr
    assert "error: interrupted" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


SEVERAL = """
import sys
from coditect.cli import coditect
for words in sys.argv[1:]:
    if coditect.main(["knowledge", *words.split("\\n")], standalone_mode=False):
        sys.exit(words)
"""
"""Commands one after the other, each a word of the command line, until one fails."""


@pytest.mark.parametrize("cache", ["beside the store", "in the store"])
def test_store_that_can_only_be_read_answers(tmp_path: Path, cache: str) -> None:
    """Query, validation and report of a store on a read-only file system, also where its cache lies there, too."""
    store = tmp_path / "store"
    variables = {
        "CODITECT_STORE": f"lmdb://{store}",
        "CODITECT_CACHE": str(tmp_path / "cache" if cache == "beside the store" else store / "cache"),
        "XDG_CACHE_HOME": str(tmp_path / "users"),
    }
    with closing(LmdbEngine(store)) as engine:
        ingest_all(Store(engine), folder_of(tmp_path / "documents", DOCUMENTS))
        build_all(Store(engine))
    asked = ["query", "--corpus-id", CORPUS, "--query", "who reports an incident", "--tier", "extraction"]
    wanted = coditect(
        "knowledge", *asked, CODITECT_CACHE=str(tmp_path / "other"), CODITECT_STORE=f"lmdb://{store}"
    ).stdout
    others = (
        ["validate", "--corpus-id", CORPUS],
        ["status"],
        ["report", "--corpus-id", CORPUS, "--output", str(tmp_path / "report.html")],
        ["export", "--corpus-id", CORPUS, "--output", str(tmp_path / "archive")],
    )
    program = [sys.executable, "-m", "coditect", "knowledge", *asked]
    done = run_where_only_reading_is_allowed(store, program, **variables)
    assert (done.returncode, done.stdout.encode()) == (0, wanted), done.stderr
    assert ("cannot be written" in done.stderr) == (cache == "in the store")
    if cache == "in the store":  # the others read no cache, and what is refused is refused wherever it is
        return
    program = [sys.executable, "-c", SEVERAL, *("\n".join(words) for words in others)]
    done = run_where_only_reading_is_allowed(store, program, **variables)
    assert done.returncode == 0, done.stderr
    assert len((tmp_path / "archive").read_bytes()) > 1_000
    named = {**variables, "CODITECT_PRINCIPAL": "R. Eader"}
    done = run_where_only_reading_is_allowed(store, [sys.executable, "-m", "coditect", "knowledge", *asked], **named)
    assert (done.returncode, done.stdout) == (4, "")
    assert "what is read in somebody's name is logged" in done.stderr
    assert "Unset CODITECT_PRINCIPAL" in done.stderr
    program = [sys.executable, "-m", "coditect", "knowledge", "build", "--corpus-id", CORPUS, "--topic", "audit"]
    done = run_where_only_reading_is_allowed(store, program, **variables)
    assert done.returncode == 4
    assert "the store can be read and not be written" in done.stderr
    assert "Traceback" not in done.stderr
