"""Reading in a process of its own: the same text, a budget, and a death that costs one file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from coditect.documents.readers import is_light, read_source
from coditect.documents.sandbox.budget import ReadBudget
from coditect.documents.sandbox.process import ReadingProcess
from coditect.errors import ReadError, UsageError
from coditect.sample import sample_files
from tests.hostile.catalogue import KINDS
from tests.unit.documents.documents import pdf

SMALL = ReadBudget(memory_mb=128)
SHORT = ReadBudget(time_s=1.0)
PAGE = pdf([[(72, 700, "The clerk shall sign each page.")]])
MAKE = {kind.name: kind.make for kind in KINDS}


@pytest.fixture
def process() -> Iterator[ReadingProcess]:
    """A process with a small budget."""
    with ReadingProcess(SMALL) as reading:
        yield reading


def test_reading_process_gives_what_the_readers_give() -> None:
    """Text, blocks, pages, title and warnings of every format, from one process for all files."""
    with ReadingProcess(ReadBudget()) as process:
        assert process.pid is None
        for path in sample_files():
            assert process.read(path.read_bytes(), path.name) == read_source(path.read_bytes(), path.name)
        process.read(PAGE, "a.pdf")
        first = process.pid
        process.read(PAGE, "b.pdf")
        assert process.pid == first is not None


@pytest.mark.parametrize(
    ("name", "raw"), [("a.md", b""), ("a.pdf", b"hello"), ("a.docx", b"PK\x03\x04"), ("a.bin", b"\0")]
)
def test_reading_process_refuses_what_the_readers_refuse(name: str, raw: bytes, process: ReadingProcess) -> None:
    """With the same message, hint and variables."""
    with pytest.raises(ReadError) as expected:
        read_source(raw, name)
    with pytest.raises(ReadError) as caught:
        process.read(raw, name)
    assert (str(caught.value), caught.value.context) == (str(expected.value), expected.value.context)


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("pdf-operators", 100_000_000),
        ("pdf-forms", 9),
        ("json-keys", 2_000_000),
        ("xlsx-shared-string", 2_000),
        ("text-one-word", 60_000_000),
    ],
)
def test_reading_process_refuses_a_file_that_takes_too_much_memory(
    kind: str, size: int, process: ReadingProcess
) -> None:
    """Whoever asks for the memory, PDFium, libxml2 or Python: one clear error, and the next file is read."""
    suffix = "." + next(each.suffix for each in KINDS if each.name == kind).lstrip(".")
    with pytest.raises(ReadError, match="takes more memory than is allowed") as caught:
        process.read(MAKE[kind](size), "a" + suffix)
    assert caught.value.context == {"name": "a" + suffix, "limit_mb": 128}
    assert "CODITECT_READ_MEMORY_MB" in str(caught.value)
    assert process.read(PAGE, "a.pdf") == read_source(PAGE, "a.pdf")


def test_reading_process_refuses_a_file_that_takes_too_much_time() -> None:
    """Processor time is granted anew for each file."""
    with ReadingProcess(SHORT) as process:
        with pytest.raises(ReadError, match="takes longer than is allowed") as caught:
            process.read(MAKE["markdown-images"](200_000), "a.md")
        assert caught.value.context == {"name": "a.md", "limit_s": 1.0}
        assert process.read(b"The clerk shall sign.", "a.txt").text == "The clerk shall sign."


def test_reading_process_that_does_not_answer_is_given_up() -> None:
    """A process that waits for something takes no processor time; the clock ends it, ten seconds for each that is granted."""
    with ReadingProcess(SHORT) as waiting:
        waiting.read(b"The clerk shall sign.", "a.txt")
        assert waiting.pid is not None
        os.kill(waiting.pid, signal.SIGSTOP)
        with pytest.raises(ReadError, match="takes longer than is allowed"):
            waiting.read(b"The clerk shall sign.", "a.txt")


def test_reading_process_that_was_ended_between_files_is_replaced(process: ReadingProcess) -> None:
    """No file is blamed for what happened before it came."""
    process.read(PAGE, "a.pdf")
    pid = process.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert process.read(PAGE, "a.pdf") == read_source(PAGE, "a.pdf")


def test_reading_process_that_dies_of_a_file_costs_that_file(process: ReadingProcess) -> None:
    """A parser that crashes is an error of the file; here somebody else ends it while it reads."""
    process.read(PAGE, "a.pdf")
    pid = process.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)  # so that it cannot answer before it ends
    threading.Timer(0.2, os.kill, (pid, signal.SIGKILL)).start()
    with pytest.raises(ReadError, match="process died on this file"):
        process.read(PAGE, "a.pdf")
    assert process.read(PAGE, "a.pdf").pages


def test_reading_process_is_closed_while_it_reads() -> None:
    """Whoever waits for it is told; nothing is left behind."""
    with ReadingProcess(ReadBudget()) as process:
        process.read(PAGE, "a.pdf")
        pid = process.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        threading.Timer(0.1, process.kill).start()
        with pytest.raises(ReadError):
            process.read(PAGE, "a.pdf")
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_reading_process_needs_no_guard_in_the_program_that_starts_it(tmp_path: Path) -> None:
    """The main module is not imported again: a script without ``if __name__ == "__main__"`` runs once."""
    (tmp_path / "a.pdf").write_bytes(PAGE)
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "from coditect.documents.sandbox.budget import ReadBudget\n"
        "from coditect.documents.sandbox.process import ReadingProcess\n"
        "with ReadingProcess(ReadBudget()) as process:\n"
        f"    print(process.read(Path({str(tmp_path / 'a.pdf')!r}).read_bytes(), 'a.pdf').text)\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "The clerk shall sign each page.\n"


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="this system does not show environments")
def test_reading_process_is_told_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the settings of this program nor the keys of others pass into a process in which files may run riot."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    monkeypatch.setenv("CODITECT_API_KEY", "secret")
    with ReadingProcess(SMALL) as process:
        process.read(b"The clerk shall sign.", "a.txt")
        assert b"secret" not in Path(f"/proc/{process.pid}/environ").read_bytes()


@pytest.mark.parametrize("budget", [{"memory_mb": 127}, {"time_s": 0.5}])
def test_read_budget_that_is_too_small_is_refused(budget: dict[str, int]) -> None:
    """Nothing could be read with it."""
    with pytest.raises(UsageError, match="too small"):
        ReadBudget(**budget)


@pytest.mark.parametrize(
    ("name", "raw", "light"),
    [
        ("a.md", b"x" * 1_000, True),
        ("a.txt", b"x" * 100_000, True),
        ("a", b"x" * 1_000, True),
        ("a.md", b"x" * 1_000_000, False),
        ("a.html", b"x" * 1_000_000, False),
        ("a.pdf", b"x", False),
        ("a.docx", b"x", False),
        ("a.xlsx", b"x", False),
        ("a.pptx", b"x", False),
        ("a", PAGE, False),
        ("a.txt", b"PK\x03\x04", False),
    ],
)
def test_light_files_are_short_texts(name: str, raw: bytes, light: bool) -> None:
    """Whatever a library other than Python's own unpacks or lays out needs a process, and long text does."""
    assert is_light(raw, name) == light
