"""The files of a store, as it is opened: which may be written, which are too short, and what is tried again."""

from __future__ import annotations

import mmap
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import lmdb
import pytest

from coditect.engine.lmdb import environment
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.lmdb.environment import Environment
from coditect.errors import Unavailable, Unwritable
from tests.unit.engine.writing import set_all

MAP_BYTES = 1 << 20


def _store(path: Path) -> Path:
    with closing(LmdbEngine(path, durable=False)) as engine:
        engine.run(lambda transaction: transaction.set(b"k", b"v"))
    return path


def _only_readable(monkeypatch: pytest.MonkeyPatch, rights: dict[str, int]) -> None:
    """Let the system say what may be done with files, and LMDB refuse to open any to be written."""
    opened = lmdb.open

    def refusing(path: str, **options: Any) -> lmdb.Environment:  # noqa: ANN401 - LMDB's
        if not options.get("readonly"):
            raise lmdb.ReadonlyError(f"{path}: Read-only file system")
        return opened(path, **options)

    monkeypatch.setattr(lmdb, "open", refusing)
    monkeypatch.setattr(os, "access", lambda path, mode: bool(rights[Path(path).name] & mode))


@pytest.mark.parametrize("data", [os.R_OK, os.R_OK | os.W_OK])
@pytest.mark.parametrize("lock", [0, os.R_OK, os.R_OK | os.W_OK])
def test_store_is_opened_to_be_read_where_a_file_of_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: int, lock: int
) -> None:
    """With a lock where its file can be written. Where both can, something else is wrong, and is said."""
    path = _store(tmp_path / "store")
    _only_readable(monkeypatch, {"data.mdb": data, "lock.mdb": lock})
    if data & os.W_OK and lock & os.W_OK:
        with pytest.raises(Unavailable, match="cannot be opened"):
            LmdbEngine(path, durable=False)
        return
    found = Environment(path, MAP_BYTES, durable=False)
    flags = found.raw.flags()
    assert (found.writable, flags["readonly"], flags["lock"]) == (False, True, bool(lock & os.W_OK))
    found.close()
    with closing(LmdbEngine(path, durable=False)) as engine:
        assert engine.read(lambda transaction: transaction.get(b"k")) == b"v"
        with pytest.raises(Unwritable):
            engine.run(lambda transaction: transaction.set(b"k", b"w"))


def test_store_that_cannot_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else's, whose files are closed to us."""
    path = _store(tmp_path / "store")
    _only_readable(monkeypatch, {"data.mdb": 0, "lock.mdb": 0})
    with pytest.raises(Unavailable, match="cannot be opened"):
        LmdbEngine(path, durable=False)


@pytest.mark.parametrize("locked", [True, False])
def test_reader_that_a_writer_knows_of_is_never_outrun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locked: bool
) -> None:
    """What it reads is whole although somebody else commits; without a lock it is read again."""
    path = _store(tmp_path / "store")
    _only_readable(monkeypatch, {"data.mdb": os.R_OK, "lock.mdb": os.W_OK if locked else 0})
    code = (
        "import sys; from pathlib import Path; from coditect.engine.lmdb.engine import LmdbEngine\n"
        "LmdbEngine(Path(sys.argv[1]), durable=False).run(lambda t: t.set(b'k', b'w'))"
    )
    seen: list[bytes | None] = []

    def body(transaction: Any) -> None:  # noqa: ANN401
        if not seen:
            assert subprocess.run([sys.executable, "-c", code, str(path)], timeout=60, check=False).returncode == 0
        seen.append(transaction.get(b"k"))

    with closing(LmdbEngine(path, durable=False)) as engine:
        engine.read(body)
    assert seen == ([b"v"] if locked else [b"v", b"w"])


def test_only_a_file_that_is_too_short_is_looked_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sound store of whatever size opens at once; one that lacks its last page is refused."""
    path = tmp_path / "store"
    with closing(LmdbEngine(path, durable=False)) as engine:
        set_all(engine, [(b"%04d" % n, bytes(3_000)) for n in range(50)])
    data = path / "data.mdb"
    looked: list[str] = []

    def verify(name: str) -> list[str]:
        looked.append(name)
        return ["a page is missing"]

    monkeypatch.setattr(environment, "verify", verify)
    raw = lmdb.open(str(path), readonly=True)
    whole = (raw.info()["last_pgno"] + 1) * mmap.PAGESIZE
    raw.close()
    assert data.stat().st_size >= whole
    os.truncate(data, whole)
    LmdbEngine(path, durable=False).close()
    assert looked == []
    os.truncate(data, whole - 1)
    with pytest.raises(Unavailable, match="cannot be opened") as caught:
        LmdbEngine(path, durable=False)
    assert looked == [str(data)]
    assert "a page is missing" in caught.value.context["reason"]


@pytest.mark.parametrize("step", ["_opened_files", "_check_length"])
@pytest.mark.parametrize("error", [lmdb.MapResizedError, lmdb.Error, OSError])
def test_opening_that_fails_leaves_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, error: type[Exception]
) -> None:
    """At whatever step: it is tried again by itself where the store grew, and by the caller otherwise."""
    path = _store(tmp_path / "store")
    real: Callable[..., Any] = getattr(environment, step)
    tries: list[int] = []

    def first_fails(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        tries.append(1)
        if len(tries) == 1:
            raise error("not now")
        return real(*arguments, **options)

    monkeypatch.setattr(environment, step, first_fails)
    if error is not lmdb.MapResizedError:
        with pytest.raises(Unavailable, match="cannot be opened"):
            LmdbEngine(path, durable=False)
    with closing(LmdbEngine(path, durable=False)) as engine:
        assert engine.read(lambda transaction: transaction.get(b"k")) == b"v"
    assert len(tries) == 2
