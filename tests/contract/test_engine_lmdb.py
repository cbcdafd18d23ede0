"""The LMDB engine honours the port, and does with files, maps, threads and forks what it says."""

from __future__ import annotations

import mmap
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import lmdb
import pytest
from lmdb.verify import verify

from coditect.engine.lmdb.engine import LmdbEngine
from coditect.engine.port import Engine, Transaction
from coditect.errors import Conflict, Unavailable, UsageError
from coditect.testing.engine.conformance import EngineConformance
from coditect.testing.engine.model import engine_machine
from tests.read_only import run_where_only_reading_is_allowed


class TestLmdbConformance(EngineConformance):
    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self.path = tmp_path / "store"

    def open_engine(self) -> Engine:
        return LmdbEngine(self.path)


class _Store:
    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()

    def open_engine(self) -> Engine:
        # Not durable, because a thousand commits that wait for the disk would test the disk. The least map, so that it
        # grows on the way.
        return LmdbEngine(Path(self.folder.name) / "store", map_size_bytes=1 << 16, durable=False)

    def discard(self) -> None:
        self.folder.cleanup()


TestLmdbModel = engine_machine(_Store).TestCase


def _fill(engine: Engine, begin: int, end: int) -> None:
    """Records of a thousand bytes, a hundred in a transaction."""
    for start in range(begin, end, 100):

        def body(transaction: Transaction, start: int = start) -> None:
            for n in range(start, start + 100):
                transaction.set(b"%06d" % n, b"%06d" % n + bytes(1000))

        engine.run(body)


def _keys(engine: Engine) -> list[bytes]:
    rows = engine.read(lambda t: t.range(b"", b"\xff", limit=10_000)).rows
    return [key for key, _ in rows]


def _python(code: str, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=60)


# The path


def test_lmdb_makes_a_directory_for_its_user_alone(tmp_path: Path) -> None:
    """The store's directory, made with its parents, and its files are closed to others; the URL names it."""
    path = tmp_path / "a" / "b"
    with closing(LmdbEngine(path)) as engine:
        assert engine.url == f"lmdb://{path}"
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
        assert {stat.S_IMODE(file.stat().st_mode) for file in path.iterdir()} == {0o600}


def _a_file(path: Path) -> None:
    path.write_text("not a directory")


def _below_a_file(path: Path) -> None:
    path.parent.rmdir()
    path.parent.write_text("not a directory")


def _garbage(path: Path) -> None:
    path.mkdir()
    (path / "data.mdb").write_bytes(b"\x5a" * 65_536)


def _cut_within_the_first_page(path: Path) -> None:
    LmdbEngine(path).close()
    os.truncate(path / "data.mdb", 3000)


def _unwritable(path: Path) -> None:
    path.parent.chmod(0o500)


@pytest.mark.parametrize("spoil", [_a_file, _below_a_file, _garbage, _cut_within_the_first_page, _unwritable])
def test_lmdb_unopenable_path_is_unavailable(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    """What is not, and cannot become, an LMDB store is refused with a hint that names the path, each time."""
    if spoil is _unwritable and os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    path = tmp_path / "parent" / "store"
    path.parent.mkdir()
    spoil(path)
    for _ in range(2):
        with pytest.raises(Unavailable) as caught:
            LmdbEngine(path)
        assert caught.value.hint is not None
        assert str(path) in caught.value.hint


def test_lmdb_short_store_that_misses_only_free_pages_is_opened(tmp_path: Path) -> None:
    """Pages that hold nothing may lie beyond the end of the file."""
    path = tmp_path / "store"
    with closing(LmdbEngine(path)) as engine:
        engine.run(lambda t: t.set(b"a", b"1"))
        _fill(engine, 0, 300)
        engine.run(lambda t: t.clear_range(b"0", b"1"))
        engine.run(lambda t: t.set(b"b", b"2"))
    data = path / "data.mdb"
    os.truncate(data, data.stat().st_size - mmap.PAGESIZE)
    assert verify(str(data)) == []  # type: ignore[no-untyped-call]
    with closing(LmdbEngine(path)) as engine:
        assert _keys(engine) == [b"a", b"b"]
        _fill(engine, 0, 600)
        assert len(_keys(engine)) == 602


@pytest.mark.parametrize("kept", [0.02, 0.3, 0.6, 0.97])
def test_lmdb_truncated_store_is_unavailable(tmp_path: Path, kept: float) -> None:
    """A store whose end is missing is refused when it is opened; reading it would end the process with SIGBUS."""
    path = tmp_path / "store"
    with closing(LmdbEngine(path)) as engine:
        _fill(engine, 0, 2000)
    data = path / "data.mdb"
    os.truncate(data, int(data.stat().st_size * kept))
    code = (
        "import sys; from pathlib import Path; from coditect.engine.lmdb.engine import LmdbEngine\n"
        "from coditect.errors import StoreError\n"
        "try:\n"
        "    engine = LmdbEngine(Path(sys.argv[1]))\n"
        "    engine.read(lambda t: t.range(b'', b'\\xff', limit=10_000))\n"
        "except StoreError as error:\n"
        "    print(type(error).__name__)\n"
    )
    done = _python(code, path)
    assert (done.returncode, done.stdout) == (0, "Unavailable\n"), done.stderr


def test_lmdb_arguments_are_checked(tmp_path: Path) -> None:
    """Sizes and counts that make no sense are refused before anything is made on disk."""
    for arguments in ({"map_size_bytes": 1000}, {"retries": -1}):
        with pytest.raises(UsageError):
            LmdbEngine(tmp_path / "store", **arguments)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_lmdb_full_disk_is_unavailable(tmp_path: Path) -> None:
    """When the disk takes no more, the transaction fails as a whole, and the store is sound afterwards."""
    path = tmp_path / "store"
    with closing(LmdbEngine(path)) as engine:
        _fill(engine, 0, 100)
    code = (
        "import resource, sys; from pathlib import Path; from coditect.engine.lmdb.engine import LmdbEngine\n"
        "from coditect.errors import Unavailable\n"
        "engine = LmdbEngine(Path(sys.argv[1]))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))\n"
        "try:\n"
        "    engine.run(lambda t: [t.set(b'x%d' % n, bytes(90_000)) for n in range(10)])\n"
        "except Unavailable as error:\n"
        "    print(bool(error.hint))\n"
    )
    done = _python(code, path)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr
    with closing(LmdbEngine(path)) as engine:
        assert _keys(engine) == [b"%06d" % n for n in range(100)]
        _fill(engine, 100, 1000)
        assert len(_keys(engine)) == 1000


# The map


def test_lmdb_map_grows_and_the_body_runs_again(tmp_path: Path) -> None:
    """A full map is doubled until the transaction fits; its body starts again from the beginning."""
    runs: list[int] = []

    def body(transaction: Transaction) -> None:
        runs.append(1)
        for n in range(9):
            transaction.set(b"%d" % n, bytes(100_000))

    with closing(LmdbEngine(tmp_path / "store", map_size_bytes=1 << 16, retries=0)) as engine:
        engine.run(body)
        assert len(runs) > 3
        assert len(_keys(engine)) == 9
        _fill(engine, 0, 5000)
        assert len(_keys(engine)) == 5009


def test_lmdb_map_grows_under_readers_of_other_threads(tmp_path: Path) -> None:
    """Growing waits for the snapshots in use, disturbs none of them, and lets later ones in again."""
    with closing(LmdbEngine(tmp_path / "store", map_size_bytes=1 << 16)) as engine:
        engine.run(lambda t: t.set(b"0", b"0"))
        done = threading.Event()
        counts: list[list[int]] = [[], [], []]

        def look(number: int) -> None:
            def body(transaction: Transaction) -> int:
                rows = transaction.range(b"", b"\xff", limit=10_000).rows
                again = transaction.range(b"", b"\xff", limit=10_000).rows
                assert rows == again
                return len(rows)

            # The pauses keep the readers from holding the interpreter, which the writer needs too.
            while not done.wait(0.002):
                counts[number].append(engine.read(body))

        threads = [threading.Thread(target=look, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        _fill(engine, 0, 1000)
        done.set()
        for thread in threads:
            thread.join(60)
        for seen in counts:
            assert seen == sorted(seen)
            assert all(n % 100 == 1 for n in seen)
        assert len(_keys(engine)) == 1001


def test_lmdb_growing_waits_for_a_long_reader(tmp_path: Path) -> None:
    """While a snapshot of this process is in use the map stays where it is."""
    with closing(LmdbEngine(tmp_path / "store", map_size_bytes=1 << 16)) as engine:
        engine.run(lambda t: t.set(b"k", b"v" * 3000))
        reading, go_on = threading.Event(), threading.Event()
        seen: list[bytes | None] = []

        def slow(transaction: Transaction) -> None:
            seen.append(transaction.get(b"k"))
            reading.set()
            assert go_on.wait(60)
            seen.append(transaction.get(b"k"))

        reader = threading.Thread(target=lambda: engine.read(slow))
        writer = threading.Thread(target=lambda: _fill(engine, 0, 500))
        reader.start()
        assert reading.wait(60)
        writer.start()
        writer.join(0.3)
        assert writer.is_alive()
        go_on.set()
        reader.join(60)
        writer.join(60)
        assert seen == [b"v" * 3000] * 2
        assert len(_keys(engine)) == 501


# One environment in a process


def test_lmdb_path_by_another_name_is_the_same_store(tmp_path: Path) -> None:
    """A symbolic link and the directory itself can be open at once, and closed in any order."""
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "store", target_is_directory=True)
    (tmp_path / "store").mkdir()
    first, second = LmdbEngine(tmp_path / "store"), LmdbEngine(link)
    first.run(lambda t: t.set(b"k", b"v"))
    first.close()
    assert second.read(lambda t: t.get(b"k")) == b"v"
    second.close()


def test_lmdb_store_deleted_and_made_again_is_another(tmp_path: Path) -> None:
    """An engine on deleted files does not lend them to the store that was made in their place."""
    with closing(LmdbEngine(tmp_path / "store")) as old:
        old.run(lambda t: t.set(b"k", b"old"))
        shutil.rmtree(tmp_path / "store")
        with closing(LmdbEngine(tmp_path / "store")) as new:
            assert new.read(lambda t: t.get(b"k")) is None
            assert old.read(lambda t: t.get(b"k")) == b"old"


def test_lmdb_durable_and_not_cannot_share_a_process(tmp_path: Path) -> None:
    """Durability belongs to the environment, so a second engine cannot silently get the weaker promise."""
    with closing(LmdbEngine(tmp_path / "store")), pytest.raises(UsageError):
        LmdbEngine(tmp_path / "store", durable=False)
    LmdbEngine(tmp_path / "store", durable=False).close()


def test_lmdb_opens_and_closes_under_threads(tmp_path: Path) -> None:
    """Threads that open, use and close one store at will never meet a store half open."""
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(40):
                engine = LmdbEngine(tmp_path / "store", durable=False)
                engine.run(lambda t: t.add(b"n", 1))
                engine.close()
        except BaseException as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    with closing(LmdbEngine(tmp_path / "store")) as engine:
        assert engine.read(lambda t: t.get(b"n")) == (240).to_bytes(8, "little")


def test_lmdb_close_waits_for_the_bodies_of_other_threads(tmp_path: Path) -> None:
    """A body that is running when its engine is closed ends in peace."""
    engine = LmdbEngine(tmp_path / "store")
    running, go_on = threading.Event(), threading.Event()

    def slow(transaction: Transaction) -> None:
        running.set()
        assert go_on.wait(60)
        transaction.set(b"k", b"v")

    writer = threading.Thread(target=lambda: engine.run(slow))
    writer.start()
    assert running.wait(60)
    closer = threading.Thread(target=engine.close)
    closer.start()
    closer.join(0.2)
    assert closer.is_alive()
    go_on.set()
    writer.join(60)
    closer.join(60)
    with closing(LmdbEngine(tmp_path / "store")) as again:
        assert again.read(lambda t: t.get(b"k")) == b"v"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_lmdb_forked_child_is_refused_and_harms_nobody(tmp_path: Path) -> None:
    """A child of fork() cannot use, nor open again, what its parent has open; closing it there changes nothing."""
    code = (
        "import os, sys; from pathlib import Path; from coditect.engine.lmdb.engine import LmdbEngine\n"
        "from coditect.errors import Unavailable\n"
        "path = Path(sys.argv[1]); engine = LmdbEngine(path)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    refused = 0\n"
        "    for use in (lambda: engine.run(str), lambda: engine.read(str), lambda: LmdbEngine(path)):\n"
        "        try: use()\n"
        "        except Unavailable as error: refused += 'spawn' in error.hint\n"
        "    engine.close()\n"
        "    os._exit(refused)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        "engine.run(lambda t: t.set(b'k', b'v')); print(engine.read(lambda t: t.get(b'k')))\n"
    )
    done = _python(code, tmp_path / "store")
    assert done.stdout == "3\nb'v'\n", done.stderr


# Appended keys


def test_lmdb_append_key_is_commit_and_place(tmp_path: Path) -> None:
    """Behind the prefix: the number of the commit, the same for all prefixes, and the place in the transaction."""
    with closing(LmdbEngine(tmp_path / "store")) as engine:
        engine.run(lambda t: t.set(b"k", b"v"))

        def body(transaction: Transaction) -> None:
            transaction.append(b"a/", b"1")
            transaction.append(b"b/", b"2")
            transaction.append(b"a/", b"3")

        engine.run(body)
        commit = (2).to_bytes(8, "big") + b"\x00\x00"
        assert _keys(engine)[:3] == [
            b"a/" + commit + b"\x00\x00",
            b"a/" + commit + b"\x00\x01",
            b"b/" + commit + b"\x00\x00",
        ]


def test_lmdb_append_goes_on_in_a_restored_compact_copy(tmp_path: Path) -> None:
    """A compact copy starts LMDB's transaction ids again; appended keys still grow."""
    with closing(LmdbEngine(tmp_path / "store")) as engine:
        for n in range(20):
            engine.run(lambda t, n=n: t.append(b"log/", b"%d" % n))  # type: ignore[misc]
    (tmp_path / "copy").mkdir()
    with lmdb.open(str(tmp_path / "store")) as raw:
        raw.copy(str(tmp_path / "copy"), compact=True)
    with closing(LmdbEngine(tmp_path / "copy")) as engine:
        for n in range(20, 25):
            engine.run(lambda t, n=n: t.append(b"log/", b"%d" % n))  # type: ignore[misc]
        rows = engine.read(lambda t: t.range(b"log/", b"log0")).rows
    assert [int(value) for _, value in rows] == list(range(25))


# Files that go, readers that die, stores that can only be read


def _removed(path: Path) -> None:
    shutil.rmtree(path)


def _moved(path: Path) -> None:
    path.rename(path.with_name("moved"))


def _made_again(path: Path) -> None:
    shutil.rmtree(path)
    LmdbEngine(path).close()


@pytest.mark.parametrize("lose", [_removed, _moved, _made_again])
def test_lmdb_write_to_a_store_that_is_gone_is_refused(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """LMDB itself commits to the file without a name, and all would seem well."""
    path = tmp_path / "store"
    with closing(LmdbEngine(path)) as engine:
        engine.run(lambda t: t.set(b"k", b"v"))
        lose(path)
        for _ in range(2):
            with pytest.raises(Unavailable, match="removed or replaced"):
                engine.run(lambda t: t.set(b"k", b"w"))


def test_lmdb_commit_to_a_store_that_goes_meanwhile_is_an_error(tmp_path: Path) -> None:
    """The last commit of a build is one, too."""
    path = tmp_path / "store"

    def body(transaction: Transaction) -> None:
        transaction.set(b"k", b"v")
        (path / "data.mdb").unlink()

    with closing(LmdbEngine(path)) as engine, pytest.raises(Unavailable, match="removed or replaced"):
        engine.run(body)


def test_lmdb_removed_lock_file_is_told_to_whoever_writes_next(tmp_path: Path) -> None:
    """Whoever opens the store then makes another lock file, and two would write at once."""
    path = tmp_path / "store"
    with closing(LmdbEngine(path)) as engine:
        engine.run(lambda t: t.set(b"k", b"v"))
        (path / "lock.mdb").unlink()
        other = "import sys; from pathlib import Path; from coditect.engine.lmdb.engine import LmdbEngine as E\n"
        done = _python(other + "E(Path(sys.argv[1])).run(lambda t: t.set(b'k', b'other'))", path)
        assert done.returncode == 0, done.stderr
        with pytest.raises(Unavailable, match="lock file") as caught:
            engine.run(lambda t: t.set(b"k", b"w"))
        assert "validate" in (caught.value.hint or "")


_READER_THAT_DIES = """
import os, sys, lmdb
environment = lmdb.open(sys.argv[1])
reader = environment.begin()
os._exit(0)
"""


def test_lmdb_file_does_not_grow_behind_dead_readers(tmp_path: Path) -> None:
    """Pages that only a dead reader looked at are used again while the writer goes on, not when the store is opened anew."""
    path = tmp_path / "store"

    def write(engine: Engine, rounds: int) -> None:
        for n in range(rounds):
            engine.run(lambda t, n=n: [t.set(b"%d" % k, bytes([n % 250]) * 90_000) for k in range(10)])  # type: ignore[misc]

    with closing(LmdbEngine(path, durable=False)) as engine:
        write(engine, 5)
        before = (path / "data.mdb").stat().st_size
        for _ in range(3):
            assert _python(_READER_THAT_DIES, path).returncode == 0
            write(engine, 10)
        assert (path / "data.mdb").stat().st_size < 2 * before


_READ_ONLY = """
import sys
from pathlib import Path
from coditect.engine.lmdb.engine import LmdbEngine
from coditect.errors import Unwritable
engine = LmdbEngine(Path(sys.argv[1]))
print(engine.read(lambda t: t.get(b"k")))
try:
    engine.run(lambda t: t.set(b"k", b"w"))
except Unwritable as error:
    print(error.message)
engine.close()
"""


def test_lmdb_store_on_a_read_only_file_system_is_read(tmp_path: Path) -> None:
    """Neither its lock file nor anything else can be written there; a write is refused by name.

    On a mount of its own where the system lets a process have one (root, as a rule); elsewhere with files and a folder that may
    only be read, which root could write to all the same.
    """
    path = tmp_path / "store"
    with closing(LmdbEngine(path)) as engine:
        engine.run(lambda t: t.set(b"k", b"v"))
    done = run_where_only_reading_is_allowed(path, [sys.executable, "-c", _READ_ONLY, str(path)])
    assert (done.returncode, done.stdout) == (0, "b'v'\nthe store can be read and not be written\n"), done.stderr


def test_lmdb_reader_without_a_lock_notices_that_it_was_outrun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer elsewhere does not know of it, so what it read while somebody committed is read again, and given up in the end.

    That its lock file cannot be written is played: LMDB is told that data and lock file are not writable.
    """
    path = tmp_path / "store"
    LmdbEngine(path).close()
    monkeypatch.setattr("coditect.engine.lmdb.environment.lmdb.open", _refuses_to_write(lmdb.open))
    monkeypatch.setattr("coditect.engine.lmdb.environment.os.access", lambda file, mode: mode == os.R_OK)
    other = "import sys; from pathlib import Path; from coditect.engine.lmdb.engine import LmdbEngine as E\n"
    set_it = other + "E(Path(sys.argv[1])).run(lambda t: t.set(b'k', (t.get(b'k') or b'') + b'v'))"
    read: list[bytes | None] = []
    with closing(LmdbEngine(path, retries=2)) as engine:

        def body(transaction: Transaction, times: int) -> bytes | None:
            if len(read) < times:
                assert _python(set_it, path).returncode == 0
            read.append(transaction.get(b"k"))
            return read[-1]

        assert engine.read(lambda t: body(t, 1)) == b"v"
        assert read == [None, b"v"]
        with pytest.raises(Conflict):
            engine.read(lambda t: body(t, 99))


def _refuses_to_write(opened: Callable[..., lmdb.Environment]) -> Callable[..., lmdb.Environment]:
    def refusing(path: str, **options: object) -> lmdb.Environment:
        if not options.get("readonly"):
            raise lmdb.ReadonlyError(f"{path}: Read-only file system")
        return opened(path, **options)

    return refusing
