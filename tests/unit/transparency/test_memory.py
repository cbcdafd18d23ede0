"""The memory beside a log's key, and keys that a program holds."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from coditect.errors import InvalidProof, Unavailable, UsageError
from coditect.keyspace import Keyspace
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.transparency.checkpoints import Checkpoint, sign_checkpoint
from coditect.transparency.custody.key_files import CommandSigner, read_signer, write_key_file
from coditect.transparency.custody.memory import FileMemory
from coditect.transparency.events import append_event, event_of
from coditect.transparency.notes import SigningKey, base64_of
from coditect.transparency.sequencer import TransparencyLog

KEY = SigningKey("log.example.com/tests", bytes(range(32)))
KEYS = Keyspace()


def _log(memory: MemoryStore, events: int = 0, of: str = "c") -> TransparencyLog:
    engine = MemoryEngine(memory)
    for each in range(events):
        engine.run(lambda t, each=each: append_event(t, KEYS, event_of("document", of, subject=str(each))))  # type: ignore[misc]
    return TransparencyLog(engine, KEYS)


def test_older_copy_of_the_store_is_noticed_by_who_signs(tmp_path: Path) -> None:
    """With its own log and its own last checkpoint it agrees with itself, and is refused; the error names the way out."""
    memory = FileMemory(tmp_path / "log.key")
    store = MemoryStore()
    _log(store, 3).checkpoint(KEY, memory)
    older = MemoryStore()
    older.state = store.state
    _log(store, 3).checkpoint(KEY, memory)
    assert _log(older).checkpoint(KEY)  # without the memory nothing is noticed
    with pytest.raises(InvalidProof, match="another log, or a longer one") as refused:
        _log(older).checkpoint(KEY, memory)
    assert refused.value.context["file"] == memory.place
    assert "move the file away" in (refused.value.hint or "").replace("\n", " ")
    with pytest.raises(InvalidProof):  # as long as it was, and otherwise
        _log(older, 9, "d").checkpoint(KEY, memory)
    assert _log(store, 1).checkpoint(KEY, memory)


def test_way_out_is_to_move_the_file_away(tmp_path: Path) -> None:
    """Then the log begins anew for this key, and whoever kept the old checkpoint sees it."""
    memory = FileMemory(tmp_path / "log.key")
    _log(MemoryStore(), 3).checkpoint(KEY, memory)
    Path(memory.place).rename(tmp_path / "kept")
    assert _log(MemoryStore(), 2).checkpoint(KEY, memory)


def test_memory_never_goes_back(tmp_path: Path) -> None:
    """Of two processes that signed, the one that writes last may have signed first."""
    memory = FileMemory(tmp_path / "log.key")
    for size in (5, 3):
        memory.keep(sign_checkpoint(Checkpoint(KEY.name, size, bytes(32)), [KEY]), KEY.key)
    last = memory.last(KEY.key)
    assert last is not None
    assert last.size == 5
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".new"] == []


@pytest.mark.parametrize("text", ["", "nonsense", "log.example.com/tests\n9\nAAAA\n\n"])
def test_memory_that_the_key_did_not_sign_is_refused(tmp_path: Path, text: str) -> None:
    """It was written by somebody else, or cut off."""
    memory = FileMemory(tmp_path / "log.key")
    Path(memory.place).write_text(text)
    with pytest.raises(InvalidProof, match="not signed with it"):
        memory.last(KEY.key)


def _program(tmp_path: Path, prints: str) -> Path:
    """A key file that names a program, which signs or does not."""
    secret = tmp_path / "secret.key"
    write_key_file(secret, KEY)
    script = tmp_path / "sign.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfrom coditect.transparency.custody.key_files import read_key_file\n"
        "from coditect.transparency.notes import base64_of\n"
        f"key = read_key_file(Path({str(secret)!r}))\ntext = sys.stdin.buffer.read()\n{prints}\n"
    )
    path = tmp_path / "device.key"
    path.write_text(f"{KEY.key}\ncommand: {sys.executable} {script}\n")
    return path


def test_program_signs_with_a_key_that_stays_where_it_is(tmp_path: Path) -> None:
    """What it prints is the signature that the key itself would give."""
    signer = read_signer(_program(tmp_path, "print(base64_of(key.sign(text)))"))
    assert isinstance(signer, CommandSigner)
    assert (signer.key, signer.sign(b"a text\n")) == (KEY.key, KEY.sign(b"a text\n"))


@pytest.mark.parametrize("prints", ["print('no')", "sys.exit('no card')", "print(base64_of(key.sign(b'other')))"])
def test_program_that_does_not_sign_is_an_error(tmp_path: Path, prints: str) -> None:
    """No base64, a failure, or a signature of something else."""
    with pytest.raises(Unavailable, match="program that signs"):
        read_signer(_program(tmp_path, prints)).sign(b"a text\n")


def test_key_file_that_names_no_program_is_refused(tmp_path: Path) -> None:
    """Empty, or with a quotation mark that is never closed; and a key that others can read."""
    path = tmp_path / "device.key"
    for line in ("command:", 'command: "sign'):
        path.write_text(f"{KEY.key}\n{line}\n")
        with pytest.raises(UsageError, match="names no program"):
            read_signer(path)
    secret = tmp_path / "secret.key"
    write_key_file(secret, KEY)
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    secret.chmod(0o644)
    with pytest.raises(UsageError, match="others can read"):
        read_signer(secret)
    assert base64_of(KEY.seed) not in repr(KEY)
