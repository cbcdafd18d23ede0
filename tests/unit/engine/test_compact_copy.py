"""The compact copy itself: as long as what is in it, closed to others, and made without a touch of the store."""

from __future__ import annotations

import shutil
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import lmdb
import pytest

from coditect.engine.lmdb import compaction
from coditect.engine.lmdb.compaction import compact, file_space
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.errors import Unavailable
from coditect.testing.engine.probe import rows_of, store
from tests.unit.engine.writing import clear_all, set_all


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of short rows that were written in no order, every other one removed again."""
    with closing(LmdbEngine(tmp_path / "store", durable=False)) as engine:
        for start in range(7):
            store(engine, *((b"row/%06d" % n, b"%06d" % n * 5) for n in range(start, 14_000, 7)))
        clear_all(engine, [b"row/%06d" % n for n in range(0, 14_000, 2)])
    return tmp_path / "store"


def _rows(path: Path) -> list[tuple[bytes, bytes]]:
    with closing(LmdbEngine(path, durable=False)) as engine:
        return rows_of(engine)


def test_copy_is_as_long_as_what_is_in_it(path: Path) -> None:
    """Its pages are full to the end, and hold nothing that is free."""
    rows = _rows(path)
    needed = sum(len(key) + len(value) for key, value in rows)
    done = compact(path)
    assert needed < done.after_bytes < 1.5 * needed < done.before_bytes
    assert _rows(path) == rows


def test_pages_of_a_copy_are_filled(tmp_path: Path) -> None:
    """Two rows of 1,900 bytes share a page; where rows are put anywhere, LMDB splits each page that is full."""
    with closing(LmdbEngine(tmp_path / "store", durable=False)) as engine:
        set_all(engine, [(b"row/%06d" % n, bytes(1_900)) for n in range(300)])
    assert compact(tmp_path / "store").after_bytes < 1.3 * 300 * 1_900


@pytest.mark.parametrize("at_once", [1, 40, 41, 1_000, 1 << 30])
def test_copy_is_written_in_transactions_of_any_size(path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    """No row is lost where one ends and the next begins."""
    with closing(LmdbEngine(path, durable=False)) as engine:
        engine.run(lambda transaction: transaction.clear_range(b"row/000400", b"row/9"))
    rows = _rows(path)
    monkeypatch.setattr(compaction, "_APPENDED_BYTES", at_once)
    compact(path)
    assert _rows(path) == rows
    assert len(rows) == 200


def test_store_without_a_row_is_compacted(tmp_path: Path) -> None:
    """Nothing is in it, and nothing is free."""
    LmdbEngine(tmp_path / "store", durable=False).close()
    compact(tmp_path / "store")
    assert _rows(tmp_path / "store") == []


def test_space_of_a_store_is_told_while_it_is_open(tmp_path: Path) -> None:
    """A store that serves is looked at as it is; a new one of one page of rows has nothing free."""
    with closing(LmdbEngine(tmp_path / "store")) as engine:
        engine.run(lambda transaction: transaction.set(b"k", b"v"))
        space = file_space(tmp_path / "store")
    assert space.file_bytes == (tmp_path / "store" / "data.mdb").stat().st_size
    assert space.free_bytes == 0


def test_pages_that_are_free_are_counted(tmp_path: Path) -> None:
    """What 50 long rows took is free when they are removed, but for a few pages of LMDB's own."""
    with closing(LmdbEngine(tmp_path / "store")) as engine:
        set_all(engine, [(b"%03d" % n, bytes(16_000)) for n in range(50)])
        before = file_space(tmp_path / "store")
        engine.run(lambda transaction: transaction.clear_range(b"0", b"9"))
        after = file_space(tmp_path / "store")
    assert before.free_bytes < 10 * 4_096
    assert 50 * 16_000 < after.free_bytes < after.file_bytes


def test_files_stay_closed_to_others(path: Path) -> None:
    """The copy has the rights of the file whose place it takes; a lock file that was lost is made for this user alone."""
    (path / "data.mdb").chmod(0o640)
    (path / "lock.mdb").unlink()
    compact(path)
    assert stat.S_IMODE((path / "data.mdb").stat().st_mode) == 0o640
    assert stat.S_IMODE((path / "lock.mdb").stat().st_mode) & 0o077 == 0


def test_store_is_only_read_and_nobodys_lock_is_taken(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LMDB's lock would give up ours; and the copy goes to the disk once, at its end."""
    flags: list[Any] = []
    opened = lmdb.open

    def noting(*arguments: Any, **options: Any) -> lmdb.Environment:  # noqa: ANN401 - LMDB's
        found = opened(*arguments, **options)
        flags.append(found.flags())
        return found

    monkeypatch.setattr(lmdb, "open", noting)
    compact(path)
    store_flags, copy_flags, _ = flags
    assert (store_flags["readonly"], store_flags["lock"]) == (True, False)
    assert (copy_flags["sync"], copy_flags["lock"]) == (False, False)


def test_lock_file_is_empty_while_the_file_is_replaced(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that dies there leaves one that tells of no file; whoever comes next makes it anew."""
    rows = _rows(path)
    synced = compaction._sync

    def dying(what: Path) -> None:
        if what == path:
            raise OSError("killed")
        synced(what)

    monkeypatch.setattr(compaction, "_sync", dying)
    with pytest.raises(Unavailable, match="killed"):
        compact(path)
    assert (path / "lock.mdb").stat().st_size == 0
    assert _rows(path) == rows


def test_what_cannot_be_cleared_away_hinders_nobody(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of somebody's that is called as our copies are, and a copy that somebody else removed."""
    (path / "compact-notes.txt").write_text("mine")
    replace = compaction._replace

    def removing(store_path: Path, copy: Path, lock: int) -> None:
        replace(store_path, copy, lock)
        shutil.rmtree(copy)

    monkeypatch.setattr(compaction, "_replace", removing)
    rows = _rows(path)
    compact(path)
    assert _rows(path) == rows
    assert sorted(each.name for each in path.iterdir()) == ["compact-notes.txt", "data.mdb", "lock.mdb"]
