"""Files of keys, programs that sign, and what lies beside them: how long, whose, and under which names."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from coditect.errors import Unavailable, UsageError
from coditect.transparency.checkpoints import Checkpoint, sign_checkpoint
from coditect.transparency.custody.key_files import CommandSigner, new_key, read_key_file, read_signer, write_key_file
from coditect.transparency.custody.memory import FileMemory
from coditect.transparency.notes import SigningKey, base64_of
from coditect.transparency.salts import random_salt, salted_sha256
from coditect.transparency.witness.folder import FolderLastSeen

KEY = SigningKey("log.example.com", bytes([1]) * 32)


def test_a_new_key_has_thirty_two_secret_bytes_of_its_own() -> None:
    """And a name that can stand in a note."""
    keys = [new_key("a") for _ in range(3)]
    assert {len(each.seed) for each in keys} == {32}
    assert len({each.seed for each in keys}) == 3
    with pytest.raises(UsageError, match="not a name"):
        new_key("a b")


def test_a_key_file_is_its_owners_and_never_written_over(tmp_path: Path) -> None:
    """One line, which is read again as the same key."""
    path = tmp_path / "log.key"
    write_key_file(path, KEY)
    assert path.read_text() == KEY.secret_text() + "\n"
    assert read_key_file(path) == read_signer(path) == KEY
    with pytest.raises(UsageError, match="never written over"):
        write_key_file(path, KEY)
    with pytest.raises(UsageError, match="cannot be written"):
        write_key_file(tmp_path / "no" / "log.key", KEY)


def test_a_key_that_does_not_fit_on_the_disk_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be no key, and stand in the way of the next try."""

    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    def opened(descriptor: int, *_args: object, **_words: object) -> Full:
        os.close(descriptor)
        return Full()

    monkeypatch.setattr("coditect.transparency.custody.key_files.os.fdopen", opened)
    path = tmp_path / "log.key"
    with pytest.raises(UsageError, match="cannot be written") as caught:
        write_key_file(path, KEY)
    assert caught.value.context["reason"] == "No space left on device"
    assert not path.exists()


@pytest.mark.parametrize("mode", [0o640, 0o620, 0o610, 0o604, 0o602, 0o601])
def test_a_key_that_others_can_touch_is_refused(tmp_path: Path, mode: int) -> None:
    """Read, write or search, the group or everybody; its owner may do what he likes."""
    path = tmp_path / "log.key"
    write_key_file(path, KEY)
    path.chmod(mode)
    with pytest.raises(UsageError, match="others can read"):
        read_key_file(path)
    for own in (0o400, 0o700):
        path.chmod(own)
        assert read_key_file(path) == KEY


@pytest.mark.parametrize("content", [None, b"\xff"])
def test_a_key_that_cannot_be_read_is_said_so(tmp_path: Path, content: bytes | None) -> None:
    """No file, or no text."""
    path = tmp_path / "log.key"
    if content is not None:
        path.write_bytes(content)
    for read in (read_key_file, read_signer):
        with pytest.raises(UsageError, match="cannot be read"):
            read(path)


def test_a_key_file_may_name_a_program_with_its_arguments(tmp_path: Path) -> None:
    """Behind the public key, as a shell would take it apart; more lines are notes of whoever keeps it."""
    path = tmp_path / "log.key"
    path.write_text(f"{KEY.key}\ncommand: sign --key 'a b'\n\nkept in the safe\n")
    assert read_signer(path) == CommandSigner(KEY.key, ("sign", "--key", "a b"))


def _ran(monkeypatch: pytest.MonkeyPatch, status: int, said: bytes, failed: bytes = b"") -> list[dict[str, Any]]:
    """Programs end so; what each was given."""
    given: list[dict[str, Any]] = []

    def run(command: tuple[str, ...], **options: Any) -> subprocess.CompletedProcess[bytes]:  # noqa: ANN401 - as run's
        given.append({"command": command, **options})
        return subprocess.CompletedProcess(command, status, said, failed)

    monkeypatch.setattr("coditect.transparency.custody.key_files.subprocess.run", run)
    return given


SIGNER = CommandSigner(KEY.key, ("sign", "--now"))


def test_a_program_has_two_minutes_to_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person may have to touch a device; it gets the text, and what it prints is read."""
    signed = KEY.sign(b"text\n")
    given = _ran(monkeypatch, 0, f" {base64_of(signed)}\n".encode())
    assert SIGNER.sign(b"text\n") == signed
    assert given == [
        {"command": ("sign", "--now"), "input": b"text\n", "capture_output": True, "timeout": 120, "check": False}
    ]


def test_the_end_of_what_a_failing_program_said_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred characters of it, with the status."""
    _ran(monkeypatch, 3, b"", b"x" + b"y" * 200 + b"\n")
    with pytest.raises(Unavailable, match="failed") as refused:
        SIGNER.sign(b"text\n")
    assert (refused.value.context["status"], refused.value.context["said"]) == (3, "y" * 200)


def test_a_program_that_is_not_there_is_said_so() -> None:
    """By its name."""
    with pytest.raises(Unavailable, match="cannot be run") as refused:
        CommandSigner(KEY.key, ("/no/such/program",)).sign(b"")
    assert refused.value.context["command"] == "/no/such/program"


def _note(size: int, root: bytes = bytes(32)) -> str:
    return sign_checkpoint(Checkpoint(KEY.name, size, root), [KEY])


def test_a_memory_is_written_once_for_each_size_and_is_its_owners(tmp_path: Path) -> None:
    """The first of one size stays; beside it is only what it is locked by."""
    memory = FileMemory(tmp_path / "log.key")
    assert memory.last(KEY.key) is None
    for size, root in ((2, b"a"), (2, b"b"), (3, b"c"), (1, b"d")):
        memory.keep(_note(size, root * 32), KEY.key)
    assert memory.last(KEY.key) == Checkpoint(KEY.name, 3, b"c" * 32)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["log.key.checkpoint", "log.key.checkpoint.lock"]
    assert stat.S_IMODE((tmp_path / "log.key.checkpoint.lock").stat().st_mode) == 0o600
    again = FileMemory(tmp_path / "other.key")
    for root in (b"a", b"b"):
        again.keep(_note(2, root * 32), KEY.key)
    assert again.last(KEY.key) == Checkpoint(KEY.name, 2, b"a" * 32)


def test_what_a_witness_remembers_is_found_again_by_later_releases(tmp_path: Path) -> None:
    """One file for each log: a witness that looked for it elsewhere would cosign a second history."""
    seen = FolderLastSeen(tmp_path / "deep" / "folder")
    seen.keep(Checkpoint(KEY.name, 2, bytes(32)))
    name = hashlib.sha256(KEY.name.encode()).hexdigest()[:32]
    assert [each.name for each in (tmp_path / "deep" / "folder").iterdir()] == [f"{name}.checkpoint"]
    for origin, wanted in ((KEY.name, Checkpoint(KEY.name, 2, bytes(32))), ("other", None)):
        with FolderLastSeen(tmp_path / "deep" / "folder").held(origin) as last:
            assert last == wanted


def test_salts_are_random_and_as_long_as_records_ask_for() -> None:
    """128 bits; the same words under another salt have another hash."""
    salts = {random_salt() for _ in range(3)}
    assert {len(each) for each in salts} == {32}
    assert len(salts) == 3
    assert salted_sha256("0" * 32, "a") == hashlib.sha256(b"0" * 32 + b"\na").hexdigest()
