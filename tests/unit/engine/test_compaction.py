"""Compaction of an LMDB store: a compact file in the place of the old one, and never under somebody's feet."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from coditect.compose import compact_store, store_space
from coditect.engine.lmdb import compaction
from coditect.engine.lmdb.compaction import compact, file_space
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.errors import NotFound, Unavailable, UsageError

ROWS = {b"row/%04d" % n: bytes([n % 256]) * 3_000 for n in range(300)}

HOLDER = """
import sys
from pathlib import Path
from coditect.engine.lmdb.engine import LmdbEngine
engine = LmdbEngine(Path(sys.argv[1]), durable=False)
engine.run(lambda transaction: transaction.append(b"log/", b"from the other process"))
print("open", flush=True)
sys.stdin.read()
engine.run(lambda transaction: transaction.append(b"log/", b"again"))
engine.close()
"""


@contextmanager
def _elsewhere(path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that opens the store, says so, and goes on when its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def holed(tmp_path: Path) -> Path:
    """A store of which two rows in three were removed."""
    path = tmp_path / "store"
    with closing(LmdbEngine(path, durable=False)) as engine:
        for key, value in ROWS.items():
            engine.run(lambda transaction, row=(key, value): transaction.set(*row))  # type: ignore[misc]
        engine.run(lambda transaction: transaction.append(b"log/", b"first"))
        engine.run(lambda transaction: transaction.clear_range(b"row/0100", b"row/9"))
    return path


def _rows(path: Path) -> list[tuple[bytes, bytes]]:
    with closing(LmdbEngine(path, durable=False)) as engine:
        return list(engine.read(lambda transaction: transaction.range(b"", b"\xff", limit=10_000)).rows)


def test_compaction_keeps_every_row_and_frees_what_was_free(holed: Path) -> None:
    """The file is as long as what is in it; what is appended afterwards comes after what was appended before."""
    rows = _rows(holed)
    before = file_space(holed)
    assert before.free_bytes > before.file_bytes // 2
    done = compact(holed)
    assert done.before_bytes == before.file_bytes
    assert done.after_bytes == file_space(holed).file_bytes < before.file_bytes // 2
    assert file_space(holed).free_bytes < 20_000
    assert _rows(holed) == rows
    assert sorted(each.name for each in holed.iterdir()) == ["data.mdb", "lock.mdb"]
    with closing(LmdbEngine(holed, durable=False)) as engine:
        engine.run(lambda transaction: transaction.append(b"log/", b"second"))
        log = engine.read(lambda transaction: transaction.range(b"log/", b"log0")).rows
    assert [value for _, value in log] == [b"first", b"second"]


def test_compaction_of_a_store_that_another_process_has_open_changes_nothing(holed: Path) -> None:
    """The message names the process, and says what to do; that process goes on writing to the store that all see."""
    with _elsewhere(holed) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        before = (holed / "data.mdb").stat()
        with pytest.raises(Unavailable, match="another process has the store open") as refused:
            compact(holed)
        assert refused.value.hint
        if sys.platform.startswith("linux"):
            assert str(process.pid) in str(refused.value.context["processes"]).split(", ")
        after = (holed / "data.mdb").stat()
        assert (after.st_ino, after.st_size) == (before.st_ino, before.st_size)
        process.communicate("", timeout=60)
    assert [value for key, value in _rows(holed) if key.startswith(b"log/")][-1] == b"again"
    compact(holed)


def test_compaction_lets_those_in_who_waited_for_it(holed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who opens the store during it waits, and reads and writes the new file: two of them at once, and this process."""
    waiting: list[subprocess.Popen[str]] = []
    copy = compaction._copy

    def begin_others(path: Path, target: Path) -> None:
        copy(path, target)
        waiting.extend(
            subprocess.Popen(
                [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
            for _ in range(2)
        )
        threading.Event().wait(3.0)  # until they have come to the lock; if they have not, they come later

    monkeypatch.setattr(compaction, "_copy", begin_others)
    rows = _rows(holed)
    compact(holed)
    for process in waiting:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
    for process in waiting:
        process.communicate("", timeout=60)
        assert process.returncode == 0
    found = _rows(holed)
    assert [row for row in found if not row[0].startswith(b"log/")] == [r for r in rows if not r[0].startswith(b"log/")]
    assert len([row for row in found if row[0].startswith(b"log/")]) == 5, "each of the two wrote twice"


def test_compaction_that_this_process_would_feel_is_refused(holed: Path) -> None:
    """Closing the lock file here would drop the locks of the engine that is open."""
    with closing(LmdbEngine(holed, durable=False)) as engine:
        with pytest.raises(UsageError, match="this process has the store open"):
            compact(holed)
        engine.run(lambda transaction: transaction.set(b"a", b"b"))
    compact(holed)


@pytest.mark.parametrize("step", ["_copy", "_replace"])
def test_compaction_that_fails_leaves_the_store_as_it_was(
    holed: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """A full disk is said; nothing of the copy stays, and the store goes on."""
    rows = _rows(holed)

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compaction, step, full)
    with pytest.raises(Unavailable, match="could not be compacted"):
        compact(holed)
    assert sorted(each.name for each in holed.iterdir()) == ["data.mdb", "lock.mdb"]
    assert _rows(holed) == rows


def test_compaction_clears_the_copy_of_one_that_was_killed(holed: Path) -> None:
    """And an emptied lock file, which it leaves if it dies at the worst moment, is made anew by whoever comes next."""
    left = holed / "compact-left"
    left.mkdir()
    shutil.copy(holed / "data.mdb", left)
    rows = _rows(holed)
    (holed / "lock.mdb").write_bytes(b"")
    assert _rows(holed) == rows
    compact(holed)
    assert not left.exists()


def test_lock_file_that_was_emptied_is_refused_by_who_is_not_alone(holed: Path) -> None:
    """Who waited while a compaction died must not go on with a lock file that tells of another file; alone, it makes a new one."""
    with _elsewhere(holed) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        os.truncate(holed / "lock.mdb", 0)
        with _elsewhere(holed) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == ""
            assert other.wait(60) != 0
    assert len(_rows(holed)) == 102


def test_only_an_embedded_store_is_compacted(tmp_path: Path) -> None:
    """A cluster does it by itself; a store that is not there is not made."""
    with pytest.raises(UsageError, match="only an embedded store"):
        compact_store("fdb:///etc/foundationdb/fdb.cluster")
    assert store_space("fdb:///etc/foundationdb/fdb.cluster") is None
    with pytest.raises(NotFound):
        compact_store(f"lmdb://{tmp_path}/none")
    assert not (tmp_path / "none").exists()


def test_compaction_leaves_no_byte_of_a_removed_row(tmp_path: Path) -> None:
    """LMDB writes pages from buffers that it uses again: behind a row that ends within a page stands what another row had."""
    path = tmp_path / "store"
    with closing(LmdbEngine(path, durable=False)) as engine:
        for n in range(20):
            row = b"z/%02d" % n, b"secret of the lamp " * 150
            engine.run(lambda transaction, row=row: transaction.set(*row))  # type: ignore[misc]
        for n in range(20):
            engine.run(lambda transaction, key=b"z/%02d" % n: transaction.clear(key))  # type: ignore[misc]
        for n in range(20):
            engine.run(lambda transaction, key=b"a/%02d" % n: transaction.set(key, b"public" * 400))  # type: ignore[misc]
    rows = _rows(path)
    assert b"secret" in (path / "data.mdb").read_bytes()
    compact(path)
    assert b"secret" not in (path / "data.mdb").read_bytes()
    assert _rows(path) == rows
