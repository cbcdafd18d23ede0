"""Somebody else's implementation reads our log: the tiles, notes and proofs of Go's checksum database, where Go is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from coditect.engine.port import Transaction
from coditect.store.store import Store
from coditect.transparency.events import append_event, event_of
from coditect.transparency.notes import SigningKey
from coditect.transparency.sequencer import TransparencyLog

KEY = SigningKey("log.example.com/tests", bytes(range(32)))
GO = shutil.which("go")


def _files(store: Store, count: int, folder: Path) -> Path:
    def body(transaction: Transaction) -> None:
        for each in range(count):
            append_event(transaction, store.keys, event_of("document", "policies", subject=str(each)))

    store.update(body)
    log = TransparencyLog(store.engine, store.keys)
    log.checkpoint(KEY)
    for path, data in log.files():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder


@pytest.mark.skipif(GO is None, reason="no Go here")
@pytest.mark.slow
def test_go_reads_our_log_and_proves_every_entry_and_prefix(memory: Store, tmp_path: Path) -> None:
    """1, 255, 256, 257 and 700 entries: the checkpoint's signature, each inclusion, each consistency; other entries are refused."""
    assert GO is not None
    vendored = Path(subprocess.run([GO, "env", "GOROOT"], capture_output=True, text=True, check=True).stdout.strip())
    vendored = vendored / "src" / "cmd" / "vendor"
    if not (vendored / "golang.org" / "x" / "mod" / "sumdb").is_dir():
        pytest.skip("this Go does not carry golang.org/x/mod/sumdb")
    gopath = tmp_path / "go"
    gopath.mkdir()
    (gopath / "src").symlink_to(vendored)
    environment = {
        **os.environ,
        "GOPATH": str(gopath),
        "GO111MODULE": "off",
        "GOFLAGS": "",
        "GOCACHE": str(tmp_path / "cache"),
        "CGO_ENABLED": "0",
    }
    program = tmp_path / "reader"
    source = Path(__file__).parent / "reader.go"
    subprocess.run([GO, "build", "-o", str(program), str(source)], env=environment, check=True, cwd=tmp_path)
    total = 0
    for added in (1, 254, 1, 1, 443):
        total += added
        folder = _files(memory, added, tmp_path / f"log-{total}")
        done = subprocess.run([program, str(folder), str(KEY.key)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == [str(total)] * 4
    other = SigningKey(KEY.name, bytes(32))
    done = subprocess.run([program, str(folder), str(other.key)], capture_output=True, text=True, check=False)
    assert done.returncode != 0
